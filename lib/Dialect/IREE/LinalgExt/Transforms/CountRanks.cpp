//===- CountRanks.cpp - short sorts and top-k by ranks --------------------===//
//
// The rank of an element is the number of those before it; then each place takes the element of its
// rank. Both are reductions without a dependence on the data in what they read, so that the NPU can
// run them. They take n * n steps for a row of n elements, where the host's loops take n * log(n).
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::linalg_ext {
#define GEN_PASS_DEF_COUNTRANKS
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h.inc"
} // namespace npu::linalg_ext

using namespace mlir;
using namespace npu::linalg_ext;

//===----------------------------------------------------------------------===//
// Comparators
//===----------------------------------------------------------------------===//

namespace {
/// A region that compares the elements of one tensor and does nothing else.
struct Order {
  unsigned tensor = 0;
  bool isDescending = false;
  bool isStrict = true;
};
} // namespace

/// The order in which the operands of the comparison are.
static std::optional<Order> getOrder(Operation *compare) {
  using Float = arith::CmpFPredicate;
  using Integer = arith::CmpIPredicate;
  auto make = [](bool isDescending, bool isStrict) {
    Order order;
    order.isDescending = isDescending;
    order.isStrict = isStrict;
    return std::optional(order);
  };
  if (auto real = dyn_cast<arith::CmpFOp>(compare))
    switch (real.getPredicate()) {
    case Float::OLT:
    case Float::OLE:
      return make(false, real.getPredicate() == Float::OLT);
    case Float::OGT:
    case Float::OGE:
      return make(true, real.getPredicate() == Float::OGT);
    default:
      return std::nullopt;
    }
  if (auto integer = dyn_cast<arith::CmpIOp>(compare))
    switch (integer.getPredicate()) {
    case Integer::slt:
    case Integer::sle:
      return make(false, integer.getPredicate() == Integer::slt);
    case Integer::sgt:
    case Integer::sge:
      return make(true, integer.getPredicate() == Integer::sgt);
    default:
      return std::nullopt;
    }
  return std::nullopt;
}

static std::optional<Order> matchOrder(Region &region) {
  Block &body = region.front();
  Operation *compare = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!llvm::hasNItems(body, 2) || !compare || compare->getBlock() != &body ||
      compare->getNumOperands() != 2)
    return std::nullopt;
  auto left = dyn_cast<BlockArgument>(compare->getOperand(0)),
       right = dyn_cast<BlockArgument>(compare->getOperand(1));
  if (!left || !right || left.getOwner() != &body || right.getOwner() != &body)
    return std::nullopt;
  // Two arguments for each tensor, of the first and the second element.
  unsigned first = left.getArgNumber(), second = right.getArgNumber();
  std::optional<Order> order = getOrder(compare);
  if (!order || first / 2 != second / 2 || first == second)
    return std::nullopt;
  order->tensor = first / 2;
  if (first > second)
    order->isDescending = !order->isDescending;
  return order;
}

/// Whether the largest of several elements of this type can be found on an NPU.
static bool isRankable(RankedTensorType type) {
  Type element = type.getElementType();
  return element.isInteger(8) || element.isInteger(16) || element.isInteger(32) ||
         element.isF16() || element.isBF16() || element.isF32();
}

