// RUN: npu-opt %s --npu-onnx-infer-shapes -split-input-file -verify-diagnostics

// Linear models.
module attributes {onnx.opset = {ai.onnx = 17 : i64, ai.onnx.ml = 3 : i64}} {
  func.func @linear(%x: tensor<5x2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (LinearClassifier of domain 'ai.onnx.ml' version 3): expected labels that are integers, in classlabels_ints; strings are not supported}}
    %0 = onnx.node "LinearClassifier" of "ai.onnx.ml"(%x) {classlabels_strings = ["a", "b"], coefficients = array<f32: 1.0, 2.0, 3.0, 4.0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (LinearClassifier of domain 'ai.onnx.ml' version 3): expected rows of numbers, a coefficient of each feature for each of 2 results, and as many intercepts, found 'tensor<5x2xf32>' and 2 coefficients}}
    %1 = onnx.node "LinearClassifier" of "ai.onnx.ml"(%x) {classlabels_ints = array<i64: 0, 1>, coefficients = array<f32: 1.0, 2.0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (LinearRegressor of domain 'ai.onnx.ml' version 3): expected post_transform to be NONE, SOFTMAX or LOGISTIC, found 'PROBIT'}}
    %2 = onnx.node "LinearRegressor" of "ai.onnx.ml"(%x) {coefficients = array<f32: 1.0, 2.0>, post_transform = "PROBIT"} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (LinearRegressor of domain 'ai.onnx.ml' version 3): expected attribute 'coefficients' to be floats, found array<i64: 1, 2>}}
    %3 = onnx.node "LinearRegressor" of "ai.onnx.ml"(%x) {coefficients = array<i64: 1, 2>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (Scaler of domain 'ai.onnx.ml' version 3): expected 2 numbers in scale, or one, found 3}}
    %4 = onnx.node "Scaler" of "ai.onnx.ml"(%x) {scale = array<f32: 1.0, 2.0, 3.0>} : (tensor<5x2xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @others(%x: tensor<5x2xf32>, %s: tensor<f32>, %i: tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (Normalizer of domain 'ai.onnx.ml' version 3): expected norm to be MAX, L1 or L2, of at least one dimension, found 'L3' and 'tensor<5x2xf32>'}}
    %0 = onnx.node "Normalizer" of "ai.onnx.ml"(%x) {norm = "L3"} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (ArrayFeatureExtractor of domain 'ai.onnx.ml' version 3): expected at least one dimension, found 'tensor<f32>'}}
    %1 = onnx.node "ArrayFeatureExtractor" of "ai.onnx.ml"(%s, %i) : (tensor<f32>, tensor<1xi64>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

// Trees whose nodes are numbered in each tree.
module attributes {onnx.opset = {ai.onnx = 17 : i64, ai.onnx.ml = 3 : i64}} {
  func.func @lists(%x: tensor<5x2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected nodes_treeids, as many nodes_modes, and target_treeids}}
    %0 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {nodes_treeids = array<i64: 0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected 1 integers in nodes_nodeids, found 0}}
    %1 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {nodes_modes = ["LEAF"], nodes_treeids = array<i64: 0>, target_treeids = array<i64: 0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected 1 floats in nodes_values, found 2}}
    %2 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = ["LEAF"], nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>, nodes_truenodeids = array<i64: 0>, nodes_values = array<f32: 0.0, 1.0>, target_treeids = array<i64: 0>} : (tensor<5x2xf32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @nodes(%x: tensor<5x2xf32>, %line: tensor<5xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected nodes_modes that are LEAF or one of BRANCH_LEQ, _LT, _GTE, _GT, _EQ and _NEQ, found 'BRANCH'}}
    %0 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = ["BRANCH"], nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>, nodes_truenodeids = array<i64: 0>, nodes_values = array<f32: 0.0>, target_ids = array<i64: 0>, target_nodeids = array<i64: 0>, target_treeids = array<i64: 0>, target_weights = array<f32: 1.0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected weights at leaves, found node 4 of tree 0}}
    %1 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = ["LEAF"], nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>, nodes_truenodeids = array<i64: 0>, nodes_values = array<f32: 0.0>, target_ids = array<i64: 0>, target_nodeids = array<i64: 4>, target_treeids = array<i64: 0>, target_weights = array<f32: 1.0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected trees whose children, features and targets exist, of 2 features and 1 targets}}
    %2 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {nodes_falsenodeids = array<i64: 1, 0>, nodes_featureids = array<i64: 2, 0>, nodes_modes = ["BRANCH_LT", "LEAF"], nodes_nodeids = array<i64: 0, 1>, nodes_treeids = array<i64: 0, 0>, nodes_truenodeids = array<i64: 1, 0>, nodes_values = array<f32: 0.0, 0.0>, target_ids = array<i64: 0>, target_nodeids = array<i64: 1>, target_treeids = array<i64: 0>, target_weights = array<f32: 1.0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected aggregate_function to be SUM, AVERAGE, MIN or MAX, found 'PRODUCT'}}
    %3 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%x) {aggregate_function = "PRODUCT", nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = ["LEAF"], nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>, nodes_truenodeids = array<i64: 0>, nodes_values = array<f32: 0.0>, target_ids = array<i64: 0>, target_nodeids = array<i64: 0>, target_treeids = array<i64: 0>, target_weights = array<f32: 1.0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsembleRegressor of domain 'ai.onnx.ml' version 3): expected rows of numbers, found 'tensor<5xf32>'}}
    %4 = onnx.node "TreeEnsembleRegressor" of "ai.onnx.ml"(%line) {nodes_treeids = array<i64: 0>} : (tensor<5xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @two(%x: tensor<5x2xf32>) -> !onnx.unknown {
    // expected-error @below {{node (TreeEnsembleClassifier of domain 'ai.onnx.ml' version 3): expected post_transform to be NONE or LOGISTIC where leaves weigh one of two classes, found 'SOFTMAX'}}
    %0:2 = onnx.node "TreeEnsembleClassifier" of "ai.onnx.ml"(%x) {class_ids = array<i64: 0>, class_nodeids = array<i64: 0>, class_treeids = array<i64: 0>, class_weights = array<f32: 1.0>, classlabels_int64s = array<i64: 0, 1>, nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = ["LEAF"], nodes_nodeids = array<i64: 0>, nodes_treeids = array<i64: 0>, nodes_truenodeids = array<i64: 0>, nodes_values = array<f32: 0.0>, post_transform = "SOFTMAX"} : (tensor<5x2xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %0#1 : !onnx.unknown
  }
}

// -----

// Trees whose inner nodes and leaves have numbers of their own.
module attributes {onnx.opset = {ai.onnx = 17 : i64, ai.onnx.ml = 5 : i64}} {
  func.func @new(%x: tensor<5x2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @below {{node (TreeEnsemble of domain 'ai.onnx.ml' version 5): expected nodes_featureids, leaf_targetids and tree_roots}}
    %0 = onnx.node "TreeEnsemble" of "ai.onnx.ml"(%x) {n_targets = 1 : i64} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsemble of domain 'ai.onnx.ml' version 5): expected nodes_modes from 0 to 6, found 7}}
    %1 = onnx.node "TreeEnsemble" of "ai.onnx.ml"(%x) {leaf_targetids = array<i64: 0>, leaf_weights = dense<1.0> : tensor<1xf32>, n_targets = 1 : i64, nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = dense<7> : tensor<1xui8>, nodes_splits = dense<0.0> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsemble of domain 'ai.onnx.ml' version 5): expected a set of membership_values for each of 1 nodes that test for members, found 0}}
    %2 = onnx.node "TreeEnsemble" of "ai.onnx.ml"(%x) {leaf_targetids = array<i64: 0>, leaf_weights = dense<1.0> : tensor<1xf32>, n_targets = 1 : i64, nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = dense<6> : tensor<1xui8>, nodes_splits = dense<0.0> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsemble of domain 'ai.onnx.ml' version 5): expected trees, found nodes that are below themselves}}
    %3 = onnx.node "TreeEnsemble" of "ai.onnx.ml"(%x) {leaf_targetids = array<i64: 0>, leaf_weights = dense<1.0> : tensor<1xf32>, n_targets = 1 : i64, nodes_falseleafs = array<i64: 0>, nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.0> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>} : (tensor<5x2xf32>) -> !onnx.unknown
    // expected-error @below {{node (TreeEnsemble of domain 'ai.onnx.ml' version 5): expected an aggregate_function from 0 to 3 and a post_transform from 0 to 4, found 4 and 0}}
    %4 = onnx.node "TreeEnsemble" of "ai.onnx.ml"(%x) {aggregate_function = 4 : i64, leaf_targetids = array<i64: 0>, leaf_weights = dense<1.0> : tensor<1xf32>, n_targets = 1 : i64, nodes_falseleafs = array<i64: 1>, nodes_falsenodeids = array<i64: 0>, nodes_featureids = array<i64: 0>, nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<0.0> : tensor<1xf32>, nodes_trueleafs = array<i64: 1>, nodes_truenodeids = array<i64: 0>, tree_roots = array<i64: 0>} : (tensor<5x2xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
