// RUN: npu-opt %s --npu-drop-idle-loads | FileCheck %s

// What is loaded in the first iteration of both loops alone: it is put before them, and in the others only the tile of each iteration is loaded. What
// brings nothing in any iteration goes, but for a load for several clusters, which wait for it.
// CHECK-LABEL: npu.kernel @first
// CHECK: npu.stream dmai cluster(0)
// CHECK: npu.dma_load %arg1
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{.*}} extents(%{{.*}}) {clusters = 2 : i64}
// CHECK-NEXT: npu.signal sem(1)
// The other iterations of the inner loop in the first one of the outer loop, and then all others.
// CHECK: scf.for
// CHECK: npu.dma_load %arg1
// CHECK-NOT: npu.dma_load %arg0
// CHECK: npu.signal sem(1)
// CHECK: scf.for
// CHECK: npu.dma_load %arg1
// CHECK-NOT: npu.dma_load %arg0
// CHECK: npu.signal sem(1)
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{.*}} extents(%{{.*}}) {clusters = 2 : i64}
// CHECK-NEXT: npu.signal sem(2)
// CHECK: npu.stream dmai cluster(1)
// CHECK-NOT: npu.dma_load
// CHECK: npu.return
npu.kernel @first(%x: memref<8xf32, #npu.space<dram>>, %w: memref<48xf32, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c3 step %c1 {
        %number = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%i, %j)
        %b = npu.ring %number {depth = 6, id = 1, offset = 32, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
        %o = affine.apply affine_map<(d0, d1) -> (d0 * 24 + d1 * 8)>(%i, %j)
        npu.dma_load %w[%o] -> %b : memref<48xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
        %n = affine.min affine_map<(d0, d1) -> (d0 * -8 + d1 * -8 + 8, 8)>(%i, %j)
        npu.dma_load %x[%c0] -> %a extents(%n) {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
        npu.signal sem(1)
      }
    }
    npu.dma_load %x[%c0] -> %a extents(%c0) {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
    npu.signal sem(2)
  }
  npu.stream dmai cluster(1) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %a = npu.ring %c0 {depth = 1, id = 2, offset = 512, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
    npu.dma_load %x[%c0] -> %a extents(%c0) : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
    npu.signal sem(5)
  }
  npu.return
}

// Extents that are empty in some other iteration are none of this.
// CHECK-LABEL: npu.kernel @last
// CHECK: scf.for
// CHECK-NEXT: affine.min
// CHECK-NEXT: npu.dma_load
// CHECK-NOT: npu.dma_load
// CHECK: npu.return
npu.kernel @last(%x: memref<8xf32, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c3 step %c1 {
      %n = affine.min affine_map<(d0) -> (d0 * -8 + 16, 8)>(%i)
      npu.dma_load %x[%c0] -> %a extents(%n) : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
    }
  }
  npu.return
}

// What brings parts once signals in each iteration. Who waits in the second iteration waits for the first signal in it, which comes with what is loaded in
// each: signals five and six say no more than the fourth.
// CHECK-LABEL: npu.kernel @signals
// CHECK: npu.stream dmao
// CHECK: scf.for
// CHECK: npu.wait sem(1) >= %{{[0-9]+}}
// CHECK: scf.for
// CHECK: npu.wait sem(1) >= %c4
// CHECK: npu.dma_store
npu.kernel @signals(%x: memref<24xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<48xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 96} : memref<24xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %b = npu.ring %i {depth = 2, id = 1, offset = 96, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      npu.dma_load %w[%o] -> %b : memref<16xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
      scf.for %j = %c0 to %c3 step %c1 {
        %p = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
        %part = memref.subview %a[%p] [8] [1] : memref<24xf32, #npu.space<sram>> to memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>>
        %n = affine.min affine_map<(d0) -> (d0 * -8 + 8, 8)>(%i)
        npu.dma_load %x[%p] -> %part extents(%n) : memref<24xf32, #npu.space<dram>> to memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>>
        npu.signal sem(1)
      }
    }
  }
  npu.stream dmao cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 96} : memref<24xf32, #npu.space<sram>>
    scf.for %j = %c0 to %c3 step %c1 {
      %p = affine.apply affine_map<(d0) -> (d0 * 8)>(%j)
      %part = memref.subview %a[%p] [8] [1] : memref<24xf32, #npu.space<sram>> to memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>>
      %v = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
      npu.wait sem(1) >= %v
      npu.dma_store %part -> %y[%p] : memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>> to memref<48xf32, #npu.space<dram>>
    }
    %b = npu.ring %c1 {depth = 2, id = 1, offset = 96, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
    scf.for %j = %c0 to %c3 step %c1 {
      %p = affine.apply affine_map<(d0) -> (d0 * 8 + 24)>(%j)
      %v = affine.apply affine_map<(d0) -> (d0 + 4)>(%j)
      npu.wait sem(1) >= %v
      npu.dma_store %b -> %y[%p] : memref<8xf32, #npu.space<sram>> to memref<48xf32, #npu.space<dram>>
    }
  }
  npu.return
}
