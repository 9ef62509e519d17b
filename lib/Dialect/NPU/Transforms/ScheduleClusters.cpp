//===- ScheduleClusters.cpp - what of a schedule which cluster does -------===//

#include "ScheduleTree.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

SmallVector<const ScheduleNode *> ScheduleNode::getSplits() const {
  SmallVector<const ScheduleNode *> loops = getLoops();
  llvm::erase_if(loops, [](const ScheduleNode *loop) { return loop->clusters == 1; });
  return loops;
}

static int64_t countClusters(ArrayRef<const ScheduleNode *> splits) {
  int64_t count = 1;
  for (const ScheduleNode *loop : splits)
    count *= loop->clusters;
  return count;
}

/// `4`, or `2 x 2`.
static std::string printClusters(ArrayRef<const ScheduleNode *> splits) {
  if (splits.empty())
    return "1";
  return llvm::join(
      llvm::map_range(splits,
                      [](const ScheduleNode *loop) { return std::to_string(loop->clusters); }),
      " x ");
}

static bool areAlike(ArrayRef<const ScheduleNode *> a, ArrayRef<const ScheduleNode *> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto both) {
           return std::get<0>(both)->clusters == std::get<1>(both)->clusters;
         });
}

/// By what lives at a node: the last child of the root that uses it.
llvm::DenseMap<const ScheduleNode *, unsigned> ScheduleTree::getLastUses() const {
  llvm::DenseMap<const ScheduleNode *, unsigned> lastUses;
  auto use = [&](unsigned value, unsigned stage) {
    unsigned &last = lastUses[&getHome(value)];
    last = std::max(last, getChildOf(root.get(), leaves[stage])->position);
  };
  for (unsigned value = 0; value < graph->values.size(); ++value)
    for (unsigned user : getUsers(value))
      use(value, user);
  for (const auto &[place, load] : loads)
    if (isFromChip(*load))
      use(*graph->stages[load->stage].operands[load->operand].value, load->stage);
  return lastUses;
}

/// The first and the last child of the root during which a buffer is in use.
std::pair<unsigned, unsigned>
ScheduleTree::getLife(const ScheduleBuffer &buffer,
                      const llvm::DenseMap<const ScheduleNode *, unsigned> &lastUses) const {
  unsigned first = getChildOf(root.get(), buffer.home)->position;
  if (buffer.home->kind == ScheduleNode::Kind::Load ||
      buffer.home->kind == ScheduleNode::Kind::Keep)
    return {first, getChildOf(root.get(), leaves[buffer.home->stage])->position};
  return {first, std::max(first, lastUses.lookup(buffer.home))};
}

/// The run of each child of the root: children that a buffer on chip connects, which is a cluster's
/// own. Between runs clusters wait for each other.
SmallVector<unsigned> ScheduleTree::getRuns() const {
  SmallVector<unsigned> runs(llvm::to_vector(llvm::seq<unsigned>(0, root->children.size() + 1)));
  llvm::DenseMap<const ScheduleNode *, unsigned> lastUses = getLastUses();
  for (const ScheduleBuffer &buffer : getBuffers()) {
    auto [first, last] = getLife(buffer, lastUses);
    for (unsigned child = first + 1; child <= last; ++child)
      runs[child] = std::min(runs[child], first);
  }
  for (unsigned child = 0; child < runs.size(); ++child)
    runs[child] = runs[runs[child]];
  return runs;
}

/// Whether something of the stage goes to DRAM, where one cluster alone may write it.
bool ScheduleTree::isStored(unsigned stage) const {
  auto isOfStage = [&](unsigned value) { return graph->values[value].stage == stage; };
  return llvm::any_of(scratch, isOfStage) ||
         llvm::any_of(graph->results,
                      [&](const StageResult &result) { return isOfStage(result.value); });
}

