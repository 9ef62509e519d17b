//===- MatchQuantization.cpp - recognizes quantization sequences ----------===//

#include "Matching.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;
using namespace npu;

/// The value of a constant that is a whole number.
static std::optional<int64_t> getWholeNumber(TypedAttr constant) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(constant))
    return integer.getInt();
  auto number = dyn_cast_or_null<FloatAttr>(constant);
  if (!number || !number.getValue().isInteger())
    return std::nullopt;
  APSInt integer(64, /*isUnsigned=*/false);
  bool isExact = false;
  if (number.getValue().convertToInteger(integer, APFloat::rmTowardZero, &isExact) != APFloat::opOK)
    return std::nullopt;
  return integer.getExtValue();
}

/// `value` without the addition of a whole number, which goes to `addend`.
template <typename AddOp>
static Value skipAddition(linalg::LinalgOp op, Value value, int64_t &addend) {
  auto add = value.getDefiningOp<AddOp>();
  if (!add)
    return value;
  for (unsigned index : {0, 1}) {
    std::optional<int64_t> constant = getWholeNumber(getBodyConstant(op, add->getOperand(index)));
    // Beyond that an f32 sum would round.
    if (constant && std::abs(*constant) <= 1 << 16) {
      addend = *constant;
      return add->getOperand(1 - index);
    }
  }
  return value;
}

/// `value` without its limits, which go to `step`; they must be whole numbers of `type`.
static Value skipLimits(linalg::LinalgOp op, Value value, Type type, ElementwiseStep &step) {
  Operation *limit = value.getDefiningOp();
  if (!limit)
    return {};
  std::optional<ElementwiseStep> clamp = matchClamp(op, limit);
  if (!clamp)
    return {};
  std::optional<int64_t> lo = getWholeNumber(clamp->lo), hi = getWholeNumber(clamp->hi);
  unsigned width = type.getIntOrFloatBitWidth();
  if (!lo || !hi || !llvm::isIntN(width, *lo) || !llvm::isIntN(width, *hi))
    return {};
  step.min = *lo;
  step.max = *hi;
  return clamp->operands[0];
}

/// roundeven(sitofp(x) * scale): the operands of a requantization.
static bool matchScaling(linalg::LinalgOp op, Value value, ElementwiseStep &step) {
  auto round = value.getDefiningOp<math::RoundEvenOp>();
  auto product = round ? round.getOperand().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!product || !product.getType().isF32())
    return false;
  for (unsigned index : {0, 1}) {
    auto toFloat = product->getOperand(index).getDefiningOp<arith::SIToFPOp>();
    Value scale = product->getOperand(1 - index);
    if (!toFloat || !toFloat.getIn().getType().isSignlessInteger(32))
      continue;
    step.operands = {toFloat.getIn()};
    step.scale = dyn_cast_or_null<FloatAttr>(getBodyConstant(op, scale));
    // A NaN or an infinite factor could meet limits that treat NaN differently.
    if (step.scale && !step.scale.getValue().isFinite())
      return false;
    if (!step.scale)
      step.operands.push_back(scale);
    return true;
  }
  return false;
}

/// fptosi(limits([zero point +] roundeven(sitofp(x) * scale))).
static std::optional<ElementwiseStep> matchFloatTail(linalg::LinalgOp op, Operation *tail) {
  Type type = tail->getResult(0).getType();
  ElementwiseStep step{ElementwiseStep::Requantize, tail->getResult(0), {}};
  Value value = skipLimits(op, tail->getOperand(0), type, step);
  if (!value)
    return std::nullopt;
  value = skipAddition<arith::AddFOp>(op, value, step.zeroPoint);
  if (!matchScaling(op, value, step))
    return std::nullopt;
  return step;
}

/// `value`, or what is widened to it, whose zero point goes to `zeroPoint`.
static Value skipWidening(linalg::LinalgOp op, Value value, int64_t &zeroPoint) {
  int64_t offset = 0;
  Value wide = value;
  if (auto difference = value.getDefiningOp<arith::SubIOp>()) {
    auto constant = dyn_cast_or_null<IntegerAttr>(getBodyConstant(op, difference.getRhs()));
    if (!constant || !llvm::isInt<16>(constant.getInt()))
      return value;
    offset = constant.getInt();
    wide = difference.getLhs();
  }
  auto cast = wide.getDefiningOp<arith::ExtSIOp>();
  if (!cast || !(cast.getIn().getType().isSignlessInteger(8) ||
                 cast.getIn().getType().isSignlessInteger(16)))
    return value;
  zeroPoint = offset;
  return cast.getIn();
}

