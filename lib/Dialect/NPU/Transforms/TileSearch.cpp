//===- TileSearch.cpp - tile sizes by a model, and by playing the best ----===//

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

#include "Finalists.h"
#include "PlaySchedule.h"
#include "TileCost.h"

#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

/// Bounds the time of a search; tiles are tried in the order of their lower bound.
static constexpr unsigned kMaxTilesTried = 400;
/// Schedules that are played, after all were predicted: so many with operands that are loaded tile
/// by tile and so many without, no slower than this.
static constexpr size_t kNumFinalists = 8;
static constexpr double kMayBeFaster = 1.03;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

SmallVector<int64_t> npu::tile::getTileCandidates(const Dim &dim) {
  if (dim.fixedTile > 0)
    return {std::min(dim.fixedTile, dim.extent)};
  if (dim.isUnit)
    return {1};
  SmallVector<int64_t> sizes = {dim.extent};
  auto add = [&](int64_t size) {
    if (size >= 1 && size < dim.extent)
      sizes.push_back(size);
  };
  for (int64_t size = 1; size < dim.granule; size *= 2)
    add(size);
  for (int64_t size = dim.granule; size < dim.extent; size *= 2)
    add(size);
  for (int64_t parts : {2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32})
    if (parts < dim.extent)
      add(llvm::alignTo(llvm::divideCeil(dim.extent, parts), dim.granule));
  llvm::sort(sizes);
  sizes.erase(llvm::unique(sizes), sizes.end());
  return sizes;
}

static SmallVector<int64_t> getCandidates(const Dim &dim, bool splitReluctant) {
  if (!dim.isReluctant || dim.fixedTile > 0 || dim.isUnit)
    return getTileCandidates(dim);
  if (splitReluctant && dim.extent > 1)
    return {1, dim.extent};
  return {dim.extent};
}

namespace {
struct Candidate {
  SmallVector<int64_t, 8> tiles;
  double mxuCycles; ///< of the array, on one cluster
  double bound;     ///< cycles no schedule of these tiles can beat
  double volume;    ///< of a tile
};

/// An input of the matrix engine, and what loading it costs per level where that is possible.
struct Input {
  unsigned buffer;
  SmallVector<LoadCost> loads;
  /// Cycles of all loads, and of the first one, at the levels where these take least; with those of
  /// the inputs after it.
  double least = 0, leastPrologue = 0;
  /// Per load: the costs of what it is made of, by buffer, if it is made.
  std::vector<SmallVector<std::pair<unsigned, LoadCost>>> parts;
};

/// What loads cost for the same tiles and clusters. The order of the loops around a load makes no
/// difference, nor does that of the others.
class LoadCosts {
public:
  LoadCost get(const TileCost &cost, unsigned buffer, ArrayRef<unsigned> order, unsigned level) {
    uint64_t outer = 0;
    for (unsigned dim : order.take_front(level)) {
      if (dim >= 64)
        return cost.getLoadCost(buffer, level);
      outer |= uint64_t(1) << dim;
    }
    for (const Known &known : all)
      if (known.outer == outer && known.buffer == buffer) {
        LoadCost load = known.load;
        load.level = level;
        return load;
      }
    return all.emplace_back(Known{outer, buffer, cost.getLoadCost(buffer, level)}).load;
  }

private:
  struct Known {
    uint64_t outer; ///< dimensions with a loop around it
    unsigned buffer;
    LoadCost load;
  };
  SmallVector<Known> all;
};

/// Tiles, order and clusters: what the residencies and depths that are tried for them share.
struct Order {
  const TileCost &cost;
  Schedule &schedule;
  SmallVector<LoadCost> loads;    ///< per buffer
  SmallVector<int64_t> slotBytes; ///< per buffer
};

/// The schedules of which the predictions are the fastest, fastest first.
class Ranking {
public:
  /// Of equal predictions, which orders of symmetric loops have, the first is enough.
  void add(const Schedule &schedule, double cycles);
  /// Whether nothing that takes at least `cycles` is in it at the end, if `best` is the fastest of
  /// all.
  bool isTooSlow(double cycles, double best) const { return cycles > getLimit(best); }
  /// The cycles of the slowest one that may be.
  double getLimit(double best) const;
  /// Those that may be as fast as the first.
  ArrayRef<Schedule> getFinalists() const;

private:
  std::vector<Schedule> schedules;
};

class Search {
public:
  Search(const Problem &problem, const TargetDesc &target);

