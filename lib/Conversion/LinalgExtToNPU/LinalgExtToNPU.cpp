//===- LinalgExtToNPU.cpp - sorts and top-k to the npu dialect ------------===//
//
// What else iree_linalg_ext has becomes linalg, see its own passes. No linalg op says what a sort
// does, so these are converted while their ops still do.
//
//===----------------------------------------------------------------------===//

#include "NPU/Conversion/Passes.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/ElementOrder.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"
#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Support/DebugStringHelper.h"

namespace npu {
#define GEN_PASS_DEF_CONVERTLINALGEXTTONPU
#include "NPU/Conversion/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;
using linalg_ext::ElementOrder;

//===----------------------------------------------------------------------===//
// What is sorted
//===----------------------------------------------------------------------===//

/// Whether the rows of this type can be sorted. What does not fit a target is refused later.
static LogicalResult matchKeys(Operation *op, RankedTensorType type, Rejection &reason) {
  if (!type.hasStaticShape())
    return reject(reason, RejectionKind::DynamicShape,
                  debugString(type) + " of " + op->getName().getStringRef());
  if (type.getNumElements() == 0)
    return reject(reason, RejectionKind::NoElements,
                  debugString(type) + " of " + op->getName().getStringRef());
  Type element = type.getElementType();
  if (element.isInteger(8) || element.isInteger(16) || element.isInteger(32) || element.isF16() ||
      element.isBF16() || element.isF32())
    return success();
  return reject(reason, RejectionKind::ElementType,
                debugString(element) + " of " + op->getName().getStringRef());
}

namespace {
class RowSorter {
public:
  RowSorter(RewriterBase &rewriter, Location loc, Value keys, int64_t dimension, bool isDescending)
      : rewriter(rewriter), loc(loc), keys(keys), type(cast<RankedTensorType>(keys.getType())),
        dimension(dimension), order(isDescending ? SortOrder::Descending : SortOrder::Ascending) {}

  /// The first `count` elements, and where they are.
  Value createSort(int64_t count) { return create<npu::SortOp>(count, type.getElementType()); }
  Value createArgSort(int64_t count) { return create<ArgSortOp>(count, rewriter.getI32Type()); }

private:
  template <typename OpTy>
  Value create(int64_t count, Type elementType) {
    int64_t rank = type.getRank();
    SmallVector<int64_t> shape(type.getShape());
    shape[dimension] = count;
    SmallVector<AffineExpr> coordinates;
    for (int64_t dim = 0; dim < rank; ++dim)
      coordinates.push_back(rewriter.getAffineDimExpr(dim));
    MLIRContext *context = rewriter.getContext();
    AffineMap ofElement = AffineMap::get(rank + 1, 0, coordinates, context);
    coordinates[dimension] = rewriter.getAffineDimExpr(rank);
    AffineMap ofPlace = AffineMap::get(rank + 1, 0, coordinates, context);
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, elementType);
    return OpTy::create(rewriter, loc, order, keys, empty, ArrayRef{ofElement, ofPlace})
        .getResult(0);
  }

  RewriterBase &rewriter;
  Location loc;
  Value keys;
  RankedTensorType type;
  int64_t dimension;
  SortOrder order;
};
} // namespace

/// An op on each element of `inputs`, with results of `types`.
static SmallVector<Value>
createElementwise(RewriterBase &rewriter, Location loc, ValueRange inputs, TypeRange types,
                  function_ref<void(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<Value> empties;
  int64_t rank = cast<RankedTensorType>(types[0]).getRank();
  for (Type type : types)
    empties.push_back(tensor::EmptyOp::create(
        rewriter, loc, cast<RankedTensorType>(type).getShape(), getElementTypeOrSelf(type)));
  SmallVector<AffineMap> maps(inputs.size() + types.size(), rewriter.getMultiDimIdentityMap(rank));
  return linalg::GenericOp::create(
             rewriter, loc, types, inputs, empties, maps,
             SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel), body)
      .getResults();
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

/// Whether each element of `tensor` is its position along `dimension`.
static bool holdsPositions(Value tensor, int64_t dimension) {
  auto generic = tensor.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInits() != 1 ||
      !generic.getIndexingMapsArray().back().isIdentity())
    return false;
  Value yielded = generic.getBody()->getTerminator()->getOperand(0);
  while (auto cast = yielded.getDefiningOp()) {
    if (auto index = dyn_cast<linalg::IndexOp>(cast))
      return index.getDim() == static_cast<uint64_t>(dimension);
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(cast))
      return false;
    yielded = cast->getOperand(0);
  }
  return false;
}

