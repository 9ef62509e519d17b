//===- NestSearch.cpp - stages that share tile loops ----------------------===//

#include "NestSearch.h"

#include "EnginePipeline.h"
#include "TileCost.h"

#include "NPU/Target/ISA/Limits.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

/// Bounds the time of a search, which has the product of all sizes of all dimensions to try.
static constexpr unsigned kMaxTilesTried = 4096;
/// Loops whose order is searched; those outside of them keep that of the dimensions.
static constexpr unsigned kMaxPermutedLoops = 3;
/// Slots of what is loaded once: its load waits for no reader.
static constexpr int64_t kKeptSlots = std::numeric_limits<int32_t>::max();
/// Groups of buffers whose depths are chosen apart.
static constexpr unsigned kMaxDepthGroups = 10;

namespace {
class Search {
public:
  Search(const NestProblem &nest, const TargetDesc &target)
      : nest(nest), problem(nest.problem), target(target) {}

  std::optional<Nest> run();

private:
  SmallVector<SmallVector<int64_t>> getSizes() const;
  void tryTiles(ArrayRef<SmallVector<int64_t>> sizes, SmallVectorImpl<int64_t> &tiles);
  void tryLoops(ArrayRef<int64_t> tiles);
  /// False where no order with these tiles and this split can be chosen.
  bool tryOrder(ArrayRef<int64_t> tiles, ArrayRef<unsigned> order, const ClusterSplits &splits);
  void tryDepths(Schedule &schedule, std::optional<unsigned> firstSkewed, const TileCost &cost,
                 ArrayRef<LoadCost> loads);
  bool mayBeSkewed(const Schedule &schedule, unsigned firstSkewed) const;
  int64_t getArrayCycles(const NestStage &stage, ArrayRef<int64_t> tiles) const;
  double getCycles(const Nest &candidate, const TileCost &cost, ArrayRef<LoadCost> loads) const;
  double getLeastCycles(const Schedule &schedule, const TileCost &cost,
                        ArrayRef<LoadCost> loads) const;
  bool mayWin(const Estimate &least) const;
  unsigned getLeastDepth(const Schedule &schedule, std::optional<unsigned> firstSkewed,
                         unsigned buffer) const;
  void keep(Nest nest);

  const NestProblem &nest;
  const Problem &problem;
  const TargetDesc &target;
  /// Nests of which none has both the fewest cycles and the fewest bytes.
  std::vector<Nest> front;
};
} // namespace

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

std::optional<Nest> Search::run() {
  SmallVector<int64_t> tiles;
  tryTiles(getSizes(), tiles);
  // The fastest first: what is about as fast moves fewer bytes.
  llvm::sort(front, [](const Nest &a, const Nest &b) {
    return a.schedule.predictedCycles < b.schedule.predictedCycles;
  });
  const Nest *best = nullptr;
  for (const Nest &nest : front)
    if (!best || nest.getEstimate().isBetterThan(front.front().getEstimate()))
      best = &nest;
  return best ? std::optional(*best) : std::nullopt;
}

/// Drops what is not better in anything than another one; of equal ones the later.
void Search::keep(Nest nest) {
  auto isAtLeastAsGood = [](const Nest &a, const Nest &b) {
    return a.schedule.predictedCycles <= b.schedule.predictedCycles && a.dramBytes <= b.dramBytes;
  };
  if (llvm::any_of(front, [&](const Nest &other) { return isAtLeastAsGood(other, nest); }))
    return;
  llvm::erase_if(front, [&](const Nest &other) { return isAtLeastAsGood(nest, other); });
  front.push_back(std::move(nest));
}

/// Whether a nest that takes no less could be chosen in the end.
bool Search::mayWin(const Estimate &least) const {
  return llvm::none_of(front, [&](const Nest &other) {
    Estimate estimate = other.getEstimate();
    return estimate.isClearlyFasterThan(least) ||
           (estimate.cycles <= least.cycles && estimate.dramBytes <= least.dramBytes);
  });
}