  std::optional<Schedule> run();

  int64_t numSchedules = 0; ///< whose cycles were predicted

private:
  bool tryCandidates(bool splitReluctant);
  void collectCandidates(ArrayRef<SmallVector<int64_t>> sizes, SmallVector<int64_t> &tiles,
                         SmallVector<int64_t> &slots, double least,
                         std::deque<Candidate> &candidates) const;
  /// Whether the tiles fit with single buffers that are loaded per tile; `slots` are the bytes of
  /// each of these.
  bool canFit(ArrayRef<int64_t> tiles, ArrayRef<int64_t> slots) const;
  void trySplits(const Candidate &candidate, const ClusterSplits &splits);
  /// False where no order of these loops can be better.
  bool tryOrder(Schedule &schedule, TileCost &cost, LoadCosts &known, double mxuCycles);
  SmallVector<std::pair<unsigned, LoadCost>>
  getParts(const TileCost &cost, const Schedule &schedule, unsigned made, unsigned level) const;
  void tryResidency(Order &order, ArrayRef<Input> inputs, double loadCycles, double prologue);
  void tryDepths(Order &order);
  /// Whether nothing that takes at least `cycles` can be better than the best; sums may round.
  bool isTooSlow(double cycles) const;
  /// Whether nothing that takes at least `cycles` can be one of the finalists at the end.
  bool isNoFinalist(double cycles) const;

  unsigned chooseOperandLevel(const TileCost &cost, const Schedule &schedule, LoadCosts &known,
                              unsigned buffer) const;
  SmallVector<unsigned> getLoopDims(ArrayRef<int64_t> tiles, bool isReduction) const;

  const Problem &problem;
  const TargetDesc &target;
  bool hasMade = false;
  std::vector<SmallVector<unsigned>> movedBy; ///< buffers, by dimension
  Charges charges;
  double leastMoved;        ///< cycles that DRAM takes at least
  double leastPrologue = 0; ///< until the first byte of all that the contraction reads
  void keep(const Schedule &schedule, double cycles);
  void chooseLeastWork();
  void playFinalists();

  std::optional<Schedule> best;
  /// The fastest predictions without and with operands that are loaded tile by tile. What these
  /// save depends on more than predictions know.
  std::array<Ranking, 2> rankings;
};
} // namespace

static double getBest(const std::optional<Schedule> &best) {
  return best ? best->predictedCycles : std::numeric_limits<double>::infinity();
}

SmallVector<unsigned> Search::getLoopDims(ArrayRef<int64_t> tiles, bool isReduction) const {
  SmallVector<unsigned> dims;
  for (auto [index, dim] : enumerate(problem.dims))
    if (dim.isReduction == isReduction && tiles[index] < dim.extent)
      dims.push_back(index);
  return dims;
}

static unsigned countLoops(const Problem &problem, ArrayRef<int64_t> tiles) {
  return llvm::count_if(llvm::zip_equal(tiles, problem.dims), [](auto entry) {
    auto &[tile, dim] = entry;
    return tile < dim.extent;
  });
}

void npu::tile::setLevelsOfMade(const Problem &problem, Schedule &schedule, unsigned made) {
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    if (buffer.madeFor != made)
      continue;
    unsigned level = schedule.levels[made];
    schedule.levels[index] =
        buffer.isLoaded() ? hoistLevel(problem, schedule.order, index, level) : level;
  }
}

/// The schedule that needs the least memory for `tiles`.
static Schedule getLeanSchedule(const Problem &problem, ArrayRef<int64_t> tiles) {
  Schedule schedule;
  schedule.tiles.assign(tiles.begin(), tiles.end());
  for (bool isReduction : {false, true})
    for (auto [index, dim] : enumerate(problem.dims))
      if (dim.isReduction == isReduction && tiles[index] < dim.extent)
        schedule.order.push_back(index);
  for (unsigned i = 0, e = problem.buffers.size(); i != e; ++i) {
    unsigned level = problem.buffers[i].isLoaded() || problem.buffers[i].isMade
                         ? hoistLevel(problem, schedule.order, i, schedule.order.size())
                         : schedule.getNumParallelLoops(problem);
    schedule.levels.push_back(level);
    schedule.depths.push_back(1);
  }
  schedule.kept.assign(problem.buffers.size(), false);
  for (unsigned i = 0, e = problem.buffers.size(); i != e; ++i)
    if (problem.buffers[i].isMade)
      setLevelsOfMade(problem, schedule, i);
  return schedule;
}

