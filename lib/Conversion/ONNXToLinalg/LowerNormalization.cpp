//===- LowerNormalization.cpp - operators that normalize ------------------===//

#include "Arithmetic.h"
#include "Windows.h"

#include "NPU/Dialect/ONNX/Specs/Normalization.h"
#include "NPU/Dialect/ONNX/Specs/Pool.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

/// 1 / sqrt(x + epsilon), element by element.
static Value invertDeviation(Lowering &b, Value variances, double epsilon) {
  Type type = b.getElementType(variances);
  return b.elementwise(b.getShape(variances), type, variances,
                       [&](Lowering &b, ValueRange x) -> Value {
                         Value sum = add(b, x[0], b.scalar(type, epsilon));
                         return divide(b, b.scalar(type, 1.0), math::SqrtOp::create(b, sum));
                       });
}

/// Elements from which mean values and inverse deviations along some axes are taken.
struct Normalized {
  Value elements, mean, inverse;
};

/// (x - mean) / sqrt(variance + epsilon).
static Normalized normalize(Lowering &b, Value input, ArrayRef<int64_t> axes, double epsilon) {
  Normalized result;
  result.mean = mean(b, input, axes);
  result.inverse = invertDeviation(b, variance(b, input, result.mean, axes), epsilon);
  result.elements = b.elementwise(
      b.getShape(input), b.getElementType(input), {input, result.mean, result.inverse},
      [](Lowering &b, ValueRange x) { return multiply(b, subtract(b, x[0], x[1]), x[2]); });
  return result;
}

/// `tensor` * `scale` + `bias` as elements of `type`; scale and bias broadcast, bias may be null.
static Value scaleAndShift(Lowering &b, Value tensor, Value scale, Value bias, Type type) {
  SmallVector<Value> operands{tensor, scale};
  if (bias)
    operands.push_back(bias);
  Type common = b.getElementType(tensor);
  return b.elementwise(b.getShape(tensor), type, operands, [&](Lowering &b, ValueRange x) {
    Value result = multiply(b, x[0], castFloat(b, x[1], common));
    if (bias)
      result = add(b, result, castFloat(b, x[2], common));
    return castFloat(b, result, type);
  });
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// Inputs 1 to 4 of a BatchNormalization: scale, bias, mean, variance.
static Value getParameter(Lowering &b, unsigned index, Type type) {
  SmallVector<int64_t> shape(b.getShape(b.getInput(index)));
  int64_t rank = b.getNode().getRank(0);
  while (int64_t(shape.size()) < rank - 1)
    shape.push_back(1);
  if (rank == 1)
    shape.clear();
  return castFloats(b, b.reshape(b.getInput(index), shape), type);
}

/// A factor and a summand for each channel from constants; nothing if one is computed.
static std::optional<std::pair<Value, Value>> getConstantScale(Lowering &b, double epsilon,
                                                               Type type) {
  std::optional<SmallVector<double>> parameters[4];
  for (unsigned index = 0; index < 4; ++index) {
    parameters[index] = b.getNode().getConstantFloats(index + 1);
    if (!parameters[index])
      return std::nullopt;
  }
  SmallVector<Attribute> factors, summands;
  for (auto [scale, bias, mean, variance] :
       llvm::zip(*parameters[0], *parameters[1], *parameters[2], *parameters[3])) {
    double factor = scale / std::sqrt(variance + epsilon);
    factors.push_back(b.getFloatAttr(type, factor));
    summands.push_back(b.getFloatAttr(type, bias - mean * factor));
  }
  auto create = [&](ArrayRef<Attribute> elements) -> Value {
    SmallVector<int64_t> shape(b.getShape(getParameter(b, 1, type)));
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(RankedTensorType::get(shape, type), elements));
  };
  return std::make_pair(create(factors), create(summands));
}

