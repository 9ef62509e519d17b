// RUN: npu-opt %s --npu-onnx-pipeline | FileCheck %s

// CHECK-DAG: #[[$MK:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$KM:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[$NK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$KN:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$MN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$DIAGONAL:.*]] = affine_map<(d0) -> (d0, d0)>

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // Transposed sides are read as they are; alpha and beta are behind the product.
  // CHECK-LABEL: func @gemm
  // CHECK: linalg.generic {indexing_maps = [#[[$KM]], #[[$NK]], #[[$MN]]], iterator_types = ["parallel", "parallel", "reduction"]}
  // CHECK: arith.mulf
  // CHECK: arith.addf
  // CHECK: linalg.generic
  // CHECK: %[[ALPHA:.*]] = arith.constant 5.000000e-01 : f32
  // CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[ALPHA]]
  // CHECK: arith.addf %[[SCALED]], %{{.*}}
  func.func @gemm(%a: tensor<4x3xf32>, %b: tensor<5x4xf32>, %c: tensor<5xf32>) -> !onnx.unknown {
    %0 = onnx.node "Gemm"(%a, %b, %c) {transA = 1 : i64, transB = 1 : i64, alpha = 0.5 : f32}
      : (tensor<4x3xf32>, tensor<5x4xf32>, tensor<5xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // Batches of the left side only are rows.
  // CHECK-LABEL: func @rows
  // CHECK: tensor.collapse_shape {{.*}} : tensor<2x6x3x4xf32> into tensor<36x4xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[$MK]], #[[$KN]], #[[$MN]]]
  // CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<36x4xf32>, tensor<4x5xf32>)
  func.func @rows(%a: tensor<2x6x3x4xf32>, %b: tensor<4x5xf32>) -> !onnx.unknown {
    %0 = onnx.node "MatMul"(%a, %b) : (tensor<2x6x3x4xf32>, tensor<4x5xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // Batches of both sides become one, and nothing is copied to broadcast.
  // CHECK-LABEL: func @batches
  // CHECK: ins(%{{.*}}, %{{.*}} : tensor<6x3x4xf32>, tensor<6x4x5xf32>)
  // CHECK: ins(%{{.*}}, %{{.*}} : tensor<2x3x4xf32>, tensor<6x4x5xf32>)
  // CHECK-SAME: outs(%{{.*}} : tensor<2x6x3x5xf32>)
  func.func @batches(%a: tensor<2x3x3x4xf32>, %b: tensor<2x3x4x5xf32>, %c: tensor<2x1x3x4xf32>, %d: tensor<6x4x5xf32>)
      -> (!onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "MatMul"(%a, %b) : (tensor<2x3x3x4xf32>, tensor<2x3x4x5xf32>) -> !onnx.unknown
    %1 = onnx.node "MatMul"(%c, %d) : (tensor<2x1x3x4xf32>, tensor<6x4x5xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func @einsum
  // CHECK: linalg.generic {indexing_maps = [#[[$DIAGONAL]], #{{.*}}], iterator_types = ["parallel"]}
  // CHECK: linalg.transpose
  // CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction"]
  func.func @einsum(%a: tensor<4x4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Einsum"(%a) {equation = "ii->i"} : (tensor<4x4xf32>) -> !onnx.unknown
    %1 = onnx.node "Einsum"(%a) {equation = "ij->ji"} : (tensor<4x4xf32>) -> !onnx.unknown
    %2 = onnx.node "Einsum"(%a) {equation = "ij->"} : (tensor<4x4xf32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
