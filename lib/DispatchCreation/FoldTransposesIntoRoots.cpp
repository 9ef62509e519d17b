//===- FoldTransposesIntoRoots.cpp - read and write transposed in place ---===//

#include "NPU/DispatchCreation/Passes.h"

#include "FusionLog.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_FOLDTRANSPOSESINTOROOTS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

//===----------------------------------------------------------------------===//
// Transpositions
//===----------------------------------------------------------------------===//

namespace {
/// An op of whose result each dimension is one of its input, or repeats the input.
struct Projection {
  linalg::LinalgOp op;
  SmallVector<int64_t> permutation; ///< for each dimension of the input, that of the result

  Value getSource() const { return linalg::LinalgOp(op).getDpsInputs()[0]; }
};
} // namespace

static std::optional<Projection> matchProjection(Operation *op) {
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() || !isAllParallel(linalgOp) ||
      linalgOp.getNumDpsInputs() != 1 || linalgOp.getNumDpsInits() != 1)
    return std::nullopt;
  Block *body = linalgOp.getBlock();
  AffineMap from = linalgOp.getIndexingMapsArray()[0], to = linalgOp.getIndexingMapsArray()[1];
  if (!llvm::hasSingleElement(*body) || !from.isProjectedPermutation() || !to.isPermutation() ||
      body->getTerminator()->getOperand(0) != body->getArgument(0))
    return std::nullopt;
  Projection projection{linalgOp, {}};
  for (AffineExpr expr : from.getResults())
    projection.permutation.push_back(*to.getResultPosition(expr));
  return projection;
}

/// A projection that repeats nothing.
static std::optional<Projection> matchTransposition(Operation *op) {
  std::optional<Projection> projection = matchProjection(op);
  if (projection && projection->op.getNumLoops() != projection->permutation.size())
    return std::nullopt;
  return projection;
}

/// The projection that `value` is, where a reshape may add dimensions of one element.
static std::optional<Projection> matchExpandedProjection(Value value) {
  auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand)
    return matchProjection(value.getDefiningOp());
  std::optional<Projection> projection = matchProjection(expand.getSrc().getDefiningOp());
  if (!projection)
    return std::nullopt;
  SmallVector<int64_t> kept;
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    auto isLong = [&](int64_t dim) { return expand.getResultType().getDimSize(dim) != 1; };
    if (llvm::count_if(group, isLong) > 1)
      return std::nullopt;
    const auto *dim = llvm::find_if(group, isLong);
    kept.push_back(dim == group.end() ? group.front() : *dim);
  }
  for (int64_t &dim : projection->permutation)
    dim = kept[dim];
  return projection;
}

/// The map of the projection's input from the map of its result.
static AffineMap getInputMap(AffineMap map, ArrayRef<int64_t> permutation) {
  return map.getSubMap(SmallVector<unsigned>(permutation.begin(), permutation.end()));
}

/// The map of the transposition's result from the map of its input.
static AffineMap getResultMap(AffineMap map, ArrayRef<int64_t> permutation) {
  SmallVector<AffineExpr> results(permutation.size());
  for (auto [source, dim] : llvm::enumerate(permutation))
    results[dim] = map.getResult(source);
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// What a root accumulates on, transposed, if that needs no transposition: fills and uninitialized
/// tensors have no order.
static Value createTransposedInit(OpBuilder &builder, Value init, RankedTensorType type) {
  auto createEmpty = [&]() -> Value {
    return tensor::EmptyOp::create(builder, init.getLoc(), type.getShape(), type.getElementType());
  };
  if (init.getDefiningOp<tensor::EmptyOp>())
    return createEmpty();
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(builder, fill.getLoc(), fill.value(), createEmpty()).getResult(0);
  return {};
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Replaces `op` by a generic of the same maps but that of `operand`, which `value` takes the place
/// of.
static linalg::GenericOp replaceOperand(PatternRewriter &rewriter, linalg::LinalgOp op,
                                        OpOperand &operand, Value value, AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] = map;
  SmallVector<Value> operands = llvm::to_vector(op->getOperands());
  operands[operand.getOperandNumber()] = value;
  ArrayRef<Value> inputs = ArrayRef(operands).take_front(op.getNumDpsInputs());
  ArrayRef<Value> inits = ArrayRef(operands).drop_front(op.getNumDpsInputs());
  auto generic = linalg::GenericOp::create(rewriter, op.getLoc(), ValueRange(inits).getTypes(),
                                           inputs, inits, maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(), generic.getRegion().begin());
  return generic;
}

/// Whether with `map` for `operand` each loop still moves an input: one that moves none would
/// repeat products.
static bool readsAllLoops(linalg::LinalgOp op, OpOperand &operand, AffineMap map) {
  llvm::SmallBitVector read(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands())
    for (AffineExpr expr :
         (input == &operand ? map : op.getMatchingIndexingMap(input)).getResults())
      expr.walk([&](AffineExpr part) {
        if (auto dim = dyn_cast<AffineDimExpr>(part))
          read.set(dim.getPosition());
      });
  return read.all();
}

namespace {
struct FoldTransposedOperand : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !linalg::isaContractionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "not a contraction");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      std::optional<Projection> projection = matchExpandedProjection(operand->get());
      if (!projection)
        continue;
      AffineMap map = getInputMap(op.getMatchingIndexingMap(operand), projection->permutation);
      if (!readsAllLoops(op, *operand, map))
        continue;
      emitFused(projection->op, op, "a contraction reads its operands in any order");
      rewriter.replaceOp(op, replaceOperand(rewriter, op, *operand, projection->getSource(), map));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no transposed or repeated operand");
  }
};

