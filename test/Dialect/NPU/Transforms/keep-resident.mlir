// RUN: npu-opt %s --npu-keep-resident | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-keep-resident,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// RUN: npu-opt %s --npu-keep-resident --remarks-filter=npu-keep-resident -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: KeptResident{{.*}}Function=rows{{.*}}bytes=128{{.*}}savedBytes=1024
// REMARK: KeptResident{{.*}}Function=neighbors{{.*}}bytes=192, savedBytes=1024
// REMARK: KeptResident{{.*}}Function=both_sides
// REMARK: StaysInDram{{.*}}Function=far_away{{.*}}every load takes what other clusters store
// REMARK: KeptResident{{.*}}Function=other_fill{{.*}}bytes=256, savedBytes=1024
// REMARK: KeptResident{{.*}}Function=both
// REMARK: KeptResident{{.*}}Function=copied
// REMARK: KeptResident{{.*}}Function=behind
// REMARK: KeptResident{{.*}}Function=parts
// REMARK: KeptResident{{.*}}Function=other_parts
// REMARK: KeptResident{{.*}}Function=for_the_first{{.*}}bytes=524288, savedBytes=524288
// REMARK: StaysInDram{{.*}}Function=changed_later{{.*}}a tile that is stored cannot be a part of a larger buffer
// REMARK: StaysInDram{{.*}}Function=large{{.*}}it does not fit beside what is on chip
// REMARK: StaysInDram{{.*}}Function=twice{{.*}}a tile is stored twice

#row = affine_map<(d0, d1) -> (d0 * 2 + d1)>
#above = affine_map<(d0, d1) -> (d0 * 2 + d1 - 1)>
#far = affine_map<(d0, d1) -> (d0 * 2 + d1 + 3)>

// Each cluster loads the rows that it has stored: both tiles become rows of its share, and DRAM is not touched.
// CHECK-DAG: #[[BEFORELAST:map[0-9]*]] = affine_map<(d0) -> (-d0 + 3, 1)>
// CHECK-DAG: #[[ONLYFIRST:map[0-9]*]] = affine_map<(d0) -> (-d0 + 1, 1)>
// CHECK-DAG: #[[NOTFIRST:map[0-9]*]] = affine_map<(d0) -> (d0, 1)>