static bool fitsMemory(const Problem &problem, const Schedule &schedule, const TargetDesc &target) {
  Footprint footprint = getFootprint(problem, schedule);
  return footprint.sramBytes <= target.sramBytes && footprint.accBytes <= target.accBytes;
}

bool Search::canFit(ArrayRef<int64_t> tiles, ArrayRef<int64_t> slots) const {
  if (hasMade)
    return fitsMemory(problem, getLeanSchedule(problem, tiles), target);
  // No buffer of a lean schedule is outside of a loop that it moves with: each spans one tile.
  Footprint footprint;
  for (auto [buffer, bytes] : llvm::zip_equal(problem.buffers, slots))
    (buffer.role == BufferRole::Accumulator ? footprint.accBytes : footprint.sramBytes) += bytes;
  return footprint.sramBytes <= target.sramBytes && footprint.accBytes <= target.accBytes;
}

bool npu::tile::fits(const Problem &problem, const Schedule &schedule, const TargetDesc &target) {
  return schedule.order.size() <= isa::maxLoopDepth && fitsMemory(problem, schedule, target);
}

Schedule npu::tile::getSmallestSchedule(const Problem &problem) {
  SmallVector<int64_t> tiles;
  for (const Dim &dim : problem.dims)
    tiles.push_back(getCandidates(dim, /*splitReluctant=*/true).front());
  Schedule smallest = getLeanSchedule(problem, tiles);
  // Too many loops: those go whose dimensions take the least memory as a whole.
  while (smallest.order.size() > isa::maxLoopDepth) {
    std::optional<std::pair<int64_t, Schedule>> next;
    for (unsigned dim : smallest.order) {
      if (getCandidates(problem.dims[dim], /*splitReluctant=*/true).size() == 1)
        continue;
      tiles = smallest.tiles;
      tiles[dim] = problem.dims[dim].extent;
      Schedule schedule = getLeanSchedule(problem, tiles);
      Footprint footprint = getFootprint(problem, schedule);
      int64_t bytes = footprint.sramBytes + footprint.accBytes;
      if (!next || bytes < next->first)
        next = {bytes, std::move(schedule)};
    }
    if (!next)
      break;
    smallest = std::move(next->second);
  }
  return smallest;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

Search::Search(const Problem &problem, const TargetDesc &target)
    : problem(problem), target(target), leastMoved(getLeastTransferCycles(problem, target)) {
  movedBy.resize(problem.dims.size());
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    for (unsigned dim = 0; dim < problem.dims.size(); ++dim)
      if (dependsOn(buffer, dim))
        movedBy[dim].push_back(index);
    hasMade |= buffer.isMade || buffer.madeFor;
    if (buffer.isForRoot() && buffer.isLoaded() && !buffer.isFromChip)
      leastPrologue += target.issueCycles + target.dramLatencyCycles;
  }
}

std::optional<Schedule> Search::run() {
  if (!tryCandidates(/*splitReluctant=*/false))
    tryCandidates(/*splitReluctant=*/true);
  playFinalists();
  return best;
}

void Ranking::add(const Schedule &schedule, double cycles) {
  auto place = llvm::upper_bound(schedules, cycles, [](double cycles, const Schedule &other) {
    return cycles < other.predictedCycles;
  });
  if (place != schedules.begin() && std::prev(place)->predictedCycles == cycles)
    return;
  if (schedules.size() == kNumFinalists) {
    if (place == schedules.end())
      return;
    schedules.pop_back();
  }
  place = schedules.insert(place, schedule);
  place->predictedCycles = cycles;
}

double Ranking::getLimit(double best) const {
  constexpr double rounding = 1 + 1e-9;
  double limit = kMayBeFaster * (schedules.empty() ? best : schedules.front().predictedCycles);
  if (schedules.size() == kNumFinalists)
    limit = std::min(limit, schedules.back().predictedCycles);
  return rounding * limit;
}

ArrayRef<Schedule> Ranking::getFinalists() const {
  return ArrayRef(schedules).take_while([&](const Schedule &schedule) {
    return schedule.predictedCycles <= kMayBeFaster * schedules.front().predictedCycles;
  });
}

