// A node of every operator that docs/SupportedOnnxOps.md lists among those that stand for others, as operators.mlir has one of the others.

module attributes {onnx.opset = {ai.onnx = 29 : i64, ai.onnx.ml = 5 : i64, ai.onnx.preview.training = 1 : i64, com.microsoft = 1 : i64}} {
func.func @AffineGrid(%arg0: tensor<2x2x3xf32>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<[2, 3, 4, 5]> : tensor<4xi64>
  %1 = onnx.node "AffineGrid"(%arg0, %0) {align_corners = 0 : i64} : (tensor<2x2x3xf32>, tensor<4xi64>) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @Attention(%arg0: tensor<2x4x3x8xf32>, %arg1: tensor<2x4x5x8xf32>, %arg2: tensor<2x4x5x6xf32>) -> (!onnx.unknown) {
  %0 = onnx.node "Attention"(%arg0, %arg1, %arg2) : (tensor<2x4x3x8xf32>, tensor<2x4x5x8xf32>, tensor<2x4x5x6xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @BlackmanWindow() -> (!onnx.unknown) {
  %0 = onnx.constant dense<16> : tensor<i64>
  %1 = onnx.node "BlackmanWindow"(%0) {periodic = 1 : i64} : (tensor<i64>) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @CausalConvWithState(%x: tensor<1x8x16xf32>, %w: tensor<8x1x4xf32>) -> (!onnx.unknown) {
  %y = onnx.node "CausalConvWithState"(%x, %w) {activation = "silu"} : (tensor<1x8x16xf32>, tensor<8x1x4xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @CenterCropPad(%arg0: tensor<2x7x4xf32>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<[4, 7]> : tensor<2xi64>
  %1 = onnx.node "CenterCropPad"(%arg0, %0) {axes = array<i64: 1, 2>} : (tensor<2x7x4xf32>, tensor<2xi64>) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @Col2Im(%arg0: tensor<2x27x9xf32>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<6> : tensor<2xi64>
  %1 = onnx.constant dense<3> : tensor<2xi64>
  %2 = onnx.node "Col2Im"(%arg0, %0, %1) {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<2x27x9xf32>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
  return %2 : !onnx.unknown
}
func.func @DFT(%arg0: tensor<2x8x5x2xf32>) -> (!onnx.unknown) {
  %0 = onnx.none : none
  %1 = onnx.constant dense<1> : tensor<i64>
  %2 = onnx.node "DFT"(%arg0, %0, %1) : (tensor<2x8x5x2xf32>, none, tensor<i64>) -> !onnx.unknown
  return %2 : !onnx.unknown
}
func.func @DeformConv(%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x3x3xf32>, %o: tensor<1x18x6x6xf32>) -> (!onnx.unknown) {
  %y = onnx.node "DeformConv"(%x, %w, %o) : (tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>, tensor<1x18x6x6xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @Det(%arg0: tensor<2x3x3xf32>) -> (!onnx.unknown) {
  %0 = onnx.node "Det"(%arg0) : (tensor<2x3x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @GRU(%arg0: tensor<5x2x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<1x12x3xf32>
  %1 = onnx.constant dense<5.000000e-01> : tensor<1x12x4xf32>
  %2 = onnx.constant dense<5.000000e-01> : tensor<1x24xf32>
  %3:2 = onnx.node "GRU"(%arg0, %0, %1, %2) {direction = "forward", hidden_size = 4 : i64} : (tensor<5x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %3#0, %3#1 : !onnx.unknown, !onnx.unknown
}
func.func @HammingWindow() -> (!onnx.unknown) {
  %0 = onnx.constant dense<16> : tensor<i64>
  %1 = onnx.node "HammingWindow"(%0) {periodic = 1 : i64} : (tensor<i64>) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @HannWindow() -> (!onnx.unknown) {
  %0 = onnx.constant dense<16> : tensor<i64>
  %1 = onnx.node "HannWindow"(%0) {periodic = 1 : i64} : (tensor<i64>) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @ImageScaler(%arg0: tensor<2x3x4x4xf32>) -> (!onnx.unknown) {
  %0 = onnx.node "ImageScaler"(%arg0) {bias = array<f32: 1.000000e-01, 2.000000e-01, 3.000000e-01>, scale = 2.000000e+00 : f32} : (tensor<2x3x4x4xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @LSTM(%arg0: tensor<5x2x3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<1x16x3xf32>
  %1 = onnx.constant dense<5.000000e-01> : tensor<1x16x4xf32>
  %2 = onnx.constant dense<5.000000e-01> : tensor<1x32xf32>
  %3:3 = onnx.node "LSTM"(%arg0, %0, %1, %2) {direction = "forward", hidden_size = 4 : i64} : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x32xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %3#0, %3#1, %3#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}
func.func @LinearAttention(%q: tensor<1x4x16xf32>) -> (!onnx.unknown) {
  %y = onnx.node "LinearAttention"(%q, %q, %q) {kv_num_heads = 2 : i64, q_num_heads = 2 : i64, update_rule = "linear"} : (tensor<1x4x16xf32>, tensor<1x4x16xf32>, tensor<1x4x16xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @MaxUnpool(%arg0: tensor<2x3x6x6xf32>) -> (!onnx.unknown) {
  %0:2 = onnx.node "MaxPool"(%arg0) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<2x3x6x6xf32>) -> (!onnx.unknown, !onnx.unknown)
  %1 = onnx.node "MaxUnpool"(%0#0, %0#1) {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @MelWeightMatrix() -> (!onnx.unknown) {
  %0 = onnx.constant dense<8> : tensor<i64>
  %1 = onnx.constant dense<32> : tensor<i64>
  %2 = onnx.constant dense<16000> : tensor<i64>
  %3 = onnx.constant dense<0.000000e+00> : tensor<f32>
  %4 = onnx.constant dense<8.000000e+03> : tensor<f32>
  %5 = onnx.node "MelWeightMatrix"(%0, %1, %2, %3, %4) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> !onnx.unknown
  return %5 : !onnx.unknown
}
func.func @NonMaxSuppression(%b: tensor<1x8x4xf32>, %s: tensor<1x2x8xf32>) -> (!onnx.unknown) {
  %n = onnx.constant dense<3> : tensor<i64>
  %y = onnx.node "NonMaxSuppression"(%b, %s, %n) : (tensor<1x8x4xf32>, tensor<1x2x8xf32>, tensor<i64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @RNN(%arg0: tensor<5x2x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<1x4x3xf32>
  %1 = onnx.constant dense<5.000000e-01> : tensor<1x4x4xf32>
  %2 = onnx.constant dense<5.000000e-01> : tensor<1x8xf32>
  %3:2 = onnx.node "RNN"(%arg0, %0, %1, %2) {direction = "forward", hidden_size = 4 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x8xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %3#0, %3#1 : !onnx.unknown, !onnx.unknown
}
func.func @RotaryEmbedding(%arg0: tensor<2x3x16xf32>, %arg1: tensor<2x3x4xf32>, %arg2: tensor<2x3x4xf32>) -> (!onnx.unknown) {
  %0 = onnx.node "RotaryEmbedding"(%arg0, %arg1, %arg2) {interleaved = 0 : i64, num_heads = 2 : i64} : (tensor<2x3x16xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @STFT(%arg0: tensor<1x128x1xf32>) -> (!onnx.unknown) {
  %0 = onnx.none : none
  %1 = onnx.constant dense<8> : tensor<i64>
  %2 = onnx.constant dense<16> : tensor<i64>
  %3 = onnx.node "STFT"(%arg0, %1, %0, %2) : (tensor<1x128x1xf32>, tensor<i64>, none, tensor<i64>) -> !onnx.unknown
  return %3 : !onnx.unknown
}
func.func @Scan(%arg0: tensor<3xf32>, %arg1: tensor<5x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %0:2 = onnx.node "Scan"(%arg0, %arg1) {body, num_scan_inputs = 1 : i64} : (tensor<3xf32>, tensor<5x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
  ^bb0(%arg2: tensor<3xf32>, %arg3: tensor<3xf32>):
    %1 = onnx.node "Add"(%arg2, %arg3) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    %2 = onnx.node "Mul"(%1, %arg3) : (!onnx.unknown, tensor<3xf32>) -> !onnx.unknown
    onnx.yield %1, %2 : !onnx.unknown, !onnx.unknown
  }
  return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
}
func.func @SimplifiedLayerNormalization(%arg0: tensor<2x4x8xf32>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %1 = onnx.node "SimplifiedLayerNormalization"(%arg0, %0) {axis = -1 : i64, epsilon = 9.99999974E-6 : f32} : (tensor<2x4x8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %1 : !onnx.unknown
}
func.func @SwiGLU(%a: tensor<4x16xf32>, %b: tensor<4x16xf32>) -> (!onnx.unknown) {
  %y = onnx.node "SwiGLU"(%a, %b) : (tensor<4x16xf32>, tensor<4x16xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @TensorScatter(%arg0: tensor<2x3x8x4xf32>, %arg1: tensor<2x3x2x4xf32>, %arg2: tensor<2xi64>) -> (!onnx.unknown) {
  %0 = onnx.node "TensorScatter"(%arg0, %arg1, %arg2) {mode = "linear"} : (tensor<2x3x8x4xf32>, tensor<2x3x2x4xf32>, tensor<2xi64>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @TfIdfVectorizer(%arg0: tensor<2x6xi32>) -> (!onnx.unknown) {
  %0 = onnx.node "TfIdfVectorizer"(%arg0) {max_gram_length = 2 : i64, max_skip_count = 0 : i64, min_gram_length = 2 : i64, mode = "TF", ngram_counts = array<i64: 0, 4>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5, 6>, pool_int64s = array<i64: 2, 3, 5, 4, 5, 6, 7, 8, 6, 7>} : (tensor<2x6xi32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @Unique(%x: tensor<16xf32>) -> (!onnx.unknown) {
  %y = onnx.node "Unique"(%x) : (tensor<16xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.ArrayFeatureExtractor(%x: tensor<8x4xf32>) -> (!onnx.unknown) {
  %i = onnx.constant dense<[2, 0]> : tensor<2xi64>
  %y = onnx.node "ArrayFeatureExtractor" of "ai.onnx.ml"(%x, %i) : (tensor<8x4xf32>, tensor<2xi64>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.Binarizer(%x: tensor<8x4xf32>) -> (!onnx.unknown) {
  %y = onnx.node "Binarizer" of "ai.onnx.ml"(%x) {threshold = 0.5 : f32} : (tensor<8x4xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.LinearClassifier(%x: tensor<8x2xf32>) -> (!onnx.unknown) {
  %y = onnx.node "LinearClassifier" of "ai.onnx.ml"(%x) {classlabels_ints = array<i64: 3, 5>, coefficients = array<f32: 1.0, 2.0, 3.0, 4.0>} : (tensor<8x2xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.LinearRegressor(%x: tensor<8x2xf32>) -> (!onnx.unknown) {
  %y = onnx.node "LinearRegressor" of "ai.onnx.ml"(%x) {coefficients = array<f32: 1.0, 2.0>} : (tensor<8x2xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.Normalizer(%x: tensor<8x4xf32>) -> (!onnx.unknown) {
  %y = onnx.node "Normalizer" of "ai.onnx.ml"(%x) {norm = "L2"} : (tensor<8x4xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.Scaler(%x: tensor<8x2xf32>) -> (!onnx.unknown) {
  %y = onnx.node "Scaler" of "ai.onnx.ml"(%x) {offset = array<f32: 1.0, 2.0>, scale = array<f32: 2.0>} : (tensor<8x2xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.TreeEnsemble(%x: tensor<8x2xf32>) -> (!onnx.unknown) {
  %y = onnx.node "TreeEnsemble" of "ai.onnx.ml"(%x) {leaf_targetids = array<i64: 0, 0>, leaf_weights = dense<[1.0, 2.0]> : tensor<2xf32>, n_targets = 1 : i64, nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 1>, nodes_featureids = array<i64: 1>, nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.5> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>} : (tensor<8x2xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.ml.TreeEnsembleClassifier(%x: tensor<8x4xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %y:2 = onnx.node "TreeEnsembleClassifier" of "ai.onnx.ml"(%x) {class_ids = array<i64: 0, 1, 2>, class_nodeids = array<i64: 2, 3, 4>, class_treeids = array<i64: 0, 0, 0>, class_weights = array<f32: 1.0, 2.0, 3.0>, classlabels_int64s = array<i64: 3, 5, 8>, nodes_falsenodeids = array<i64: 4, 3, 0, 0, 0>, nodes_featureids = array<i64: 1, 0, 0, 0, 0>, nodes_modes = ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF", "LEAF", "LEAF"], nodes_nodeids = array<i64: 0, 1, 2, 3, 4>, nodes_treeids = array<i64: 0, 0, 0, 0, 0>, nodes_truenodeids = array<i64: 1, 2, 0, 0, 0>, nodes_values = array<f32: 0.5, 0.25, 0.0, 0.0, 0.0>, post_transform = "SOFTMAX"} : (tensor<8x4xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %y#0, %y#1 : !onnx.unknown, !onnx.unknown
}
func.func @ai.onnx.ml.TreeEnsembleRegressor(%x: tensor<8x2xf32>) -> (!onnx.unknown) {
  %y = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {target_ids = array<i64: 0, 0>, target_nodeids = array<i64: 1, 2>, target_treeids = array<i64: 0, 0>, target_weights = array<f32: 1.0, 2.0>, nodes_falsenodeids = array<i64: 2, 0, 0>, nodes_featureids = array<i64: 1, 0, 0>, nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_nodeids = array<i64: 0, 1, 2>, nodes_treeids = array<i64: 0, 0, 0>, nodes_truenodeids = array<i64: 1, 0, 0>, nodes_values = array<f32: 0.5, 0.0, 0.0>} : (tensor<8x2xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @ai.onnx.preview.training.Adagrad(%arg0: tensor<f32>, %arg1: tensor<i64>, %arg2: tensor<1xf32>, %arg3: tensor<1xf32>, %arg4: tensor<1xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %0:2 = onnx.node "Adagrad" of "ai.onnx.preview.training"(%arg0, %arg1, %arg2, %arg3, %arg4) {decay_factor = 1.000000e-01 : f32, epsilon = 9.99999974E-6 : f32, norm_coefficient = 1.000000e-03 : f32} : (tensor<f32>, tensor<i64>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
}
func.func @ai.onnx.preview.training.Momentum(%arg0: tensor<f32>, %arg1: tensor<i64>, %arg2: tensor<2xf32>, %arg3: tensor<2xf32>, %arg4: tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %0:2 = onnx.node "Momentum" of "ai.onnx.preview.training"(%arg0, %arg1, %arg2, %arg3, %arg4) {alpha = 0.949999988 : f32, beta = 1.000000e-01 : f32, mode = "standard", norm_coefficient = 1.000000e-03 : f32} : (tensor<f32>, tensor<i64>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
}
func.func @com.microsoft.Attention(%arg0: tensor<2x3x8xf32>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<8x24xf32>
  %1 = onnx.constant dense<5.000000e-01> : tensor<24xf32>
  %2 = onnx.node "Attention" of "com.microsoft"(%arg0, %0, %1) {num_heads = 2 : i64} : (tensor<2x3x8xf32>, tensor<8x24xf32>, tensor<24xf32>) -> !onnx.unknown
  return %2 : !onnx.unknown
}
func.func @com.microsoft.BiasGelu(%x: tensor<2x4x8xf32>, %b: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "BiasGelu" of "com.microsoft"(%x, %b) : (tensor<2x4x8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @com.microsoft.DequantizeLinear(%x: tensor<1x8x8x8xi8>) -> !onnx.unknown {
  %s = onnx.constant dense<5.000000e-01> : tensor<f32>
  %z = onnx.constant dense<3> : tensor<i8>
  %y = onnx.node "DequantizeLinear" of "com.microsoft"(%x, %s, %z) : (tensor<1x8x8x8xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @com.microsoft.DynamicQuantizeMatMul(%arg0: tensor<2x3x16xf32>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<3> : tensor<16x8xui8>
  %1 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %2 = onnx.constant dense<3> : tensor<8xui8>
  %3 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %4 = onnx.node "DynamicQuantizeMatMul" of "com.microsoft"(%arg0, %0, %1, %2, %3) : (tensor<2x3x16xf32>, tensor<16x8xui8>, tensor<8xf32>, tensor<8xui8>, tensor<8xf32>) -> !onnx.unknown
  return %4 : !onnx.unknown
}
func.func @com.microsoft.EmbedLayerNormalization(%arg0: tensor<2x5xi32>, %arg1: tensor<2x5xi32>, %arg2: tensor<2x5xi32>) -> (!onnx.unknown, !onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<10x8xf32>
  %1 = onnx.constant dense<5.000000e-01> : tensor<6x8xf32>
  %2 = onnx.constant dense<5.000000e-01> : tensor<2x8xf32>
  %3 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %4 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %5:2 = onnx.node "EmbedLayerNormalization" of "com.microsoft"(%arg0, %arg1, %0, %1, %2, %3, %4, %arg2) {epsilon = 9.99999974E-6 : f32} : (tensor<2x5xi32>, tensor<2x5xi32>, tensor<10x8xf32>, tensor<6x8xf32>, tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<2x5xi32>) -> (!onnx.unknown, !onnx.unknown)
  return %5#0, %5#1 : !onnx.unknown, !onnx.unknown
}
func.func @com.microsoft.FastGelu(%x: tensor<2x4x8xf32>, %b: tensor<8xf32>) -> !onnx.unknown {
  %y = onnx.node "FastGelu" of "com.microsoft"(%x, %b) : (tensor<2x4x8xf32>, tensor<8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @com.microsoft.FusedMatMul(%arg0: tensor<2x3x5x4xf32>, %arg1: tensor<2x3x6x5xf32>) -> (!onnx.unknown) {
  %0 = onnx.node "FusedMatMul" of "com.microsoft"(%arg0, %arg1) {alpha = 5.000000e-01 : f32, transA = 1 : i64, transB = 1 : i64} : (tensor<2x3x5x4xf32>, tensor<2x3x6x5xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @com.microsoft.Gelu(%x: tensor<2x4x8xf32>) -> !onnx.unknown {
  %y = onnx.node "Gelu" of "com.microsoft"(%x) : (tensor<2x4x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @com.microsoft.GroupQueryAttention(%arg0: tensor<1x5x64xf32>, %arg1: tensor<1x5x32xf32>, %arg2: tensor<1x5x32xf32>, %arg3: tensor<1xi32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.none : none
  %1 = onnx.constant dense<5> : tensor<i32>
  %2:3 = onnx.node "GroupQueryAttention" of "com.microsoft"(%arg0, %arg1, %arg2, %0, %0, %arg3, %1) {do_rotary = 0 : i64, kv_num_heads = 2 : i64, num_heads = 4 : i64} : (tensor<1x5x64xf32>, tensor<1x5x32xf32>, tensor<1x5x32xf32>, none, none, tensor<1xi32>, tensor<i32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %2#0, %2#1, %2#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}
func.func @com.microsoft.MatMulIntegerToFloat(%arg0: tensor<2x3x16xui8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5> : tensor<16x8xi8>
  %1 = onnx.constant dense<2.000000e-02> : tensor<f32>
  %2 = onnx.constant dense<120> : tensor<ui8>
  %3 = onnx.constant dense<3> : tensor<i8>
  %4 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %6 = onnx.node "MatMulIntegerToFloat" of "com.microsoft"(%arg0, %0, %1, %4, %2, %3, %5) : (tensor<2x3x16xui8>, tensor<16x8xi8>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<i8>, tensor<8xf32>) -> !onnx.unknown
  return %6 : !onnx.unknown
}
func.func @com.microsoft.MatMulNBits(%arg0: tensor<2x3x64xf32>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<3> : tensor<8x2x16xui8>
  %1 = onnx.constant dense<5.000000e-01> : tensor<16xf32>
  %2 = onnx.constant dense<3> : tensor<8xui8>
  %3 = onnx.node "MatMulNBits" of "com.microsoft"(%arg0, %0, %1, %2) {K = 64 : i64, N = 8 : i64, accuracy_level = 1 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<2x3x64xf32>, tensor<8x2x16xui8>, tensor<16xf32>, tensor<8xui8>) -> !onnx.unknown
  return %3 : !onnx.unknown
}
func.func @com.microsoft.MultiHeadAttention(%arg0: tensor<2x3x16xf32>, %arg1: tensor<2x5x16xf32>, %arg2: tensor<2x5x24xf32>) -> (!onnx.unknown) {
  %0 = onnx.node "MultiHeadAttention" of "com.microsoft"(%arg0, %arg1, %arg2) {num_heads = 2 : i64} : (tensor<2x3x16xf32>, tensor<2x5x16xf32>, tensor<2x5x24xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @com.microsoft.NhwcMaxPool(%arg0: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.node "NhwcMaxPool" of "com.microsoft"(%arg0) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<2x4x16x16xi8>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
func.func @com.microsoft.QGemm(%x: tensor<4x16xui8>) -> !onnx.unknown {
  %w = onnx.constant dense<3> : tensor<8x16xi8>
  %s = onnx.constant dense<5.000000e-01> : tensor<f32>
  %z = onnx.constant dense<120> : tensor<ui8>
  %t = onnx.constant dense<2.500000e-01> : tensor<8xf32>
  %u = onnx.constant dense<0> : tensor<8xi8>
  %c = onnx.constant dense<7> : tensor<8xi32>
  %y = onnx.node "QGemm" of "com.microsoft"(%x, %s, %z, %w, %t, %u, %c, %s, %z) {transB = 1 : i64} : (tensor<4x16xui8>, tensor<f32>, tensor<ui8>, tensor<8x16xi8>, tensor<8xf32>, tensor<8xi8>, tensor<8xi32>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @com.microsoft.QLinearAdd(%arg0: tensor<2x4x16x16xi8>, %arg1: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearAdd" of "com.microsoft"(%arg0, %0, %1, %arg1, %2, %3, %4, %5) : (tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QLinearAveragePool(%arg0: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearAveragePool" of "com.microsoft"(%arg0, %0, %1, %4, %5) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QLinearConcat(%arg0: tensor<2x4x16x16xi8>, %arg1: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearConcat" of "com.microsoft"(%4, %5, %arg0, %0, %1, %arg1, %2, %3) {axis = 1 : i64} : (tensor<f32>, tensor<i8>, tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QLinearGlobalAveragePool(%arg0: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearGlobalAveragePool" of "com.microsoft"(%arg0, %0, %1, %4, %5) : (tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QLinearLeakyRelu(%arg0: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearLeakyRelu" of "com.microsoft"(%arg0, %0, %1, %4, %5) {alpha = 1.000000e-01 : f32} : (tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QLinearMul(%arg0: tensor<2x4x16x16xi8>, %arg1: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearMul" of "com.microsoft"(%arg0, %0, %1, %arg1, %2, %3, %4, %5) : (tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QLinearSigmoid(%arg0: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearSigmoid" of "com.microsoft"(%arg0, %0, %1, %6, %5) : (tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QLinearSoftmax(%arg0: tensor<2x4x16x16xi8>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-02> : tensor<f32>
  %1 = onnx.constant dense<3> : tensor<i8>
  %2 = onnx.constant dense<3.000000e-02> : tensor<f32>
  %3 = onnx.constant dense<-2> : tensor<i8>
  %4 = onnx.constant dense<7.000000e-02> : tensor<f32>
  %5 = onnx.constant dense<5> : tensor<i8>
  %6 = onnx.constant dense<3.906250e-03> : tensor<f32>
  %7 = onnx.constant dense<-128> : tensor<i8>
  %8 = onnx.node "QLinearSoftmax" of "com.microsoft"(%arg0, %0, %1, %6, %7) {axis = -1 : i64, opset = 13 : i64} : (tensor<2x4x16x16xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %8 : !onnx.unknown
}
func.func @com.microsoft.QuantizeLinear(%x: tensor<1x8x8x8xf32>) -> !onnx.unknown {
  %s = onnx.constant dense<5.000000e-01> : tensor<f32>
  %z = onnx.constant dense<3> : tensor<i8>
  %y = onnx.node "QuantizeLinear" of "com.microsoft"(%x, %s, %z) : (tensor<1x8x8x8xf32>, tensor<f32>, tensor<i8>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @com.microsoft.QuickGelu(%x: tensor<2x4x8xf32>) -> !onnx.unknown {
  %y = onnx.node "QuickGelu" of "com.microsoft"(%x) : (tensor<2x4x8xf32>) -> !onnx.unknown
  return %y : !onnx.unknown
}
func.func @com.microsoft.RotaryEmbedding(%arg0: tensor<2x3x16xf32>, %arg1: tensor<2x3xi64>) -> (!onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<8x4xf32>
  %1 = onnx.constant dense<5.000000e-01> : tensor<8x4xf32>
  %2 = onnx.node "RotaryEmbedding" of "com.microsoft"(%arg0, %arg1, %0, %1) {interleaved = 0 : i64} : (tensor<2x3x16xf32>, tensor<2x3xi64>, tensor<8x4xf32>, tensor<8x4xf32>) -> !onnx.unknown
  return %2 : !onnx.unknown
}
func.func @com.microsoft.SkipLayerNormalization(%arg0: tensor<2x4x8xf32>, %arg1: tensor<2x4x8xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %1 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %2 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %3:4 = onnx.node "SkipLayerNormalization" of "com.microsoft"(%arg0, %arg1, %0, %1, %2) {epsilon = 9.99999974E-6 : f32} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (!onnx.unknown, none, none, !onnx.unknown)
  return %3#0, %3#3 : !onnx.unknown, !onnx.unknown
}
func.func @com.microsoft.SkipSimplifiedLayerNormalization(%arg0: tensor<2x4x8xf32>, %arg1: tensor<2x4x8xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %0 = onnx.constant dense<5.000000e-01> : tensor<8xf32>
  %1:4 = onnx.node "SkipSimplifiedLayerNormalization" of "com.microsoft"(%arg0, %arg1, %0) {epsilon = 9.99999974E-6 : f32} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<8xf32>) -> (!onnx.unknown, none, none, !onnx.unknown)
  return %1#0, %1#3 : !onnx.unknown, !onnx.unknown
}
}
