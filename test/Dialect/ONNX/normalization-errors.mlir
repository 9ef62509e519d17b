// RUN: npu-opt %s --npu-onnx-infer-shapes -verify-diagnostics

module attributes {onnx.opset = {ai.onnx = 21 : i64}} {
  func.func @errors(%x: tensor<2x4x6xf32>, %c: tensor<4xf32>, %d: tensor<5xf32>, %i: tensor<2x4x6xi32>,
      %v: tensor<6xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected input 2 to be floats of shape [4], found 'tensor<5xf32>'}}
    %0 = onnx.node "BatchNormalization"(%x, %c, %d, %c, %c) : (tensor<2x4x6xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @below {{expected one output outside training, found output 1}}
    %1, %2 = onnx.node "BatchNormalization"(%x, %c, %c, %c, %c) : (tensor<2x4x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @below {{expected stash_type 1 (f32), 10 (f16), 11 (f64) or 16 (bf16), found 7}}
    %3 = onnx.node "LayerNormalization"(%x, %v) {stash_type = 7 : i64} : (tensor<2x4x6xf32>, tensor<6xf32>) -> !onnx.unknown
    // expected-error @below {{expected input 1 to be floats that broadcast to the shape [2, 4, 6], found 'tensor<5xf32>'}}
    %4 = onnx.node "LayerNormalization"(%x, %d) : (tensor<2x4x6xf32>, tensor<5xf32>) -> !onnx.unknown
    // expected-error @below {{expected num_groups to divide 4 channels, found 3}}
    %5 = onnx.node "GroupNormalization"(%x, %c, %c) {num_groups = 3 : i64} : (tensor<2x4x6xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @below {{expected at least 3 dimensions, found 'tensor<6xf32>'}}
    %6 = onnx.node "InstanceNormalization"(%v, %c, %c) : (tensor<6xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @below {{expected axes, found none}}
    %7 = onnx.node "MeanVarianceNormalization"(%x) {axes = array<i64>} : (tensor<2x4x6xf32>) -> !onnx.unknown
    // expected-error @below {{expected p to be 1 or 2, found 3}}
    %8 = onnx.node "LpNormalization"(%x) {p = 3 : i64} : (tensor<2x4x6xf32>) -> !onnx.unknown
    // expected-error @below {{expected a size from 1 to 2147483647, found 0}}
    %9 = onnx.node "LRN"(%x) : (tensor<2x4x6xf32>) -> !onnx.unknown
    return %0, %1, %3, %4, %5, %6, %7, %8, %9, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @others(%i: tensor<2x4x6xi32>, %x: tensor<2x4x6xf32>, %l: tensor<1000x4x100000xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{expected floats, found 'i32'}}
    %0 = onnx.node "Softmax"(%i) : (tensor<2x4x6xi32>) -> !onnx.unknown
    // expected-error @below {{expected an axis from -3 to 2, found 3}}
    %1 = onnx.node "LogSoftmax"(%x) {axis = 3 : i64} : (tensor<2x4x6xf32>) -> !onnx.unknown
    // expected-error @below {{expected less padding, found an input that becomes [1000, 2147483650, 100000]}}
    %2 = onnx.node "LRN"(%l) {size = 2147483647 : i64} : (tensor<1000x4x100000xf32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
