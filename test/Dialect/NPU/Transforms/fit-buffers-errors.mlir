// RUN: npu-opt %s --npu-fit-buffers -verify-diagnostics

// expected-error@+1 {{'npu.kernel' op requires 5120 bytes of sram but target 'npu-tiny:sramBytes=4096' has 4096, choose smaller tiles}}
npu.kernel @full(%in: memref<8192xi8, #npu.space<dram>>, %out: memref<8192xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 2048)>(%i)
    // expected-note@+1 {{live at the peak: 2048 bytes x 1 for 'memref<2048xi8, #npu.space<sram>>'}}
    %a = memref.alloc() {npu.buffers = 3 : i64} : memref<2048xi8, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a : memref<8192xi8, #npu.space<dram>> to memref<2048xi8, #npu.space<sram>>
    // expected-note@+1 {{live at the peak: 2048 bytes x 1 for 'memref<2048xi8, #npu.space<sram>>'}}
    %t = memref.alloc() {npu.buffers = 2 : i64} : memref<2048xi8, #npu.space<sram>>
    npu.unary neg %a -> %t : memref<2048xi8, #npu.space<sram>> -> memref<2048xi8, #npu.space<sram>>
    // expected-note@+1 {{live at the peak: 1024 bytes x 1 for 'memref<1000xi8, #npu.space<sram>>'}}
    %u = memref.alloc() {npu.buffers = 9 : i64} : memref<1000xi8, #npu.space<sram>>
    npu.unary neg %u -> %u : memref<1000xi8, #npu.space<sram>> -> memref<1000xi8, #npu.space<sram>>
    npu.dma_store %t -> %out[%o] : memref<2048xi8, #npu.space<sram>> to memref<8192xi8, #npu.space<dram>>
  }
  npu.return
}
