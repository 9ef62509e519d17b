//===- StageGroups.cpp - which ops of a kernel form a stage ---------------===//

#include "StageAnalyzer.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <queue>

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

Stage &StageAnalyzer::addStage(ArrayRef<NPUComputeOpInterface> members, StringRef name,
                               unsigned group) {
  Stage &stage = graph.stages.emplace_back();
  stage.name = name;
  stage.group = group;
  stage.isArray = isArrayOp(members.front());
  for (NPUComputeOpInterface op : members) {
    stage.ops.push_back({op, llvm::to_vector(getDims(op))});
    stageOf[op] = graph.stages.size() - 1;
  }
  // Whoever reads the result of a reduction needs all of it.
  for (NPUComputeOpInterface op : members)
    for (auto [operand, map] : getReadOperands(op))
      if (auto producer = operand->get().getDefiningOp<NPUComputeOpInterface>();
          producer && llvm::is_contained(members, producer))
        llvm::append_range(stage.wholeDims, getReductionDims(producer));
  // So does whoever goes along whole rows. Where such an op is alone, its tiles say so.
  if (members.size() > 1)
    for (NPUComputeOpInterface op : members)
      for (auto [dim, description] : llvm::zip_equal(getDims(op), op.getTileDims(graph.target)))
        if (description.isWhole)
          stage.wholeDims.push_back(dim);
  return stage;
}

/// `matmul`
static StringRef getMnemonic(Operation *op) {
  return op->getName().getStringRef().split('.').second;
}

//===----------------------------------------------------------------------===//
// Reductions of the vector unit
//===----------------------------------------------------------------------===//

SmallVector<unsigned> StageOp::getReductionDims() const {
  SmallVector<unsigned> reductions;
  for (auto [dim, iterator] : llvm::zip_equal(dims, op.getIteratorTypes()))
    if (iterator == utils::IteratorType::reduction)
      reductions.push_back(dim);
  return reductions;
}

SmallVector<unsigned> StageAnalyzer::getReductionDims(NPUComputeOpInterface op) {
  return StageOp{op, llvm::to_vector(getDims(op))}.getReductionDims();
}

bool StageAnalyzer::hasWindows(NPUComputeOpInterface op) {
  return llvm::any_of(op.getTileDims(graph.target),
                      [](const tile::Dim &dim) { return dim.isReduction && dim.isReluctant; });
}

/// Divides `members`, ops of the vector unit, into a reduction over tiles, with what it needs, and
/// what is computed of its results. Fails where an op needs a result and what it is a reduction of.
bool StageAnalyzer::splitAtReduction(ArrayRef<NPUComputeOpInterface> members,
                                     SmallVectorImpl<NPUComputeOpInterface> &reduction,
                                     SmallVectorImpl<NPUComputeOpInterface> &tail) {
  auto isUserIn = [](Operation *op, const auto &group) {
    return llvm::any_of(op->getUsers(),
                        [&](Operation *user) { return llvm::is_contained(group, user); });
  };
  llvm::SmallSetVector<Operation *, 8> needed;
  for (NPUComputeOpInterface op : llvm::reverse(members))
    if (!getReductionDims(op).empty() || isUserIn(op, needed))
      needed.insert(op);
  SmallVector<unsigned> whole, reduced;
  NPUComputeOpInterface last;
  for (NPUComputeOpInterface op : members) {
    if (!needed.contains(op)) {
      tail.push_back(op);
      continue;
    }
    reduction.push_back(op);
    bool isFinal = !isUserIn(op, needed);
    SmallVector<unsigned> dims = getReductionDims(op);
    // Only results of the reductions leave the loops over tiles.
    if (!isFinal &&
        !llvm::all_of(op->getUsers(), [&](Operation *user) { return needed.contains(user); }))
      return false;
    if (!isFinal && hasWindows(op))
      return false; // they move in loops
    if (!isFinal) {
      llvm::append_range(whole, dims);
      continue;
    }
    // Several reductions run over the same tiles.
    if (last && (dims != reduced || getDims(op) != getDims(last)))
      return false;
    reduced = dims;
    last = op;
  }
  auto isReduced = [&](unsigned dim) { return llvm::is_contained(reduced, dim); };
  if (!last || llvm::any_of(whole, isReduced))
    return false;
  // Whole rows beside another reduction leave it no tiles to run over.
  auto hasWholeRows = [&](NPUComputeOpInterface op) {
    return llvm::any_of(op.getTileDims(graph.target),
                        [](const tile::Dim &dim) { return dim.isWhole; });
  };
  if (reduction.size() > 1 && !tail.empty() && llvm::any_of(reduction, hasWholeRows))
    return false;
  // Loops that no op of the tail has would compute it again and again.
  SmallVector<unsigned> kept(getDims(last));
  llvm::erase_if(kept, isReduced);
  return tail.empty() ||
         (llvm::all_of(tail,
                       [&](NPUComputeOpInterface op) { return hasDims(kept, getDims(op)); }) &&
          llvm::any_of(tail, [&](NPUComputeOpInterface op) { return hasDims(getDims(op), kept); }));
}

