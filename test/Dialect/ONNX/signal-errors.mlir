// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Windows and the weights of bands.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @size() -> !onnx.unknown {
    %n = onnx.constant dense<-1> : tensor<i64>
    // expected-error @below {{node (HannWindow of opset 24): expected a size, found -1.000000e+00}}
    %0 = onnx.node "HannWindow"(%n) : (tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @vector() -> !onnx.unknown {
    %n = onnx.constant dense<4> : tensor<2xi64>
    // expected-error @below {{node (HammingWindow of opset 24): expected input 0 to be one number, found 'tensor<2xi64>'}}
    %0 = onnx.node "HammingWindow"(%n) : (tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @bands() -> !onnx.unknown {
    %n = onnx.constant dense<4> : tensor<i64>
    %l = onnx.constant dense<16> : tensor<i64>
    %r = onnx.constant dense<8000> : tensor<i64>
    %a = onnx.constant dense<0.0> : tensor<f32>
    %b = onnx.constant dense<5000.0> : tensor<f32>
    // expected-error @below {{node (MelWeightMatrix of opset 24): expected bands, a length and a rate that are positive, and edges up to half of the rate, found 4.000000e+00, 1.600000e+01, 8.000000e+03, 0.000000e+00 and 5.000000e+03}}
    %0 = onnx.node "MelWeightMatrix"(%n, %l, %r, %a, %b) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Fourier transforms, of whole signals and of their parts.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @parts(%x: tensor<1x8x3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (DFT of opset 24): expected real or complex floats, whose last dimension is 1 or 2, along another axis, found 'tensor<1x8x3xf32>' along 1}}
    %0 = onnx.node "DFT"(%x) : (tensor<1x8x3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @axis(%x: tensor<1x8x2xf32>) -> !onnx.unknown {
    %a = onnx.constant dense<2> : tensor<i64>
    %none = onnx.none : none
    // expected-error @below {{node (DFT of opset 24): expected real or complex floats, whose last dimension is 1 or 2, along another axis, found 'tensor<1x8x2xf32>' along 2}}
    %0 = onnx.node "DFT"(%x, %none, %a) : (tensor<1x8x2xf32>, none, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @inverse(%x: tensor<1x8x2xf32>) -> !onnx.unknown {
    // expected-error @below {{node (DFT of opset 24): expected an inverse transform of both sides, found one of one side}}
    %0 = onnx.node "DFT"(%x) {inverse = 1 : i64, onesided = 1 : i64} : (tensor<1x8x2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @length(%x: tensor<1x8x2xf32>) -> !onnx.unknown {
    %n = onnx.constant dense<0> : tensor<i64>
    // expected-error @below {{node (DFT of opset 24): expected a positive length, found 0}}
    %0 = onnx.node "DFT"(%x, %n) : (tensor<1x8x2xf32>, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @matrix(%x: tensor<1x8x2xf32>) -> !onnx.unknown {
    %n = onnx.constant dense<1099511627> : tensor<i64>
    // expected-error @below {{node (DFT of opset 24): expected constants of at most 137438953472 elements, found the shape [2199023254, 2199023254]}}
    %0 = onnx.node "DFT"(%x, %n) : (tensor<1x8x2xf32>, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @signal(%x: tensor<8xf32>) -> !onnx.unknown {
    %n = onnx.constant dense<2> : tensor<i64>
    // expected-error @below {{node (STFT of opset 24): expected floats in 2 or 3 dimensions, found 'tensor<8xf32>'}}
    %0 = onnx.node "STFT"(%x, %n) : (tensor<8xf32>, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @frames(%x: tensor<1x8xf32>) -> !onnx.unknown {
    %n = onnx.constant dense<2> : tensor<i64>
    %l = onnx.constant dense<9> : tensor<i64>
    %none = onnx.none : none
    // expected-error @below {{node (STFT of opset 24): expected a positive step and frames of at most 8 samples, found 2.000000e+00 and 9}}
    %0 = onnx.node "STFT"(%x, %n, %none, %l) : (tensor<1x8xf32>, tensor<i64>, none, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @step(%x: tensor<1x8xf32>) -> !onnx.unknown {
    %n = onnx.constant dense<0> : tensor<i64>
    %l = onnx.constant dense<4> : tensor<i64>
    %none = onnx.none : none
    // expected-error @below {{node (STFT of opset 24): expected a positive step and frames of at most 8 samples, found 0.000000e+00 and 4}}
    %0 = onnx.node "STFT"(%x, %n, %none, %l) : (tensor<1x8xf32>, tensor<i64>, none, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @window(%x: tensor<1x8xf32>, %w: tensor<4xf32>) -> !onnx.unknown {
    %n = onnx.constant dense<2> : tensor<i64>
    %l = onnx.constant dense<5> : tensor<i64>
    // expected-error @below {{node (STFT of opset 24): expected a window of 5.000000e+00 elements, found 4}}
    %0 = onnx.node "STFT"(%x, %n, %w, %l) : (tensor<1x8xf32>, tensor<i64>, tensor<4xf32>, tensor<i64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
