//===- SumsToProducts.cpp - sums on the matrix engine ---------------------===//

#include "NPU/Preparation/ContractionBody.h"
#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace npu {
#define GEN_PASS_DEF_NPUSUMSTOPRODUCTS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;

/// The element type of the ones that a sum of `type` is multiplied by: matrix engines multiply i16
/// by i8, everything else by its own type or not at all.
static Type getOneType(Type type) {
  return type.isSignlessInteger(16) ? IntegerType::get(type.getContext(), 8) : type;
}

/// The loops that the ones have dimensions for.
static SmallVector<AffineExpr> getOnesLoops(linalg::LinalgOp op, AffineMap summed) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<AffineExpr> parallel, reduced;
  for (AffineExpr expr : summed.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool isParallel = dim && iterators[dim.getPosition()] == utils::IteratorType::parallel;
    (isParallel ? parallel : reduced).push_back(expr);
  }
  bool hasWindows = !llvm::all_of(reduced, llvm::IsaPred<AffineDimExpr>);
  // Windows slide over each channel by itself; otherwise the innermost dimension is the rows and
  // what is around them the batches.
  SmallVector<AffineExpr> loops;
  if (!parallel.empty() && hasWindows)
    loops.push_back(parallel.back());
  else if (!parallel.empty())
    loops.append(parallel.begin(), std::prev(parallel.end()));
  for (AffineExpr expr : reduced)
    expr.walk([&](AffineExpr part) {
      auto dim = dyn_cast<AffineDimExpr>(part);
      if (dim && iterators[dim.getPosition()] == utils::IteratorType::reduction)
        loops.push_back(dim);
    });
  return loops;
}

static Value createOnes(ImplicitLocOpBuilder &builder, ArrayRef<int64_t> shape, Type elementType) {
  TypedAttr one = builder.getOneAttr(elementType);
  auto type = RankedTensorType::get(shape, elementType);
  return arith::ConstantOp::create(builder, DenseElementsAttr::get(type, Attribute(one)));
}

/// `value` as an accumulator of `type`.
static Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

/// Whether `op` sums up an operand, along dimensions of it, into more than one element. For a
/// single one, the ones would be as large as the operand, and use one row of the array.
static bool isSum(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return false;
  OpOperand *summed = npu::matchSumBody(op);
  // There is no 1 among signed numbers of one bit.
  if (!summed || getElementTypeOrSelf(summed->get()).isInteger(1))
    return false;
  AffineMap map = op.getMatchingIndexingMap(summed);
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction && !map.isFunctionOfDim(loop))
      return false;
  return cast<RankedTensorType>(op.getDpsInits()[0].getType()).getNumElements() > 1;
}

static void rewriteSum(linalg::LinalgOp op) {
  OpOperand &summed = *npu::matchSumBody(op);
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  AffineMap map = op.getMatchingIndexingMap(&summed);
  SmallVector<AffineExpr> loops = getOnesLoops(op, map);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto shape = llvm::map_to_vector(
      loops, [&](AffineExpr loop) { return extents[cast<AffineDimExpr>(loop).getPosition()]; });
  Value ones = createOnes(builder, shape, getOneType(getElementTypeOrSelf(summed.get())));
  OpOperand *init = op.getDpsInitOperand(0);
  SmallVector<AffineMap> maps = {
      map, AffineMap::get(op.getNumLoops(), /*symbolCount=*/0, loops, builder.getContext()),
      op.getMatchingIndexingMap(init)};
  auto buildBody = [](OpBuilder &nested, Location loc, ValueRange arguments) {
    Type type = arguments[2].getType();
    Value term = extend(nested, loc, arguments[0], type);
    Value one = extend(nested, loc, arguments[1], type);
    Value sum;
    if (isa<FloatType>(type))
      sum = arith::AddFOp::create(nested, loc, arguments[2],
                                  arith::MulFOp::create(nested, loc, term, one));
    else
      sum = arith::AddIOp::create(nested, loc, arguments[2],
                                  arith::MulIOp::create(nested, loc, term, one));
    linalg::YieldOp::create(nested, loc, sum);
  };
  auto product =
      linalg::GenericOp::create(builder, init->get().getType(), ValueRange{summed.get(), ones},
                                init->get(), maps, op.getIteratorTypesArray(), buildBody);
  op->replaceAllUsesWith(product.getResults());
  op->erase();
}

namespace {
struct SumsToProducts : npu::impl::NPUSumsToProductsBase<SumsToProducts> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isSum(op))
        ops.push_back(op);
    });
    llvm::for_each(ops, rewriteSum);
  }
};
} // namespace
