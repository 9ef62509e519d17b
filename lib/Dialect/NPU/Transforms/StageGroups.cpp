//===- StageGroups.cpp - which ops of a kernel form a stage ---------------===//

#include "StageAnalyzer.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npu;

bool StageAnalyzer::hasDims(ArrayRef<unsigned> dims, ArrayRef<unsigned> needed) const {
  return llvm::all_of(needed, [&](unsigned dim) { return llvm::is_contained(dims, dim); });
}

/// Whether what `op` reads of `members` it reads on their tile.
bool StageAnalyzer::isAlignedWith(NPUComputeOpInterface op,
                                  ArrayRef<NPUComputeOpInterface> members) {
  return llvm::all_of(getReadOperands(op), [&](auto entry) {
    auto producer = entry.first->get().template getDefiningOp<NPUComputeOpInterface>();
    return !producer || !llvm::is_contained(members, producer) || !unaligned.contains(entry.first);
  });
}

void StageAnalyzer::addStage(ArrayRef<NPUComputeOpInterface> members, StringRef name,
                             unsigned group) {
  Stage &stage = graph.stages.emplace_back();
  stage.name = name;
  stage.group = group;
  stage.isArray = isArrayOp(members.front());
  for (NPUComputeOpInterface op : members) {
    stage.ops.push_back({op, llvm::to_vector(getDims(op))});
    stageOf[op] = graph.stages.size() - 1;
  }
}

/// `matmul`
static StringRef getMnemonic(Operation *op) {
  return op->getName().getStringRef().split('.').second;
}

/// One contraction at most, whose operands are not computed here, and element-wise ops on its tile.
bool StageAnalyzer::tryOneGroup() {
  NPUComputeOpInterface root;
  SmallVector<NPUComputeOpInterface> tail;
  for (NPUComputeOpInterface op : ops) {
    if (!isArrayOp(op)) {
      tail.push_back(op);
      continue;
    }
    if (root)
      return false;
    root = op;
  }
  if (root) {
    if (llvm::any_of(getReadOperands(root), [](auto entry) {
          return entry.first->get().template getDefiningOp<NPUComputeOpInterface>();
        }))
      return false;
  } else {
    root = tail.front();
    for (NPUComputeOpInterface op : tail)
      if (op.getIteratorTypes().size() >= root.getIteratorTypes().size())
        root = op;
  }
  SmallVector<unsigned> dims = getParallelDims(root);
  for (NPUComputeOpInterface op : tail)
    if (!hasDims(dims, getDims(op)) || !isAlignedWith(op, ops))
      return false;
  // Loops that no op of the tail has would compute it again and again.
  if (isArrayOp(root) && !tail.empty() &&
      llvm::none_of(tail, [&](NPUComputeOpInterface op) { return hasDims(getDims(op), dims); }))
    return false;
  if (isArrayOp(root))
    addStage(root, getMnemonic(root), 0);
  if (!tail.empty())
    addStage(tail, isArrayOp(root) ? "tail" : "vector", 0);
  return true;
}

/// An op joins the group of the last of its producers where it fits; one that depends on no
/// contraction joins its users.
void StageAnalyzer::formGroups() {
  struct Group {
    SmallVector<unsigned> dims; ///< that its tiles have
    SmallVector<NPUComputeOpInterface> ops;
    bool isEarly = false; ///< depends on no contraction
  };
  SmallVector<Group> groups;
  DenseMap<Operation *, unsigned> groupOf;
  auto join = [&](NPUComputeOpInterface op, unsigned group) {
    groups[group].ops.push_back(op);
    groupOf[op] = group;
  };
  auto create = [&](NPUComputeOpInterface op, bool isEarly) {
    groups.push_back({getParallelDims(op), {}, isEarly});
    join(op, groups.size() - 1);
  };
  auto fits = [&](NPUComputeOpInterface op, unsigned number) {
    const Group &group = groups[number];
    return hasDims(group.dims, getDims(op)) && isAlignedWith(op, group.ops);
  };

  SmallVector<NPUComputeOpInterface> early;
  for (NPUComputeOpInterface op : ops) {
    std::optional<unsigned> last;
    for (auto [operand, map] : getReadOperands(op))
      if (auto known = groupOf.find(operand->get().getDefiningOp()); known != groupOf.end())
        last = std::max(last.value_or(0), known->second);
    if (isArrayOp(op))
      create(op, /*isEarly=*/false);
    else if (!last)
      early.push_back(op);
    else if (fits(op, *last))
      join(op, *last);
    else
      create(op, /*isEarly=*/false);
  }
  for (NPUComputeOpInterface op : llvm::reverse(early)) {
    std::optional<unsigned> user;
    bool hasOne = true;
    for (Operation *other : op->getUsers())
      if (auto known = groupOf.find(other); known != groupOf.end()) {
        hasOne &= !user || *user == known->second;
        user = known->second;
      }
    // Its users read it on their tile, too.
    bool isJoined = user && hasOne && hasDims(groups[*user].dims, getDims(op)) &&
                    llvm::all_of(op->getUses(), [&](OpOperand &use) {
                      auto reader = dyn_cast<NPUComputeOpInterface>(use.getOwner());
                      return !reader || (!unaligned.contains(&use) && !isArrayOp(reader));
                    });
    if (isJoined)
      join(op, *user);
    else
      create(op, /*isEarly=*/true);
  }

  // Early groups were found from the last to the first.
  SmallVector<Group *> order;
  for (Group &group : llvm::reverse(groups))
    if (group.isEarly)
      order.push_back(&group);
  for (Group &group : groups)
    if (!group.isEarly)
      order.push_back(&group);
  DenseMap<Operation *, unsigned> positions;
  for (auto [position, op] : llvm::enumerate(ops))
    positions[op] = position;
  for (auto [number, group] : llvm::enumerate(order)) {
    llvm::sort(group->ops, [&](Operation *a, Operation *b) { return positions[a] < positions[b]; });
    SmallVector<NPUComputeOpInterface> array, vector;
    for (NPUComputeOpInterface op : group->ops)
      (isArrayOp(op) ? array : vector).push_back(op);
    if (!array.empty())
      addStage(array, (getMnemonic(array.front()) + Twine(number)).str(), number);
    if (!vector.empty())
      addStage(vector, ((array.empty() ? "vector" : "tail") + Twine(number)).str(), number);
  }
}

