// A quantized network as tools export it: all of it runs on the NPU, in integers.

// RUN: npu-run %s --check "--input=1x3x8x8xi8=random(1)" | FileCheck %s

// CHECK: op: linalg.generic {{.*}} dtype: i8xi8xi32
// CHECK: on the NPU: [[N:.*]] of [[N]] dispatches
// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
func.func @conv(%xq: tensor<1x3x8x8xui8>) -> tensor<1x4x8x8xui8> {
  %xs = onnx.constant dense<0.02> : tensor<f32>
  %xz = onnx.constant dense<120> : tensor<ui8>
  %ws = onnx.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %wz = onnx.constant dense<0> : tensor<4xi8>
  %wq = onnx.constant dense<[[[[1, -2, 3], [4, 5, -6], [7, 8, 9]], [[1, -2, 3], [4, 5, -6], [7, 8, 9]], [[1, -2, 3], [4, 5, -6], [7, 8, 9]]],
   [[[11, -2, 3], [4, 5, -6], [7, 8, 9]], [[1, -2, 3], [4, 5, -6], [7, 8, 9]], [[1, -2, 3], [4, 5, -6], [7, 8, 9]]],
   [[[1, -2, 3], [4, 51, -6], [7, 8, 9]], [[1, -2, 3], [4, -5, -6], [7, 8, 9]], [[1, -2, 3], [4, 5, -6], [7, 8, 9]]],
   [[[1, -2, 3], [4, 5, -6], [-127, 8, 9]], [[1, -2, 3], [4, 5, -6], [7, 8, 9]], [[1, -2, 3], [4, 5, 127], [7, 8, 9]]]]> : tensor<4x3x3x3xi8>
  %bias = onnx.constant dense<[0.1, -0.2, 0.3, 0.4]> : tensor<4xf32>
  %ys = onnx.constant dense<0.05> : tensor<f32>
  %yz = onnx.constant dense<0> : tensor<ui8>
  %x = onnx.node "DequantizeLinear"(%xq, %xs, %xz) : (tensor<1x3x8x8xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  %w = onnx.node "DequantizeLinear"(%wq, %ws, %wz) {axis = 0 : i64} : (tensor<4x3x3x3xi8>, tensor<4xf32>, tensor<4xi8>) -> !onnx.unknown
  %c = onnx.node "Conv"(%x, %w, %bias) {pads = array<i64: 1, 1, 1, 1>} : (!onnx.unknown, !onnx.unknown, tensor<4xf32>) -> !onnx.unknown
  %r = onnx.node "Relu"(%c) : (!onnx.unknown) -> !onnx.unknown
  %y = onnx.node "QuantizeLinear"(%r, %ys, %yz) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> tensor<1x4x8x8xui8>
  return %y : tensor<1x4x8x8xui8>
}
}
