// The first tile of a contraction in parts, each as soon as it is loaded.

// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s --check-prefix=TILE
// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-split-first-tiles))' | FileCheck %s
// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-split-first-tiles,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))' -o /dev/null
// RUN: npu-opt %s -split-input-file --remarks-filter=npu-split-first-tiles --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-split-first-tiles))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Both operands; 100 of 256 at first, then 100, then 56. Those of the left one stay for all of n; the third tile of k is
// smaller.
// TILE-LABEL: npu.kernel @matmul(
// TILE: npu.matmul {{.*}} {begin = array<i64: 100>, packed}

// CHECK-LABEL: npu.kernel @matmul(
// CHECK-SAME: %[[A:.*]]: memref<130x600xi8, #npu.space<dram>>, %[[B:.*]]: memref<600x96xi8, #npu.space<dram>>, %[[BIAS:.*]]: memref<96xi32, #npu.space<dram>>,
// CHECK: npu.stream dmai
// CHECK: npu.dma_load %[[BIAS]]
// CHECK-NOT: npu.signal
// CHECK: npu.dma_load %[[A]][%c0, %c0] -> %{{.*}} extents(%c130, %c100) : {{.*}} to memref<130x100xi8,
// CHECK-NOT: npu.signal
// CHECK: npu.dma_load %[[B]][%c0, %c0] -> %{{.*}} extents(%c1, %c100, %c32) {{.*}} to memref<1x100x32xi8, strided<[8192, 32, 1]>
// CHECK-NEXT: npu.signal sem([[PART:.*]])
// CHECK: npu.dma_load %[[A]][%c0, %c100] -> %{{.*}} extents(%c130, %c100)
// CHECK: npu.dma_load %[[B]][%c100, %c0] -> %{{.*}} to memref<1x100x32xi8, strided<[8192, 32, 1], offset: 3200>
// CHECK-NEXT: npu.signal sem([[PART]])
// CHECK: npu.dma_load %[[A]][%c0, %c200] -> %{{.*}} extents(%c130, %c56)
// CHECK: npu.dma_load %[[B]][%c200, %c0] -> %{{.*}} extents(%c1, %c56, %c32)
// CHECK-NEXT: npu.signal sem([[WHOLE:.*]])
// The rest of the first sums, then all other ones.
// CHECK: scf.for %[[K:.*]] = %c0 to %c2
// CHECK-NOT: scf.for
// CHECK: npu.dma_load %[[A]]
// CHECK: npu.wait sem([[ARRAY:.*]]) >= %[[K]]
// CHECK: npu.dma_load %[[B]]
// CHECK-NEXT: npu.signal sem([[WHOLE]])
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK: npu.stream mxu
// The bias starts the sums once.
// CHECK: npu.wait sem([[PART]]) >= %c1
// CHECK: npu.matmul {{.*}} bias({{.*}}) -> %[[OUT:.*]] extents(%c130, %c32, %c100) init(%c0) {packed}
// CHECK: npu.wait sem([[PART]]) >= %c2
// CHECK-NOT: bias
// CHECK: npu.matmul {{.*}} -> %[[OUT]] extents(%c130, %c32, %c100) {accumulate, packed}
// CHECK: npu.wait sem([[WHOLE]]) >= %c1
// CHECK-NOT: bias
// CHECK: npu.matmul {{.*}} -> %[[OUT]] extents(%c130, %c32, %c56) {accumulate, packed}
// CHECK-NEXT: npu.signal sem([[ARRAY]])
// CHECK: scf.for
// CHECK-NOT: begin
npu.kernel @matmul(%A: tensor<130x600xi8>, %B: tensor<600x96xi8>, %bias: tensor<96xi32>) -> tensor<130x96xi32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{keep @matmul.lhs, load @matmul.bias, for n = 32 {value @matmul -> acc x2,
                    for k = 256 {load @matmul.lhs, load @matmul.rhs x2, @matmul begin k = 100}}}>} {
  %c = tensor.empty() : tensor<130x96xi32>
  %0 = npu.matmul %A, %B bias(%bias : tensor<96xi32>) -> %c : tensor<130x600xi8>, tensor<600x96xi8> -> tensor<130x96xi32>
  npu.return %0 : tensor<130x96xi32>
}

// -----

// A strip of the input is for several tiles of c: the last part of its load is all that is left.
// TILE-LABEL: npu.kernel @conv(
// TILE: npu.conv {{.*}} {begin = array<i64: 16>,