/// Every stage of a run is split over as many clusters, or none; what is not stored each of them
/// may make for itself. What they read of each other in a run is their own.
LogicalResult ScheduleTree::verifyClusters() {
  if (llvm::none_of(leaves, [](const ScheduleNode *leaf) { return !leaf->getSplits().empty(); }))
    return success();
  SmallVector<unsigned> runs = getRuns();
  auto getRun = [&](const ScheduleNode *leaf) {
    return runs[getChildOf(root.get(), leaf)->position];
  };
  llvm::DenseMap<unsigned, SmallVector<const ScheduleNode *>> splitsOf; // by run
  for (const ScheduleNode *leaf : leaves) {
    const Stage &stage = graph->stages[leaf->stage];
    SmallVector<const ScheduleNode *> splits = leaf->getSplits();
    if (splits.size() > kMaxClusterDims)
      return emitError() << "expected at most " << kMaxClusterDims
                         << " loops that are split over clusters around stage '" << stage.name
                         << "', found " << splits.size();
    if (countClusters(splits) > graph->target.clusters)
      return emitError() << "expected splits over at most " << graph->target.clusters
                         << " clusters of target '" << graph->target.name << "' around stage '"
                         << stage.name << "', found " << printClusters(splits);
    for (const ScheduleNode *loop : splits) {
      if (llvm::is_contained(stage.getReductionDims(), loop->dim))
        return emitError() << "expected a split of a parallel dimension, found '"
                           << graph->dims[loop->dim].name << "' over " << loop->clusters
                           << " clusters around stage '" << stage.name << "', which sums over it";
      for (const StageValue &value : graph->values)
        if (value.stage == leaf->stage && value.escapes && !isInPanels(leaf->stage) &&
            llvm::none_of(value.buffer.axes, [&](const Axis &axis) {
              return llvm::any_of(axis.terms, [&](Term term) { return term.dim == loop->dim; });
            }))
          return emitError() << "expected a split of a dimension that every result of stage '"
                             << stage.name << "' has, found '" << graph->dims[loop->dim].name
                             << "': every cluster would store the same";
      if (loop->trips == 1)
        return emitError() << "expected several tiles of '" << graph->dims[loop->dim].name
                           << "', which " << loop->clusters << " clusters share, found one of "
                           << loop->tile;
      if (graph->dims[loop->dim].isUnit && loop->trips % loop->clusters != 0)
        return emitError() << "expected as many indices of dimension '"
                           << graph->dims[loop->dim].name << "' for each of " << loop->clusters
                           << " clusters, found " << loop->trips;
    }
    if (splits.empty() && !isStored(leaf->stage))
      continue;
    auto [known, isNew] = splitsOf.try_emplace(getRun(leaf), splits);
    if (ArrayRef<const ScheduleNode *> other = known->second; !areAlike(other, splits)) {
      bool isFewer = countClusters(splits) < countClusters(other);
      return emitError()
             << "expected stages that buffers on chip connect on as many clusters, found "
             << printClusters(isFewer ? splits : other) << " and "
             << printClusters(isFewer ? other : splits);
    }
  }
  for (const ScheduleNode *leaf : leaves)
    for (const StageOperand &operand : graph->stages[leaf->stage].operands) {
      if (!operand.value || splitsOf.lookup(getRun(leaf)).empty())
        continue;
      const ScheduleNode &writer = *leaves[graph->values[*operand.value].stage];
      if (getCommonLoop(*leaf, writer)->parent || getRun(leaf) != getRun(&writer))
        continue;
      // What a cluster has computed itself it need not wait for: all of it, or of the same
      // dimension, tiles of one index.
      SmallVector<const ScheduleNode *> own = leaf->getSplits(), other = writer.getSplits();
      if (other.empty())
        continue;
      auto isOfSameTiles = [&](auto both) {
        auto [a, b] = both;
        return a->dim == b->dim && a->tile == 1 && b->tile == 1 &&
               graph->readsOwnIndex(operand, a->dim);
      };
      if (own.size() != other.size() || !llvm::all_of(llvm::zip(own, other), isOfSameTiles))
        return emitError() << "stage '" << graph->stages[leaf->stage].name
                           << "' reads what other clusters compute, and buffers on chip connect it "
                           << "with stage '" << graph->stages[writer.stage].name
                           << "'; load what it needs behind that, from DRAM, or split the same "
                           << "dimension of both, which no tile spans";
    }
  return success();
}