/// The multiplication and shift of TOSA, as a step to i32 from i32 or what was widened to it.
static std::optional<ElementwiseStep> matchApplyScale(linalg::LinalgOp op, Value value) {
  auto scale = value.getDefiningOp<tosa::ApplyScaleOp>();
  if (!scale || !scale.getValue().getType().isSignlessInteger(32))
    return std::nullopt;
  auto shift = dyn_cast_or_null<IntegerAttr>(getBodyConstant(op, scale.getShift()));
  if (shift && (shift.getInt() < 2 || shift.getInt() > 62))
    return std::nullopt;
  ElementwiseStep step{ElementwiseStep::Rescale,
                       scale.getResult(),
                       {scale.getValue(), scale.getMultiplier(), scale.getShift()}};
  step.operands[0] = skipWidening(op, scale.getValue(), step.inputZeroPoint);
  step.min = llvm::minIntN(32);
  step.max = llvm::maxIntN(32);
  step.doubleRound = scale.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND;
  return step;
}

/// trunci(limits([zero point +] v)), v from TOSA's scaling or from fptosi(roundeven(...)). Equal
/// unless adding the zero point overflows i32, next to where v itself is undefined.
static std::optional<ElementwiseStep> matchIntegerTail(linalg::LinalgOp op, Operation *tail) {
  Type type = tail->getResult(0).getType();
  ElementwiseStep step{ElementwiseStep::Requantize, tail->getResult(0), {}};
  Value value = skipLimits(op, tail->getOperand(0), type, step);
  if (!value || !value.getType().isSignlessInteger(32))
    return std::nullopt;
  value = skipAddition<arith::AddIOp>(op, value, step.zeroPoint);
  auto toInteger = value.getDefiningOp<arith::FPToSIOp>();
  if (toInteger && matchScaling(op, toInteger.getIn(), step))
    return step;
  std::optional<ElementwiseStep> rescale = matchApplyScale(op, value);
  if (!rescale)
    return std::nullopt;
  rescale->result = tail->getResult(0);
  rescale->zeroPoint = step.zeroPoint;
  rescale->min = step.min;
  rescale->max = step.max;
  return rescale;
}

/// Constant limits of what nobody else sees without them.
static std::optional<ElementwiseStep> matchLimited(linalg::LinalgOp op, Operation *tail) {
  unsigned width = tail->getResult(0).getType().getIntOrFloatBitWidth();
  int64_t lo = llvm::minIntN(width), hi = llvm::maxIntN(width);
  Value value;
  if (std::optional<ElementwiseStep> clamp = matchClamp(op, tail)) {
    value = clamp->operands[0];
    lo = cast<IntegerAttr>(clamp->lo).getInt();
    hi = cast<IntegerAttr>(clamp->hi).getInt();
  } else if (std::optional<Limit> limit = matchLimit(op, tail)) {
    auto bound = dyn_cast_or_null<IntegerAttr>(getBodyConstant(op, limit->bound));
    if (!bound)
      return std::nullopt;
    value = limit->value;
    (limit->kind == BinaryKind::Max ? lo : hi) = bound.getInt();
  }
  Operation *producer = value && value.hasOneUse() ? value.getDefiningOp() : nullptr;
  std::optional<ElementwiseStep> step =
      producer ? matchQuantization(op, producer) : std::optional<ElementwiseStep>();
  if (!step)
    return std::nullopt;
  step->result = tail->getResult(0);
  step->min = std::clamp(step->min, lo, hi);
  step->max = std::clamp(step->max, lo, hi);
  return step;
}

std::optional<ElementwiseStep> npu::matchQuantization(linalg::LinalgOp op, Operation *tail) {
  Type type = tail->getResult(0).getType();
  if (isa<tosa::ApplyScaleOp>(tail))
    return matchApplyScale(op, tail->getResult(0));
  if (!type.isSignlessInteger(8) && !type.isSignlessInteger(16))
    return std::nullopt;
  if (isa<arith::FPToSIOp>(tail))
    return matchFloatTail(op, tail);
  if (isa<arith::TruncIOp>(tail))
    return matchIntegerTail(op, tail);
  return matchLimited(op, tail);
}
