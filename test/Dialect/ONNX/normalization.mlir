// RUN: npu-opt %s --npu-onnx-infer-shapes | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 23 : i64}} {
  // CHECK-LABEL: func @normalizations
  // CHECK: "BatchNormalization"{{.*}} -> (tensor<2x4x5x6xf16>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: "LayerNormalization"{{.*}} -> (tensor<2x4x5x6xf16>, tensor<2x4x1x1xf32>, tensor<2x4x1x1xf32>)
  // CHECK: "RMSNormalization"{{.*}} -> tensor<2x4x5x6xf16>
  // CHECK: "GroupNormalization"{{.*}} -> tensor<2x4x5x6xf16>
  // CHECK: "Softmax"{{.*}} -> tensor<2x4x5x6xf16>
  func.func @normalizations(%x: tensor<2x4x5x6xf16>, %c: tensor<4xf32>, %l: tensor<5x6xf16>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0, %1, %2 = onnx.node "BatchNormalization"(%x, %c, %c, %c, %c) {training_mode = 1 : i64}
      : (tensor<2x4x5x6xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    %3, %4, %5 = onnx.node "LayerNormalization"(%x, %l) {axis = 2 : i64}
      : (tensor<2x4x5x6xf16>, tensor<5x6xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    %6 = onnx.node "RMSNormalization"(%x, %l) {axis = -2 : i64} : (tensor<2x4x5x6xf16>, tensor<5x6xf16>) -> !onnx.unknown
    %7 = onnx.node "GroupNormalization"(%x, %c, %c) {num_groups = 2 : i64} : (tensor<2x4x5x6xf16>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    %8 = onnx.node "Softmax"(%x) : (tensor<2x4x5x6xf16>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8
      : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
