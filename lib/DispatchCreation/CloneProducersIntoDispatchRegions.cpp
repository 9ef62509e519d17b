//===- CloneProducersIntoDispatchRegions.cpp - compute cheap operands in place -===//

#include "NPU/DispatchCreation/Passes.h"

#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_CLONEPRODUCERSINTODISPATCHREGIONS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Whether all uses of `value` in `region` are targets of insertions, which may update in place.
static bool isOnlyUpdated(Value value, flow::DispatchRegionOp region) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    if (!region->isProperAncestor(use.getOwner()))
      return true;
    auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return insert && insert.getDest() == value;
  });
}

static void cloneProducers(flow::DispatchRegionOp region) {
  while (true) {
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(region.getBody(), captured);
    SetVector<Operation *> producers;
    for (Value value : captured) {
      Operation *producer = value.getDefiningOp();
      if (producer && isCloneable(producer) && !isOnlyUpdated(value, region))
        producers.insert(producer);
    }
    if (producers.empty())
      return;
    // The last one first: those before it then land before its clone.
    producers = topologicalSort(producers);
    for (Operation *producer : llvm::reverse(producers)) {
      auto builder = OpBuilder::atBlockBegin(&region.getBody().front());
      Operation *clone = builder.clone(*producer);
      for (auto [old, fresh] : llvm::zip_equal(producer->getResults(), clone->getResults()))
        old.replaceUsesWithIf(
            fresh, [&](OpOperand &use) { return region->isProperAncestor(use.getOwner()); });
    }
  }
}

/// Makes a dispatch of `op` alone.
static flow::DispatchRegionOp wrapInRegion(linalg::GenericOp op) {
  OpBuilder builder(op);
  auto region =
      flow::DispatchRegionOp::create(builder, op.getLoc(), op.getResultTypes(),
                                     /*result_dims=*/ValueRange(), /*workload=*/ValueRange());
  op->replaceAllUsesWith(region.getResults());
  Block &body = region.getBody().emplaceBlock();
  op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  flow::ReturnOp::create(builder, op.getLoc(), op.getResults());
  return region;
}

namespace {
struct CloneProducersIntoDispatchRegions
    : dispatch_creation::impl::CloneProducersIntoDispatchRegionsBase<
          CloneProducersIntoDispatchRegions> {
  void runOnOperation() override {
    getOperation()->walk([](flow::DispatchRegionOp region) { cloneProducers(region); });
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    // Widening casts that something else than a dispatch reads.
    SmallVector<linalg::GenericOp> remaining;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!isInDispatch(op))
        remaining.push_back(op);
    });
    for (linalg::GenericOp op : remaining)
      cloneProducers(wrapInRegion(op));
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }
};
} // namespace
