//===- DistributeClusters.cpp - give each cluster its share of the tiles --===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace npu {
#define GEN_PASS_DEF_NPUDISTRIBUTECLUSTERS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// How many clusters share the loop's iterations.
static int64_t getClusters(scf::ForOp loop) {
  auto attr = loop->getAttrOfType<IntegerAttr>(kClustersAttrName);
  return attr ? attr.getInt() : 1;
}

/// Whether one of the index values follows from `counter`.
static bool dependOn(ValueRange values, Value counter) {
  BackwardSliceOptions options;
  options.inclusive = options.omitBlockArguments = true;
  SetVector<Operation *> slice;
  for (Value value : values) {
    if (value == counter)
      return true;
    (void)getBackwardSlice(value, &slice, options);
  }
  return llvm::any_of(
      slice, [&](Operation *op) { return llvm::is_contained(op->getOperands(), counter); });
}

/// The loops around `op` that clusters share.
static SmallVector<scf::ForOp> getSharedLoopsAround(Operation *op) {
  SmallVector<scf::ForOp> loops = getLoopsAround(op);
  llvm::erase_if(loops, [](scf::ForOp loop) { return getClusters(loop) == 1; });
  return loops;
}

static LogicalResult checkStores(ArrayRef<Operation *> run, int64_t clusters) {
  auto check = [&](DmaStoreOp store) {
    int64_t count = clusters; // that store the same
    for (scf::ForOp loop : getSharedLoopsAround(store))
      if (dependOn(store.getOrigin(), loop.getInductionVar()))
        count /= getClusters(loop);
    if (count == 1)
      return WalkResult::advance();
    store.emitOpError("expected to be inside each loop with '")
        << kClustersAttrName << "' that there is, and to an origin that depends on its counter, or "
        << "every one of " << count << " clusters would store the same data";
    return WalkResult::interrupt();
  };
  return success(
      llvm::none_of(run, [&](Operation *op) { return op->walk(check).wasInterrupted(); }));
}

/// Loads of a part of what lives outside of the loop from a place that the loop does not move: they
/// have something to do in its first iteration alone.
static SmallVector<DmaLoadOp> collectFirstLoads(scf::ForOp loop) {
  SmallVector<DmaLoadOp> loads;
  loop.walk([&](DmaLoadOp load) {
    if (!loop->isProperAncestor(getRootBuffer(load.getDst()).getDefiningOp()) &&
        !dependOn(load.getOrigin(), loop.getInductionVar()) &&
        dependOn(load.getExtents(), loop.getInductionVar()))
      loads.push_back(load);
  });
  return loads;
}

/// Makes the extents of `load` follow from `counter` where they follow from `position`.
static void useOwnCounter(DmaLoadOp load, Value position, Value counter, OpBuilder &builder) {
  builder.setInsertionPoint(load);
  IRMapping mapping;
  mapping.map(position, counter);
  for (OpOperand &extent : load.getExtentsMutable())
    if (auto limit = extent.get().getDefiningOp<affine::AffineMinOp>();
        limit && llvm::is_contained(limit.getOperands(), position))
      extent.set(builder.clone(*limit, mapping)->getResult(0));
}

/// Shrinks the loop to one cluster's share and rebases its counter. What is loaded in the first
/// iteration alone is loaded in that of each cluster.
static void splitLoop(scf::ForOp loop, Value cluster, int64_t count, OpBuilder &builder) {
  SmallVector<DmaLoadOp> firstLoads = collectFirstLoads(loop);
  int64_t share = llvm::divideCeil(*getTripCount(loop), count);
  builder.setInsertionPoint(loop);
  loop.setUpperBound(arith::ConstantIndexOp::create(builder, loop.getLoc(), share));
  builder.setInsertionPointToStart(loop.getBody());
  AffineExpr clusterDim = builder.getAffineDimExpr(0), counter = builder.getAffineDimExpr(1);
  Value iv = loop.getInductionVar();
  auto position = affine::AffineApplyOp::create(builder, loop.getLoc(),
                                                AffineMap::get(2, 0, clusterDim * share + counter),
                                                ValueRange{cluster, iv});
  iv.replaceAllUsesExcept(position, position);
  for (DmaLoadOp load : firstLoads)
    useOwnCounter(load, position, iv, builder);
}

namespace {
struct DistributeClusters : public npu::impl::NPUDistributeClustersBase<DistributeClusters> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(expectTileForm(kernel)))
      return signalPassFailure();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(target))
      return signalPassFailure();
    bool isChanged = false;
    for (ArrayRef<Operation *> run : collectRuns(kernel)) {
      FailureOr<SharedLoops> loops = collectLoops(run);
      if (failed(loops) || (!loops->empty() && failed(distribute(kernel, run, *loops, *target))))
        return signalPassFailure();
      isChanged |= !loops->empty();
    }
    if (!isChanged)
      markAllAnalysesPreserved();
  }