// CHECK-LABEL: npu.kernel @conv(
// CHECK: npu.stream dmai
// CHECK: npu.dma_load %{{.*}}[%c0, %c-1, %c-1, %c0] -> %{{.*}} extents(%c10, %c18, %c16)
// CHECK: npu.dma_load %{{.*}}[%c0, %c0, %c0, %c0] -> %{{.*}} extents(%c2, %c3, %c3, %c16, %c32)
// CHECK-NEXT: npu.signal sem([[PART:.*]])
// CHECK: npu.dma_load %{{.*}}[%c0, %c-1, %c-1, %c16] -> %{{.*}} extents(%c10, %c18, %c48)
// CHECK: npu.dma_load %{{.*}}[%c0, %c0, %c16, %c0] -> %{{.*}} extents(%c2, %c3, %c3, %c16, %c32)
// CHECK-NEXT: npu.signal
// CHECK: npu.stream mxu
// CHECK: npu.wait sem([[PART]]) >= %c1
// CHECK: npu.conv {{.*}} extents(%c8, %c16, %c48, %c16, %c3, %c3) init(%c0) {layout_input
// CHECK: npu.conv {{.*}} extents(%c8, %c16, %c48, %c16, %c3, %c3) {accumulate, layout_input
npu.kernel @conv(%in: tensor<1x16x16x64xi8>, %filter: tensor<3x3x64x48xi8>) -> tensor<1x16x16x48xi32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{for h = 8 {load @conv.input x2, value @conv -> acc x2,
                    for c = 32 {load @conv.filter x2, @conv begin c = 16}}}>} {
  %o = tensor.empty() : tensor<1x16x16x48xi32>
  %0 = npu.conv %in, %filter -> %o {pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>}
      : tensor<1x16x16x64xi8>, tensor<3x3x64x48xi8> -> tensor<1x16x16x48xi32>
  npu.return %0 : tensor<1x16x16x48xi32>
}

// -----

