// RUN: npu-opt --split-input-file --npu-dispatch-creation-split-reduction-ops=split-matmul-reduction=4 %s | FileCheck %s --match-full-lines --strict-whitespace

// 14.1 Ratio 4 on K = 24.
// The ratio is an option of the pass; in IREE it is a flag of the whole tool, which the pass reads.
//      CHECK:#map = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-NEXT:#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-NEXT:#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-NEXT:#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @dot(%arg0: tensor<6x24xf32>, %arg1: tensor<24x10xf32>, %arg2: tensor<6x10xf32>) -> tensor<6x10xf32> {
// CHECK-NEXT:    %expanded = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [6, 4, 6] : tensor<6x24xf32> into tensor<6x4x6xf32>
// CHECK-NEXT:    %expanded_0 = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [4, 6, 10] : tensor<24x10xf32> into tensor<4x6x10xf32>
// CHECK-NEXT:    %0 = tensor.empty() : tensor<4x6x10xf32>
// CHECK-NEXT:    %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
// CHECK-NEXT:    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_0 : tensor<6x4x6xf32>, tensor<4x6x10xf32>) outs(%1 : tensor<4x6x10xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %in_1: f32, %out: f32):
// CHECK-NEXT:      %4 = arith.mulf %in, %in_1 : f32
// CHECK-NEXT:      %5 = arith.addf %out, %4 : f32
// CHECK-NEXT:      linalg.yield %5 : f32
// CHECK-NEXT:    } -> tensor<4x6x10xf32>
// CHECK-NEXT:    %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction", "parallel", "parallel"]} ins(%2 : tensor<4x6x10xf32>) outs(%arg2 : tensor<6x10xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      %4 = arith.addf %in, %out : f32
// CHECK-NEXT:      linalg.yield %4 : f32
// CHECK-NEXT:    } -> tensor<6x10xf32>
// CHECK-NEXT:    util.return %3 : tensor<6x10xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @dot(%arg0: tensor<6x24xf32>, %arg1: tensor<24x10xf32>, %arg2: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf32>, tensor<24x10xf32>) outs(%arg2 : tensor<6x10xf32>) -> tensor<6x10xf32>
  util.return %0 : tensor<6x10xf32>
}