private:
  using Run = SmallVector<Operation *>;
  /// The loops that clusters share, by dimension of the loop over clusters.
  using SharedLoops = SmallVector<SmallVector<scf::ForOp>, kMaxClusterDims>;

  /// Divides the kernel's ops behind those that store, as clusters may wait for each other there.
  /// What shares buffers on chip stays together. Constants and buffers in DRAM are common to all
  /// clusters.
  static std::vector<Run> collectRuns(KernelOp kernel) {
    std::vector<Run> runs;
    DenseMap<Operation *, size_t> runOf;
    bool isOpen = false;
    for (Operation &op : kernel.getBody().front().without_terminator()) {
      if (op.hasTrait<OpTrait::ConstantLike>() || isDramAllocation(&op) ||
          llvm::isa<memref::ViewOp, scf::ForallOp>(op))
        continue;
      if (!isOpen)
        runs.emplace_back();
      size_t first = runs.size() - 1;
      op.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (auto known = runOf.find(operand.getDefiningOp()); known != runOf.end())
            first = std::min(first, known->second);
      });
      for (; runs.size() - 1 > first; runs.pop_back())
        runs[runs.size() - 2].append(runs.back());
      runs.back().push_back(&op);
      for (Operation *member : runs.back())
        runOf[member] = first;
      isOpen = !op.walk([](DmaStoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
    }
    // What comes after the last store is of no use by itself.
    if (isOpen && runs.size() > 1) {
      runs[runs.size() - 2].append(runs.back());
      runs.pop_back();
    }
    return runs;
  }

  /// The loops of a run that clusters share: those around all others, which as many clusters share,
  /// and those inside of these, for which the same holds.
  static FailureOr<SharedLoops> collectLoops(ArrayRef<Operation *> run) {
    SharedLoops loops;
    auto collect = [&](scf::ForOp loop) {
      if (getClusters(loop) == 1)
        return WalkResult::advance();
      size_t depth = getSharedLoopsAround(loop).size();
      if (depth == kMaxClusterDims) {
        loop.emitOpError("is inside of two loops that clusters share, expected at most two around "
                         "each store");
        return WalkResult::interrupt();
      }
      loops.resize(std::max(loops.size(), depth + 1));
      scf::ForOp other = loops[depth].empty() ? loop : loops[depth].front();
      if (getClusters(other) != getClusters(loop)) {
        InFlightDiagnostic diagnostic = loop.emitOpError("is shared by ")
                                        << getClusters(loop) << " clusters, expected "
                                        << getClusters(other) << " as for another loop";
        diagnostic.attachNote(other.getLoc()) << "the other loop is here";
        return WalkResult::interrupt();
      }
      loops[depth].push_back(loop);
      return WalkResult::advance();
    };
    for (Operation *op : run)
      if (op->walk<WalkOrder::PreOrder>(collect).wasInterrupted())
        return failure();
    return loops;
  }

  static LogicalResult distribute(KernelOp kernel, ArrayRef<Operation *> run,
                                  const SharedLoops &loops, const TargetDesc &target) {
    OpBuilder builder(kernel.getContext());
    SmallVector<OpFoldResult> shape;
    int64_t count = 1;
    for (ArrayRef<scf::ForOp> ofDim : loops) {
      shape.push_back(builder.getIndexAttr(getClusters(ofDim.front())));
      count *= getClusters(ofDim.front());
    }
    if (count > target.clusters)
      return kernel.emitOpError("is split over ")
             << count << " clusters but target '" << target.name << "' has " << target.clusters;
    if (failed(checkStores(run, count)))
      return failure();

    builder.setInsertionPointAfter(run.back());
    auto forall =
        scf::ForallOp::create(builder, kernel.getLoc(), shape, ValueRange(), std::nullopt);
    for (Operation *op : run)
      op->moveBefore(forall.getBody()->getTerminator());
    for (auto [dim, ofDim] : llvm::enumerate(loops))
      for (scf::ForOp loop : ofDim) {
        splitLoop(loop, forall.getInductionVar(dim), getClusters(loop), builder);
        loop->removeAttr(kClustersAttrName);
      }
    // What all of them load alike is loaded once.
    forall.walk([&](DmaLoadOp load) {
      if (getMemorySpace(load.getSrc().getType()) == MemorySpace::Dram &&
          llvm::none_of(forall.getInductionVars(), [&](Value cluster) {
            return dependOn(load.getOrigin(), cluster) || dependOn(load.getExtents(), cluster);
          }))
        load.setClusters(count);
    });
    return success();
  }
};
} // namespace