/// What is less than or greater than all else.
static TypedAttr getLeast(Builder &builder, Type type, bool isLargest = false) {
  if (auto real = dyn_cast<FloatType>(type))
    return builder.getFloatAttr(type, APFloat::getInf(real.getFloatSemantics(), !isLargest));
  unsigned width = type.getIntOrFloatBitWidth();
  return builder.getIntegerAttr(type, isLargest ? APInt::getSignedMaxValue(width)
                                                : APInt::getSignedMinValue(width));
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

namespace {
class RankBuilder {
public:
  RankBuilder(RewriterBase &rewriter, Location loc, Value keys, int64_t dimension,
              bool isDescending)
      : rewriter(rewriter), loc(loc), keys(keys), type(cast<RankedTensorType>(keys.getType())),
        dimension(dimension), isDescending(isDescending) {
    int64_t rank = type.getRank();
    SmallVector<AffineExpr> row;
    for (int64_t dim = 0; dim < rank; ++dim)
      row.push_back(rewriter.getAffineDimExpr(dim));
    ofPlace = AffineMap::get(rank + 1, 0, row, rewriter.getContext());
    row[dimension] = rewriter.getAffineDimExpr(rank);
    ofElement = AffineMap::get(rank + 1, 0, row, rewriter.getContext());
    iterators.assign(rank, utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    ranks = createRanks();
  }

  /// The elements of `tensor`, or their positions if it is null, at the first `count` places.
  Value createPlaces(Value tensor, int64_t count) {
    Type element = tensor ? getElementTypeOrSelf(tensor) : rewriter.getI32Type();
    TypedAttr least = getLeast(rewriter, element);
    SmallVector<int64_t> shape(type.getShape());
    shape[dimension] = count;
    SmallVector<Value> inputs = {ranks};
    if (tensor)
      inputs.push_back(tensor);
    SmallVector<AffineMap> maps(inputs.size(), ofElement);
    maps.push_back(ofPlace);
    auto create = [&](OpBuilder &b, Location l, ValueRange args) {
      Value isHere = arith::CmpIOp::create(b, l, arith::CmpIPredicate::eq, args[0],
                                           createCounter(b, dimension));
      Value value = tensor ? args[1] : createCounter(b, type.getRank());
      Value none = arith::ConstantOp::create(b, l, least);
      value = arith::SelectOp::create(b, l, isHere, value, none);
      Value next = isa<FloatType>(element)
                       ? Value(arith::MaximumFOp::create(b, l, value, args.back()))
                       : Value(arith::MaxSIOp::create(b, l, value, args.back()));
      linalg::YieldOp::create(b, l, next);
    };
    Value init = createFill(shape, least);
    return linalg::GenericOp::create(rewriter, loc, init.getType(), inputs, init, maps, iterators,
                                     create)
        .getResult(0);
  }

private:
  Value createFill(ArrayRef<int64_t> shape, TypedAttr value) {
    Value constant = arith::ConstantOp::create(rewriter, loc, value);
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, value.getType());
    return linalg::FillOp::create(rewriter, loc, constant, empty).getResult(0);
  }

  Value createCounter(OpBuilder &b, int64_t loop) {
    Value index = linalg::IndexOp::create(b, loc, loop);
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  }

  /// Whether `left` comes before `right`, whatever their positions are. NaNs come last, which makes
  /// an order of what the comparator does not order.
  Value createBefore(OpBuilder &b, Value left, Value right) {
    if (!isa<FloatType>(type.getElementType()))
      return arith::CmpIOp::create(
          b, loc, isDescending ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, left,
          right);
    Value isBefore = arith::CmpFOp::create(
        b, loc, isDescending ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, left, right);
    Value isNumber = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, left, left);
    Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, right, right);
    Value isLast = arith::AndIOp::create(b, loc, isNumber, isNaN);
    return arith::OrIOp::create(b, loc, isBefore, isLast);
  }

  /// For each element the number of those before it. Of equal ones the first comes first.
  Value createRanks() {
    auto create = [&](OpBuilder &b, Location l, ValueRange args) {
      Value one = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(1)),
            none = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(0));
      Value isBefore = createBefore(b, args[1], args[0]);
      Value isAfter = createBefore(b, args[0], args[1]);
      Value isFirst =
          arith::CmpIOp::create(b, l, arith::CmpIPredicate::slt, createCounter(b, type.getRank()),
                                createCounter(b, dimension));
      Value count = arith::SelectOp::create(b, l, isFirst, one, none);
      count = arith::SelectOp::create(b, l, isAfter, none, count);
      count = arith::SelectOp::create(b, l, isBefore, one, count);
      linalg::YieldOp::create(b, l, Value(arith::AddIOp::create(b, l, args[2], count)));
    };
    Value init = createFill(type.getShape(), rewriter.getI32IntegerAttr(0));
    return linalg::GenericOp::create(rewriter, loc, init.getType(), ValueRange{keys, keys}, init,
                                     ArrayRef{ofPlace, ofElement, ofPlace}, iterators, create)
        .getResult(0);
  }

  RewriterBase &rewriter;
  Location loc;
  Value keys;
  RankedTensorType type;
  int64_t dimension;
  bool isDescending;
  /// The loops are those of a result, of which one counts places, and one over the elements of a
  /// row.
  AffineMap ofPlace, ofElement;
  SmallVector<utils::IteratorType> iterators;
  Value ranks;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

/// Whether rows of this type are worth it.
static bool isShort(RankedTensorType type, int64_t dimension, int64_t maxLength) {
  return type.hasStaticShape() && isRankable(type) && type.getNumElements() > 0 &&
         type.getDimSize(dimension) <= maxLength;
}

static void rankSort(SortOp op, int64_t maxLength, RewriterBase &rewriter) {
  std::optional<Order> order = matchOrder(op.getRegion());
  auto isSupported = [&](Type type) {
    return isShort(cast<RankedTensorType>(type), op.getDimension(), maxLength);
  };
  if (!order || !llvm::all_of(op.getOutputs().getTypes(), isSupported))
    return;
  rewriter.setInsertionPoint(op);
  RankBuilder builder(rewriter, op.getLoc(), op.getOutputs()[order->tensor], op.getDimension(),
                      order->isDescending);
  SmallVector<Value> results;
  for (Value tensor : op.getOutputs())
    results.push_back(builder.createPlaces(tensor, op.getType(0).getDimSize(op.getDimension())));
  rewriter.replaceOp(op, results);
}

