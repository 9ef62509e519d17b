// Clusters share rows and columns: two of each have four rows, of which there are seven, and three columns. Windows of three by three reach into
// the rows and columns of the others, and at the corners into those of a cluster that has neither.

// RUN: npu-opt %s --npu-keep-resident | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-keep-resident,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// RUN: npu-run --function=grid --input="random(1)" --output=@%t.npy %s
// RUN: npu-opt %s --npu-keep-resident -o %t.kept.mlir
// RUN: npu-run --function=grid --input="random(1)" --expected_output=@%t.npy %t.kept.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-opt %t.kept.mlir --pass-pipeline='builtin.module(npu.kernel(npu-plan-memory,npu-pipeline-streams))' -o %t.planned.mlir
// RUN: npu-run --function=grid --input="random(1)" --expected_output=@%t.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=other --input="random(1)" --output=@%t.other.npy %s
// RUN: npu-run --function=other --input="random(1)" --expected_output=@%t.other.npy %t.kept.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=values --input="random(1)" --output=@%t.values.npy %s
// RUN: npu-run --function=values --input="random(1)" --expected_output=@%t.values.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// SAME: expected output: match

#row = affine_map<(d0, d1) -> (d0 * 4 + d1)>
#column = affine_map<(d0) -> (d0 * 3)>
#above = affine_map<(d0, d1) -> (d0 * 4 + d1 - 1)>
#left = affine_map<(d0) -> (d0 * 3 - 1)>

// CHECK-DAG: #[[NOT_FIRST:map[0-9]*]] = affine_map<(d0) -> (d0, 1)>
// CHECK-DAG: #[[NOT_LAST:map[0-9]*]] = affine_map<(d0) -> (-d0 + 1, 1)>

