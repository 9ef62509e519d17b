// RUN: npu-opt %s --npu-sums-to-products --split-input-file | FileCheck %s

// Along the inner dimension: the ones have that dimension only.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ONES:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[SUM:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @rows
// CHECK:         %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<64xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[X]], #[[ONES]], #[[SUM]]], iterator_types = ["parallel", "reduction"]} ins(%arg0, %[[ONE]] : tensor<8x64xf32>, tensor<64xf32>) outs(%arg1 : tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %[[O:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[IN]], %[[O]] : f32
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[OUT]], %[[P]] : f32
// CHECK-NEXT:      linalg.yield %[[S]] : f32
func.func @rows(%x: tensor<8x64xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}

// -----

// Dimensions around the innermost one are batches, which the ones have as well.
// CHECK-DAG: #[[ONES:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @middle
// CHECK:         arith.constant dense<1.000000e+00> : tensor<4x64xf16>
// CHECK:         indexing_maps = [#{{.*}}, #[[ONES]], #{{.*}}]
// CHECK:         arith.extf %{{.*}} : f16 to f32
// CHECK:         arith.extf %{{.*}} : f16 to f32
func.func @middle(%x: tensor<4x64x8xf16>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, j, k) -> (b, k, j)>, affine_map<(b, j, k) -> (b, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x64x8xf16>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %1 = arith.extf %in : f16 to f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A pooling adds up windows of each channel; its own window operand is dropped.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
// CHECK-DAG: #[[ONES:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5)>
// CHECK-LABEL: func.func @pooling
// CHECK:         %[[ONE:.*]] = arith.constant dense<1> : tensor<16x2x2xi8>
// CHECK:         linalg.generic {indexing_maps = [#[[X]], #[[ONES]], #{{.*}}]{{.*}}} ins(%arg0, %[[ONE]] : tensor<1x8x8x16xi8>, tensor<16x2x2xi8>) outs(%arg1 : tensor<1x4x4x16xi32>)
// CHECK:         arith.extsi
// CHECK:         arith.extsi
// CHECK:         arith.muli
// CHECK:         arith.addi
func.func @pooling(%x: tensor<1x8x8x16xi8>, %init: tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xi32> {
  %w = tensor.empty() : tensor<2x2xi8>
  %0 = linalg.pooling_nhwc_sum {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x8x8x16xi8>, tensor<2x2xi8>) outs(%init : tensor<1x4x4x16xi32>) -> tensor<1x4x4x16xi32>
  return %0 : tensor<1x4x4x16xi32>
}

// -----

// i16 is multiplied by i8.
// CHECK-LABEL: func.func @i16
// CHECK:         arith.constant dense<1> : tensor<64xi8>
// CHECK:         arith.muli
func.func @i16(%x: tensor<8x64xi16>, %init: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.reduce ins(%x : tensor<8x64xi16>) outs(%init : tensor<8xi32>) dimensions = [1]
  (%in: i16, %out: i32) {
    %1 = arith.extsi %in : i16 to i32
    %2 = arith.addi %1, %out : i32
    linalg.yield %2 : i32
  }
  return %0 : tensor<8xi32>
}

// -----

// What stays: sums into one element, of computed terms, of indices, of unsigned numbers and of bits,
// of dynamic shape, of what is the same for every term, into itself, and other reductions.
// CHECK-LABEL: func.func @all
// CHECK-NOT:     arith.mul
func.func @all(%x: tensor<8x64xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x64xf32>) outs(%init : tensor<f32>) dimensions = [0, 1]
  return %0 : tensor<f32>
}
// CHECK-LABEL: func.func @computed
func.func @computed(%x: tensor<8x64xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  (%in: f32, %out: f32) {
    %1 = math.exp %in : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  }
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @index
func.func @index(%x: tensor<8x64xi32>, %init: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x64xi32>) outs(%init : tensor<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %i = linalg.index 1 : index
    %1 = arith.index_cast %i : index to i32
    %2 = arith.addi %1, %out : i32
    linalg.yield %2 : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%x: tensor<8x64xi8>, %init: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.reduce ins(%x : tensor<8x64xi8>) outs(%init : tensor<8xi32>) dimensions = [1]
  (%in: i8, %out: i32) {
    %1 = arith.extui %in : i8 to i32
    %2 = arith.addi %1, %out : i32
    linalg.yield %2 : i32
  }
  return %0 : tensor<8xi32>
}
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<8x?xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x?xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @bits
func.func @bits(%x: tensor<8x64xi1>, %init: tensor<8xi32>) -> tensor<8xi32> {
  %0 = linalg.reduce ins(%x : tensor<8x64xi1>) outs(%init : tensor<8xi32>) dimensions = [1]
  (%in: i1, %out: i32) {
    %1 = arith.extsi %in : i1 to i32
    %2 = arith.addi %1, %out : i32
    linalg.yield %2 : i32
  }
  return %0 : tensor<8xi32>
}
// CHECK-LABEL: func.func @repeated
func.func @repeated(%x: tensor<8xf32>, %window: tensor<3xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %window : tensor<8xf32>, tensor<3xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%in: f32, %w: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @doubled
func.func @doubled(%x: tensor<8x64xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  (%in: f32, %out: f32) {
    %1 = arith.addf %out, %out : f32
    linalg.yield %1 : f32
  }
  return %0 : tensor<8xf32>
}
// CHECK-LABEL: func.func @maximum
func.func @maximum(%x: tensor<8x64xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}
