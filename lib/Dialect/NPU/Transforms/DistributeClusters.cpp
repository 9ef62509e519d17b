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

static LogicalResult checkStores(KernelOp kernel, int64_t count) {
  WalkResult result = kernel.walk([&](DmaStoreOp store) {
    for (auto loop = store->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (getClusters(loop) > 1 && dependsOn(store, loop))
        return WalkResult::advance();
    store.emitOpError("expected to be inside a loop with '")
        << kClustersAttrName << "', as others of the kernel, and to an origin that depends on its "
        << "counter, or every one of " << count << " clusters would store the same data";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Shrinks the loop to one cluster's share and rebases its counter.
static void splitLoop(scf::ForOp loop, Value cluster, int64_t count, OpBuilder &builder) {
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
}

namespace {
struct DistributeClusters : public npu::impl::NPUDistributeClustersBase<DistributeClusters> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(expectTileForm(kernel)))
      return signalPassFailure();
    FailureOr<TargetDesc> target = getTarget(kernel);
    FailureOr<SmallVector<scf::ForOp>> loops = collectLoops(kernel);
    if (failed(target) || failed(loops))
      return signalPassFailure();
    if (loops->empty())
      return markAllAnalysesPreserved();
    if (failed(distribute(kernel, *loops, *target)))
      signalPassFailure();
  }

private:
  /// The loops that clusters share, all by as many.
  static FailureOr<SmallVector<scf::ForOp>> collectLoops(KernelOp kernel) {
    SmallVector<scf::ForOp> loops;
    WalkResult result = kernel.walk([&](scf::ForOp loop) {
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
    });
    if (result.wasInterrupted())
      return failure();
    return loops;
  }

  static LogicalResult distribute(KernelOp kernel, ArrayRef<scf::ForOp> loops,
                                  const TargetDesc &target) {
    int64_t count = getClusters(loops.front());
    if (count > target.clusters)
      return kernel.emitOpError("is split over ")
             << count << " clusters but target '" << target.name << "' has " << target.clusters;
    if (failed(checkStores(kernel, count)))
      return failure();

    // Constants and buffers in DRAM stay outside: they are common to all clusters.
    Block &body = kernel.getBody().front();
    SmallVector<Operation *> inside;
    for (Operation &op : body.without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>() && !isDramAllocation(&op))
        inside.push_back(&op);

    OpBuilder builder(body.getTerminator());
    auto forall = scf::ForallOp::create(builder, kernel.getLoc(),
                                        ArrayRef<OpFoldResult>{builder.getIndexAttr(count)},
                                        ValueRange(), std::nullopt);
    for (Operation *op : inside)
      op->moveBefore(forall.getBody()->getTerminator());
    for (scf::ForOp loop : loops) {
      splitLoop(loop, forall.getInductionVar(0), count, builder);
      loop->removeAttr(kClustersAttrName);
    }
    return success();
  }
};
} // namespace
