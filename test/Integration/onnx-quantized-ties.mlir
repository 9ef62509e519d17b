// A convolution in f32 between quantized tensors, which is not computed in integers, has sums in the middle between two steps, and which of them is taken depends on the order
// of the terms: bytes differ there, by a step, and so does what is computed of them.
// RUN: npu-run %s --check --function=in_one_dispatch | FileCheck %s
// RUN: npu-run %s --check --function=tied | FileCheck %s --check-prefix=WHOLE
// RUN: npu-run %s --check --function=followed | FileCheck %s --check-prefix=WHOLE

// CHECK: host check: match: {{.*}} max abs error 1, {{.*}} max error / allowed 1
// CHECK: matches host

// Where a dispatch adds up and another one rounds, each agrees with the host, and what comes out at the end does not.
// WHOLE: output0: {{.*}} match: {{.*}} max abs error 1{{.*}} max error / allowed 1
// WHOLE: matches host

module attributes {onnx.opset = {ai.onnx = 17 : i64}} {
func.func @in_one_dispatch(%x: tensor<1x64x28x28xi8>, %w: tensor<64x16x1x1xi8>) -> !onnx.unknown {
  %step = onnx.constant dense<5.000000e-02> : tensor<f32>
  %weightStep = onnx.constant dense<2.000000e-03> : tensor<f32>
  %zero = onnx.constant dense<0> : tensor<i8>
  %0 = onnx.node "DequantizeLinear"(%x, %step, %zero) : (tensor<1x64x28x28xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %1 = onnx.node "DequantizeLinear"(%w, %weightStep, %zero) : (tensor<64x16x1x1xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %2 = onnx.node "ConvTranspose"(%0, %1) {kernel_shape = array<i64: 1, 1>} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %outStep = onnx.constant dense<2.000000e-02> : tensor<f32>
  %3 = onnx.node "QuantizeLinear"(%2, %outStep, %zero) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %3 : !onnx.unknown
}

func.func @tied(%x: tensor<1x64x28x28xi8>, %w: tensor<64x16x2x2xi8>) -> !onnx.unknown {
  %step = onnx.constant dense<5.000000e-02> : tensor<f32>
  %weightStep = onnx.constant dense<2.000000e-03> : tensor<f32>
  %zero = onnx.constant dense<0> : tensor<i8>
  %0 = onnx.node "DequantizeLinear"(%x, %step, %zero) : (tensor<1x64x28x28xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %1 = onnx.node "DequantizeLinear"(%w, %weightStep, %zero) : (tensor<64x16x2x2xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %2 = onnx.node "ConvTranspose"(%0, %1) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %outStep = onnx.constant dense<5.000000e+00> : tensor<f32>
  %3 = onnx.node "QuantizeLinear"(%2, %outStep, %zero) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %3 : !onnx.unknown
}

func.func @followed(%x: tensor<1x64x28x28xi8>, %w: tensor<64x16x2x2xi8>, %v: tensor<8x16x3x3xi8>) -> !onnx.unknown {
  %step = onnx.constant dense<5.000000e-02> : tensor<f32>
  %weightStep = onnx.constant dense<2.000000e-03> : tensor<f32>
  %zero = onnx.constant dense<0> : tensor<i8>
  %0 = onnx.node "DequantizeLinear"(%x, %step, %zero) : (tensor<1x64x28x28xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %1 = onnx.node "DequantizeLinear"(%w, %weightStep, %zero) : (tensor<64x16x2x2xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %2 = onnx.node "ConvTranspose"(%0, %1) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %outStep = onnx.constant dense<5.000000e+00> : tensor<f32>
  %3 = onnx.node "QuantizeLinear"(%2, %outStep, %zero) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %4 = onnx.node "DequantizeLinear"(%3, %outStep, %zero) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %5 = onnx.node "DequantizeLinear"(%v, %weightStep, %zero) : (tensor<8x16x3x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %6 = onnx.node "Conv"(%4, %5) {kernel_shape = array<i64: 3, 3>} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %lastStep = onnx.constant dense<1.500000e+00> : tensor<f32>
  %7 = onnx.node "QuantizeLinear"(%6, %lastStep, %zero) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  %8 = onnx.node "DequantizeLinear"(%7, %lastStep, %zero) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
}