/// The stages as the ops name them.
LogicalResult StageAnalyzer::takeNamedStages() {
  llvm::MapVector<StringRef, SmallVector<NPUComputeOpInterface>> members;
  for (NPUComputeOpInterface op : ops) {
    if (!op.getStage())
      return op->emitOpError("expected a 'stage', as other ops of the kernel have one");
    if (op.getStage()->empty() || op.getStage()->contains('.'))
      return op->emitOpError("expected the name of a stage, without a dot, but found \"")
             << *op.getStage() << '"';
    members[*op.getStage()].push_back(op);
  }
  for (auto &[name, stageOps] : members) {
    for (NPUComputeOpInterface op : stageOps) {
      if (isArrayOp(op) && stageOps.size() > 1)
        return op->emitOpError("expected a stage of its own, found \"")
               << name << "\" of " << stageOps.size() << " ops";
      if (!isAlignedWith(op, stageOps))
        return op->emitOpError("reads a value of its stage \"")
               << name << "\" in another order, which takes a stage of its own";
    }
    addStage(stageOps, name, graph.stages.size());
  }
  return success();
}

LogicalResult StageAnalyzer::formStages() {
  if (llvm::any_of(ops, [](NPUComputeOpInterface op) { return op.getStage().has_value(); })) {
    if (failed(takeNamedStages()))
      return failure();
  } else if (!tryOneGroup()) {
    formGroups();
  }
  for (Stage &stage : graph.stages)
    if (failed(chooseRoot(stage)))
      return failure();
  return sortStages();
}

/// The op with the largest domain, the last of them; its dimensions include those of the others.
LogicalResult StageAnalyzer::chooseRoot(Stage &stage) {
  for (auto [index, op] : llvm::enumerate(stage.ops))
    if (op.dims.size() >= stage.getRoot().dims.size())
      stage.root = index;
  for (const StageOp &op : stage.ops) {
    if (hasDims(stage.getRoot().dims, op.dims))
      continue;
    InFlightDiagnostic diagnostic =
        op.op->emitOpError("has a loop that the largest op of its stage \"")
        << stage.name << "\" does not have, which takes a stage of its own";
    diagnostic.attachNote(stage.getRoot().op.getLoc()) << "the largest op is here";
    return diagnostic;
  }
  return success();
}

/// Puts stages behind those that they read.
LogicalResult StageAnalyzer::sortStages() {
  SmallVector<llvm::SmallSetVector<unsigned, 4>> needed(graph.stages.size());
  for (auto [number, stage] : llvm::enumerate(graph.stages))
    for (const StageOp &op : stage.ops)
      for (auto [operand, map] : getReadOperands(op.op))
        if (auto known = stageOf.find(operand->get().getDefiningOp());
            known != stageOf.end() && known->second != number)
          needed[number].insert(known->second);
  SmallVector<unsigned> order;
  SmallVector<bool> isDone(graph.stages.size());
  while (order.size() < graph.stages.size()) {
    std::optional<unsigned> next;
    for (unsigned i = 0; i < graph.stages.size() && !next; ++i)
      if (!isDone[i] && llvm::all_of(needed[i], [&](unsigned other) { return isDone[other]; }))
        next = i;
    if (!next) {
      const Stage &stage = graph.stages[llvm::find(isDone, false) - isDone.begin()];
      return stage.getRoot().op->emitOpError("is in stage \"")
             << stage.name << "\", which needs its own results through other stages; split it";
    }
    isDone[*next] = true;
    order.push_back(*next);
  }
  std::vector<Stage> sorted;
  for (unsigned number : order)
    sorted.push_back(std::move(graph.stages[number]));
  graph.stages = std::move(sorted);
  DenseMap<unsigned, unsigned> groups;
  for (auto [number, stage] : llvm::enumerate(graph.stages)) {
    stage.group = groups.try_emplace(stage.group, groups.size()).first->second;
    for (const StageOp &op : stage.ops)
      stageOf[op.op] = number;
  }
  graph.numGroups = groups.size();
  return success();
}

SmallVector<unsigned> Stage::getReductionDims() const {
  SmallVector<unsigned> reductions;
  NPUComputeOpInterface op = getRoot().op;
  for (auto [dim, iterator] : llvm::zip_equal(getRoot().dims, op.getIteratorTypes()))
    if (iterator == utils::IteratorType::reduction)
      reductions.push_back(dim);
  return reductions;
}