void npu::onnx_ir::lowerBatchNormalization(Lowering &b) {
  Node &node = b.getNode();
  Type resultType = b.getResultType().getElementType();
  double epsilon = node.getFloat("epsilon", 1e-5f);
  Value input = widenFloats(b, b.getInput(0));
  Type type = b.getElementType(input);
  bool isTraining = isTrainingBatchNormalization(node);
  if (!isTraining)
    if (auto constants = getConstantScale(b, epsilon, type))
      return b.setResult(scaleAndShift(b, input, constants->first, constants->second, resultType));
  Value means = getParameter(b, 3, type), variances = getParameter(b, 4, type);
  if (isTraining) {
    SmallVector<int64_t> axes{0}, shape(node.getShape(1));
    if (node.getInt("spatial", 1))
      llvm::append_range(axes, llvm::seq<int64_t>(2, node.getRank(0)));
    Value oldMeans = means, oldVariances = variances;
    means = mean(b, input, axes);
    variances = variance(b, input, means, axes);
    double momentum = node.getFloat("momentum", 0.9f);
    auto update = [&](unsigned index, Value before, Value now) {
      if (!b.hasResult(index))
        return;
      Value updated = combine(b, b.reshape(before, shape), b.reshape(now, shape),
                              [&](Lowering &b, Value x, Value y) {
                                Value kept = multiply(b, x, b.scalar(type, momentum));
                                return add(b, kept, multiply(b, y, b.scalar(type, 1 - momentum)));
                              });
      b.setResult(index, castFloats(b, updated, b.getResultType(index).getElementType()));
    };
    update(1, oldMeans, means);
    update(2, oldVariances, variances);
    for (auto [index, saved] : {std::make_pair(3, means), std::make_pair(4, variances)})
      if (b.hasResult(index))
        b.setResult(
            index, castFloats(b, b.reshape(saved, shape), b.getResultType(index).getElementType()));
  }
  Value inverse = invertDeviation(b, variances, epsilon);
  Value scale = getParameter(b, 1, type), bias = getParameter(b, 2, type);
  b.setResult(b.elementwise(b.getShape(input), resultType, {input, means, inverse, scale, bias},
                            [&](Lowering &b, ValueRange x) {
                              Value centered = subtract(b, x[0], x[1]);
                              Value scaled = multiply(b, multiply(b, centered, x[2]), x[3]);
                              return castFloat(b, add(b, scaled, x[4]), resultType);
                            }));
}

//===----------------------------------------------------------------------===//
// Instances, groups, layers
//===----------------------------------------------------------------------===//

/// Scale and bias for the channels (dimension 1) of a tensor.
static Value alignChannels(Lowering &b, Value parameter, int64_t rank) {
  SmallVector<int64_t> shape(b.getShape(parameter));
  shape.append(rank - 2, 1);
  return b.reshape(parameter, shape);
}

void npu::onnx_ir::lowerInstanceNormalization(Lowering &b) {
  Node &node = b.getNode();
  Type resultType = b.getResultType().getElementType();
  Value input = widenFloats(b, b.getInput(0));
  int64_t rank = node.getRank(0);
  Normalized result = normalize(b, input, llvm::to_vector(llvm::seq<int64_t>(2, rank)),
                                node.getFloat("epsilon", 1e-5f));
  b.setResult(scaleAndShift(b, result.elements, alignChannels(b, b.getInput(1), rank),
                            alignChannels(b, b.getInput(2), rank), resultType));
}

void npu::onnx_ir::lowerGroupNormalization(Lowering &b) {
  Node &node = b.getNode();
  Type resultType = b.getResultType().getElementType();
  Value wide = node.getOpset() >= 21 ? castFloats(b, b.getInput(0), getStashType(node))
                                     : widenFloats(b, b.getInput(0));
  ArrayRef<int64_t> shape = node.getShape(0);
  int64_t groups = node.getInt("num_groups", 1), channels = shape[1] / groups;
  int64_t rest = ShapedType::getNumElements(shape.drop_front(2));
  Value input = b.reshape(wide, {shape[0], groups, channels, rest});
  Normalized result = normalize(b, input, {2, 3}, node.getFloat("epsilon", 1e-5f));
  // Older opsets have one factor for each group.
  SmallVector<int64_t> parameterShape{groups, node.getShape(1)[0] / groups, 1};
  b.setResult(b.reshape(scaleAndShift(b, result.elements, b.reshape(b.getInput(1), parameterShape),
                                      b.reshape(b.getInput(2), parameterShape), resultType),
                        shape));
}

/// The axes that a LayerNormalization or RMSNormalization normalizes along.
static SmallVector<int64_t> getLayerAxes(Node &node) {
  int64_t rank = node.getRank(0);
  return llvm::to_vector(
      llvm::seq<int64_t>(*node.normalizeAxis(node.getInt("axis", -1), rank), rank));
}

