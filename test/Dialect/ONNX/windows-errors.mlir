// RUN: npu-opt %s --npu-onnx-infer-shapes -verify-diagnostics

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @conv(%x: tensor<1x4x8xf32>, %w: tensor<6x4x2xf32>, %i: tensor<1x4x8xi32>,
      %m: tensor<4x4xf32>, %b: tensor<5xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected floats of one type, found 'i32' and 'f32'}}
    %0 = onnx.node "Conv"(%i, %w) : (tensor<1x4x8xi32>, tensor<6x4x2xf32>) -> !onnx.unknown
    // expected-error @below {{expected input and filter with one to three spatial dimensions, found 'tensor<4x4xf32>' and 'tensor<6x4x2xf32>'}}
    %1 = onnx.node "Conv"(%m, %w) : (tensor<4x4xf32>, tensor<6x4x2xf32>) -> !onnx.unknown
    // expected-error @below {{expected 4 input channels and 6 output channels to be split into groups of 4 input channels, found group 2}}
    %2 = onnx.node "Conv"(%x, %w) {group = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x4x2xf32>) -> !onnx.unknown
    // expected-error @below {{expected kernel_shape [2], as the filter has, found [3]}}
    %3 = onnx.node "Conv"(%x, %w) {kernel_shape = array<i64: 3>} : (tensor<1x4x8xf32>, tensor<6x4x2xf32>) -> !onnx.unknown
    // expected-error @below {{expected a bias of 6 'f32', found 'tensor<5xf32>'}}
    %4 = onnx.node "Conv"(%x, %w, %b) : (tensor<1x4x8xf32>, tensor<6x4x2xf32>, tensor<5xf32>) -> !onnx.unknown
    // expected-error @below {{expected a filter for 4 input channels that split into groups, found 6 and group 1}}
    %5 = onnx.node "ConvTranspose"(%x, %w) : (tensor<1x4x8xf32>, tensor<6x4x2xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @windows(%x: tensor<1x4x8xf32>, %w: tensor<4x4x9xf32>, %e: tensor<4x4x0xf32>,
      %l: tensor<1x1000x1000x7xf32>, %b: tensor<1x1000x8xf32>, %v: tensor<1000x1x9xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected a window of at most 8 elements in dimension 0, found 9}}
    %0 = onnx.node "Conv"(%x, %w) : (tensor<1x4x8xf32>, tensor<4x4x9xf32>) -> !onnx.unknown
    // expected-error @below {{expected 1 strides, found 2}}
    %1 = onnx.node "Conv"(%x, %w) {strides = array<i64: 1, 1>} : (tensor<1x4x8xf32>, tensor<4x4x9xf32>) -> !onnx.unknown
    // expected-error @below {{expected strides from 1 to 2147483647, found 0}}
    %2 = onnx.node "Conv"(%x, %w) {strides = array<i64: 0>} : (tensor<1x4x8xf32>, tensor<4x4x9xf32>) -> !onnx.unknown
    // expected-error @below {{expected auto_pad to be NOTSET, SAME_UPPER, SAME_LOWER or VALID, found 'SAME'}}
    %3 = onnx.node "Conv"(%x, %w) {auto_pad = "SAME"} : (tensor<1x4x8xf32>, tensor<4x4x9xf32>) -> !onnx.unknown
    // expected-error @below {{expected sizes from 1 to 2147483647, found a kernel of 0 over 8 elements}}
    %4 = onnx.node "Conv"(%x, %e) : (tensor<1x4x8xf32>, tensor<4x4x0xf32>) -> !onnx.unknown
    // expected-error @below {{expected less padding, found an input that becomes [1, 1000, 1000, 2147483654]}}
    %5 = onnx.node "MaxPool"(%l) {kernel_shape = array<i64: 1, 1>, strides = array<i64: 1, 2147483647>, pads = array<i64: 0, 2147483647, 0, 0>} : (tensor<1x1000x1000x7xf32>) -> !onnx.unknown
    // expected-error @below {{expected less than 16 elements of padding in dimension 0, found 19}}
    %6 = onnx.node "ConvTranspose"(%x, %w) {pads = array<i64: 10, 9>} : (tensor<1x4x8xf32>, tensor<4x4x9xf32>) -> !onnx.unknown
    // expected-error @below {{expected a smaller output, found [2147483647] by a window of [9]}}
    %7 = onnx.node "ConvTranspose"(%b, %v) {output_shape = array<i64: 2147483647>} : (tensor<1x1000x8xf32>, tensor<1000x1x9xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @pools(%x: tensor<1x4x8x8xf32>, %i: tensor<1x4x8xi32>, %b: tensor<1x4x8xi1>, %m: tensor<4x4xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected floats, found 'i32'}}
    %0 = onnx.node "AveragePool"(%i) {kernel_shape = array<i64: 2>} : (tensor<1x4x8xi32>) -> !onnx.unknown
    // expected-error @below {{expected numbers, found 'i1'}}
    %1 = onnx.node "MaxPool"(%b) {kernel_shape = array<i64: 2>} : (tensor<1x4x8xi1>) -> !onnx.unknown
    // expected-error @below {{expected at least one spatial dimension, found 'tensor<4x4xf32>'}}
    %2 = onnx.node "MaxPool"(%m) {kernel_shape = array<i64: 2>} : (tensor<4x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected kernel_shape, found none}}
    %3 = onnx.node "MaxPool"(%x) : (tensor<1x4x8x8xf32>) -> !onnx.unknown
    // expected-error @below {{expected a window of 2 dimensions, as the input has, found one of 1}}
    %4 = onnx.node "MaxPool"(%x) {kernel_shape = array<i64: 2>} : (tensor<1x4x8x8xf32>) -> !onnx.unknown
    // expected-error @below {{expected p to be at least 1, found 0}}
    %5 = onnx.node "LpPool"(%x) {kernel_shape = array<i64: 2, 2>, p = 0 : i64} : (tensor<1x4x8x8xf32>) -> !onnx.unknown
    // expected-error @below {{expected at least one spatial dimension, found 'tensor<4x4xf32>'}}
    %6 = onnx.node "GlobalMaxPool"(%m) : (tensor<4x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected floats, found 'i32'}}
    %7 = onnx.node "GlobalAveragePool"(%i) : (tensor<1x4x8xi32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
