// Products of quantized models that stay products of floats, as something is between them and the QuantizeLinear: their weights are dequantized while
// compiling, or, beyond the limit, by a dispatch beside them, so that the NPU multiplies. Those that are integers stay integers.

// RUN: npu-run %s --check "--function=add" | FileCheck %s --check-prefixes=CHECK,CONSTANT
// RUN: npu-run %s --check "--function=computed" | FileCheck %s --check-prefixes=CHECK,COMPUTED
// RUN: npu-run %s --check "--function=integers" | FileCheck %s --check-prefixes=CHECK,INTEGERS

// CONSTANT: dtype: f32
// COMPUTED: dtype: i8xf32
// INTEGERS: dtype: i8xi8xi32
// CHECK: on the NPU: [[N:[0-9]+]] of [[N]] dispatches, 128 of 128 MACs
// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
func.func @add(%x: tensor<4x8xf32>) -> !onnx.unknown {
  %s = onnx.constant dense<0.02> : tensor<f32>
  %z = onnx.constant dense<128> : tensor<ui8>
  %wq = onnx.constant dense<[[1, -2, 3, 4], [5, 6, -7, 8], [9, 10, 11, -12], [13, 14, 15, 16], [-1, 2, 3, 4], [5, -6, 7, 8], [9, 10, -11, 12], [13, 14, 15, -16]]> : tensor<8x4xi8>
  %ws = onnx.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %b = onnx.constant dense<[0.1, -0.2, 0.3, -0.4]> : tensor<4xf32>
  %0 = onnx.node "QuantizeLinear"(%x, %s, %z) : (tensor<4x8xf32>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  %1 = onnx.node "DequantizeLinear"(%0, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  %2 = onnx.node "DequantizeLinear"(%wq, %ws) {axis = 1 : i64} : (tensor<8x4xi8>, tensor<4xf32>) -> !onnx.unknown
  %3 = onnx.node "MatMul"(%1, %2) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %4 = onnx.node "Add"(%3, %b) : (!onnx.unknown, tensor<4xf32>) -> !onnx.unknown
  %5 = onnx.node "QuantizeLinear"(%4, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  return %5 : !onnx.unknown
}
func.func @computed(%x: tensor<4x8xf32>, %wq: tensor<8x4xi8>) -> !onnx.unknown {
  %ws = onnx.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %0 = onnx.node "DequantizeLinear"(%wq, %ws) {axis = 1 : i64} : (tensor<8x4xi8>, tensor<4xf32>) -> !onnx.unknown
  %1 = onnx.node "MatMul"(%x, %0) : (tensor<4x8xf32>, !onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @integers(%xq: tensor<4x8xi8>) -> !onnx.unknown {
  %s = onnx.constant dense<0.02> : tensor<f32>
  %wq = onnx.constant dense<[[1, -2, 3, 4], [5, 6, -7, 8], [9, 10, 11, -12], [13, 14, 15, 16], [-1, 2, 3, 4], [5, -6, 7, 8], [9, 10, -11, 12], [13, 14, 15, -16]]> : tensor<8x4xi8>
  %z = onnx.constant dense<0> : tensor<i8>
  %0 = onnx.node "DequantizeLinear"(%xq, %s) : (tensor<4x8xi8>, tensor<f32>) -> !onnx.unknown
  %1 = onnx.node "DequantizeLinear"(%wq, %s) : (tensor<8x4xi8>, tensor<f32>) -> !onnx.unknown
  %2 = onnx.node "MatMul"(%0, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %3 = onnx.node "QuantizeLinear"(%2, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %3 : !onnx.unknown
}
}
