//===- CollapseDimensions.cpp - merge loops of dispatches -----------------===//

#include "NPU/DispatchCreation/Passes.h"

#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_COLLAPSEDIMENSIONS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

namespace {
/// Which loops of the ops of a dispatch become one. Loops of different ops are the same loop if
/// they walk along the same dimension of a tensor between the ops.
class LoopMerger {
public:
  explicit LoopMerger(ArrayRef<linalg::GenericOp> ops) : ops(ops) {}

  /// Finds pairs of neighbors that merge in all ops.
  void run();

  /// The loops of `op` that become one, groups of one left out.
  SmallVector<ReassociationIndices> getGroups(linalg::GenericOp op) const;

private:
  /// Op and outer loop of a pair of neighboring loops.
  using Pair = std::pair<Operation *, unsigned>;

  bool isMergeable(linalg::GenericOp op, unsigned loop) const;
  bool propagate();

  ArrayRef<linalg::GenericOp> ops;
  llvm::SetVector<Pair> pairs;
};
} // namespace

/// The dimension of `map` whose neighbor walks along `loop + 1` as it does along `loop`. Nothing
/// if the map has one of both loops only, or both, but not side by side; -1 if it has neither.
static std::optional<int64_t> findPair(AffineMap map, unsigned loop) {
  for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
    AffineExpr expr = map.getResult(dim);
    if (!expr.isFunctionOfDim(loop) && !expr.isFunctionOfDim(loop + 1))
      continue;
    if (expr != getAffineDimExpr(loop, map.getContext()) || dim + 1 == map.getNumResults() ||
        map.getResult(dim + 1) != getAffineDimExpr(loop + 1, map.getContext()))
      return std::nullopt;
    for (unsigned other = dim + 2; other < map.getNumResults(); ++other)
      if (map.getResult(other).isFunctionOfDim(loop) ||
          map.getResult(other).isFunctionOfDim(loop + 1))
        return std::nullopt;
    return dim;
  }
  return -1;
}

bool LoopMerger::isMergeable(linalg::GenericOp op, unsigned loop) const {
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  // The sizes that a dynamic loop is split into again would have to be passed along.
  if (types[loop] != types[loop + 1] || op.hasIndexSemantics() || op.hasDynamicShape())
    return false;
  // Upstream collapses operands that are indexed by loops, not by what is computed from them.
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return map.isProjectedPermutation() && findPair(map, loop).has_value();
  });
}

/// The outer loop of the pair that walks along dimensions `dim` and `dim + 1` of a tensor indexed
/// by `map`, if there is one.
static std::optional<unsigned> getLoopOfDim(AffineMap map, int64_t dim) {
  auto outer = dyn_cast<AffineDimExpr>(map.getResult(dim));
  auto inner = dyn_cast<AffineDimExpr>(map.getResult(dim + 1));
  if (!outer || !inner || inner.getPosition() != outer.getPosition() + 1)
    return std::nullopt;
  return outer.getPosition();
}

/// Drops a pair if the same dimensions of a tensor between two ops do not merge in the other op.
bool LoopMerger::propagate() {
  bool changed = false;
  for (linalg::GenericOp consumer : ops) {
    for (OpOperand &operand : consumer->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
      if (!producer || !llvm::is_contained(ops, producer))
        continue;
      AffineMap from = producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
      AffineMap to = consumer.getMatchingIndexingMap(&operand);
      for (int64_t dim = 0; dim + 1 < static_cast<int64_t>(from.getNumResults()); ++dim) {
        std::optional<unsigned> producerLoop = getLoopOfDim(from, dim);
        std::optional<unsigned> consumerLoop = getLoopOfDim(to, dim);
        bool inProducer = producerLoop && pairs.contains({producer, *producerLoop});
        bool inConsumer = consumerLoop && pairs.contains({consumer, *consumerLoop});
        if (inProducer == inConsumer)
          continue;
        changed = true;
        if (inProducer)
          pairs.remove({producer, *producerLoop});
        else
          pairs.remove({consumer, *consumerLoop});
      }
    }
  }
  return changed;
}

void LoopMerger::run() {
  for (linalg::GenericOp op : ops)
    for (unsigned loop = 0; loop + 1 < op.getNumLoops(); ++loop)
      if (isMergeable(op, loop))
        pairs.insert({op, loop});
  while (propagate())
    ;
}

SmallVector<ReassociationIndices> LoopMerger::getGroups(linalg::GenericOp op) const {
  SmallVector<ReassociationIndices> groups;
  for (unsigned loop = 0; loop + 1 < op.getNumLoops(); ++loop) {
    if (!pairs.contains({op, loop}))
      continue;
    if (!groups.empty() && groups.back().back() == loop)
      groups.back().push_back(loop + 1);
    else
      groups.push_back({loop, loop + 1});
  }
  return groups;
}

/// The generics of a dispatch; nothing if it holds ops that a merged loop cannot pass through.
static std::optional<SmallVector<linalg::GenericOp>>
collectGenerics(flow::DispatchRegionOp region) {
  SmallVector<linalg::GenericOp> ops;
  for (Operation &op : region.getBody().front().without_terminator()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      ops.push_back(generic);
    else if (!isa<linalg::FillOp, tensor::EmptyOp, arith::ConstantOp>(op))
      return std::nullopt;
  }
  return ops;
}

