// RUN: npu-opt --npu-onnx-pipeline --split-input-file %s | FileCheck %s

// The label's weight, and the label's logarithm; both count for nothing where the label is ignored.
// The mean is that of the weights.
// CHECK-LABEL: func.func @mean(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x5x3xf32>, %[[T:[^:]*]]: tensor<2x3xi64>, %[[W:[^:]*]]: tensor<5xf32>
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @mean(%x: tensor<2x5x3xf32>, %t: tensor<2x3xi64>, %w: tensor<5xf32>) -> !onnx.unknown {
    // CHECK: %[[FACTORS:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<2x3xi64>)
    // CHECK: tensor.extract %[[W]][%{{.*}}]
    // CHECK: arith.constant -1 : i64
    // CHECK: arith.cmpi eq
    // CHECK: arith.select
    // CHECK: %[[LOSSES:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[FACTORS]] :
    // CHECK: tensor.extract %[[X]][%{{.*}}, %{{.*}}, %{{.*}}] : tensor<2x5x3xf32>
    // CHECK: arith.negf
    // CHECK: arith.mulf
    // CHECK: arith.select
    // CHECK: linalg.reduce ins(%[[LOSSES]]
    // CHECK: arith.addf
    // CHECK: linalg.reduce ins(%[[FACTORS]]
    // CHECK: arith.addf
    // CHECK: arith.divf
    %0 = onnx.node "NegativeLogLikelihoodLoss"(%x, %t, %w) {ignore_index = -1 : i64} : (tensor<2x5x3xf32>, tensor<2x3xi64>, tensor<5xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// No label is what i32 does not have.
// CHECK-LABEL: func.func @none
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @none(%x: tensor<2x5xf16>, %t: tensor<2xi32>) -> (!onnx.unknown, !onnx.unknown) {
    // CHECK: arith.extf
    // CHECK: linalg.reduce
    // CHECK: arith.maximumf
    // CHECK: math.exp
    // CHECK: %[[LOGS:.*]] = linalg.generic
    // CHECK: math.log
    // CHECK: tensor.extract %[[LOGS]]
    // CHECK-NOT: arith.cmpi eq
    // CHECK: arith.truncf
    // CHECK: arith.truncf
    %0:2 = onnx.node "SoftmaxCrossEntropyLoss"(%x, %t) {ignore_index = 4294967296 : i64, reduction = "none"} : (tensor<2x5xf16>, tensor<2xi32>) -> (!onnx.unknown, !onnx.unknown)
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }
}
