// RUN: npu-opt %s --npu-onnx-pipeline | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // One factor and one summand for each channel: 4 / sqrt(3 + 1) and 1 - 2 * 2.
  // CHECK-LABEL: func @batch_constants
  // CHECK-DAG: %[[FACTOR:.*]] = arith.constant dense<2.000000e+00> : tensor<1x1xf32>
  // CHECK-DAG: %[[SUMMAND:.*]] = arith.constant dense<-3.000000e+00> : tensor<1x1xf32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[FACTOR]], %[[SUMMAND]]
  // CHECK: arith.mulf
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: linalg.yield
  // CHECK-NOT: linalg.generic
  func.func @batch_constants(%x: tensor<2x1x4xf32>) -> !onnx.unknown {
    %s = onnx.constant dense<4.0> : tensor<1xf32>
    %b = onnx.constant dense<1.0> : tensor<1xf32>
    %m = onnx.constant dense<2.0> : tensor<1xf32>
    %v = onnx.constant dense<3.0> : tensor<1xf32>
    %0 = onnx.node "BatchNormalization"(%x, %s, %b, %m, %v) {epsilon = 1.0 : f32}
      : (tensor<2x1x4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // With more than one output, statistics are those of the input.
  // CHECK-LABEL: func @batch_training
  // CHECK: linalg.reduce ins(%{{.*}} : tensor<2x3x4xf32>) outs(%{{.*}} : tensor<3xf32>) dimensions = [0, 2]
  // CHECK: math.sqrt
  func.func @batch_training(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %0, %1 = onnx.node "BatchNormalization"(%x, %s, %s, %s, %s)
      : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // Narrow types are computed with in f32.
  // CHECK-LABEL: func @softmax
  // CHECK: arith.extf
  // CHECK: linalg.reduce
  // CHECK: arith.maximumf
  // CHECK: arith.subf
  // CHECK: math.exp
  // CHECK: linalg.reduce
  // CHECK: arith.addf
  // CHECK: arith.divf
  // CHECK: arith.truncf
  func.func @softmax(%x: tensor<2x4xf16>) -> !onnx.unknown {
    %0 = onnx.node "Softmax"(%x) : (tensor<2x4xf16>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // CHECK-LABEL: func @hardmax
  // CHECK: arith.cmpf ueq
  // CHECK: arith.minsi
  // CHECK: arith.cmpi eq
  func.func @hardmax(%x: tensor<2x4xf32>) -> !onnx.unknown {
    %0 = onnx.node "Hardmax"(%x) : (tensor<2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // CHECK-LABEL: func @lrn
  // CHECK: tensor.pad %{{.*}} low[0, 1, 0] high[0, 2, 0]
  // CHECK: math.powf
  func.func @lrn(%x: tensor<2x4x3xf32>) -> !onnx.unknown {
    %0 = onnx.node "LRN"(%x) {size = 4 : i64} : (tensor<2x4x3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