void npu::onnx_ir::lowerLayerNormalization(Lowering &b) {
  Node &node = b.getNode();
  Value input = castFloats(b, b.getInput(0), getStashType(node));
  Normalized result = normalize(b, input, getLayerAxes(node), node.getFloat("epsilon", 1e-5f));
  if (b.hasResult(1))
    b.setResult(1, result.mean);
  if (b.hasResult(2))
    b.setResult(2, result.inverse);
  b.setResult(scaleAndShift(b, result.elements, b.getInput(1), b.getInput(2),
                            b.getResultType().getElementType()));
}

void npu::onnx_ir::lowerRMSNormalization(Lowering &b) {
  Node &node = b.getNode();
  Value input = castFloats(b, b.getInput(0), getStashType(node));
  Value squares = combine(b, input, input, multiply);
  Value inverse =
      invertDeviation(b, mean(b, squares, getLayerAxes(node)), node.getFloat("epsilon", 1e-5f));
  b.setResult(scaleAndShift(b, combine(b, input, inverse, multiply), b.getInput(1), {},
                            b.getResultType().getElementType()));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

void npu::onnx_ir::lowerMeanVarianceNormalization(Lowering &b) {
  Node &node = b.getNode();
  Type resultType = b.getResultType().getElementType();
  Value input = widenFloats(b, b.getInput(0));
  SmallVector<int64_t> axes = getMeanVarianceAxes(node);
  Value means = mean(b, input, axes), variances = variance(b, input, means, axes);
  b.setResult(b.elementwise(
      b.getShape(input), resultType, {input, means, variances}, [&](Lowering &b, ValueRange x) {
        // The definition adds this to the deviation.
        Value epsilon = b.scalar(x[0].getType(), 1e-9);
        Value deviation = add(b, math::SqrtOp::create(b, x[2]), epsilon);
        return castFloat(b, divide(b, subtract(b, x[0], x[1]), deviation), resultType);
      }));
}

void npu::onnx_ir::lowerLpNormalization(Lowering &b) {
  Node &node = b.getNode();
  Type resultType = b.getResultType().getElementType();
  Value input = widenFloats(b, b.getInput(0));
  int64_t axis = *node.normalizeAxis(node.getInt("axis", -1), node.getRank(0));
  bool isSquare = getNormOrder(node) == 2;
  Value magnitudes = combine(b, input, input, [&](Lowering &b, Value x, Value y) -> Value {
    if (isSquare)
      return multiply(b, x, y);
    return math::AbsFOp::create(b, x);
  });
  Value sums = sum(b, magnitudes, axis);
  b.setResult(
      b.elementwise(b.getShape(input), resultType, {input, sums}, [&](Lowering &b, ValueRange x) {
        Value norm = isSquare ? math::SqrtOp::create(b, x[1]).getResult() : x[1];
        // Zeros stay zeros, by definition.
        Value zero = b.scalar(norm.getType(), 0.0);
        Value isZero = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, norm, zero);
        Value quotient = divide(b, x[0], norm);
        return castFloat(b, arith::SelectOp::create(b, isZero, zero, quotient), resultType);
      }));
}

void npu::onnx_ir::lowerLRN(Lowering &b) {
  Node &node = b.getNode();
  Type resultType = b.getResultType().getElementType();
  Value input = widenFloats(b, b.getInput(0));
  Type type = b.getElementType(input);
  // Windows slide along the channels.
  int64_t size = node.getInt("size", 1);
  SmallVector<int64_t> low(node.getRank(0)), high(node.getRank(0));
  low[1] = (size - 1) / 2;
  high[1] = size - 1 - low[1];
  Window window{{size}, {1}, {1}, {}, {}, {}, {node.getShape(0)[1]}};
  Value zero = b.scalar(type, 0.0);
  Value sums =
      reduceWindows(b, b.pad(input, low, high, zero), 1, window, zero,
                    [](Lowering &b, Value x, Value sum) { return add(b, sum, multiply(b, x, x)); });
  double alpha = node.getFloat("alpha", 0.0001f), beta = node.getFloat("beta", 0.75);
  double bias = node.getFloat("bias", 1);
  b.setResult(
      b.elementwise(b.getShape(input), resultType, {input, sums}, [&](Lowering &b, ValueRange x) {
        Value scaled = multiply(b, x[1], b.scalar(type, alpha / size));
        Value base = add(b, scaled, b.scalar(type, bias));
        Value power = math::PowFOp::create(b, base, b.scalar(type, beta));
        return castFloat(b, divide(b, x[0], power), resultType);
      }));
}
