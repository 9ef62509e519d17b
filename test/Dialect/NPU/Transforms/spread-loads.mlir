// RUN: npu-opt %s --npu-spread-loads | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-spread-loads,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form))' -o %t.planned.mlir
// RUN: FileCheck %s --check-prefix=STREAMS --input-file=%t.planned.mlir
// RUN: npu-run --function=small --input="random(1)" --input="random(2)" --output=@%t.npy %s
// RUN: npu-run --function=small --input="random(1)" --input="random(2)" --expected_output=@%t.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-opt %t.planned.mlir --convert-npu-to-npu-isa -o %t.isa.mlir
// RUN: FileCheck %s --check-prefix=ISA --input-file=%t.isa.mlir
// RUN: npu-opt %t.isa.mlir --pass-pipeline='builtin.module(npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// SAME: expected output: match

// 800 elements are as many bytes as DRAM moves while a transfer begins, and the last of four clusters loads them; of more, and in loops, the first one does.
// CHECK-LABEL: npu.kernel @small
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{.*}} {clusters = 4 : i64, leader = 3 : i64}
// CHECK: npu.dma_load %arg1[%{{.*}}] -> %{{.*}} {clusters = 4 : i64} :
// CHECK: scf.for
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{.*}} {clusters = 4 : i64, map

// STREAMS: npu.stream dmai cluster(0)
// STREAMS-NOT: leader
// STREAMS: npu.stream dmai cluster(3)
// STREAMS: npu.dma_load %{{.*}} {clusters = 4 : i64, leader = 3 : i64}

// A bit for each cluster beside the one that loads.
// ISA: npu_isa.stream dmai cluster(0)
// ISA-NOT: flags_clusters = 7
// ISA: npu_isa.stream dmai cluster(3)
// ISA: flags_clusters = 7
npu.kernel @small(%x: memref<800xf32, #npu.space<dram>>, %w: memref<801xf32, #npu.space<dram>>, %y: memref<4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%c) in (4) {
    %a = memref.alloc() : memref<800xf32, #npu.space<sram>>
    npu.dma_load %x[%c0] -> %a {clusters = 4 : i64} : memref<800xf32, #npu.space<dram>> to memref<800xf32, #npu.space<sram>>
    %b = memref.alloc() : memref<801xf32, #npu.space<sram>>
    npu.dma_load %w[%c0] -> %b {clusters = 4 : i64} : memref<801xf32, #npu.space<dram>> to memref<801xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %t = memref.alloc() {npu.buffers = 2 : i64} : memref<1x2xf32, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
      npu.dma_load %x[%o] -> %t {clusters = 4 : i64, map = affine_map<(d0, d1) -> (d1)>} : memref<800xf32, #npu.space<dram>> to memref<1x2xf32, #npu.space<sram>>
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 20 + d1)>(%c, %i)
      %left = memref.subview %a[%p] [2] [1] : memref<800xf32, #npu.space<sram>> to memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>>
      %right = memref.subview %b[%p] [2] [1] : memref<801xf32, #npu.space<sram>> to memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>>
      %row = memref.subview %t[0, 0] [1, 2] [1, 1] : memref<1x2xf32, #npu.space<sram>> to memref<2xf32, #npu.space<sram>>
      npu.binary add %row, %left -> %row : memref<2xf32, #npu.space<sram>>, memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>> -> memref<2xf32, #npu.space<sram>>
      npu.binary mul %row, %right -> %row : memref<2xf32, #npu.space<sram>>, memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>> -> memref<2xf32, #npu.space<sram>>
      npu.dma_store %t -> %y[%c, %o] : memref<1x2xf32, #npu.space<sram>> to memref<4x4xf32, #npu.space<dram>>
    }
  }
  npu.return
}
