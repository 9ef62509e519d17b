// RUN: npu-opt %s --npu-plan-memory -split-input-file -verify-diagnostics

// expected-error@+1 {{'npu.kernel' op requires 5120 bytes of sram but target 'npu-tiny:sramBytes=4096' has 4096, choose smaller tiles}}
npu.kernel @full(%in: memref<2048xi8, #npu.space<dram>>, %out: memref<1024xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // Lives before the loop only.
  %before = memref.alloc() : memref<4096xi8, #npu.space<sram>>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-note@+1 {{live at the peak: 2048 bytes x 2 for 'memref<2048xi8, #npu.space<sram>>'}}
    %0 = memref.alloc() {npu.buffers = 2 : i64} : memref<2048xi8, #npu.space<sram>>
    // expected-note@+1 {{live at the peak: 1024 bytes x 1 for 'memref<1024xi8, #npu.space<sram>>'}}
    %1 = memref.alloc() : memref<1024xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %0 : memref<2048xi8, #npu.space<dram>> to memref<2048xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %1 : memref<2048xi8, #npu.space<dram>> to memref<1024xi8, #npu.space<sram>>
  }
  npu.return
}
