//===- OrderLoops.cpp - loop order of the host's reductions --------------===//
//
// Generated loops follow the iterator order of linalg ops, which usually puts a reduction
// innermost. A floating-point reduction cannot be vectorized without changing its result, so the
// naive order is 10 to 30 times slower than one with a parallel dimension innermost. The order in
// which any one element is summed stays the same.
//
//===----------------------------------------------------------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::host {
#define GEN_PASS_DEF_ORDERLOOPS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// How an operand depends on dimension `dim`.
enum class Dependence { None, UnitStride, Movable, Other };

static Dependence getDependence(AffineMap map, unsigned dim) {
  if (!map.isFunctionOfDim(dim))
    return Dependence::None;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    bool isLast = index + 1 == map.getNumResults();
    // A window such as d0 + d1 has unit stride in both.
    if (isLast) {
      auto shifted = expr.replace(getAffineDimExpr(dim, map.getContext()),
                                  getAffineDimExpr(dim, map.getContext()) + 1);
      auto step = simplifyAffineExpr(shifted - expr, map.getNumDims(), 0);
      return step == getAffineConstantExpr(1, map.getContext()) ? Dependence::UnitStride
                                                                : Dependence::Other;
    }
    return expr == getAffineDimExpr(dim, map.getContext()) ? Dependence::Movable
                                                           : Dependence::Other;
  }
  return Dependence::None;
}

/// The results of `map` with those that depend on `dim` last.
static SmallVector<int64_t> getPermutationToEnd(AffineMap map, unsigned dim) {
  SmallVector<int64_t> permutation, last;
  for (auto [index, expr] : llvm::enumerate(map.getResults()))
    (expr.isFunctionOfDim(dim) ? last : permutation).push_back(index);
  llvm::append_range(permutation, last);
  return permutation;
}

static AffineMap permuteResults(AffineMap map, ArrayRef<int64_t> permutation) {
  SmallVector<AffineExpr> exprs;
  for (int64_t index : permutation)
    exprs.push_back(map.getResult(index));
  return AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
}

/// Dimension i of the result is dimension permutation[i] of `source`.
static Value createTranspose(RewriterBase &rewriter, Location loc, Value source,
                             ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape;
  for (int64_t index : permutation)
    shape.push_back(type.getDimSize(index));
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  auto transpose = linalg::TransposeOp::create(rewriter, loc, source, empty, permutation);
  // Every linalg op that reaches the loops is a generic one.
  auto generic =
      linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(transpose.getOperation()));
  return succeeded(generic) ? generic->getResult(0) : transpose->getResult(0);
}

/// Transposes an input so that what depends on `dim` is its last dimension.
static void moveInputToEnd(RewriterBase &rewriter, linalg::GenericOp op, OpOperand &operand,
                           unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> permutation = getPermutationToEnd(map, dim);
  rewriter.setInsertionPoint(op);
  Value transposed = createTranspose(rewriter, op.getLoc(), operand.get(), permutation);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] = permuteResults(map, permutation);
  rewriter.modifyOpInPlace(op, [&] {
    operand.set(transposed);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

/// As `moveInputToEnd` for the only output; returns the new op.
static linalg::GenericOp moveOutputToEnd(RewriterBase &rewriter, linalg::GenericOp op,
                                         unsigned dim) {
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(init);
  SmallVector<int64_t> permutation = getPermutationToEnd(map, dim);
  if (llvm::is_sorted(permutation))
    return op;
  rewriter.setInsertionPoint(op);
  Value transposed = createTranspose(rewriter, op.getLoc(), init->get(), permutation);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() = permuteResults(map, permutation);
  auto moved =
      linalg::GenericOp::create(rewriter, op.getLoc(), TypeRange(transposed.getType()),
                                op.getInputs(), transposed, maps, op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), moved.getRegion(), moved.getRegion().begin());
  rewriter.replaceOp(op, createTranspose(rewriter, op.getLoc(), moved.getResult(0),
                                         invertPermutationVector(permutation)));
  return moved;
}

/// Whether `inner` may be the innermost loop of `op` at the price of transposing operands whose
/// elements are used several times each.
static bool canBeInnermost(linalg::GenericOp op, unsigned inner) {
  constexpr int64_t minReuse = 4;
  int64_t iterations = 1;
  for (int64_t range : op.getStaticLoopRanges())
    iterations *= range;
  auto isCheap = [&](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements() * minReuse <= iterations;
  };
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(operand->get().getType()))
      continue;
    Dependence dependence = getDependence(op.getMatchingIndexingMap(operand), inner);
    if (dependence == Dependence::Movable && !isCheap(operand->get()))
      return false;
    if (dependence == Dependence::Other && op.getNumDpsInputs() == 1)
      return false;
  }
  OpOperand *init = op.getDpsInitOperand(0);
  return getDependence(op.getMatchingIndexingMap(init), inner) == Dependence::UnitStride ||
         isCheap(init->get());
}

/// The dimension to vectorize: the last one of the output if it fills vectors, else the longest.
static std::optional<unsigned> chooseInnermost(linalg::GenericOp op) {
  constexpr int64_t minExtent = 4, goodExtent = 64;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::optional<unsigned> best;
  for (AffineExpr expr : llvm::reverse(op.getIndexingMapsArray().back().getResults())) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (ranges[dim] < minExtent || !canBeInnermost(op, dim))
      continue;
    if (!best || (ranges[*best] < goodExtent && ranges[dim] > ranges[*best]))
      best = dim;
  }
  return best;
}

static void orderLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
    return;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (llvm::any_of(ranges, ShapedType::isDynamic) ||
      !op.getIndexingMapsArray().back().isProjectedPermutation())
    return;
  std::optional<unsigned> inner = chooseInnermost(op);
  if (!inner)
    return;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (isa<RankedTensorType>(operand->get().getType()) &&
        getDependence(op.getMatchingIndexingMap(operand), *inner) == Dependence::Movable)
      moveInputToEnd(rewriter, op, *operand, *inner);
  op = moveOutputToEnd(rewriter, op, *inner);

  SmallVector<unsigned> parallel, reduction;
  for (auto [index, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (index != *inner)
      (type == utils::IteratorType::parallel ? parallel : reduction).push_back(index);
  // The longest parallel loop goes inside the reductions, too, where `npu-host-tile-loops` cuts it
  // so that its accumulators stay in the cache while an operand's row is used several times.
  std::optional<unsigned> middle;
  for (unsigned index : parallel)
    if (!middle || ranges[index] >= ranges[*middle])
      middle = index;
  SmallVector<unsigned> order;
  for (unsigned index : parallel)
    if (index != middle)
      order.push_back(index);
  llvm::append_range(order, reduction);
  if (middle)
    order.push_back(*middle);
  order.push_back(*inner);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> ordered = linalg::interchangeGenericOp(rewriter, op, order);
  if (succeeded(ordered))
    (*ordered)->setAttr(npu::host::orderedAttrName, rewriter.getUnitAttr());
}

namespace {
struct OrderLoops : npu::host::impl::OrderLoopsBase<OrderLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      orderLoops(rewriter, op);
  }
};
} // namespace
