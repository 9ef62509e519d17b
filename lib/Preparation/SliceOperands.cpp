//===- SliceOperands.cpp - operands that are read backwards or in part ----===//
//
// A body that reads element c - i, or c + s * i, of a tensor by counter i reads a slice of it in
// order, and a load takes that from where it lies. Front ends write it as a map (StableHLO, ONNX's
// transposed convolutions here) or as tensor.extract by what is computed of linalg.index (torch,
// TOSA).
//
//===----------------------------------------------------------------------===//

#include "Linear.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu {
#define GEN_PASS_DEF_NPUSLICEOPERANDS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Whether each result is a constant or a loop of its own, scaled and moved.
static bool isSlice(ArrayRef<Linear> results) {
  llvm::SmallDenseSet<unsigned> loops;
  for (const Linear &result : results) {
    std::optional<unsigned> loop = result.getOnlyLoop();
    if (!loop && !result.isConstant())
      return false;
    if (loop && !loops.insert(*loop).second)
      return false;
  }
  return true;
}

/// Whether the results are loops that walk a tensor of `shape` from end to end.
static bool isWhole(ArrayRef<Linear> results, ArrayRef<int64_t> ranges, ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::zip_equal(results, shape), [&](auto pair) {
    auto &[result, size] = pair;
    std::optional<unsigned> loop = result.getOnlyLoop();
    return loop && result.coefficients[*loop] == 1 && result.constant == 0 && ranges[*loop] == size;
  });
}

//===----------------------------------------------------------------------===//
// tensor.extract by counters
//===----------------------------------------------------------------------===//

/// The map by which `extract` reads, if it is that of an operand.
static AffineMap getOperandMap(linalg::GenericOp op, tensor::ExtractOp extract,
                               ArrayRef<int64_t> ranges) {
  auto type = extract.getTensor().getType();
  if (!type.hasStaticShape() || type.getRank() == 0 ||
      op.getRegion().isAncestor(extract.getTensor().getParentRegion()))
    return {};
  SmallVector<AffineExpr> coordinates;
  SmallVector<Linear> results;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    AffineExpr expr = getCounterExpr(index);
    std::optional<Linear> linear = expr ? getLinear(expr, op.getNumLoops()) : std::nullopt;
    if (!linear || !isInside(*linear, ranges, type.getDimSize(dim)))
      return {};
    coordinates.push_back(expr);
    results.push_back(std::move(*linear));
  }
  return isSlice(results) ? AffineMap::get(op.getNumLoops(), 0, coordinates, op.getContext())
                          : AffineMap();
}

/// Makes elements that bodies extract by counters operands.
static linalg::GenericOp readExtractedAsOperands(linalg::GenericOp op, ArrayRef<int64_t> ranges,
                                                 RewriterBase &rewriter) {
  SmallVector<tensor::ExtractOp> extracts;
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned count = inputs.size();
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>())
    if (AffineMap map = getOperandMap(op, extract, ranges)) {
      maps.insert(maps.begin() + inputs.size(), map);
      inputs.push_back(extract.getTensor());
      extracts.push_back(extract);
    }
  if (extracts.empty())
    return op;
  rewriter.setInsertionPoint(op);
  auto result = linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                                          op.getOutputs(), maps, op.getIteratorTypesArray());
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getRegion(), result.getRegion(), result.getRegion().begin());
  for (auto [number, extract] : llvm::enumerate(extracts)) {
    Value element =
        result.getBody()->insertArgument(count + number, extract.getType(), extract.getLoc());
    rewriter.replaceOp(extract, element);
  }
  rewriter.replaceOp(op, result);
  return result;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Turns the reduced loops round that only go backwards where they share a coordinate with others:
