//===- DispatchFormer.cpp - which ops of a block become one dispatch ------===//

#include "DispatchFormer.h"

#include "FusionUtils.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu::dispatch_creation;

/// Whether the array op of a kernel reads `op`, directly or through what is cloned to it.
static bool feedsKernel(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
    return linalgOp ? isKernelRoot(user) : isCloneable(user) && feedsKernel(user);
  });
}

bool DispatchFormer::isCloned(Operation *op) const {
  if (!isCloneable(op))
    return false;
  return mode == FusionMode::IREE || !isBitExtend(op) || (!findHostType(op) && !feedsKernel(op));
}

void DispatchFormer::formGroups(llvm::function_ref<bool(Operation *)> isRoot) {
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

/// Whether `op` uses results of the group in its regions, where it may read any element of them.
static bool readsElements(const FusionGroup &group, Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return llvm::any_of(captured, [&](Value value) {
    return value.getDefiningOp() && group.contains(value.getDefiningOp());
  });
}

bool DispatchFormer::closesCycle(const FusionGroup &group, ArrayRef<Operation *> ops,
                                 ArrayRef<Operation *> first) const {
  auto isInside = [&](Operation *op) { return group.contains(op) || llvm::is_contained(ops, op); };
  SmallVector<Operation *> worklist;
  llvm::DenseSet<Operation *> visited;
  // What runs after `op`: its users, with all that is in their dispatches.
  auto visitUsers = [&](Operation *op) {
    for (Operation *nested : op->getUsers()) {
      Operation *user = block.findAncestorOpInBlock(*nested);
      if (isInside(user) || !visited.insert(user).second)
        continue;
      worklist.push_back(user);
      if (auto it = groupOf.find(user); it != groupOf.end())
        for (Operation *member : groups[it->second]->getMembers())
          if (visited.insert(member).second)
            worklist.push_back(member);
    }
  };
  llvm::for_each(first, visitUsers);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    for (Operation *nested : op->getUsers())
      if (isInside(block.findAncestorOpInBlock(*nested)))
        return true;
    visitUsers(op);
  }
  return false;
}

static std::string describeUses(size_t count) {
  return "the producer has " + std::to_string(count) + " uses";
}

//===----------------------------------------------------------------------===//
// Producers
//===----------------------------------------------------------------------===//

bool DispatchFormer::isFusableProducer(FusionGroup &group, OpOperand &operand, bool fuseTruncating,
                                       std::string &reason) {
  auto consumer = cast<linalg::LinalgOp>(operand.getOwner());
  auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
  if (isCloned(producer)) {
    reason = "the producer is cheap and cloned into its users";
    return false;
  }
  if (mode == FusionMode::NPU && isArrayOp(group.getRoot())) {
    reason = "a kernel computes no operand of its contraction or convolution";
    return false;
  }
  if (isGrouped(producer)) {
    reason = "the producer is in another dispatch";
    return false;
  }
  if (mode == FusionMode::IREE && !consumer.isDpsInit(&operand)) {
    reason = "the producer makes an input, not what is accumulated on";
    return false;
  }
  // Its result is cheap to store: consumers come first.
  if (isBitTruncate(producer) && !fuseTruncating)
    return false;
  // Other users wait for the whole dispatch.
  if (size_t numUses = llvm::range_size(producer->getUses());
      numUses > 1 && mode == FusionMode::IREE) {
    reason = describeUses(numUses);
    return false;
  }
  if (closesCycle(group, producer.getOperation(), producer.getOperation())) {
    reason = kCycle;
    return false;
  }
  return group.isFusableProducer(operand, reason) &&
         !group.exceedsOperandLimit(producer.getOperation(), reason);
}

