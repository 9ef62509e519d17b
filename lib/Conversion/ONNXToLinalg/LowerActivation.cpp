//===- LowerActivation.cpp - activation functions -------------------------===//
//
// Written with the ops that the vector unit has (docs/SupportedOps.md). Floats narrower than f32
// are rounded once, whatever the steps are.
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace npu::onnx_ir;

static Value constant(Lowering &b, Value like, double value) {
  return b.scalar(like.getType(), value);
}

/// `value` where `x` is greater than `limit`, `otherwise` elsewhere.
static Value selectGreater(Lowering &b, Value x, double limit, Value value, Value otherwise) {
  Value isGreater = compare(b, arith::CmpIPredicate::sgt, x, constant(b, x, limit));
  return arith::SelectOp::create(b, isGreater, value, otherwise);
}

/// exp(x) - 1.
static Value expMinusOne(Lowering &b, Value x) {
  return subtract(b, math::ExpOp::create(b, x), constant(b, x, 1));
}

/// 1 / (1 + exp(-x)).
static Value sigmoid(Lowering &b, Value x) {
  Value power = math::ExpOp::create(b, arith::NegFOp::create(b, x));
  Value one = constant(b, x, 1);
  return divide(b, one, add(b, power, one));
}

/// log(1 + x) for x >= 0. Where 1 + x is rounded, its logarithm times x / ((1 + x) - 1) is exact to
/// the last places (Kahan), as the rounding error is in both.
static Value logOfOnePlus(Lowering &b, Value x) {
  Value one = constant(b, x, 1);
  Value sum = add(b, x, one);
  Value corrected = multiply(b, math::LogOp::create(b, sum), divide(b, x, subtract(b, sum, one)));
  Value isOne = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, sum, one);
  return arith::SelectOp::create(b, isOne, x, corrected);
}

/// log(1 + exp(x)), as max(x, 0) + log(1 + exp(-|x|)), which does not overflow.
static Value softplus(Lowering &b, Value x) {
  Value distance = arith::NegFOp::create(b, math::AbsFOp::create(b, x));
  Value rest = logOfOnePlus(b, math::ExpOp::create(b, distance));
  return add(b, maximum(b, x, constant(b, x, 0)), rest);
}

/// max(0, min(1, alpha * x + beta)).
static Value hardSigmoid(Lowering &b, Value x, double alpha, double beta) {
  Value line = add(b, multiply(b, x, constant(b, x, alpha)), constant(b, x, beta));
  return minimum(b, maximum(b, line, constant(b, x, 0)), constant(b, x, 1));
}

void npu::onnx_ir::lowerRelu(Lowering &b) {
  if (b.isUnsigned(0))
    return b.setResult(b.getInput(0));
  lowerElementwise(b, [](Lowering &b, ValueRange x) -> Value {
    return maximum(b, x[0], b.scalar(x[0].getType(), int64_t(0)));
  });
}

void npu::onnx_ir::lowerLeakyRelu(Lowering &b) {
  double alpha = b.getNode().getFloat("alpha", 0.01f);
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Value scaled = multiply(b, x[0], constant(b, x[0], alpha));
    // The same for these slopes, in fewer steps. (0 times infinity is NaN.)
    if (alpha > 0 && alpha <= 1)
      return maximum(b, x[0], scaled);
    Value isNegative = compare(b, arith::CmpIPredicate::slt, x[0], constant(b, x[0], 0));
    return arith::SelectOp::create(b, isNegative, scaled, x[0]);
  });
}