/// The sizes of each dimension. Where there are too many of all together, every second one of the
/// dimension that has the most; the whole stays.
SmallVector<SmallVector<int64_t>> Search::getSizes() const {
  SmallVector<SmallVector<int64_t>> sizes;
  for (auto [dim, mayLoop] : zip_equal(problem.dims, nest.mayLoop))
    sizes.push_back(mayLoop ? getTileCandidates(dim) : SmallVector<int64_t>{dim.extent});
  auto getCount = [&] {
    double count = 1;
    for (ArrayRef<int64_t> choices : sizes)
      count *= choices.size();
    return count;
  };
  while (getCount() > kMaxTilesTried) {
    auto &longest = *llvm::max_element(
        sizes, [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) { return a.size() < b.size(); });
    SmallVector<int64_t> thinned;
    for (size_t i = (longest.size() - 1) % 2; i < longest.size(); i += 2)
      thinned.push_back(longest[i]);
    longest = std::move(thinned);
  }
  return sizes;
}

/// Chooses the size of the next dimension.
void Search::tryTiles(ArrayRef<SmallVector<int64_t>> sizes, SmallVectorImpl<int64_t> &tiles) {
  if (sizes.empty())
    return tryLoops(tiles);
  for (int64_t size : reverse(sizes.front())) {
    tiles.push_back(size);
    tryTiles(sizes.drop_front(), tiles);
    tiles.pop_back();
  }
}

void Search::tryLoops(ArrayRef<int64_t> tiles) {
  SmallVector<unsigned> order;
  for (auto [index, dim] : enumerate(problem.dims))
    if (tiles[index] < dim.extent)
      order.push_back(index);
  bool hasPanels =
      llvm::any_of(nest.stages, [](const NestStage &stage) { return stage.isByPanels; });
  if (order.size() + hasPanels > isa::maxLoopDepth)
    return;
  unsigned fixed = order.size() - std::min<size_t>(order.size(), kMaxPermutedLoops);
  std::vector<ClusterSplits> choices;
  if (problem.fixedSplits)
    choices.push_back(*problem.fixedSplits);
  else
    choices = getSplitChoices(problem, target, tiles, order);
  // The loops that are split are the outermost ones.
  auto beginsWith = [&](const ClusterSplits &splits) {
    return splits.size() <= order.size() && all_of(zip_first(splits, order), [](auto both) {
             return std::get<0>(both).dim == std::get<1>(both);
           });
  };
  bool mayBeWhole = !problem.fixedSplits; // on one cluster
  do {
    mayBeWhole = mayBeWhole && tryOrder(tiles, order, {});
    for (const ClusterSplits &splits : choices)
      if (beginsWith(splits))
        tryOrder(tiles, order, splits);
  } while (std::next_permutation(order.begin() + fixed, order.end()));
}

int64_t Search::getArrayCycles(const NestStage &stage, ArrayRef<int64_t> tiles) const {
  int64_t m = 1, n = 1, k = 1;
  for (auto [role, size] : zip_equal(stage.roles, tiles)) {
    if (role == MxuRole::M)
      m *= size;
    else if (role == MxuRole::N)
      n *= size;
    else if (role == MxuRole::K)
      k *= size;
  }
  return stage.array->cycles(target, m, n, k);
}

/// A skewed stage does nothing in the first iteration: some extent of each of its ops is then zero.
bool Search::mayBeSkewed(const Schedule &schedule, unsigned firstSkewed) const {
  if (schedule.order.empty() || schedule.order.size() == schedule.splits.size())
    return false;
  unsigned loop = schedule.order.back();
  bool isRagged = problem.dims[loop].extent % schedule.tiles[loop] != 0;
  return all_of(ArrayRef(nest.stages).drop_front(firstSkewed), [&](const NestStage &stage) {
    return !stage.isByPanels && all_of(stage.opDims, [&](ArrayRef<unsigned> dims) {
      return any_of(dims,
                    [&](unsigned dim) { return dim == loop ? !isRagged : !schedule.getLoop(dim); });
    });
  });
}

