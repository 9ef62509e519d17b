// RUN: npu-opt %s --npu-distribute-clusters | FileCheck %s
// RUN: npu-opt %s --npu-distribute-clusters --npu-fit-buffers --npu-pipeline-streams | FileCheck %s --check-prefix=STREAMS

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
