// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Operators of com.microsoft on quantized tensors.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @softmaxAxis(%x: tensor<2x3x4xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> !onnx.unknown {
    // expected-error @below {{node (QLinearSoftmax of domain 'com.microsoft' version 1): expected the last axis before opset 13, found 1}}
    %0 = onnx.node "QLinearSoftmax" of "com.microsoft"(%x, %s, %z, %s, %z) {axis = 1 : i64, opset = 12 : i64} : (tensor<2x3x4xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @concatInputs(%x: tensor<2x3x4xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> !onnx.unknown {
    // expected-error @below {{node (QLinearConcat of domain 'com.microsoft' version 1): expected a scale and a zero point of the result, and three inputs for each part, found 6 inputs}}
    %0 = onnx.node "QLinearConcat" of "com.microsoft"(%s, %z, %x, %s, %z, %x) {axis = 0 : i64} : (tensor<f32>, tensor<ui8>, tensor<2x3x4xui8>, tensor<f32>, tensor<ui8>, tensor<2x3x4xui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @gemmRows(%x: tensor<2x3x4xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> !onnx.unknown {
    // expected-error @below {{node (QGemm of domain 'com.microsoft' version 1): expected two matrices, found 'tensor<2x3x4xui8>' and 'tensor<2x3x4xui8>'}}
    %0 = onnx.node "QGemm" of "com.microsoft"(%x, %s, %z, %x, %s, %z) : (tensor<2x3x4xui8>, tensor<f32>, tensor<ui8>, tensor<2x3x4xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @gemmBias(%x: tensor<3x4xui8>, %w: tensor<4x5xui8>, %s: tensor<f32>, %z: tensor<ui8>, %c: tensor<3x1xi32>) -> !onnx.unknown {
    // expected-error @below {{node (QGemm of domain 'com.microsoft' version 1): expected 5 elements of C, one for each column, found 'tensor<3x1xi32>'}}
    %0 = onnx.node "QGemm" of "com.microsoft"(%x, %s, %z, %w, %s, %z, %c) : (tensor<3x4xui8>, tensor<f32>, tensor<ui8>, tensor<4x5xui8>, tensor<f32>, tensor<ui8>, tensor<3x1xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @averagePool(%x: tensor<2x3xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> !onnx.unknown {
    // expected-error @below {{node (QLinearAveragePool of domain 'com.microsoft' version 1): expected at least 3 dimensions, found 'tensor<2x3xui8>'}}
    %0 = onnx.node "QLinearAveragePool" of "com.microsoft"(%x, %s, %z, %s, %z) {kernel_shape = array<i64: 1>} : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @globalAveragePool(%x: tensor<2x3xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> !onnx.unknown {
    // expected-error @below {{node (QLinearGlobalAveragePool of domain 'com.microsoft' version 1): expected at least 3 dimensions, found 'tensor<2x3xui8>'}}
    %0 = onnx.node "QLinearGlobalAveragePool" of "com.microsoft"(%x, %s, %z, %s, %z) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @maxPool(%x: tensor<2x3xui8>) -> !onnx.unknown {
    // expected-error @below {{node (NhwcMaxPool of domain 'com.microsoft' version 1): expected at least 3 dimensions, found 'tensor<2x3xui8>'}}
    %0 = onnx.node "NhwcMaxPool" of "com.microsoft"(%x) {kernel_shape = array<i64: 1>} : (tensor<2x3xui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// What is quantized are integers.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @floats(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> !onnx.unknown {
    // expected-error @below {{node (QLinearMul of domain 'com.microsoft' version 1): expected input 0 to be integers of 8 or 16 bits, found 'f32'}}
    %0 = onnx.node "QLinearMul" of "com.microsoft"(%x, %s, %z, %x, %s, %z, %s, %z) : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>, tensor<2x3xf32>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
