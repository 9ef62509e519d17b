//===- FormDispatchRegions.cpp - group ops into dispatches ----------------===//

#include "NPU/DispatchCreation/Passes.h"

#include "FusionGroup.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
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

namespace {
/// Forms the groups of one block and makes regions of them.
class RegionFormer {
public:
  RegionFormer(Block &block, bool aggressive) : block(block), aggressive(aggressive) {}

  /// Lets the ops of the block for which `isRoot` holds take their producers, then their consumers.
  void formGroups(llvm::function_ref<bool(Operation *)> isRoot);

  /// Moves each group into a `flow.dispatch.region`.
  LogicalResult createRegions();

  bool isGrouped(Operation *op) const { return groupOf.contains(op); }

private:
  FusionGroup &getGroup(Operation *op) { return *groups[groupOf.lookup(op)]; }
  void fuseProducers(Operation *root, bool fuseTruncating);
  void fuseConsumers(Operation *root);
  bool isFusableProducer(FusionGroup &group, OpOperand &operand, bool fuseTruncating);
  bool isFusableConsumer(FusionGroup &group, Operation *producer, Operation *consumer);
  bool dependsThroughOthers(FusionGroup &group, Operation *consumer);
  void createRegion(FusionGroup &group);

  Block &block;
  bool aggressive;
  SmallVector<std::unique_ptr<FusionGroup>> groups;
  DenseMap<Operation *, unsigned> groupOf;
};
} // namespace