/// Whether some op of the dispatch sees windows of an operand, or skips parts of it.
static bool hasWindows(flow::DispatchRegionOp region) {
  return region
      .walk([](linalg::LinalgOp op) {
        bool isPlain = llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation(/*allowZeroInResults=*/true);
        });
        return isPlain ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// The dispatches that are connected to one with windows by tensors that all of them see with the
/// same dimensions: whole, or a slice of them.
static DenseSet<Operation *> findImageRegions(ArrayRef<flow::DispatchRegionOp> regions) {
  llvm::EquivalenceClasses<Operation *> connected;
  for (flow::DispatchRegionOp region : regions) {
    connected.insert(region);
    visitUsedValuesDefinedAbove(region.getBody(), [&](OpOperand *use) {
      Operation *producer = use->get().getDefiningOp();
      while (isa_and_present<tensor::ExtractSliceOp>(producer))
        producer = producer->getOperand(0).getDefiningOp();
      if (isa_and_present<flow::DispatchRegionOp>(producer))
        connected.unionSets(producer, region);
    });
  }
  DenseSet<Operation *> leaders, images;
  for (flow::DispatchRegionOp region : regions)
    if (hasWindows(region))
      leaders.insert(connected.getLeaderValue(region));
  for (flow::DispatchRegionOp region : regions)
    if (leaders.contains(connected.getLeaderValue(region)))
      images.insert(region);
  return images;
}

/// Moves reshapes of values from outside to before the region.
static void hoistCollapses(flow::DispatchRegionOp region) {
  for (Operation &op : llvm::make_early_inc_range(region.getBody().front()))
    if (isa<tensor::CollapseShapeOp>(op) &&
        !region.getBody().isAncestor(op.getOperand(0).getParentRegion()))
      op.moveBefore(region);
}

/// Lets the region return what was expanded last in it, and expands that outside.
static flow::DispatchRegionOp sinkExpands(flow::DispatchRegionOp region) {
  auto terminator = cast<flow::ReturnOp>(region.getBody().front().getTerminator());
  SmallVector<tensor::ExpandShapeOp> expands;
  for (OpOperand &operand : terminator->getOpOperands()) {
    auto expand = operand.get().getDefiningOp<tensor::ExpandShapeOp>();
    bool isInside = expand && expand->getBlock() == terminator->getBlock();
    expands.push_back(isInside ? expand : tensor::ExpandShapeOp());
    if (isInside)
      operand.set(expand.getSrc());
  }
  OpBuilder builder(region);
  auto replacement =
      flow::DispatchRegionOp::create(builder, region.getLoc(), terminator->getOperandTypes(),
                                     region.getResultDims(), region.getWorkload());
  replacement.getBody().takeBody(region.getBody());
  for (auto [old, fresh, expand] :
       llvm::zip_equal(region.getResults(), replacement.getResults(), expands)) {
    Value result = fresh;
    if (expand)
      result = tensor::ExpandShapeOp::create(builder, expand.getLoc(), expand.getType(), fresh,
                                             expand.getReassociationIndices());
    old.replaceAllUsesWith(result);
    if (expand && expand.use_empty())
      expand.erase();
  }
  region.erase();
  return replacement;
}

namespace {
struct CollapseDimensions : dispatch_creation::impl::CollapseDimensionsBase<CollapseDimensions> {
  using CollapseDimensionsBase::CollapseDimensionsBase;

  void runOnOperation() override {
    SmallVector<flow::DispatchRegionOp> regions;
    getOperation()->walk([&](flow::DispatchRegionOp region) { regions.push_back(region); });
    DenseSet<Operation *> images;
    if (keepImages)
      images = findImageRegions(regions);
    SmallVector<flow::DispatchRegionOp> changed;
    IRRewriter rewriter(&getContext());
    for (flow::DispatchRegionOp region : regions) {
      if (images.contains(region))
        continue;
      std::optional<SmallVector<linalg::GenericOp>> ops = collectGenerics(region);
      if (!ops)
        continue;
      LoopMerger merger(*ops);
      merger.run();
      bool anyMerged = false;
      for (linalg::GenericOp op : *ops) {
        SmallVector<ReassociationIndices> groups = merger.getGroups(op);
        if (groups.empty())
          continue;
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::CollapseResult> result =
            linalg::collapseOpIterationDims(op, groups, rewriter);
        if (failed(result))
          continue;
        rewriter.replaceOp(op, result->results);
        anyMerged = true;
      }
      if (anyMerged)
        changed.push_back(region);
    }

    if (changed.empty() &&
        !getAnalysis<PresentOps>()
             .holdsAny<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp>())
      return markAllAnalysesPreserved();
    // A reshape between two ops meets its opposite; fills and uninitialized tensors take theirs.
    RewritePatternSet patterns(&getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::FillOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    // Constants stay in the dispatches that they were cloned into.
    GreedyRewriteConfig config;
    config.enableConstantCSE(false);
    FailureOr<bool> simplified = applyPatterns(getOperation(), std::move(patterns), config);
    if (failed(simplified))
      return signalPassFailure();
    if (!*simplified && changed.empty())
      return markAllAnalysesPreserved();
    for (flow::DispatchRegionOp region : changed)
      hoistCollapses(sinkExpands(region));
  }
};
} // namespace