void Search::keep(const Schedule &schedule, double cycles) {
  if (cycles < getBest(best)) {
    best = schedule;
    best->predictedCycles = cycles;
  }
  rankings[llvm::is_contained(schedule.kept, true)].add(schedule, cycles);
}

/// Without a contraction, first loads and last stores count as a whole in a prediction. In a
/// segment other kernels work meanwhile: of what takes about as long, that which keeps its engines
/// busy the least is chosen. With one tile, none of them would have something to do before the last
/// one.
void Search::chooseLeastWork() {
  double least = std::numeric_limits<double>::infinity();
  bool hasTiles = TileCost(problem, target, *best, /*mxuCycles=*/0, &charges).getNumTiles() > 1;
  for (const Ranking &ranking : rankings)
    for (const Schedule &schedule : ranking.getFinalists()) {
      TileCost cost(problem, target, schedule, /*mxuCycles=*/0, &charges);
      double work = std::max(cost.getLeastCycles(), cost.getTransferCycles(cost.getLoadCosts()));
      if (work >= least || (hasTiles && cost.getNumTiles() <= 1))
        continue;
      best = schedule;
      least = work;
    }
}

/// Plays what was predicted about as fast as the best.
void Search::playFinalists() {
  if (best && !problem.array)
    chooseLeastWork();
  if (!canPlay(problem) || !best)
    return;
  Finalists finalists(problem, target, charges);
  for (const Ranking &ranking : rankings)
    for (const Schedule &schedule : ranking.getFinalists())
      finalists.add(schedule);
  best = finalists.choose();
}

/// Adds the tiles that fit, with no more loops than a stream can have; `sizes` are the choices of
/// the last dimensions, which `tiles` has at their smallest.
void Search::collectCandidates(ArrayRef<SmallVector<int64_t>> sizes, SmallVector<int64_t> &tiles,
                               SmallVector<int64_t> &slots, double least,
                               std::deque<Candidate> &candidates) const {
  if (sizes.empty()) {
    if (countLoops(problem, tiles) > isa::maxLoopDepth)
      return;
    double mxuCycles = getMxuCycles(problem, target, tiles, {}), volume = 1;
    for (int64_t tile : tiles)
      volume *= tile;
    candidates.push_back({SmallVector<int64_t, 8>(ArrayRef<int64_t>(tiles)), mxuCycles,
                          std::max(mxuCycles / target.clusters, least), volume});
    return;
  }
  unsigned dim = tiles.size() - sizes.size();
  SmallVector<int64_t> smallest(slots);
  for (int64_t size : sizes.front()) {
    tiles[dim] = size;
    if (size != sizes.front().front()) {
      for (unsigned buffer : movedBy[dim])
        slots[buffer] = getTileSlotBytes(problem, problem.buffers[buffer], tiles);
      // Larger ones do not fit either.
      if (!canFit(tiles, slots))
        break;
    }
    collectCandidates(sizes.drop_front(), tiles, slots, least, candidates);
  }
  tiles[dim] = sizes.front().front();
  slots = smallest;
}

bool Search::tryCandidates(bool splitReluctant) {
  SmallVector<SmallVector<int64_t>> sizes;
  for (const Dim &dim : problem.dims)
    sizes.push_back(getCandidates(dim, splitReluctant));

  std::deque<Candidate> candidates;
  SmallVector<int64_t> tiles;
  for (ArrayRef<int64_t> choices : sizes)
    tiles.push_back(choices.front());
  SmallVector<int64_t> slots;
  for (const Buffer &buffer : problem.buffers)
    slots.push_back(getTileSlotBytes(problem, buffer, tiles));
  if (canFit(tiles, slots))
    collectCandidates(sizes, tiles, slots, getLeastCycles(problem, target), candidates);
  // Few are tried: a heap finds the next one without sorting the others.
  auto isLater = [](const Candidate *a, const Candidate *b) {
    return std::tie(b->bound, a->volume, b->tiles) < std::tie(a->bound, b->volume, a->tiles);
  };
  std::vector<const Candidate *> heap;
  for (const Candidate &candidate : candidates)
    heap.push_back(&candidate);
  std::make_heap(heap.begin(), heap.end(), isLater);
  for (unsigned tried = 0; tried < kMaxTilesTried && !heap.empty(); ++tried) {
    std::pop_heap(heap.begin(), heap.end(), isLater);
    const Candidate &candidate = *heap.back();
    heap.pop_back();
    if (candidate.bound >= getBest(best))
      break;
    // Where the array decides, those that follow take longer.
    double mxuCycles = candidate.mxuCycles / target.clusters;
    if (problem.array && mxuCycles == candidate.bound &&
        isNoFinalist(getLeastSteadyCycles(mxuCycles, leastMoved) + problem.getShown(leastPrologue)))
      break;
    if (problem.fixedSplits) {
      trySplits(candidate, *problem.fixedSplits);
      continue;
    }
    trySplits(candidate, {});
    for (const ClusterSplits &splits : getSplitChoices(
             problem, target, candidate.tiles, getLoopDims(candidate.tiles, /*isReduction=*/false)))
      trySplits(candidate, splits);
  }
  return best.has_value();
}