void RegionFormer::formGroups(llvm::function_ref<bool(Operation *)> isRoot) {
  SmallVector<Operation *> roots;
  for (Operation &op : llvm::reverse(block)) {
    if (isGrouped(&op) || !isRoot(&op))
      continue;
    groupOf[&op] = groups.size();
    groups.push_back(std::make_unique<FusionGroup>(&op));
    fuseProducers(&op, /*fuseTruncating=*/false);
    roots.push_back(&op);
  }
  for (Operation *root : llvm::reverse(roots))
    fuseConsumers(root);
  for (Operation *root : llvm::reverse(roots))
    fuseProducers(root, /*fuseTruncating=*/true);
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

bool RegionFormer::isFusableProducer(FusionGroup &group, OpOperand &operand, bool fuseTruncating) {
  auto consumer = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  if (!consumer || !producer || producer->getBlock() != &block || isCloneable(producer) ||
      isGrouped(producer) || !producer.hasPureTensorSemantics())
    return false;
  if (isBitTruncate(producer) && !fuseTruncating)
    return false;
  // Other users would have to wait for the whole dispatch, or would have to run in its middle.
  if (!llvm::hasSingleElement(producer->getUses()))
    return false;
  if (!aggressive && !consumer.isDpsInit(&operand))
    return false;
  return group.isFusableProducer(operand) && !group.exceedsOperandLimit(producer);
}

void RegionFormer::fuseProducers(Operation *root, bool fuseTruncating) {
  FusionGroup &group = getGroup(root);
  SmallVector<Operation *> worklist = {root};
  while (!worklist.empty()) {
    Operation *consumer = worklist.pop_back_val();
    for (OpOperand &operand : consumer->getOpOperands()) {
      if (!isFusableProducer(group, operand, fuseTruncating))
        continue;
      Operation *producer = operand.get().getDefiningOp();
      group.addProducer(operand);
      groupOf[producer] = groupOf[root];
      worklist.push_back(producer);
    }
  }
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// Whether `generic` can write its result over the result of `producer`, which it reads.
static bool canReuseBuffer(linalg::GenericOp generic, Operation *producer) {
  for (OpOperand *input : generic.getDpsInputOperands()) {
    if (input->get().getDefiningOp() != producer)
      continue;
    for (OpOperand &init : generic.getDpsInitsMutable())
      if (!generic.payloadUsesValueFromOperand(&init) &&
          generic.getMatchingIndexingMap(&init) == generic.getMatchingIndexingMap(input) &&
          init.get().getType() == input->get().getType())
        return true;
  }
  return false;
}

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

/// Whether an operand of `consumer` is computed, by ops outside of the group, from the group.
bool RegionFormer::dependsThroughOthers(FusionGroup &group, Operation *consumer) {
  Operation *first = *llvm::min_element(
      group.getMembers(), [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    Operation *ancestor = block.findAncestorOpInBlock(*op);
    return ancestor && !ancestor->isBeforeInBlock(first);
  };
  for (Operation *producer : getProducers(consumer)) {
    if (group.contains(producer))
      continue;
    SetVector<Operation *> slice;
    // The filter keeps the slice small; it cannot fail on ops of one region.
    (void)getBackwardSlice(producer, &slice, options);
    if (llvm::any_of(slice, [&](Operation *op) { return group.contains(op); }))
      return true;
    // Groups are one op each in the end: what one member needs, all members need.
    for (Operation *op : slice)
      if (isGrouped(op) && &getGroup(op) != &group &&
          llvm::any_of(getGroup(op).getMembers(), [&](Operation *member) {
            return llvm::any_of(member->getOperands(), [&](Value value) {
              return value.getDefiningOp() && group.contains(value.getDefiningOp());
            });
          }))
        return true;
  }
  return false;
}

bool RegionFormer::isFusableConsumer(FusionGroup &group, Operation *producer, Operation *consumer) {
  if (consumer->getBlock() != &block || isGrouped(consumer) || isRootLike(consumer) ||
      isCloneable(consumer) || dependsThroughOthers(group, consumer))
    return false;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(consumer))
    return insert.getSource().getDefiningOp() == producer && producer->hasOneUse() &&
           insert.getDest().getDefiningOp<linalg::FillOp>();

  auto linalgProducer = dyn_cast<linalg::LinalgOp>(producer);
  auto linalgConsumer = dyn_cast<linalg::LinalgOp>(consumer);
  if (!linalgProducer || !linalgConsumer || !linalgConsumer.hasPureTensorSemantics() ||
      !group.isFusableConsumer(linalgConsumer) || group.exceedsOperandLimit(consumer))
    return false;
  if (aggressive)
    return true;
  if (linalgProducer.getNumLoops() < linalgConsumer.getNumLoops())
    return false;
  // A named convolution is tiled so that its consumer has to work in place.
  if (isa<linalg::ConvolutionOpInterface>(producer)) {
    auto generic = dyn_cast<linalg::GenericOp>(consumer);
    return generic && canReuseBuffer(generic, producer);
  }
  return true;
}

void RegionFormer::fuseConsumers(Operation *root) {
  FusionGroup &group = getGroup(root);
  SmallVector<Operation *> worklist = {root};
  while (!worklist.empty()) {
    Operation *producer = worklist.pop_back_val();
    SetVector<Operation *> users;
    unsigned numUses = 0;
    for (OpOperand &use : producer->getUses()) {
      if (isa<tensor::DimOp>(use.getOwner()))
        continue;
      ++numUses;
      users.insert(block.findAncestorOpInBlock(*use.getOwner()));
    }
    if (!aggressive && numUses != 1)
      continue;
    SmallVector<Operation *> ordered(users.begin(), users.end());
    llvm::sort(ordered, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
    for (Operation *consumer : ordered) {
      if (!isFusableConsumer(group, producer, consumer))
        continue;
      group.addConsumer(consumer);
      groupOf[consumer] = groupOf[root];
      worklist.push_back(consumer);
    }
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Moves what members need, and stands after the root, to before the root.
static void moveOperandsBeforeRoot(FusionGroup &group, ArrayRef<Operation *> members) {
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

void RegionFormer::createRegion(FusionGroup &group) {
  SmallVector<Operation *> members = llvm::to_vector(group.getMembers());
  llvm::sort(members, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });

  SmallVector<Value> results;
  for (Operation *member : members)
    for (Value result : member->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !group.contains(user); }))
        results.push_back(result);

  moveOperandsBeforeRoot(group, members);
  OpBuilder builder(group.getRoot());
  Location loc = group.getRoot()->getLoc();
  auto region = flow::DispatchRegionOp::create(builder, loc, ValueRange(results).getTypes(),
                                               /*result_dims=*/ValueRange(),
                                               /*workload=*/ValueRange());
  Block &body = region.getBody().emplaceBlock();
  for (auto [outer, inner] : llvm::zip_equal(region.getResults(), results))
    inner.replaceUsesWithIf(outer, [&](OpOperand &use) { return !group.contains(use.getOwner()); });
  for (Operation *member : members)
    member->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  flow::ReturnOp::create(builder, loc, results);
}

LogicalResult RegionFormer::createRegions() {
  for (auto &group : groups) {
    for (Operation *member : group->getMembers())
      for (Type type : member->getResultTypes())
        if (!cast<RankedTensorType>(type).hasStaticShape())
          return member->emitOpError("expected static shapes to form dispatches of, found ")
                 << type;
    createRegion(*group);
  }
  return success();
}

namespace {
struct FormDispatchRegions : dispatch_creation::impl::FormDispatchRegionsBase<FormDispatchRegions> {
  using FormDispatchRegionsBase::FormDispatchRegionsBase;

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
      RegionFormer former(*block, aggressiveFusion);
      former.formGroups(isRootLike);
      // What no reduction or named op took.
      former.formGroups([](Operation *op) {
        auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        return linalgOp && linalgOp.hasPureTensorSemantics() && !isCloneable(op);
      });
      if (failed(former.createRegions()))
        return signalPassFailure();
    }
  }
};
} // namespace