//===----------------------------------------------------------------------===//
// Top-k
//===----------------------------------------------------------------------===//

static TypedAttr getFill(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  TypedAttr constant;
  if (fill)
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
  return constant;
}

namespace {
/// What the outputs of a top-k have before.
struct TopkStart {
  TypedAttr value, index; ///< null if they have no contents
};
} // namespace

/// Either nothing, or what no element is worse than and no position is less than.
static std::optional<TopkStart> matchStart(TopkOp op, bool isDescending) {
  if (op.getOutputValues().getDefiningOp<tensor::EmptyOp>())
    return TopkStart();
  TopkStart start{getFill(op.getOutputValues()), getFill(op.getOutputIndices())};
  auto index = dyn_cast_if_present<IntegerAttr>(start.index);
  Builder builder(op.getContext());
  if (!start.value || !index || index.getValue().isStrictlyPositive() ||
      start.value != getLeast(builder, op.getValues().getType().getElementType(), !isDescending))
    return std::nullopt;
  return start;
}

/// What was there stays where no element is better: equal ones and NaNs are not.
static SmallVector<Value> createBetter(TopkOp op, Value values, Value positions, TopkStart start,
                                       bool isDescending, RewriterBase &rewriter) {
  Type indexType = op.getOutputIndices().getType().getElementType();
  auto create = [&](OpBuilder &b, Location l, ValueRange args) {
    Value value = args[0], position = args[1];
    if (start.value) {
      Value least = arith::ConstantOp::create(b, l, start.value), isBetter;
      if (isa<FloatType>(value.getType()))
        isBetter = arith::CmpFOp::create(
            b, l, isDescending ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, value,
            least);
      else
        isBetter = arith::CmpIOp::create(
            b, l, isDescending ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, value,
            least);
      auto first = cast<IntegerAttr>(start.index).getValue().getSExtValue();
      Value none = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(first));
      value = arith::SelectOp::create(b, l, isBetter, value, least);
      position = arith::SelectOp::create(b, l, isBetter, position, none);
    }
    if (indexType.isInteger(64))
      position = arith::ExtSIOp::create(b, l, indexType, position);
    linalg::YieldOp::create(b, l, {value, position});
  };
  int64_t rank = op.getValues().getType().getRank();
  SmallVector<Value> empties;
  for (Type type : op.getResultTypes())
    empties.push_back(tensor::EmptyOp::create(rewriter, op.getLoc(),
                                              cast<RankedTensorType>(type).getShape(),
                                              getElementTypeOrSelf(type)));
  return linalg::GenericOp::create(
             rewriter, op.getLoc(), op.getResultTypes(), ValueRange{values, positions}, empties,
             SmallVector<AffineMap>(4, rewriter.getMultiDimIdentityMap(rank)),
             SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel), create)
      .getResults();
}

static void rankTopk(TopkOp op, int64_t maxLength, RewriterBase &rewriter) {
  int64_t dimension = op.getDimension(),
          count = op.getOutputValues().getType().getDimSize(dimension);
  std::optional<Order> order = matchOrder(op.getRegion());
  Type indexType = op.getOutputIndices().getType().getElementType();
  // Ties are broken by positions, so others would have to be compared.
  if (!order || !order->isStrict || op.getIndices() ||
      !isShort(op.getValues().getType(), dimension, maxLength) ||
      !op.getOutputValues().getType().hasStaticShape() || count == 0 ||
      count > op.getValues().getType().getDimSize(dimension) ||
      !(indexType.isInteger(32) || indexType.isInteger(64)))
    return;
  std::optional<TopkStart> start = matchStart(op, order->isDescending);
  auto index = start ? dyn_cast_if_present<IntegerAttr>(start->index) : IntegerAttr();
  if (!start || (index && index.getValue().getSignificantBits() > 32))
    return;
  rewriter.setInsertionPoint(op);
  RankBuilder builder(rewriter, op.getLoc(), op.getValues(), dimension, order->isDescending);
  Value values = builder.createPlaces(op.getValues(), count);
  Value positions = builder.createPlaces(Value(), count);
  if (!start->value && indexType.isInteger(32))
    rewriter.replaceOp(op, {values, positions});
  else
    rewriter.replaceOp(op,
                       createBetter(op, values, positions, *start, order->isDescending, rewriter));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct CountRanks : npu::linalg_ext::impl::CountRanksBase<CountRanks> {
  using CountRanksBase::CountRanksBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (auto sort = dyn_cast<SortOp>(op))
        rankSort(sort, maxLength, rewriter);
      else if (auto topk = dyn_cast<TopkOp>(op))
        rankTopk(topk, maxLength, rewriter);
    });
  }
};
} // namespace