/// `positions` as elements of `type`.
static Value createPositionsOf(RewriterBase &rewriter, Location loc, Value positions, Type type) {
  if (positions.getType() == type)
    return positions;
  return createElementwise(rewriter, loc, positions, type,
                           [&](OpBuilder &b, Location l, ValueRange args) {
                             Value wide = arith::ExtSIOp::create(b, l, args[1].getType(), args[0]);
                             linalg::YieldOp::create(b, l, wide);
                           })
      .front();
}

/// The elements of `tensor` at `positions` along `dimension`.
static Value createTake(RewriterBase &rewriter, Location loc, Value tensor, Value positions,
                        int64_t dimension) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return createElementwise(rewriter, loc, positions, tensor.getType(),
                           [&](OpBuilder &b, Location l, ValueRange args) {
                             SmallVector<Value> at;
                             for (int64_t dim = 0; dim < type.getRank(); ++dim)
                               at.push_back(dim == dimension
                                                ? Value(arith::IndexCastOp::create(
                                                      b, l, b.getIndexType(), args[0]))
                                                : Value(linalg::IndexOp::create(b, l, dim)));
                             Value element = tensor::ExtractOp::create(b, l, tensor, at);
                             linalg::YieldOp::create(b, l, element);
                           })
      .front();
}

