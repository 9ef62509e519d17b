// Planned form by hand: last tiles that stay whole, and why.

// RUN: npu-opt %s -split-input-file --npu-split-last-tiles | FileCheck %s
// RUN: npu-opt %s -split-input-file --remarks-filter=npu-split-last-tiles --npu-split-last-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: npu.kernel @whole(
// CHECK: npu.matmul
// CHECK-NOT: npu.matmul
// REMARK: remark: [Missed] LastTileWhole | Category:npu-split-last-tiles | Function=whole | Reason="what reads its tiles does not do so part by part"
npu.kernel @whole(%a: memref<32x64xf16, #npu.space<dram>>, %b: memref<64x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
    %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.matmul %a0, %b0 -> %acc {end = "m", packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
    npu.signal sem(2)
  }
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    %v = npu.ring %c0 {depth = 1, id = 3, offset = 8192, slot_bytes = 2048} : memref<32x32xf16, #npu.space<sram>>
    npu.wait sem(2) >= %c1
    npu.cast truncf %acc -> %v : memref<32x32xf32, #npu.space<acc>> -> memref<32x32xf16, #npu.space<sram>>
    npu.signal sem(3)
  }
  npu.return
}

// -----

// Parts of eight rows, four rows from one to the next.
// CHECK-LABEL: npu.kernel @overlapping(
// CHECK: npu.matmul
// CHECK-NOT: npu.matmul
// REMARK: remark: [Missed] LastTileWhole | Category:npu-split-last-tiles | Function=overlapping | Reason="what reads its tiles does not do so part by part"
npu.kernel @overlapping(%a: memref<32x64xf16, #npu.space<dram>>, %b: memref<64x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
    %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.matmul %a0, %b0 -> %acc {end = "m", packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
    npu.signal sem(2)
  }
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    scf.for %i = %c0 to %c4 step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
      %part = memref.subview %acc[%row, 0] [8, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>>
      %v = npu.ring %i {depth = 4, id = 3, offset = 8192, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
      npu.wait sem(2) >= %c1
      npu.cast truncf %part -> %v : memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>> -> memref<8x32xf16, #npu.space<sram>>
      npu.signal sem(3)
    }
  }
  npu.return
}

// -----

// The results lie where the second operand is, which the second part would still read.
// CHECK-LABEL: npu.kernel @overwritten(
// CHECK: npu.matmul
// CHECK-NOT: npu.matmul
// REMARK: remark: [Missed] LastTileWhole | Category:npu-split-last-tiles | Function=overwritten | Reason="what reads its last tile writes where its operands are"
npu.kernel @overwritten(%a: memref<32x64xf16, #npu.space<dram>>, %b: memref<64x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
    %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.matmul %a0, %b0 -> %acc {end = "m", packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
    npu.signal sem(2)
  }
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    scf.for %i = %c0 to %c4 step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      %part = memref.subview %acc[%row, 0] [8, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>>
      %v = npu.ring %i {depth = 4, id = 3, offset = 6144, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
      npu.wait sem(2) >= %c1
      npu.cast truncf %part -> %v : memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>> -> memref<8x32xf16, #npu.space<sram>>
      npu.signal sem(3)
    }
  }
  npu.return
}

// -----

// All parts wait before the loop.
// CHECK-LABEL: npu.kernel @before(
// CHECK: npu.matmul
// CHECK-NOT: npu.matmul
// REMARK: remark: [Missed] LastTileWhole | Category:npu-split-last-tiles | Function=before | Reason="what reads its last tile waits for something else as well"
npu.kernel @before(%a: memref<32x64xf16, #npu.space<dram>>, %b: memref<64x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
    %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.matmul %a0, %b0 -> %acc {end = "m", packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
    npu.signal sem(2)
  }
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.wait sem(2) >= %c1
    scf.for %i = %c0 to %c4 step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      %part = memref.subview %acc[%row, 0] [8, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>>
      %v = npu.ring %i {depth = 4, id = 3, offset = 8192, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
      npu.cast truncf %part -> %v : memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>> -> memref<8x32xf16, #npu.space<sram>>
      npu.signal sem(3)
    }
  }
  npu.return
}