void Search::trySplits(const Candidate &candidate, const ClusterSplits &splits) {
  ArrayRef<int64_t> tiles = candidate.tiles;
  double mxuCycles =
      splits.empty() ? candidate.mxuCycles : getMxuCycles(problem, target, tiles, splits);
  if (mxuCycles >= getBest(best) ||
      (problem.array &&
       isNoFinalist(getLeastSteadyCycles(mxuCycles, leastMoved) + problem.getShown(leastPrologue))))
    return;
  // Only a dimension with a loop can be split.
  if (any_of(splits, [&](const ClusterSplit &split) {
        return tiles[split.dim] >= problem.dims[split.dim].extent;
      }))
    return;
  SmallVector<unsigned> parallel = getLoopDims(tiles, /*isReduction=*/false);
  SmallVector<unsigned> reductions = getLoopDims(tiles, /*isReduction=*/true);
  // Split loops are outermost, so that a cluster loads only its own part of what it keeps.
  unsigned fixed = 0;
  for (const ClusterSplit &split : splits) {
    auto found = llvm::find(parallel, split.dim);
    std::rotate(parallel.begin() + fixed++, found, found + 1);
  }
  fixed = std::max<int>(fixed, static_cast<int>(parallel.size()) - 4);
  llvm::sort(parallel.begin() + fixed, parallel.end());
  Schedule schedule = getLeanSchedule(problem, tiles);
  schedule.splits = splits;
  LoadCosts known;
  auto setOrder = [&] {
    schedule.order.assign(parallel);
    schedule.order.append(reductions);
  };
  setOrder();
  TileCost cost(problem, target, schedule, mxuCycles, &charges);
  do {
    setOrder();
    cost.setOrder();
    if (!tryOrder(schedule, cost, known, mxuCycles))
      return;
  } while (std::next_permutation(parallel.begin() + fixed, parallel.end()));
}

bool npu::tile::isLevelLegal(const Problem &problem, const Schedule &schedule, unsigned index,
                             unsigned level) {
  const Buffer &buffer = problem.buffers[index];
  if (level > 0 && !dependsOn(buffer, schedule.order[level - 1]))
    return false;
  auto isPanelDim = [&](unsigned dim) {
    return buffer.hasPanelAxis && buffer.axes[buffer.order[0]].terms[0].dim == dim;
  };
  // What is made is whole panels.
  if (buffer.isMade)
    for (unsigned dim : ArrayRef(schedule.order).take_front(level))
      if (isPanelDim(dim) && schedule.tiles[dim] % buffer.panelColumns != 0)
        return false;
  for (unsigned dim : ArrayRef(schedule.order).drop_front(level)) {
    if (!dependsOn(buffer, dim))
      continue;
    if (problem.dims[dim].isUnit || schedule.getClusters(dim) > 1)
      return false;
    // A view of several panels starts at a whole panel.
    if (isPanelDim(dim) && schedule.tiles[dim] % buffer.panelColumns != 0)
      return false;
  }
  return true;
}

/// Broadcast operands of the tail are small: they are loaded in the outermost loop where they still
/// take little memory, because every load has a latency. Others are as large as the result and
/// overlap better tile by tile.
unsigned Search::chooseOperandLevel(const TileCost &cost, const Schedule &schedule,
                                    LoadCosts &known, unsigned buffer) const {
  unsigned innermost = hoistLevel(problem, schedule.order, buffer, schedule.order.size());
  const Store &store = problem.stores.front();
  if (problem.buffers[buffer].order.size() >= problem.buffers[store.buffer].order.size())
    return innermost;
  int64_t allowed = std::max<int64_t>(
      2 * known.get(cost, buffer, schedule.order, innermost).slotBytes, target.sramBytes / 32);
  for (unsigned level = 0; level < innermost; ++level)
    if (isLevelLegal(problem, schedule, buffer, level) &&
        known.get(cost, buffer, schedule.order, level).slotBytes <= allowed)
      return level;
  return innermost;
}

