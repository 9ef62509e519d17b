//===- DecomposeArgReductions.cpp - positions of extremes -----------------===//
//
// linalg has no op for argmax: models write a reduction with two results, the extreme and where it
// is. This becomes the extreme, and then the first or last position of what equals it; of a first
// one, and where NaNs win, the conversion makes npu.arg_reduce. Elements that are not beyond what
// the reduction starts with, and NaNs that never win, are made what it starts with before.
//
//===----------------------------------------------------------------------===//

#include "DecomposeArgReductions.h"

#include "BodyTerm.h"

#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

namespace {
struct ArgReduction {
  linalg::GenericOp op;
  unsigned dimension = 0; ///< the loop whose counter is the position
  int64_t base = 0;       ///< the position of the first element
  bool isMax = true, isLast = false;
  /// What a NaN does. One that holds is the extreme, as the first that wins is, and the position
  /// stays what it was before it.
  enum { Wins, Never, Holds } nan = Never;
  unsigned extreme = 0, position = 1; ///< the results
  TypedAttr init;                     ///< what the extreme starts with
  IntegerAttr initPosition;           ///< of rows in which nothing is beyond that

  Type getType() const { return init.getType(); }
  bool isFloat() const { return isa<FloatType>(getType()); }
  bool isLeast() const;
};
} // namespace

/// Whether the start lies beyond no number in the way that the extreme is looked for.
bool ArgReduction::isLeast() const {
  if (auto real = dyn_cast<FloatAttr>(init))
    return real.getValue().isInfinity() && real.getValue().isNegative() == isMax;
  const APInt &value = cast<IntegerAttr>(init).getValue();
  return isMax ? value.isMinSignedValue() : value.isMaxSignedValue();
}

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
    case arith::CmpFPredicate::UGT:
      match.nan = ArgReduction::Wins;
      return set(true, false);
    case arith::CmpFPredicate::ULT:
      match.nan = ArgReduction::Wins;
      return set(false, false);
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

/// Whether `value` says that `operand` is a NaN, or that it is none.
static bool isSelfComparison(Value value, Value operand, bool isNaN) {
  auto compare = value.getDefiningOp<arith::CmpFOp>();
  if (!compare || compare.getLhs() != operand || compare.getRhs() != operand)
    return false;
  arith::CmpFPredicate predicate = compare.getPredicate();
  return isNaN ? predicate == arith::CmpFPredicate::UNE || predicate == arith::CmpFPredicate::UNO
               : predicate == arith::CmpFPredicate::OEQ || predicate == arith::CmpFPredicate::ORD;
}

