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

  // The heads of one group have the keys of one in both products.
  // CHECK-LABEL: func @heads
  // CHECK: onnx.node "Einsum"{{.*}}"bhgrd,bhkd->bhgrk"{{.*}} : (tensor<1x2x2x3x16xf32>, tensor<1x2x3x16xf32>) -> tensor<1x2x2x3x3xf32>
  // CHECK: onnx.node "Where"
  // CHECK: onnx.node "Softmax"{{.*}} -> tensor<1x2x2x3x3xf32>
  // CHECK: onnx.node "Einsum"{{.*}}"bhgrk,bhkd->bhgrd"{{.*}} : (tensor<1x2x2x3x3xf32>, tensor<1x2x3x16xf32>) -> tensor<1x2x2x3x16xf32>
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

  // Zero points of few bits become bytes, row by row: floats are made of them where they are used.
  // CHECK-LABEL: func @zeros
  // CHECK: %[[Z:.*]] = onnx.constant dense<{{\[}}[1, 2, 3], [15, 0, 8]]> : tensor<2x3xui8>
  // CHECK: onnx.node "CastLike" version {{[0-9]+}}(%[[Z]], %{{.*}}) attributes {onnx.kept} : (tensor<2x3xui8>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: onnx.constant dense<7> : tensor<2x3xui8>
  // CHECK: onnx.constant dense<{{\[}}[1, 3, 0], [2, 2, 1]]> : tensor<2x3xui8>
  // CHECK: onnx.constant dense<{{\[}}[1, 2, 3], [255, 128, 0]]> : tensor<2x3xui8>
  // CHECK: onnx.node "BitShift"{{.*}} : (tensor<2x2x1xui8>, tensor<2xui8>) -> tensor<2x2x2xui8>
  func.func @zeros(%x: tensor<1x48xf32>, %w: tensor<2x3x8xui8>, %wide: tensor<2x3x16xui8>, %narrow: tensor<2x3x4xui8>, %s: tensor<2x3xf32>, %computed: tensor<4xui8>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %z = onnx.constant dense<[0x21, 0xf3, 0x0f, 0xf8]> : tensor<4xui8>
    %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s, %z) {K = 48 : i64, N = 2 : i64, block_size = 16 : i64}
        : (tensor<1x48xf32>, tensor<2x3x8xui8>, tensor<2x3xf32>, tensor<4xui8>) -> !onnx.unknown
    %equal = onnx.constant dense<0x77> : tensor<4xui8>
    %1 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s, %equal) {K = 48 : i64, N = 2 : i64, block_size = 16 : i64}
        : (tensor<1x48xf32>, tensor<2x3x8xui8>, tensor<2x3xf32>, tensor<4xui8>) -> !onnx.unknown
    %two = onnx.constant dense<[0x0d, 0xda]> : tensor<2xui8>
    %2 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %narrow, %s, %two) {K = 48 : i64, N = 2 : i64, block_size = 16 : i64, bits = 2 : i64}
        : (tensor<1x48xf32>, tensor<2x3x4xui8>, tensor<2x3xf32>, tensor<2xui8>) -> !onnx.unknown
    %eight = onnx.constant dense<[1, 2, 3, 255, 128, 0]> : tensor<6xui8>
    %3 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %wide, %s, %eight) {K = 48 : i64, N = 2 : i64, block_size = 16 : i64, bits = 8 : i64}
        : (tensor<1x48xf32>, tensor<2x3x16xui8>, tensor<2x3xf32>, tensor<6xui8>) -> !onnx.unknown
    %4 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s, %computed) {K = 48 : i64, N = 2 : i64, block_size = 16 : i64}
        : (tensor<1x48xf32>, tensor<2x3x8xui8>, tensor<2x3xf32>, tensor<4xui8>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
