//===- FormDispatchRegions.cpp - group ops into dispatches ----------------===//

#include "NPU/DispatchCreation/Passes.h"

#include "DispatchFormer.h"
#include "DynamicSizes.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_FORMDISPATCHREGIONS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// The ops that make what `op` and its regions use.
static SetVector<Operation *> getProducers(Operation *op) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  SetVector<Operation *> producers;
  for (Value value : values)
    if (Operation *producer = value.getDefiningOp())
      producers.insert(producer);
  return producers;
}

/// Moves what members need, and stands after the root, to before the root.
static void moveOperandsBeforeRoot(const FusionGroup &group, ArrayRef<Operation *> members) {
  Operation *root = group.getRoot();
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.inclusive = true;
  options.filter = [&](Operation *op) {
    return op->getBlock() == root->getBlock() && root->isBeforeInBlock(op) && !group.contains(op);
  };
  SetVector<Operation *> slice;
  for (Operation *member : members)
    for (Operation *producer : getProducers(member))
      (void)getBackwardSlice(producer, &slice, options);
  SmallVector<Operation *> ordered(slice.begin(), slice.end());
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  for (Operation *op : ordered)
    op->moveBefore(root);
}

/// Moves a group into a `flow.dispatch.region` in the place of its root. Users of other members
/// that stood before are left before.
static void createRegion(const FusionGroup &group) {
  SmallVector<Operation *> members = llvm::to_vector(group.getMembers());
  llvm::sort(members, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });

  Block &block = *group.getRoot()->getBlock();
  auto isOutside = [&](Operation *user) {
    return !group.contains(block.findAncestorOpInBlock(*user));
  };
  SmallVector<Value> results;
  for (Operation *member : members)
    for (Value result : member->getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        results.push_back(result);

  moveOperandsBeforeRoot(group, members);
  OpBuilder builder(group.getRoot());
  Location loc = group.getRoot()->getLoc();
  auto region = flow::DispatchRegionOp::create(builder, loc, ValueRange(results).getTypes(),
                                               getDynamicSizes(builder, results),
                                               /*workload=*/ValueRange());
  for (auto [outer, inner] : llvm::zip_equal(region.getResults(), results))
    inner.replaceUsesWithIf(outer, [&](OpOperand &use) { return isOutside(use.getOwner()); });
  Block &body = region.getBody().emplaceBlock();
  for (Operation *member : members)
    member->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  flow::ReturnOp::create(builder, loc, results);
}

static bool isLeftOver(const DispatchFormer &former, Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() && !former.isCloned(op);
}

namespace {
struct FormDispatchRegions : dispatch_creation::impl::FormDispatchRegionsBase<FormDispatchRegions> {
  using FormDispatchRegionsBase::FormDispatchRegionsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (mode != FusionMode::IREE || !horizontalFusion)
      return success();
    return emitError(UnknownLoc::get(context), "horizontal-fusion needs mode=npu, as the rules of "
                                               "mode=iree do not have it");
  }

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<linalg::LinalgOp, flow::DispatchRegionOp, flow::DispatchWorkgroupsOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks) {
      DispatchFormer former(*block, mode, keepIntegers);
      if (mode == FusionMode::NPU) {
        // What the NPU computes comes first, so that nothing takes its tail away.
        former.formGroups(isArrayOp);
        if (horizontalFusion)
          former.mergeSiblings();
      }
      former.formGroups(isRootLike);
      former.formGroups([&](Operation *op) { return isLeftOver(former, op); });
      if (mode == FusionMode::NPU && fuseAttention)
        former.mergeAttentions();
      former.emitRemarks();
      for (const FusionGroup &group : former.getGroups())
        createRegion(group);
      sortTopologically(block);
    }
  }
};
} // namespace
