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
  // CHECK: %[[Y:.*]] = onnx.node "QLinearConv" version {{[0-9]+}}(%[[X]], %[[XS]], %[[XZ]], %[[W]], %[[WS]], %[[WZ]], %{{.*}}, %{{.*}}, %[[B]]) {pads = array<i64: 1, 1, 1, 1>}
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

  // A bias behind the product is one of it.
  // CHECK-LABEL: func @bias_behind
  // CHECK: onnx.node "QLinearMatMul"{{.*}} attributes {onnx.folded_bias}
  // CHECK-NOT: "Add"
  func.func @bias_behind(%x: tensor<4x3xi8>) -> !onnx.unknown {
    %w = onnx.constant dense<2> : tensor<3x5xi8>
    %b = onnx.constant dense<1.5> : tensor<5xf32>
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<4x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%w, %s) : (tensor<3x5xi8>, tensor<f32>) -> !onnx.unknown
    %2 = onnx.node "MatMul"(%0, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %3 = onnx.node "Add"(%b, %2) : (tensor<5xf32>, !onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "QuantizeLinear"(%3, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %4 : !onnx.unknown
  }

  // Limits, pools and what moves elements are the same on integers. 6 is 12 steps above the zero point.
  // CHECK-LABEL: func @limits
  // CHECK: %[[Q:.*]] = onnx.node "QLinearConv"
  // CHECK: %[[LO:.*]] = onnx.constant dense<3> : tensor<i8>
  // CHECK: %[[HI:.*]] = onnx.constant dense<15> : tensor<i8>
  // CHECK: %[[C:.*]] = onnx.node "Clip" version {{[0-9]+}}(%[[Q]], %[[LO]], %[[HI]]) : (tensor<1x2x4x4xi8>
  // CHECK: %[[P:.*]] = onnx.node "MaxPool"(%[[C]])
  // CHECK: %[[T:.*]] = onnx.node "Transpose"(%[[P]])
  // CHECK: return %[[T]] : tensor<1x2x2x2xi8>
  func.func @limits(%x: tensor<1x3x4x4xi8>) -> !onnx.unknown {
    %w = onnx.constant dense<2> : tensor<2x3x1x1xi8>
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %lo = onnx.constant dense<0.0> : tensor<f32>
    %hi = onnx.constant dense<6.0> : tensor<f32>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<1x3x4x4xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%w, %s) : (tensor<2x3x1x1xi8>, tensor<f32>) -> !onnx.unknown
    %2 = onnx.node "Conv"(%0, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %3 = onnx.node "Clip"(%2, %lo, %hi) : (!onnx.unknown, tensor<f32>, tensor<f32>) -> !onnx.unknown
    %4 = onnx.node "MaxPool"(%3) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!onnx.unknown) -> !onnx.unknown
    %5 = onnx.node "Transpose"(%4) {perm = array<i64: 0, 2, 3, 1>} : (!onnx.unknown) -> !onnx.unknown
    %6 = onnx.node "QuantizeLinear"(%5, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %6 : !onnx.unknown
  }

  // Between the same scales there is nothing to compute.
  // CHECK-LABEL: func @pool
  // CHECK-SAME: %[[X:.*]]: tensor<1x3x4x4xi8>
  // CHECK: %[[P:.*]] = onnx.node "MaxPool"(%[[X]])
  // CHECK-NEXT: return %[[P]]
  func.func @pool(%x: tensor<1x3x4x4xi8>) -> !onnx.unknown {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<1x3x4x4xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "MaxPool"(%0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "QuantizeLinear"(%1, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %2 : !onnx.unknown
  }

  // A product whose result stays a float is one of integers, too.
  // CHECK-LABEL: func @floats
  // CHECK: %[[I:.*]] = onnx.node "MatMulInteger"
  // CHECK: %[[F:.*]] = onnx.node "Cast" version {{[0-9]+}}(%[[I]])
  // CHECK: %[[M:.*]] = onnx.node "Mul" version {{[0-9]+}}(%[[F]], %{{.*}})
  // CHECK: %[[A:.*]] = onnx.node "Add" version {{[0-9]+}}(%[[M]], %{{.*}})
  // CHECK: onnx.node "Softmax"(%[[A]])
  func.func @floats(%x: tensor<4x3xui8>) -> !onnx.unknown {
    %w = onnx.constant dense<2> : tensor<5x3xi8>
    %b = onnx.constant dense<7> : tensor<5xi32>
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<100> : tensor<ui8>
    %bs = onnx.constant dense<0.25> : tensor<f32>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%w, %s) : (tensor<5x3xi8>, tensor<f32>) -> !onnx.unknown
    %2 = onnx.node "DequantizeLinear"(%b, %bs) : (tensor<5xi32>, tensor<f32>) -> !onnx.unknown
    %3 = onnx.node "Gemm"(%0, %1, %2) {transB = 1 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "Softmax"(%3) : (!onnx.unknown) -> !onnx.unknown
    return %4 : !onnx.unknown
  }

  // An average is the sum as integers, times one factor.
  // CHECK-LABEL: func @average
  // CHECK: %[[W:.*]] = onnx.node "Cast" version {{[0-9]+}}(%{{.*}}) {to = 6 : i64}
  // CHECK: %[[D:.*]] = onnx.node "Sub" version {{[0-9]+}}(%[[W]], %{{.*}})
  // CHECK: %[[S:.*]] = onnx.node "ReduceSum" version {{[0-9]+}}(%[[D]], %{{.*}}) : (tensor<1x3x7x7xi32>, tensor<2xi64>) -> tensor<1x3x1x1xi32>
  // CHECK: %[[F:.*]] = onnx.node "Cast" version {{[0-9]+}}(%[[S]]) {to = 1 : i64}
  // CHECK: %[[M:.*]] = onnx.node "Mul" version {{[0-9]+}}(%[[F]], %{{.*}})
  // CHECK: onnx.node "QuantizeLinear" version {{[0-9]+}}(%[[M]]
  // CHECK-NOT: GlobalAveragePool
  // CHECK-COUNT-2: onnx.node "ReduceSum"
  // CHECK: return
  func.func @average(%x: tensor<1x3x7x7xui8>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %s = onnx.constant dense<0.031> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<ui8>
    %t = onnx.constant dense<0.017> : tensor<f32>
    %axes = onnx.constant dense<[2, -1]> : tensor<2xi64>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<1x3x7x7xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    %1 = onnx.node "GlobalAveragePool"(%0) : (!onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "QuantizeLinear"(%1, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    %3 = onnx.node "ReduceMean" version 18(%0, %axes) : (!onnx.unknown, tensor<2xi64>) -> !onnx.unknown
    %4 = onnx.node "QuantizeLinear"(%3, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    %5 = onnx.node "AveragePool"(%0) {kernel_shape = array<i64: 7, 7>} : (!onnx.unknown) -> !onnx.unknown
    %6 = onnx.node "QuantizeLinear"(%5, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %2, %4, %6 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // Not where averages are in the middle between integers: which is the nearest depends on how the floats were rounded.
  // CHECK-LABEL: func @averageOfTies
  // CHECK: onnx.node "GlobalAveragePool"
  // CHECK: onnx.node "AveragePool"
  func.func @averageOfTies(%x: tensor<1x3x4x4xui8>) -> (!onnx.unknown, !onnx.unknown) {
    %s = onnx.constant dense<0.031> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<ui8>
    %t = onnx.constant dense<0.017> : tensor<f32>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<1x3x4x4xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    %1 = onnx.node "GlobalAveragePool"(%0) : (!onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "QuantizeLinear"(%1, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    // Nor windows.
    %3 = onnx.node "AveragePool"(%0) {kernel_shape = array<i64: 2, 2>} : (!onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "QuantizeLinear"(%3, %t, %z) : (!onnx.unknown, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %2, %4 : !onnx.unknown, !onnx.unknown
  }

  // The floats have another use, or scales are not known.
  // CHECK-LABEL: func @kept
  // CHECK-NOT: QLinear
  // CHECK: return
  func.func @kept(%x: tensor<3x3xi8>, %t: tensor<f32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<3x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%x, %t, %z) : (tensor<3x3xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %2 = onnx.node "MatMul"(%0, %0) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %3 = onnx.node "QuantizeLinear"(%2, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    %4 = onnx.node "MatMul"(%0, %1) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %5 = onnx.node "QuantizeLinear"(%4, %s, %z) : (!onnx.unknown, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %3, %2, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
