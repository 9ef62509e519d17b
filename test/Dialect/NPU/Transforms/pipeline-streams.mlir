// RUN: npu-opt %s --npu-fit-buffers --npu-pipeline-streams | FileCheck %s

// Two waits per handover: one for the value (full), one for the slot (free). Equal waits of the two loads
// before a matmul are left out, as is everything that streams order themselves. All waits count
// signals of whole iterations, so they are affine.

// CHECK-DAG: #[[LINEAR3:.*]] = affine_map<(d0, d1, d2) -> (d0 * 15 + d1 * 3 + d2)>
// CHECK-DAG: #[[FREE3:.*]] = affine_map<(d0, d1, d2) -> (d0 * 15 + d1 * 3 + d2 - 1)>
// CHECK-DAG: #[[FULL3:.*]] = affine_map<(d0, d1, d2) -> (d0 * 15 + d1 * 3 + d2 + 1)>
// CHECK-DAG: #[[LINEAR2:.*]] = affine_map<(d0, d1) -> (d0 * 5 + d1)>
// CHECK-DAG: #[[FREE2:.*]] = affine_map<(d0, d1) -> (d0 * 5 + d1 - 1)>
// CHECK-DAG: #[[FULL2:.*]] = affine_map<(d0, d1) -> (d0 * 5 + d1 + 1)>
// CHECK-DAG: #[[ALLK:.*]] = affine_map<(d0, d1) -> (d0 * 15 + d1 * 3 + 3)>

// CHECK-LABEL: npu.kernel @matmul
// CHECK: npu.stream dmai cluster(0) {
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[POS:.*]] = affine.apply #[[LINEAR3]](%[[I]], %[[J]], %[[K]])
// CHECK: npu.ring %[[POS]] {depth = 2, id = 1, slot_bytes = 16384}
// CHECK: %[[V:.*]] = affine.apply #[[FREE3]](%[[I]], %[[J]], %[[K]])
// CHECK-NEXT: npu.wait sem(1) >= %[[V]]
// CHECK-NEXT: npu.dma_load
// CHECK-NEXT: npu.ring %[[POS]] {depth = 2, id = 2, slot_bytes = 16384}
// CHECK-NEXT: npu.dma_load
// CHECK-NEXT: npu.signal sem(2)
// CHECK-NEXT: }
// CHECK: npu.wait sem([[ADD:.*]]) >=
// CHECK-NEXT: npu.dma_load
// CHECK-NEXT: npu.signal sem([[BIAS:.*]])

// CHECK: npu.stream dmao cluster(0) {
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT: scf.for
// CHECK: %[[V:.*]] = affine.apply #[[FULL2]](%[[I]], %[[J]])
// CHECK-NEXT: npu.wait sem([[MAX:.*]]) >= %[[V]]
// CHECK-NEXT: npu.dma_store
// CHECK-NEXT: npu.signal sem([[STORE:.*]])

// CHECK: npu.stream mxu cluster(0) {
// CHECK: %[[V0:.*]] = affine.apply #[[FULL3]]
// CHECK-NEXT: npu.wait sem(2) >= %[[V0]]
// CHECK-NEXT: %[[V1:.*]] = affine.apply #[[FREE2]]
// CHECK-NEXT: npu.wait sem([[CAST:.*]]) >= %[[V1]]
// CHECK-NEXT: npu.matmul
// CHECK-NEXT: npu.signal sem(1)

