// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file %s | FileCheck %s

// Shapes broadcast; comparisons give Booleans; a power has the base's type; casts have the type
// that they name.
// CHECK-LABEL: func.func @types
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @types(%x: tensor<2x1x4xf32>, %y: tensor<3x1xf32>, %c: tensor<3x4xi1>, %i: tensor<4xui8>, %s: tensor<f32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: "Max"({{.*}}) : ({{.*}}) -> tensor<2x3x4xf32>
    %max = onnx.node "Max"(%x, %y, %s) : (tensor<2x1x4xf32>, tensor<3x1xf32>, tensor<f32>) -> !onnx.unknown
    // CHECK: "Mean"({{.*}}) : ({{.*}}) -> tensor<2x1x4xf32>
    %mean = onnx.node "Mean"(%x) : (tensor<2x1x4xf32>) -> !onnx.unknown
    // CHECK: "Less"({{.*}}) : ({{.*}}) -> tensor<2x3x4xi1>
    %less = onnx.node "Less"(%x, %y) : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> !onnx.unknown
    // CHECK: "Equal"({{.*}}) : ({{.*}}) -> tensor<3x4xi1>
    %equal = onnx.node "Equal"(%c, %c) : (tensor<3x4xi1>, tensor<3x4xi1>) -> !onnx.unknown
    // CHECK: "And"({{.*}}) : ({{.*}}) -> tensor<3x4xi1>
    %and = onnx.node "And"(%c, %c) : (tensor<3x4xi1>, tensor<3x4xi1>) -> !onnx.unknown
    // CHECK: "BitwiseXor"({{.*}}) : ({{.*}}) -> tensor<4xui8>
    %bits = onnx.node "BitwiseXor"(%i, %i) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: "Where"({{.*}}) : ({{.*}}) -> tensor<2x3x4xf32>
    %where = onnx.node "Where"(%c, %x, %s) : (tensor<3x4xi1>, tensor<2x1x4xf32>, tensor<f32>) -> !onnx.unknown
    // CHECK: "Pow"({{.*}}) : ({{.*}}) -> tensor<4xui8>
    %pow = onnx.node "Pow"(%i, %s) : (tensor<4xui8>, tensor<f32>) -> !onnx.unknown
    // CHECK: "IsNaN"({{.*}}) : ({{.*}}) -> tensor<3x1xi1>
    %nan = onnx.node "IsNaN"(%y) : (tensor<3x1xf32>) -> !onnx.unknown
    // CHECK: "PRelu"({{.*}}) : ({{.*}}) -> tensor<2x1x4xf32>
    %prelu = onnx.node "PRelu"(%x, %s) : (tensor<2x1x4xf32>, tensor<f32>) -> !onnx.unknown
    // CHECK: "Clip"({{.*}}) : ({{.*}}) -> tensor<2x1x4xf32>
    %none = onnx.none : none
    %clip = onnx.node "Clip"(%x, %none, %s) : (tensor<2x1x4xf32>, none, tensor<f32>) -> !onnx.unknown
    // CHECK: "Cast"({{.*}}) {to = 13 : i64} : ({{.*}}) -> tensor<4xui64>
    %cast = onnx.node "Cast"(%i) {to = 13 : i64} : (tensor<4xui8>) -> !onnx.unknown
    // CHECK: "CastLike"({{.*}}) : ({{.*}}) -> tensor<4xf32>
    %like = onnx.node "CastLike"(%i, %x) : (tensor<4xui8>, tensor<2x1x4xf32>) -> !onnx.unknown
    // CHECK: "Dropout"({{.*}}) : ({{.*}}) -> (tensor<3x1xf32>, tensor<3x1xi1>)
    %drop:2 = onnx.node "Dropout"(%y) : (tensor<3x1xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %max, %mean, %less, %equal, %and, %bits, %where, %pow, %nan, %prelu, %clip, %cast, %like, %drop#0, %drop#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Old forms: an axis where the second shape starts, slopes per channel, types by name, limits as
// attributes, masks of numbers.
// CHECK-LABEL: func.func @old
module attributes {onnx.opset = {ai.onnx = 1 : i64}} {
  func.func @old(%x: tensor<2x3x4xf32>, %c: tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: "Add"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x3x4xf32>
    %add = onnx.node "Add"(%x, %c) {axis = 1 : i64, broadcast = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>) -> !onnx.unknown
    // CHECK: "PRelu"({{.*}}) : ({{.*}}) -> tensor<2x3x4xf32>
    %prelu = onnx.node "PRelu"(%x, %c) : (tensor<2x3x4xf32>, tensor<3xf32>) -> !onnx.unknown
    // CHECK: "Cast"({{.*}}) {{.*}} : ({{.*}}) -> tensor<3xf16>
    %cast = onnx.node "Cast"(%c) {to = "FLOAT16"} : (tensor<3xf32>) -> !onnx.unknown
    // CHECK: "Clip"({{.*}}) {{.*}} : ({{.*}}) -> tensor<3xf32>
    %clip = onnx.node "Clip"(%c) {min = 0.0 : f32} : (tensor<3xf32>) -> !onnx.unknown
    // CHECK: "Dropout"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<3xf32>, tensor<3xf32>)
    %drop:2 = onnx.node "Dropout"(%c) {is_test = 1 : i64} : (tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %add, %prelu, %cast, %clip, %drop#0, %drop#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Training that drops nothing.
// CHECK-LABEL: func.func @training
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @training(%x: tensor<3xf32>) -> !onnx.unknown {
    %ratio = onnx.constant dense<0.0> : tensor<f32>
    %mode = onnx.constant dense<true> : tensor<i1>
    // CHECK: "Dropout"({{.*}}) : ({{.*}}) -> tensor<3xf32>
    %0 = onnx.node "Dropout"(%x, %ratio, %mode) : (tensor<3xf32>, tensor<f32>, tensor<i1>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
