//===- CloneProducersIntoDispatchRegions.cpp - compute cheap operands in place -===//

#include "NPU/DispatchCreation/Passes.h"

#include "DynamicSizes.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <utility>

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_CLONEPRODUCERSINTODISPATCHREGIONS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Whether `uses` of a value are all targets of insertions, which may update in place.
static bool isOnlyUpdated(ArrayRef<OpOperand *> uses) {
  return llvm::all_of(uses, [](OpOperand *use) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(use->getOwner());
    return insert && insert.getDest() == use->get();
  });
}

/// Adds the producers that it clones to `cloned`.
static void cloneProducers(flow::DispatchRegionOp region, llvm::SetVector<Operation *> &cloned) {
  while (true) {
    CapturedUses captured = getCapturedUses(region.getBody());
    llvm::SmallSetVector<Operation *, 8> producers;
    // From the last use to the first, which orders those that do not depend on each other; as IREE.
    for (auto &[value, uses] : llvm::reverse(captured)) {
      Operation *producer = value.getDefiningOp();
      if (producer && isCloneable(producer) && !isOnlyUpdated(uses))
        producers.insert(producer);
    }
    if (producers.empty())
      return;
    cloned.insert(producers.begin(), producers.end());
    // The last one first: those before it then land before its clone.
    SmallVector<Operation *> ordered = producers.takeVector();
    computeTopologicalSorting(ordered);
    for (Operation *producer : llvm::reverse(ordered)) {
      auto builder = OpBuilder::atBlockBegin(&region.getBody().front());
      Operation *clone = builder.clone(*producer);
      clone->walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          captured[operand.get()].push_back(&operand);
      });
      for (auto [old, fresh] : llvm::zip_equal(producer->getResults(), clone->getResults()))
        for (OpOperand *use : captured.lookup(old))
          use->set(fresh);
    }
  }
}

/// Erases those of `ops` that nothing reads, and what only they read.
static void eraseDead(llvm::SetVector<Operation *> ops) {
  while (!ops.empty()) {
    Operation *op = ops.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *producer = operand.getDefiningOp(); producer && !op->isAncestor(producer))
          ops.insert(producer);
    });
    op->erase();
  }
}

/// Makes a dispatch of `op` alone.
static flow::DispatchRegionOp wrapInRegion(linalg::GenericOp op) {
  OpBuilder builder(op);
  auto region = flow::DispatchRegionOp::create(builder, op.getLoc(), op.getResultTypes(),
                                               getResultSizes(builder, op),
                                               /*workload=*/ValueRange());
  op->replaceAllUsesWith(region.getResults());
  Block &body = region.getBody().emplaceBlock();
  op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  flow::ReturnOp::create(builder, op.getLoc(), op.getResults());
  return region;
}

namespace {
/// The fact that no dispatch has anything to clone; known until a pass changes the function.
struct IsCloned {
  explicit IsCloned(Operation *) {}
};

struct CloneProducersIntoDispatchRegions
    : dispatch_creation::impl::CloneProducersIntoDispatchRegionsBase<
          CloneProducersIntoDispatchRegions> {
  void runOnOperation() override {
    if (getCachedAnalysis<IsCloned>())
      return markAllAnalysesPreserved();
    llvm::SetVector<Operation *> cloned;
    getOperation()->walk([&](flow::DispatchRegionOp region) { cloneProducers(region, cloned); });
    bool changed = !cloned.empty();
    eraseDead(std::exchange(cloned, {}));
    // Widening casts that something else than a dispatch reads.
    SmallVector<linalg::GenericOp> remaining;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!isInDispatch(op))
        remaining.push_back(op);
    });
    for (linalg::GenericOp op : remaining)
      cloneProducers(wrapInRegion(op), cloned);
    eraseDead(std::move(cloned));
    if (remaining.empty() && !changed)
      markAllAnalysesPreserved();
    (void)getAnalysis<IsCloned>();
    markAnalysesPreserved<IsCloned>();
  }
};
} // namespace
