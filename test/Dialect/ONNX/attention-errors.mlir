// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Attention of ONNX: heads, masks, and places that are written.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @heads(%q: tensor<1x3x2x4xf32>, %k: tensor<1x2x2x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected heads that the heads of keys divide, found 3 and 2}}
    %0 = onnx.node "Attention"(%q, %k, %k) : (tensor<1x3x2x4xf32>, tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @rank(%q: tensor<1x3x2x4xf32>, %k: tensor<1x2x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected input 1 to have 4 dimensions, found 'tensor<1x2x4xf32>'}}
    %0 = onnx.node "Attention"(%q, %k, %k) : (tensor<1x3x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @width(%q: tensor<1x2x6xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected a number of heads that divides the last dimension of input 0, found 4 and 6}}
    %0 = onnx.node "Attention"(%q, %q, %q) {kv_num_heads = 2 : i64, q_num_heads = 4 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @keyWidth(%q: tensor<1x2x6xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected a number of heads that divides the last dimension of input 1, found 4 and 6}}
    %0 = onnx.node "Attention"(%q, %q, %q) {kv_num_heads = 4 : i64, q_num_heads = 2 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @mask(%q: tensor<1x3x2x4xf32>, %m: tensor<f32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected a mask of at least 1 dimension, found 'tensor<f32>'}}
    %0 = onnx.node "Attention"(%q, %q, %q, %m) : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<f32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @past(%q: tensor<1x3x2x4xf32>) -> !onnx.unknown {
    %none = onnx.none : none
    // expected-error @below {{node (Attention of opset 24): expected past keys and past values, found one of them}}
    %0 = onnx.node "Attention"(%q, %q, %q, %none, %q) : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, none, tensor<1x3x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @precision(%q: tensor<1x3x2x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected a softmax_precision of 1, 10, 11 or 16, as TensorProto numbers floats, found 7}}
    %0 = onnx.node "Attention"(%q, %q, %q) {softmax_precision = 7 : i64} : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @window(%q: tensor<1x3x2x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected a local_window_size of at least 1, or -1 for none, found 0}}
    %0 = onnx.node "Attention"(%q, %q, %q) {local_window_size = 0 : i64} : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @left(%q: tensor<1x3x2x4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Attention of opset 24): expected a left_window_size of at least 0, or -1 for none, found -2}}
    %0 = onnx.node "Attention"(%q, %q, %q) {left_window_size = -2 : i64} : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) -> !onnx.unknown
    // expected-error @below {{node (Attention of opset 24): expected local_window_size or left_window_size, found both}}
    %1 = onnx.node "Attention"(%q, %q, %q) {left_window_size = 2 : i64, local_window_size = 2 : i64} : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  func.func @rotary(%x: tensor<1x2x6xf32>, %c: tensor<1x2x1xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RotaryEmbedding of opset 24): expected a number of heads that divides the last dimension of input 0, found 4 and 6}}
    %0 = onnx.node "RotaryEmbedding"(%x, %c, %c) {num_heads = 4 : i64} : (tensor<1x2x6xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @scatter(%x: tensor<2x4x3xf32>, %u: tensor<2x1x3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (TensorScatter of opset 24): expected an update of the same sizes, smaller along one dimension behind the first, found 'tensor<2x1x3xf32>' along 0}}
    %0 = onnx.node "TensorScatter"(%x, %u) {axis = 0 : i64} : (tensor<2x4x3xf32>, tensor<2x1x3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @scatterRank(%x: tensor<2x4x3xf32>, %u: tensor<2x3xf32>) -> !onnx.unknown {
    // expected-error @below {{node (TensorScatter of opset 24): expected an update of the same sizes, smaller along one dimension behind the first, found 'tensor<2x3xf32>' along 1}}
    %0 = onnx.node "TensorScatter"(%x, %u) : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Attention of com.microsoft.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @rotation(%x: tensor<1x2x4xf32>, %w: tensor<4x12xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of domain 'com.microsoft' version 1): expected no rotation and no shared buffer, found one}}
    %0 = onnx.node "Attention" of "com.microsoft"(%x, %w) {do_rotary = 1 : i64, num_heads = 2 : i64} : (tensor<1x2x4xf32>, tensor<4x12xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @parts(%x: tensor<1x2x4xf32>, %w: tensor<4x9xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of domain 'com.microsoft' version 1): expected 2 heads to divide the parts of weights for Q, K and V, found 'tensor<4x9xf32>'}}
    %0 = onnx.node "Attention" of "com.microsoft"(%x, %w) {num_heads = 2 : i64} : (tensor<1x2x4xf32>, tensor<4x9xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @padding(%x: tensor<1x2x4xf32>, %w: tensor<4x12xf32>, %m: tensor<3xi32>) -> !onnx.unknown {
    %none = onnx.none : none
    // expected-error @below {{node (Attention of domain 'com.microsoft' version 1): expected a mask for each batch and key, or a number of keys for each batch, found 'tensor<3xi32>'}}
    %0 = onnx.node "Attention" of "com.microsoft"(%x, %w, %none, %m) {num_heads = 2 : i64} : (tensor<1x2x4xf32>, tensor<4x12xf32>, none, tensor<3xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @number(%x: tensor<1x2x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (MultiHeadAttention of domain 'com.microsoft' version 1): expected a positive number of heads, found 0}}
    %0 = onnx.node "MultiHeadAttention" of "com.microsoft"(%x, %x, %x) : (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @buffer(%x: tensor<1x2x4xf32>, %n: tensor<i32>) -> !onnx.unknown {
    %none = onnx.none : none
    // expected-error @below {{node (MultiHeadAttention of domain 'com.microsoft' version 1): expected no input 8, which belongs to shared buffers}}
    %0 = onnx.node "MultiHeadAttention" of "com.microsoft"(%x, %x, %x, %none, %none, %none, %none, %none, %n) {num_heads = 2 : i64} : (tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, none, none, none, none, none, tensor<i32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @keys(%x: tensor<1x2x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (MultiHeadAttention of domain 'com.microsoft' version 1): expected input 1, found none}}
    %0 = onnx.node "MultiHeadAttention" of "com.microsoft"(%x) {num_heads = 2 : i64} : (tensor<1x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @values(%x: tensor<1x2x4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (MultiHeadAttention of domain 'com.microsoft' version 1): expected input 2, found none}}
    %0 = onnx.node "MultiHeadAttention" of "com.microsoft"(%x, %x) {num_heads = 2 : i64} : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @packed(%x: tensor<1x2x4xf32>, %p: tensor<1xi64>, %c: tensor<8x1xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RotaryEmbedding of domain 'com.microsoft' version 1): expected no packed batches, found them}}
    %0 = onnx.node "RotaryEmbedding" of "com.microsoft"(%x, %p, %c, %c) {is_packed_batching = 1 : i64} : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<8x1xf32>, tensor<8x1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Attention whose keys are in a buffer.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @smooth(%q: tensor<1x2x6xf32>, %n: tensor<1xi32>) -> !onnx.unknown {
    %t = onnx.constant dense<2> : tensor<1xi32>
    %none = onnx.none : none
    // expected-error @below {{node (GroupQueryAttention of domain 'com.microsoft' version 1): expected a plain softmax, found a smooth one}}
    %0 = onnx.node "GroupQueryAttention" of "com.microsoft"(%q, %q, %q, %none, %none, %n, %t) {kv_num_heads = 1 : i64, num_heads = 1 : i64, smooth_softmax = 1 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, none, none, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @numbers(%q: tensor<1x2x6xf32>) -> !onnx.unknown {
    // expected-error @below {{node (GroupQueryAttention of domain 'com.microsoft' version 1): expected the numbers of keys as inputs 5 and 6, found none}}
    %0 = onnx.node "GroupQueryAttention" of "com.microsoft"(%q, %q, %q) {kv_num_heads = 1 : i64, num_heads = 1 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @divide(%q: tensor<1x2x6xf32>, %n: tensor<1xi32>) -> !onnx.unknown {
    %t = onnx.constant dense<2> : tensor<1xi32>
    %none = onnx.none : none
    // expected-error @below {{node (GroupQueryAttention of domain 'com.microsoft' version 1): expected numbers of heads that divide the last dimension, found 4 and 1}}
    %0 = onnx.node "GroupQueryAttention" of "com.microsoft"(%q, %q, %q, %none, %none, %n, %t) {kv_num_heads = 1 : i64, num_heads = 4 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, none, none, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @group(%q: tensor<1x2x6xf32>, %n: tensor<1xi32>) -> !onnx.unknown {
    %t = onnx.constant dense<2> : tensor<1xi32>
    %none = onnx.none : none
    // expected-error @below {{node (GroupQueryAttention of domain 'com.microsoft' version 1): expected heads that the heads of keys divide, found 3 and 2}}
    %0 = onnx.node "GroupQueryAttention" of "com.microsoft"(%q, %q, %q, %none, %none, %n, %t) {kv_num_heads = 2 : i64, num_heads = 3 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, none, none, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @total(%q: tensor<1x2x6xf32>, %n: tensor<1xi32>) -> !onnx.unknown {
    %t = onnx.constant dense<1> : tensor<1xi32>
    %none = onnx.none : none
    // expected-error @below {{node (GroupQueryAttention of domain 'com.microsoft' version 1): expected a number of all keys of at least 2, found another}}
    %0 = onnx.node "GroupQueryAttention" of "com.microsoft"(%q, %q, %q, %none, %none, %n, %t) {kv_num_heads = 1 : i64, num_heads = 1 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, none, none, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @angles(%q: tensor<1x2x6xf32>, %n: tensor<1xi32>) -> !onnx.unknown {
    %t = onnx.constant dense<2> : tensor<1xi32>
    %none = onnx.none : none
    // expected-error @below {{node (GroupQueryAttention of domain 'com.microsoft' version 1): expected cosines and sines for the rotation}}
    %0 = onnx.node "GroupQueryAttention" of "com.microsoft"(%q, %q, %q, %none, %none, %n, %t) {do_rotary = 1 : i64, kv_num_heads = 1 : i64, num_heads = 1 : i64} : (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>, none, none, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Elements, modes and angles that nothing is computed of.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @integers(%q: tensor<1x3x2x4xi32>) -> !onnx.unknown {
    // expected-error @below {{node (Attention of opset 24): expected floats, found 'i32'}}
    %0 = onnx.node "Attention"(%q, %q, %q) : (tensor<1x3x2x4xi32>, tensor<1x3x2x4xi32>, tensor<1x3x2x4xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @mode(%q: tensor<1x3x2x4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Attention of opset 24): expected a qk_matmul_output_mode from 0 to 3, found 7}}
    %0:4 = onnx.node "Attention"(%q, %q, %q) {qk_matmul_output_mode = 7 : i64} : (tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>, tensor<1x3x2x4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
    return %0#0, %0#3 : !onnx.unknown, !onnx.unknown
  }

  func.func @angles(%x: tensor<1x2x4xf32>, %p: tensor<1xi64>, %c: tensor<8x0xf32>) -> !onnx.unknown {
    // expected-error @below {{node (RotaryEmbedding of domain 'com.microsoft' version 1): expected cosines of some angles, found 'tensor<8x0xf32>'}}
    %0 = onnx.node "RotaryEmbedding" of "com.microsoft"(%x, %p, %c, %c) : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<8x0xf32>, tensor<8x0xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
