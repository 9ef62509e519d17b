// What a few nodes can make the import write down is limited, one by one and in all.
// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s --mlir-elide-elementsattrs-if-larger=8 | FileCheck %s

// The table of the indices that are read backwards takes nearly all: the first sums are folded, the last ones are left to the compiled model.
// CHECK-LABEL: @rest
// CHECK: %[[S:.*]] = onnx.constant {{.*}} : tensor<1048576xi64>
// CHECK-NEXT: %[[A:.*]] = onnx.node "Add"(%[[S]], %[[S]])
// CHECK-NEXT: %[[B:.*]] = onnx.node "Add"(%[[A]], %[[A]])
// CHECK-NEXT: return {{.*}}, %[[B]]
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @rest(%x: tensor<60000000xi8>) -> (!onnx.unknown, !onnx.unknown) {
    %zero = onnx.constant dense<0> : tensor<i64>
    %count = onnx.constant dense<1048576> : tensor<i64>
    %one = onnx.constant dense<1> : tensor<i64>
    %last = onnx.constant dense<-1> : tensor<1xi64>
    %end = onnx.constant dense<-9223372036854775808> : tensor<1xi64>
    %axes = onnx.constant dense<0> : tensor<1xi64>
    %r = onnx.node "Slice"(%x, %last, %end, %axes, %last) : (tensor<60000000xi8>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    %0 = onnx.node "Range"(%zero, %count, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
    %1 = onnx.node "Add"(%0, %0) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "Add"(%1, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %3 = onnx.node "Add"(%2, %2) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %r, %3 : !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  func.func @tables(%x: tensor<100000000xi8>, %y: tensor<100x3xi8>) -> (!onnx.unknown, !onnx.unknown) {
    %last = onnx.constant dense<-1> : tensor<1xi64>
    %end = onnx.constant dense<-9223372036854775808> : tensor<1xi64>
    %axes = onnx.constant dense<0> : tensor<1xi64>
    // expected-error @+1 {{node (Slice of opset 19): expected constants and tables of indices of together at most 67108864 elements, found 100000000 more than the 67108864 that are left; compute them with inputs of the model}}
    %0 = onnx.node "Slice"(%x, %last, %end, %axes, %last) : (tensor<100000000xi8>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    %pads = onnx.constant dense<[0, 2000000000, 0, 2000000000]> : tensor<4xi64>
    // expected-error @+1 {{node (Pad of opset 19): expected constants and tables of indices of together at most 67108864 elements}}
    %1 = onnx.node "Pad"(%y, %pads) {mode = "wrap"} : (tensor<100x3xi8>, tensor<4xi64>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

// What follows from constants may be as large as ConstantOfShape makes one, whichever nodes compute it.
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @constants(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %zero = onnx.constant dense<0> : tensor<i64>
    %one = onnx.constant dense<1> : tensor<i64>
    %limit = onnx.constant dense<1073741824> : tensor<i64>
    // expected-error @+1 {{node (Range of opset 18): expected a constant of at most 268435456 elements, found 'tensor<1073741824xi64>'}}
    %range = onnx.node "Range"(%zero, %limit, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown

    // Step by step.
    %many = onnx.constant dense<2097152> : tensor<i64>
    %0 = onnx.node "Range"(%zero, %many, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
    %k = onnx.constant dense<128> : tensor<1xi64>
    %1 = onnx.node "Tile"(%0, %k) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Tile of opset 18): expected a constant of at most 268435456 elements, found 'tensor<34359738368xi64>'}}
    %2 = onnx.node "Tile"(%1, %k) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Concat of opset 18): expected a constant of at most 268435456 elements, found 'tensor<536870912xi64>'}}
    %3 = onnx.node "Concat"(%1, %1) {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown

    %square = onnx.constant dense<32768> : tensor<2xi64>
    %f = onnx.constant dense<1.0> : tensor<1xf32>
    // expected-error @+1 {{node (Expand of opset 18): expected a constant of at most 268435456 elements, found 'tensor<32768x32768xf32>'}}
    %4 = onnx.node "Expand"(%f, %square) : (tensor<1xf32>, tensor<2xi64>) -> !onnx.unknown

    // What an input of the model has a part in is for those who give the input.
    %5 = onnx.node "Add"(%0, %one) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %big = onnx.constant dense<[1048576, 4096, 4]> : tensor<3xi64>
    %6 = onnx.node "Expand"(%x, %big) : (tensor<4xf32>, tensor<3xi64>) -> !onnx.unknown
    return %range, %2, %3, %4, %5, %6 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
