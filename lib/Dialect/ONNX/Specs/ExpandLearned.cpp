//===- ExpandLearned.cpp - linear classifiers and what is around them -----===//

#include "Learned.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

FailureOr<Value> npu::onnx_ir::transformScores(Expansion &b, Value scores, StringRef transform) {
  if (transform == "NONE")
    return scores;
  if (transform == "SOFTMAX")
    return b.op("Softmax", {scores}, {b.integer("axis", 1)});
  if (transform == "LOGISTIC")
    return b.op("Sigmoid", {scores});
  return b.getNode().reject() << "expected post_transform to be NONE, SOFTMAX or LOGISTIC, found '"
                              << transform << "'";
}

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getLabels(Node &node, StringRef name) {
  std::optional<SmallVector<int64_t>> labels = node.getInts(name);
  if (labels && !labels->empty())
    return *labels;
  return node.reject() << "expected labels that are integers, in " << name
                       << "; strings are not supported";
}

LogicalResult npu::onnx_ir::setClasses(Expansion &b, Value scores, ArrayRef<int64_t> labels,
                                       StringRef transform) {
  FailureOr<Value> transformed = transformScores(b, scores, transform);
  if (failed(transformed))
    return failure();
  Value best = b.op("ArgMax", {scores}, {b.integer("axis", 1), b.integer("keepdims", 0)});
  b.setResult(0, b.op("Gather", {b.ints(labels), best}));
  b.setResult(1, b.cast(*transformed, b.getF32Type()));
  return success();
}

LogicalResult npu::onnx_ir::setTwoClasses(Expansion &b, Value scores, ArrayRef<int64_t> labels,
                                          StringRef transform, bool isPositive) {
  Node &node = b.getNode();
  scores = b.cast(scores, b.getF32Type());
  if (failed(transformScores(b, scores, transform)))
    return failure();
  if (transform == "SOFTMAX")
    return node.reject() << "expected post_transform to be NONE or LOGISTIC where leaves weigh one "
                            "of two classes, found 'SOFTMAX'";
  auto number = [&](double value) { return b.constant(b.getF32Type(), {}, value); };
  Value isSecond = b.op("Greater", {scores, number(isPositive ? 0.5 : 0)});
  int64_t rows = node.getShape(0)[0];
  b.setResult(
      0, b.reshape(b.op("Where", {isSecond, b.ints({labels[1]}), b.ints({labels[0]})}), {rows}));
  Value other = isPositive ? b.op("Sub", {number(1), scores}) : b.op("Neg", {scores});
  if (!isPositive && transform == "LOGISTIC") {
    scores = b.op("Sigmoid", {scores});
    other = b.op("Sigmoid", {other});
  }
  b.setResult(1, b.concat({other, scores}, 1));
  return success();
}

/// Rows times coefficients, one row of them for each of `count` results, and intercepts.
static FailureOr<Value> multiplyRows(Expansion &b, int64_t count) {
  Node &node = b.getNode();
  std::optional<SmallVector<double>> coefficients = node.getFloats("coefficients");
  std::optional<SmallVector<double>> intercepts = node.getFloats("intercepts");
  ArrayRef<int64_t> shape = node.getShape(0);
  // One row may have no dimension of its own.
  int64_t features = shape.empty() ? 0 : shape.back();
  bool fits = (shape.size() == 1 || shape.size() == 2) && coefficients && count > 0 &&
              static_cast<int64_t>(coefficients->size()) == count * features &&
              (!intercepts || static_cast<int64_t>(intercepts->size()) == count);
  if (!fits)
    return node.reject() << "expected rows of numbers, a coefficient of each feature for each of "
                         << count << " results, and as many intercepts, found "
                         << node.getInputType(0) << " and "
                         << (coefficients ? coefficients->size() : 0) << " coefficients";
  Type f32 = b.getF32Type();
  Value rows = b.cast(b.reshape(b.input(0), {-1, features}), f32);
  Value weights = b.numbers(f32, {count, features}, *coefficients);
  Value bias = intercepts ? b.numbers(f32, {count}, *intercepts) : Value();
  return b.op("Gemm", {rows, weights, bias}, {b.integer("transB", 1)});
}

LogicalResult npu::onnx_ir::expandLinearClassifier(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<SmallVector<int64_t>> labels = getLabels(node, "classlabels_ints");
  if (failed(labels))
    return failure();
  FailureOr<Value> scores = multiplyRows(b, labels->size());
  if (failed(scores))
    return failure();
  return setClasses(b, *scores, *labels, node.getString("post_transform", "NONE"));
}

