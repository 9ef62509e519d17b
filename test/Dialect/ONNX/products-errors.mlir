// RUN: npu-opt %s --npu-onnx-infer-shapes --split-input-file -verify-diagnostics

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @matmul(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>, %h: tensor<4x3xf16>, %s: tensor<f32>,
      %i: tensor<4x3xi32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected matrices whose inner extents are equal and whose batches broadcast, found 'tensor<3x4xf32>' and 'tensor<5x4xf32>'}}
    %0 = onnx.node "MatMul"(%a, %b) : (tensor<3x4xf32>, tensor<5x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected matrices whose inner extents are equal and whose batches broadcast, found 'tensor<3x4xf32>' and 'tensor<f32>'}}
    %1 = onnx.node "MatMul"(%a, %s) : (tensor<3x4xf32>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected numbers of one type, found 'f32' and 'f16'}}
    %2 = onnx.node "MatMul"(%a, %h) : (tensor<3x4xf32>, tensor<4x3xf16>) -> !onnx.unknown
    // expected-error @below {{expected two matrices, found 'tensor<3x4xf32>' and 'tensor<f32>'}}
    %3 = onnx.node "Gemm"(%a, %s) : (tensor<3x4xf32>, tensor<f32>) -> !onnx.unknown
    // expected-error @below {{expected equal inner extents, found 4 and 5}}
    %4 = onnx.node "Gemm"(%a, %b) : (tensor<3x4xf32>, tensor<5x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected input 2 to broadcast to the shape [3, 5], found 'tensor<5x4xf32>'}}
    %5 = onnx.node "Gemm"(%a, %b, %b) {transB = 1 : i64} : (tensor<3x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected alpha to be a whole number, as the inputs are integers, found 5.000000e-01}}
    %6 = onnx.node "Gemm"(%i, %i) {transA = 1 : i64, alpha = 0.5 : f32} : (tensor<4x3xi32>, tensor<4x3xi32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @einsum(%a: tensor<3x4xf32>, %t: tensor<4x4xf32>, %u: tensor<1x4xf32>,
      %l: tensor<100000x100000xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected an equation of 1 terms, one for each input, found 2}}
    %0 = onnx.node "Einsum"(%a) {equation = "ij,jk->ik"} : (tensor<3x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected term 'ijk' to have a letter for each of the 2 dimensions of input 0, found 3}}
    %1 = onnx.node "Einsum"(%a) {equation = "ijk->i"} : (tensor<3x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected letters and at most one '...' in each term of the equation, found '.j'}}
    %2 = onnx.node "Einsum"(%a) {equation = "i.j"} : (tensor<3x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected one extent for each letter of 'ij,ij->ij', found 3 and 4}}
    %3 = onnx.node "Einsum"(%a, %t) {equation = "ij,ij->ij"} : (tensor<3x4xf32>, tensor<4x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected every letter of the output once, and in an input, found 'ik'}}
    %4 = onnx.node "Einsum"(%a) {equation = "ij->ik"} : (tensor<3x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected a letter that input 0 has twice to stand for equal extents, found 1 and 4}}
    %5 = onnx.node "Einsum"(%u) {equation = "ii->i"} : (tensor<1x4xf32>) -> !onnx.unknown
    // expected-error @below {{expected fewer elements along all letters together, found the extents [100000, 100000, 100000]}}
    %6 = onnx.node "Einsum"(%l, %l) {equation = "ij,jk->"} : (tensor<100000x100000xf32>, tensor<100000x100000xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 6 : i64}} {
  func.func @gemm_6(%x: tensor<2x2xf32>, %c: tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Gemm"(%x, %x, %c) {broadcast = 1 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Gemm of opset 6): expected input 2 to have the shape [2, 2], as this opset does not broadcast by itself, found 'tensor<2xf32>'; convert the model to opset 7}}
    %1 = onnx.node "Gemm"(%x, %x, %c) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}