// CHECK-LABEL: npu.kernel @rows
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<2x16xf32, #npu.space<sram>>
// CHECK-NOT: #npu.space<dram>>
// CHECK: scf.forall
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[A:.*]] = memref.subview %[[SHARE]][%[[I]], 0] [1, 16] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[A]]
// CHECK: npu.unary neg %[[A]] -> %[[A]]
// CHECK-NOT: npu.dma_store
// CHECK: scf.forall
// CHECK: scf.for %[[J:[^ ]*]] =
// CHECK: %[[B:.*]] = memref.subview %[[SHARE]][%[[J]], 0] [1, 16] [1, 1]
// CHECK-NOT: npu.dma_load
// CHECK: npu.unary neg %[[B]] -> %[[C:[^ ]*]]
// CHECK: npu.dma_store %[[C]] -> %{{.*}} : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
npu.kernel @rows(%x: memref<8x16xf32, #npu.space<dram>>, %y: memref<8x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %x[%r, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      npu.unary neg %a -> %a : memref<1x16xf32, #npu.space<sram>> -> memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %between[%r, %c0] -> %b : memref<8x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.unary neg %b -> %d : memref<1x16xf32, #npu.space<sram>> -> memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// The row in front of each share is that of another cluster. It goes through DRAM, all others do not, and neither does the last one, which no
// other cluster reads. What is in front of the first share is padding, which is loaded as well, before what waits for other clusters: tiles are
// parts of the share.
// CHECK-LABEL: npu.kernel @neighbors
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<3x16xf32, #npu.space<sram>>
// CHECK: scf.forall
// CHECK: memref.subview %[[SHARE]][%{{.*}}, 0] [1, 16] [1, 1]
// CHECK-NOT: npu.dma_store
// CHECK: scf.forall (%[[C:.*]]) in (4)
// CHECK: %[[ISREAD:.*]] = affine.min #[[BEFORELAST]](%[[C]])
// CHECK: %[[LAST:.*]] = memref.subview %[[SHARE]][2, 0] [1, 16] [1, 1]
// CHECK: npu.dma_store %[[LAST]] -> %[[BETWEEN:alloc[_0-9]*]][%{{.*}}] extents(%[[ISREAD]], %{{.*}}) :
// CHECK-NOT: npu.dma_store
// CHECK: scf.forall (%[[C:.*]]) in (4)
// CHECK: %[[PADDING:.*]] = memref.subview %[[SHARE]][0, 0] [1, 16] [1, 1]
// CHECK: %[[ISFIRST:.*]] = affine.min #[[ONLYFIRST]](%[[C]])
// CHECK: npu.dma_load %[[BETWEEN]][%{{.*}}] -> %[[PADDING]] extents(%[[ISFIRST]], %{{.*}}) :
// CHECK: %[[HALO:.*]] = memref.subview %[[SHARE]][0, 0] [1, 16] [1, 1]
// CHECK: %[[ISBEHIND:.*]] = affine.min #[[NOTFIRST]](%[[C]])
// CHECK: npu.dma_load %[[BETWEEN]][%{{.*}}] -> %[[HALO]] extents(%[[ISBEHIND]], %{{.*}}) :
// CHECK: scf.for
// CHECK-NOT: npu.dma_load
// CHECK: memref.subview %[[SHARE]][%{{.*}}, 0] [2, 16] [1, 1]
// CHECK: npu.return
npu.kernel @neighbors(%x: memref<8x16xf32, #npu.space<dram>>, %y: memref<8x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %x[%r, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %above = affine.apply #above(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<2x16xf32, #npu.space<sram>>
      npu.dma_load %between[%above, %c0] -> %b : memref<8x16xf32, #npu.space<dram>> to memref<2x16xf32, #npu.space<sram>>
      %top = memref.subview %b[0, 0] [1, 16] [1, 1] : memref<2x16xf32, #npu.space<sram>> to memref<1x16xf32, strided<[16, 1]>, #npu.space<sram>>
      npu.dma_store %top -> %y[%r, %c0] : memref<1x16xf32, strided<[16, 1]>, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// Rows are read on both sides, seven are shared as 2, 2, 2 and 1, and the last cluster reads behind the tensor: that row is filled, in
// its share. What waits for other clusters comes behind the load that need not, and in the first iteration alone.
// CHECK-LABEL: npu.kernel @both_sides
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<4x16xf32, #npu.space<sram>>
// CHECK: scf.forall
// CHECK-NOT: npu.dma_store
// CHECK: scf.forall
// CHECK: %[[OWN:.*]] = memref.subview %[[SHARE]][1, 0] [2, 16] [1, 1]
// CHECK: npu.dma_store %[[OWN]] ->
// CHECK-NOT: npu.dma_store
// CHECK: scf.forall (%[[C:.*]]) in (4)
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: memref.subview %[[SHARE]][%[[I]], 0] [3, 16] [1, 1]
// CHECK: npu.dma_load %{{.*}}[%[[I]], %{{.*}}] -> %{{.*}} : memref<2x16xf32, #npu.space<dram>>
// Padding in front of the first share, and the row of the last one that is behind the tensor with the one behind that.
// CHECK: %[[BEFORE:.*]] = memref.subview %[[SHARE]][0, 0] [1, 16] [1, 1]
// CHECK: %[[FIRST:.*]] = affine.min #{{.*}}(%[[C]], %[[I]])
// CHECK: npu.dma_load %{{.*}} -> %[[BEFORE]] extents(%[[FIRST]], %{{.*}}) fill(1.000000e+00 : f32)
// CHECK: %[[BEHIND:.*]] = memref.subview %[[SHARE]][2, 0] [2, 16] [1, 1]
// CHECK: %[[LAST:.*]] = affine.min #{{.*}}(%[[C]], %[[I]])
// CHECK: npu.dma_load %{{.*}} -> %[[BEHIND]] extents(%[[LAST]], %{{.*}}) fill(1.000000e+00 : f32)
// Rows of other clusters.
// CHECK: %[[ABOVE:.*]] = memref.subview %[[SHARE]][0, 0] [1, 16] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[ABOVE]] extents(%{{.*}}, %{{.*}}) fill(1.000000e+00 : f32)
// CHECK: %[[AFTER:.*]] = memref.subview %[[SHARE]][3, 0] [1, 16] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[AFTER]] extents(%{{.*}}, %{{.*}}) fill(1.000000e+00 : f32)
// CHECK-NOT: npu.dma_load
// CHECK: npu.return
npu.kernel @both_sides(%x: memref<7x16xf32, #npu.space<dram>>, %w: memref<2x16xf32, #npu.space<dram>>, %y: memref<7x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<7x16xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %x[%r, %c0] -> %a : memref<7x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<7x16xf32, #npu.space<dram>>
    }
  }
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %above = affine.apply #above(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<3x16xf32, #npu.space<sram>>
      npu.dma_load %between[%above, %c0] -> %b fill(1.0 : f32) : memref<7x16xf32, #npu.space<dram>> to memref<3x16xf32, #npu.space<sram>>
      %v = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0] -> %v : memref<2x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      %top = memref.subview %b[2, 0] [1, 16] [1, 1] : memref<3x16xf32, #npu.space<sram>> to memref<1x16xf32, strided<[16, 1], offset: 32>, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.binary add %top, %v -> %d : memref<1x16xf32, strided<[16, 1], offset: 32>, #npu.space<sram>>, memref<1x16xf32, #npu.space<sram>> -> memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<7x16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// The rows that are read are those of the cluster after the next one.
