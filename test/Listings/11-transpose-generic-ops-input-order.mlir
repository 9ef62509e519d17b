// RUN: npu-opt --split-input-file --npu-dispatch-creation-transpose-generic-ops %s | FileCheck %s --match-full-lines --strict-whitespace

// 11.1 Bias added to a transposed matmul result.
//      CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT:#map2 = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @tbias(%arg0: tensor<6x5xf32>, %arg1: tensor<5x8xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<8xf32>) -> tensor<8x6xf32> {
// CHECK-NEXT:    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<6x5xf32>, tensor<5x8xf32>) outs(%arg2 : tensor<6x8xf32>) -> tensor<6x8xf32>
// CHECK-NEXT:    %1 = tensor.empty() : tensor<8x6xf32>
// CHECK-NEXT:    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%0, %arg3 : tensor<6x8xf32>, tensor<8xf32>) outs(%1 : tensor<8x6xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:      %3 = arith.addf %in, %in_0 : f32
// CHECK-NEXT:      linalg.yield %3 : f32
// CHECK-NEXT:    } -> tensor<8x6xf32>
// CHECK-NEXT:    util.return %2 : tensor<8x6xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
util.func public @tbias(%arg0: tensor<6x5xf32>, %arg1: tensor<5x8xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<8xf32>) -> tensor<8x6xf32> {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<6x5xf32>, tensor<5x8xf32>) outs(%arg2 : tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = tensor.empty() : tensor<8x6xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%0, %arg3 : tensor<6x8xf32>, tensor<8xf32>) outs(%1 : tensor<8x6xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<8x6xf32>
  util.return %2 : tensor<8x6xf32>
}
