// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file %s | FileCheck %s

// Parameters are inputs.
// CHECK-LABEL: func.func @types
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @types(%x0: tensor<2x3x4xf32>, %x1: tensor<1x3x1xf32>, %x2: tensor<2x5x4xf32>, %x3: tensor<3x1xf32>, %x4: tensor<1x8x2x3xui8>, %x5: tensor<1x2x4x6xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[0, -1]> : tensor<2xi64>
    %c1 = onnx.constant dense<[4, -1, 2]> : tensor<3xi64>
    %c2 = onnx.constant dense<[-1]> : tensor<1xi64>
    %c3 = onnx.constant dense<[-1, 0]> : tensor<2xi64>
    %c4 = onnx.constant dense<[1, 2]> : tensor<2xi64>
    %c5 = onnx.constant dense<[-9223372036854775808, 9]> : tensor<2xi64>
    %c6 = onnx.constant dense<[1, -1]> : tensor<2xi64>
    %c7 = onnx.constant dense<[-2, 3]> : tensor<2xi64>
    %c8 = onnx.constant dense<[2, 1, 4]> : tensor<3xi64>
    %c9 = onnx.constant dense<[1, 2, 3]> : tensor<3xi64>
    %c10 = onnx.constant dense<[1, 0, 0, 0, 0, 2]> : tensor<6xi64>
    %none = onnx.none : none
    // CHECK: "Reshape"({{.*}}) : ({{.*}}) -> tensor<2x12xf32>
    %0 = onnx.node "Reshape"(%x0, %c0) : (tensor<2x3x4xf32>, tensor<2xi64>) -> !onnx.unknown
    // CHECK: "Reshape"({{.*}}) : ({{.*}}) -> tensor<4x3x2xf32>
    %1 = onnx.node "Reshape"(%x0, %c1) : (tensor<2x3x4xf32>, tensor<3xi64>) -> !onnx.unknown
    // CHECK: "Flatten"({{.*}}) : ({{.*}}) -> tensor<2x12xf32>
    %2 = onnx.node "Flatten"(%x0) : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Flatten"({{.*}}) {{.*}} : ({{.*}}) -> tensor<6x4xf32>
    %3 = onnx.node "Flatten"(%x0) {axis = -1 : i64} : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Flatten"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x24xf32>
    %4 = onnx.node "Flatten"(%x0) {axis = 0 : i64} : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Squeeze"({{.*}}) : ({{.*}}) -> tensor<3xf32>
    %5 = onnx.node "Squeeze"(%x1) : (tensor<1x3x1xf32>) -> !onnx.unknown
    // CHECK: "Squeeze"({{.*}}) : ({{.*}}) -> tensor<1x3xf32>
    %6 = onnx.node "Squeeze"(%x1, %c2) : (tensor<1x3x1xf32>, tensor<1xi64>) -> !onnx.unknown
    // CHECK: "Unsqueeze"({{.*}}) : ({{.*}}) -> tensor<1x2x3x4x1xf32>
    %7 = onnx.node "Unsqueeze"(%x0, %c3) : (tensor<2x3x4xf32>, tensor<2xi64>) -> !onnx.unknown
    // CHECK: "Transpose"({{.*}}) : ({{.*}}) -> tensor<4x3x2xf32>
    %8 = onnx.node "Transpose"(%x0) : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Transpose"({{.*}}) {{.*}} : ({{.*}}) -> tensor<3x2x4xf32>
    %9 = onnx.node "Transpose"(%x0) {perm = array<i64: 1, 0, 2>} : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Concat"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x11x4xf32>
    %10 = onnx.node "Concat"(%x0, %x2, %x0) {axis = -2 : i64} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>, tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Split"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<2x1x4xf32>, tensor<2x2x4xf32>)
    %11:2 = onnx.node "Split"(%x0, %c4) {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
    // CHECK: "Split"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<2x3x2xf32>, tensor<2x3x2xf32>, tensor<2x3x0xf32>)
    %12:3 = onnx.node "Split"(%x0) {axis = -1 : i64, num_outputs = 3 : i64} : (tensor<2x3x4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    // CHECK: "Slice"({{.*}}) : ({{.*}}) -> tensor<2x2x2xf32>
    %13 = onnx.node "Slice"(%x0, %c3, %c5, %c6, %c7) : (tensor<2x3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
    // CHECK: "Expand"({{.*}}) : ({{.*}}) -> tensor<2x3x4xf32>
    %14 = onnx.node "Expand"(%x3, %c8) : (tensor<3x1xf32>, tensor<3xi64>) -> !onnx.unknown
    // CHECK: "Tile"({{.*}}) : ({{.*}}) -> tensor<2x6x12xf32>
    %15 = onnx.node "Tile"(%x0, %c9) : (tensor<2x3x4xf32>, tensor<3xi64>) -> !onnx.unknown
    // CHECK: "Pad"({{.*}}) : ({{.*}}) -> tensor<3x3x6xf32>
    %16 = onnx.node "Pad"(%x0, %c10) : (tensor<2x3x4xf32>, tensor<6xi64>) -> !onnx.unknown
    // CHECK: "Pad"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x3x4xf32>
    %17 = onnx.node "Pad"(%x0, %c6, %none, %c2) {mode = "reflect"} : (tensor<2x3x4xf32>, tensor<2xi64>, none, tensor<1xi64>) -> !onnx.unknown
    // CHECK: "DepthToSpace"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x2x4x6xui8>
    %18 = onnx.node "DepthToSpace"(%x4) {blocksize = 2 : i64} : (tensor<1x8x2x3xui8>) -> !onnx.unknown
    // CHECK: "SpaceToDepth"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x8x2x3xf16>
    %19 = onnx.node "SpaceToDepth"(%x5) {blocksize = 2 : i64} : (tensor<1x2x4x6xf16>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11#0, %11#1, %12#0, %12#1, %12#2, %13, %14, %15, %16, %17, %18, %19 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Parameters are attributes, or inputs of another form.
// CHECK-LABEL: func.func @attributes
module attributes {onnx.opset = {ai.onnx = 1 : i64}} {
  func.func @attributes(%x0: tensor<2x3x4xf32>, %x1: tensor<1x3x1xf32>, %x2: tensor<3x4xf32>, %x3: tensor<2x3xf32>, %x4: tensor<2x4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[3]> : tensor<1xi64>
    %c1 = onnx.constant dense<[1]> : tensor<1xi64>
    // CHECK: "Reshape"({{.*}}) {{.*}} : ({{.*}}) -> tensor<6x4xf32>
    %0 = onnx.node "Reshape"(%x0) {shape = array<i64: 6, -1>} : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Squeeze"({{.*}}) {{.*}} : ({{.*}}) -> tensor<3x1xf32>
    %1 = onnx.node "Squeeze"(%x1) {axes = array<i64: 0>} : (tensor<1x3x1xf32>) -> !onnx.unknown
    // CHECK: "Unsqueeze"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x3x1x4xf32>
    %2 = onnx.node "Unsqueeze"(%x2) {axes = array<i64: 0, 2>} : (tensor<3x4xf32>) -> !onnx.unknown
    // CHECK: "Concat"({{.*}}) : ({{.*}}) -> tensor<2x7xf32>
    %3 = onnx.node "Concat"(%x3, %x4) : (tensor<2x3xf32>, tensor<2x4xf32>) -> !onnx.unknown
    // CHECK: "Split"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<2x3x2xf32>, tensor<2x3x2xf32>)
    %4:2 = onnx.node "Split"(%x0) {axis = 2 : i64} : (tensor<2x3x4xf32>) -> (!onnx.unknown, !onnx.unknown)
    // CHECK: "Split"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<2x2x4xf32>, tensor<2x1x4xf32>)
    %5:2 = onnx.node "Split"(%x0) {split = array<i64: 2, 1>, axis = 1 : i64} : (tensor<2x3x4xf32>) -> (!onnx.unknown, !onnx.unknown)
    // CHECK: "Slice"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x3x2xf32>
    %6 = onnx.node "Slice"(%x0) {starts = array<i64: 1, -3>, ends = array<i64: 1000, -1>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Pad"({{.*}}) {{.*}} : ({{.*}}) -> tensor<3x3x6xf32>
    %7 = onnx.node "Pad"(%x0) {paddings = array<i64: 1, 0, 0, 0, 0, 2>, mode = "edge"} : (tensor<2x3x4xf32>) -> !onnx.unknown
    // CHECK: "Tile"({{.*}}) : ({{.*}}) -> tensor<2x9xf32>
    %8 = onnx.node "Tile"(%x3, %c0, %c1) : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    return %0, %1, %2, %3, %4#0, %4#1, %5#0, %5#1, %6, %7, %8 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Operators that index with data.
// CHECK-LABEL: func.func @gather
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @gather(%x0: tensor<2x3x4xf32>, %x1: tensor<5x6xi32>, %x2: tensor<i64>, %x3: tensor<1x3x7xi64>, %x4: tensor<5x2xi64>, %x5: tensor<2x1xi64>, %x6: tensor<1x2x3xi64>, %x7: tensor<1x2x3xf32>, %x8: tensor<5x1xi64>, %x9: tensor<5x3x4xf32>, %x10: tensor<2xi64>, %x11: tensor<2xi8>, %x12: tensor<2xf32>, %x13: tensor<3xi64>, %x14: tensor<2x2xi32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<5> : tensor<i64>
    %c1 = onnx.constant dense<5.0> : tensor<1xf32>
    %c2 = onnx.constant dense<[true, false, true]> : tensor<3xi1>
    %c3 = onnx.constant dense<[false, true]> : tensor<2xi1>
    %c4 = onnx.constant dense<[3]> : tensor<1xi64>
    %c5 = onnx.constant dense<0.0> : tensor<f32>
    %c6 = onnx.constant dense<2000000.0> : tensor<f32>
    %c7 = onnx.constant dense<1.0> : tensor<f32>
    // CHECK: "Gather"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x5x6x4xf32>
    %0 = onnx.node "Gather"(%x0, %x1) {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<5x6xi32>) -> !onnx.unknown
    // CHECK: "Gather"({{.*}}) : ({{.*}}) -> tensor<3x4xf32>
    %1 = onnx.node "Gather"(%x0, %x2) : (tensor<2x3x4xf32>, tensor<i64>) -> !onnx.unknown
    // CHECK: "GatherElements"({{.*}}) {{.*}} : ({{.*}}) -> tensor<1x3x7xf32>
    %2 = onnx.node "GatherElements"(%x0, %x3) {axis = 2 : i64} : (tensor<2x3x4xf32>, tensor<1x3x7xi64>) -> !onnx.unknown
    // CHECK: "GatherND"({{.*}}) : ({{.*}}) -> tensor<5x4xf32>
    %3 = onnx.node "GatherND"(%x0, %x4) : (tensor<2x3x4xf32>, tensor<5x2xi64>) -> !onnx.unknown
    // CHECK: "GatherND"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x4xf32>
    %4 = onnx.node "GatherND"(%x0, %x5) {batch_dims = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x1xi64>) -> !onnx.unknown
    // CHECK: "ScatterElements"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x3x4xf32>
    %5 = onnx.node "ScatterElements"(%x0, %x6, %x7) {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<1x2x3xi64>, tensor<1x2x3xf32>) -> !onnx.unknown
    // CHECK: "ScatterND"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x3x4xf32>
    %6 = onnx.node "ScatterND"(%x0, %x8, %x9) {reduction = "max"} : (tensor<2x3x4xf32>, tensor<5x1xi64>, tensor<5x3x4xf32>) -> !onnx.unknown
    // CHECK: "OneHot"({{.*}}) {{.*}} : ({{.*}}) -> tensor<5x2xi8>
    %7 = onnx.node "OneHot"(%x10, %c0, %x11) {axis = 0 : i64} : (tensor<2xi64>, tensor<i64>, tensor<2xi8>) -> !onnx.unknown
    // CHECK: "OneHot"({{.*}}) : ({{.*}}) -> tensor<2x5xi8>
    %8 = onnx.node "OneHot"(%x12, %c1, %x11) : (tensor<2xf32>, tensor<1xf32>, tensor<2xi8>) -> !onnx.unknown
    // CHECK: "Compress"({{.*}}) {{.*}} : ({{.*}}) -> tensor<2x2x4xf32>
    %9 = onnx.node "Compress"(%x0, %c2) {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xi1>) -> !onnx.unknown
    // CHECK: "Compress"({{.*}}) : ({{.*}}) -> tensor<1xf32>
    %10 = onnx.node "Compress"(%x0, %c3) : (tensor<2x3x4xf32>, tensor<2xi1>) -> !onnx.unknown
    // CHECK: "ReverseSequence"({{.*}}) : ({{.*}}) -> tensor<2x3x4xf32>
    %11 = onnx.node "ReverseSequence"(%x0, %x13) : (tensor<2x3x4xf32>, tensor<3xi64>) -> !onnx.unknown
    // CHECK: "TopK"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<2x3x3xf32>, tensor<2x3x3xi64>)
    %12:2 = onnx.node "TopK"(%x0, %c4) {axis = -1 : i64} : (tensor<2x3x4xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
    // CHECK: "Trilu"({{.*}}) : ({{.*}}) -> tensor<2x2xi32>
    %13 = onnx.node "Trilu"(%x14, %x2) : (tensor<2x2xi32>, tensor<i64>) -> !onnx.unknown
    // CHECK: onnx.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
    %14 = onnx.node "EyeLike"(%x14) {dtype = 1 : i64} : (tensor<2x2xi32>) -> !onnx.unknown
    // CHECK: "Range"({{.*}}) : ({{.*}}) -> tensor<2000000xf32>
    %15 = onnx.node "Range"(%c5, %c6, %c7) : (tensor<f32>, tensor<f32>, tensor<f32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12#0, %12#1, %13, %14, %15 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Names and attributes of older opsets.
// CHECK-LABEL: func.func @old_scatter_and_top_k
module attributes {onnx.opset = {ai.onnx = 9 : i64}} {
  func.func @old_scatter_and_top_k(%x0: tensor<2x3xf32>, %x1: tensor<1x3xi64>, %x2: tensor<1x3xf32>, %x3: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: "Scatter"({{.*}}) : ({{.*}}) -> tensor<2x3xf32>
    %0 = onnx.node "Scatter"(%x0, %x1, %x2) : (tensor<2x3xf32>, tensor<1x3xi64>, tensor<1x3xf32>) -> !onnx.unknown
    // CHECK: "TopK"({{.*}}) {{.*}} : ({{.*}}) -> (tensor<2xf32>, tensor<2xi64>)
    %1:2 = onnx.node "TopK"(%x3) {k = 2 : i64, axis = 0 : i64} : (tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %0, %1#0, %1#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