/// a convolution with a flipped kernel becomes one that reads its kernel backwards.
static void turnLoops(linalg::GenericOp op, ArrayRef<int64_t> ranges, RewriterBase &rewriter) {
  if (op.hasIndexSemantics())
    return;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool changed = false;
  for (unsigned loop = 0; loop < ranges.size(); ++loop) {
    if (iterators[loop] != utils::IteratorType::reduction)
      continue;
    bool goesBackwards = false, goesForwards = false;
    for (AffineMap map : maps)
      for (AffineExpr expr : map.getResults()) {
        std::optional<Linear> linear = getLinear(expr, map.getNumDims());
        if (!linear || linear->getOnlyLoop())
          continue;
        goesBackwards |= linear->coefficients[loop] < 0;
        goesForwards |= linear->coefficients[loop] > 0;
      }
    if (!goesBackwards || goesForwards)
      continue;
    AffineExpr dim = rewriter.getAffineDimExpr(loop);
    for (AffineMap &map : maps)
      map = simplifyAffineMap(map.replace(dim, ranges[loop] - 1 - dim, map.getNumDims(), 0));
    changed = true;
  }
  if (changed)
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

namespace {
/// One dimension of a slice.
struct SliceDim {
  int64_t offset, size, stride;
};
} // namespace

/// Walks `dims` of `source`, or of what that is a slice of.
static SmallVector<SliceDim> composeWithSource(SmallVector<SliceDim> dims, Value &source) {
  while (auto slice = source.getDefiningOp<tensor::ExtractSliceOp>()) {
    if (ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
        ShapedType::isDynamicShape(slice.getStaticStrides()))
      break;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<SliceDim> composed;
    const SliceDim *inner = dims.begin();
    for (unsigned index = 0; index < dropped.size(); ++index) {
      int64_t offset = slice.getStaticOffset(index), stride = slice.getStaticStride(index);
      if (dropped.test(index)) {
        composed.push_back({offset, 1, 1});
        continue;
      }
      SliceDim &dim = composed.emplace_back();
      dim.size = inner->size;
      // Strides of what has one element may be anything.
      if (llvm::MulOverflow(stride, inner->offset, dim.offset) ||
          llvm::AddOverflow(offset, dim.offset, dim.offset) ||
          llvm::MulOverflow(stride, inner->stride, dim.stride))
        return dims;
      ++inner;
    }
    dims = std::move(composed);
    source = slice.getSource();
  }
  return dims;
}

/// Makes `operand`, whose coordinates are `results`, the slice that they walk in order.
static AffineMap sliceOperand(OpOperand &operand, ArrayRef<Linear> results,
                              ArrayRef<int64_t> ranges, RewriterBase &rewriter) {
  SmallVector<SliceDim> dims;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> loops;
  for (const Linear &result : results) {
    std::optional<unsigned> loop = result.getOnlyLoop();
    int64_t size = loop ? ranges[*loop] : 1;
    dims.push_back({result.constant, size, size == 1 ? 1 : result.coefficients[*loop]});
    if (!loop)
      continue;
    shape.push_back(size);
    loops.push_back(rewriter.getAffineDimExpr(*loop));
  }
  Value source = operand.get();
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(source.getType()));
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (SliceDim dim : composeWithSource(std::move(dims), source)) {
    offsets.push_back(rewriter.getIndexAttr(dim.offset));
    sizes.push_back(rewriter.getIndexAttr(dim.size));
    strides.push_back(rewriter.getIndexAttr(dim.stride));
  }
  operand.set(tensor::ExtractSliceOp::create(rewriter, operand.getOwner()->getLoc(), type, source,
                                             offsets, sizes, strides));
  return AffineMap::get(ranges.size(), 0, loops, rewriter.getContext());
}

static void sliceOperands(linalg::GenericOp op, ArrayRef<int64_t> ranges, RewriterBase &rewriter) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  rewriter.setInsertionPoint(op);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap &map = maps[operand->getOperandNumber()];
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    std::optional<SmallVector<Linear>> results = getLinear(map);
    if (type && results && isSlice(*results) && !isWhole(*results, ranges, type.getShape()))
      map = sliceOperand(*operand, *results, ranges, rewriter);
  }
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

namespace {
struct SliceOperands : npu::impl::NPUSliceOperandsBase<SliceOperands> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      // Maps of turned loops do not say how long the loops are.
      SmallVector<int64_t> ranges = op.getStaticLoopRanges();
      if (ShapedType::isDynamicShape(ranges))
        continue;
      op = readExtractedAsOperands(op, ranges, rewriter);
      turnLoops(op, ranges, rewriter);
      sliceOperands(op, ranges, rewriter);
    }
    // A slice of a slice is one as well.
    RewritePatternSet patterns(&getContext());
    tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
