//===- MatchComparisons.cpp - predicates, choices and limits --------------===//
//
// The vector unit compares signed integers, and floats by ordered predicates and une. Everything
// else is made of these: an unordered predicate is the negation of the opposite ordered one.
//
//===----------------------------------------------------------------------===//

#include "Matching.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace npu;

bool npu::excludesNaN(Operation *op) {
  auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op);
  return fastMath && arith::bitEnumContainsAll(fastMath.getFastMathFlagsAttr().getValue(),
                                               arith::FastMathFlags::nnan);
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

static Comparison makeNegated(BinaryKind kind) {
  Comparison comparison{Comparison::Plain, kind};
  comparison.isNegated = true;
  return comparison;
}

static Comparison getComparison(arith::CmpFOp op) {
  using Predicate = arith::CmpFPredicate;
  bool noNaN = excludesNaN(op);
  switch (op.getPredicate()) {
  case Predicate::OEQ:
    return {Comparison::Plain, BinaryKind::CmpEq};
  case Predicate::UNE:
    return {Comparison::Plain, BinaryKind::CmpNe};
  case Predicate::OLT:
    return {Comparison::Plain, BinaryKind::CmpLt};
  case Predicate::OLE:
    return {Comparison::Plain, BinaryKind::CmpLe};
  case Predicate::OGT:
    return {Comparison::Plain, BinaryKind::CmpGt};
  case Predicate::OGE:
    return {Comparison::Plain, BinaryKind::CmpGe};
  case Predicate::ULT:
    return noNaN ? Comparison{Comparison::Plain, BinaryKind::CmpLt}
                 : makeNegated(BinaryKind::CmpGe);
  case Predicate::ULE:
    return noNaN ? Comparison{Comparison::Plain, BinaryKind::CmpLe}
                 : makeNegated(BinaryKind::CmpGt);
  case Predicate::UGT:
    return noNaN ? Comparison{Comparison::Plain, BinaryKind::CmpGt}
                 : makeNegated(BinaryKind::CmpLe);
  case Predicate::UGE:
    return noNaN ? Comparison{Comparison::Plain, BinaryKind::CmpGe}
                 : makeNegated(BinaryKind::CmpLt);
  case Predicate::ONE:
    return {noNaN ? Comparison::Plain : Comparison::LessOrGreater, BinaryKind::CmpNe};
  case Predicate::UEQ: {
    if (noNaN)
      return {Comparison::Plain, BinaryKind::CmpEq};
    Comparison comparison{Comparison::LessOrGreater, BinaryKind::CmpNe};
    comparison.isNegated = true;
    return comparison;
  }
  case Predicate::ORD:
    return {Comparison::EachItself, BinaryKind::CmpEq};
  case Predicate::UNO:
    return {Comparison::EachItself, BinaryKind::CmpNe};
  case Predicate::AlwaysTrue:
    return {Comparison::Always, BinaryKind::CmpEq};
  case Predicate::AlwaysFalse:
    return {Comparison::Always, BinaryKind::CmpNe};
  }
  llvm_unreachable("all predicates are handled");
}

/// Bits of i1 are bytes of 0 or 1: an order is a conjunction or a disjunction with one operand
/// turned round. As a signed number, true is -1.
static Comparison getBooleanComparison(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return {Comparison::Plain, BinaryKind::CmpEq};
  case Predicate::ne:
    return {Comparison::Plain, BinaryKind::CmpNe};
  case Predicate::slt:
  case Predicate::ugt:
    return {Comparison::NegatedRight, BinaryKind::And};
  case Predicate::sgt:
  case Predicate::ult:
    return {Comparison::NegatedLeft, BinaryKind::And};
  case Predicate::sle:
  case Predicate::uge:
    return {Comparison::NegatedRight, BinaryKind::Or};
  case Predicate::sge:
  case Predicate::ule:
    return {Comparison::NegatedLeft, BinaryKind::Or};
  }
  llvm_unreachable("all predicates are handled");
}

static BinaryKind getOrder(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return BinaryKind::CmpEq;
  case Predicate::ne:
    return BinaryKind::CmpNe;
  case Predicate::slt:
  case Predicate::ult:
    return BinaryKind::CmpLt;
  case Predicate::sle:
  case Predicate::ule:
    return BinaryKind::CmpLe;
  case Predicate::sgt:
  case Predicate::ugt:
    return BinaryKind::CmpGt;
  case Predicate::sge:
  case Predicate::uge:
    return BinaryKind::CmpGe;
  }
  llvm_unreachable("all predicates are handled");
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  using Predicate = arith::CmpIPredicate;
  return predicate == Predicate::ult || predicate == Predicate::ule ||
         predicate == Predicate::ugt || predicate == Predicate::uge;
}