static LogicalResult convertSort(linalg_ext::SortOp op, RewriterBase &rewriter, Rejection &reason) {
  std::optional<ElementOrder> order = ElementOrder::match(op.getRegion());
  if (!order)
    return reject(reason, RejectionKind::Sort, "comparator of iree_linalg_ext.sort");
  int64_t dimension = op.getDimension();
  SmallVector<bool> arePositions;
  for (auto [index, tensor] : llvm::enumerate(op.getOutputs())) {
    auto type = cast<RankedTensorType>(tensor.getType());
    Type element = type.getElementType();
    arePositions.push_back(index != order->tensor && holdsPositions(tensor, dimension) &&
                           (element.isInteger(32) || element.isInteger(64)));
    if (arePositions.back())
      type = RankedTensorType::get(type.getShape(), rewriter.getI32Type());
    if (failed(matchKeys(op, type, reason)))
      return failure();
  }
  rewriter.setInsertionPoint(op);
  int64_t length = op.getType(0).getDimSize(dimension);
  RowSorter sorter(rewriter, op.getLoc(), op.getOutputs()[order->tensor], dimension,
                   order->isDescending);
  Value positions = op.getOutputs().size() > 1 ? sorter.createArgSort(length) : Value();
  SmallVector<Value> results;
  for (auto [index, tensor] : llvm::enumerate(op.getOutputs())) {
    if (index == order->tensor)
      results.push_back(sorter.createSort(length));
    else if (arePositions[index])
      results.push_back(createPositionsOf(rewriter, op.getLoc(), positions, tensor.getType()));
    else
      results.push_back(createTake(rewriter, op.getLoc(), tensor, positions, dimension));
  }
  rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// Top-k
//===----------------------------------------------------------------------===//

namespace {
/// What the outputs of a top-k have before.
struct TopkStart {
  TypedAttr value, index; ///< null if they have no contents
};
} // namespace

/// Either nothing, or what no element is worse than and no position is less than.
static std::optional<TopkStart> matchStart(linalg_ext::TopkOp op, bool isDescending) {
  if (op.getOutputValues().getDefiningOp<tensor::EmptyOp>())
    return TopkStart();
  TopkStart start{getSplatConstant(op.getOutputValues()), getSplatConstant(op.getOutputIndices())};
  auto index = dyn_cast_if_present<IntegerAttr>(start.index);
  Builder builder(op.getContext());
  Type type = cast<RankedTensorType>(op.getValues().getType()).getElementType();
  if (!start.value || !index || index.getValue().isStrictlyPositive() ||
      index.getValue().getSignificantBits() > 32 ||
      start.value != linalg_ext::getExtreme(builder, type, /*isLargest=*/!isDescending))
    return std::nullopt;
  return start;
}

/// What was there stays where no element is better: equal ones and NaNs are not.
static SmallVector<Value> createBetter(linalg_ext::TopkOp op, Value values, Value positions,
                                       TopkStart start, bool isDescending, RewriterBase &rewriter) {
  Type indexType = getElementTypeOrSelf(op.getOutputIndices().getType());
  auto create = [&](OpBuilder &b, Location l, ValueRange args) {
    Value value = args[0], position = args[1];
    Value least = arith::ConstantOp::create(b, l, start.value), isBetter;
    if (isa<FloatType>(value.getType()))
      isBetter = arith::CmpFOp::create(
          b, l, isDescending ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, value, least);
    else
      isBetter = arith::CmpIOp::create(
          b, l, isDescending ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, value, least);
    auto first = cast<IntegerAttr>(start.index).getValue().getSExtValue();
    Value none = arith::ConstantOp::create(b, l, b.getI32IntegerAttr(first));
    value = arith::SelectOp::create(b, l, isBetter, value, least);
    position = arith::SelectOp::create(b, l, isBetter, position, none);
    if (indexType.isInteger(64))
      position = arith::ExtSIOp::create(b, l, indexType, position);
    linalg::YieldOp::create(b, l, {value, position});
  };
  return createElementwise(rewriter, op.getLoc(), {values, positions}, op.getResultTypes(), create);
}

static LogicalResult convertTopk(linalg_ext::TopkOp op, RewriterBase &rewriter, Rejection &reason) {
  auto refuse = [&](const Twine &what) {
    return reject(reason, RejectionKind::Sort, what + " of iree_linalg_ext.topk");
  };
  auto type = cast<RankedTensorType>(op.getValues().getType()),
       outputType = cast<RankedTensorType>(op.getOutputValues().getType());
  Type indexType = getElementTypeOrSelf(op.getOutputIndices().getType());
  std::optional<ElementOrder> order = ElementOrder::match(op.getRegion());
  // Ties are broken by positions, so others would have to be compared.
  if (!order || !order->isStrict)
    return refuse("comparator");
  if (op.getIndices())
    return refuse("indices");
  if (failed(matchKeys(op, type, reason)) || failed(matchKeys(op, outputType, reason)))
    return failure();
  int64_t dimension = op.getDimension(), count = outputType.getDimSize(dimension);
  if (count > type.getDimSize(dimension))
    return refuse(Twine(count) + " places for " + Twine(type.getDimSize(dimension)) + " elements");
  if (!indexType.isInteger(32) && !indexType.isInteger(64))
    return refuse("indices of " + debugString(indexType));
  std::optional<TopkStart> start = matchStart(op, order->isDescending);
  if (!start)
    return refuse("outputs");
  rewriter.setInsertionPoint(op);
  RowSorter sorter(rewriter, op.getLoc(), op.getValues(), dimension, order->isDescending);
  Value values = sorter.createSort(count), positions = sorter.createArgSort(count);
  if (start->value)
    rewriter.replaceOp(op,
                       createBetter(op, values, positions, *start, order->isDescending, rewriter));
  else
    rewriter.replaceOp(op, {values, createPositionsOf(rewriter, op.getLoc(), positions,
                                                      op.getOutputIndices().getType())});
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether the function runs on the host, as partition has decided.
static bool isOnHost(func::FuncOp function) {
  auto placement = function->getAttrOfType<PlacementAttr>(kPlacementAttrName);
  return placement && placement.getValue() == Placement::Host;
}

namespace {
struct ConvertLinalgExtToNPU : npu::impl::ConvertLinalgExtToNPUBase<ConvertLinalgExtToNPU> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    WalkResult result = getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op); function && isOnHost(function))
        return WalkResult::skip();
      Rejection reason;
      LogicalResult converted = success();
      if (auto sort = dyn_cast<linalg_ext::SortOp>(op))
        converted = convertSort(sort, rewriter, reason);
      else if (auto topk = dyn_cast<linalg_ext::TopkOp>(op))
        converted = convertTopk(topk, rewriter, reason);
      else
        return WalkResult::advance();
      if (failed(converted)) {
        emitRejection(op, reason, "cannot convert " + op->getName().getStringRef() + ": ");
        return WalkResult::interrupt();
      }
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
