// RUN: npu-opt %s --npu-onnx-infer-shapes --npu-onnx-fold-qdq | FileCheck %s
// The result can be read and inferred again.
// RUN: npu-opt %s --npu-onnx-infer-shapes --npu-onnx-fold-qdq | npu-opt --npu-onnx-infer-shapes | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // Several scales for the filters, a bias of floats, and a Relu that the limits of ui8 are.
  // CHECK-LABEL: func @conv
  // CHECK-SAME: (%[[X:.*]]: tensor<1x1x4x4xui8>)
  // CHECK-DAG: %[[XS:.*]] = onnx.constant dense<5.000000e-01> : tensor<f32>
  // CHECK-DAG: %[[XZ:.*]] = onnx.constant dense<120> : tensor<ui8>
  // CHECK-DAG: %[[W:.*]] = onnx.constant {{.*}} : tensor<2x1x1x1xi8>
  // CHECK-DAG: %[[WS:.*]] = onnx.constant dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>
  // CHECK-DAG: %[[WZ:.*]] = onnx.constant dense<0> : tensor<2xi8>
  // CHECK-DAG: %[[YZ:.*]] = onnx.constant dense<0> : tensor<ui8>
  // CHECK-DAG: %[[B:.*]] = onnx.constant dense<[8, -4]> : tensor<2xi32>
  // CHECK: %[[Y:.*]] = onnx.node "QLinearConv"(%[[X]], %[[XS]], %[[XZ]], %[[W]], %[[WS]], %[[WZ]], %[[XS]], %[[YZ]], %[[B]]) {pads = array<i64: 1, 1, 1, 1>}
  // CHECK-NEXT: return %[[Y]]
  func.func @conv(%x: tensor<1x1x4x4xui8>) -> !onnx.unknown {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %xz = onnx.constant dense<120> : tensor<ui8>
    %w = onnx.constant dense<[[[[3]]], [[[-5]]]]> : tensor<2x1x1x1xi8>
    %ws = onnx.constant dense<[0.25, 0.5]> : tensor<2xf32>
    %b = onnx.constant dense<[1.0, -1.0]> : tensor<2xf32>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %xz) : (tensor<1x1x4x4xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%w, %ws) {axis = 0 : i64} : (tensor<2x1x1x1xi8>, tensor<2xf32>) -> !onnx.unknown
    %2 = onnx.node "Conv"(%0, %1, %b) {pads = array<i64: 1, 1, 1, 1>} : (!onnx.unknown, !onnx.unknown, tensor<2xf32>) -> !onnx.unknown
    %3 = onnx.node "Relu"(%2) : (!onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "QuantizeLinear"(%3, %s) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
    return %4 : !onnx.unknown
  }

  // A transposed right side, and a bias that is quantized as well.
  // CHECK-LABEL: func @gemm
  // CHECK-DAG: onnx.constant dense<{{\[}}[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
  // CHECK-DAG: onnx.constant dense<[7, -14]> : tensor<2xi32>
  // CHECK: onnx.node "QLinearMatMul"
  // CHECK-SAME: attributes {onnx.folded_bias}
  // CHECK-SAME: -> tensor<4x2xi8>
  func.func @gemm(%x: tensor<4x3xi8>) -> !onnx.unknown {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %w = onnx.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
    %b = onnx.constant dense<[7, -14]> : tensor<2xi32>
    %bs = onnx.constant dense<0.25> : tensor<f32>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<4x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%w, %s, %z) : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %2 = onnx.node "DequantizeLinear"(%b, %bs) : (tensor<2xi32>, tensor<f32>) -> !onnx.unknown
    %3 = onnx.node "Gemm"(%0, %1, %2) {transB = 1 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "QuantizeLinear"(%3, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %4 : !onnx.unknown
  }

  // Both sides may be computed.
  // CHECK-LABEL: func @matmul
  // CHECK-NOT: DequantizeLinear
  // CHECK: onnx.node "QLinearMatMul"
  func.func @matmul(%x: tensor<4x3xi8>, %y: tensor<3x5xi8>) -> !onnx.unknown {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<4x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%y, %s, %z) : (tensor<3x5xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %2 = onnx.node "MatMul"(%0, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %3 = onnx.node "QuantizeLinear"(%2, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %3 : !onnx.unknown
  }

  // Another use of the floats, scales that are not known, a Relu that the limits are not.
  // CHECK-LABEL: func @kept
  // CHECK-NOT: QLinear
  // CHECK: return
  func.func @kept(%x: tensor<3x3xi8>, %t: tensor<f32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<3x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%x, %t, %z) : (tensor<3x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %2 = onnx.node "MatMul"(%0, %0) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %3 = onnx.node "QuantizeLinear"(%2, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %4 = onnx.node "MatMul"(%0, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %5 = onnx.node "QuantizeLinear"(%4, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %6 = onnx.node "MatMul"(%0, %0) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %7 = onnx.node "Relu"(%6) : (!onnx.unknown) -> !onnx.unknown
    %8 = onnx.node "QuantizeLinear"(%7, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %3, %2, %5, %8 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