// CHECK-LABEL: npu.kernel @far_away
// CHECK: npu.dma_store %{{.*}} -> %[[BETWEEN:alloc[_0-9]*]][
// CHECK: npu.dma_load %[[BETWEEN]][%{{.*}}] -> %{{.*}} fill(1.000000e+00 : f32) : memref<8x16xf32, #npu.space<dram>> to memref<3x16xf32, #npu.space<sram>>
// CHECK: npu.return
npu.kernel @far_away(%x: memref<8x16xf32, #npu.space<dram>>, %w: memref<2x16xf32, #npu.space<dram>>, %y: memref<8x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %x[%r, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %above = affine.apply #far(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<3x16xf32, #npu.space<sram>>
      npu.dma_load %between[%above, %c0] -> %b fill(1.0 : f32) : memref<8x16xf32, #npu.space<dram>> to memref<3x16xf32, #npu.space<sram>>
      %v = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0] -> %v : memref<2x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      %top = memref.subview %b[2, 0] [1, 16] [1, 1] : memref<3x16xf32, #npu.space<sram>> to memref<1x16xf32, strided<[16, 1], offset: 32>, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.binary add %top, %v -> %d : memref<1x16xf32, strided<[16, 1], offset: 32>, #npu.space<sram>>, memref<1x16xf32, #npu.space<sram>> -> memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// A second load sees other numbers outside of the tensor: it goes on reading DRAM.
// CHECK-LABEL: npu.kernel @other_fill
// CHECK: npu.dma_store %{{.*}} -> %[[BETWEEN:alloc[_0-9]*]][
// CHECK: npu.dma_load %[[BETWEEN]][%{{.*}}] -> %{{.*}} fill(2.000000e+00 : f32)
// CHECK: npu.return
npu.kernel @other_fill(%x: memref<8x16xf32, #npu.space<dram>>, %w: memref<2x16xf32, #npu.space<dram>>, %y: memref<8x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %x[%r, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %above = affine.apply #above(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<3x16xf32, #npu.space<sram>>
      npu.dma_load %between[%above, %c0] -> %b fill(1.0 : f32) : memref<8x16xf32, #npu.space<dram>> to memref<3x16xf32, #npu.space<sram>>
      %e = memref.alloc() {npu.buffers = 2 : i64} : memref<3x16xf32, #npu.space<sram>>
      npu.dma_load %between[%above, %c0] -> %e fill(2.0 : f32) : memref<8x16xf32, #npu.space<dram>> to memref<3x16xf32, #npu.space<sram>>
      %first = memref.subview %e[0, 0] [1, 16] [1, 1] : memref<3x16xf32, #npu.space<sram>> to memref<1x16xf32, strided<[16, 1]>, #npu.space<sram>>
      npu.dma_store %first -> %y[%r, %c0] : memref<1x16xf32, strided<[16, 1]>, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
      %v = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0] -> %v : memref<2x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      %top = memref.subview %b[2, 0] [1, 16] [1, 1] : memref<3x16xf32, #npu.space<sram>> to memref<1x16xf32, strided<[16, 1], offset: 32>, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.binary add %top, %v -> %d : memref<1x16xf32, strided<[16, 1], offset: 32>, #npu.space<sram>>, memref<1x16xf32, #npu.space<sram>> -> memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// One load is of the cluster's own rows, the other of all: the tensor is in both memories.
