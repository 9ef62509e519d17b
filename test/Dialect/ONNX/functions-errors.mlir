// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Products with weights of few bits.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @bits(%x: tensor<2x8xf32>, %w: tensor<3x1x8xui8>, %s: tensor<3x1xf32>) -> !onnx.unknown {
    // expected-error @below {{node (MatMulNBits of domain 'com.microsoft' version 1): expected positive K, N and block_size and 2, 4 or 8 bits, found 8, 3, 16 and 3}}
    %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s) {K = 8 : i64, N = 3 : i64, block_size = 16 : i64, bits = 3 : i64} : (tensor<2x8xf32>, tensor<3x1x8xui8>, tensor<3x1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @blocks(%x: tensor<2x8xf32>, %w: tensor<3x1x8xui8>, %s: tensor<3x1xf32>) -> !onnx.unknown {
    // expected-error @below {{node (MatMulNBits of domain 'com.microsoft' version 1): expected positive K, N and block_size and 2, 4 or 8 bits, found 8, 3, 0 and 4}}
    %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s) {K = 8 : i64, N = 3 : i64} : (tensor<2x8xf32>, tensor<3x1x8xui8>, tensor<3x1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @weights(%x: tensor<2x8xf32>, %w: tensor<3x1x7xui8>, %s: tensor<3x1xf32>) -> !onnx.unknown {
    // expected-error @below {{node (MatMulNBits of domain 'com.microsoft' version 1): expected weights of 3x1x8 bytes, found 'tensor<3x1x7xui8>'}}
    %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s) {K = 8 : i64, N = 3 : i64, block_size = 16 : i64} : (tensor<2x8xf32>, tensor<3x1x7xui8>, tensor<3x1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @scales(%x: tensor<2x8xf32>, %w: tensor<3x1x8xui8>, %s: tensor<3x2xf32>) -> !onnx.unknown {
    // expected-error @below {{node (MatMulNBits of domain 'com.microsoft' version 1): expected 3x1 scales, found 'tensor<3x2xf32>'}}
    %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s) {K = 8 : i64, N = 3 : i64, block_size = 16 : i64} : (tensor<2x8xf32>, tensor<3x1x8xui8>, tensor<3x2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @zeroPoints(%x: tensor<2x8xf32>, %w: tensor<3x1x8xui8>, %s: tensor<3x1xf32>, %z: tensor<4xui8>) -> !onnx.unknown {
    // expected-error @below {{node (MatMulNBits of domain 'com.microsoft' version 1): expected zero points of 3x1 bytes, found 'tensor<4xui8>'}}
    %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s, %z) {K = 8 : i64, N = 3 : i64, block_size = 16 : i64} : (tensor<2x8xf32>, tensor<3x1x8xui8>, tensor<3x1xf32>, tensor<4xui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @order(%x: tensor<2x8xf32>, %w: tensor<3x1x8xui8>, %s: tensor<3x1xf32>, %i: tensor<8xi32>) -> !onnx.unknown {
    %none = onnx.none : none
    // expected-error @below {{node (MatMulNBits of domain 'com.microsoft' version 1): expected no input 4: weights in another order are not supported}}
    %0 = onnx.node "MatMulNBits" of "com.microsoft"(%x, %w, %s, %none, %i) {K = 8 : i64, N = 3 : i64, block_size = 16 : i64} : (tensor<2x8xf32>, tensor<3x1x8xui8>, tensor<3x1xf32>, none, tensor<8xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Normalizations of sums, without the outputs that only training has.
module attributes {onnx.opset = {ai.onnx = 24 : i64, com.microsoft = 1 : i64}} {
  func.func @words(%i: tensor<4xi32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> !onnx.unknown {
    // expected-error @below {{node (EmbedLayerNormalization of domain 'com.microsoft' version 1): expected word numbers in 2 dimensions, found 'tensor<4xi32>'}}
    %0 = onnx.node "EmbedLayerNormalization" of "com.microsoft"(%i, %i, %w, %w, %w, %b, %b) : (tensor<4xi32>, tensor<4xi32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @mean(%x: tensor<2x4xf32>, %b: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (SkipLayerNormalization of domain 'com.microsoft' version 1): expected no use of output 1, which is not supported}}
    %0:2 = onnx.node "SkipLayerNormalization" of "com.microsoft"(%x, %x, %b) : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

// Counts of n-grams.
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @words(%x: tensor<2x3x4xi64>) -> !onnx.unknown {
    // expected-error @below {{node (TfIdfVectorizer of opset 24): expected integers in 1 or 2 dimensions and a pool of them, found 'tensor<2x3x4xi64>'}}
    %0 = onnx.node "TfIdfVectorizer"(%x) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2>, pool_int64s = array<i64: 1, 2, 3, 4>} : (tensor<2x3x4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @pool(%x: tensor<4xi32>) -> !onnx.unknown {
    // expected-error @below {{node (TfIdfVectorizer of opset 24): expected a pool of the integers' type, found 2147483648}}
    %0 = onnx.node "TfIdfVectorizer"(%x) {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0>, pool_int64s = array<i64: 2147483648>} : (tensor<4xi32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @skips(%x: tensor<4xi64>) -> !onnx.unknown {
    // expected-error @below {{node (TfIdfVectorizer of opset 24): expected n-grams and skips of at most 64 words, found 2 and 65}}
    %0 = onnx.node "TfIdfVectorizer"(%x) {max_gram_length = 2 : i64, max_skip_count = 65 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, 2>, pool_int64s = array<i64: 1, 2, 3, 4>} : (tensor<4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @places(%x: tensor<4xi64>) -> !onnx.unknown {
    // expected-error @below {{node (TfIdfVectorizer of opset 24): expected places of n-grams in a tensor, found -2 and 1}}
    %0 = onnx.node "TfIdfVectorizer"(%x) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1, -2>, pool_int64s = array<i64: 1, 2, 3, 4>} : (tensor<4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @counts(%x: tensor<4xi64>) -> !onnx.unknown {
    // expected-error @below {{node (TfIdfVectorizer of opset 24): expected ngram_counts that divide the pool, found 3 and 4}}
    %0 = onnx.node "TfIdfVectorizer"(%x) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 3>, ngram_indexes = array<i64: 0, 1, 2, 3>, pool_int64s = array<i64: 1, 2, 3, 4>} : (tensor<4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @indexes(%x: tensor<4xi64>) -> !onnx.unknown {
    // expected-error @below {{node (TfIdfVectorizer of opset 24): expected an ngram_indexes for each n-gram, found 2}}
    %0 = onnx.node "TfIdfVectorizer"(%x) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0, 2>, ngram_indexes = array<i64: 0, 1>, pool_int64s = array<i64: 1, 2, 3, 4>} : (tensor<4xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Steps of optimizers.
module attributes {onnx.opset = {ai.onnx = 24 : i64, ai.onnx.preview.training = 1 : i64}} {
  func.func @tensors(%r: tensor<f32>, %n: tensor<i64>, %x: tensor<2xf32>) -> !onnx.unknown {
    // expected-error @below {{node (Adagrad of domain 'ai.onnx.preview.training' version 1): expected a rate, a number of updates and 3 inputs for each tensor, found 6 inputs}}
    %0 = onnx.node "Adagrad" of "ai.onnx.preview.training"(%r, %n, %x, %x, %x, %x) : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @outputs(%r: tensor<f32>, %n: tensor<i64>, %x: tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Momentum of domain 'ai.onnx.preview.training' version 1): expected a rate, a number of updates and 3 inputs for each tensor, found 5 inputs}}
    %0:3 = onnx.node "Momentum" of "ai.onnx.preview.training"(%r, %n, %x, %x, %x) : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
    return %0#0, %0#1, %0#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