// What is added to is there before; B lies the other way round.
// CHECK-LABEL: npu.kernel @accumulate(
// CHECK: npu.stream dmai
// CHECK: npu.dma_load %{{.*}}[%c0, %c0] -> %{{.*}} extents(%c1, %c8, %c32)
// CHECK: npu.dma_load %{{.*}}[%c0, %c8] -> %{{.*}} extents(%c1, %c8, %c32)
// CHECK: npu.stream mxu
// CHECK: npu.matmul {{.*}} {accumulate, packed}
// CHECK: npu.matmul {{.*}} {accumulate, packed}
// CHECK-NOT: npu.matmul
// CHECK: npu.return
npu.kernel @accumulate(%A: tensor<16x16xf16>, %B: tensor<32x16xf16>, %C: tensor<16x32xf32>) -> tensor<16x32xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @matmul.lhs, load @matmul.output, value @matmul -> acc, load @matmul.rhs, @matmul begin k = 8}>} {
  %0 = npu.matmul %A, %B -> %C {accumulate, layout_b = #npu.layout<nk>} : tensor<16x16xf16>, tensor<32x16xf16> -> tensor<16x32xf32>
  npu.return %0 : tensor<16x32xf32>
}

// -----

// Each cluster begins with its own rows and columns.
// CHECK-LABEL: npu.kernel @clusters(
// CHECK: npu.stream mxu cluster(0)
// CHECK: extents(%c8, %c32, %c48) {packed}
// CHECK: extents(%c8, %c32, %c16) {accumulate, packed}
// CHECK: npu.stream mxu cluster(1)
// CHECK: extents(%c8, %c32, %c48) {packed}
// CHECK: extents(%c8, %c32, %c16) {accumulate, packed}
npu.kernel @clusters(%A: tensor<4x8x64xf16>, %B: tensor<4x64x32xf16>) -> tensor<4x8x32xf32>
    attributes {target = #npu.target<"npu-v1-x4">,
                schedule = #npu.schedule<{for b = 1 clusters 2 {load @matmul.lhs x2, load @matmul.rhs x2, @matmul -> acc x2 begin k = 48}}>} {
  %c = tensor.empty() : tensor<4x8x32xf32>
  %0 = npu.matmul %A, %B -> %c {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<4x8x64xf16>, tensor<4x64x32xf16> -> tensor<4x8x32xf32>
  npu.return %0 : tensor<4x8x32xf32>
}

// -----

// What is made on chip is there as a whole.
// REMARK: FirstTileWhole{{.*}}Function=made
// REMARK-SAME: none of its operands is loaded by one transfer for it alone
// CHECK-LABEL: npu.kernel @made(
// CHECK: npu.matmul {{.*}} extents(%c32, %c32, %c64) {packed}
// CHECK-NOT: npu.matmul
// CHECK: npu.return
npu.kernel @made(%A: tensor<64x64xf16>, %B: tensor<64x32xf16>) -> tensor<64x32xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{value @lhs -> sram, load @lhs.arg0, @lhs, value @rhs -> sram, load @rhs.arg1, @rhs, for m = 32 {@matmul -> acc begin k = 32}}>} {
  %c = tensor.empty() : tensor<64x32xf32>
  %a = tensor.empty() : tensor<64x64xf16>
  %b = tensor.empty() : tensor<64x32xf16>
  %lhs = npu.unary neg %A -> %a {stage = "lhs"} : tensor<64x64xf16> -> tensor<64x64xf16>
  %rhs = npu.unary neg %B -> %b {stage = "rhs"} : tensor<64x32xf16> -> tensor<64x32xf16>
  %0 = npu.matmul %lhs, %rhs -> %c {stage = "matmul"} : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
  npu.return %0 : tensor<64x32xf32>
}

// -----

// What is copied within SRAM must be so before the other operand takes its place: the share and the filter have the same bytes.
// CHECK-LABEL: npu.kernel @copied(
// CHECK: npu.stream dmai
// CHECK: npu.dma_load %{{.*}} extents(%c16, %c16, %c64) fill
// CHECK-NOT: npu.signal
// CHECK: npu.dma_load %{{.*}} extents(%c1, %c3, %c3, %c32, %c32)
// CHECK-NEXT: npu.signal
// CHECK: npu.dma_load %{{.*}} extents(%c1, %c3, %c3, %c32, %c32)
npu.kernel @copied(%x: memref<14x14x64xf16, #npu.space<dram>>, %w: memref<3x3x64x32xf16, #npu.space<dram>>, %y: memref<14x14x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c14 = arith.constant 14 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %share = memref.alloc() : memref<14x14x64xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0, %c0] -> %share : memref<14x14x64xf16, #npu.space<dram>> to memref<14x14x64xf16, #npu.space<sram>>
  %in = memref.alloc() : memref<16x16x64xf16, #npu.space<sram>>
  npu.dma_load %share[%m1, %m1, %c0] -> %in extents(%c16, %c16, %c64) fill(0.0 : f16) : memref<14x14x64xf16, #npu.space<sram>> to memref<16x16x64xf16, #npu.space<sram>>
  %acc = memref.alloc() : memref<14x14x32xf32, #npu.space<acc>>
  %f = memref.alloc() : memref<1x3x3x64x32xf16, #npu.space<sram>>
  npu.dma_load %w[%c0, %c0, %c0, %c0] -> %f extents(%c1, %c3, %c3, %c64, %c32) fill(0.0 : f16) {map = affine_map<(f, y, x, c, i) -> (y, x, c, f * 32 + i)>} : memref<3x3x64x32xf16, #npu.space<dram>> to memref<1x3x3x64x32xf16, #npu.space<sram>>
  npu.conv %in, %f -> %acc extents(%c14, %c14, %c32, %c64, %c3, %c3) {begin = array<i64: 32>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<16x16x64xf16, #npu.space<sram>>, memref<1x3x3x64x32xf16, #npu.space<sram>> -> memref<14x14x32xf32, #npu.space<acc>>
  npu.dma_store %acc -> %y[%c0, %c0, %c0] : memref<14x14x32xf32, #npu.space<acc>> to memref<14x14x32xf32, #npu.space<dram>>
  npu.return
}

// -----

// A ragged dimension leaves less than a part.
// REMARK: FirstTileWhole{{.*}}Function=short
// REMARK-SAME: its first tile is not larger than a part
// CHECK-LABEL: npu.kernel @short(
// CHECK: npu.matmul {{.*}} extents(%c32, %c32, %c20) {packed}
// CHECK-NOT: npu.matmul
npu.kernel @short(%A: memref<32x20xf16, #npu.space<dram>>, %B: memref<20x32xf16, #npu.space<dram>>, %C: memref<32x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32x64xf16, #npu.space<sram>>
  npu.dma_load %A[%c0, %c0] -> %a extents(%c32, %c20) : memref<32x20xf16, #npu.space<dram>> to memref<32x64xf16, #npu.space<sram>>
  %b = memref.alloc() : memref<1x64x32xf16, #npu.space<sram>>
  npu.dma_load %B[%c0, %c0] -> %b extents(%c1, %c20, %c32) {map = affine_map<(p, k, n) -> (k, p * 32 + n)>} : memref<20x32xf16, #npu.space<dram>> to memref<1x64x32xf16, #npu.space<sram>>
  %acc = memref.alloc() : memref<32x32xf32, #npu.space<acc>>
  npu.matmul %a, %b -> %acc extents(%c32, %c32, %c20) {begin = array<i64: 32>, packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
  npu.dma_store %acc -> %C[%c0, %c0] : memref<32x32xf32, #npu.space<acc>> to memref<32x32xf32, #npu.space<dram>>
  npu.return
}
