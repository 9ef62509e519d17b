"""Classifiers and regressors of other tools than those for neural networks."""

from model import Tensor, form, model, node, rand

ROWS = {"x": rand("f32", [7, 4], 1, -2, 2)}


def learned(name, operator, outputs, rows=ROWS, version=3, **attributes):
    names = " ".join(output.split(":")[0] for output in outputs.split())
    form(name, lambda: model([node(operator, "x", names, "ai.onnx.ml", **attributes)], rows, outputs,
                             domains={"ai.onnx.ml": version}))


def numbered_trees(prefix, ids, weights):
    """Two trees: one of five nodes, one of three."""
    return dict(
        nodes_treeids=[0] * 5 + [1] * 3, nodes_nodeids=[0, 1, 2, 3, 4, 0, 1, 2], nodes_featureids=[2, 0, 0, 3, 0, 1, 0, 0],
        nodes_modes=["BRANCH_LEQ", "BRANCH_LT", "LEAF", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"],
        nodes_values=[0.1, -0.3, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0], nodes_truenodeids=[1, 2, 0, 0, 0, 1, 0, 0],
        nodes_falsenodeids=[4, 3, 0, 0, 0, 2, 0, 0], nodes_missing_value_tracks_true=[0, 1, 0, 0, 0, 0, 0, 0],
        **{f"{prefix}_treeids": [0, 0, 0, 1, 1], f"{prefix}_nodeids": [2, 3, 4, 1, 2], f"{prefix}_ids": ids,
           f"{prefix}_weights": weights})


WITH_NAN = {"x": Tensor("f32", [3, 4], [float("nan"), 0.5, 0.0, 1.0, 0.2, float("nan"), -1.0, 0.3, -1.0, 0.1, float("nan"), 2.0])}
for aggregate in ("SUM", "AVERAGE", "MIN", "MAX"):
    learned("trees_" + aggregate.lower(), "TreeEnsembleRegressor", "y", n_targets=1, aggregate_function=aggregate,
            base_values=[0.5], **numbered_trees("target", [0] * 5, [1.0, -2.0, 3.0, 0.5, 0.25]))
learned("trees_nan", "TreeEnsembleRegressor", "y", WITH_NAN, n_targets=1,
        **numbered_trees("target", [0] * 5, [1.0, -2.0, 3.0, 0.5, 0.25]))
learned("trees_targets", "TreeEnsembleRegressor", "y", n_targets=2, post_transform="SOFTMAX",
        **numbered_trees("target", [0, 1, 0, 1, 1], [1.0, -2.0, 3.0, 0.5, 0.25]))
for transform in ("NONE", "SOFTMAX", "LOGISTIC"):
    learned("tree_classes_" + transform.lower(), "TreeEnsembleClassifier", "y:i64 z", classlabels_int64s=[4, 7, 9],
            post_transform=transform, **numbered_trees("class", [0, 1, 2, 1, 0], [1.0, 2.0, 3.0, 0.5, 0.25]))
for transform in ("NONE", "LOGISTIC"):
    learned("tree_two_" + transform.lower(), "TreeEnsembleClassifier", "y:i64 z", classlabels_int64s=[0, 1],
            post_transform=transform, **numbered_trees("class", [0] * 5, [1.0, -2.0, 3.0, 0.5, -0.25]))
learned("tree_two_positive", "TreeEnsembleClassifier", "y:i64 z", classlabels_int64s=[3, 5],
        **numbered_trees("class", [0] * 5, [0.1, 0.4, 0.3, 0.05, 0.25]))
# Inner nodes and leaves apart; modes are those of ONNX 1.17, 6 is membership.
NEW = dict(tree_roots=[0], n_targets=2, nodes_featureids=[0, 1, 2], nodes_truenodeids=[1, 0, 1], nodes_trueleafs=[0, 1, 1],
           nodes_falsenodeids=[2, 2, 3], nodes_falseleafs=[0, 1, 1], leaf_targetids=[0, 1, 0, 1],
           leaf_weights=Tensor("f32", [4], [1.0, 10.0, 1000.0, 100.0]))
learned("tree_new", "TreeEnsemble", "y", version=5, nodes_modes=Tensor("u8", [3], [0, 2, 4]), aggregate_function=1,
        nodes_splits=Tensor("f32", [3], [0.1, 0.2, 0.3]), **NEW)
learned("tree_members", "TreeEnsemble", "y", {"x": Tensor("f32", [4, 3], [1, 2, 3, 5, 0, 4, 7, 1, 8, 0, 4, 9])}, version=5,
        nodes_modes=Tensor("u8", [3], [0, 6, 6]), nodes_splits=Tensor("f32", [3], [4, 0, 0]), aggregate_function=1,
        membership_values=Tensor("f32", [6], [2.0, 4.0, float("nan"), 8.0, 9.0, float("nan")]), **NEW)

COEFFICIENTS = rand("f32", [12], 3).values
for transform in ("NONE", "SOFTMAX", "LOGISTIC"):
    learned("linear_classes_" + transform.lower(), "LinearClassifier", "y:i64 z", version=1, classlabels_ints=[5, 6, 8],
            coefficients=COEFFICIENTS, intercepts=[0.1, -0.2, 0.3], post_transform=transform)
learned("linear_values", "LinearRegressor", "y", version=1, coefficients=COEFFICIENTS[:8], intercepts=[0.1, -0.2], targets=2)
form("learned_features", lambda: model([node("ArrayFeatureExtractor", "x i", "y", "ai.onnx.ml")], ROWS, "y",
                                       {"i": Tensor("i64", [3], [3, 0, 3])}, domains={"ai.onnx.ml": 1}))
learned("binarizer", "Binarizer", "y", version=1, threshold=0.3)
learned("scaler", "Scaler", "y", version=1, offset=[0.5, 1.0, -1.0, 0.0], scale=[2.0, 1.0, 0.5, -1.0])
for norm in ("MAX", "L1", "L2"):
    learned("normalizer_" + norm.lower(), "Normalizer", "y", {"x": rand("f32", [5, 4], 1, 0.1, 2)}, version=1, norm=norm)