// CHECK-LABEL: npu.kernel @both
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<2x16xf32, #npu.space<sram>>
// CHECK: %[[BETWEEN:.*]] = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
// CHECK: %[[A:.*]] = memref.subview %[[SHARE]]
// CHECK: npu.dma_store %[[A]] -> %[[BETWEEN]]
// CHECK: npu.dma_load %[[BETWEEN]]
// CHECK: memref.subview %[[SHARE]]
// CHECK-NOT: npu.dma_load
// CHECK: npu.return
npu.kernel @both(%x: memref<8x16xf32, #npu.space<dram>>, %y: memref<8x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %x[%r, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  scf.forall (%c) in (4) {
    %all = memref.alloc() : memref<8x16xf32, #npu.space<sram>>
    npu.dma_load %between[%c0, %c0] -> %all {clusters = 4 : i64} : memref<8x16xf32, #npu.space<dram>> to memref<8x16xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %r = affine.apply #row(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.dma_load %between[%r, %c0] -> %b : memref<8x16xf32, #npu.space<dram>> to memref<1x16xf32, #npu.space<sram>>
      %first = memref.subview %all[0, 0] [1, 16] [1, 1] : memref<8x16xf32, #npu.space<sram>> to memref<1x16xf32, strided<[16, 1]>, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<1x16xf32, #npu.space<sram>>
      npu.binary add %b, %first -> %d : memref<1x16xf32, #npu.space<sram>>, memref<1x16xf32, strided<[16, 1]>, #npu.space<sram>> -> memref<1x16xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%r, %c0] : memref<1x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// Tiles with another order of dimensions or without the last one, with padding, and those that are changed are copied within SRAM.
// CHECK-LABEL: npu.kernel @copied
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<8x16xf32, #npu.space<sram>>
// CHECK: npu.dma_load %[[SHARE]][%{{.*}}, %{{.*}}] -> %{{.*}} {map = #{{.*}}} : memref<8x16xf32, #npu.space<sram>> to memref<16x8xf32, #npu.space<sram>>
// CHECK: npu.dma_load %[[SHARE]][%{{.*}}, %{{.*}}] -> %{{.*}} fill(1.000000e+00 : f32) : memref<8x16xf32, #npu.space<sram>> to memref<10x16xf32, #npu.space<sram>>
// CHECK: npu.dma_load %[[SHARE]][%{{.*}}, %{{.*}}] -> %{{.*}} : memref<8x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<sram>>
// CHECK: npu.dma_load %[[SHARE]][%{{.*}}, %{{.*}}] -> %{{.*}} {map = #{{.*}}} : memref<8x16xf32, #npu.space<sram>> to memref<8xf32, #npu.space<sram>>
// CHECK: npu.return
npu.kernel @copied(%x: memref<8x16xf32, #npu.space<dram>>, %t: memref<16x8xf32, #npu.space<dram>> {npu.output}, %p: memref<10x16xf32, #npu.space<dram>> {npu.output}, %n: memref<8x16xf32, #npu.space<dram>> {npu.output}, %c: memref<8xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c-1 = arith.constant -1 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<8x16xf32, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<8x16xf32, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0, %c0] : memref<8x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
  %turned = memref.alloc() : memref<16x8xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %turned {map = affine_map<(d0, d1) -> (d1, d0)>} : memref<8x16xf32, #npu.space<dram>> to memref<16x8xf32, #npu.space<sram>>
  npu.dma_store %turned -> %t[%c0, %c0] : memref<16x8xf32, #npu.space<sram>> to memref<16x8xf32, #npu.space<dram>>
  %padded = memref.alloc() : memref<10x16xf32, #npu.space<sram>>
  npu.dma_load %between[%c-1, %c0] -> %padded fill(1.0 : f32) : memref<8x16xf32, #npu.space<dram>> to memref<10x16xf32, #npu.space<sram>>
  npu.dma_store %padded -> %p[%c0, %c0] : memref<10x16xf32, #npu.space<sram>> to memref<10x16xf32, #npu.space<dram>>
  %changed = memref.alloc() : memref<8x16xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %changed : memref<8x16xf32, #npu.space<dram>> to memref<8x16xf32, #npu.space<sram>>
  npu.unary neg %changed -> %changed : memref<8x16xf32, #npu.space<sram>> -> memref<8x16xf32, #npu.space<sram>>
  npu.dma_store %changed -> %n[%c0, %c0] : memref<8x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
  %column = memref.alloc() : memref<8xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c3] -> %column {map = affine_map<(d0) -> (d0, 0)>} : memref<8x16xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
  npu.dma_store %column -> %c[%c0] : memref<8xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
  npu.return
}

// A consumer that is an iteration behind reads the part of the iteration before, for which there is room in front.
// CHECK-LABEL: npu.kernel @behind
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<12x16xf32, #npu.space<sram>>
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[A:.*]] = memref.subview %[[SHARE]][%{{.*}}, 0] [2, 16] [1, 1]
// CHECK: %[[B:.*]] = npu.previous %[[A]] : memref<2x16xf32, strided<[16, 1], offset: ?>, #npu.space<sram>>
// CHECK: npu.unary neg %[[B]]
npu.kernel @behind(%x: memref<8x16xf32, #npu.space<dram>>, %y: memref<8x16xf32, #npu.space<dram>> {npu.output}, %z: memref<8x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  scf.for %i = %c0 to %c5 step %c1 {
    %r = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %rows = affine.min affine_map<(d0) -> (8 - d0 * 2, 2)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<2x16xf32, #npu.space<sram>>
    npu.dma_load %x[%r, %c0] -> %a extents(%rows, %c16) : memref<8x16xf32, #npu.space<dram>> to memref<2x16xf32, #npu.space<sram>>
    npu.unary exp %a -> %a extents(%rows, %c16) : memref<2x16xf32, #npu.space<sram>> -> memref<2x16xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%r, %c0] extents(%rows, %c16) : memref<2x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    %b = npu.previous %a : memref<2x16xf32, #npu.space<sram>>
    %earlier = affine.apply affine_map<(d0) -> (d0 * 2 - 2)>(%i)
    %behind = affine.min affine_map<(d0) -> (d0 * 2, 2)>(%i)
    %d = memref.alloc() {npu.buffers = 2 : i64} : memref<2x16xf32, #npu.space<sram>>
    npu.unary neg %b -> %d extents(%behind, %c16) : memref<2x16xf32, #npu.space<sram>> -> memref<2x16xf32, #npu.space<sram>>
    npu.dma_store %d -> %y[%earlier, %c0] extents(%behind, %c16) : memref<2x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %r = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %e = memref.alloc() {npu.buffers = 2 : i64} : memref<4x16xf32, #npu.space<sram>>
    npu.dma_load %between[%r, %c0] -> %e : memref<8x16xf32, #npu.space<dram>> to memref<4x16xf32, #npu.space<sram>>
    npu.dma_store %e -> %z[%r, %c0] : memref<4x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
  }
  npu.return
}

