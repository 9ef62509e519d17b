// RUN: npu-opt %s --npu-onnx-infer-shapes | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 21 : i64}} {
  // CHECK-LABEL: func @quantize
  // CHECK: "QuantizeLinear"{{.*}} -> tensor<2x3xui8>
  // CHECK: "QuantizeLinear"{{.*}} -> tensor<2x3xi16>
  // CHECK: "DequantizeLinear"{{.*}} -> tensor<2x3xf16>
  // CHECK: "DynamicQuantizeLinear"{{.*}} -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>)
  func.func @quantize(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %h: tensor<1xf16>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "QuantizeLinear"(%x, %s) : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    %1 = onnx.node "QuantizeLinear"(%x, %s) {output_dtype = 5 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    %2 = onnx.node "DequantizeLinear"(%1, %h) : (!onnx.unknown, tensor<1xf16>) -> !onnx.unknown
    %3, %4, %5 = onnx.node "DynamicQuantizeLinear"(%x) : (tensor<2x3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    return %0, %2, %3, %4, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func @products
  // CHECK: "QLinearMatMul"{{.*}} -> tensor<2x4xi8>
  // CHECK: "MatMulInteger"{{.*}} -> tensor<2x4xi32>
  // CHECK: "ConvInteger"{{.*}} -> tensor<1x4x3xi32>
  func.func @products(%a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %s: tensor<f32>, %z: tensor<ui8>, %n: tensor<4xi8>,
      %m: tensor<i8>, %x: tensor<1x2x5xi8>, %w: tensor<4x2x3xui8>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "QLinearMatMul"(%a, %s, %z, %b, %s, %n, %s, %m)
      : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xi8>, tensor<f32>, tensor<4xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "MatMulInteger"(%a, %b) : (tensor<2x3xui8>, tensor<3x4xi8>) -> !onnx.unknown
    %2 = onnx.node "ConvInteger"(%x, %w) : (tensor<1x2x5xi8>, tensor<4x2x3xui8>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