bool Search::tryOrder(ArrayRef<int64_t> tiles, ArrayRef<unsigned> order,
                      const ClusterSplits &splits) {
  Schedule schedule;
  schedule.tiles.assign(tiles.begin(), tiles.end());
  schedule.order.assign(order.begin(), order.end());
  schedule.splits = splits;
  // Without any load it is the same for every order.
  TileCost cost(problem, target, schedule, /*mxuCycles=*/0);
  SmallVector<LoadCost> loads(problem.buffers.size());
  if (!mayWin({getLeastCycles(schedule, cost, loads), cost.getDramBytes(loads), /*isRough=*/true}))
    return false;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    schedule.levels.push_back(buffer.isLoaded() ? hoistLevel(problem, order, index, order.size())
                                                : order.size());
    schedule.depths.push_back(1);
    if (!isLevelLegal(problem, schedule, index, schedule.levels.back()) && buffer.isLoaded())
      return true;
  }
  if (!fits(problem, schedule, target))
    return true;
  for (auto [index, buffer] : enumerate(problem.buffers))
    if (buffer.isLoaded())
      loads[index] = cost.getLoadCost(index, schedule.levels[index]);
  if (!mayWin({getLeastCycles(schedule, cost, loads), cost.getDramBytes(loads), /*isRough=*/true}))
    return true;
  tryDepths(schedule, std::nullopt, cost, loads);
  for (unsigned cut = 1; cut < nest.stages.size(); ++cut)
    if (mayBeSkewed(schedule, cut))
      tryDepths(schedule, cut, cost, loads);
  return true;
}

/// Two where a skewed stage reads what the loop that it is in brought an iteration earlier.
unsigned Search::getLeastDepth(const Schedule &schedule, std::optional<unsigned> firstSkewed,
                               unsigned buffer) const {
  if (!firstSkewed || schedule.levels[buffer] != schedule.order.size() ||
      problem.buffers[buffer].isPrivate)
    return 1;
  unsigned stage = nest.stageOf[buffer];
  if (problem.buffers[buffer].isLoaded())
    return stage >= *firstSkewed ? 2 : 1;
  bool isReadLater = any_of(ArrayRef(nest.stages).drop_front(*firstSkewed),
                            [&](const auto &later) { return is_contained(later.holders, stage); });
  return stage < *firstSkewed && isReadLater ? 2 : 1;
}

namespace {
/// Buffers that have the same number of slots.
struct DepthGroup {
  SmallVector<unsigned> buffers;
  int64_t sramBytes = 0, accBytes = 0; ///< of one slot each
  unsigned least = 1;
  bool overlaps = false; ///< a second slot would be of use
};
} // namespace

