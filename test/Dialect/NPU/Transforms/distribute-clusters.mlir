// RUN: npu-opt %s --npu-distribute-clusters | FileCheck %s
// RUN: npu-opt %s --npu-distribute-clusters --npu-fit-buffers --npu-pipeline-streams | FileCheck %s --check-prefix=STREAMS
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-distribute-clusters,npu-fit-buffers,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' | FileCheck %s --check-prefix=PROGRAM

// Each of 3 clusters gets ceil(8 / 3) tiles; the last one's third has no elements.
// CHECK-LABEL: npu.kernel @split
// CHECK: scf.forall (%[[C:.*]]) in (3) {
// CHECK: %[[TRIPS:.*]] = arith.constant 3 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[TRIPS]] step
// CHECK-NEXT: %[[T:.*]] = affine.apply #[[MAP:.*]](%[[C]], %[[I]])
// CHECK-NEXT: affine.min #{{.*}}(%[[T]])

// Every cluster has its own streams and semaphores and the same buffers.
// STREAMS-LABEL: npu.kernel @split
// STREAMS: npu.stream dmai cluster(0)
// STREAMS: npu.ring {{.*}} {depth = 2, id = 0, slot_bytes = 64}
// STREAMS: npu.signal sem(2)
// STREAMS: npu.stream dmao cluster(0)
// STREAMS: npu.stream dmai cluster(1)
// STREAMS: npu.ring {{.*}} {depth = 2, id = 0, slot_bytes = 64}
// STREAMS: npu.signal sem(4)
// STREAMS: npu.stream dmao cluster(2)
// STREAMS: npu.wait sem(6)
npu.kernel @split(%in: memref<250xi8, #npu.space<dram>>, %out: memref<250xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
    %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<32xi8, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a extents(%n) : memref<250xi8, #npu.space<dram>> to memref<32xi8, #npu.space<sram>>
    npu.dma_store %a -> %out[%o] extents(%n) : memref<32xi8, #npu.space<sram>> to memref<250xi8, #npu.space<dram>>
  } {npu.clusters = 3 : i64}
  npu.return
}

// Where such a loop is inside of another one, clusters share both: 2 x 2 tiles of 3 x 2, of which the last ones are cut. What moves
// with one of them only is loaded by each cluster, what moves with none for all.
// CHECK-LABEL: npu.kernel @grid
// CHECK: scf.forall (%[[R:.*]], %[[C:.*]]) in (2, 2) {
// CHECK: %[[ROWS:.*]] = arith.constant 1 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[ROWS]] step
// CHECK: affine.apply #{{.*}}(%[[R]], %[[I]])
// CHECK: %[[COLUMNS:.*]] = arith.constant 2 : index
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[COLUMNS]] step
// CHECK: affine.apply #{{.*}}(%[[C]], %[[J]])
// CHECK: npu.dma_load %arg1[%{{.*}}] -> %{{[^{]*}} {clusters = 4 : i64}
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{[^{]*}} :

// STREAMS-LABEL: npu.kernel @grid
// STREAMS: npu.stream dmao cluster(3)
npu.kernel @grid(%in: memref<6x7xi8, #npu.space<dram>>, %same: memref<2xi8, #npu.space<dram>>, %out: memref<6x7xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %row = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    scf.for %j = %c0 to %c4 step %c1 {
      %n = affine.min affine_map<(d0) -> (7 - d0 * 2, 2)>(%j)
      %column = affine.apply affine_map<(d0) -> (d0 * 2)>(%j)
      %s = memref.alloc() : memref<2xi8, #npu.space<sram>>
      %a = memref.alloc() : memref<3x2xi8, #npu.space<sram>>
      %b = memref.alloc() : memref<3x2xi8, #npu.space<sram>>
      npu.dma_load %same[%c0] -> %s : memref<2xi8, #npu.space<dram>> to memref<2xi8, #npu.space<sram>>
      npu.dma_load %in[%row, %column] -> %a extents(%c3, %n) : memref<6x7xi8, #npu.space<dram>> to memref<3x2xi8, #npu.space<sram>>
      npu.binary max %a, %s -> %b extents(%c3, %n) {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]} : memref<3x2xi8, #npu.space<sram>>, memref<2xi8, #npu.space<sram>> -> memref<3x2xi8, #npu.space<sram>>
      npu.dma_store %b -> %out[%row, %column] extents(%c3, %n) : memref<3x2xi8, #npu.space<sram>> to memref<6x7xi8, #npu.space<dram>>
    } {npu.clusters = 2 : i64}
  } {npu.clusters = 2 : i64}
  npu.return
}

