// A contraction's values in SRAM and its products in the accumulator: these are added up in loops that are inside of those over the sums.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' -o %t.tiles.mlir
// RUN: FileCheck %s --input-file=%t.tiles.mlir
// RUN: npu-opt %t.tiles.mlir --npu-planned-form-pipeline -o %t.planned.mlir
// RUN: npu-opt %t.planned.mlir --npu-program-pipeline -o /dev/null
// RUN: npu-run --function=tail --input="random(1)" --input="random(2)" --input="random(3)" --output=@%t.tail.npy %s
// RUN: npu-run --function=tail --input="random(1)" --input="random(2)" --input="random(3)" --expected_output=@%t.tail.npy %t.tiles.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=tail --input="random(1)" --input="random(2)" --input="random(3)" --expected_output=@%t.tail.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=stored --input="smallints(1)" --input="smallints(2)" --output=@%t.stored.npy %s
// RUN: npu-run --function=stored --input="smallints(1)" --input="smallints(2)" --expected_output=@%t.stored.npy --equality_mode=exact %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=chained --input="smallints(1)" --input="smallints(2)" --input="smallints(3)" --output=@%t.chained.npy %s
// RUN: npu-run --function=chained --input="smallints(1)" --input="smallints(2)" --input="smallints(3)" --expected_output=@%t.chained.npy --equality_mode=exact %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=windows --input="random(1)" --input="random(2)" --output=@%t.windows.npy %s
// RUN: npu-run --function=windows --input="random(1)" --input="random(2)" --expected_output=@%t.windows.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// SAME: expected output: match

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// No tile divides its dimension. The right operand's parts stay for the rows; products are overwritten, and so are the sums in the first iteration over k.
// The tile is that of the sums, of which the array has parts.
// CHECK-LABEL: npu.kernel @tail(
// CHECK-SAME: tiling = #npu.tiling<m = 100, n = 64, k = 96>
// CHECK: scf.for
// CHECK:   %[[SUMS:.*]] = memref.alloc() : memref<144x64xi32, #npu.space<sram>>
// CHECK:   scf.for %[[K:.*]] = %c0 to %c4
// CHECK:     %[[KEPT:.*]] = memref.alloc() : memref<2x96x32xi8, #npu.space<sram>>
// CHECK:     scf.for
// CHECK:       npu.dma_load {{.*}} to memref<48x96xi8, #npu.space<sram>>
// CHECK:       scf.for
// CHECK:         memref.subview %[[KEPT]]
// CHECK:         npu.dma_load
// CHECK:         %[[PRODUCTS:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<48x32xi32, #npu.space<acc>>
// CHECK:         npu.matmul %{{.*}}, %{{.*}} -> %[[PRODUCTS]] extents(%{{[^)]*}}) {packed} :
// CHECK:         %[[PART:.*]] = memref.subview %[[SUMS]][%{{.*}}, %{{.*}}] [48, 32] [1, 1]
// CHECK:         npu.reduce sum %[[PRODUCTS]] -> %[[PART]] extents(%{{.*}}) init(%[[K]])
// CHECK:   scf.for
// CHECK:     npu.binary add
// CHECK:     npu.requantize
// CHECK:     npu.dma_store

npu.kernel @tail(%A: tensor<100x300xi8>, %B: tensor<300x200xi8>, %bias: tensor<200xi32>) -> tensor<100x200xi8>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{for n = 64 {value @matmul -> sram,
                    for k = 96 {keep @matmul.rhs, for m = 48 {load @matmul.lhs x2, for n = 32 {load @matmul.rhs, @matmul -> acc x2}}},
                    load @tail.arg2, for m = 24 {@tail -> sram x2}}}>} {
  %s = tensor.empty() : tensor<100x200xi32>
  %o = tensor.empty() : tensor<100x200xi8>
  %0 = npu.matmul %A, %B -> %s : tensor<100x300xi8>, tensor<300x200xi8> -> tensor<100x200xi32>
  %1 = npu.binary add %0, %bias -> %s {indexing_maps = [#id, #column, #id]} : tensor<100x200xi32>, tensor<200xi32> -> tensor<100x200xi32>
  %2 = npu.requantize %1 -> %o {scale = 0.01 : f32, lo = -128, hi = 127} : tensor<100x200xi32> -> tensor<100x200xi8>
  npu.return %2 : tensor<100x200xi8>
}

// Stored from SRAM, where they are complete. The left operand's parts stay for the columns, and no loop of the tile has more than its own.
// CHECK-LABEL: npu.kernel @stored(
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     %[[SUMS:.*]] = memref.alloc() : memref<48x96xf32, #npu.space<sram>>
// CHECK:     npu.reduce sum %{{.*}} -> %{{.*}} extents(%{{.*}}) init(%{{.*}})
// CHECK:     npu.dma_store %[[SUMS]] ->
npu.kernel @stored(%A: tensor<2x90x200xf16>, %B: tensor<2x200x96xf16>) -> tensor<2x90x96xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{for b = 1 {for m = 48 {value @matmul -> sram,
                    for k = 64 {keep @matmul.lhs, for n = 32 {load @matmul.rhs x2, for m = 24 {load @matmul.lhs, @matmul -> acc x2}}}}}}>} {
  %s = tensor.empty() : tensor<2x90x96xf32>
  %0 = npu.matmul %A, %B -> %s {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>}
      : tensor<2x90x200xf16>, tensor<2x200x96xf16> -> tensor<2x90x96xf32>
  npu.return %0 : tensor<2x90x96xf32>
}

// The array reads sums that are in SRAM, once they are complete.
// CHECK-LABEL: npu.kernel @chained(
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<48x40xf32, #npu.space<sram>>
// CHECK: npu.reduce sum
// CHECK: npu.matmul %[[SUMS]]
npu.kernel @chained(%A: tensor<48x96xf32>, %B: tensor<96x40xf32>, %C: tensor<40x24xf32>) -> tensor<48x24xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{value @first -> sram, for first.k = 32 {load @first.lhs x2, load @first.rhs x2, @first -> acc x2}, load @second.rhs, @second -> acc}>} {
  %e = tensor.empty() : tensor<48x40xf32>
  %f = tensor.empty() : tensor<48x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "first"} : tensor<48x96xf32>, tensor<96x40xf32> -> tensor<48x40xf32>
  %1 = npu.matmul %0, %C -> %f {stage = "second"} : tensor<48x40xf32>, tensor<40x24xf32> -> tensor<48x24xf32>
  npu.return %1 : tensor<48x24xf32>
}

// Products of some channels of all windows, for all filters.
// CHECK-LABEL: npu.kernel @windows(
// CHECK: scf.for %[[C:.*]] = %c0 to %c2
// CHECK: npu.conv
// CHECK: npu.reduce sum %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}, %{{.*}}) init(%[[C]])
npu.kernel @windows(%A: tensor<10x12x24xi8>, %B: tensor<3x3x24x40xi8>) -> tensor<8x10x40xi32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{value @conv -> sram, for c = 16 {load @conv.filter x2, for h = 3 {load @conv.input x2, @conv -> acc x2}}}>} {
  %s = tensor.empty() : tensor<8x10x40xi32>
  %0 = npu.conv %A, %B -> %s {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>} : tensor<10x12x24xi8>, tensor<3x3x24x40xi8> -> tensor<8x10x40xi32>
  npu.return %0 : tensor<8x10x40xi32>
}
