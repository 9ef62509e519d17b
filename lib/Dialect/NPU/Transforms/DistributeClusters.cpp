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

static LogicalResult checkStores(ArrayRef<Operation *> run, int64_t count) {
  auto check = [&](DmaStoreOp store) {
    for (auto loop = store->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (getClusters(loop) > 1 && dependOn(store.getOrigin(), loop.getInductionVar()))
        return WalkResult::advance();
    store.emitOpError("expected to be inside a loop with '")
        << kClustersAttrName << "', as others of the kernel, and to an origin that depends on its "
        << "counter, or every one of " << count << " clusters would store the same data";
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
      FailureOr<SmallVector<scf::ForOp>> loops = collectLoops(run);
      if (failed(loops) || (!loops->empty() && failed(distribute(kernel, run, *loops, *target))))
        return signalPassFailure();
      isChanged |= !loops->empty();
    }
    if (!isChanged)
      markAllAnalysesPreserved();
  }

private:
  using Run = SmallVector<Operation *>;

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

  /// The loops of a run that clusters share, all by as many.
  static FailureOr<SmallVector<scf::ForOp>> collectLoops(ArrayRef<Operation *> run) {
    SmallVector<scf::ForOp> loops;
    auto collect = [&](scf::ForOp loop) {
      if (getClusters(loop) == 1)
        return WalkResult::advance();
      if (!loops.empty() && getClusters(loops.front()) != getClusters(loop)) {
        InFlightDiagnostic diagnostic = loop.emitOpError("is shared by ")
                                        << getClusters(loop) << " clusters, expected "
                                        << getClusters(loops.front()) << " as for another loop";
        diagnostic.attachNote(loops.front().getLoc()) << "the other loop is here";
        return WalkResult::interrupt();
      }
      for (auto outer = loop->getParentOfType<scf::ForOp>(); outer;
           outer = outer->getParentOfType<scf::ForOp>())
        if (getClusters(outer) > 1) {
          loop.emitOpError("is inside a loop that clusters share, expected one around each store");
          return WalkResult::interrupt();
        }
      loops.push_back(loop);
      return WalkResult::advance();
    };
    for (Operation *op : run)
      if (op->walk(collect).wasInterrupted())
        return failure();
    return loops;
  }

  static LogicalResult distribute(KernelOp kernel, ArrayRef<Operation *> run,
                                  ArrayRef<scf::ForOp> loops, const TargetDesc &target) {
    int64_t count = getClusters(loops.front());
    if (count > target.clusters)
      return kernel.emitOpError("is split over ")
             << count << " clusters but target '" << target.name << "' has " << target.clusters;
    if (failed(checkStores(run, count)))
      return failure();

    OpBuilder builder(kernel.getContext());
    builder.setInsertionPointAfter(run.back());
    auto forall = scf::ForallOp::create(builder, kernel.getLoc(),
                                        ArrayRef<OpFoldResult>{builder.getIndexAttr(count)},
                                        ValueRange(), std::nullopt);
    for (Operation *op : run)
      op->moveBefore(forall.getBody()->getTerminator());
    for (scf::ForOp loop : loops) {
      splitLoop(loop, forall.getInductionVar(0), count, builder);
      loop->removeAttr(kClustersAttrName);
    }
    // What all of them load alike is loaded once.
    Value cluster = forall.getInductionVar(0);
    forall.walk([&](DmaLoadOp load) {
      if (getMemorySpace(load.getSrc().getType()) == MemorySpace::Dram &&
          !dependOn(load.getOrigin(), cluster) && !dependOn(load.getExtents(), cluster))
        load.setClusters(count);
    });
    return success();
  }
};
} // namespace
