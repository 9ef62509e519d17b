// RUN: npu-opt %s --npu-onnx-infer-shapes | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // CHECK-LABEL: func @matmul
  // CHECK: onnx.node "MatMul"{{.*}} -> tensor<3x5xi32>
  // CHECK: onnx.node "MatMul"{{.*}} -> tensor<2x6x3x5xf32>
  // CHECK: onnx.node "MatMul"{{.*}} -> tensor<6x3xf32>
  // CHECK: onnx.node "MatMul"{{.*}} -> tensor<f32>
  func.func @matmul(%i: tensor<3x4xi32>, %j: tensor<4x5xi32>, %a: tensor<2x1x3x4xf32>,
      %b: tensor<6x4x5xf32>, %c: tensor<6x3x4xf32>, %v: tensor<4xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "MatMul"(%i, %j) : (tensor<3x4xi32>, tensor<4x5xi32>) -> !onnx.unknown
    %1 = onnx.node "MatMul"(%a, %b) : (tensor<2x1x3x4xf32>, tensor<6x4x5xf32>) -> !onnx.unknown
    %2 = onnx.node "MatMul"(%c, %v) : (tensor<6x3x4xf32>, tensor<4xf32>) -> !onnx.unknown
    %3 = onnx.node "MatMul"(%v, %v) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func @gemm
  // CHECK: onnx.node "Gemm"{{.*}} -> tensor<3x5xf32>
  func.func @gemm(%a: tensor<4x3xf32>, %b: tensor<5x4xf32>, %c: tensor<1x5xf32>) -> !onnx.unknown {
    %0 = onnx.node "Gemm"(%a, %b, %c) {transA = 1 : i64, transB = 1 : i64, alpha = 0.5 : f32}
      : (tensor<4x3xf32>, tensor<5x4xf32>, tensor<1x5xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // CHECK-LABEL: func @einsum
  // CHECK: {equation = "...ij, jk"}{{.*}} -> tensor<2x3x5xf32>
  // CHECK: {equation = "b ii->bi"}{{.*}} -> tensor<2x3xf32>
  // CHECK: {equation = "ba"}{{.*}} -> tensor<4x3xf32>
  func.func @einsum(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>, %d: tensor<2x3x3xf32>,
      %t: tensor<3x4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Einsum"(%a, %b) {equation = "...ij, jk"}
      : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> !onnx.unknown
    %1 = onnx.node "Einsum"(%d) {equation = "b ii->bi"} : (tensor<2x3x3xf32>) -> !onnx.unknown
    %2 = onnx.node "Einsum"(%t) {equation = "ba"} : (tensor<3x4xf32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
