// RUN: npu-opt --npu-dispatch-creation-transpose-generic-ops %s --split-input-file | FileCheck %s

// Sums of columns: the parallel loop goes first.
// CHECK:       #map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK:       #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: util.func public @colsum(%arg0: tensor<9x4xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
// CHECK-NEXT:    %[[V0:.*]] = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<9x4xi32>) outs(%arg1 : tensor<4xi32>) {
// CHECK-NEXT:    ^bb0(%[[V1:.*]]: i32, %[[V2:.*]]: i32):
// CHECK-NEXT:      %[[V3:.*]] = arith.addi %[[V1]], %[[V2]] : i32
// CHECK-NEXT:      linalg.yield %[[V3]] : i32
// CHECK-NEXT:    } -> tensor<4xi32>
// CHECK-NEXT:    util.return %[[V0]] : tensor<4xi32>
// CHECK-NEXT:  }
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
util.func public @colsum(%arg0: tensor<9x4xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<9x4xi32>) outs(%arg1 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %1 = arith.addi %in, %out : i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  util.return %0 : tensor<4xi32>
}

// -----

// A bias added to a transposed product: the loops follow the product.
// CHECK:       #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK:       #map1 = affine_map<(d0, d1) -> (d1)>
// CHECK:       #map2 = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: util.func public @tbias(%arg0: tensor<6x5xf32>, %arg1: tensor<5x8xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<8xf32>) -> tensor<8x6xf32> {
// CHECK-NEXT:    %[[V4:.*]] = linalg.matmul ins(%arg0, %arg1 : tensor<6x5xf32>, tensor<5x8xf32>) outs(%arg2 : tensor<6x8xf32>) -> tensor<6x8xf32>
// CHECK-NEXT:    %[[V5:.*]] = tensor.empty() : tensor<8x6xf32>
// CHECK-NEXT:    %[[V6:.*]] = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%[[V4]], %arg3 : tensor<6x8xf32>, tensor<8xf32>) outs(%[[V5]] : tensor<8x6xf32>) {
// CHECK-NEXT:    ^bb0(%[[V7:.*]]: f32, %[[V8:.*]]: f32, %[[V9:.*]]: f32):
// CHECK-NEXT:      %[[V10:.*]] = arith.addf %[[V7]], %[[V8]] : f32
// CHECK-NEXT:      linalg.yield %[[V10]] : f32
// CHECK-NEXT:    } -> tensor<8x6xf32>
// CHECK-NEXT:    util.return %[[V6]] : tensor<8x6xf32>
// CHECK-NEXT:  }
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

// -----

// What reads an argument, an elementwise result or a result with another user transposed keeps its
// order, and so does what reads another product as it lies.
// CHECK-DAG:   #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: util.func public @stay
// CHECK:         linalg.generic {indexing_maps = [#[[SWAP]], #[[ID]]]
// CHECK:         linalg.generic {indexing_maps = [#[[SWAP]], #[[ID]]]
// CHECK:         linalg.generic {indexing_maps = [#[[SWAP]], #[[ID]]]
// CHECK:         linalg.generic {indexing_maps = [#[[ID]], #[[SWAP]], #[[ID]]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
util.func public @stay(%arg0: tensor<6x5xf32>, %arg1: tensor<5x6xf32>, %arg2: tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) {
  %e = tensor.empty() : tensor<6x6xf32>
  %0 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<6x6xf32>) outs(%e : tensor<6x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<6x6xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<6x6xf32>) outs(%e : tensor<6x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<6x6xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<6x5xf32>, tensor<5x6xf32>) outs(%arg2 : tensor<6x6xf32>) -> tensor<6x6xf32>
  %3 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x6xf32>) outs(%e : tensor<6x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<6x6xf32>
  %4 = linalg.matmul ins(%arg0, %arg1 : tensor<6x5xf32>, tensor<5x6xf32>) outs(%arg2 : tensor<6x6xf32>) -> tensor<6x6xf32>
  %5 = linalg.matmul ins(%arg0, %arg1 : tensor<6x5xf32>, tensor<5x6xf32>) outs(%1 : tensor<6x6xf32>) -> tensor<6x6xf32>
  %6 = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%e : tensor<6x6xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %n = arith.addf %in, %in_0 : f32
    linalg.yield %n : f32
  } -> tensor<6x6xf32>
  util.return %1, %2, %3, %6 : tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>
}
