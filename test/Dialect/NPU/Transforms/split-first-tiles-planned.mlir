// First tiles in planned form as nobody's passes leave it: operands in places that parts would disturb, no extents.

// RUN: npu-opt %s -split-input-file --npu-split-first-tiles | FileCheck %s
// RUN: npu-opt %s -split-input-file --npu-split-first-tiles --remarks-filter=npu-split-first-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The only operand that one transfer brings is copied from where two others bring the second one to.
// REMARK: FirstTileWhole{{.*}}Function=gone
// REMARK-SAME: what its operands are copied from is gone when the last one is loaded
// CHECK-LABEL: npu.kernel @gone(
// CHECK: npu.stream mxu
// CHECK: npu.matmul
// CHECK-NOT: npu.matmul
// CHECK: npu.return
npu.kernel @gone(%A: memref<32x64xf16, #npu.space<dram>>, %B: memref<64x32xf16, #npu.space<dram>>, %C: memref<32x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
    %a = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
    %b0 = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    npu.dma_load %A[%c0, %c0] -> %share : memref<32x64xf16, #npu.space<dram>> to memref<32x64xf16, #npu.space<sram>>
    npu.dma_load %share[%c0, %c0] -> %a : memref<32x64xf16, #npu.space<sram>> to memref<32x64xf16, #npu.space<sram>>
    npu.dma_load %B[%c0, %c0] -> %b0 {map = affine_map<(p, k, n) -> (k, p * 32 + n)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x64x32xf16, #npu.space<sram>>
    npu.dma_load %B[%c0, %c0] -> %b0 {map = affine_map<(p, k, n) -> (k, p * 32 + n)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x64x32xf16, #npu.space<sram>>
    npu.signal sem(1)
  }
  npu.stream dmao cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %acc = npu.ring %c0 {depth = 1, id = 3, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.wait sem(2) >= %c1
    npu.dma_store %acc -> %C[%c0, %c0] : memref<32x32xf32, #npu.space<acc>> to memref<32x32xf32, #npu.space<dram>>
  }
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
    %b0 = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    %acc = npu.ring %c0 {depth = 1, id = 3, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.wait sem(1) >= %c1
    npu.matmul %a, %b0 -> %acc {begin = array<i64: 32>, packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
    npu.signal sem(2)
  }
  npu.return
}

// -----

// Without extents tiles are whole; sums need not come last in the left operand.
// CHECK-LABEL: npu.kernel @whole(
// CHECK: npu.stream dmai
// CHECK: npu.dma_load %{{.*}}[%c0, %c0] -> %{{.*}} to memref<48x32xf16,
// CHECK: npu.dma_load %{{.*}}[%c48, %c0] -> %{{.*}} to memref<16x32xf16,
// CHECK-NEXT: npu.signal sem(1)
// CHECK: npu.stream mxu
// CHECK: npu.matmul {{.*}} {layout_a = #npu.layout<km>, packed} : memref<48x32xf16, {{.*}}, memref<1x48x32xf16,
// CHECK: npu.matmul {{.*}} {accumulate, layout_a = #npu.layout<km>, packed} : memref<16x32xf16, {{.*}}, memref<1x16x32xf16,
npu.kernel @whole(%A: memref<64x32xf16, #npu.space<dram>>, %B: memref<64x32xf16, #npu.space<dram>>, %C: memref<32x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %b = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    %a = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<64x32xf16, #npu.space<sram>>
    npu.dma_load %B[%c0, %c0] -> %b {map = affine_map<(p, k, n) -> (k, p * 32 + n)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x64x32xf16, #npu.space<sram>>
    npu.dma_load %A[%c0, %c0] -> %a : memref<64x32xf16, #npu.space<dram>> to memref<64x32xf16, #npu.space<sram>>
    npu.signal sem(1)
  }
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %b = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
    %a = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<64x32xf16, #npu.space<sram>>
    %acc = npu.ring %c0 {depth = 1, id = 3, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
    npu.wait sem(1) >= %c1
    npu.matmul %a, %b -> %acc {begin = array<i64: 48>, layout_a = #npu.layout<km>, packed} : memref<64x32xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
  }
  npu.return
}