/// An order, or an order and NaNs: the first of them wins, or for the last extreme every one.
static bool matchCondition(Value condition, Value element, Value extreme, ArgReduction &match) {
  Operation *op = condition.getDefiningOp();
  if (!isa_and_nonnull<arith::OrIOp, arith::AndIOp>(op))
    return matchOrder(op, element, extreme, match) && match.nan == ArgReduction::Never &&
           !(match.isFloat() && match.isLast);
  for (auto [order, nan] : {std::pair(op->getOperand(0), op->getOperand(1)),
                            std::pair(op->getOperand(1), op->getOperand(0))}) {
    match.nan = ArgReduction::Never;
    if (!matchOrder(order.getDefiningOp(), element, extreme, match))
      continue;
    // Beyond, or a NaN, and none before it.
    if (isa<arith::AndIOp>(op))
      return match.nan == ArgReduction::Wins && isSelfComparison(nan, extreme, /*isNaN=*/false);
    if (match.nan == ArgReduction::Wins)
      return false;
    match.nan = ArgReduction::Wins;
    if (match.isLast)
      return isSelfComparison(nan, element, /*isNaN=*/true);
    auto both = nan.getDefiningOp<arith::AndIOp>();
    return both && isSelfComparison(both.getLhs(), element, /*isNaN=*/true) &&
           isSelfComparison(both.getRhs(), extreme, /*isNaN=*/false);
  }
  return false;
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

/// Whether `value` is the larger or the smaller one of the element and the extreme so far, as an op
/// of its own. Of floats, a NaN is.
static bool isExtremeOp(Value value, Value element, Value extreme, bool isMax) {
  Operation *op = value.getDefiningOp();
  bool isKnown = isMax ? isa_and_nonnull<arith::MaximumFOp, arith::MaxSIOp>(op)
                       : isa_and_nonnull<arith::MinimumFOp, arith::MinSIOp>(op);
  return isKnown && llvm::is_contained(op->getOperands(), element) &&
         llvm::is_contained(op->getOperands(), extreme);
}

/// Matches what decides about the position, and that the extreme is chosen alike. torch-mlir has an
/// op for the extreme and compares for the position.
static bool matchChoice(Value next, arith::SelectOp where, Value element, Value extreme,
                        ArgReduction &match) {
  if (!matchCondition(where.getCondition(), element, extreme, match))
    return false;
  if (auto value = next.getDefiningOp<arith::SelectOp>())
    return value.getCondition() == where.getCondition() && value.getTrueValue() == element &&
           value.getFalseValue() == extreme;
  if (!isExtremeOp(next, element, extreme, match.isMax) || match.nan != ArgReduction::Never)
    return false;
  if (match.isFloat())
    match.nan = ArgReduction::Holds;
  return true;
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
  // Either result may come first.
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  Block *body = op.getBody();
  Value element = body->getArgument(0);
  auto isPosition = [&](unsigned result) {
    auto select = yield.getOperand(result).getDefiningOp<arith::SelectOp>();
    return select && select.getTrueValue().getDefiningOp<arith::IndexCastOp>();
  };
  if (!isPosition(match.position))
    std::swap(match.extreme, match.position);
  match.init = getSplatConstant(op.getOutputs()[match.extreme]);
  match.initPosition =
      dyn_cast_if_present<IntegerAttr>(getSplatConstant(op.getOutputs()[match.position]));
  Value extreme = body->getArgument(1 + match.extreme),
        position = body->getArgument(1 + match.position);
  auto where = yield.getOperand(match.position).getDefiningOp<arith::SelectOp>();
  if (!match.init || !match.initPosition || !where || where.getFalseValue() != position)
    return std::nullopt;
  auto counter = where.getTrueValue().getDefiningOp<arith::IndexCastOp>();
  if (!counter || !matchPosition(counter.getIn(), match) ||
      !matchChoice(yield.getOperand(match.extreme), where, element, extreme, match))
    return std::nullopt;
  auto start = dyn_cast<FloatAttr>(match.init);
  bool isNumber = !start || !start.getValue().isNaN();
  bool isNarrow = match.initPosition.getValue().getSignificantBits() <= 32;
  // Of what equals a start that elements may be beyond, the last one has no position yet.
  bool isExact = !match.isLast || match.isLeast();
  return isNumber && isNarrow && isExact ? std::optional(match) : std::nullopt;
}

namespace {
/// Creates the parts.
class ArgDecomposition {
public:
  ArgDecomposition(const ArgReduction &match, RewriterBase &rewriter)
      : match(match), op(match.op), rewriter(rewriter), loc(op.getLoc()),
        maps(op.getIndexingMapsArray()) {}

  void run() {
    bool nanHolds = match.nan == ArgReduction::Holds;
    Value input = nanHolds ? createInputBeforeNaN() : createInput();
    Value extreme = createExtreme(input, getLeast());
    Value results[2];
    results[match.extreme] = nanHolds ? createExtreme(op.getInputs()[0], match.init) : extreme;
    results[match.position] = createResult(createPosition(input, extreme), extreme);
    rewriter.replaceOp(op, results);
  }

private:
  Value createConstant(TypedAttr value) { return arith::ConstantOp::create(rewriter, loc, value); }
  Value createFill(TypedAttr value) {
    Value empty = tensor::EmptyOp::create(rewriter, loc, getShape(), value.getType());
    return linalg::FillOp::create(rewriter, loc, createConstant(value), empty).getResult(0);
  }
  ArrayRef<int64_t> getShape() { return cast<ShapedType>(op.getResult(0).getType()).getShape(); }
  TypedAttr getLeast();
  Value createInput();
  Value createInputBeforeNaN();
  Value createExtreme(Value input, TypedAttr start);
  Value createPosition(Value input, Value extreme);
  Value createResult(Value position, Value extreme);

  const ArgReduction &match;
  linalg::GenericOp op;
  RewriterBase &rewriter;
  Location loc;
  SmallVector<AffineMap> maps;
};
} // namespace

/// What changes no extreme.
TypedAttr ArgDecomposition::getLeast() {
  if (auto type = dyn_cast<FloatType>(match.getType()))
    return rewriter.getFloatAttr(
        type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/match.isMax));
  unsigned width = match.getType().getIntOrFloatBitWidth();
  return rewriter.getIntegerAttr(match.getType(), match.isMax ? APInt::getSignedMinValue(width)
                                                              : APInt::getSignedMaxValue(width));
}