// CHECK-LABEL: npu.kernel @whole
// CHECK-NOT: scf.forall
// CHECK: scf.for
npu.kernel @whole(%in: memref<250xi8, #npu.space<dram>>, %out: memref<250xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
    %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<32xi8, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a extents(%n) : memref<250xi8, #npu.space<dram>> to memref<32xi8, #npu.space<sram>>
    npu.dma_store %a -> %out[%o] extents(%n) : memref<32xi8, #npu.space<sram>> to memref<250xi8, #npu.space<dram>>
  } {npu.clusters = 1 : i64}
  npu.return
}

// Parts of a kernel that hand on values through DRAM are loops over clusters of their own, each over as many as it says; a part
// that is not shared is the first cluster's. What all clusters of a loop load alike is loaded once.
// CHECK-LABEL: npu.kernel @parts
// CHECK: scf.forall (%{{.*}}) in (2) {
// CHECK: npu.dma_load %arg1[%{{.*}}] -> %{{.*}} {clusters = 2 : i64}
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{[^{]*}} :
// CHECK: npu.dma_store
// CHECK: scf.for
// CHECK-NOT: clusters
// CHECK: npu.dma_store
// CHECK: scf.forall (%{{.*}}) in (4) {
// CHECK: npu.dma_store
// CHECK-NOT: npu.clusters

// The first cluster loads what is for both; the second one waits for that, and for nothing of its own.
// STREAMS-LABEL: npu.kernel @parts
// STREAMS: npu.stream dmai cluster(0)
// STREAMS: npu.dma_load %arg1[{{.*}} {clusters = 2 : i64}
// STREAMS-NEXT: npu.signal sem([[BOTH:[0-9]+]])
// STREAMS: npu.stream dmai cluster(1)
// STREAMS-NOT: npu.dma_load %arg1
// STREAMS: npu.stream vpu cluster(1)
// STREAMS: npu.wait sem([[BOTH]])

// PROGRAM-LABEL: npu_isa.program @parts
// PROGRAM: npu_isa.dma.load {{.*}}clusters = 2
npu.kernel @parts(%in: memref<64xi8, #npu.space<dram>>, %all: memref<8xi8, #npu.space<dram>>, %out: memref<64xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8, #npu.space<dram>>
  %y = memref.alloc() : memref<64xi8, #npu.space<dram>>
  %w = memref.alloc() : memref<8xi8, #npu.space<sram>>
  npu.dma_load %all[%c0] -> %w : memref<8xi8, #npu.space<dram>> to memref<8xi8, #npu.space<sram>>
  scf.for %i = %c0 to %c8 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<8xi8, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a : memref<64xi8, #npu.space<dram>> to memref<8xi8, #npu.space<sram>>
    npu.binary add %a, %w -> %a : memref<8xi8, #npu.space<sram>>, memref<8xi8, #npu.space<sram>> -> memref<8xi8, #npu.space<sram>>
    npu.dma_store %a -> %x[%o] : memref<8xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
  } {npu.clusters = 2 : i64}
  scf.for %i = %c0 to %c8 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %r = affine.apply affine_map<(d0) -> (d0 * -8 + 56)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<8xi8, #npu.space<sram>>
    npu.dma_load %x[%r] -> %a : memref<64xi8, #npu.space<dram>> to memref<8xi8, #npu.space<sram>>
    npu.dma_store %a -> %y[%o] : memref<8xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %r = affine.apply affine_map<(d0) -> (d0 * -8 + 56)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<8xi8, #npu.space<sram>>
    npu.dma_load %y[%r] -> %a : memref<64xi8, #npu.space<dram>> to memref<8xi8, #npu.space<sram>>
    npu.dma_store %a -> %out[%o] : memref<8xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
  } {npu.clusters = 4 : i64}
  npu.return
}