/// Two slots where there is something to overlap; single ones only where two do not fit. The values
/// of a stage have one depth, loads of outer loops another, those of the innermost one the third.
void Search::tryDepths(Schedule &schedule, std::optional<unsigned> firstSkewed,
                       const TileCost &cost, ArrayRef<LoadCost> loads) {
  llvm::MapVector<unsigned, DepthGroup> byKey;
  Footprint fixed;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    int64_t bytes = getSlotBytes(problem, schedule, index);
    bool isAcc = buffer.role == BufferRole::Accumulator;
    schedule.depths[index] = 1;
    if (buffer.isPrivate) {
      fixed.sramBytes += bytes;
      continue;
    }
    unsigned key = buffer.isLoaded() ? schedule.levels[index] == schedule.order.size()
                                     : nest.stageOf[index] + 2;
    DepthGroup &group = byKey[key];
    group.buffers.push_back(index);
    (isAcc ? group.accBytes : group.sramBytes) += bytes;
    group.least = std::max(group.least, getLeastDepth(schedule, firstSkewed, index));
    group.overlaps |= (buffer.isLoaded() ? loads[index].count : cost.getNumTiles()) > 1;
  }
  SmallVector<DepthGroup *> free;
  for (auto &[key, group] : byKey) {
    if (group.least == 1 && group.overlaps && free.size() < kMaxDepthGroups) {
      free.push_back(&group);
      continue;
    }
    int64_t depth = group.overlaps ? 2 : group.least;
    fixed.sramBytes += depth * group.sramBytes;
    fixed.accBytes += depth * group.accBytes;
    for (unsigned buffer : group.buffers)
      schedule.depths[buffer] = depth;
  }
  SmallVector<unsigned> fitting;
  for (unsigned single = 0; single < (1u << free.size()); ++single) {
    // More single slots are of no use where fewer fit.
    if (any_of(fitting, [&](unsigned fewer) { return (fewer & single) == fewer; }))
      continue;
    Footprint footprint = fixed;
    for (auto [number, group] : enumerate(free)) {
      int64_t depth = single >> number & 1 ? 1 : 2;
      footprint.sramBytes += depth * group->sramBytes;
      footprint.accBytes += depth * group->accBytes;
      for (unsigned buffer : group->buffers)
        schedule.depths[buffer] = depth;
    }
    if (footprint.sramBytes > target.sramBytes || footprint.accBytes > target.accBytes)
      continue;
    fitting.push_back(single);
    for (bool loadsAtFirst : {false, true}) {
      Nest candidate = {schedule, firstSkewed, loadsAtFirst, cost.getDramBytes(loads)};
      // Where there is room, the kernel before has them loaded ahead.
      if (loadsAtFirst &&
          (schedule.order.empty() || 2 * footprint.sramBytes <= target.sramBytes ||
           none_of(llvm::seq<unsigned>(0, problem.buffers.size()),
                   [&](unsigned index) { return candidate.isLoadedAtFirst(nest, index); })))
        continue;
      for (unsigned index = 0; index < problem.buffers.size(); ++index)
        if (candidate.isLoadedAtFirst(nest, index))
          candidate.schedule.depths[index] = 1;
      candidate.schedule.predictedCycles = getCycles(candidate, cost, loads);
      keep(std::move(candidate));
    }
  }
}

/// What the busiest engine has to do, whatever waits for what.
double Search::getLeastCycles(const Schedule &schedule, const TileCost &cost,
                              ArrayRef<LoadCost> loads) const {
  double array = 0, vector = 0;
  for (const NestStage &stage : nest.stages) {
    if (stage.array)
      array += isa::getArrayPace(target, getArrayCycles(stage, schedule.tiles));
    for (const VectorOp &op :
         ArrayRef(problem.vectorOps).slice(stage.firstOp, stage.endOp - stage.firstOp))
      if (op.transferBytes == 0)
        vector += cost.getVectorCycles(op);
  }
  return std::max(cost.getNumTiles() * std::max(array, vector), cost.getTransferCycles(loads));
}