// An operand that is loaded part by part is the share as well.
// CHECK-LABEL: npu.kernel @parts
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<64xf32, #npu.space<sram>>
// CHECK: npu.dma_load %arg0
// CHECK: %[[WHOLE:.*]] = memref.subview %[[SHARE]][0] [64] [1]
// CHECK: scf.for
// CHECK: scf.for %[[J:[^ ]*]] =
// CHECK: %[[PART:.*]] = memref.subview %[[WHOLE]][%{{.*}}] [16] [1]
// CHECK-NOT: npu.dma_load
// CHECK: npu.unary neg %[[PART]] ->
npu.kernel @parts(%x: memref<64xf32, #npu.space<dram>>, %y: memref<128xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %between = memref.alloc() : memref<64xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<64xf32, #npu.space<sram>>
  npu.dma_load %x[%c0] -> %a : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
  %kept = memref.alloc() : memref<64xf32, #npu.space<sram>>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %first = affine.apply affine_map<(d0) -> (d0 * 16)>(%j)
      %left = affine.min affine_map<(d0, d1) -> (d0 * -16 - d1 * 64 + 64, 16)>(%j, %i)
      %part = memref.subview %kept[%first] [16] [1] : memref<64xf32, #npu.space<sram>> to memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>>
      npu.dma_load %between[%first] -> %part extents(%left) : memref<64xf32, #npu.space<dram>> to memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<16xf32, #npu.space<sram>>
      npu.unary neg %part -> %d : memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>> -> memref<16xf32, #npu.space<sram>>
      %place = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 64)>(%j, %i)
      npu.dma_store %d -> %y[%place] : memref<16xf32, #npu.space<sram>> to memref<128xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// Parts in another order than that of the tensor are no view of its share: they are copied.
// CHECK-LABEL: npu.kernel @other_parts
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<64xf32, #npu.space<sram>>
// CHECK: scf.for
// CHECK: npu.dma_load %[[SHARE]][
npu.kernel @other_parts(%x: memref<64xf32, #npu.space<dram>>, %y: memref<64xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %between = memref.alloc() : memref<64xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<64xf32, #npu.space<sram>>
  npu.dma_load %x[%c0] -> %a : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
  %kept = memref.alloc() : memref<64xf32, #npu.space<sram>>
  scf.for %j = %c0 to %c4 step %c1 {
    %first = affine.apply affine_map<(d0) -> (d0 * 16)>(%j)
    %last = affine.apply affine_map<(d0) -> (d0 * -16 + 48)>(%j)
    %part = memref.subview %kept[%first] [16] [1] : memref<64xf32, #npu.space<sram>> to memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>>
    npu.dma_load %between[%last] -> %part : memref<64xf32, #npu.space<dram>> to memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>>
    npu.dma_store %part -> %y[%first] : memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
  }
  npu.return
}

