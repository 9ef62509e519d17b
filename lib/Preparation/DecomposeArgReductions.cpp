//===- DecomposeArgReductions.cpp - positions of extremes -----------------===//
//
// linalg has no op for argmax: models write a reduction with two results, the extreme and where it
// is. This becomes the extreme, and then the first or last position of what equals it.
//
//===----------------------------------------------------------------------===//

#include "DecomposeArgReductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {
struct ArgReduction {
  linalg::GenericOp op;
  unsigned dimension = 0; ///< the loop whose counter is the position
  int64_t base = 0;       ///< the position of the first element
  bool isMax = true, isLast = false;
  enum { Wins, Never } nan = Never; ///< what a NaN does
  TypedAttr init;                   ///< the least or largest value
  IntegerAttr initPosition;         ///< of rows in which nothing is beyond that

  Type getType() const { return init.getType(); }
  bool isFloat() const { return isa<FloatType>(getType()); }
};
} // namespace

/// Whether the comparison finds what lies beyond, or beside, the extreme so far.
static bool matchOrder(Operation *compare, Value element, Value extreme, ArgReduction &match) {
  if (!compare || compare->getNumOperands() != 2 || compare->getOperand(0) != element ||
      compare->getOperand(1) != extreme)
    return false;
  auto set = [&](bool isMax, bool isLast) {
    match.isMax = isMax;
    match.isLast = isLast;
    return true;
  };
  if (auto real = dyn_cast<arith::CmpFOp>(compare))
    switch (real.getPredicate()) {
    case arith::CmpFPredicate::OGT:
      return set(true, false);
    case arith::CmpFPredicate::OGE:
      return set(true, true);
    case arith::CmpFPredicate::OLT:
      return set(false, false);
    case arith::CmpFPredicate::OLE:
      return set(false, true);
    default:
      return false;
    }
  if (auto integer = dyn_cast<arith::CmpIOp>(compare))
    switch (integer.getPredicate()) {
    case arith::CmpIPredicate::sgt:
      return set(true, false);
    case arith::CmpIPredicate::sge:
      return set(true, true);
    case arith::CmpIPredicate::slt:
      return set(false, false);
    case arith::CmpIPredicate::sle:
      return set(false, true);
    default:
      return false;
    }
  return false;
}

/// Whether `value` says of `operand` whether it is a NaN.
static bool isSelfComparison(Value value, Value operand, arith::CmpFPredicate predicate) {
  auto compare = value.getDefiningOp<arith::CmpFOp>();
  return compare && compare.getPredicate() == predicate && compare.getLhs() == operand &&
         compare.getRhs() == operand;
}

/// An order, or an order and NaNs: the first of them wins, or for the last extreme every one.
static bool matchCondition(Value condition, Value element, Value extreme, ArgReduction &match) {
  auto either = condition.getDefiningOp<arith::OrIOp>();
  if (!either)
    return matchOrder(condition.getDefiningOp(), element, extreme, match) &&
           !(match.isFloat() && match.isLast);
  match.nan = ArgReduction::Wins;
  for (auto [order, nan] :
       {std::pair(either.getLhs(), either.getRhs()), std::pair(either.getRhs(), either.getLhs())}) {
    if (!matchOrder(order.getDefiningOp(), element, extreme, match))
      continue;
    if (match.isLast)
      return isSelfComparison(nan, element, arith::CmpFPredicate::UNE);
    auto both = nan.getDefiningOp<arith::AndIOp>();
    return both && isSelfComparison(both.getLhs(), element, arith::CmpFPredicate::UNE) &&
           isSelfComparison(both.getRhs(), extreme, arith::CmpFPredicate::OEQ);
  }
  return false;
}

/// Whether `init` lies beyond no number in the way that the extreme is looked for.
static bool isLeast(TypedAttr init, bool isMax) {
  if (auto real = dyn_cast<FloatAttr>(init))
    return real.getValue().isInfinity() && real.getValue().isNegative() == isMax;
  const APInt &value = cast<IntegerAttr>(init).getValue();
  return isMax ? value.isMinSignedValue() : value.isMaxSignedValue();
}

