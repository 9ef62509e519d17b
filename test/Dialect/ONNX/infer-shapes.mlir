// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s | FileCheck %s

// Types follow from the inputs' in the order of the nodes; what the file declares is checked.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: -> (tensor<2x4x3x3xf32> {onnx.name = "y", onnx.type = tensor<2x?x3x3xf32>})
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @chain(%x: tensor<2x3x5x5xf32>, %w: tensor<4x3x3x3xf32>)
      -> (!onnx.unknown {onnx.name = "y", onnx.type = tensor<2x?x3x3xf32>}) {
    // CHECK: onnx.node "Conv"({{.*}}) : (tensor<2x3x5x5xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x3x3xf32>
    %0 = onnx.node "Conv"(%x, %w) : (tensor<2x3x5x5xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
    // CHECK: onnx.node "Relu"({{.*}}) : (tensor<2x4x3x3xf32>) -> tensor<2x4x3x3xf32>
    %1 = onnx.node "Relu"(%0) : (!onnx.unknown) -> !onnx.unknown
    // What nothing uses needs no support.
    // CHECK-NOT: Unheard
    %2 = onnx.node "Unheard"(%1) : (!onnx.unknown) -> !onnx.unknown
    return %1 : !onnx.unknown
  }
}

// -----

// A constant is folded to a constant, whichever attribute holds it.
// CHECK-LABEL: func.func @constants
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @constants() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK-DAG: onnx.constant dense<[1, 2]> : tensor<2xi32>
    %0 = onnx.node "Constant"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> !onnx.unknown
    // CHECK-DAG: onnx.constant dense<7> : tensor<i64>
    %1 = onnx.node "Constant"() {value_int = 7 : i64} : () -> !onnx.unknown
    // CHECK-DAG: onnx.constant dense<5.000000e-01> : tensor<f32>
    %2 = onnx.node "Constant"() {value_float = 0.5 : f32} : () -> !onnx.unknown
    // CHECK-DAG: onnx.constant dense<[3, -4]> : tensor<2xi64>
    %3 = onnx.node "Constant"() {value_ints = array<i64: 3, -4>} : () -> !onnx.unknown
    // CHECK-DAG: onnx.constant dense<[1.500000e+00, 2.000000e+00]> : tensor<2xf32>
    %4 = onnx.node "Constant"() {value_floats = array<f32: 1.5, 2.0>} : () -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// All that is not supported is listed; what depends on it is passed over.
