// RUN: npu-opt %s --npu-onnx-infer-shapes | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  // CHECK-LABEL: func @conv
  // CHECK: "Conv"{{.*}} -> tensor<2x6x7xf32>
  // CHECK: "Conv"{{.*}} -> tensor<1x6x4x4x4xf32>
  // CHECK: "ConvTranspose"{{.*}} -> tensor<2x6x19xf32>
  // CHECK: "ConvTranspose"{{.*}} -> tensor<2x6x20xf32>
  // CHECK: "ConvTranspose"{{.*}} -> tensor<2x6x16xf32>
  func.func @conv(%x: tensor<2x4x8xf32>, %w: tensor<6x4x2xf32>, %v: tensor<1x4x4x4x4xf32>,
      %g: tensor<6x2x3x3x3xf32>, %t: tensor<4x3x5xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Conv"(%x, %w) : (tensor<2x4x8xf32>, tensor<6x4x2xf32>) -> !onnx.unknown
    %1 = onnx.node "Conv"(%v, %g) {group = 2 : i64, auto_pad = "SAME_LOWER"}
      : (tensor<1x4x4x4x4xf32>, tensor<6x2x3x3x3xf32>) -> !onnx.unknown
    %2 = onnx.node "ConvTranspose"(%x, %t) {group = 2 : i64, strides = array<i64: 2>}
      : (tensor<2x4x8xf32>, tensor<4x3x5xf32>) -> !onnx.unknown
    %3 = onnx.node "ConvTranspose"(%x, %t) {group = 2 : i64, strides = array<i64: 2>, output_shape = array<i64: 20>}
      : (tensor<2x4x8xf32>, tensor<4x3x5xf32>) -> !onnx.unknown
    %4 = onnx.node "ConvTranspose"(%x, %t) {group = 2 : i64, strides = array<i64: 2>, auto_pad = "SAME_UPPER"}
      : (tensor<2x4x8xf32>, tensor<4x3x5xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4
      : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func @pools
  // CHECK: "MaxPool"{{.*}} -> (tensor<1x2x3x3xui8>, tensor<1x2x3x3xi64>)
  // CHECK: "AveragePool"{{.*}} -> tensor<1x2x4x4xf32>
  // CHECK: "LpPool"{{.*}} -> tensor<1x2x6x6xf32>
  // CHECK: "GlobalMaxPool"{{.*}} -> tensor<1x2x1x1xf32>
  // CHECK: "GlobalLpPool"{{.*}} -> tensor<1x2x1x1xf32>
  func.func @pools(%u: tensor<1x2x7x7xui8>, %x: tensor<1x2x7x7xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0, %1 = onnx.node "MaxPool"(%u) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<1x2x7x7xui8>) -> (!onnx.unknown, !onnx.unknown)
    %2 = onnx.node "AveragePool"(%x) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, ceil_mode = 1 : i64}
      : (tensor<1x2x7x7xf32>) -> !onnx.unknown
    %3 = onnx.node "LpPool"(%x) {kernel_shape = array<i64: 2, 2>} : (tensor<1x2x7x7xf32>) -> !onnx.unknown
    %4 = onnx.node "GlobalMaxPool"(%x) : (tensor<1x2x7x7xf32>) -> !onnx.unknown
    %5 = onnx.node "GlobalLpPool"(%x) : (tensor<1x2x7x7xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5
      : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
