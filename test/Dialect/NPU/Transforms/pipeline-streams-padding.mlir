// What the first cluster alone loads, and in the first iteration alone, waits for no reader: there is none before. The other one does not
// load it at all. Nor does it wait for what touches another part of the buffer.

// RUN: npu-opt %s --npu-pipeline-streams | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-pipeline-streams,npu-drop-idle-loads,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))' -o /dev/null

// CHECK: npu.stream dmai cluster(0)
// CHECK: scf.for
// CHECK-NOT: npu.wait
// CHECK: npu.dma_load %arg0
// CHECK: npu.stream vpu cluster(0)
// CHECK: npu.fill
// CHECK: scf.for
// CHECK: npu.wait
// CHECK: npu.unary
// CHECK-NOT: npu.stream dmai cluster(1)
// CHECK: npu.return
npu.kernel @padding(%x: memref<8xf32, #npu.space<dram>>, %y: memref<2x3x8xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %share = memref.alloc() {npu.offset = 0 : i64} : memref<8xf32, #npu.space<sram>>
  scf.forall (%c) in (2) {
    %own = memref.subview %share[4] [4] [1] : memref<8xf32, #npu.space<sram>> to memref<4xf32, strided<[1], offset: 4>, #npu.space<sram>>
    npu.fill %own {value = 1.0 : f32} : memref<4xf32, strided<[1], offset: 4>, #npu.space<sram>>
    scf.for %i = %c0 to %c3 step %c1 {
      %n = affine.min affine_map<(d0, d1) -> (d0 * -4 + d1 * -4 + 4, 4)>(%c, %i)
      %padding = memref.subview %share[0] [4] [1] : memref<8xf32, #npu.space<sram>> to memref<4xf32, #npu.space<sram>>
      npu.dma_load %x[%c0] -> %padding extents(%n) : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
      %t = memref.alloc() {npu.buffers = 2 : i64, npu.offset = 64 : i64} : memref<1x1x8xf32, #npu.space<sram>>
      %flat = memref.subview %t[0, 0, 0] [1, 1, 8] [1, 1, 1] : memref<1x1x8xf32, #npu.space<sram>> to memref<8xf32, #npu.space<sram>>
      npu.unary neg %share -> %flat : memref<8xf32, #npu.space<sram>> -> memref<8xf32, #npu.space<sram>>
      npu.dma_store %t -> %y[%c, %i, %c0] : memref<1x1x8xf32, #npu.space<sram>> to memref<2x3x8xf32, #npu.space<dram>>
    }
  }
  npu.return
}
