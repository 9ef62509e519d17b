// RUN: npu-opt --convert-elementwise-to-linalg %s | FileCheck %s

// Two ops, by upstream's pass; the comparison has no operand of its result type.
// CHECK:       #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: util.func public @step(%arg0: tensor<5x8xf32>, %arg1: tensor<5x8xf32>) -> tensor<5x8xi1> {
// CHECK-NEXT:    %[[V0:.*]] = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<5x8xf32>, tensor<5x8xf32>) outs(%arg0 : tensor<5x8xf32>) {
// CHECK-NEXT:    ^bb0(%[[V1:.*]]: f32, %[[V2:.*]]: f32, %[[V3:.*]]: f32):
// CHECK-NEXT:      %[[V4:.*]] = arith.mulf %[[V1]], %[[V2]] : f32
// CHECK-NEXT:      linalg.yield %[[V4]] : f32
// CHECK-NEXT:    } -> tensor<5x8xf32>
// CHECK-NEXT:    %[[V5:.*]] = tensor.empty() : tensor<5x8xi1>
// CHECK-NEXT:    %[[V6:.*]] = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%[[V0]], %arg0 : tensor<5x8xf32>, tensor<5x8xf32>) outs(%[[V5]] : tensor<5x8xi1>) {
// CHECK-NEXT:    ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32, %[[V9:.*]]: i1):
// CHECK-NEXT:      %[[V10:.*]] = arith.cmpf ogt, %[[V7]], %[[V8]] : f32
// CHECK-NEXT:      linalg.yield %[[V10]] : i1
// CHECK-NEXT:    } -> tensor<5x8xi1>
// CHECK-NEXT:    util.return %[[V6]] : tensor<5x8xi1>
// CHECK-NEXT:  }
util.func public @step(%arg0: tensor<5x8xf32>, %arg1: tensor<5x8xf32>) -> tensor<5x8xi1> {
  %0 = arith.mulf %arg0, %arg1 : tensor<5x8xf32>
  %1 = arith.cmpf ogt, %0, %arg0 : tensor<5x8xf32>
  util.return %1 : tensor<5x8xi1>
}
