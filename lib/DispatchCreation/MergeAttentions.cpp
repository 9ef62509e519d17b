//===- MergeAttentions.cpp - two contractions and the softmax between -----===//

#include "DispatchFormer.h"

#include "FusionUtils.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace npu::dispatch_creation;

/// Groups between the contractions: bounds the search, and the kernel.
static constexpr unsigned kMaxGroups = 6;

static bool hasHostType(const FusionGroup &group) {
  return llvm::any_of(group.getMembers(), [](Operation *op) { return findHostType(op) != Type(); });
}

/// Whether `op` reduces dimension `position` of an input of the same shape as `type`.
static bool reduces(Operation *op, RankedTensorType type, unsigned position) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return softmax.getInputOperandType().getShape() == type.getShape() &&
           softmax.getDimension() == position;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  return llvm::any_of(linalgOp.getDpsInputOperands(), [&](OpOperand *input) {
    auto inputType = dyn_cast<RankedTensorType>(input->get().getType());
    AffineMap map = linalgOp.getMatchingIndexingMap(input);
    return inputType && inputType.getShape() == type.getShape() && map.isProjectedPermutation() &&
           linalgOp.getIteratorTypesArray()[map.getDimPosition(position)] ==
               utils::IteratorType::reduction;
  });
}

/// Whether the contraction of `last` sums over a dimension that groups between reduce: then a part
/// of the rows goes through all of them before the next one does.
bool DispatchFormer::sumsOverReduced(const FusionGroup &last, ArrayRef<unsigned> between) const {
  auto contraction = dyn_cast<linalg::LinalgOp>(last.getRoot());
  if (!contraction || !linalg::isaContractionOpInterface(contraction))
    return false;
  for (OpOperand *input : contraction.getDpsInputOperands()) {
    auto known = groupOf.find(input->get().getDefiningOp());
    if (known == groupOf.end() || !llvm::is_contained(between, known->second))
      continue;
    AffineMap map = contraction.getMatchingIndexingMap(input);
    auto type = cast<RankedTensorType>(input->get().getType());
    for (unsigned position = 0; position < map.getNumResults(); ++position) {
      if (contraction.getIteratorTypesArray()[map.getDimPosition(position)] !=
          utils::IteratorType::reduction)
        continue;
      for (unsigned group : between)
        if (llvm::any_of(groups[group]->getMembers(),
                         [&](Operation *op) { return reduces(op, type, position); }))
          return true;
    }
  }
  return false;
}

/// The groups that all results of `first` go through to one contraction, which is the last. What
/// makes elements wider, as of scores in f16, is in no group, as it is cloned into those that read
/// it: it is in `cloned`.
std::optional<SmallVector<unsigned>>
DispatchFormer::findAttention(unsigned first, SmallVectorImpl<Operation *> &cloned) const {
  auto isArrayGroup = [&](unsigned group) { return isArrayOp(groups[group]->getRoot()); };
  SmallVector<unsigned> found = {first};
  std::optional<unsigned> last;
  // Whether all that reads `op` belongs to it.
  auto follow = [&](Operation *op, const FusionGroup *group) {
    for (Operation *nested : op->getUsers()) {
      Operation *user = block.findAncestorOpInBlock(*nested);
      if ((group && group->contains(user)) || isa<tensor::DimOp>(nested) ||
          llvm::is_contained(cloned, user))
        continue;
      auto known = groupOf.find(user);
      if (known == groupOf.end() && !isBitExtend(user))
        return false;
      if (known == groupOf.end()) {
        cloned.push_back(user);
        continue;
      }
      unsigned number = known->second;
      if (isArrayGroup(number) && last.value_or(number) != number)
        return false;
      if (isArrayGroup(number))
        last = number;
      else if (!llvm::is_contained(found, number))
        found.push_back(number);
    }
    return found.size() + cloned.size() <= kMaxGroups;
  };
  for (unsigned group = 0, copy = 0; group < found.size() || copy < cloned.size();) {
    if (copy < cloned.size()) {
      if (!follow(cloned[copy++], nullptr))
        return std::nullopt;
      continue;
    }
    const FusionGroup &next = *groups[found[group++]];
    for (Operation *member : next.getMembers())
      if (!follow(member, &next))
        return std::nullopt;
  }
  if (!last || !sumsOverReduced(*groups[*last], ArrayRef(found).drop_front()))
    return std::nullopt;
  found.push_back(*last);
  return found;
}

void DispatchFormer::mergeAttentions() {
  for (unsigned first = groups.size(); first-- > 0;) {
    if (!groups[first] || !isKernelRoot(groups[first]->getRoot()))
      continue;
    SmallVector<Operation *> cloned;
    std::optional<SmallVector<unsigned>> found = findAttention(first, cloned);
    if (!found || llvm::any_of(*found, [&](unsigned group) { return hasHostType(*groups[group]); }))
      continue;
    FusionGroup &group = *groups[first];
    SmallVector<Operation *> joining, all = llvm::to_vector(group.getMembers());
    for (unsigned other : ArrayRef(*found).drop_front())
      llvm::append_range(joining, groups[other]->getMembers());
    llvm::append_range(joining, cloned);
    llvm::append_range(all, joining);
    Operation *root = groups[found->back()]->getRoot();
    std::string reason;
    if (closesCycle(group, joining, all) || group.exceedsOperandLimit(joining, reason)) {
      log.refuse(group.getRoot(), root, reason.empty() ? kCycle.str() : reason);
      continue;
    }
    log.fuse(group.getRoot(), root,
             "the second contraction sums over rows that are reduced between");
    for (Operation *op : cloned) {
      found->push_back(groups.size());
      groupOf[op] = groups.size();
      groups.push_back(std::make_unique<FusionGroup>(op));
    }
    for (unsigned other : ArrayRef(*found).drop_front())
      merge(first, other);
  }
}