bool Search::isTooSlow(double cycles) const {
  return best && cycles > best->predictedCycles * (1 + 1e-9);
}

bool Search::isNoFinalist(double cycles) const {
  return llvm::all_of(
      rankings, [&](const Ranking &ranking) { return ranking.isTooSlow(cycles, getBest(best)); });
}

bool Search::tryOrder(Schedule &schedule, TileCost &cost, LoadCosts &known, double mxuCycles) {
  ArrayRef<unsigned> loops = schedule.order;
  // The same for every order.
  if (isTooSlow(cost.getLeastCycles()) ||
      isNoFinalist(problem.array ? cost.getLeastCycles(leastMoved, leastPrologue)
                                 : cost.getLeastCycles(0, 0)))
    return false;
  size_t numBuffers = problem.buffers.size();
  Order order = {cost, schedule, SmallVector<LoadCost>(numBuffers),
                 SmallVector<int64_t>(numBuffers)};
  SmallVector<Input> inputs;
  double loadCycles = 0, prologue = 0;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    if (buffer.role == BufferRole::Input) {
      Input &input = inputs.emplace_back(Input{static_cast<unsigned>(index), {}, 0, 0, {}});
      for (unsigned level = 0, e = loops.size(); level <= e; ++level)
        if (isLevelLegal(problem, schedule, index, level))
          if (LoadCost load = known.get(cost, index, loops, level);
              load.slotBytes <= target.sramBytes) {
            // Tile by tile the contraction begins earlier, and all tiles take longer.
            if (canBeKept(problem, schedule, index, level))
              if (LoadCost kept = cost.getKeptCost(index, level);
                  kept.firstCycles +
                      std::max(0.0, kept.restPace - kept.restShare * mxuCycles / kept.count) <
                  load.cycles)
                input.loads.push_back(kept);
            input.loads.push_back(load);
            if (buffer.isMade)
              input.parts.push_back(getParts(cost, schedule, index, level));
          }
    } else if (buffer.madeFor) {
      continue; // with what it is for
    } else if (buffer.isLoaded()) {
      schedule.levels[index] = chooseOperandLevel(cost, schedule, known, index);
      const LoadCost &load = order.loads[index] =
          known.get(cost, index, loops, schedule.levels[index]);
      order.slotBytes[index] = load.slotBytes;
      loadCycles += load.count * load.pace;
      if (buffer.isForRoot())
        prologue += load.firstCycles;
    } else {
      order.slotBytes[index] = getSlotBytes(problem, schedule, index);
    }
  }
  double least = 0, leastPrologue = 0;
  for (Input &input : reverse(inputs)) {
    double fewest = std::numeric_limits<double>::infinity(), shortest = fewest;
    for (const LoadCost &load : input.loads) {
      fewest = std::min(fewest, load.count * load.pace);
      shortest = std::min(shortest, cost.getLeastFirstCycles(load));
    }
    input.least = least += fewest;
    input.leastPrologue = leastPrologue += shortest;
  }
  tryResidency(order, inputs, loadCycles, prologue);
  return true;
}

/// `loadCycles` and `prologue` are those of the loads that are chosen already.
void Search::tryResidency(Order &order, ArrayRef<Input> inputs, double loadCycles,
                          double prologue) {
  double leastLoads = loadCycles + (inputs.empty() ? 0 : inputs.front().least);
  double leastPrologue = prologue + (inputs.empty() ? 0 : inputs.front().leastPrologue);
  if (isTooSlow(leastLoads) || isNoFinalist(order.cost.getLeastCycles(leastLoads, leastPrologue)))
    return;
  if (inputs.empty())
    return tryDepths(order);
  const Input &input = inputs.front();
  for (auto [number, load] : enumerate(input.loads)) {
    double cycles = loadCycles + load.count * load.pace;
    auto take = [&](unsigned buffer, const LoadCost &cost) {
      order.loads[buffer] = cost;
      order.slotBytes[buffer] = cost.slotBytes;
      order.schedule.levels[buffer] = cost.level;
      order.schedule.kept[buffer] = cost.isKept;
    };
    take(input.buffer, load);
    if (!input.parts.empty())
      for (const auto &[buffer, part] : input.parts[number]) {
        take(buffer, part);
        cycles += part.count * part.pace;
      }
    tryResidency(order, inputs.drop_front(), cycles,
                 prologue + order.cost.getLeastFirstCycles(load));
  }
}