struct FoldTransposedResult : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    auto transposition = matchTransposition(op);
    if (!transposition)
      return rewriter.notifyMatchFailure(op, "not a transposition");
    Value source = transposition->getSource();
    auto producer = source.getDefiningOp<linalg::LinalgOp>();
    if (!producer || !source.hasOneUse() || !producer.hasPureTensorSemantics() ||
        !linalg::isaContractionOpInterface(producer))
      return rewriter.notifyMatchFailure(op, "does not transpose the only use of a contraction");
    OpOperand &init = *producer.getDpsInitOperand(0);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value transposedInit = createTransposedInit(rewriter, init.get(), type);
    if (!transposedInit)
      return rewriter.notifyMatchFailure(op, "the contraction starts from a tensor");
    emitFused(producer, op, "a contraction writes its result in any order");
    rewriter.setInsertionPoint(producer);
    AffineMap map =
        getResultMap(producer.getMatchingIndexingMap(&init), transposition->permutation);
    if (Operation *created = transposedInit.getDefiningOp())
      rewriter.setInsertionPointAfter(created);
    rewriter.replaceOp(op, replaceOperand(rewriter, producer, init, transposedInit, map));
    return success();
  }
};

/// The same for attention, which has maps as well.
struct FoldTransposedAttentionOperand : OpRewritePattern<linalg_ext::AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg_ext::AttentionOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : op->getOpOperands()) {
      auto transposition = matchTransposition(operand.get().getDefiningOp());
      if (!transposition || operand.get() == op.getOutput())
        continue;
      emitFused(transposition->op, op, "attention reads its operands in any order");
      SmallVector<AffineMap> maps(op.getIndexingMaps().getAsValueRange<AffineMapAttr>());
      AffineMap &map = maps[operand.getOperandNumber()];
      map = getInputMap(map, transposition->permutation);
      rewriter.modifyOpInPlace(op, [&] {
        operand.set(transposition->getSource());
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no transposed operand");
  }
};

struct FoldTransposedAttentionResult : OpRewritePattern<linalg_ext::AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg_ext::AttentionOp op,
                                PatternRewriter &rewriter) const override {
    auto transposition = op->hasOneUse() ? matchTransposition(*op->user_begin()) : std::nullopt;
    if (!transposition)
      return rewriter.notifyMatchFailure(op, "its only use is no transposition");
    auto type = cast<RankedTensorType>(transposition->op->getResult(0).getType());
    Value init = createTransposedInit(rewriter, op.getOutput(), type);
    if (!init)
      return rewriter.notifyMatchFailure(op, "the result is written over a tensor");
    emitFused(op, transposition->op, "attention writes its result in any order");
    SmallVector<AffineMap> maps(op.getIndexingMaps().getAsValueRange<AffineMapAttr>());
    maps.back() = getResultMap(maps.back(), transposition->permutation);
    rewriter.modifyOpInPlace(op, [&] {
      op.getOutputMutable().assign(init);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      op.getResult().setType(type);
    });
    rewriter.replaceOp(transposition->op, op.getResult());
    return success();
  }
};

struct FoldTransposesIntoRoots
    : dispatch_creation::impl::FoldTransposesIntoRootsBase<FoldTransposesIntoRoots> {
  void runOnOperation() override {
    // Most models have none, and the patterns look at every op.
    bool hasTranspositions =
        getOperation()
            ->walk([](linalg::LinalgOp op) {
              return matchProjection(op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (!hasTranspositions)
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns
        .add<FoldTransposedOperand, FoldTransposedAttentionOperand, FoldTransposedAttentionResult>(
            &getContext(), /*benefit=*/2);
    // A transposition between two contractions is read in place rather than written.
    patterns.add<FoldTransposedResult>(&getContext(), /*benefit=*/1);
    FailureOr<bool> changed = applyPatterns(getOperation(), std::move(patterns));
    if (failed(changed))
      return signalPassFailure();
    if (!*changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