/// The elements that count, and the start in the place of the others. The first one has the place
/// of a row in which none counts.
Value ArgDecomposition::createInput() {
  bool mayNotCount = match.isFloat() && match.nan == ArgReduction::Never;
  if (match.isLeast() && !mayNotCount)
    return op.getInputs()[0];
  auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value element = arguments[0], start = arith::ConstantOp::create(b, l, match.init), counts;
    bool isMax = match.isMax;
    if (!match.isFloat()) {
      counts = isMax ? Value(arith::MaxSIOp::create(b, l, element, start))
                     : Value(arith::MinSIOp::create(b, l, element, start));
    } else if (!mayNotCount) {
      counts = isMax ? Value(arith::MaximumFOp::create(b, l, element, start))
                     : Value(arith::MinimumFOp::create(b, l, element, start));
    } else {
      auto predicate = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
      Value isBeyond = arith::CmpFOp::create(b, l, predicate, element, start);
      counts = arith::SelectOp::create(b, l, isBeyond, element, start);
    }
    linalg::YieldOp::create(b, l, counts);
  };
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> identities(2, rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(rewriter, loc, type, op.getInputs()[0], empty, identities,
                                   iterators, create)
      .getResult(0);
}

/// The elements before the first NaN of their row, and the start in the place of the others.
Value ArgDecomposition::createInputBeforeNaN() {
  Value input = op.getInputs()[0];
  int64_t length = op.getStaticLoopRanges()[match.dimension];
  auto getPlace = [&](OpBuilder &b, Location l) -> Value {
    return arith::IndexCastOp::create(b, l, b.getI32Type(),
                                      linalg::IndexOp::create(b, l, match.dimension));
  };
  Value none = createFill(rewriter.getI32IntegerAttr(int32_t(length)));
  Value first =
      linalg::GenericOp::create(
          rewriter, loc, none.getType(), input, none, ArrayRef{maps[0], maps[1]},
          op.getIteratorTypesArray(),
          [&](OpBuilder &b, Location l, ValueRange x) {
            Value isNaN = arith::CmpFOp::create(b, l, arith::CmpFPredicate::UNE, x[0], x[0]);
            Value other = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(int32_t(length)));
            Value place = arith::SelectOp::create(b, l, isNaN, getPlace(b, l), other);
            linalg::YieldOp::create(b, l, arith::MinSIOp::create(b, l, place, x[1]).getResult());
          })
          .getResult(0);
  auto type = cast<RankedTensorType>(input.getType());
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, type, ValueRange{input, first}, empty,
             ArrayRef{maps[0], maps[1], maps[0]}, iterators,
             [&](OpBuilder &b, Location l, ValueRange x) {
               Value isBefore =
                   arith::CmpIOp::create(b, l, arith::CmpIPredicate::slt, getPlace(b, l), x[1]);
               Value start = arith::ConstantOp::create(b, l, match.init);
               Value counts = arith::SelectOp::create(b, l, isBefore, x[0], start);
               if (!match.isLeast())
                 counts = match.isMax ? Value(arith::MaximumFOp::create(b, l, counts, start))
                                      : Value(arith::MinimumFOp::create(b, l, counts, start));
               linalg::YieldOp::create(b, l, counts);
             })
      .getResult(0);
}

