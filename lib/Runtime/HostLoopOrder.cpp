//===- HostLoopOrder.cpp - loop order of the host's reductions ------------===//
//
// Generated loops follow the iterator order of linalg ops, which usually puts a reduction
// innermost. A floating-point reduction cannot be vectorized without changing its result, so the
// naive order is 10 to 30 times slower than one with a parallel dimension innermost. The order in
// which any one element is summed stays the same.
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npu::runtime;

/// Marks the ops that `orderLoops` changed for `tileLoops`.
static constexpr llvm::StringLiteral orderedAttrName("npu_reference.ordered");

/// Bytes of accumulators that one tile may have.
static constexpr int64_t maxAccumulatorBytes = 16 << 10;
/// Longest innermost tile, in elements.
static constexpr int64_t maxInnerExtent = 1024;

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

/// Moves result `from` of an operand's map to the end by transposing the operand.
static void moveToEnd(RewriterBase &rewriter, linalg::GenericOp op, OpOperand &operand,
                      unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<int64_t> permutation, shape;
  SmallVector<AffineExpr> exprs;
  int64_t moved = -1;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (expr.isFunctionOfDim(dim)) {
      moved = index;
      continue;
    }
    permutation.push_back(index);
  }
  permutation.push_back(moved);
  for (int64_t index : permutation) {
    shape.push_back(type.getDimSize(index));
    exprs.push_back(map.getResult(index));
  }
  rewriter.setInsertionPoint(op);
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape, type.getElementType());
  auto transposed =
      linalg::TransposeOp::create(rewriter, op.getLoc(), operand.get(), empty, permutation);
  // Every linalg op that reaches the loops is a generic one.
  auto generic =
      linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(transposed.getOperation()));
  Value value = succeeded(generic) ? generic->getResult(0) : transposed->getResult(0);

  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] =
      AffineMap::get(map.getNumDims(), 0, exprs, rewriter.getContext());
  rewriter.modifyOpInPlace(op, [&] {
    operand.set(value);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

static void orderLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
    return;
  AffineMap outputMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (outputMap.getNumResults() == 0 || llvm::any_of(ranges, ShapedType::isDynamic) ||
      !outputMap.isProjectedPermutation())
    return;

  // The innermost dimension is the last of the output that is worth a vector.
  int64_t inner = outputMap.getDimPosition(outputMap.getNumResults() - 1);
  constexpr int64_t minInnerExtent = 4;
  if (ranges[inner] < minInnerExtent)
    return;
  int64_t iterations = 1;
  for (int64_t range : ranges)
    iterations *= range;

  // Operands that step through memory are transposed first if each element is used often enough.
  SmallVector<OpOperand *> movable;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (!type)
      continue;
    Dependence dependence = getDependence(op.getMatchingIndexingMap(operand), inner);
    constexpr int64_t minReuse = 4;
    if (dependence == Dependence::Movable) {
      if (type.getNumElements() * minReuse > iterations)
        return;
      movable.push_back(operand);
    } else if (dependence == Dependence::Other && op.getNumDpsInputs() == 1) {
      return;
    }
  }
  for (OpOperand *operand : movable)
    moveToEnd(rewriter, op, *operand, inner);

  SmallVector<unsigned> parallel, reduction;
  for (auto [index, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (static_cast<int64_t>(index) == inner)
      continue;
    (type == utils::IteratorType::parallel ? parallel : reduction).push_back(index);
  }
  // The longest parallel loop goes inside the reductions, too, where `tileLoops` cuts it so that
  // its accumulators stay in the cache while an operand's row is used several times.
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
  order.push_back(inner);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> ordered = linalg::interchangeGenericOp(rewriter, op, order);
  if (succeeded(ordered))
    (*ordered)->setAttr(orderedAttrName, rewriter.getUnitAttr());
}

void npu::runtime::orderLoops(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::GenericOp> ops;
  module.walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops)
    ::orderLoops(rewriter, op);
}

static void tileLoops(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto type = dyn_cast<MemRefType>(op.getDpsInits().front().getType());
  unsigned numLoops = ranges.size();
  if (!type || numLoops < 2 || llvm::any_of(ranges, ShapedType::isDynamic))
    return;
  int64_t elementBytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  int64_t inner = std::min(ranges[numLoops - 1], maxInnerExtent);
  SmallVector<int64_t> sizes(numLoops, 0);
  if (inner < ranges[numLoops - 1])
    sizes[numLoops - 1] = inner;
  if (op.getIteratorTypesArray()[numLoops - 2] == utils::IteratorType::parallel) {
    int64_t middle = std::max<int64_t>(maxAccumulatorBytes / (inner * elementBytes), 1);
    if (middle < ranges[numLoops - 2])
      sizes[numLoops - 2] = middle;
  }
  if (llvm::all_of(sizes, [](int64_t size) { return size == 0; }))
    return;
  linalg::LinalgTilingOptions options;
  options.setTileSizes(sizes);
  rewriter.setInsertionPoint(op);
  if (succeeded(linalg::tileLinalgOp(rewriter, op, options)))
    rewriter.eraseOp(op);
}

void npu::runtime::tileLoops(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::GenericOp> ops;
  module.walk([&](linalg::GenericOp op) {
    if (op->hasAttr(orderedAttrName) && op.hasPureBufferSemantics())
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    op->removeAttr(orderedAttrName);
    ::tileLoops(rewriter, op);
  }
}
