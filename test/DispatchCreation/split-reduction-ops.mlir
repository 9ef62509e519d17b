// RUN: npu-opt --npu-dispatch-creation-split-reduction-ops=split-matmul-reduction=4 %s --split-input-file | FileCheck %s
// RUN: npu-opt --npu-dispatch-creation-split-reduction-ops %s --split-input-file | FileCheck %s --check-prefix=OFF

// By default nothing is split.
// OFF:     linalg.matmul
// OFF-NOT: linalg.generic

// Four partial sums over an outer loop, and the sum of those.
// CHECK:       #map = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK:       #map1 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK:       #map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK:       #map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK:       #map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: util.func public @dot(%arg0: tensor<6x24xf32>, %arg1: tensor<24x10xf32>, %arg2: tensor<6x10xf32>) -> tensor<6x10xf32> {
// CHECK-NEXT:    %[[V0:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [6, 4, 6] : tensor<6x24xf32> into tensor<6x4x6xf32>
// CHECK-NEXT:    %[[V1:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [4, 6, 10] : tensor<24x10xf32> into tensor<4x6x10xf32>
// CHECK-NEXT:    %[[V2:.*]] = tensor.empty() : tensor<4x6x10xf32>
// CHECK-NEXT:    %[[V3:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[V4:.*]] = linalg.fill ins(%[[V3]] : f32) outs(%[[V2]] : tensor<4x6x10xf32>) -> tensor<4x6x10xf32>
// CHECK-NEXT:    %[[V5:.*]] = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[V0]], %[[V1]] : tensor<6x4x6xf32>, tensor<4x6x10xf32>) outs(%[[V4]] : tensor<4x6x10xf32>) {
// CHECK-NEXT:    ^bb0(%[[V6:.*]]: f32, %[[V7:.*]]: f32, %[[V8:.*]]: f32):
// CHECK-NEXT:      %[[V9:.*]] = arith.mulf %[[V6]], %[[V7]] : f32
// CHECK-NEXT:      %[[V10:.*]] = arith.addf %[[V8]], %[[V9]] : f32
// CHECK-NEXT:      linalg.yield %[[V10]] : f32
// CHECK-NEXT:    } -> tensor<4x6x10xf32>
// CHECK-NEXT:    %[[V11:.*]] = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction", "parallel", "parallel"]} ins(%[[V5]] : tensor<4x6x10xf32>) outs(%arg2 : tensor<6x10xf32>) {
// CHECK-NEXT:    ^bb0(%[[V12:.*]]: f32, %[[V13:.*]]: f32):
// CHECK-NEXT:      %[[V14:.*]] = arith.addf %[[V12]], %[[V13]] : f32
// CHECK-NEXT:      linalg.yield %[[V14]] : f32
// CHECK-NEXT:    } -> tensor<6x10xf32>
// CHECK-NEXT:    util.return %[[V11]] : tensor<6x10xf32>
// CHECK-NEXT:  }
util.func public @dot(%arg0: tensor<6x24xf32>, %arg1: tensor<24x10xf32>, %arg2: tensor<6x10xf32>) -> tensor<6x10xf32> {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<6x24xf32>, tensor<24x10xf32>) outs(%arg2 : tensor<6x10xf32>) -> tensor<6x10xf32>
  util.return %0 : tensor<6x10xf32>
}

// -----

// What the ratio does not divide, and what is no matmul, stays.
// CHECK-LABEL: util.func public @odd
// CHECK-NEXT:    linalg.matmul
// CHECK-NEXT:    linalg.batch_matmul
util.func public @odd(%arg0: tensor<6x25xf32>, %arg1: tensor<25x10xf32>, %arg2: tensor<6x10xf32>, %arg3: tensor<2x4x8xf32>, %arg4: tensor<2x8x4xf32>, %arg5: tensor<2x4x4xf32>) -> (tensor<6x10xf32>, tensor<2x4x4xf32>) {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<6x25xf32>, tensor<25x10xf32>) outs(%arg2 : tensor<6x10xf32>) -> tensor<6x10xf32>
  %1 = linalg.batch_matmul ins(%arg3, %arg4 : tensor<2x4x8xf32>, tensor<2x8x4xf32>) outs(%arg5 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  util.return %0, %1 : tensor<6x10xf32>, tensor<2x4x4xf32>
}

// -----

// What is of dynamic shape stays as well.
// CHECK-LABEL: util.func public @dynamic
// CHECK-NEXT:    linalg.matmul
util.func public @dynamic(%arg0: tensor<?x24xf32>, %arg1: tensor<24x10xf32>, %arg2: tensor<?x10xf32>) -> tensor<?x10xf32> {
  %0 = linalg.matmul ins(%arg0, %arg1 : tensor<?x24xf32>, tensor<24x10xf32>) outs(%arg2 : tensor<?x10xf32>) -> tensor<?x10xf32>
  util.return %0 : tensor<?x10xf32>
}
