// RUN: npu-opt %s --npu-onnx-pipeline | FileCheck %s

// Before opset 13, all dimensions from the axis on are one.
module attributes {onnx.opset = {ai.onnx = 11 : i64}} {
  // CHECK-LABEL: func @softmax
  // CHECK: linalg.reduce {{.*}} dimensions = [1, 2]
  // CHECK: linalg.reduce {{.*}} dimensions = [1, 2]
  func.func @softmax(%x: tensor<2x4x3xf32>) -> !onnx.unknown {
    %0 = onnx.node "Softmax"(%x) : (tensor<2x4x3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