/// Before opset 7, a slope per channel.
void npu::onnx_ir::lowerPRelu(Lowering &b) {
  RankedTensorType type = b.getResultType();
  Value slope = b.getInput(1);
  if (b.getNode().getOpset() < 7 && b.getShape(slope).size() == 1 && type.getRank() > 1) {
    SmallVector<int64_t> shape(type.getRank() - 1, 1);
    shape[0] = b.getShape(slope)[0];
    slope = b.reshape(slope, shape);
  }
  bool isUnsigned = b.isUnsigned(0);
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), {b.getInput(0), slope},
                            [&](Lowering &b, ValueRange x) -> Value {
                              Value zero = b.scalar(x[0].getType(), int64_t(0));
                              Value isNegative =
                                  compare(b, arith::CmpIPredicate::slt, x[0], zero, isUnsigned);
                              return arith::SelectOp::create(b, isNegative, multiply(b, x[0], x[1]),
                                                             x[0]);
                            }));
}

void npu::onnx_ir::lowerElu(Lowering &b) {
  double alpha = b.getNode().getFloat("alpha", 1);
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Value curve = multiply(b, expMinusOne(b, x[0]), constant(b, x[0], alpha));
    return selectGreater(b, x[0], 0, x[0], curve);
  });
}

void npu::onnx_ir::lowerSelu(Lowering &b) {
  bool isOld = b.getNode().getOpset() < 6;
  double alpha = b.getNode().getFloat("alpha", isOld ? 1.6732 : 1.67326319217681884765625);
  double gamma = b.getNode().getFloat("gamma", isOld ? 1.0507 : 1.05070102214813232421875);
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Value curve = multiply(b, expMinusOne(b, x[0]), constant(b, x[0], alpha));
    return multiply(b, selectGreater(b, x[0], 0, x[0], curve), constant(b, x[0], gamma));
  });
}

/// max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).
void npu::onnx_ir::lowerCelu(Lowering &b) {
  double alpha = b.getNode().getFloat("alpha", 1);
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Value zero = constant(b, x[0], 0), scale = constant(b, x[0], alpha);
    Value curve = multiply(b, expMinusOne(b, divide(b, x[0], scale)), scale);
    return add(b, maximum(b, x[0], zero), minimum(b, curve, zero));
  });
}

void npu::onnx_ir::lowerThresholdedRelu(Lowering &b) {
  double alpha = b.getNode().getFloat("alpha", 1);
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    return selectGreater(b, x[0], alpha, x[0], constant(b, x[0], 0));
  });
}

void npu::onnx_ir::lowerSigmoid(Lowering &b) {
  lowerComposed(b, [](Lowering &b, ValueRange x) -> Value { return sigmoid(b, x[0]); });
}

void npu::onnx_ir::lowerHardSigmoid(Lowering &b) {
  double alpha = b.getNode().getFloat("alpha", 0.2f), beta = b.getNode().getFloat("beta", 0.5);
  lowerComposed(
      b, [&](Lowering &b, ValueRange x) -> Value { return hardSigmoid(b, x[0], alpha, beta); });
}

void npu::onnx_ir::lowerHardSwish(Lowering &b) {
  lowerComposed(b, [](Lowering &b, ValueRange x) -> Value {
    return multiply(b, x[0], hardSigmoid(b, x[0], 1.0 / 6, 0.5));
  });
}

void npu::onnx_ir::lowerSwish(Lowering &b) {
  double alpha = b.getNode().getFloat("alpha", 1);
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Value scaled = alpha == 1 ? x[0] : multiply(b, x[0], constant(b, x[0], alpha));
    return multiply(b, x[0], sigmoid(b, scaled));
  });
}

void npu::onnx_ir::lowerSoftplus(Lowering &b) {
  lowerComposed(b, [](Lowering &b, ValueRange x) -> Value { return softplus(b, x[0]); });
}

void npu::onnx_ir::lowerSoftsign(Lowering &b) {
  lowerComposed(b, [](Lowering &b, ValueRange x) -> Value {
    return divide(b, x[0], add(b, math::AbsFOp::create(b, x[0]), constant(b, x[0], 1)));
  });
}

void npu::onnx_ir::lowerMish(Lowering &b) {
  lowerComposed(b, [](Lowering &b, ValueRange x) -> Value {
    return multiply(b, x[0], math::TanhOp::create(b, softplus(b, x[0])));
  });
}