// CHECK: npu.stream vpu cluster(0) {
// CHECK: %[[V0:.*]] = affine.apply #[[ALLK]]
// CHECK-NEXT: npu.wait sem(1) >= %[[V0]]
// CHECK-NEXT: %[[V1:.*]] = affine.apply #[[FREE2]]
// CHECK-NEXT: npu.wait sem([[STORE]]) >= %[[V1]]
// CHECK-NEXT: npu.cast
// CHECK-NEXT: npu.signal sem([[CAST]])
// CHECK: npu.wait sem([[BIAS]])
// CHECK-NEXT: npu.binary add
// CHECK-NEXT: npu.signal sem([[ADD]])
// CHECK-NEXT: npu.binary max
// CHECK-NEXT: npu.signal sem([[MAX]])
npu.kernel @matmul(%A: memref<130x300xf16, #npu.space<dram>>, %B: memref<300x257xf16, #npu.space<dram>>, %bias: memref<257xf16, #npu.space<dram>>,
              %out: memref<130x257xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">, cluster = #npu.cluster<dim = 0, count = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %m = affine.min affine_map<(d0) -> (130 - d0 * 64, 64)>(%i)
      %n = affine.min affine_map<(d0) -> (257 - d0 * 64, 64)>(%j)
      %om = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      %on = affine.apply affine_map<(d0) -> (d0 * 64)>(%j)
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf32, #npu.space<acc>>
      scf.for %kk = %c0 to %c3 step %c1 {
        %k = affine.min affine_map<(d0) -> (300 - d0 * 128, 128)>(%kk)
        %ok = affine.apply affine_map<(d0) -> (d0 * 128)>(%kk)
        %a = memref.alloc() {npu.buffers = 2 : i64} : memref<64x128xf16, #npu.space<sram>>
        npu.dma_load %A[%om, %ok] -> %a extents(%m, %k) : memref<130x300xf16, #npu.space<dram>> to memref<64x128xf16, #npu.space<sram>>
        %b = memref.alloc() {npu.buffers = 2 : i64} : memref<2x128x32xf16, #npu.space<sram>>
        npu.dma_load %B[%ok, %on] -> %b extents(%c2, %k, %c32) fill(0.0 : f16) {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<300x257xf16, #npu.space<dram>> to memref<2x128x32xf16, #npu.space<sram>>
        npu.matmul %a, %b -> %acc extents(%m, %n, %k) init(%kk) {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
      }
      %bt = memref.alloc() {npu.buffers = 2 : i64} : memref<64xf16, #npu.space<sram>>
      npu.dma_load %bias[%on] -> %bt extents(%n) : memref<257xf16, #npu.space<dram>> to memref<64xf16, #npu.space<sram>>
      %t0 = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf16, #npu.space<sram>>
      npu.cast truncf %acc -> %t0 extents(%m, %n) : memref<64x64xf32, #npu.space<acc>> -> memref<64x64xf16, #npu.space<sram>>
      npu.binary add %t0, %bt -> %t0 extents(%m, %n) {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]} : memref<64x64xf16, #npu.space<sram>>, memref<64xf16, #npu.space<sram>> -> memref<64x64xf16, #npu.space<sram>>
      npu.binary max %t0 -> %t0 extents(%m, %n) {imm = 0.0 : f16} : memref<64x64xf16, #npu.space<sram>> -> memref<64x64xf16, #npu.space<sram>>
      npu.dma_store %t0 -> %out[%om, %on] extents(%m, %n) : memref<64x64xf16, #npu.space<sram>> to memref<130x257xf16, #npu.space<dram>>
    }
  }
  npu.return
}

// The counter of a loop of one iteration is in no wait; a ring of one slot has no position; what the kernel wrote
// to DRAM is read only after it was written.
// CHECK-LABEL: npu.kernel @through_dram
// CHECK: npu.stream dmai
// CHECK: scf.for %{{.*}} = %c0 to %c1 step %c1
// CHECK: npu.dma_load %arg0
// CHECK-NEXT: npu.signal sem(1)
// CHECK: npu.wait sem(2) >= %c1
// CHECK: npu.dma_load %arg1
// CHECK: npu.signal sem(3)
// CHECK: npu.stream dmao
// CHECK: npu.wait sem(1) >= %c1
// CHECK: npu.dma_store {{.*}} -> %arg1
// CHECK: npu.signal sem(2)
// CHECK: npu.wait sem(3) >= %c1
// CHECK: npu.dma_store {{.*}} -> %arg2
npu.kernel @through_dram(%in: memref<16xi8, #npu.space<dram>>, %mid: memref<16xi8, #npu.space<dram>> {npu.output},
                         %out: memref<16xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<16xi8, #npu.space<sram>>
    npu.dma_load %in[%i] -> %a : memref<16xi8, #npu.space<dram>> to memref<16xi8, #npu.space<sram>>
    npu.dma_store %a -> %mid[%i] : memref<16xi8, #npu.space<sram>> to memref<16xi8, #npu.space<dram>>
    %b = memref.alloc() : memref<16xi8, #npu.space<sram>>
    npu.dma_load %mid[%i] -> %b : memref<16xi8, #npu.space<dram>> to memref<16xi8, #npu.space<sram>>
    npu.dma_store %b -> %out[%i] : memref<16xi8, #npu.space<sram>> to memref<16xi8, #npu.space<dram>>
  }
  npu.return
}

// A view of what is in DRAM is no part of a buffer.
// CHECK-LABEL: npu.kernel @argument_part(
// CHECK: npu.stream dmai
npu.kernel @argument_part(%x: memref<64xf32, #npu.space<dram>>, %y: memref<64xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %first = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
      %part = memref.subview %x[%first] [16] [1] : memref<64xf32, #npu.space<dram>> to memref<16xf32, strided<[1], offset: ?>, #npu.space<dram>>
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<16xf32, #npu.space<sram>>
      npu.dma_load %part[%c0] -> %a : memref<16xf32, strided<[1], offset: ?>, #npu.space<dram>> to memref<16xf32, #npu.space<sram>>
      npu.dma_store %a -> %y[%first] : memref<16xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
    }
  }
  npu.return
}