static TypedAttr getFill(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  TypedAttr constant;
  if (fill)
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
  return constant;
}

/// Whether `index` counts the reduced loop, from 0 or from a constant on.
static bool matchPosition(Value index, ArgReduction &match) {
  if (auto sum = index.getDefiningOp<arith::AddIOp>()) {
    APInt base;
    if (!matchPattern(sum.getRhs(), m_ConstantInt(&base)))
      return false;
    match.base = base.getSExtValue();
    index = sum.getLhs();
  }
  auto loop = index.getDefiningOp<linalg::IndexOp>();
  int64_t length = match.op.getStaticLoopRanges()[match.dimension];
  return loop && loop.getDim() == match.dimension && llvm::isInt<32>(match.base) &&
         llvm::isInt<32>(match.base + length);
}

static std::optional<ArgReduction> matchArgReduction(linalg::GenericOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (op.getNumDpsInputs() != 1 || op.getNumResults() != 2 || reduced.size() != 1 ||
      !maps[0].isPermutation() || maps[1] != maps[2] || op.hasDynamicShape())
    return std::nullopt;
  ArgReduction match;
  match.op = op;
  match.dimension = reduced.front();
  match.init = getFill(op.getOutputs()[0]);
  match.initPosition = dyn_cast_if_present<IntegerAttr>(getFill(op.getOutputs()[1]));
  Block *body = op.getBody();
  Value element = body->getArgument(0), extreme = body->getArgument(1),
        position = body->getArgument(2);
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  auto value = yield.getOperand(0).getDefiningOp<arith::SelectOp>(),
       where = yield.getOperand(1).getDefiningOp<arith::SelectOp>();
  if (!match.init || !match.initPosition || !value || !where ||
      value.getCondition() != where.getCondition() || value.getTrueValue() != element ||
      value.getFalseValue() != extreme || where.getFalseValue() != position)
    return std::nullopt;
  auto counter = where.getTrueValue().getDefiningOp<arith::IndexCastOp>();
  if (!counter || !matchPosition(counter.getIn(), match) ||
      !matchCondition(value.getCondition(), element, extreme, match) ||
      !isLeast(match.init, match.isMax))
    return std::nullopt;
  // Rows in which nothing is beyond the least value have it everywhere, or nothing but NaNs.
  bool isExact = match.isLast || match.initPosition.getValue().getSExtValue() == match.base ||
                 (match.isFloat() && match.nan == ArgReduction::Never);
  bool isNarrow = match.initPosition.getValue().getSignificantBits() <= 32;
  return isExact && isNarrow ? std::optional(match) : std::nullopt;
}

namespace {
/// Creates the parts.
class Decomposition {
public:
  Decomposition(const ArgReduction &match, RewriterBase &rewriter)
      : match(match), op(match.op), rewriter(rewriter), loc(op.getLoc()),
        maps(op.getIndexingMapsArray()) {}

  void run() {
    Value extreme = createExtreme();
    rewriter.replaceOp(op, {extreme, createResult(createPosition(extreme), extreme)});
  }

private:
  Value createConstant(TypedAttr value) { return arith::ConstantOp::create(rewriter, loc, value); }
  Value createFill(TypedAttr value) {
    Value empty = tensor::EmptyOp::create(rewriter, loc, getShape(), value.getType());
    return linalg::FillOp::create(rewriter, loc, createConstant(value), empty).getResult(0);
  }
  ArrayRef<int64_t> getShape() { return cast<ShapedType>(op.getResult(0).getType()).getShape(); }
  Value createExtreme();
  Value createPosition(Value extreme);
  Value createResult(Value position, Value extreme);

  const ArgReduction &match;
  linalg::GenericOp op;
  RewriterBase &rewriter;
  Location loc;
  SmallVector<AffineMap> maps;
};
} // namespace