// There is no room until the last loop has read it: the first one reads the share, the last one DRAM.
// CHECK-LABEL: npu.kernel @for_the_first
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<64x2048xf32, #npu.space<sram>>
// CHECK: %[[DRAM:.*]] = memref.alloc() : memref<64x2048xf32, #npu.space<dram>>
// CHECK: %[[A:.*]] = memref.subview %[[SHARE]]
// CHECK: npu.dma_store %[[A]] -> %[[DRAM]]
// CHECK: %[[B:.*]] = memref.subview %[[SHARE]]
// CHECK-NOT: npu.dma_load
// CHECK: npu.dma_store %[[B]] ->
// CHECK-NOT: memref.subview
// CHECK: npu.dma_load %[[DRAM]]
npu.kernel @for_the_first(%x: memref<64x2048xf32, #npu.space<dram>>, %large: memref<200000xf32, #npu.space<dram>>, %y: memref<64x2048xf32, #npu.space<dram>> {npu.output}, %l: memref<200000xf32, #npu.space<dram>> {npu.output}, %z: memref<64x2048xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %between = memref.alloc() : memref<64x2048xf32, #npu.space<dram>>
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x2048xf32, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<64x2048xf32, #npu.space<dram>> to memref<1x2048xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%i, %c0] : memref<1x2048xf32, #npu.space<sram>> to memref<64x2048xf32, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %b = memref.alloc() {npu.buffers = 2 : i64} : memref<1x2048xf32, #npu.space<sram>>
    npu.dma_load %between[%i, %c0] -> %b : memref<64x2048xf32, #npu.space<dram>> to memref<1x2048xf32, #npu.space<sram>>
    npu.dma_store %b -> %y[%i, %c0] : memref<1x2048xf32, #npu.space<sram>> to memref<64x2048xf32, #npu.space<dram>>
  }
  %room = memref.alloc() : memref<200000xf32, #npu.space<sram>>
  npu.dma_load %large[%c0] -> %room : memref<200000xf32, #npu.space<dram>> to memref<200000xf32, #npu.space<sram>>
  npu.dma_store %room -> %l[%c0] : memref<200000xf32, #npu.space<sram>> to memref<200000xf32, #npu.space<dram>>
  scf.for %i = %c0 to %c64 step %c1 {
    %d = memref.alloc() {npu.buffers = 2 : i64} : memref<1x2048xf32, #npu.space<sram>>
    npu.dma_load %between[%i, %c0] -> %d : memref<64x2048xf32, #npu.space<dram>> to memref<1x2048xf32, #npu.space<sram>>
    npu.dma_store %d -> %z[%i, %c0] : memref<1x2048xf32, #npu.space<sram>> to memref<64x2048xf32, #npu.space<dram>>
  }
  npu.return
}