void DispatchFormer::fuseProducers(Operation *root, bool fuseTruncating) {
  FusionGroup &group = getGroup(root);
  SmallVector<Operation *> worklist = {root};
  while (!worklist.empty()) {
    Operation *consumer = worklist.pop_back_val();
    if (!isa<linalg::LinalgOp>(consumer))
      continue;
    for (OpOperand &operand : consumer->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
      if (!producer || isa<linalg::FillOp>(producer) || producer->getBlock() != &block ||
          !producer.hasPureTensorSemantics() || group.contains(producer))
        continue;
      std::string reason;
      if (!isFusableProducer(group, operand, fuseTruncating, reason)) {
        if (!reason.empty())
          log.refuse(producer, consumer, reason);
        continue;
      }
      log.fuse(producer, consumer, "the consumer's loops compute the operand where they read it");
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

/// Whether the group grows along results of a single use only. An NPU's kernel has one result; what
/// the host runs may have several.
bool DispatchFormer::followsSingleUses(FusionGroup &group) const {
  return mode == FusionMode::IREE || isArrayOp(group.getRoot());
}

bool DispatchFormer::isFusableConsumer(FusionGroup &group, Operation *producer, Operation *consumer,
                                       std::string &reason) {
  if (isRootLike(consumer)) {
    reason = "the consumer reduces or is a named op and starts a dispatch";
    return false;
  }
  if (isGrouped(consumer)) {
    reason = "the consumer is in another dispatch";
    return false;
  }
  if (isCloned(consumer)) {
    reason = "the consumer is cheap and cloned into its users";
    return false;
  }
  if (Type type = findHostType(consumer);
      type && mode == FusionMode::NPU && isKernelRoot(group.getRoot())) {
    std::string name = llvm::formatv("{0}", type);
    reason = "the consumer computes with " + name + ", which a kernel has no elements of";
    return false;
  }
  if (auto linalgConsumer = dyn_cast<linalg::LinalgOp>(consumer);
      keepIntegers && linalgConsumer && isArrayOp(group.getRoot()) &&
      !givesFloats(cast<linalg::LinalgOp>(group.getRoot())) && givesFloats(linalgConsumer)) {
    reason = "the consumer computes floats, which the vector unit does not have";
    return false;
  }
  if (readsElements(group, consumer)) {
    reason = "the consumer picks elements of the result in its body";
    return false;
  }
  if (closesCycle(group, consumer, llvm::to_vector(group.getMembers()))) {
    reason = kCycle;
    return false;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(consumer)) {
    reason = "the insertion is not of a single use into a fill";
    return insert.getSource().getDefiningOp() == producer && producer->hasOneUse() &&
           insert.getDest().getDefiningOp<linalg::FillOp>();
  }

  auto linalgProducer = dyn_cast<linalg::LinalgOp>(producer);
  auto linalgConsumer = dyn_cast<linalg::LinalgOp>(consumer);
  if (!linalgProducer || !linalgConsumer || !linalgConsumer.hasPureTensorSemantics()) {
    reason = "the producer is no linalg op, whose loops could be followed";
    return false;
  }
  if (!group.isFusableConsumer(linalgConsumer, reason) ||
      group.exceedsOperandLimit(consumer, reason))
    return false;
  if (followsSingleUses(group) && linalgProducer.getNumLoops() < linalgConsumer.getNumLoops()) {
    reason = "the consumer has more loops than the producer";
    return false;
  }
  // IREE tiles a named convolution so that its consumer has to work in place. A NPU's tail reads
  // the accumulator and writes a buffer of any type.
  auto generic = dyn_cast<linalg::GenericOp>(consumer);
  if (mode == FusionMode::IREE && isa<linalg::ConvolutionOpInterface>(producer) &&
      !(generic && canReuseBuffer(generic, producer))) {
    reason = "the consumer cannot write over the result of the named convolution: another type, "
             "another order, or it reads its init";
    return false;
  }
  return true;
}

void DispatchFormer::fuseConsumers(Operation *root) {
  FusionGroup &group = getGroup(root);
  SmallVector<Operation *> worklist = {root};
  while (!worklist.empty()) {
    Operation *producer = worklist.pop_back_val();
    SetVector<Operation *> users;
    size_t numUses = 0;
    for (OpOperand &use : producer->getUses()) {
      if (isa<tensor::DimOp>(use.getOwner()))
        continue;
      ++numUses;
      users.insert(block.findAncestorOpInBlock(*use.getOwner()));
    }
    SmallVector<Operation *> ordered(users.begin(), users.end());
    llvm::sort(ordered, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
    for (Operation *consumer : ordered) {
      // What leaves the block or only names another shape is no candidate.
      if (!isa<linalg::LinalgOp, tensor::InsertSliceOp>(consumer) || group.contains(consumer))
        continue;
      std::string reason;
      if (numUses != 1 && followsSingleUses(group)) {
        log.refuse(producer, consumer, describeUses(numUses));
        continue;
      }
      if (!isFusableConsumer(group, producer, consumer, reason)) {
        log.refuse(producer, consumer, reason);
        continue;
      }
      log.fuse(producer, consumer, "the consumer's loops walk along those of the root");
      group.addConsumer(consumer);
      groupOf[consumer] = groupOf[root];
      worklist.push_back(consumer);
    }
  }
}

//===----------------------------------------------------------------------===//
// Siblings
//===----------------------------------------------------------------------===//

/// Whether both roots are contractions that read one tensor in the same way.
bool DispatchFormer::areSiblings(const FusionGroup &first, const FusionGroup &second) const {
  auto lhs = dyn_cast<linalg::LinalgOp>(first.getRoot());
  auto rhs = dyn_cast<linalg::LinalgOp>(second.getRoot());
  if (!lhs || !rhs || !linalg::isaContractionOpInterface(lhs) ||
      !linalg::isaContractionOpInterface(rhs))
    return false;
  return llvm::any_of(llvm::zip(lhs.getDpsInputOperands(), rhs.getDpsInputOperands()),
                      [&](auto pair) {
                        auto [left, right] = pair;
                        return left->get() == right->get() && lhs.getMatchingIndexingMap(left) ==
                                                                  rhs.getMatchingIndexingMap(right);
                      });
}

void DispatchFormer::merge(unsigned into, unsigned other) {
  for (Operation *member : groups[other]->getMembers())
    groupOf[member] = into;
  groups[into]->addGroup(*groups[other]);
  groups[other].reset();
}

bool DispatchFormer::canMerge(const FusionGroup &first, const FusionGroup &second,
                              std::string &reason) const {
  auto reads = [this](const FusionGroup &producers, const FusionGroup &consumers) {
    return llvm::any_of(producers.getMembers(), [&](Operation *producer) {
      return llvm::any_of(producer->getUsers(), [&](Operation *user) {
        return consumers.contains(block.findAncestorOpInBlock(*user));
      });
    });
  };
  SmallVector<Operation *> members = llvm::to_vector(second.getMembers());
  SmallVector<Operation *> all = llvm::to_vector(first.getMembers());
  llvm::append_range(all, members);
  if (reads(first, second) || reads(second, first) || closesCycle(first, members, all)) {
    reason = "both read one operand, but one of them waits for the other";
    return false;
  }
  return !first.exceedsOperandLimit(members, reason);
}

void DispatchFormer::mergeSiblings() {
  for (auto &first : llvm::reverse(groups)) {
    if (!first)
      continue;
    for (auto &second : llvm::reverse(groups)) {
      if (!second || !first->getRoot()->isBeforeInBlock(second->getRoot()) ||
          !areSiblings(*first, *second))
        continue;
      std::string reason;
      if (!canMerge(*first, *second, reason)) {
        log.refuse(first->getRoot(), second->getRoot(), reason);
        // Those after it are further away: what they read would be kept for long.
        break;
      }
      log.fuse(first->getRoot(), second->getRoot(), "both contractions read one operand");
      merge(&first - groups.begin(), &second - groups.begin());
    }
  }
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

void DispatchFormer::emitRemarks() {
  for (auto pad : block.getOps<tensor::PadOp>())
    for (Operation *user : pad->getUsers())
      if (isCloneable(pad) && isGrouped(user))
        log.fuse(pad, user, "the padding is part of what the window reads");
  log.emit([&](Operation *producer, Operation *consumer) {
    return isGrouped(producer) && isGrouped(consumer) &&
           groupOf.lookup(producer) == groupOf.lookup(consumer);
  });
}
