// RUN: npu-opt %s --npu-onnx-infer-shapes --npu-onnx-assume-type --split-input-file --verify-diagnostics | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  // A normalization is a part of the convolution, and so is a Relu, behind which no byte is negative. The result is what
  // the bytes stand for.
  // CHECK-LABEL: func @conv
  // CHECK-SAME: (%[[X:.*]]: tensor<1x1x4x4xf32>)
  // CHECK: %[[XQ:.*]] = onnx.node "QuantizeLinear" version 13(%[[X]], %{{.*}}, %{{.*}}) : (tensor<1x1x4x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x1x4x4xi8>
  // CHECK: %[[XF:.*]] = onnx.node "DequantizeLinear" version 13(%[[XQ]], %{{.*}}, %{{.*}})
  // CHECK: %[[W:.*]] = onnx.node "DequantizeLinear" version 13(%{{.*}}, %{{.*}}, %{{.*}}) {axis = 0 : i64} : (tensor<2x1x1x1xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x1x1x1xf32>
  // CHECK: %[[B:.*]] = onnx.node "DequantizeLinear" version 13(%{{.*}}, %{{.*}}) {axis = 0 : i64} : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK: %[[C:.*]] = onnx.node "Conv"(%[[XF]], %[[W]], %[[B]])
  // CHECK-NOT: BatchNormalization
  // CHECK: %[[R:.*]] = onnx.node "Relu"(%[[C]])
  // CHECK: %[[YQ:.*]] = onnx.node "QuantizeLinear" version 13(%[[R]], %[[S:.*]], %[[Z:.*]]) :
  // CHECK: %[[Y:.*]] = onnx.node "DequantizeLinear" version 13(%[[YQ]], %[[S]], %[[Z]])
  // CHECK: return %[[Y]] : tensor<1x2x4x4xf32>
  func.func @conv(%x: tensor<1x1x4x4xf32>) -> !onnx.unknown {
    %w = onnx.constant dense<[[[[0.5]]], [[[-1.0]]]]> : tensor<2x1x1x1xf32>
    %g = onnx.constant dense<[0.5, 2.0]> : tensor<2xf32>
    %0 = onnx.node "Conv"(%x, %w) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> !onnx.unknown
    %1 = onnx.node "BatchNormalization"(%0, %g, %g, %g, %g) : (!onnx.unknown, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
    %2 = onnx.node "Relu"(%1) : (!onnx.unknown) -> !onnx.unknown
    return %2 : !onnx.unknown
  }

  // What moves bytes has one scale; softmax stays in floats between two quantizations.
  // CHECK-LABEL: func @rows
  // CHECK: %[[M:.*]] = onnx.node "MatMul"
  // CHECK: %[[Q:.*]] = onnx.node "QuantizeLinear" version 13(%[[M]], %[[S:.*]], %[[Z:.*]]) :
  // CHECK: %[[F:.*]] = onnx.node "DequantizeLinear" version 13(%[[Q]], %[[S]], %[[Z]])
  // CHECK: %[[T:.*]] = onnx.node "Transpose"(%[[F]])
  // CHECK: %[[TQ:.*]] = onnx.node "QuantizeLinear" version 13(%[[T]], %[[S]], %[[Z]]) :
  // CHECK: %[[TF:.*]] = onnx.node "DequantizeLinear" version 13(%[[TQ]], %[[S]], %[[Z]])
  // CHECK: %[[P:.*]] = onnx.node "Softmax"(%[[TF]])
  // CHECK: onnx.node "QuantizeLinear" version 13(%[[P]]
  func.func @rows(%x: tensor<2x4xf32>, %y: tensor<4x2xf32>) -> !onnx.unknown {
    %0 = onnx.node "MatMul"(%x, %y) : (tensor<2x4xf32>, tensor<4x2xf32>) -> !onnx.unknown
    %1 = onnx.node "Transpose"(%0) : (!onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "Softmax"(%1) : (!onnx.unknown) -> !onnx.unknown
    return %2 : !onnx.unknown
  }

  // An average over windows is a convolution, and an enlarged image are copies of its channels.
  // CHECK-LABEL: func @forms
  // CHECK: onnx.node "Conv" version {{[0-9]+}}(%{{.*}}) {group = 2 : i64, kernel_shape = array<i64: 2, 2>
  // CHECK: onnx.node "Concat"
  // CHECK: onnx.node "DepthToSpace"
  // CHECK-NOT: "Resize"
  func.func @forms(%x: tensor<1x1x4x4xf32>) -> !onnx.unknown {
    %w = onnx.constant dense<[[[[0.5]]], [[[-1.0]]]]> : tensor<2x1x1x1xf32>
    %s = onnx.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
    %n = onnx.none : none
    %0 = onnx.node "Conv"(%x, %w) : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> !onnx.unknown
    %1 = onnx.node "AveragePool"(%0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "Resize"(%1, %n, %s) {coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"} : (!onnx.unknown, none, tensor<4xf32>) -> !onnx.unknown
    return %2 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @quantized(%x: tensor<4xf32>) -> !onnx.unknown {
    %s = onnx.constant dense<0.5> : tensor<f32>
    // expected-error @below {{expected a model in f32 to be timed as if it were quantized, found one that is quantized already (QuantizeLinear); leave out --assume-type}}
    %0 = onnx.node "QuantizeLinear"(%x, %s) : (tensor<4xf32>, tensor<f32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// expected-error @below {{expected a Conv, Gemm or MatMul in f32 that can be quantized, found none; leave out --assume-type}}
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @relu(%x: tensor<4xf32>) -> !onnx.unknown {
    %0 = onnx.node "Relu"(%x) : (tensor<4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