/// `start`: of the extreme.
Value ArgDecomposition::createExtreme(Value input, TypedAttr start) {
  auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value element = arguments[0], extreme = arguments[1], next;
    bool isMax = match.isMax;
    if (!match.isFloat())
      next = isMax ? Value(arith::MaxSIOp::create(b, l, element, extreme))
                   : Value(arith::MinSIOp::create(b, l, element, extreme));
    else
      next = isMax ? Value(arith::MaximumFOp::create(b, l, element, extreme))
                   : Value(arith::MinimumFOp::create(b, l, element, extreme));
    linalg::YieldOp::create(b, l, next);
  };
  Value init = createFill(start);
  return linalg::GenericOp::create(rewriter, loc, init.getType(), input, init,
                                   ArrayRef{maps[0], maps[1]}, op.getIteratorTypesArray(), create)
      .getResult(0);
}

/// The first or last position at which the element is the extreme, or a NaN.
Value ArgDecomposition::createPosition(Value input, Value extreme) {
  int64_t length = op.getStaticLoopRanges()[match.dimension];
  TypedAttr none = rewriter.getI32IntegerAttr(match.isLast ? -1 : int32_t(length));
  auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value element = arguments[0], largest = arguments[1], found;
    if (match.isFloat()) {
      found = arith::CmpFOp::create(b, l, arith::CmpFPredicate::OEQ, element, largest);
      Value isNaN = arith::CmpFOp::create(b, l, arith::CmpFPredicate::UNE, element, element);
      found = arith::OrIOp::create(b, l, found, isNaN);
    } else {
      found = arith::CmpIOp::create(b, l, arith::CmpIPredicate::eq, element, largest);
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
  return linalg::GenericOp::create(rewriter, loc, init.getType(), ValueRange{input, extreme}, init,
                                   ArrayRef{maps[0], maps[1], maps[1]}, op.getIteratorTypesArray(),
                                   create)
      .getResult(0);
}

/// The position in the result's type; of rows in which no element counts what they start with.
Value ArgDecomposition::createResult(Value position, Value extreme) {
  Type type = match.initPosition.getType();
  int64_t first = match.initPosition.getValue().getSExtValue();
  bool isOther = !match.isLast && first != match.base;
  auto create = [&](OpBuilder &b, Location l, ValueRange arguments) {
    Value result = arguments[0];
    if (match.base != 0) {
      Value base = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(int32_t(match.base)));
      result = arith::AddIOp::create(b, l, result, base);
    }
    if (isOther) {
      Value init = arith::ConstantOp::create(b, l, match.init), isFound;
      Value start = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(int32_t(first)));
      if (match.isFloat())
        isFound = arith::CmpFOp::create(b, l, arith::CmpFPredicate::UNE, arguments[1], init);
      else
        isFound = arith::CmpIOp::create(b, l, arith::CmpIPredicate::ne, arguments[1], init);
      result = arith::SelectOp::create(b, l, isFound, result, start);
    }
    if (type.isInteger(64))
      result = arith::ExtSIOp::create(b, l, type, result);
    else if (!type.isInteger(32))
      result = arith::TruncIOp::create(b, l, type, result);
    linalg::YieldOp::create(b, l, result);
  };
  SmallVector<Value> inputs = {position};
  if (isOther)
    inputs.push_back(extreme);
  int64_t rank = getShape().size();
  Value empty = tensor::EmptyOp::create(rewriter, loc, getShape(), type);
  SmallVector<AffineMap> identities(inputs.size() + 1, rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(rewriter, loc, empty.getType(), inputs, empty, identities,
                                   iterators, create)
      .getResult(0);
}