Value Decomposition::createExtreme() {
  auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value element = arguments[0], extreme = arguments[1], next;
    bool isMax = match.isMax;
    if (!match.isFloat())
      next = isMax ? Value(arith::MaxSIOp::create(b, l, element, extreme))
                   : Value(arith::MinSIOp::create(b, l, element, extreme));
    else if (match.nan == ArgReduction::Wins)
      next = isMax ? Value(arith::MaximumFOp::create(b, l, element, extreme))
                   : Value(arith::MinimumFOp::create(b, l, element, extreme));
    else
      next = isMax ? Value(arith::MaxNumFOp::create(b, l, element, extreme))
                   : Value(arith::MinNumFOp::create(b, l, element, extreme));
    linalg::YieldOp::create(b, l, next);
  };
  Value init = createFill(match.init);
  return linalg::GenericOp::create(rewriter, loc, init.getType(), op.getInputs(), init,
                                   ArrayRef{maps[0], maps[1]}, op.getIteratorTypesArray(), create)
      .getResult(0);
}

/// The first or last position at which the element is the extreme, or a NaN where those win.
Value Decomposition::createPosition(Value extreme) {
  int64_t length = op.getStaticLoopRanges()[match.dimension];
  TypedAttr none = rewriter.getI32IntegerAttr(match.isLast ? -1 : int32_t(length));
  auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value element = arguments[0], largest = arguments[1], found;
    if (match.isFloat())
      found = arith::CmpFOp::create(b, l, arith::CmpFPredicate::OEQ, element, largest);
    else
      found = arith::CmpIOp::create(b, l, arith::CmpIPredicate::eq, element, largest);
    if (match.nan == ArgReduction::Wins) {
      Value isNaN = arith::CmpFOp::create(b, l, arith::CmpFPredicate::UNE, element, element);
      found = arith::OrIOp::create(b, l, found, isNaN);
    }
    Value loop = linalg::IndexOp::create(b, l, match.dimension);
    Value position = arith::IndexCastOp::create(b, l, b.getI32Type(), loop);
    Value other = arith::ConstantOp::create(b, l, none);
    position = arith::SelectOp::create(b, l, found, position, other);
    Value next = match.isLast ? Value(arith::MaxSIOp::create(b, l, position, arguments[2]))
                              : Value(arith::MinSIOp::create(b, l, position, arguments[2]));
    linalg::YieldOp::create(b, l, next);
  };
  Value init = createFill(none);
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), ValueRange{op.getInputs()[0], extreme}, init,
             ArrayRef{maps[0], maps[1], maps[1]}, op.getIteratorTypesArray(), create)
      .getResult(0);
}

/// The position in the result's type; of rows without a number what they start with.
Value Decomposition::createResult(Value position, Value extreme) {
  Type type = match.initPosition.getType();
  bool mayBeNone = match.isFloat() && match.nan == ArgReduction::Never;
  auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value result = arguments[0];
    if (match.base != 0) {
      Value base = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(int32_t(match.base)));
      result = arith::AddIOp::create(b, l, result, base);
    }
    if (mayBeNone) {
      Value init = arith::ConstantOp::create(b, l, match.init);
      int32_t first = match.initPosition.getValue().getSExtValue();
      Value start = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(first));
      Value isFound = arith::CmpFOp::create(b, l, arith::CmpFPredicate::ONE, arguments[1], init);
      result = arith::SelectOp::create(b, l, isFound, result, start);
    }
    if (type.isInteger(64))
      result = arith::ExtSIOp::create(b, l, type, result);
    else if (!type.isInteger(32))
      result = arith::TruncIOp::create(b, l, type, result);
    linalg::YieldOp::create(b, l, result);
  };
  SmallVector<Value> inputs = {position};
  if (mayBeNone)
    inputs.push_back(extreme);
  int64_t rank = getShape().size();
  Value empty = tensor::EmptyOp::create(rewriter, loc, getShape(), type);
  SmallVector<AffineMap> identities(inputs.size() + 1, rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(rewriter, loc, empty.getType(), inputs, empty, identities,
                                   iterators, create)
      .getResult(0);
}

void npu::decomposeArgReductions(Operation *root, RewriterBase &rewriter) {
  SmallVector<ArgReduction> matches;
  root->walk([&](linalg::GenericOp op) {
    if (std::optional<ArgReduction> match = matchArgReduction(op))
      matches.push_back(*match);
  });
  for (const ArgReduction &match : matches) {
    rewriter.setInsertionPoint(match.op);
    Decomposition(match, rewriter).run();
  }
}