/// Whether the ops can share tiles: without tiles over whole dimensions, no op needs the result of
/// a reduction and what it is a reduction of.
bool StageAnalyzer::mayShareTiles(ArrayRef<NPUComputeOpInterface> members) {
  NPUComputeOpInterface array;
  SmallVector<NPUComputeOpInterface> vector;
  for (NPUComputeOpInterface op : members) {
    if (isArrayOp(op))
      array = op;
    else
      vector.push_back(op);
  }
  llvm::SmallDenseSet<unsigned> reduced;
  for (NPUComputeOpInterface op : vector)
    for (unsigned dim : getReductionDims(op))
      reduced.insert(dim);
  if (reduced.empty())
    return true;
  if (!splitsReductions &&
      llvm::none_of(vector, [&](NPUComputeOpInterface op) { return hasWindows(op); })) {
    // A tile never spans batches.
    if (array)
      for (auto [dim, description] :
           llvm::zip_equal(getDims(array), array.getTileDims(graph.target)))
        if (description.isUnit && description.extent > 1 && reduced.contains(dim))
          return false;
    return true;
  }
  SmallVector<NPUComputeOpInterface> reduction, tail;
  return !array && splitAtReduction(vector, reduction, tail);
}

/// The stages of a group of ops that share tiles.
void StageAnalyzer::addGroup(ArrayRef<NPUComputeOpInterface> members, StringRef suffix,
                             unsigned group) {
  SmallVector<NPUComputeOpInterface> array, vector, reduction, tail;
  for (NPUComputeOpInterface op : members)
    (isArrayOp(op) ? array : vector).push_back(op);
  if (array.empty() && splitAtReduction(vector, reduction, tail)) {
    addStage(reduction, (getMnemonic(reduction.back()) + suffix).str(), group);
    if (!tail.empty())
      addStage(tail, ("tail" + suffix).str(), group);
    return;
  }
  if (!array.empty())
    addStage(array, (getMnemonic(array.front()) + suffix).str(), group);
  if (vector.empty())
    return;
  Stage &stage = addStage(vector, ((array.empty() ? "vector" : "tail") + suffix).str(), group);
  stage.wholeDims = stage.getReductionDims();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// One contraction at most, whose operands are not computed here, and ops of the vector unit on its
/// tile.
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
  SmallVector<unsigned> dims = getTileDims(root);
  for (NPUComputeOpInterface op : tail)
    if (!hasDims(dims, getDims(op)) || !isAlignedWith(op, ops))
      return false;
  if (!mayShareTiles(ops))
    return false;
  // Loops that no op of the tail has would compute it again and again.
  if (isArrayOp(root) && !tail.empty() &&
      llvm::none_of(tail, [&](NPUComputeOpInterface op) { return hasDims(getDims(op), dims); }))
    return false;
  addGroup(ops, "", 0);
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
  DenseMap<Operation *, unsigned> groupOf, positions;
  for (auto [position, op] : llvm::enumerate(ops))
    positions[op] = position;
  auto join = [&](NPUComputeOpInterface op, unsigned group) {
    groups[group].ops.push_back(op);
    groupOf[op] = group;
  };
  auto create = [&](NPUComputeOpInterface op, bool isEarly) {
    groups.push_back({getTileDims(op), {}, isEarly});
    join(op, groups.size() - 1);
  };
  auto fits = [&](NPUComputeOpInterface op, unsigned number) {
    const Group &group = groups[number];
    if (!hasDims(group.dims, getDims(op)) || !isAlignedWith(op, group.ops))
      return false;
    SmallVector<NPUComputeOpInterface> together = group.ops;
    together.push_back(op);
    llvm::sort(together, [&](Operation *a, Operation *b) { return positions[a] < positions[b]; });
    return mayShareTiles(together);
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
    bool isJoined =
        user && hasOne && fits(op, *user) && llvm::all_of(op->getUses(), [&](OpOperand &use) {
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
  for (auto [number, group] : llvm::enumerate(order)) {
    llvm::sort(group->ops, [&](Operation *a, Operation *b) { return positions[a] < positions[b]; });
    addGroup(group->ops, std::to_string(number), number);
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
  // Of those that can be computed the first one comes next.
  std::vector<SmallVector<unsigned, 2>> users(graph.stages.size());
  std::vector<size_t> numNeeded;
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (auto [number, others] : llvm::enumerate(needed)) {
    for (unsigned other : others)
      users[other].push_back(number);
    numNeeded.push_back(others.size());
    if (others.empty())
      ready.push(number);
  }
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (unsigned user : users[order.back()])
      if (--numNeeded[user] == 0)
        ready.push(user);
  }
  if (order.size() < graph.stages.size()) {
    const Stage &stage =
        graph.stages[llvm::find_if(numNeeded, [](size_t n) { return n > 0; }) - numNeeded.begin()];
    return stage.getRoot().op->emitOpError("is in stage \"")
           << stage.name << "\", which needs its own results through other stages; split it";
  }
  // What only a contraction reads, as weights that are dequantized for it, comes right before that,
  // whose loops may make it.
  auto isMaker = [&](unsigned number) {
    return needed[number].empty() && users[number].size() == 1 && !graph.stages[number].isArray &&
           graph.stages[users[number].front()].isArray;
  };
  std::vector<SmallVector<unsigned, 2>> makers(graph.stages.size());
  for (unsigned number : order)
    if (isMaker(number))
      makers[users[number].front()].push_back(number);
  SmallVector<unsigned> late;
  for (unsigned number : order) {
    if (isMaker(number))
      continue;
    llvm::append_range(late, makers[number]);
    late.push_back(number);
  }
  std::vector<Stage> sorted;
  for (unsigned number : late)
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
  llvm::SmallSetVector<unsigned, 4> reductions;
  for (const StageOp &op : ops)
    reductions.insert_range(op.getReductionDims());
  return reductions.takeVector();
}

bool Stage::leadsGroup() const {
  return isArray || llvm::any_of(getReductionDims(),
                                 [&](unsigned dim) { return !llvm::is_contained(wholeDims, dim); });
}
