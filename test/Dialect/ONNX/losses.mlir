// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @types
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @types(%x: tensor<2x5x3xf16>, %t: tensor<2x3xi32>, %w: tensor<5xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: "NegativeLogLikelihoodLoss"({{.*}}) : ({{.*}}) -> tensor<f16>
    %0 = onnx.node "NegativeLogLikelihoodLoss"(%x, %t, %w) : (tensor<2x5x3xf16>, tensor<2x3xi32>, tensor<5xf16>) -> !onnx.unknown
    // CHECK: "NegativeLogLikelihoodLoss"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x3xf16>
    %1 = onnx.node "NegativeLogLikelihoodLoss"(%x, %t) {reduction = "none"} : (tensor<2x5x3xf16>, tensor<2x3xi32>) -> !onnx.unknown
    // CHECK: "SoftmaxCrossEntropyLoss"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<f16>, tensor<2x5x3xf16>)
    %2:2 = onnx.node "SoftmaxCrossEntropyLoss"(%x, %t) {reduction = "sum"} : (tensor<2x5x3xf16>, tensor<2x3xi32>) -> (!onnx.unknown, !onnx.unknown)
    return %0, %1, %2#0, %2#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @errors(%x: tensor<2x5x3xf32>, %t: tensor<2x3xi64>, %short: tensor<2x3xi8>, %w: tensor<4xf32>, %v: tensor<2xf32>, %none: tensor<2x0xf32>, %u: tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (NegativeLogLikelihoodLoss of opset 13): expected scores that are floats and labels of i32 or i64, found 'f32' and 'i8'}}
    %0 = onnx.node "NegativeLogLikelihoodLoss"(%x, %short) : (tensor<2x5x3xf32>, tensor<2x3xi8>) -> !onnx.unknown
    // expected-error @+1 {{expected scores [N, C, ...] of at least one class and labels [N, ...], found 'tensor<2xf32>' and 'tensor<2xi64>'}}
    %1 = onnx.node "NegativeLogLikelihoodLoss"(%v, %u) : (tensor<2xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{expected scores [N, C, ...] of at least one class and labels [N, ...], found 'tensor<2x0xf32>' and 'tensor<2xi64>'}}
    %2 = onnx.node "SoftmaxCrossEntropyLoss"(%none, %u) : (tensor<2x0xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{expected 5 weights of 'f32', found 'tensor<4xf32>'}}
    %3 = onnx.node "SoftmaxCrossEntropyLoss"(%x, %t, %w) : (tensor<2x5x3xf32>, tensor<2x3xi64>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected reduction to be none, mean or sum, found 'max'}}
    %4 = onnx.node "SoftmaxCrossEntropyLoss"(%x, %t) {reduction = "max"} : (tensor<2x5x3xf32>, tensor<2x3xi64>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
