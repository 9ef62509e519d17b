// Functions of quantized numbers as tools export them, between DequantizeLinear and QuantizeLinear, run as tables, also on a chip without floats.

// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=sigmoid "--input=2x3x50x40xi8=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=tanh "--input=2x3x50x40xi8=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=gelu "--input=2x3x50x40xi8=random(1)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=swish_of_product "--input=20x30xi8=random(1)" "--input=30x16xi8=random(2)" | FileCheck %s --check-prefixes=CHECK,PRODUCT
// RUN: npu-run %s --check --target=npu-v1 --function=gelu "--input=2x3x50x40xi8=random(1)" | FileCheck %s
// RUN: npu-run %s --check --target=npu-v1 --function=swish_of_product "--input=20x30xi8=random(1)" "--input=30x16xi8=random(2)" | FileCheck %s --check-prefixes=CHECK,PRODUCT

// CHECK: on the NPU: 1 of 1 dispatches
// PRODUCT-SAME: [[M:[1-9][0-9]*]] of [[M]] MACs
// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 20 : i64}} {
func.func @sigmoid(%xq: tensor<2x3x50x40xi8>) -> tensor<2x3x50x40xi8> {
  %xs = onnx.constant dense<0.05> : tensor<f32>
  %xz = onnx.constant dense<3> : tensor<i8>
  %ys = onnx.constant dense<0.00390625> : tensor<f32>
  %yz = onnx.constant dense<-128> : tensor<i8>
  %x = onnx.node "DequantizeLinear"(%xq, %xs, %xz) : (tensor<2x3x50x40xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %r = onnx.node "Sigmoid"(%x) : (!onnx.unknown) -> !onnx.unknown
  %y = onnx.node "QuantizeLinear"(%r, %ys, %yz) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> tensor<2x3x50x40xi8>
  return %y : tensor<2x3x50x40xi8>
}

func.func @tanh(%xq: tensor<2x3x50x40xui8>) -> tensor<2x3x50x40xui8> {
  %xs = onnx.constant dense<0.03> : tensor<f32>
  %xz = onnx.constant dense<128> : tensor<ui8>
  %ys = onnx.constant dense<0.0078125> : tensor<f32>
  %yz = onnx.constant dense<128> : tensor<ui8>
  %x = onnx.node "DequantizeLinear"(%xq, %xs, %xz) : (tensor<2x3x50x40xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  %r = onnx.node "Tanh"(%x) : (!onnx.unknown) -> !onnx.unknown
  %y = onnx.node "QuantizeLinear"(%r, %ys, %yz) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> tensor<2x3x50x40xui8>
  return %y : tensor<2x3x50x40xui8>
}

// From signed to unsigned numbers.
func.func @gelu(%xq: tensor<2x3x50x40xi8>) -> tensor<2x3x50x40xui8> {
  %xs = onnx.constant dense<0.04> : tensor<f32>
  %xz = onnx.constant dense<-7> : tensor<i8>
  %ys = onnx.constant dense<0.02> : tensor<f32>
  %yz = onnx.constant dense<9> : tensor<ui8>
  %x = onnx.node "DequantizeLinear"(%xq, %xs, %xz) : (tensor<2x3x50x40xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %r = onnx.node "Gelu"(%x) : (!onnx.unknown) -> !onnx.unknown
  %y = onnx.node "QuantizeLinear"(%r, %ys, %yz) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> tensor<2x3x50x40xui8>
  return %y : tensor<2x3x50x40xui8>
}

// Behind a product: what is quantized is a requantization, what is computed of that a table in the same kernel.
func.func @swish_of_product(%xq: tensor<20x30xi8>, %wq: tensor<30x16xi8>) -> tensor<20x16xi8> {
  %xs = onnx.constant dense<0.02> : tensor<f32>
  %zero = onnx.constant dense<0> : tensor<i8>
  %ws = onnx.constant dense<0.01> : tensor<f32>
  %ys = onnx.constant dense<0.05> : tensor<f32>
  %yz = onnx.constant dense<-3> : tensor<i8>
  %x = onnx.node "DequantizeLinear"(%xq, %xs, %zero) : (tensor<20x30xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %w = onnx.node "DequantizeLinear"(%wq, %ws, %zero) : (tensor<30x16xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %p = onnx.node "MatMul"(%x, %w) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %pq = onnx.node "QuantizeLinear"(%p, %ys, %yz) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %pd = onnx.node "DequantizeLinear"(%pq, %ys, %yz) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %s = onnx.node "Sigmoid"(%pd) : (!onnx.unknown) -> !onnx.unknown
  %sp = onnx.node "Mul"(%pd, %s) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %y = onnx.node "QuantizeLinear"(%sp, %ys, %yz) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> tensor<20x16xi8>
  return %y : tensor<20x16xi8>
}
}
