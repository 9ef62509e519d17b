// A loop that reads what an earlier one stores waits for the iterations that store it, and not for the end of that loop.

// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-plan-memory,npu-pipeline-streams))' | FileCheck %s
// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))' -o /dev/null

// Rows in tiles of 8, read in tiles of 16: two for each.
// CHECK: #[[TWO:.*]] = affine_map<(d0) -> (d0 * 2 + 2)>
// CHECK-LABEL: npu.kernel @rows(
// CHECK: npu.stream dmai
// CHECK: scf.for %[[I:.*]] = %c0 to %c4
// CHECK: %[[STORED:.*]] = affine.apply #[[TWO]](%[[I]])
// CHECK-NEXT: npu.wait sem([[SEM:[0-9]+]]) >= %[[STORED]]
// CHECK: npu.dma_load %alloc
// CHECK: npu.stream dmao
// CHECK: npu.dma_store {{.*}} -> %alloc
// CHECK-NEXT: npu.signal sem([[SEM]])
npu.kernel @rows(%a: tensor<64x32xf16>, %b: tensor<32x32xf16>, %d: tensor<32x32xf16>) -> tensor<64x32xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @s0.rhs, for s0.m = 8 {load @s0.lhs x2, @s0 -> acc x2, @s1 -> sram x2}, load @s2.rhs, for s0.m = 16 {load @s2.lhs x2, @s2 -> acc x2}}>} {
  %c = tensor.empty() : tensor<64x32xf32>
  %e = tensor.empty() : tensor<64x32xf16>
  %0 = npu.matmul %a, %b -> %c {stage = "s0"} : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  %1 = npu.cast truncf %0 -> %e {stage = "s1"} : tensor<64x32xf32> -> tensor<64x32xf16>
  %2 = npu.matmul %1, %d -> %c {stage = "s2"} : tensor<64x32xf16>, tensor<32x32xf16> -> tensor<64x32xf32>
  npu.return %2 : tensor<64x32xf32>
}

// -----

// A window of three rows needs a row of the next tile, and the last one asks for a tile more than there is: the store signals once more when it is done.
// CHECK: #[[NEXT:.*]] = affine_map<(d0) -> (d0 + 2)>
// CHECK-LABEL: npu.kernel @windows(
// CHECK: npu.stream dmai
// CHECK: %[[STORED:.*]] = affine.apply #[[NEXT]](%
// CHECK: npu.wait sem([[SEM:[0-9]+]]) >= %[[STORED]]
// CHECK: npu.dma_load %alloc
// CHECK: npu.stream dmao
// CHECK: npu.dma_store {{.*}} -> %alloc
// CHECK-NEXT: npu.signal sem([[SEM]])
// CHECK-NEXT: }
// CHECK-NEXT: npu.signal sem([[SEM]])
npu.kernel @windows(%x: tensor<1x16x8x32xf16>, %v: tensor<1x1x32x32xf16>, %w: tensor<3x1x32x32xf16>) -> tensor<1x16x8x32xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @s0.filter, for s0.h = 4 {load @s0.input x2, @s0 -> acc x2, @s1 -> sram x2}, load @s2.filter, for s2.h = 4 {load @s2.input x2, @s2 -> acc x2}}>} {
  %c = tensor.empty() : tensor<1x16x8x32xf32>
  %e = tensor.empty() : tensor<1x16x8x32xf16>
  %0 = npu.conv %x, %v -> %c {stage = "s0"} : tensor<1x16x8x32xf16>, tensor<1x1x32x32xf16> -> tensor<1x16x8x32xf32>
  %1 = npu.cast truncf %0 -> %e {stage = "s1"} : tensor<1x16x8x32xf32> -> tensor<1x16x8x32xf16>
  %2 = npu.conv %1, %w -> %c {pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 0>, stage = "s2"} : tensor<1x16x8x32xf16>, tensor<3x1x32x32xf16> -> tensor<1x16x8x32xf32>
  npu.return %2 : tensor<1x16x8x32xf32>
}
