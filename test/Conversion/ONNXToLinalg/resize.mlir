// RUN: npu-opt --npu-onnx-infer-shapes --convert-onnx-to-linalg --canonicalize --cse %s | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  // Whole factors are copies, others a table.
  // CHECK-LABEL: func.func @nearest(
  func.func @nearest(%x: tensor<1x2x4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %c = onnx.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
    %d = onnx.constant dense<[1.0, 1.0, 1.5]> : tensor<3xf32>
    %0 = onnx.node "Resize"(%x, %none, %c) : (tensor<1x2x4xf32>, none, tensor<3xf32>) -> !onnx.unknown
    %1 = onnx.node "Resize"(%x, %none, %d) : (tensor<1x2x4xf32>, none, tensor<3xf32>) -> !onnx.unknown
    // CHECK: %[[TABLE:.*]] = arith.constant dense<[0, 0, 1, 2, 2, 3]>
    // CHECK: tensor.expand_shape %[[X:[^ ]*]] {{\[.*\]}} output_shape [1, 1, 2, 1, 4, 1]
    // CHECK: tensor.collapse_shape {{.*}} into tensor<1x2x8xf32>
    // CHECK: linalg.generic {{.*}} ins(%[[TABLE]] : tensor<6xi64>)
    // CHECK: tensor.extract %[[X]]
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // One dimension at a time, in f32.
  // CHECK-LABEL: func.func @linear(
  func.func @linear(%x: tensor<2x4xf16>) -> !onnx.unknown {
    %none = onnx.none : none
    %c = onnx.constant dense<2.0> : tensor<1xf32>
    %0 = onnx.node "Resize"(%x, %none, %c) {mode = "linear", axes = array<i64: 1>} : (tensor<2x4xf16>, none, tensor<1xf32>) -> !onnx.unknown
    // CHECK-DAG: %[[WEIGHTS:.*]] = arith.constant dense<{{.*}}> : tensor<8x2xf32>
    // CHECK-DAG: %[[INDICES:.*]] = arith.constant dense<{{.*}}0, 0], [0, 1], [0, 1], [1, 2], {{.*}}> : tensor<8x2xi64>
    // CHECK: arith.extf
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[INDICES]], %[[WEIGHTS]] : {{.*}}) outs(%{{.*}} : tensor<2x8xf32>)
    // CHECK: arith.mulf
    // CHECK: arith.addf
    // CHECK: arith.truncf
    return %0 : !onnx.unknown
  }

  // What is outside of the input is padding.
  // CHECK-LABEL: func.func @crop(
  func.func @crop(%x: tensor<2x4xf32>) -> !onnx.unknown {
    %roi = onnx.constant dense<[0.5, 1.5]> : tensor<2xf32>
    %none = onnx.none : none
    %c = onnx.constant dense<4> : tensor<1xi64>
    %0 = onnx.node "Resize"(%x, %roi, %none, %c) {mode = "nearest", axes = array<i64: 1>, coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 7.0 : f32} : (tensor<2x4xf32>, tensor<2xf32>, none, tensor<1xi64>) -> !onnx.unknown
    // CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[0, 1] [2, 2] [1, 1]
    // CHECK: tensor.pad %[[SLICE]] low[0, 0] high[0, 2]
    return %0 : !onnx.unknown
  }
}
