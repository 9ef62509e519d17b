// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file %s | FileCheck %s

// What is computed from shapes is constant; large constants of one value take no memory.
// CHECK-LABEL: func.func @shapes
module attributes {onnx.opset = {ai.onnx = 15 : i64}} {
  func.func @shapes(%x0: tensor<2x3x4xf32>, %x1: tensor<4x6xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<-1> : tensor<i64>
    %c1 = onnx.constant dense<[0]> : tensor<1xi64>
    %c2 = onnx.constant dense<[3, -1]> : tensor<2xi64>
    %c3 = onnx.constant dense<5> : tensor<i64>
    %c4 = onnx.constant dense<-2> : tensor<i64>
    %c5 = onnx.constant dense<-3> : tensor<i64>
    %c6 = onnx.constant dense<1.0> : tensor<f32>
    %c7 = onnx.constant dense<2.0> : tensor<f32>
    %c8 = onnx.constant dense<0.25> : tensor<f32>
    %c9 = onnx.constant dense<[[0, 3, 0], [1, 0, 2]]> : tensor<2x3xi32>
    %c10 = onnx.constant dense<[100000, 1000]> : tensor<2xi64>
    %c11 = onnx.constant dense<> : tensor<0xi64>
    %0 = onnx.node "Shape"(%x0) : (tensor<2x3x4xf32>) -> !onnx.unknown
    %1 = onnx.node "Shape"(%x0) {start = 1 : i64, end = -1 : i64} : (tensor<2x3x4xf32>) -> !onnx.unknown
    %2 = onnx.node "Size"(%x0) : (tensor<2x3x4xf32>) -> !onnx.unknown
    %3 = onnx.node "Shape"(%x1) : (tensor<4x6xf32>) -> !onnx.unknown
    %4 = onnx.node "Gather"(%3, %c0) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %5 = onnx.node "Unsqueeze"(%4, %c1) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %6 = onnx.node "Concat"(%c2, %5) {axis = 0 : i64} : (tensor<2xi64>, !onnx.unknown) -> !onnx.unknown
    %7 = onnx.node "Range"(%c3, %c4, %c5) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
    %8 = onnx.node "Range"(%c6, %c7, %c8) : (tensor<f32>, tensor<f32>, tensor<f32>) -> !onnx.unknown
    %9 = onnx.node "NonZero"(%c9) : (tensor<2x3xi32>) -> !onnx.unknown
    %10 = onnx.node "ConstantOfShape"(%c10) {value = dense<7> : tensor<1xi32>} : (tensor<2xi64>) -> !onnx.unknown
    %11 = onnx.node "ConstantOfShape"(%c11) : (tensor<0xi64>) -> !onnx.unknown
    // CHECK-NOT: onnx.node
    // CHECK: onnx.constant dense<[2, 3, 4]> : tensor<3xi64>
    // CHECK: onnx.constant dense<3> : tensor<1xi64>
    // CHECK: onnx.constant dense<24> : tensor<i64>
    // CHECK: onnx.constant dense<[3, -1, 6]> : tensor<3xi64>
    // CHECK: onnx.constant dense<[5, 2, -1]> : tensor<3xi64>
    // CHECK: onnx.constant dense<[1.000000e+00, 1.250000e+00, 1.500000e+00, 1.750000e+00]> : tensor<4xf32>
    // CHECK: onnx.constant dense<{{\[\[}}0, 1, 1], [1, 0, 2{{\]\]}}> : tensor<2x3xi64>
    // CHECK: onnx.constant dense<7> : tensor<100000x1000xi32>
    // CHECK: onnx.constant dense<0.000000e+00> : tensor<f32>
    // CHECK-NOT: onnx.node
    // CHECK: return
    return %0, %1, %2, %6, %7, %8, %9, %10, %11 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Small constants are moved while importing, splats of any size.
// CHECK-LABEL: func.func @moves
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @moves() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>
    %c1 = onnx.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
    %c2 = onnx.constant dense<[-1]> : tensor<1xi64>
    %c3 = onnx.constant dense<[-100]> : tensor<1xi64>
    %c4 = onnx.constant dense<[0]> : tensor<1xi64>
    %c5 = onnx.constant dense<[-2]> : tensor<1xi64>
    %c6 = onnx.constant dense<[1, 2, 3]> : tensor<3xi64>
    %c7 = onnx.constant dense<[[true], [false]]> : tensor<2x1xi1>
    %c8 = onnx.constant dense<[2, 2]> : tensor<2xi64>
    %c9 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %c10 = onnx.constant dense<[2]> : tensor<1xi64>
    %c11 = onnx.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xui8>
    %c12 = onnx.constant dense<[[-1, 0, -1]]> : tensor<1x3xi32>
    %c13 = onnx.constant dense<[[[1], [2]]]> : tensor<1x2x1xi64>
    %c14 = onnx.constant dense<9> : tensor<i64>
    %c15 = onnx.constant dense<2.5> : tensor<1000x1000xf16>
    %c16 = onnx.constant dense<[1, 7]> : tensor<2xi64>
    %0 = onnx.node "Transpose"(%c0) : (tensor<2x3xi16>) -> !onnx.unknown
    %1 = onnx.node "Slice"(%c1, %c2, %c3, %c4, %c5) : (tensor<5xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    %2:2 = onnx.node "Split"(%c6) {num_outputs = 2 : i64} : (tensor<3xi64>) -> (!onnx.unknown, !onnx.unknown)
    %3 = onnx.node "Expand"(%c7, %c8) : (tensor<2x1xi1>, tensor<2xi64>) -> !onnx.unknown
    %4 = onnx.node "Tile"(%c9, %c10) : (tensor<2xf32>, tensor<1xi64>) -> !onnx.unknown
    %5 = onnx.node "Gather"(%c11, %c12) {axis = 1 : i64} : (tensor<2x2xui8>, tensor<1x3xi32>) -> !onnx.unknown
    %6 = onnx.node "Flatten"(%c13) : (tensor<1x2x1xi64>) -> !onnx.unknown
    %7 = onnx.node "Identity"(%c14) : (tensor<i64>) -> !onnx.unknown
    %8 = onnx.node "Tile"(%c15, %c16) : (tensor<1000x1000xf16>, tensor<2xi64>) -> !onnx.unknown
    // CHECK-NOT: onnx.node
    // CHECK: onnx.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6{{\]\]}}> : tensor<3x2xi16>
    // CHECK: onnx.constant dense<[5, 3, 1]> : tensor<3xi64>
    // CHECK: onnx.constant dense<[1, 2]> : tensor<2xi64>
    // CHECK: onnx.constant dense<3> : tensor<1xi64>
    // CHECK: onnx.constant dense<{{\[\[}}true, true], [false, false{{\]\]}}> : tensor<2x2xi1>
    // CHECK: onnx.constant dense<[1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<4xf32>
    // CHECK: onnx.constant dense<{{\[\[}}[2, 1, 2{{\]\]}}, {{\[\[}}4, 3, 4{{\]\]}}]> : tensor<2x1x3xui8>
    // CHECK: onnx.constant dense<{{\[\[}}1, 2{{\]\]}}> : tensor<1x2xi64>
    // CHECK: onnx.constant dense<9> : tensor<i64>
    // CHECK: onnx.constant dense<2.500000e+00> : tensor<1000x7000xf16>
    // CHECK-NOT: onnx.node
    // CHECK: return
    return %0, %1, %2#0, %2#1, %3, %4, %5, %6, %7, %8 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Weights get another type, not another place. Those that are small enough can be moved.
// CHECK-LABEL: func.func @weights
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @weights() -> (!onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense_resource<weights> : tensor<2x2xf32>
    %c1 = onnx.constant dense<[4, -1]> : tensor<2xi64>
    %0 = onnx.node "Reshape"(%c0, %c1) : (tensor<2x2xf32>, tensor<2xi64>) -> !onnx.unknown
    %1 = onnx.node "Transpose"(%c0) : (tensor<2x2xf32>) -> !onnx.unknown
    // CHECK-NOT: onnx.node
    // CHECK: onnx.constant dense_resource<weights> : tensor<4x1xf32>
    // CHECK: onnx.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00{{\]\]}}> : tensor<2x2xf32>
    // CHECK-NOT: onnx.node
    // CHECK: return
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}

// -----

// Results without elements are constants, whoever computes them.
// CHECK-LABEL: func.func @empty
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @empty(%x0: tensor<2x3xf32>, %x1: tensor<0x3xf32>, %x2: tensor<0xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[2]> : tensor<1xi64>
    %c1 = onnx.constant dense<[1]> : tensor<1xi64>
    %c2 = onnx.constant dense<[3, 0, 2]> : tensor<3xi64>
    %0 = onnx.node "Slice"(%x0, %c0, %c1) : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    %1 = onnx.node "Reshape"(%x1, %c2) {allowzero = 1 : i64} : (tensor<0x3xf32>, tensor<3xi64>) -> !onnx.unknown
    %2 = onnx.node "Relu"(%x2) : (tensor<0xf32>) -> !onnx.unknown
    // CHECK-NOT: onnx.node
    // CHECK: onnx.constant dense<> : tensor<0x3xf32>
    // CHECK: onnx.constant dense<> : tensor<3x0x2xf32>
    // CHECK: onnx.constant dense<> : tensor<0xf32>
    // CHECK-NOT: onnx.node
    // CHECK: return
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