// What is changed behind the store, what does not fit, and what is stored twice in different places stays in DRAM.
// CHECK-LABEL: npu.kernel @changed_later
// CHECK-NOT: memref.subview
// CHECK-LABEL: npu.kernel @large
// CHECK-NOT: memref.subview
// CHECK-LABEL: npu.kernel @twice
// CHECK-NOT: memref.subview
npu.kernel @changed_later(%x: memref<64xf32, #npu.space<dram>>, %y: memref<64xf32, #npu.space<dram>> {npu.output}, %z: memref<64xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %between = memref.alloc() : memref<64xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<64xf32, #npu.space<sram>>
  npu.dma_load %x[%c0] -> %a : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
  npu.unary neg %a -> %a : memref<64xf32, #npu.space<sram>> -> memref<64xf32, #npu.space<sram>>
  npu.dma_store %a -> %z[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
  %b = memref.alloc() : memref<64xf32, #npu.space<sram>>
  npu.dma_load %between[%c0] -> %b : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
  npu.dma_store %b -> %y[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
  npu.return
}
npu.kernel @large(%x: memref<64x8192xf32, #npu.space<dram>>, %y: memref<64x8192xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %between = memref.alloc() : memref<64x8192xf32, #npu.space<dram>>
  scf.for %i = %c0 to %c64 step %c1 {
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x8192xf32, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<64x8192xf32, #npu.space<dram>> to memref<1x8192xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%i, %c0] : memref<1x8192xf32, #npu.space<sram>> to memref<64x8192xf32, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %b = memref.alloc() {npu.buffers = 2 : i64} : memref<1x8192xf32, #npu.space<sram>>
    npu.dma_load %between[%i, %c0] -> %b : memref<64x8192xf32, #npu.space<dram>> to memref<1x8192xf32, #npu.space<sram>>
    npu.dma_store %b -> %y[%i, %c0] : memref<1x8192xf32, #npu.space<sram>> to memref<64x8192xf32, #npu.space<dram>>
  }
  npu.return
}
npu.kernel @twice(%x: memref<64xf32, #npu.space<dram>>, %y: memref<128xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %between = memref.alloc() : memref<128xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<64xf32, #npu.space<sram>>
  npu.dma_load %x[%c0] -> %a : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0] : memref<64xf32, #npu.space<sram>> to memref<128xf32, #npu.space<dram>>
  npu.dma_store %a -> %between[%c64] : memref<64xf32, #npu.space<sram>> to memref<128xf32, #npu.space<dram>>
  %b = memref.alloc() : memref<128xf32, #npu.space<sram>>
  npu.dma_load %between[%c0] -> %b : memref<128xf32, #npu.space<dram>> to memref<128xf32, #npu.space<sram>>
  npu.dma_store %b -> %y[%c0] : memref<128xf32, #npu.space<sram>> to memref<128xf32, #npu.space<dram>>
  npu.return
}

// The vector unit leaves the result in accumulator memory. It writes to the share instead.
// CHECK-LABEL: npu.kernel @from_accumulators
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
// CHECK: %[[ACC:.*]] = memref.alloc() : memref<16x32xf32, #npu.space<acc>>
// CHECK: npu.matmul {{.*}} -> %[[ACC]]
// CHECK: %[[TILE:.*]] = memref.subview %[[SHARE]]
// CHECK: npu.unary neg %[[ACC]] -> %[[TILE]]
// CHECK-NOT: npu.dma_store
// CHECK: npu.unary abs
npu.kernel @from_accumulators(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<32x32xf32, #npu.space<dram>>, %y: memref<16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %between = memref.alloc() : memref<16x32xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %a : memref<16x32xf32, #npu.space<dram>> to memref<16x32xf32, #npu.space<sram>>
  %b = memref.alloc() : memref<1x32x32xf32, #npu.space<sram>>
  npu.dma_load %w[%c0, %c0] -> %b {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<32x32xf32, #npu.space<dram>> to memref<1x32x32xf32, #npu.space<sram>>
  %sums = memref.alloc() : memref<16x32xf32, #npu.space<acc>>
  npu.matmul %a, %b -> %sums {packed} : memref<16x32xf32, #npu.space<sram>>, memref<1x32x32xf32, #npu.space<sram>> -> memref<16x32xf32, #npu.space<acc>>
  npu.unary neg %sums -> %sums : memref<16x32xf32, #npu.space<acc>> -> memref<16x32xf32, #npu.space<acc>>
  npu.dma_store %sums -> %between[%c0, %c0] : memref<16x32xf32, #npu.space<acc>> to memref<16x32xf32, #npu.space<dram>>
  %c = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %c : memref<16x32xf32, #npu.space<dram>> to memref<16x32xf32, #npu.space<sram>>
  %d = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
  npu.unary abs %c -> %d : memref<16x32xf32, #npu.space<sram>> -> memref<16x32xf32, #npu.space<sram>>
  npu.dma_store %d -> %y[%c0, %c0] : memref<16x32xf32, #npu.space<sram>> to memref<16x32xf32, #npu.space<dram>>
  npu.return
}

// The sums themselves are read again: the result stays where it is, and so does the tensor.
// CHECK-LABEL: npu.kernel @read_again
// CHECK: npu.unary neg %[[ACC:.*]] -> %[[ACC]] :
// CHECK: npu.dma_store %[[ACC]]
// CHECK: npu.dma_store %[[ACC]]
npu.kernel @read_again(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<32x32xf32, #npu.space<dram>>, %y: memref<16x32xf32, #npu.space<dram>> {npu.output}, %z: memref<16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %between = memref.alloc() : memref<16x32xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %a : memref<16x32xf32, #npu.space<dram>> to memref<16x32xf32, #npu.space<sram>>
  %b = memref.alloc() : memref<1x32x32xf32, #npu.space<sram>>
  npu.dma_load %w[%c0, %c0] -> %b {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<32x32xf32, #npu.space<dram>> to memref<1x32x32xf32, #npu.space<sram>>
  %sums = memref.alloc() : memref<16x32xf32, #npu.space<acc>>
  npu.matmul %a, %b -> %sums {packed} : memref<16x32xf32, #npu.space<sram>>, memref<1x32x32xf32, #npu.space<sram>> -> memref<16x32xf32, #npu.space<acc>>
  npu.unary neg %sums -> %sums : memref<16x32xf32, #npu.space<acc>> -> memref<16x32xf32, #npu.space<acc>>
  npu.dma_store %sums -> %between[%c0, %c0] : memref<16x32xf32, #npu.space<acc>> to memref<16x32xf32, #npu.space<dram>>
  npu.dma_store %sums -> %z[%c0, %c0] : memref<16x32xf32, #npu.space<acc>> to memref<16x32xf32, #npu.space<dram>>
  %c = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %c : memref<16x32xf32, #npu.space<dram>> to memref<16x32xf32, #npu.space<sram>>
  npu.dma_store %c -> %y[%c0, %c0] : memref<16x32xf32, #npu.space<sram>> to memref<16x32xf32, #npu.space<dram>>
  npu.return
}

// A part of the tile is not computed but read as it was: it would be missing in SRAM.
// CHECK-LABEL: npu.kernel @partly_written
// CHECK: npu.unary neg %[[ACC:.*]] -> %[[ACC]] extents
// CHECK: npu.dma_store %[[ACC]]
npu.kernel @partly_written(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<32x32xf32, #npu.space<dram>>, %y: memref<16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %between = memref.alloc() : memref<16x32xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %a : memref<16x32xf32, #npu.space<dram>> to memref<16x32xf32, #npu.space<sram>>
  %b = memref.alloc() : memref<1x32x32xf32, #npu.space<sram>>
  npu.dma_load %w[%c0, %c0] -> %b {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<32x32xf32, #npu.space<dram>> to memref<1x32x32xf32, #npu.space<sram>>
  %sums = memref.alloc() : memref<16x32xf32, #npu.space<acc>>
  npu.matmul %a, %b -> %sums {packed} : memref<16x32xf32, #npu.space<sram>>, memref<1x32x32xf32, #npu.space<sram>> -> memref<16x32xf32, #npu.space<acc>>
  npu.unary neg %sums -> %sums extents(%c8, %c32) : memref<16x32xf32, #npu.space<acc>> -> memref<16x32xf32, #npu.space<acc>>
  npu.dma_store %sums -> %between[%c0, %c0] : memref<16x32xf32, #npu.space<acc>> to memref<16x32xf32, #npu.space<dram>>
  %c = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %c : memref<16x32xf32, #npu.space<dram>> to memref<16x32xf32, #npu.space<sram>>
  npu.dma_store %c -> %y[%c0, %c0] : memref<16x32xf32, #npu.space<sram>> to memref<16x32xf32, #npu.space<dram>>
  npu.return
}

// The iteration before is looked at again: its result stays where it is.
// CHECK-LABEL: npu.kernel @previous
// CHECK: npu.unary exp %[[ACC:.*]] -> %[[ACC]] :
// CHECK: npu.dma_store %[[ACC]]
npu.kernel @previous(%x: memref<64x32xf32, #npu.space<dram>>, %y: memref<64x32xf32, #npu.space<dram>> {npu.output}, %z: memref<64x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %between = memref.alloc() : memref<64x32xf32, #npu.space<dram>>
  scf.for %i = %c0 to %c4 step %c1 {
    %r = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %r0 = affine.apply affine_map<(d0) -> (d0 * 16 - 16)>(%i)
    %e = affine.min affine_map<(d0) -> (d0 * 16, 16)>(%i)
    %c32 = arith.constant 32 : index
    %sums = memref.alloc() {npu.buffers = 2 : i64} : memref<16x32xf32, #npu.space<acc>>
    %last = npu.previous %sums : memref<16x32xf32, #npu.space<acc>>
    %d = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
    npu.unary abs %last -> %d extents(%e, %c32) : memref<16x32xf32, #npu.space<acc>> -> memref<16x32xf32, #npu.space<sram>>
    npu.dma_store %d -> %z[%r0, %c0] extents(%e, %c32) : memref<16x32xf32, #npu.space<sram>> to memref<64x32xf32, #npu.space<dram>>
    %a = memref.alloc() : memref<16x32xf32, #npu.space<sram>>
    npu.dma_load %x[%r, %c0] -> %a : memref<64x32xf32, #npu.space<dram>> to memref<16x32xf32, #npu.space<sram>>
    npu.unary neg %a -> %sums : memref<16x32xf32, #npu.space<sram>> -> memref<16x32xf32, #npu.space<acc>>
    npu.unary exp %sums -> %sums : memref<16x32xf32, #npu.space<acc>> -> memref<16x32xf32, #npu.space<acc>>
    npu.dma_store %sums -> %between[%r, %c0] : memref<16x32xf32, #npu.space<acc>> to memref<64x32xf32, #npu.space<dram>>
  }
  %c = memref.alloc() : memref<64x32xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %c : memref<64x32xf32, #npu.space<dram>> to memref<64x32xf32, #npu.space<sram>>
  npu.dma_store %c -> %y[%c0, %c0] : memref<64x32xf32, #npu.space<sram>> to memref<64x32xf32, #npu.space<dram>>
  npu.return
}

// Two loads fill the same tile: the copy stays in front of the second one.
// CHECK-LABEL: npu.kernel @filled_twice
// CHECK: npu.dma_load %{{.*}} -> %[[TILE:.*]] fill(0.000000e+00 : f32) : memref<8x16xf32, #npu.space<sram>> to memref<9x16xf32, #npu.space<sram>>
// CHECK: %[[LAST:.*]] = memref.subview %[[TILE]][8, 0]
// CHECK: npu.dma_load %{{.*}} -> %[[LAST]]
npu.kernel @filled_twice(%x: memref<8x16xf32, #npu.space<dram>>, %w: memref<1x16xf32, #npu.space<dram>>, %y: memref<16x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<8x16xf32, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<8x16xf32, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0, %c0] : memref<8x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
  %b = memref.alloc() : memref<9x16xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %b fill(0.0 : f32) : memref<8x16xf32, #npu.space<dram>> to memref<9x16xf32, #npu.space<sram>>
  %last = memref.subview %b[8, 0] [1, 16] [1, 1] : memref<9x16xf32, #npu.space<sram>> to memref<1x16xf32, strided<[16, 1], offset: 128>, #npu.space<sram>>
  npu.dma_load %w[%c0, %c0] -> %last : memref<1x16xf32, #npu.space<dram>> to memref<1x16xf32, strided<[16, 1], offset: 128>, #npu.space<sram>>
  npu.dma_store %b -> %y[%c0, %c0] : memref<9x16xf32, #npu.space<sram>> to memref<16x16xf32, #npu.space<dram>>
  npu.return
}