/// Plays the engines, and asks for no less than all transfers take.
double Search::getCycles(const Nest &candidate, const TileCost &cost,
                         ArrayRef<LoadCost> loads) const {
  const Schedule &schedule = candidate.schedule;
  std::optional<unsigned> firstSkewed = candidate.firstSkewed;
  unsigned level = schedule.order.size();
  EnginePipeline pipeline;
  double prologue = 0;
  // Loads of the loop around the innermost one; those further out come before everything.
  SmallVector<SmallVector<unsigned>> loadSteps(nest.stages.size());
  auto addLoads = [&](unsigned stage, bool isOuter) {
    for (auto [index, buffer] : enumerate(problem.buffers)) {
      if (!buffer.isLoaded() || nest.stageOf[index] != stage)
        continue;
      if (candidate.isLoadedAtFirst(nest, index) && !isOuter) {
        // Later on it has nothing to do.
        double issue = target.issueCycles;
        loadSteps[stage].push_back(pipeline.add({StepEngine::Load,
                                                 issue,
                                                 issue,
                                                 false,
                                                 false,
                                                 kKeptSlots,
                                                 {},
                                                 loads[index].cycles - issue}));
      } else if (!candidate.isLoadedAtFirst(nest, index) &&
                 schedule.levels[index] + isOuter == level) {
        loadSteps[stage].push_back(pipeline.add({StepEngine::Load,
                                                 loads[index].cycles,
                                                 loads[index].pace,
                                                 isOuter,
                                                 false,
                                                 schedule.depths[index],
                                                 {}}));
      }
    }
  };
  for (unsigned stage = 0; stage < nest.stages.size(); ++stage)
    addLoads(stage, /*isOuter=*/true);
  for (auto [index, buffer] : enumerate(problem.buffers))
    if (buffer.isLoaded() && !candidate.isLoadedAtFirst(nest, index) &&
        schedule.levels[index] + 1 < level)
      prologue += loads[index].cycles;

  SmallVector<unsigned> stageSteps;
  auto getVectorCycles = [&](unsigned first, unsigned end) {
    double cycles = 0;
    for (unsigned op = first; op < end; ++op)
      if (problem.vectorOps[op].transferBytes == 0)
        cycles += cost.getVectorCycles(problem.vectorOps[op]);
    return cycles;
  };
  for (auto [number, stage] : llvm::enumerate(nest.stages)) {
    addLoads(number, /*isOuter=*/false);
    bool isSkewed = firstSkewed && number >= *firstSkewed;
    int64_t depth = 1;
    for (auto [index, buffer] : enumerate(problem.buffers))
      if (!buffer.isLoaded() && nest.stageOf[index] == number)
        depth = std::max(depth, schedule.depths[index]);
    double vectorCycles = getVectorCycles(stage.firstOp, stage.endOp);
    unsigned step;
    if (stage.array) {
      int64_t cycles = getArrayCycles(stage, schedule.tiles);
      step = pipeline.add({StepEngine::Mxu,
                           double(target.issueCycles + cycles),
                           double(isa::getArrayPace(target, cycles)),
                           false,
                           isSkewed,
                           depth,
                           {}});
      // Initial contents are copied into the accumulator.
      if (vectorCycles > 0)
        pipeline.addReader(
            pipeline.add(
                {StepEngine::Vector, vectorCycles, vectorCycles, false, isSkewed, depth, {}}),
            step, 0);
    } else {
      step = pipeline.add(
          {StepEngine::Vector, vectorCycles, vectorCycles, false, isSkewed, depth, {}});
    }
    for (unsigned load : loadSteps[number])
      pipeline.addReader(load, step, EnginePipeline::whole);
    for (unsigned producer : stage.producers) {
      const NestStage &source = nest.stages[producer];
      double reads = source.array
                         ? getVectorCycles(stage.firstOp, std::min(stage.endOp, source.endOfReads))
                         : EnginePipeline::whole;
      pipeline.addReader(stageSteps[producer], step, reads);
    }
    stageSteps.push_back(step);
    double storeCycles = 0, storePace = 0;
    for (const Store &store : problem.stores)
      if (!store.isLeftOut && nest.stageOf[store.buffer] == number) {
        auto [cycles, pace] = cost.getStoreCycles(store);
        storeCycles += cycles;
        storePace += pace;
      }
    if (storeCycles > 0)
      pipeline.addReader(
          step, pipeline.add({StepEngine::Store, storeCycles, storePace, false, isSkewed, 1, {}}),
          EnginePipeline::whole);
  }

  int64_t inner = 1, outer = 1;
  for (auto [index, dim] : enumerate(schedule.order)) {
    int64_t count = llvm::divideCeil(schedule.getTrips(problem, dim), schedule.getClusters(dim));
    (index + 1 == level ? inner : outer) *= count;
  }
  // The iteration more that skewed stages need is empty, unless its loop is over what no tile
  // spans.
  double cycles = pipeline.getCycles(outer, inner, firstSkewed.has_value());
  return prologue + std::max(cycles, cost.getTransferCycles(loads));
}

std::optional<Nest> npu::tile::searchNest(const NestProblem &problem, const TargetDesc &target) {
  return Search(problem, target).run();
}
