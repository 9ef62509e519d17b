// What stays on chip for a loop is loaded into the place of what was there before as soon as that has been read for the last time, not behind the product just
// before: no wait of these programs can be lowered, which `npu-verify-program` checks. They are those of large products with sums in SRAM, with small tiles.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams))' | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))' -o /dev/null

// All rows are one tile, so that each part of the right operand is read once: three products before it is loaded again.
// CHECK-DAG: #[[ONCE:.*]] = affine_map<(d0, d1, d2) -> (d0 * 9 + d1 * 3 + d2 - 2)>
// CHECK-DAG: #[[CLUSTERS:.*]] = affine_map<(d0, d1, d2) -> (d0 * 18 + d1 * 6 + d2 - 2)>
// CHECK-LABEL: npu.kernel @once(
// CHECK: npu.dma_load %arg0
// CHECK: %[[EARLIER:.*]] = affine.apply #[[ONCE]](
// CHECK: npu.wait sem({{[0-9]+}}) >= %[[EARLIER]]
// CHECK-NEXT: npu.dma_load %arg1
npu.kernel @once(%A: tensor<64x288xf16>, %B: tensor<288x192xf16>) -> tensor<64x192xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{for n = 96 {value @matmul -> sram,
                    for k = 96 {keep @matmul.rhs, for m = 64 {load @matmul.lhs x2, for n = 32 {load @matmul.rhs, @matmul -> acc x2}}}}}>} {
  %c = tensor.empty() : tensor<64x192xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x288xf16>, tensor<288x192xf16> -> tensor<64x192xf32>
  npu.return %0 : tensor<64x192xf32>
}

// The first cluster loads for all of them, in the first of two iterations over rows: of each array the last product of the same part is waited for. The counter
// of the rows, in whose second iteration nothing is loaded, does not count.
// CHECK-LABEL: npu.kernel @clusters(
// CHECK: npu.dma_load %arg0
// CHECK: %[[EARLIER:.*]] = affine.apply #[[CLUSTERS]](
// CHECK-COUNT-4: npu.wait sem({{[0-9]+}}) >= %[[EARLIER]]
// CHECK-NEXT: npu.dma_load %arg1
npu.kernel @clusters(%A: tensor<128x288xf16>, %B: tensor<288x192xf16>) -> tensor<128x192xf32>
    attributes {target = #npu.target<"npu-v1-x4">,
                schedule = #npu.schedule<{for m = 32 clusters 4 {for n = 96 {value @matmul -> sram,
                    for k = 96 {keep @matmul.rhs, for m = 16 {load @matmul.lhs x2, for n = 32 {load @matmul.rhs, @matmul -> acc x2}}}}}}>} {
  %c = tensor.empty() : tensor<128x192xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<128x288xf16>, tensor<288x192xf16> -> tensor<128x192xf32>
  npu.return %0 : tensor<128x192xf32>
}
