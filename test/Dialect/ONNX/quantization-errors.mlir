// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

module attributes {onnx.opset = {ai.onnx = 21 : i64}} {
  func.func @quantize(%x: tensor<2x3xf32>, %d: tensor<2x3xf64>, %s: tensor<f32>, %l: tensor<5xf32>, %t: tensor<f64>,
      %z: tensor<2xui8>, %w: tensor<i32>, %q: tensor<2x3xi8>, %p: tensor<2x3xi64>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected elements that are f32, f16, bf16 or i32, found 'f64'}}
    %0 = onnx.node "QuantizeLinear"(%d, %s) : (tensor<2x3xf64>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected a result of i8, ui8, i16 or ui16, found output_dtype 22}}
    %1 = onnx.node "QuantizeLinear"(%x, %s) {output_dtype = 22 : i64} : (tensor<2x3xf32>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected a result of i8, ui8, i16 or ui16, found zero points 'tensor<i32>'}}
    %2 = onnx.node "QuantizeLinear"(%x, %s, %w) : (tensor<2x3xf32>, tensor<f32>, tensor<i32>) -> !onnx.unknown
    // expected-error @below {{expected scales that are f32, f16 or bf16, found 'f64'}}
    %3 = onnx.node "QuantizeLinear"(%x, %t) : (tensor<2x3xf32>, tensor<f64>) -> !onnx.unknown
    // expected-error @below {{expected blocks that divide the 3 elements along axis 1, found block_size 2}}
    %4 = onnx.node "QuantizeLinear"(%x, %s) {block_size = 2 : i64} : (tensor<2x3xf32>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected one scale or 3, one for each place along axis 1, found 'tensor<5xf32>'}}
    %5 = onnx.node "QuantizeLinear"(%x, %l) : (tensor<2x3xf32>, tensor<5xf32>) -> !onnx.unknown
    // expected-error @below {{expected as many zero points as scales, found 'tensor<2xui8>' and 'tensor<f32>'}}
    %6 = onnx.node "QuantizeLinear"(%x, %s, %z) : (tensor<2x3xf32>, tensor<f32>, tensor<2xui8>) -> !onnx.unknown
    // expected-error @below {{expected elements that are i8, ui8, i16, ui16 or i32, found 'i64'}}
    %7 = onnx.node "DequantizeLinear"(%p, %s) : (tensor<2x3xi64>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected zero points of type 'i8', found 'tensor<i32>'}}
    %8 = onnx.node "DequantizeLinear"(%q, %s, %w) : (tensor<2x3xi8>, tensor<f32>, tensor<i32>) -> !onnx.unknown
    // expected-error @below {{expected output_dtype 1 (f32), 10 (f16) or 16 (bf16), found 7}}
    %10 = onnx.node "DequantizeLinear"(%q, %s) {output_dtype = 7 : i64} : (tensor<2x3xi8>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected elements of f32, found 'f64'}}
    %9 = onnx.node "DynamicQuantizeLinear"(%d) : (tensor<2x3xf64>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @products(%a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %f: tensor<2x3xf32>, %s: tensor<f32>, %t: tensor<2xf32>, %d: tensor<f64>,
      %z: tensor<ui8>, %m: tensor<i8>, %n: tensor<3xi8>, %w: tensor<i32>, %x: tensor<1x2x5xi8>, %k: tensor<4x2x3xi8>, %e: tensor<3xi32>, %i: tensor<4xi32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected input 0 to be i8 or ui8, found 'tensor<2x3xf32>'}}
    %0 = onnx.node "MatMulInteger"(%f, %b) : (tensor<2x3xf32>, tensor<3x4xi8>) -> !onnx.unknown
    // expected-error @below {{expected zero points of type 'ui8', found 'tensor<i8>'}}
    %1 = onnx.node "MatMulInteger"(%a, %b, %m) : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<i8>) -> !onnx.unknown
    // expected-error @below {{expected input 3 to be one number, or one for each row of the left side or column or channel of the right, found 'tensor<3xi8>'}}
    %2 = onnx.node "MatMulInteger"(%a, %b, %z, %n) : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<ui8>, tensor<3xi8>) -> !onnx.unknown
    // expected-error @below {{expected scales that are f32, f16 or bf16, found 'f64'}}
    %3 = onnx.node "QLinearMatMul"(%a, %d, %z, %b, %s, %m, %s, %m) : (tensor<2x3xui8>, tensor<f64>, tensor<ui8>, tensor<3x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    // expected-error @below {{expected one scale and zero point of the result, found 'tensor<2xf32>'}}
    %4 = onnx.node "QLinearMatMul"(%a, %s, %z, %b, %s, %m, %t, %m) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xi8>, tensor<f32>, tensor<i8>, tensor<2xf32>, tensor<i8>) -> !onnx.unknown
    // expected-error @below {{expected a result of i8 or ui8, found zero points of type 'i32'}}
    %5 = onnx.node "QLinearMatMul"(%a, %s, %z, %b, %s, %m, %s, %w) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i32>) -> !onnx.unknown
    // expected-error @below {{expected a bias of 4 i32, found 'tensor<3xi32>'}}
    %6 = onnx.node "QLinearConv"(%x, %s, %m, %k, %s, %m, %s, %m, %e) : (tensor<1x2x5xi8>, tensor<f32>, tensor<i8>, tensor<4x2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<3xi32>) -> !onnx.unknown
    // expected-error @below {{expected 8 inputs, found 9}}
    %7 = onnx.node "QLinearMatMul"(%a, %s, %z, %b, %s, %m, %s, %m, %i) : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x4xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<4xi32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Blocks have a scale each.
module attributes {onnx.opset = {ai.onnx = 21 : i64}} {
  func.func @blocks(%x: tensor<2x3xf32>, %s: tensor<f32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected blocks that divide the 3 elements along axis 1, found block_size -3}}
    %0 = onnx.node "QuantizeLinear"(%x, %s) {block_size = -3 : i64} : (tensor<2x3xf32>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected a scale for each block of 3 elements along axis 1, found 'tensor<f32>' for 'tensor<2x3xf32>'}}
    %1 = onnx.node "QuantizeLinear"(%x, %s) {block_size = 3 : i64} : (tensor<2x3xf32>, tensor<f32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}
