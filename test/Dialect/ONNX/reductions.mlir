// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s | FileCheck %s

// Axes are an input; all are reduced without them.
// CHECK-LABEL: func.func @inputs
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @inputs(%x: tensor<2x3x4xf16>, %b: tensor<2x3xi1>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %axes = onnx.constant dense<[-1, 0]> : tensor<2xi64>
    %empty = onnx.constant dense<> : tensor<0xi64>
    %axis = onnx.constant dense<-3> : tensor<i32>
    // CHECK: "ReduceSum"({{.*}}) : ({{.*}}) -> tensor<1x3x1xf16>
    %0 = onnx.node "ReduceSum"(%x, %axes) : (tensor<2x3x4xf16>, tensor<2xi64>) -> !onnx.unknown
    // CHECK: "ReduceL2"({{.*}}) {{.*}} : ({{.*}}) -> tensor<3xf16>
    %1 = onnx.node "ReduceL2"(%x, %axes) {keepdims = 0 : i64} : (tensor<2x3x4xf16>, tensor<2xi64>) -> !onnx.unknown
    // CHECK: "ReduceLogSumExp"({{.*}}) {{.*}} : ({{.*}}) -> tensor<f16>
    %2 = onnx.node "ReduceLogSumExp"(%x, %empty) {keepdims = 0 : i64} : (tensor<2x3x4xf16>, tensor<0xi64>) -> !onnx.unknown
    // CHECK: "ReduceProd"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x3x4xf16>
    %3 = onnx.node "ReduceProd"(%x) {noop_with_empty_axes = 1 : i64} : (tensor<2x3x4xf16>) -> !onnx.unknown
    // CHECK: "ReduceMax"({{.*}}) : ({{.*}}) -> tensor<1x1xi1>
    %4 = onnx.node "ReduceMax"(%b) : (tensor<2x3xi1>) -> !onnx.unknown
    // CHECK: "ArgMax"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x4xi64>
    %5 = onnx.node "ArgMax"(%x) {axis = -2 : i64, keepdims = 0 : i64} : (tensor<2x3x4xf16>) -> !onnx.unknown
    // CHECK: "CumSum"({{.*}}) : ({{.*}}) -> tensor<2x3x4xf16>
    %6 = onnx.node "CumSum"(%x, %axis) : (tensor<2x3x4xf16>, tensor<i32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Axes are an attribute.
// CHECK-LABEL: func.func @attributes
module attributes {onnx.opset = {ai.onnx = 1 : i64}} {
  func.func @attributes(%x: tensor<2x3x4xf32>) -> !onnx.unknown {
    // CHECK: "ReduceMean"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x1x1xf32>
    %0 = onnx.node "ReduceMean"(%x) {axes = array<i64: 2, 1>} : (tensor<2x3x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @errors(%x: tensor<2x0xf32>, %b: tensor<2xi1>, %a: tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %twice = onnx.constant dense<[0, -2]> : tensor<2xi64>
    %huge = onnx.constant dense<-9223372036854775808> : tensor<i64>
    // expected-error @+1 {{node (ReduceSum of opset 18): expected input 1 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %0 = onnx.node "ReduceSum"(%x, %a) : (tensor<2x0xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (ReduceSum of opset 18): expected every axis once, found -2 twice}}
    %1 = onnx.node "ReduceSum"(%x, %twice) : (tensor<2x0xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (ReduceMin of opset 18): expected an axis from -2 to 1, found -9223372036854775808}}
    %2 = onnx.node "ReduceMin"(%x, %huge) : (tensor<2x0xf32>, tensor<i64>) -> !onnx.unknown
    // expected-error @+1 {{node (ReduceProd of opset 18): expected numbers, found 'tensor<2xi1>'}}
    %3 = onnx.node "ReduceProd"(%b) : (tensor<2xi1>) -> !onnx.unknown
    // expected-error @+1 {{node (ArgMin of opset 18): expected an axis from -2 to 1, found 2}}
    %4 = onnx.node "ArgMin"(%x) {axis = 2 : i64} : (tensor<2x0xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (ArgMin of opset 18): expected at least one element along axis 1, found 'tensor<2x0xf32>'}}
    %5 = onnx.node "ArgMin"(%x) {axis = 1 : i64} : (tensor<2x0xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (ArgMax of opset 18): expected numbers, found 'tensor<2xi1>'}}
    %6 = onnx.node "ArgMax"(%b) : (tensor<2xi1>) -> !onnx.unknown
    // expected-error @+1 {{node (CumSum of opset 18): expected an axis that is one integer, found 'tensor<2xi64>'}}
    %7 = onnx.node "CumSum"(%x, %twice) : (tensor<2x0xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (CumSum of opset 18): expected numbers, found 'tensor<2xi1>'}}
    %8 = onnx.node "CumSum"(%b, %huge) : (tensor<2xi1>, tensor<i64>) -> !onnx.unknown
    %floats = onnx.constant dense<[0.0]> : tensor<1xf32>
    // expected-error @+1 {{node (ReduceSum of opset 18): expected 'axes' (input 1) to be a constant of at most 4194304 integers, found 'tensor<1xf32>'}}
    %9 = onnx.node "ReduceSum"(%x, %floats) : (tensor<2x0xf32>, tensor<1xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