// CHECK-LABEL: npu.kernel @grid
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<6x5xf32, #npu.space<sram>>
// CHECK: scf.forall (%{{.*}}, %{{.*}}) in (2, 2)
// CHECK-NOT: npu.dma_store
// The first row and the last one, and so the columns, where there is a cluster that reads them.
// CHECK: scf.forall (%[[R:.*]], %[[C:.*]]) in (2, 2)
// CHECK: %[[BELOW_IT:.*]] = affine.min #[[NOT_FIRST]](%[[R]])
// CHECK: %[[TOP:.*]] = memref.subview %[[SHARE]][1, 1] [1, 3] [1, 1]
// CHECK: npu.dma_store %[[TOP]] -> %{{.*}} extents(%[[BELOW_IT]], %{{.*}})
// CHECK: %[[ABOVE_IT:.*]] = affine.min #[[NOT_LAST]](%[[R]])
// CHECK: %[[BOTTOM:.*]] = memref.subview %[[SHARE]][4, 1] [1, 3] [1, 1]
// CHECK: npu.dma_store %[[BOTTOM]] -> %{{.*}} extents(%[[ABOVE_IT]], %{{.*}})
// CHECK: %[[LEFT:.*]] = memref.subview %[[SHARE]][1, 1] [4, 1] [1, 1]
// CHECK: npu.dma_store %[[LEFT]] ->
// CHECK: %[[RIGHT:.*]] = memref.subview %[[SHARE]][1, 3] [4, 1] [1, 1]
// CHECK: npu.dma_store %[[RIGHT]] ->
// CHECK-NOT: npu.dma_store
// First what is beyond the tensor, at its sides and where it has no eighth row: it is filled.
// CHECK: scf.forall (%[[R:.*]], %[[C:.*]]) in (2, 2)
// CHECK: %[[OVER:.*]] = memref.subview %[[SHARE]][0, 0] [1, 5] [1, 1]
// CHECK: %[[IF_FIRST:.*]] = affine.min #[[NOT_LAST]](%[[R]])
// CHECK: npu.dma_load %{{.*}} -> %[[OVER]] extents(%[[IF_FIRST]], %{{.*}}) fill(1.000000e+00 : f32)
// CHECK: %[[UNDER:.*]] = memref.subview %[[SHARE]][4, 0] [2, 5] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[UNDER]] extents(%{{.*}}, %{{.*}}) fill(1.000000e+00 : f32)
// CHECK: %[[BESIDE:.*]] = memref.subview %[[SHARE]][1, 0] [4, 1] [1, 1]
// CHECK: %[[IF_LEFT:.*]] = affine.min #[[NOT_LAST]](%[[C]])
// CHECK: npu.dma_load %{{.*}} -> %[[BESIDE]] extents(%{{.*}}, %[[IF_LEFT]]) fill(1.000000e+00 : f32)
// CHECK: %[[OTHER:.*]] = memref.subview %[[SHARE]][1, 4] [4, 1] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[OTHER]] extents(%{{.*}}, %{{.*}}) fill(1.000000e+00 : f32)
// Then what other clusters have: the rows above and below come with the corners.
// CHECK: %[[ABOVE:.*]] = memref.subview %[[SHARE]][0, 0] [1, 5] [1, 1]
// CHECK: %[[IF_BELOW:.*]] = affine.min #[[NOT_FIRST]](%[[R]])
// CHECK: npu.dma_load %{{.*}} -> %[[ABOVE]] extents(%[[IF_BELOW]], %{{.*}}) fill(1.000000e+00 : f32)
// CHECK: %[[BELOW:.*]] = memref.subview %[[SHARE]][5, 0] [1, 5] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[BELOW]] extents(%{{.*}}, %{{.*}}) fill(1.000000e+00 : f32)
// CHECK: %[[LEFT:.*]] = memref.subview %[[SHARE]][1, 0] [4, 1] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[LEFT]] extents(%{{.*}}, %{{.*}}) fill(1.000000e+00 : f32)
// CHECK: %[[RIGHT:.*]] = memref.subview %[[SHARE]][1, 4] [4, 1] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[RIGHT]] extents(%{{.*}}, %{{.*}}) fill(1.000000e+00 : f32)
// Tiles with their padding are parts of the share.
// CHECK: scf.for
// CHECK-NOT: npu.dma_load
// CHECK: memref.subview %[[SHARE]][%{{.*}}, 0] [3, 5] [1, 1]
// CHECK: npu.return
npu.kernel @grid(%x: memref<7x6xf32, #npu.space<dram>>, %y: memref<7x6xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %between = memref.alloc() : memref<7x6xf32, #npu.space<dram>>
  scf.forall (%r, %c) in (2, 2) {
    scf.for %i = %c0 to %c4 step %c1 {
      %row = affine.apply #row(%r, %i)
      %column = affine.apply #column(%c)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x3xf32, #npu.space<sram>>
      npu.dma_load %x[%row, %column] -> %a : memref<7x6xf32, #npu.space<dram>> to memref<1x3xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%row, %column] : memref<1x3xf32, #npu.space<sram>> to memref<7x6xf32, #npu.space<dram>>
    }
  }
  scf.forall (%r, %c) in (2, 2) {
    scf.for %i = %c0 to %c4 step %c1 {
      %row = affine.apply #row(%r, %i)
      %column = affine.apply #column(%c)
      %above = affine.apply #above(%r, %i)
      %left = affine.apply #left(%c)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<3x5xf32, #npu.space<sram>>
      npu.dma_load %between[%above, %left] -> %b fill(1.0 : f32) : memref<7x6xf32, #npu.space<dram>> to memref<3x5xf32, #npu.space<sram>>
      %first = memref.subview %b[0, 0] [1, 3] [1, 1] : memref<3x5xf32, #npu.space<sram>> to memref<1x3xf32, strided<[5, 1]>, #npu.space<sram>>
      %last = memref.subview %b[2, 2] [1, 3] [1, 1] : memref<3x5xf32, #npu.space<sram>> to memref<1x3xf32, strided<[5, 1], offset: 12>, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<1x3xf32, #npu.space<sram>>
      npu.binary add %first, %last -> %d : memref<1x3xf32, strided<[5, 1]>, #npu.space<sram>>, memref<1x3xf32, strided<[5, 1], offset: 12>, #npu.space<sram>> -> memref<1x3xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%row, %column] : memref<1x3xf32, #npu.space<sram>> to memref<7x6xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// What four clusters share by rows is not where two by two look for it: it goes through DRAM.
// CHECK-LABEL: npu.kernel @other
// CHECK: npu.dma_store %{{.*}} -> %[[BETWEEN:alloc[_0-9]*]][
// CHECK: npu.dma_load %[[BETWEEN]][
// CHECK: npu.return
npu.kernel @other(%x: memref<8x6xf32, #npu.space<dram>>, %y: memref<8x6xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %between = memref.alloc() : memref<8x6xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %row = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x6xf32, #npu.space<sram>>
      npu.dma_load %x[%row, %c0] -> %a : memref<8x6xf32, #npu.space<dram>> to memref<1x6xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%row, %c0] : memref<1x6xf32, #npu.space<sram>> to memref<8x6xf32, #npu.space<dram>>
    }
  }
  scf.forall (%r, %c) in (2, 2) {
    scf.for %i = %c0 to %c4 step %c1 {
      %row = affine.apply #row(%r, %i)
      %column = affine.apply #column(%c)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<1x3xf32, #npu.space<sram>>
      npu.dma_load %between[%row, %column] -> %b : memref<8x6xf32, #npu.space<dram>> to memref<1x3xf32, #npu.space<sram>>
      npu.dma_store %b -> %y[%row, %column] : memref<1x3xf32, #npu.space<sram>> to memref<8x6xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// Bounds may be values. Each of six clusters has a row of its own.
// CHECK-LABEL: npu.kernel @values
npu.kernel @values(%x: memref<6x4xf32, #npu.space<dram>>, %y: memref<6x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4:clusters=8">} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %keep = memref.alloc() : memref<1x4xf32, #npu.space<sram>>
  scf.forall (%r, %c) in (%c3, %c2) {
    %o = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%r, %c)
    npu.dma_load %x[%o, %c0] -> %keep : memref<6x4xf32, #npu.space<dram>> to memref<1x4xf32, #npu.space<sram>>
  }
  scf.forall (%r, %c) in (%c3, %c2) {
    %o = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%r, %c)
    npu.dma_store %keep -> %y[%o, %c0] : memref<1x4xf32, #npu.space<sram>> to memref<6x4xf32, #npu.space<dram>>
  }
  npu.return
}
