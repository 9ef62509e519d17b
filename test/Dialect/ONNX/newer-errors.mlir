// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Operators of opsets 25 to 29.
module attributes {onnx.opset = {ai.onnx = 29 : i64}} {
  func.func @bits(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (BitCast of opset 29): expected a type as wide as 'f32', found 'i64'}}
    %0 = onnx.node "BitCast"(%x) {to = 7 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @below {{node (Cast of opset 29): expected 'to' to be a type of integers, Booleans or floats of 16 to 64 bits, found FLOAT8E4M3FN}}
    %1 = onnx.node "Cast"(%x) {to = 17 : i64} : (tensor<4xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  func.func @gate(%a: tensor<4xf32>, %b: tensor<1xf32>) -> !onnx.unknown {
    // expected-error @below {{node (SwiGLU of opset 29): expected a gate and values of one type, found 'tensor<4xf32>' and 'tensor<1xf32>'}}
    %0 = onnx.node "SwiGLU"(%a, %b) : (tensor<4xf32>, tensor<1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @conv(%x: tensor<1x4x8xf32>, %w: tensor<4x1x3xf32>, %v: tensor<4x2x3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    // expected-error @below {{node (CausalConvWithState of opset 29): expected activation to be none, silu or swish, found 'relu'}}
    %0 = onnx.node "CausalConvWithState"(%x, %w) {activation = "relu"} : (tensor<1x4x8xf32>, tensor<4x1x3xf32>) -> !onnx.unknown
    // expected-error @below {{node (CausalConvWithState of opset 29): expected a filter for each of 4 channels, found 'tensor<4x2x3xf32>'}}
    %1 = onnx.node "CausalConvWithState"(%x, %v) : (tensor<1x4x8xf32>, tensor<4x2x3xf32>) -> !onnx.unknown
    // expected-error @below {{node (CausalConvWithState of opset 29): expected a past_state of [1, 4, 2], found 'tensor<1x4x8xf32>'}}
    %2 = onnx.node "CausalConvWithState"(%x, %w, %none, %x) : (tensor<1x4x8xf32>, tensor<4x1x3xf32>, none, tensor<1x4x8xf32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @linear(%q: tensor<1x3x8xf32>, %k: tensor<1x2x8xf32>, %d: tensor<1x3x3xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    // expected-error @below {{node (LinearAttention of opset 29): expected update_rule to be linear, gated, delta or gated_delta, found 'sum'}}
    %0 = onnx.node "LinearAttention"(%q, %q, %q) {kv_num_heads = 2 : i64, q_num_heads = 2 : i64, update_rule = "sum"} : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> !onnx.unknown
    // expected-error @below {{node (LinearAttention of opset 29): expected an input decay for rules that are gated, and beta for those of a delta, as update_rule is 'gated_delta'}}
    %1 = onnx.node "LinearAttention"(%q, %q, %q) {kv_num_heads = 2 : i64, q_num_heads = 2 : i64} : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> !onnx.unknown
    // expected-error @below {{node (LinearAttention of opset 29): expected floats, keys and values of as many tokens as queries, and heads of queries that share those of keys, found 'tensor<1x3x8xf32>', 'tensor<1x2x8xf32>' and 'tensor<1x2x8xf32>'}}
    %2 = onnx.node "LinearAttention"(%q, %k, %k) {kv_num_heads = 2 : i64, q_num_heads = 2 : i64, update_rule = "linear"} : (tensor<1x3x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> !onnx.unknown
    // expected-error @below {{node (LinearAttention of opset 29): expected a past_state of [1, 2, 4, 4], found 'tensor<1x3x8xf32>'}}
    %3 = onnx.node "LinearAttention"(%q, %q, %q, %q) {kv_num_heads = 2 : i64, q_num_heads = 2 : i64, update_rule = "linear"} : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> !onnx.unknown
    // expected-error @below {{node (LinearAttention of opset 29): expected input 4 to have 2 times 4 elements for each token, found 'tensor<1x3x3xf32>'}}
    %4 = onnx.node "LinearAttention"(%q, %q, %q, %none, %d) {kv_num_heads = 2 : i64, q_num_heads = 2 : i64, update_rule = "gated"} : (tensor<1x3x8xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>, none, tensor<1x3x3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Convolutions whose windows are data.
module attributes {onnx.opset = {ai.onnx = 22 : i64}} {
  func.func @deform(%x: tensor<1x4x5x5xf32>, %line: tensor<1x4x5xf32>, %w: tensor<2x4x3x3xf32>, %o: tensor<1x18x3x3xf32>, %small: tensor<1x4x2x2xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (DeformConv of opset 22): expected images of floats with two spatial dimensions and filters of four, found 'tensor<1x4x5xf32>' and 'tensor<2x4x3x3xf32>'}}
    %0 = onnx.node "DeformConv"(%line, %w, %o) : (tensor<1x4x5xf32>, tensor<2x4x3x3xf32>, tensor<1x18x3x3xf32>) -> !onnx.unknown
    // expected-error @below {{node (DeformConv of opset 22): expected images and filters with elements, and the kernel_shape of the filters, found 'tensor<1x4x5x5xf32>' and 'tensor<2x4x3x3xf32>'}}
    %1 = onnx.node "DeformConv"(%x, %w, %o) {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x5x5xf32>, tensor<2x4x3x3xf32>, tensor<1x18x3x3xf32>) -> !onnx.unknown
    // expected-error @below {{node (DeformConv of opset 22): expected groups that divide 4 channels and 2 filters, of 4 channels each, found 2 and an offset_group of 1}}
    %2 = onnx.node "DeformConv"(%x, %w, %o) {group = 2 : i64} : (tensor<1x4x5x5xf32>, tensor<2x4x3x3xf32>, tensor<1x18x3x3xf32>) -> !onnx.unknown
    // expected-error @below {{node (DeformConv of opset 22): expected filters that fit into the padded image, found 'tensor<2x4x3x3xf32>'}}
    %3 = onnx.node "DeformConv"(%small, %w, %o) : (tensor<1x4x2x2xf32>, tensor<2x4x3x3xf32>, tensor<1x18x3x3xf32>) -> !onnx.unknown
    // expected-error @below {{node (DeformConv of opset 22): expected offsets of [1, 18, 5, 5], and a mask of [1, 9, 5, 5] if there is one}}
    %4 = onnx.node "DeformConv"(%x, %w, %o) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x5x5xf32>, tensor<2x4x3x3xf32>, tensor<1x18x3x3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Results whose length data decide.
module attributes {onnx.opset = {ai.onnx = 17 : i64}} {
  func.func @boxes(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %t: tensor<2xf32>, %computed: tensor<i64>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %n = onnx.constant dense<3> : tensor<i64>
    %two = onnx.constant dense<3> : tensor<2xi64>
    // expected-error @below {{node (NonMaxSuppression of opset 17): expected boxes of batches x boxes x 4 and scores of batches x classes x boxes in f32, found 'tensor<1x2x6xf32>' and 'tensor<1x6x4xf32>'}}
    %0 = onnx.node "NonMaxSuppression"(%s, %b, %n) : (tensor<1x2x6xf32>, tensor<1x6x4xf32>, tensor<i64>) -> !onnx.unknown
    // expected-error @below {{node (NonMaxSuppression of opset 17): expected a threshold of one f32 as input 3, found 'tensor<2xf32>'}}
    %1 = onnx.node "NonMaxSuppression"(%b, %s, %n, %t) : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @below {{node (NonMaxSuppression of opset 17): expected one number of boxes for each class, found 'tensor<2xi64>'}}
    %2 = onnx.node "NonMaxSuppression"(%b, %s, %two) : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @below {{node (NonMaxSuppression of opset 17): expected input 2 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %3 = onnx.node "NonMaxSuppression"(%b, %s, %computed) : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @users(%x: tensor<6xf32>, %c: tensor<i1>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Unique"(%x) : (tensor<6xf32>) -> !onnx.unknown
    // expected-error @below {{node (ReduceSum of opset 17): expected input 0 to have a static shape, found 'tensor<?xf32>', whose length data decide; make it an output of the model}}
    %1 = onnx.node "ReduceSum"(%0) : (!onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      // expected-error @below {{expected results whose length data decide outside of subgraphs only}}
      %3 = onnx.node "Unique"(%x) : (tensor<6xf32>) -> !onnx.unknown
      onnx.yield %3 : !onnx.unknown
    }, {
      onnx.yield %x : tensor<6xf32>
    }
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @unique(%x: tensor<4xi1>, %none: tensor<0xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Unique of opset 17): expected at least one element, of numbers, found 'tensor<4xi1>'}}
    %0 = onnx.node "Unique"(%x) : (tensor<4xi1>) -> !onnx.unknown
    // expected-error @below {{node (Unique of opset 17): expected at least one element, of numbers, found 'tensor<0xf32>'}}
    %1 = onnx.node "Unique"(%none) : (tensor<0xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

module {
  func.func @prefix(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<?xf32> {
    // expected-error @below {{'onnx.prefix' op expected an axis of 'tensor<4xf32>', found 1}}
    %0 = onnx.prefix %x, %n along 1 : (tensor<4xf32>, tensor<i64>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}

// -----

func.func @count(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  // expected-error @below {{'onnx.prefix' op expected a count of tensor<i64>, found 'tensor<i32>'}}
  %0 = onnx.prefix %x, %n along 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
