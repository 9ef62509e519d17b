// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-global-opt-convert-elementwise-to-linalg))' %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: npu-opt --split-input-file --convert-elementwise-to-linalg %s | FileCheck %s --match-full-lines --strict-whitespace

// 7.1 Two ops; the comparison has no operand of its result type.
//      CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @step(%arg0: tensor<5x8xf32>, %arg1: tensor<5x8xf32>) -> tensor<5x8xi1> {
// CHECK-NEXT:    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<5x8xf32>, tensor<5x8xf32>) outs(%arg0 : tensor<5x8xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:      %3 = arith.mulf %in, %in_0 : f32
// CHECK-NEXT:      linalg.yield %3 : f32
// CHECK-NEXT:    } -> tensor<5x8xf32>
// CHECK-NEXT:    %1 = tensor.empty() : tensor<5x8xi1>
// CHECK-NEXT:    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%0, %arg0 : tensor<5x8xf32>, tensor<5x8xf32>) outs(%1 : tensor<5x8xi1>) {
// CHECK-NEXT:    ^bb0(%in: f32, %in_0: f32, %out: i1):
// CHECK-NEXT:      %3 = arith.cmpf ogt, %in, %in_0 : f32
// CHECK-NEXT:      linalg.yield %3 : i1
// CHECK-NEXT:    } -> tensor<5x8xi1>
// CHECK-NEXT:    util.return %2 : tensor<5x8xi1>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @step(%arg0: tensor<5x8xf32>, %arg1: tensor<5x8xf32>) -> tensor<5x8xi1> {
  %0 = arith.mulf %arg0, %arg1 : tensor<5x8xf32>
  %1 = arith.cmpf ogt, %0, %arg0 : tensor<5x8xf32>
  util.return %1 : tensor<5x8xi1>
}
