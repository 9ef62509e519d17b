// Functions of several steps compute in f32 and round once: the same as casts around the function of f32. What is in the tail of a convolution stays
// there, on the NPU.

// RUN: npu-run %s --function=f16 "--expected_output=f16=0" --equality_mode=exact
// RUN: npu-run %s --function=bf16 "--expected_output=bf16=0" --equality_mode=exact
// RUN: npu-run %s --check --function=conv_gelu | FileCheck %s
// RUN: npu-run %s --check --function=conv_swish | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches, 9216 of 9216 MACs
// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
func.func @f16(%x: tensor<8x64xf16>, %s: tensor<64xf16>, %b: tensor<64xf16>) -> !onnx.unknown {
  %w = onnx.node "Cast"(%x) {to = 1 : i64} : (tensor<8x64xf16>) -> !onnx.unknown
  %ws = onnx.node "Cast"(%s) {to = 1 : i64} : (tensor<64xf16>) -> !onnx.unknown
  %wb = onnx.node "Cast"(%b) {to = 1 : i64} : (tensor<64xf16>) -> !onnx.unknown
  %y0 = onnx.node "Gelu"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v0 = onnx.node "Gelu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z0 = onnx.node "Cast"(%v0) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d0 = onnx.node "Sub"(%y0, %z0) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a0 = onnx.node "Abs"(%d0) : (!onnx.unknown) -> !onnx.unknown
  %y1 = onnx.node "Gelu"(%x) {approximate = "tanh"} : (tensor<8x64xf16>) -> !onnx.unknown
  %v1 = onnx.node "Gelu"(%w) {approximate = "tanh"} : (!onnx.unknown) -> !onnx.unknown
  %z1 = onnx.node "Cast"(%v1) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d1 = onnx.node "Sub"(%y1, %z1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a1 = onnx.node "Abs"(%d1) : (!onnx.unknown) -> !onnx.unknown
  %y2 = onnx.node "HardSwish"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v2 = onnx.node "HardSwish"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z2 = onnx.node "Cast"(%v2) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d2 = onnx.node "Sub"(%y2, %z2) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a2 = onnx.node "Abs"(%d2) : (!onnx.unknown) -> !onnx.unknown
  %y3 = onnx.node "HardSigmoid"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v3 = onnx.node "HardSigmoid"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z3 = onnx.node "Cast"(%v3) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d3 = onnx.node "Sub"(%y3, %z3) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a3 = onnx.node "Abs"(%d3) : (!onnx.unknown) -> !onnx.unknown
  %y4 = onnx.node "Sigmoid"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v4 = onnx.node "Sigmoid"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z4 = onnx.node "Cast"(%v4) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d4 = onnx.node "Sub"(%y4, %z4) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a4 = onnx.node "Abs"(%d4) : (!onnx.unknown) -> !onnx.unknown
  %y5 = onnx.node "Swish"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v5 = onnx.node "Swish"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z5 = onnx.node "Cast"(%v5) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d5 = onnx.node "Sub"(%y5, %z5) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a5 = onnx.node "Abs"(%d5) : (!onnx.unknown) -> !onnx.unknown
  %y6 = onnx.node "Softplus"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v6 = onnx.node "Softplus"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z6 = onnx.node "Cast"(%v6) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d6 = onnx.node "Sub"(%y6, %z6) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a6 = onnx.node "Abs"(%d6) : (!onnx.unknown) -> !onnx.unknown
  %y7 = onnx.node "Mish"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v7 = onnx.node "Mish"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z7 = onnx.node "Cast"(%v7) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d7 = onnx.node "Sub"(%y7, %z7) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a7 = onnx.node "Abs"(%d7) : (!onnx.unknown) -> !onnx.unknown
  %y8 = onnx.node "Elu"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v8 = onnx.node "Elu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z8 = onnx.node "Cast"(%v8) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d8 = onnx.node "Sub"(%y8, %z8) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a8 = onnx.node "Abs"(%d8) : (!onnx.unknown) -> !onnx.unknown
  %y9 = onnx.node "Selu"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v9 = onnx.node "Selu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z9 = onnx.node "Cast"(%v9) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d9 = onnx.node "Sub"(%y9, %z9) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a9 = onnx.node "Abs"(%d9) : (!onnx.unknown) -> !onnx.unknown
  %y10 = onnx.node "Celu"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v10 = onnx.node "Celu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z10 = onnx.node "Cast"(%v10) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d10 = onnx.node "Sub"(%y10, %z10) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a10 = onnx.node "Abs"(%d10) : (!onnx.unknown) -> !onnx.unknown
  %y11 = onnx.node "Softsign"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v11 = onnx.node "Softsign"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z11 = onnx.node "Cast"(%v11) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d11 = onnx.node "Sub"(%y11, %z11) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a11 = onnx.node "Abs"(%d11) : (!onnx.unknown) -> !onnx.unknown
  %y12 = onnx.node "LeakyRelu"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v12 = onnx.node "LeakyRelu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z12 = onnx.node "Cast"(%v12) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d12 = onnx.node "Sub"(%y12, %z12) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a12 = onnx.node "Abs"(%d12) : (!onnx.unknown) -> !onnx.unknown
  %y13 = onnx.node "Shrink"(%x) {bias = 0.1 : f32, lambd = 0.3 : f32} : (tensor<8x64xf16>) -> !onnx.unknown
  %v13 = onnx.node "Shrink"(%w) {bias = 0.1 : f32, lambd = 0.3 : f32} : (!onnx.unknown) -> !onnx.unknown
  %z13 = onnx.node "Cast"(%v13) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d13 = onnx.node "Sub"(%y13, %z13) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a13 = onnx.node "Abs"(%d13) : (!onnx.unknown) -> !onnx.unknown
  %y14 = onnx.node "ThresholdedRelu"(%x) {alpha = 0.1 : f32} : (tensor<8x64xf16>) -> !onnx.unknown
  %v14 = onnx.node "ThresholdedRelu"(%w) {alpha = 0.1 : f32} : (!onnx.unknown) -> !onnx.unknown
  %z14 = onnx.node "Cast"(%v14) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d14 = onnx.node "Sub"(%y14, %z14) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a14 = onnx.node "Abs"(%d14) : (!onnx.unknown) -> !onnx.unknown
  %y15 = onnx.node "Softmax"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v15 = onnx.node "Softmax"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z15 = onnx.node "Cast"(%v15) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d15 = onnx.node "Sub"(%y15, %z15) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a15 = onnx.node "Abs"(%d15) : (!onnx.unknown) -> !onnx.unknown
  %y16 = onnx.node "LogSoftmax"(%x) : (tensor<8x64xf16>) -> !onnx.unknown
  %v16 = onnx.node "LogSoftmax"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z16 = onnx.node "Cast"(%v16) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d16 = onnx.node "Sub"(%y16, %z16) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a16 = onnx.node "Abs"(%d16) : (!onnx.unknown) -> !onnx.unknown
  %y17 = onnx.node "Sum"(%x, %s, %b) : (tensor<8x64xf16>, tensor<64xf16>, tensor<64xf16>) -> !onnx.unknown
  %v17 = onnx.node "Sum"(%w, %ws, %wb) : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z17 = onnx.node "Cast"(%v17) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d17 = onnx.node "Sub"(%y17, %z17) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a17 = onnx.node "Abs"(%d17) : (!onnx.unknown) -> !onnx.unknown
  %y18 = onnx.node "Mean"(%x, %s, %b) : (tensor<8x64xf16>, tensor<64xf16>, tensor<64xf16>) -> !onnx.unknown
  %v18 = onnx.node "Mean"(%w, %ws, %wb) : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z18 = onnx.node "Cast"(%v18) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d18 = onnx.node "Sub"(%y18, %z18) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a18 = onnx.node "Abs"(%d18) : (!onnx.unknown) -> !onnx.unknown
  %y19 = onnx.node "LayerNormalization"(%x, %s, %b) : (tensor<8x64xf16>, tensor<64xf16>, tensor<64xf16>) -> !onnx.unknown
  %v19 = onnx.node "LayerNormalization"(%w, %ws, %wb) : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z19 = onnx.node "Cast"(%v19) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d19 = onnx.node "Sub"(%y19, %z19) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a19 = onnx.node "Abs"(%d19) : (!onnx.unknown) -> !onnx.unknown
  %y20 = onnx.node "RMSNormalization"(%x, %s) : (tensor<8x64xf16>, tensor<64xf16>) -> !onnx.unknown
  %v20 = onnx.node "RMSNormalization"(%w, %ws) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z20 = onnx.node "Cast"(%v20) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d20 = onnx.node "Sub"(%y20, %z20) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a20 = onnx.node "Abs"(%d20) : (!onnx.unknown) -> !onnx.unknown
  %threef16 = onnx.constant dense<3.0> : tensor<f16>
  %widef16 = onnx.constant dense<3.0> : tensor<f32>
  %y21 = onnx.node "Pow"(%x, %threef16) : (tensor<8x64xf16>, tensor<f16>) -> !onnx.unknown
  %v21 = onnx.node "Pow"(%w, %widef16) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
  %z21 = onnx.node "Cast"(%v21) {to = 10 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d21 = onnx.node "Sub"(%y21, %z21) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a21 = onnx.node "Abs"(%d21) : (!onnx.unknown) -> !onnx.unknown
  %all = onnx.node "Max"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19, %a20, %a21) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %worst = onnx.node "ReduceMax"(%all) {keepdims = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
  return %worst : !onnx.unknown
}
func.func @bf16(%x: tensor<8x64xbf16>, %s: tensor<64xbf16>, %b: tensor<64xbf16>) -> !onnx.unknown {
  %w = onnx.node "Cast"(%x) {to = 1 : i64} : (tensor<8x64xbf16>) -> !onnx.unknown
  %ws = onnx.node "Cast"(%s) {to = 1 : i64} : (tensor<64xbf16>) -> !onnx.unknown
  %wb = onnx.node "Cast"(%b) {to = 1 : i64} : (tensor<64xbf16>) -> !onnx.unknown
  %y0 = onnx.node "Gelu"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v0 = onnx.node "Gelu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z0 = onnx.node "Cast"(%v0) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d0 = onnx.node "Sub"(%y0, %z0) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a0 = onnx.node "Abs"(%d0) : (!onnx.unknown) -> !onnx.unknown
  %y1 = onnx.node "Gelu"(%x) {approximate = "tanh"} : (tensor<8x64xbf16>) -> !onnx.unknown
  %v1 = onnx.node "Gelu"(%w) {approximate = "tanh"} : (!onnx.unknown) -> !onnx.unknown
  %z1 = onnx.node "Cast"(%v1) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d1 = onnx.node "Sub"(%y1, %z1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a1 = onnx.node "Abs"(%d1) : (!onnx.unknown) -> !onnx.unknown
  %y2 = onnx.node "HardSwish"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v2 = onnx.node "HardSwish"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z2 = onnx.node "Cast"(%v2) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d2 = onnx.node "Sub"(%y2, %z2) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a2 = onnx.node "Abs"(%d2) : (!onnx.unknown) -> !onnx.unknown
  %y3 = onnx.node "HardSigmoid"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v3 = onnx.node "HardSigmoid"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z3 = onnx.node "Cast"(%v3) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d3 = onnx.node "Sub"(%y3, %z3) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a3 = onnx.node "Abs"(%d3) : (!onnx.unknown) -> !onnx.unknown
  %y4 = onnx.node "Sigmoid"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v4 = onnx.node "Sigmoid"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z4 = onnx.node "Cast"(%v4) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d4 = onnx.node "Sub"(%y4, %z4) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a4 = onnx.node "Abs"(%d4) : (!onnx.unknown) -> !onnx.unknown
  %y5 = onnx.node "Swish"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v5 = onnx.node "Swish"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z5 = onnx.node "Cast"(%v5) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d5 = onnx.node "Sub"(%y5, %z5) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a5 = onnx.node "Abs"(%d5) : (!onnx.unknown) -> !onnx.unknown
  %y6 = onnx.node "Softplus"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v6 = onnx.node "Softplus"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z6 = onnx.node "Cast"(%v6) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d6 = onnx.node "Sub"(%y6, %z6) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a6 = onnx.node "Abs"(%d6) : (!onnx.unknown) -> !onnx.unknown
  %y7 = onnx.node "Mish"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v7 = onnx.node "Mish"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z7 = onnx.node "Cast"(%v7) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d7 = onnx.node "Sub"(%y7, %z7) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a7 = onnx.node "Abs"(%d7) : (!onnx.unknown) -> !onnx.unknown
  %y8 = onnx.node "Elu"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v8 = onnx.node "Elu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z8 = onnx.node "Cast"(%v8) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d8 = onnx.node "Sub"(%y8, %z8) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a8 = onnx.node "Abs"(%d8) : (!onnx.unknown) -> !onnx.unknown
  %y9 = onnx.node "Selu"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v9 = onnx.node "Selu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z9 = onnx.node "Cast"(%v9) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d9 = onnx.node "Sub"(%y9, %z9) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a9 = onnx.node "Abs"(%d9) : (!onnx.unknown) -> !onnx.unknown
  %y10 = onnx.node "Celu"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v10 = onnx.node "Celu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z10 = onnx.node "Cast"(%v10) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d10 = onnx.node "Sub"(%y10, %z10) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a10 = onnx.node "Abs"(%d10) : (!onnx.unknown) -> !onnx.unknown
  %y11 = onnx.node "Softsign"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v11 = onnx.node "Softsign"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z11 = onnx.node "Cast"(%v11) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d11 = onnx.node "Sub"(%y11, %z11) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a11 = onnx.node "Abs"(%d11) : (!onnx.unknown) -> !onnx.unknown
  %y12 = onnx.node "LeakyRelu"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v12 = onnx.node "LeakyRelu"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z12 = onnx.node "Cast"(%v12) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d12 = onnx.node "Sub"(%y12, %z12) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a12 = onnx.node "Abs"(%d12) : (!onnx.unknown) -> !onnx.unknown
  %y13 = onnx.node "Shrink"(%x) {bias = 0.1 : f32, lambd = 0.3 : f32} : (tensor<8x64xbf16>) -> !onnx.unknown
  %v13 = onnx.node "Shrink"(%w) {bias = 0.1 : f32, lambd = 0.3 : f32} : (!onnx.unknown) -> !onnx.unknown
  %z13 = onnx.node "Cast"(%v13) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d13 = onnx.node "Sub"(%y13, %z13) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a13 = onnx.node "Abs"(%d13) : (!onnx.unknown) -> !onnx.unknown
  %y14 = onnx.node "ThresholdedRelu"(%x) {alpha = 0.1 : f32} : (tensor<8x64xbf16>) -> !onnx.unknown
  %v14 = onnx.node "ThresholdedRelu"(%w) {alpha = 0.1 : f32} : (!onnx.unknown) -> !onnx.unknown
  %z14 = onnx.node "Cast"(%v14) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d14 = onnx.node "Sub"(%y14, %z14) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a14 = onnx.node "Abs"(%d14) : (!onnx.unknown) -> !onnx.unknown
  %y15 = onnx.node "Softmax"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v15 = onnx.node "Softmax"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z15 = onnx.node "Cast"(%v15) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d15 = onnx.node "Sub"(%y15, %z15) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a15 = onnx.node "Abs"(%d15) : (!onnx.unknown) -> !onnx.unknown
  %y16 = onnx.node "LogSoftmax"(%x) : (tensor<8x64xbf16>) -> !onnx.unknown
  %v16 = onnx.node "LogSoftmax"(%w) : (!onnx.unknown) -> !onnx.unknown
  %z16 = onnx.node "Cast"(%v16) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d16 = onnx.node "Sub"(%y16, %z16) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a16 = onnx.node "Abs"(%d16) : (!onnx.unknown) -> !onnx.unknown
  %y17 = onnx.node "Sum"(%x, %s, %b) : (tensor<8x64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> !onnx.unknown
  %v17 = onnx.node "Sum"(%w, %ws, %wb) : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z17 = onnx.node "Cast"(%v17) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d17 = onnx.node "Sub"(%y17, %z17) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a17 = onnx.node "Abs"(%d17) : (!onnx.unknown) -> !onnx.unknown
  %y18 = onnx.node "Mean"(%x, %s, %b) : (tensor<8x64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> !onnx.unknown
  %v18 = onnx.node "Mean"(%w, %ws, %wb) : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z18 = onnx.node "Cast"(%v18) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d18 = onnx.node "Sub"(%y18, %z18) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a18 = onnx.node "Abs"(%d18) : (!onnx.unknown) -> !onnx.unknown
  %y19 = onnx.node "LayerNormalization"(%x, %s, %b) : (tensor<8x64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> !onnx.unknown
  %v19 = onnx.node "LayerNormalization"(%w, %ws, %wb) : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z19 = onnx.node "Cast"(%v19) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d19 = onnx.node "Sub"(%y19, %z19) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a19 = onnx.node "Abs"(%d19) : (!onnx.unknown) -> !onnx.unknown
  %y20 = onnx.node "RMSNormalization"(%x, %s) : (tensor<8x64xbf16>, tensor<64xbf16>) -> !onnx.unknown
  %v20 = onnx.node "RMSNormalization"(%w, %ws) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %z20 = onnx.node "Cast"(%v20) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d20 = onnx.node "Sub"(%y20, %z20) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a20 = onnx.node "Abs"(%d20) : (!onnx.unknown) -> !onnx.unknown
  %threebf16 = onnx.constant dense<3.0> : tensor<bf16>
  %widebf16 = onnx.constant dense<3.0> : tensor<f32>
  %y21 = onnx.node "Pow"(%x, %threebf16) : (tensor<8x64xbf16>, tensor<bf16>) -> !onnx.unknown
  %v21 = onnx.node "Pow"(%w, %widebf16) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
  %z21 = onnx.node "Cast"(%v21) {to = 16 : i64} : (!onnx.unknown) -> !onnx.unknown
  %d21 = onnx.node "Sub"(%y21, %z21) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %a21 = onnx.node "Abs"(%d21) : (!onnx.unknown) -> !onnx.unknown
  %all = onnx.node "Max"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19, %a20, %a21) : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %worst = onnx.node "ReduceMax"(%all) {keepdims = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
  return %worst : !onnx.unknown
}
func.func @conv_gelu(%x: tensor<1x4x8x8xf16>, %w: tensor<4x4x3x3xf16>) -> !onnx.unknown {
  %0 = onnx.node "Conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf16>, tensor<4x4x3x3xf16>) -> !onnx.unknown
  %1 = onnx.node "Gelu"(%0) : (!onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @conv_swish(%x: tensor<1x4x8x8xf16>, %w: tensor<4x4x3x3xf16>) -> !onnx.unknown {
  %0 = onnx.node "Conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf16>, tensor<4x4x3x3xf16>) -> !onnx.unknown
  %1 = onnx.node "Swish"(%0) : (!onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}
}