module attributes {onnx.opset = {ai.onnx = 13 : i64, com.example = 2 : i64}} {
  func.func @unsupported(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (NoSuchOp of opset 13): the operator is not supported}}
    %0 = onnx.node "NoSuchOp"(%x) : (tensor<4xf32>) -> !onnx.unknown
    %1 = onnx.node "Relu"(%0) : (!onnx.unknown) -> !onnx.unknown
    // expected-error @+1 {{node (Relu of domain 'com.example' version 2): the operator is not supported}}
    %2 = onnx.node "Relu" of "com.example"(%x) : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Loop of opset 13): expected attribute 'body' to be a subgraph, found "graph"}}
    %4 = onnx.node "Loop"(%x) {body = "graph"} : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Relu of opset 13): expected the attributes consumed_inputs, found alpha}}
    %3 = onnx.node "Relu"(%x) {alpha = 1.0 : f32} : (tensor<4xf32>) -> !onnx.unknown
    return %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @shape(%x: tensor<4xf32>, %s: tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    // expected-error @+1 {{node (Relu of opset 13): expected 1 inputs, found 2}}
    %0 = onnx.node "Relu"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Conv of opset 13): expected 2 to 3 inputs, found 1}}
    %1 = onnx.node "Conv"(%x) : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Add of opset 13): expected input 0, found none}}
    %2 = onnx.node "Add"(%none, %x) : (none, tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Relu of opset 13): expected at most 1 outputs, found 2}}
    %3:2 = onnx.node "Relu"(%x) : (tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %0, %1, %2, %3#0 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @strings(%x: tensor<4x!onnx.string>) -> !onnx.unknown {
    // expected-error @+1 {{node (Relu of opset 13): expected input 0 to be a tensor of numbers, found 'tensor<4x!onnx.string>'}}
    %0 = onnx.node "Relu"(%x) : (tensor<4x!onnx.string>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // expected-error @+1 {{graph input "x" has dynamic dimensions, 'tensor<?x4xf32>'; give npu-run inputs with their shapes, as in --input=4x8xf32=1, or run npu-specialize-shapes before}}
  func.func @dynamic(%x: tensor<?x4xf32> {onnx.dimensions = [7], onnx.name = "x"}) -> !onnx.unknown {
    %0 = onnx.node "Relu"(%x) : (tensor<?x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // expected-error @+1 {{graph input "x" is not a tensor of known rank, 'tensor<*xf32>'; give npu-run inputs with their shapes}}
  func.func @unranked(%x: tensor<*xf32> {onnx.name = "x"}) -> !onnx.unknown {
    %0 = onnx.node "Relu"(%x) : (tensor<*xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // expected-error @+1 {{graph input 0 is not a tensor of known rank, '!onnx.unknown': it is no tensor, or its elements are not supported}}
  func.func @sequence(%x: !onnx.unknown) -> !onnx.unknown {
    %0 = onnx.node "Relu"(%x) : (!onnx.unknown) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // expected-error @+1 {{expected graph output 'y' to be a 'tensor<4xf16>', as the file declares, found 'tensor<4xf32>'}}
  func.func @declaredElements(%x: tensor<4xf32>) -> (!onnx.unknown {onnx.name = "y", onnx.type = tensor<4xf16>}) {
    %0 = onnx.node "Relu"(%x) : (tensor<4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// A shape that the file declares otherwise is the inferred one.
// CHECK-LABEL: func.func @declaredShape
// CHECK-SAME: -> (tensor<4xf32> {onnx.name = "y"
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // expected-warning @+1 {{expected graph output 'y' to be a 'tensor<5x?xf32>', as the file declares, found 'tensor<4xf32>'; the declaration is ignored}}
  func.func @declaredShape(%x: tensor<4xf32>) -> (!onnx.unknown {onnx.name = "y", onnx.type = tensor<5x?xf32>}) {
    %0 = onnx.node "Relu"(%x) : (tensor<4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @conv(%x: tensor<1x4x5x5xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<5xf32>, %d: tensor<6x4x3x3xf64>,
      %v: tensor<4x5xf32>, %i: tensor<6x4x9x3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown,
      !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{expected a bias of 6 'f32', found 'tensor<5xf32>'}}
    %0 = onnx.node "Conv"(%x, %w, %b) : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>, tensor<5xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected floats of one type, found 'f32' and 'f64'}}
    %1 = onnx.node "Conv"(%x, %d) : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf64>) -> !onnx.unknown
    // expected-error @+1 {{expected input and filter with one to three spatial dimensions, found 'tensor<4x5xf32>' and 'tensor<6x4x3x3xf32>'}}
    %2 = onnx.node "Conv"(%v, %w) : (tensor<4x5xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected 4 input channels and 6 output channels to be split into groups of 4 input channels, found group 2}}
    %3 = onnx.node "Conv"(%x, %w) {group = 2 : i64} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected kernel_shape [3, 3], as the filter has, found [2, 2]}}
    %4 = onnx.node "Conv"(%x, %w) {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected 2 strides, found 1}}
    %5 = onnx.node "Conv"(%x, %w) {strides = array<i64: 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected strides from 1 to 2147483647, found 0}}
    %6 = onnx.node "Conv"(%x, %w) {strides = array<i64: 0, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected auto_pad to be NOTSET, SAME_UPPER, SAME_LOWER or VALID, found 'ROUND'}}
    %7 = onnx.node "Conv"(%x, %w) {auto_pad = "ROUND"} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected a window of at most 5 elements in dimension 0, found 9}}
    %8 = onnx.node "Conv"(%x, %i) : (tensor<1x4x5x5xf32>, tensor<6x4x9x3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown,
        !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 1 : i64}} {
  func.func @old(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (Erf of opset 1): expected opset 9 or newer; convert the model}}
    %0 = onnx.node "Erf"(%x) : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Constant of opset 1): expected a value that is a tensor of numbers, found none}}
    %1 = onnx.node "Constant"() : () -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @static(%n: tensor<4xf32>) -> !onnx.unknown {
    %c4 = arith.constant 4 : index
    %0 = tensor.empty(%c4) : tensor<?xf32>
    // expected-error @+1 {{node (Relu of opset 13): expected input 0 to have a static shape, found 'tensor<?xf32>'; give graph inputs static shapes with --onnx-dim}}
    %1 = onnx.node "Relu"(%0) : (tensor<?xf32>) -> !onnx.unknown
    return %1 : !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // expected-error @+1 {{expected graph output y to be a tensor, found 'none'}}
  func.func @no_tensor(%x: tensor<4xf32>) -> (none {onnx.name = "y"}) {
    %0 = onnx.none : none
    return %0 : none
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @kinds(%x: tensor<2x4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (Softmax of opset 13): expected attribute 'axis' to be an integer, found 0.000000e+00 : f32}}
    %0 = onnx.node "Softmax"(%x) {axis = 0.0 : f32} : (tensor<2x4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (LeakyRelu of opset 13): expected attribute 'alpha' to be a float, found 3 : i64}}
    %1 = onnx.node "LeakyRelu"(%x) {alpha = 3 : i64} : (tensor<2x4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Transpose of opset 13): expected attribute 'perm' to be integers, found 1 : i64}}
    %2 = onnx.node "Transpose"(%x) {perm = 1 : i64} : (tensor<2x4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (DepthToSpace of opset 13): expected attribute 'mode' to be a string, found 1 : i64}}
    %3 = onnx.node "DepthToSpace"(%x) {mode = 1 : i64} : (tensor<2x4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Constant of opset 13): expected attribute 'value_floats' to be floats, found "text"}}
    %4 = onnx.node "Constant"() {value_floats = "text"} : () -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @huge() -> !onnx.unknown {
    %s = onnx.constant dense<[17179869184]> : tensor<1xi64>
    // expected-error @+1 {{node (ConstantOfShape of opset 13): expected a constant of at most 268435456 elements, found 'tensor<17179869184xf32>'}}
    %0 = onnx.node "ConstantOfShape"(%s) : (tensor<1xi64>) -> !onnx.unknown
    %1 = onnx.node "ReduceSum"(%0) {keepdims = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
    return %1 : !onnx.unknown
  }
}