/// What the buffer `made` at `level` is made of: loads, and buffers that have a size only.
SmallVector<std::pair<unsigned, LoadCost>> Search::getParts(const TileCost &cost,
                                                            const Schedule &schedule, unsigned made,
                                                            unsigned level) const {
  Schedule placed = schedule;
  placed.levels[made] = level;
  setLevelsOfMade(problem, placed, made);
  SmallVector<std::pair<unsigned, LoadCost>> parts;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    if (buffer.madeFor != made)
      continue;
    LoadCost part;
    if (buffer.isLoaded()) {
      part = cost.getLoadCost(index, placed.levels[index]);
    } else {
      part.level = placed.levels[index];
      part.slotBytes = getSlotBytes(problem, placed, index);
    }
    parts.push_back({static_cast<unsigned>(index), part});
  }
  return parts;
}

void Search::tryDepths(Order &order) {
  Schedule &schedule = order.schedule;
  // Two slots where there is something to overlap, for loads a third one where the latency of one
  // can pass while another one moves; fewer only where these do not fit.
  SmallVector<unsigned> groups;
  SmallVector<int64_t> most; // slots, by group
  constexpr unsigned kSingle = ~0u;
  unsigned tailGroup = kSingle, madeGroup = kSingle;
  auto addGroup = [&](int64_t slots) {
    most.push_back(slots);
    return most.size() - 1;
  };
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    bool isLoaded = buffer.isLoaded();
    double uses = isLoaded || buffer.isMade ? order.loads[index].count : order.cost.getNumTiles();
    if (uses <= 1 || buffer.isPrivate || schedule.isKept(index)) {
      groups.push_back(kSingle);
    } else if (buffer.isMade || buffer.madeFor) {
      // What is loaded while the one before is made, and that while it is used.
      if (madeGroup == kSingle)
        madeGroup = addGroup(2);
      groups.push_back(madeGroup);
    } else if (buffer.isForRoot() || buffer.role == BufferRole::Accumulator) {
      groups.push_back(addGroup(isLoaded && target.dmaOutstanding > 1 ? 3 : 2));
    } else {
      if (tailGroup == kSingle)
        tailGroup = addGroup(2);
      groups.push_back(tailGroup);
    }
  }
  bool doTwoFit = false; // of all
  for (int64_t number = 0, e = llvm::product_of(most); number < e; ++number) {
    SmallVector<int64_t> slots;
    int64_t rest = number;
    for (int64_t ofGroup : most) {
      slots.push_back(ofGroup - rest % ofGroup);
      rest /= ofGroup;
    }
    int64_t sramBytes = 0, accBytes = 0;
    for (auto [index, group] : enumerate(groups)) {
      schedule.depths[index] = group == kSingle ? 1 : slots[group];
      bool isAcc = problem.buffers[index].role == BufferRole::Accumulator;
      (isAcc ? accBytes : sramBytes) += order.slotBytes[index] * schedule.depths[index];
    }
    bool hasSingle = is_contained(slots, 1);
    if (sramBytes > target.sramBytes || accBytes > target.accBytes || (doTwoFit && hasSingle))
      continue;
    doTwoFit |= !hasSingle;
    ++numSchedules;
    double limit = rankings[is_contained(schedule.kept, true)].getLimit(getBest(best));
    keep(schedule, order.cost.getCycles(order.loads, schedule.depths, &schedule.begin, limit));
    if (number == 0)
      return;
  }
}

std::optional<Schedule> npu::tile::searchTiles(const Problem &problem, const TargetDesc &target,
                                               int64_t *numSchedules) {
  Search search(problem, target);
  std::optional<Schedule> best = search.run();
  if (numSchedules)
    *numSchedules = search.numSchedules;
  if (best)
    return best;
  // Loads that the search would keep outside of loops may need more memory than there is.
  Schedule smallest = getSmallestSchedule(problem);
  bool isMade = any_of(problem.buffers, [](const Buffer &buffer) { return buffer.isMade; });
  if (isMade || problem.fixedSplits || !fits(problem, smallest, target))
    return std::nullopt;
  smallest.predictedCycles = predictCycles(problem, smallest, target);
  return smallest;
}