/// x / 2 * (1 + erf(x / sqrt(2))), or its approximation
/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
void npu::onnx_ir::lowerGelu(Lowering &b) {
  bool isApproximate = b.getNode().getString("approximate", "none") == "tanh";
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Value curve;
    if (isApproximate) {
      Value cube = multiply(b, multiply(b, x[0], x[0]), x[0]);
      Value sum = add(b, x[0], multiply(b, cube, constant(b, x[0], 0.044715)));
      double scale = llvm::numbers::sqrt2 * llvm::numbers::inv_sqrtpi;
      curve = math::TanhOp::create(b, multiply(b, sum, constant(b, x[0], scale)));
    } else {
      Value scaled = multiply(b, x[0], constant(b, x[0], 1 / llvm::numbers::sqrt2));
      curve = math::ErfOp::create(b, scaled);
    }
    Value half = multiply(b, x[0], constant(b, x[0], 0.5));
    return multiply(b, half, add(b, curve, constant(b, x[0], 1)));
  });
}

/// x + bias below -lambd, x - bias above lambd, 0 in between. Integers compute as floats.
void npu::onnx_ir::lowerShrink(Lowering &b) {
  double bias = b.getNode().getFloat("bias", 0), lambd = b.getNode().getFloat("lambd", 0.5);
  bool isUnsigned = b.isUnsigned(0);
  lowerComposed(b, [&](Lowering &b, ValueRange x) -> Value {
    Type type = x[0].getType();
    Value element = convert(b, x[0], isUnsigned, isa<FloatType>(type) ? type : b.getF64Type());
    Value offset = constant(b, element, bias);
    Value isBelow = compare(b, arith::CmpIPredicate::slt, element, constant(b, element, -lambd));
    Value middle =
        arith::SelectOp::create(b, isBelow, add(b, element, offset), constant(b, element, 0));
    Value result = selectGreater(b, element, lambd, subtract(b, element, offset), middle);
    return convert(b, result, /*isUnsigned=*/false, type, isUnsigned);
  });
}

/// Limits are attributes before opset 11 and scalar inputs from then on. The upper one wins.
void npu::onnx_ir::lowerClip(Lowering &b) {
  Node &node = b.getNode();
  RankedTensorType type = b.getResultType();
  bool isUnsigned = b.isUnsigned(0);
  if (node.getOpset() < 11) {
    // Version 6 has defaults, version 1 has none.
    bool isLimited = node.getOpset() >= 6;
    double largest = std::numeric_limits<float>::max();
    double lo = node.getFloat("min", -largest), hi = node.getFloat("max", largest);
    return lowerElementwise(b, [&](Lowering &b, ValueRange x) -> Value {
      Value result = x[0];
      if (isLimited || node.hasAttribute("min"))
        result = maximum(b, result, constant(b, x[0], lo));
      if (isLimited || node.hasAttribute("max"))
        result = minimum(b, result, constant(b, x[0], hi));
      return result;
    });
  }
  SmallVector<Value> operands{b.getInput(0)};
  for (unsigned limit : {1, 2})
    if (Value value = b.getInput(limit))
      operands.push_back(b.reshape(value, {}));
  bool hasMinimum = node.hasInput(1), hasMaximum = node.hasInput(2);
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), operands,
                            [&](Lowering &b, ValueRange x) -> Value {
                              Value result = x[0];
                              if (hasMinimum)
                                result = maximum(b, result, x[1], isUnsigned);
                              if (hasMaximum)
                                result = minimum(b, result, x.back(), isUnsigned);
                              return result;
                            }));
}

/// Nothing is dropped.
void npu::onnx_ir::lowerDropout(Lowering &b) {
  b.setResult(b.getInput(0));
  if (!b.hasResult(1))
    return;
  RankedTensorType type = b.getResultType(1);
  b.setResult(1, b.splat(type.getShape(), b.scalar(type.getElementType(), int64_t(1))));
}