LogicalResult npu::onnx_ir::expandLinearRegressor(Expansion &b) {
  Node &node = b.getNode();
  FailureOr<Value> scores = multiplyRows(b, node.getInt("targets", 1));
  if (failed(scores))
    return failure();
  scores = transformScores(b, *scores, node.getString("post_transform", "NONE"));
  if (failed(scores))
    return failure();
  b.setResult(0, *scores);
  return success();
}

/// Elements along the last axis.
LogicalResult npu::onnx_ir::expandArrayFeatureExtractor(Expansion &b) {
  Node &node = b.getNode();
  if (node.getRank(0) == 0)
    return node.reject() << "expected at least one dimension, found " << node.getInputType(0);
  Value indices = b.reshape(b.input(1), {-1});
  Value y = b.op("Gather", {b.input(0), indices}, {b.integer("axis", -1)});
  b.setResult(0, node.getRank(0) == 1 ? b.reshape(y, {1, -1}) : y);
  return success();
}

LogicalResult npu::onnx_ir::expandBinarizer(Expansion &b) {
  Node &node = b.getNode();
  Type type = node.getElementType(0);
  double threshold = node.getFloat("threshold", 0);
  StringRef comparison = "Greater";
  Value limit;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return node.reject() << "expected numbers, found " << node.getInputType(0);
    // An integer is above a number if it is above the next lower integer.
    bool isUnsigned = integer.isUnsigned();
    llvm::APInt least =
        isUnsigned ? llvm::APInt::getMinValue(width) : llvm::APInt::getSignedMinValue(width);
    llvm::APInt value =
        isUnsigned ? llvm::APInt::getMaxValue(width) : llvm::APInt::getSignedMaxValue(width);
    if (threshold < least.roundToDouble(!isUnsigned)) {
      comparison = "GreaterOrEqual";
      value = least;
    } else if (threshold < value.roundToDouble(!isUnsigned)) {
      value = llvm::APIntOps::RoundDoubleToAPInt(std::floor(threshold), width);
    }
    limit = ConstantOp::create(b, DenseElementsAttr::get(RankedTensorType::get({}, type), value));
  } else {
    limit = b.constant(type, {}, threshold);
  }
  b.setResult(0, b.cast(b.op(comparison, {b.input(0), limit}), type));
  return success();
}

/// Each feature is shifted by its offset and multiplied by its scale; one number is for all.
LogicalResult npu::onnx_ir::expandScaler(Expansion &b) {
  Node &node = b.getNode();
  ArrayRef<int64_t> shape = node.getShape(0);
  int64_t features = shape.empty() ? 1 : shape.back();
  Value x = b.cast(b.input(0), b.getF32Type());
  for (StringRef name : {"offset", "scale"}) {
    std::optional<SmallVector<double>> values = node.getFloats(name);
    if (!values)
      continue;
    int64_t count = values->size();
    if (count != features && count != 1)
      return node.reject() << "expected " << features << " numbers in " << name
                           << ", or one, found " << count;
    x = b.op(name == "scale" ? "Mul" : "Sub", {x, b.numbers(b.getF32Type(), {count}, *values)});
  }
  b.setResult(0, x);
  return success();
}

LogicalResult npu::onnx_ir::expandNormalizer(Expansion &b) {
  Node &node = b.getNode();
  StringRef norm = node.getString("norm", "MAX");
  StringRef reduction = norm == "MAX" ? "ReduceMax" : norm == "L1" ? "ReduceL1" : "ReduceL2";
  if (!llvm::is_contained({"MAX", "L1", "L2"}, norm) || node.getRank(0) == 0)
    return node.reject() << "expected norm to be MAX, L1 or L2, of at least one dimension, found '"
                         << norm << "' and " << node.getInputType(0);
  Type f32 = b.getF32Type();
  Value x = b.cast(b.input(0), f32);
  Value size = b.op(reduction, {x, b.ints({-1})}, {b.integer("keepdims", 1)});
  // Rows of zeros stay as they are.
  Value isZero = b.op("Equal", {size, b.constant(f32, {}, 0)});
  b.setResult(0, b.op("Div", {x, b.op("Where", {isZero, b.constant(f32, {}, 1), size})}));
  return success();
}