/// The element that one of two results is an extreme of, if the body computes it of inputs.
static Value findComputedElement(linalg::GenericOp op) {
  if (op->getNumResults() != 2 || op.getNumReductionLoops() != 1 || op.hasDynamicShape())
    return {};
  OperandRange yielded = op.getBody()->getTerminator()->getOperands();
  for (auto [number, next] : llvm::enumerate(yielded)) {
    auto where = yielded[1 - number].getDefiningOp<arith::SelectOp>();
    if (!where || !where.getTrueValue().getDefiningOp<arith::IndexCastOp>())
      continue;
    Operation *choice = next.getDefiningOp();
    Value extreme = op.getRegionOutputArgs()[number], element;
    if (auto select = dyn_cast_if_present<arith::SelectOp>(choice))
      element = select.getFalseValue() == extreme ? select.getTrueValue() : Value();
    else if (isa_and_present<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MinSIOp>(
                 choice))
      element = choice->getOperand(choice->getOperand(0) == extreme ? 1 : 0);
    if (element && !element.getDefiningOp<arith::IndexCastOp>())
      return element;
  }
  return {};
}

/// Computes the elements of an extreme as a tensor of their own, if the body computes them of
/// inputs alone. Returns the op that reads them, or `op`.
static linalg::GenericOp detachElement(linalg::GenericOp op, RewriterBase &rewriter) {
  Value element = findComputedElement(op);
  if (!element)
    return op;
  FailureOr<BodyTerm> term = findBodyTerm(
      op, element, [&](const Twine &reason) { return rewriter.notifyMatchFailure(op, reason); });
  if (failed(term))
    return op;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned numInputs = op.getNumDpsInputs();
  AffineMap identity = rewriter.getMultiDimIdentityMap(op.getNumLoops());
  SmallVector<AffineMap> elementMaps(maps.begin(), maps.begin() + numInputs);
  elementMaps.push_back(identity);
  SmallVector<utils::IteratorType> parallel(op.getNumLoops(), utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(rewriter, loc, op.getStaticLoopRanges(), element.getType());
  auto elements =
      linalg::GenericOp::create(rewriter, loc, empty.getType(), op.getInputs(), empty, elementMaps,
                                parallel, [&](OpBuilder &b, Location, ValueRange arguments) {
                                  IRMapping mapping;
                                  mapping.map(op.getRegionInputArgs(), arguments.drop_back());
                                  yieldTerm(*term, b, mapping);
                                });
  SmallVector<AffineMap> readerMaps = {identity};
  readerMaps.append(maps.begin() + numInputs, maps.end());
  auto reader = linalg::GenericOp::create(
      rewriter, loc, op->getResultTypes(), elements.getResult(0), op.getOutputs(), readerMaps,
      op.getIteratorTypesArray(), [&](OpBuilder &b, Location, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(element, arguments.front());
        mapping.map(op.getRegionOutputArgs(), arguments.drop_front());
        cloneWithoutTerm(op, *term, b, mapping);
      });
  rewriter.replaceOp(op, reader);
  return reader;
}

void npu::decomposeArgReductions(Operation *root, RewriterBase &rewriter) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  SmallVector<ArgReduction> matches;
  for (linalg::GenericOp op : ops)
    if (std::optional<ArgReduction> match = matchArgReduction(detachElement(op, rewriter)))
      matches.push_back(*match);
  for (const ArgReduction &match : matches) {
    rewriter.setInsertionPoint(match.op);
    ArgDecomposition(match, rewriter).run();
  }
}