static std::optional<Comparison> getComparison(Operation *op) {
  if (auto compare = dyn_cast_if_present<arith::CmpFOp>(op))
    return getComparison(compare);
  auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
  if (!compare)
    return std::nullopt;
  if (compare.getLhs().getType().isSignlessInteger(1))
    return getBooleanComparison(compare.getPredicate());
  Comparison comparison{Comparison::Plain, getOrder(compare.getPredicate())};
  comparison.isUnsigned = isUnsigned(compare.getPredicate());
  return comparison;
}

/// Whether only choices read the negated comparison `op`: they exchange what they choose from, and
/// nothing is negated.
static bool isReadByChoicesOnly(Operation *op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto select = dyn_cast<arith::SelectOp>(use.getOwner());
    return select && use.get() == select.getCondition() && select.getTrueValue() != use.get() &&
           select.getFalseValue() != use.get();
  });
}

std::optional<ElementwiseStep> npu::matchComparison(Operation *op) {
  std::optional<Comparison> comparison = getComparison(op);
  if (!comparison)
    return std::nullopt;
  ElementwiseStep step{ElementwiseStep::Compare, op->getResult(0),
                       llvm::to_vector<3>(op->getOperands())};
  step.comparison = *comparison;
  if (comparison->isNegated && isReadByChoicesOnly(op))
    step.comparison.isNegated = false;
  // What the vector unit has is one op.
  if (comparison->form == Comparison::Plain && !step.comparison.isNegated &&
      !comparison->isUnsigned) {
    step.kind = ElementwiseStep::Binary;
    step.binary = comparison->kind;
  }
  return step;
}

//===----------------------------------------------------------------------===//
// Choices and limits
//===----------------------------------------------------------------------===//

/// Whether two values of a body are the same in every iteration.
static bool areEqual(linalg::LinalgOp op, Value a, Value b) {
  TypedAttr constant = getBodyConstant(op, a);
  return a == b || (constant && constant == getBodyConstant(op, b));
}

/// The predicate that holds for (b, a) where `predicate` holds for (a, b).
static BinaryKind exchange(BinaryKind order) {
  switch (order) {
  case BinaryKind::CmpLt:
    return BinaryKind::CmpGt;
  case BinaryKind::CmpLe:
    return BinaryKind::CmpGe;
  case BinaryKind::CmpGt:
    return BinaryKind::CmpLt;
  case BinaryKind::CmpGe:
    return BinaryKind::CmpLe;
  default:
    return order;
  }
}

static BinaryKind negate(BinaryKind order) {
  switch (order) {
  case BinaryKind::CmpLt:
    return BinaryKind::CmpGe;
  case BinaryKind::CmpLe:
    return BinaryKind::CmpGt;
  case BinaryKind::CmpGt:
    return BinaryKind::CmpLe;
  case BinaryKind::CmpGe:
    return BinaryKind::CmpLt;
  default:
    return order;
  }
}

/// Whether npu's limit `kind` gives what a choice by `order` gives for a NaN, which chooses the
/// value if `keepsNaN` and `bound` otherwise, and where value and bound are zeros of either sign:
/// the choice takes the value if the order is not strict, npu the larger or smaller zero.
static bool isExactLimit(FloatAttr bound, BinaryKind kind, bool isStrict, bool keepsNaN) {
  if (!bound || bound.getValue().isNaN() || !keepsNaN)
    return false;
  if (!bound.getValue().isZero())
    return true;
  // Of two zeros npu's max is +0 and its min -0.
  bool isBoundTaken = bound.getValue().isNegative() == (kind == BinaryKind::Min);
  return isStrict == isBoundTaken;
}

