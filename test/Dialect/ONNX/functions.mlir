// RUN: npu-opt %s --npu-onnx-infer-shapes | FileCheck %s

// An operator that others express is written as them, in the newest version of the operator set.
module attributes {onnx.opset = {ai.onnx = 11 : i64, com.microsoft = 1 : i64}} {
  // CHECK-LABEL: func @gelu
  // CHECK: %[[S:.*]] = onnx.node "Add" version {{[0-9]+}}(%arg0, %arg1)
  // CHECK: onnx.node "Gelu" version {{[0-9]+}}(%[[S]]) {approximate = "tanh"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  func.func @gelu(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> !onnx.unknown {
    %y = onnx.node "FastGelu" of "com.microsoft"(%x, %b) : (tensor<4x8xf32>, tensor<8xf32>) -> !onnx.unknown
    return %y : !onnx.unknown
  }

  // The heads of one group are rows of one product.
  // CHECK-LABEL: func @heads
  // CHECK: onnx.node "MatMul"{{.*}} : (tensor<1x2x6x16xf32>, tensor<1x2x16x3xf32>) -> tensor<1x2x6x3xf32>
  // CHECK: onnx.node "Where"
  // CHECK: onnx.node "Softmax"{{.*}} -> tensor<1x4x3x3xf32>
  // CHECK: onnx.node "MatMul"{{.*}} : (tensor<1x2x6x3xf32>, tensor<1x2x3x16xf32>) -> tensor<1x2x6x16xf32>
  func.func @heads(%q: tensor<1x3x64xf32>, %k: tensor<1x3x32xf32>, %v: tensor<1x3x32xf32>, %last: tensor<1xi32>) -> !onnx.unknown {
    %none = onnx.none : none
    %total = onnx.constant dense<3> : tensor<i32>
    %y = onnx.node "GroupQueryAttention" of "com.microsoft"(%q, %k, %v, %none, %none, %last, %total) {kv_num_heads = 2 : i64, num_heads = 4 : i64} : (tensor<1x3x64xf32>, tensor<1x3x32xf32>, tensor<1x3x32xf32>, none, none, tensor<1xi32>, tensor<i32>) -> !onnx.unknown
    return %y : !onnx.unknown
  }

  // The inputs of all steps are multiplied at once; a step multiplies the state.
  // CHECK-LABEL: func @recurrent
  // CHECK: onnx.node "MatMul"{{.*}} : (tensor<200x3xf32>, tensor<3x4xf32>) -> tensor<200x4xf32>
  // CHECK: onnx.node "Loop"{{.*}} -> (tensor<2x4xf32>, tensor<100x2x4xf32>) {
  // CHECK: onnx.node "MatMul"{{.*}} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  func.func @recurrent(%x: tensor<100x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) -> !onnx.unknown {
    %y = onnx.node "RNN"(%x, %w, %r) {hidden_size = 4 : i64} : (tensor<100x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
