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

/// Whether `loop` tiles iteration dimension `dim` of the root op.
static bool tilesDim(scf::ForOp loop, int64_t dim) {
  auto attr = loop->getAttrOfType<IntegerAttr>("npu.dim");
  return attr && attr.getInt() == dim;
}

/// Whether where `store` goes follows from the counter of `loop`.
static bool dependsOn(DmaStoreOp store, scf::ForOp loop) {
  BackwardSliceOptions options;
  options.inclusive = options.omitBlockArguments = true;
  SetVector<Operation *> slice;
  for (Value coordinate : store.getOrigin()) {
    if (coordinate == loop.getInductionVar())
      return true;
    (void)getBackwardSlice(coordinate, &slice, options);
  }
  return llvm::any_of(slice, [&](Operation *op) {
    return llvm::is_contained(op->getOperands(), loop.getInductionVar());
  });
}

static LogicalResult checkStores(KernelOp kernel, ClusterAttr cluster) {
  WalkResult result = kernel.walk([&](DmaStoreOp store) {
    for (auto loop = store->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (tilesDim(loop, cluster.getDim()) && dependsOn(store, loop))
        return WalkResult::advance();
    store.emitOpError("expected to be inside a loop with npu.dim = ")
        << cluster.getDim() << ", the dimension that the kernel splits over " << cluster.getCount()
        << " clusters, and to an origin that depends on its counter, or every cluster would store "
           "the same data";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Shrinks the loop to one cluster's share and rebases its counter.
static LogicalResult splitLoop(scf::ForOp loop, Value cluster, int64_t count, OpBuilder &builder) {
  std::optional<int64_t> trips = getTripCount(loop);
  if (!trips)
    return loop.emitOpError("expected a loop from 0 in steps of 1 with a constant trip count");
  int64_t share = llvm::divideCeil(*trips, count);
  builder.setInsertionPoint(loop);
  loop.setUpperBound(arith::ConstantIndexOp::create(builder, loop.getLoc(), share));
  builder.setInsertionPointToStart(loop.getBody());
  AffineExpr clusterDim = builder.getAffineDimExpr(0), counter = builder.getAffineDimExpr(1);
  Value iv = loop.getInductionVar();
  auto position = affine::AffineApplyOp::create(builder, loop.getLoc(),
                                                AffineMap::get(2, 0, clusterDim * share + counter),
                                                ValueRange{cluster, iv});
  iv.replaceAllUsesExcept(position, position);
  return success();
}

namespace {
struct DistributeClusters : public npu::impl::NPUDistributeClustersBase<DistributeClusters> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(expectTileForm(kernel)))
      return signalPassFailure();
    ClusterAttr cluster = kernel.getClusterAttr();
    if (!cluster || cluster.getCount() == 1)
      return;
    if (failed(distribute(kernel, cluster)))
      signalPassFailure();
  }

private:
  static LogicalResult distribute(KernelOp kernel, ClusterAttr cluster) {
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(target))
      return failure();
    if (cluster.getCount() > target->clusters)
      return kernel.emitOpError("is split over ") << cluster.getCount() << " clusters but target '"
                                                  << target->name << "' has " << target->clusters;
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) {
      if (tilesDim(loop, cluster.getDim()))
        loops.push_back(loop);
    });
    if (loops.empty())
      return kernel.emitOpError("expected a loop with npu.dim = ")
             << cluster.getDim() << ", the dimension to split over " << cluster.getCount()
             << " clusters";
    if (failed(checkStores(kernel, cluster)))
      return failure();

    // Constants and buffers in DRAM stay outside: they are common to all clusters.
    Block &body = kernel.getBody().front();
    SmallVector<Operation *> inside;
    for (Operation &op : body.without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>() && !isDramAllocation(&op))
        inside.push_back(&op);

    OpBuilder builder(body.getTerminator());
    auto forall = scf::ForallOp::create(
        builder, kernel.getLoc(), ArrayRef<OpFoldResult>{builder.getIndexAttr(cluster.getCount())},
        ValueRange(), std::nullopt);
    for (Operation *op : inside)
      op->moveBefore(forall.getBody()->getTerminator());
    for (scf::ForOp loop : loops)
      if (failed(splitLoop(loop, forall.getInductionVar(0), cluster.getCount(), builder)))
        return failure();
    return success();
  }

  static bool isDramAllocation(Operation *op) {
    auto alloc = dyn_cast<memref::AllocOp>(op);
    return alloc && getMemorySpace(alloc.getType()) == MemorySpace::Dram;
  }
};
} // namespace
