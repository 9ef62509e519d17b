//===- InferLoss.cpp - types of losses ------------------------------------===//

#include "OpSpecFunctions.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Scores of shape [N, C, ...] or their logarithms, labels from 0 to C - 1 of shape [N, ...], and
/// weights of shape [C].
LogicalResult npu::onnx_ir::inferLoss(Node &node) {
  Type type = node.getElementType(0), labelType = node.getElementType(1);
  if (!isa<FloatType>(type) || !(labelType.isInteger(32) || labelType.isInteger(64)))
    return node.reject() << "expected scores that are floats and labels of i32 or i64, found "
                         << type << " and " << labelType;
  ArrayRef<int64_t> scores = node.getShape(0);
  SmallVector<int64_t> labels(scores);
  if (labels.size() > 1)
    labels.erase(labels.begin() + 1);
  if (scores.size() < 2 || scores[1] == 0 || node.getShape(1) != ArrayRef<int64_t>(labels))
    return node.reject() << "expected scores [N, C, ...] of at least one class and labels [N, "
                            "...], found "
                         << node.getInputType(0) << " and " << node.getInputType(1);
  if (node.hasInput(2) &&
      (node.getElementType(2) != type || node.getShape(2) != ArrayRef<int64_t>(scores[1])))
    return node.reject() << "expected " << scores[1] << " weights of " << type << ", found "
                         << node.getInputType(2);
  StringRef reduction = node.getString("reduction", "mean");
  if (reduction != "none" && reduction != "mean" && reduction != "sum")
    return node.reject() << "expected reduction to be none, mean or sum, found '" << reduction
                         << "'";
  if (reduction != "none")
    labels.clear();
  if (failed(node.setOutput(0, labels, type)))
    return failure();
  return node.setOutput(1, scores, type);
}