/// select(x > limit, x, limit) and its many spellings, if they are exactly a minimum or maximum.
static std::optional<Limit> matchChosenLimit(linalg::LinalgOp op, arith::SelectOp select) {
  Operation *compare = select.getCondition().getDefiningOp();
  std::optional<Comparison> comparison = getComparison(compare);
  if (!comparison || comparison->form != Comparison::Plain || comparison->isUnsigned ||
      select.getType().isSignlessInteger(1))
    return std::nullopt;
  // As `x order bound` chooses `x`, otherwise `bound`.
  BinaryKind order = comparison->kind;
  Value x = compare->getOperand(0), bound = compare->getOperand(1);
  Value onTrue = select.getTrueValue(), onFalse = select.getFalseValue();
  bool isNegated = comparison->isNegated;
  if (getBodyConstant(op, x)) {
    std::swap(x, bound);
    order = exchange(order);
  }
  if (areEqual(op, x, onFalse) && areEqual(op, bound, onTrue)) {
    std::swap(onTrue, onFalse);
    isNegated = !isNegated;
  }
  if (!areEqual(op, x, onTrue) || !areEqual(op, bound, onFalse))
    return std::nullopt;
  if (isNegated)
    order = negate(order);
  bool isMax = order == BinaryKind::CmpGt || order == BinaryKind::CmpGe;
  bool isMin = order == BinaryKind::CmpLt || order == BinaryKind::CmpLe;
  if (!isMax && !isMin)
    return std::nullopt;
  BinaryKind kind = isMax ? BinaryKind::Max : BinaryKind::Min;
  bool isStrict = order == BinaryKind::CmpGt || order == BinaryKind::CmpLt;
  if (isa<FloatType>(x.getType()) &&
      !isExactLimit(dyn_cast_if_present<FloatAttr>(getBodyConstant(op, bound)), kind, isStrict,
                    /*keepsNaN=*/isNegated || excludesNaN(compare)))
    return std::nullopt;
  return Limit{kind, x, bound};
}

std::optional<Limit> npu::matchExtreme(arith::SelectOp select) {
  Operation *compare = select.getCondition().getDefiningOp();
  std::optional<Comparison> comparison = getComparison(compare);
  if (!comparison || comparison->form != Comparison::Plain || comparison->isUnsigned ||
      select.getType().isSignlessInteger(1))
    return std::nullopt;
  Value left = compare->getOperand(0), right = compare->getOperand(1);
  bool isExchanged = select.getTrueValue() == right && select.getFalseValue() == left;
  if (!isExchanged && (select.getTrueValue() != left || select.getFalseValue() != right))
    return std::nullopt;
  BinaryKind order = comparison->isNegated ? negate(comparison->kind) : comparison->kind;
  if (isExchanged)
    order = exchange(order);
  if (order == BinaryKind::CmpGt || order == BinaryKind::CmpGe)
    return Limit{BinaryKind::Max, left, right};
  if (order == BinaryKind::CmpLt || order == BinaryKind::CmpLe)
    return Limit{BinaryKind::Min, left, right};
  return std::nullopt;
}

std::optional<Limit> npu::matchLimit(linalg::LinalgOp op, Operation *limit) {
  if (auto select = dyn_cast<arith::SelectOp>(limit))
    return matchChosenLimit(op, select);
  std::optional<BinaryKind> kind = getBinaryKind(limit);
  // These ignore a NaN and npu's do not; they agree where none occurs.
  if (isa<arith::MaxNumFOp>(limit) && excludesNaN(limit))
    kind = BinaryKind::Max;
  if (isa<arith::MinNumFOp>(limit) && excludesNaN(limit))
    kind = BinaryKind::Min;
  if (kind != BinaryKind::Max && kind != BinaryKind::Min)
    return std::nullopt;
  Value value = limit->getOperand(0), bound = limit->getOperand(1);
  if (getBodyConstant(op, value))
    std::swap(value, bound);
  return Limit{*kind, value, bound};
}

std::optional<ElementwiseStep> npu::matchChoice(linalg::LinalgOp op, Operation *choice) {
  ElementwiseStep step{ElementwiseStep::Select, choice->getResult(0),
                       llvm::to_vector<3>(choice->getOperands())};
  if (isa<arith::MaxNumFOp, arith::MaxUIOp>(choice))
    step.binary = BinaryKind::Max;
  else if (isa<arith::MinNumFOp, arith::MinUIOp>(choice))
    step.binary = BinaryKind::Min;
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(choice)) {
    step.kind = ElementwiseStep::NumberLimit;
    return step;
  }
  if (isa<arith::MaxUIOp, arith::MinUIOp>(choice)) {
    step.kind = ElementwiseStep::UnsignedLimit;
    return step;
  }
  auto select = dyn_cast<arith::SelectOp>(choice);
  if (!select)
    return std::nullopt;
  Operation *condition = select.getCondition().getDefiningOp();
  std::optional<Comparison> comparison = getComparison(condition);
  if (comparison && comparison->isNegated && isReadByChoicesOnly(condition))
    std::swap(step.operands[1], step.operands[2]);
  return step;
}
