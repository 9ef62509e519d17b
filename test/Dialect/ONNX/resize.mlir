// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file %s | FileCheck %s

// Sizes follow from scales, or are given; with the aspect ratio kept, they are limits.
// CHECK-LABEL: func.func @resize
module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  func.func @resize(%x0: tensor<1x1x4x4xf32>, %x1: tensor<1x1x4x8xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %c1 = onnx.constant dense<[1.0, 1.0, 0.6, 2.6]> : tensor<4xf32>
    %c2 = onnx.constant dense<[1, 1, 7, 8]> : tensor<4xi64>
    %c3 = onnx.constant dense<[6, 6]> : tensor<2xi64>
    %c4 = onnx.constant dense<[0.25, 0.75]> : tensor<2xf32>
    %c5 = onnx.constant dense<[3.0]> : tensor<1xf32>
    // CHECK: "Resize"({{.*}}) : ({{.*}}) -> tensor<1x1x2x10xf32>
    %0 = onnx.node "Resize"(%x0, %none, %c1) : (tensor<1x1x4x4xf32>, none, tensor<4xf32>) -> !onnx.unknown
    // CHECK: "Resize"({{.*}}) : ({{.*}}) -> tensor<1x1x7x8xf32>
    %1 = onnx.node "Resize"(%x0, %none, %none, %c2) : (tensor<1x1x4x4xf32>, none, none, tensor<4xi64>) -> !onnx.unknown
    // CHECK: "Resize"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x1x3x6xf32>
    %2 = onnx.node "Resize"(%x1, %none, %none, %c3) {axes = array<i64: 2, -1>, keep_aspect_ratio_policy = "not_larger"} : (tensor<1x1x4x8xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    // CHECK: "Resize"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x1x6x12xf32>
    %3 = onnx.node "Resize"(%x1, %none, %none, %c3) {axes = array<i64: 2, -1>, keep_aspect_ratio_policy = "not_smaller"} : (tensor<1x1x4x8xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    // CHECK: "Resize"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x1x4x6xf32>
    %4 = onnx.node "Resize"(%x0, %c4, %c5) {mode = "linear", coordinate_transformation_mode = "tf_crop_and_resize", axes = array<i64: 3>} : (tensor<1x1x4x4xf32>, tensor<2xf32>, tensor<1xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// floor(4 * 0.1) is 0: a result without elements is a constant. So is one of an input without them.
// CHECK-LABEL: func.func @resize_to_nothing
// CHECK-SAME: -> (tensor<1x0xf32>, tensor<0x8xf32>, tensor<2x0xf32>, tensor<1x0xf32>)
module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  func.func @resize_to_nothing(%x0: tensor<1x4xf32>, %x1: tensor<0x4xf32>, %x2: tensor<9x1xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %c1 = onnx.constant dense<[1.0, 0.1]> : tensor<2xf32>
    %c2 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %c3 = onnx.constant dense<2> : tensor<2xi64>
    %c4 = onnx.constant dense<[1, 0]> : tensor<2xi64>
    // CHECK-NOT: "Resize"
    // CHECK: onnx.constant dense<> : tensor<1x0xf32>
    %0 = onnx.node "Resize"(%x0, %none, %c1) {mode = "linear"} : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    %1 = onnx.node "Resize"(%x1, %none, %c2) : (tensor<0x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    %2 = onnx.node "Resize"(%x2, %none, %none, %c3) {keep_aspect_ratio_policy = "not_larger"} : (tensor<9x1xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    %3 = onnx.node "Resize"(%x0, %none, %none, %c4) : (tensor<1x4xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// The first form.
// CHECK-LABEL: func.func @resize_10
module attributes {onnx.opset = {ai.onnx = 10 : i64}} {
  func.func @resize_10(%x0: tensor<1x1x4x4xf32>) -> (!onnx.unknown) {
    %c0 = onnx.constant dense<[1.0, 1.0, 2.0, 0.5]> : tensor<4xf32>
    // CHECK: "Resize"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x1x8x2xf32>
    %0 = onnx.node "Resize"(%x0, %c0) {mode = "linear"} : (tensor<1x1x4x4xf32>, tensor<4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Upsample, with its scales as an input, as an attribute, and for images only.
// CHECK-LABEL: func.func @upsample
module attributes {onnx.opset = {ai.onnx = 9 : i64}} {
  func.func @upsample(%x0: tensor<1x1x4x4xf32>) -> (!onnx.unknown) {
    %c0 = onnx.constant dense<[1.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
    // CHECK: "Upsample"({{.*}}) : ({{.*}}) -> tensor<1x1x8x12xf32>
    %0 = onnx.node "Upsample"(%x0, %c0) : (tensor<1x1x4x4xf32>, tensor<4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// CHECK-LABEL: func.func @upsample_7
module attributes {onnx.opset = {ai.onnx = 7 : i64}} {
  func.func @upsample_7(%x0: tensor<1x1x4x4xf32>) -> (!onnx.unknown) {
    // CHECK: "Upsample"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x1x8x12xf32>
    %0 = onnx.node "Upsample"(%x0) {scales = array<f32: 1.0, 1.0, 2.0, 3.0>} : (tensor<1x1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// CHECK-LABEL: func.func @upsample_1
module attributes {onnx.opset = {ai.onnx = 1 : i64}} {
  func.func @upsample_1(%x0: tensor<1x1x4x4xf32>) -> (!onnx.unknown) {
    // CHECK: "Upsample"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x1x8x6xf32>
    %0 = onnx.node "Upsample"(%x0) {height_scale = 2.0 : f32, width_scale = 1.5 : f32, mode = "bilinear"} : (tensor<1x1x4x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
