// RUN: npu-opt --npu-onnx-pipeline --split-input-file %s | FileCheck %s

// Written with the ops of the vector unit. A slope of at most 1 needs no comparison.
// CHECK-LABEL: func.func @activations
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @activations(%f: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: arith.maximumf
    // CHECK: linalg.yield
    %0 = onnx.node "Relu"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.mulf
    // CHECK: arith.maximumf
    // CHECK: linalg.yield
    %1 = onnx.node "LeakyRelu"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.mulf
    // CHECK: arith.cmpf olt
    // CHECK: arith.select
    // CHECK: linalg.yield
    %2 = onnx.node "LeakyRelu"(%f) {alpha = 2.0 : f32} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.exp
    // CHECK: arith.subf
    // CHECK: arith.mulf
    // CHECK: arith.cmpf ogt
    // CHECK: arith.select
    // CHECK: linalg.yield
    %3 = onnx.node "Elu"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.exp
    // CHECK: arith.subf
    // CHECK: arith.mulf
    // CHECK: arith.cmpf ogt
    // CHECK: arith.select
    // CHECK: arith.mulf
    // CHECK: linalg.yield
    %4 = onnx.node "Selu"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.divf
    // CHECK: math.exp
    // CHECK: arith.subf
    // CHECK: arith.mulf
    // CHECK: arith.addf
    // CHECK: linalg.yield
    %5 = onnx.node "Celu"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpf ogt
    // CHECK: arith.select
    // CHECK: linalg.yield
    %6 = onnx.node "ThresholdedRelu"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.negf
    // CHECK: math.exp
    // CHECK: arith.addf
    // CHECK: arith.divf
    // CHECK: linalg.yield
    %7 = onnx.node "Sigmoid"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.mulf
    // CHECK: arith.addf
    // CHECK: arith.maximumf
    // CHECK: arith.minimumf
    // CHECK: linalg.yield
    %8 = onnx.node "HardSigmoid"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.mulf
    // CHECK: arith.addf
    // CHECK: arith.maximumf
    // CHECK: arith.minimumf
    // CHECK: arith.mulf
    // CHECK: linalg.yield
    %9 = onnx.node "HardSwish"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.negf
    // CHECK: math.exp
    // CHECK: arith.addf
    // CHECK: arith.divf
    // CHECK: arith.mulf
    // CHECK: linalg.yield
    %10 = onnx.node "Swish"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.absf
    // CHECK: arith.negf
    // CHECK: math.exp
    // CHECK: arith.addf
    // CHECK: math.log
    // CHECK: arith.maximumf
    // CHECK: arith.addf
    // CHECK: linalg.yield
    %11 = onnx.node "Softplus"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.absf
    // CHECK: arith.addf
    // CHECK: arith.divf
    // CHECK: linalg.yield
    %12 = onnx.node "Softsign"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.log
    // CHECK: math.tanh
    // CHECK: arith.mulf
    // CHECK: linalg.yield
    %13 = onnx.node "Mish"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.erf
    // CHECK: arith.mulf
    // CHECK: linalg.yield
    %14 = onnx.node "Gelu"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.tanh
    // CHECK: arith.mulf
    // CHECK: linalg.yield
    %15 = onnx.node "Gelu"(%f) {approximate = "tanh"} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpf olt
    // CHECK: arith.addf
    // CHECK: arith.select
    // CHECK: arith.subf
    // CHECK: arith.cmpf ogt
    // CHECK: arith.select
    // CHECK: linalg.yield
    %16 = onnx.node "Shrink"(%f) : (tensor<4xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Integers shrink as floats.
// CHECK-LABEL: func.func @integers
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @integers(%i: tensor<4xi32>, %u: tensor<4xui8>, %s: tensor<i32>, %v: tensor<1xui8>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: arith.maxsi
    // CHECK: linalg.yield
    %0 = onnx.node "Relu"(%i) : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.sitofp %{{.*}} : i32 to f64
    // CHECK: arith.fptosi %{{.*}} : f64 to i32
    // CHECK: linalg.yield
    %1 = onnx.node "Shrink"(%i) : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.maxsi
    // CHECK: arith.minsi
    // CHECK: linalg.yield
    %2 = onnx.node "Clip"(%i, %s, %s) : (tensor<4xi32>, tensor<i32>, tensor<i32>) -> !onnx.unknown
    // CHECK: tensor.collapse_shape
    // CHECK: linalg.generic
    // CHECK: arith.maxui
    // CHECK: linalg.yield
    %3 = onnx.node "Clip"(%u, %v) : (tensor<4xui8>, tensor<1xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpi slt
    // CHECK: arith.muli
    // CHECK: arith.select
    // CHECK: linalg.yield
    %4 = onnx.node "PRelu"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Before opset 7, slopes are those of channels; before opset 11, limits are attributes.
// CHECK-LABEL: func.func @old
module attributes {onnx.opset = {ai.onnx = 6 : i64}} {
  func.func @old(%f: tensor<2x3x4xf32>, %c: tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // CHECK: tensor.expand_shape %{{.*}} output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    // CHECK: linalg.generic
    // CHECK: arith.cmpf olt
    // CHECK: arith.mulf
    // CHECK: arith.select
    // CHECK: linalg.yield
    %0 = onnx.node "PRelu"(%f, %c) : (tensor<2x3x4xf32>, tensor<3xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.constant -3.40282347E+38
    // CHECK: arith.maximumf
    // CHECK: arith.constant 6.000000e+00
    // CHECK: arith.minimumf
    %1 = onnx.node "Clip"(%c) {max = 6.0 : f32} : (tensor<3xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}
