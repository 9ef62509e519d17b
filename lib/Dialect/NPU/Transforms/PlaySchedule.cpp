//===- PlaySchedule.cpp - the engines on one schedule, step by step -------===//

#include "PlaySchedule.h"

#include "SpilledSums.h"

#include "NPU/Dialect/NPU/IR/Tile.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

namespace {
enum class Unit { Load, Array, Vector, Store };
constexpr size_t kNumUnits = 4;

/// What a step takes after it was issued.
struct Cost {
  double cycles = 0;      ///< alone; of a transfer after its latency
  double dramCycles = 0;  ///< of them, what the memory is busy; of a transfer
  double firstCycles = 0; ///< of them, what reads the accumulator; of the tail
};

/// What a unit does in every iteration of the innermost of `level` loops.
struct PlayedStep {
  Unit unit = Unit::Load;
  unsigned level = 0;
  /// It comes behind the loops inside `level`, not before them.
  bool isBehind = false;
  unsigned index = 0;    ///< of the buffer that is loaded or made, or of the store
  bool isMaking = false; ///< a buffer, by the vector unit
  /// It does its work in so many parts.
  int64_t parts = 1;
  /// It is a part of what another step does in the first or the last iteration of all loops.
  bool isPart = false;
  /// The loops after whose first iteration it has nothing to do, as bits.
  unsigned onceIn = 0;
  SmallVector<unsigned, 4> sources = {};
  /// Its result lies in one of `depth` slots per iteration of `slotLevel` loops, each of which
  /// `readers` hold until they have run, or of the accumulator until its first reader has.
  unsigned slotLevel = 0;
  int64_t depth = 1;
  /// Its results of all iterations of the loops from this one on have slots of their own.
  std::optional<unsigned> keptFrom = {};
  SmallVector<unsigned, 2> readers = {};
  /// By the part, and by which loops are in their last iteration, where it has something to do.
  mutable DenseMap<unsigned, Cost> costs;
};

class Player {
public:
  Player(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
         Charges *charges);

  double run() const;

private:
  unsigned add(Unit unit, unsigned level, bool isBehind, unsigned index);
  /// `reader` needs what `step` makes, and its slot.
  void connect(unsigned step, unsigned reader);
  void addFirstParts();
  /// Indices of a tile in the last iteration of the loop over `dim`.
  int64_t getLastSize(unsigned dim) const;
  Cost getCost(const PlayedStep &step, unsigned isLast, unsigned part) const;
  Cost computeCost(const PlayedStep &step, unsigned isLast, unsigned part,
                   std::optional<size_t> firstPart = std::nullopt,
                   std::optional<int64_t> rows = std::nullopt) const;
  double getCycles(SmallVector<int64_t> counts) const;
  /// Each unit's work in its order, with what it takes.
  using Work = std::array<std::vector<std::pair<unsigned, Cost>>, kNumUnits>;
  void splitFirstTile(ArrayRef<int64_t> counts, Work &work) const;
  void splitLastTile(ArrayRef<int64_t> counts, Work &work) const;
  /// Rows of the last tile but for its last part; nothing if it is not done in parts.
  std::optional<int64_t> getFirstRows() const {
    return endStep ? std::optional<int64_t>(endParts * schedule.partSize) : std::nullopt;
  }
  double play(ArrayRef<int64_t> counts) const;

  const Problem &problem;
  const TargetDesc &target;
  const Schedule &schedule;
  TileCost cost;
  SmallVector<int64_t> trips; ///< of one cluster
  unsigned beginDim = 0;      ///< of the first tile's parts, if there are any
  /// The steps that do their first tile in parts, the array last, and their parts but the last one,
  /// by part.
  std::vector<unsigned> begun;
  std::vector<std::vector<unsigned>> firstParts;
  SmallVector<int64_t> partSizes;
  /// The step that does the array's last tile but for the last part of it, and of how many parts it
  /// is; if it is not done as a whole.
  std::optional<unsigned> endStep;
  size_t endParts = 0;
  static constexpr unsigned arrayStep = 0, tailStep = 1;
  bool hasTail = true;
  std::vector<PlayedStep> steps;
};
} // namespace

/// Steps of the array that are played; of longer schedules parts are.
static constexpr int64_t kMaxSteps = 128;

static int64_t countSteps(ArrayRef<int64_t> counts) {
  int64_t steps = 1;
  for (int64_t count : counts)
    steps *= count;
  return steps;
}

static constexpr double kNever = std::numeric_limits<double>::infinity();

unsigned Player::add(Unit unit, unsigned level, bool isBehind, unsigned index) {
  PlayedStep &step = steps.emplace_back();
  step.unit = unit;
  step.level = step.slotLevel = level;
  step.isBehind = isBehind;
  step.index = index;
  return steps.size() - 1;
}

void Player::connect(unsigned step, unsigned reader) {
  steps[step].readers.push_back(reader);
  steps[reader].sources.push_back(step);
}

Player::Player(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
               Charges *charges)
    : problem(problem), target(target), schedule(schedule),
      cost(problem, target, schedule,
           getMxuCycles(problem, target, schedule.tiles, schedule.splits), charges) {
  for (unsigned dim : schedule.order)
    trips.push_back(llvm::divideCeil(schedule.getTrips(problem, dim), schedule.getClusters(dim)));
  unsigned numLoops = trips.size(), numParallel = schedule.getNumParallelLoops(problem);
  unsigned array = add(Unit::Array, numLoops, false, 0);
  assert(array == arrayStep && "parts of the first tile know it by its number");
  unsigned tail = add(Unit::Vector, numParallel, true, 0);
  steps[tail].parts = schedule.getNumParts();
  // Without ops it would still keep the vector unit from what comes next until the array is done.
  hasTail = llvm::any_of(problem.vectorOps, [](const VectorOp &op) { return !op.madeFor; }) ||
            llvm::none_of(problem.buffers, [](const Buffer &buffer) { return buffer.isMade; });
  if (hasTail)
    connect(array, tail);
  steps[array].slotLevel = numParallel;
  DenseMap<unsigned, unsigned> making; // by buffer
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    if (!buffer.isMade)
      continue;
    unsigned step = making[index] = add(Unit::Vector, schedule.levels[index], false, index);
    steps[step].isMaking = true;
    steps[step].depth = schedule.depths[index];
    connect(step, array);
  }
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    if (buffer.role == BufferRole::Accumulator)
      steps[array].depth = schedule.depths[index];
    if (!buffer.isLoaded())
      continue;
    // What only the tail needs is loaded before it.
    unsigned level = schedule.getLoadLevel(problem, index);
    bool isForTail = !buffer.isForRoot();
    unsigned load = add(Unit::Load, level, isForTail && level == numParallel, index);
    steps[load].depth = schedule.depths[index];
    if (schedule.isKept(index)) {
      steps[load].keptFrom = schedule.levels[index];
      for (unsigned loop = schedule.levels[index]; loop < level; ++loop)
        if (!dependsOn(buffer, schedule.order[loop]))
          steps[load].onceIn |= 1u << loop;
    }
    if (schedule.isPart(problem, index))
      steps[load].parts = schedule.getNumParts();
    connect(load, buffer.madeFor ? making.lookup(*buffer.madeFor) : isForTail ? tail : array);
  }
  for (auto [index, stored] : enumerate(problem.stores)) {
    unsigned producer = problem.accumulatorIsStored ? array : tail;
    unsigned store = add(Unit::Store, numParallel, true, index);
    steps[store].parts = steps[producer].parts;
    connect(producer, store);
    if (producer == tail)
      steps[tail].depth = schedule.depths[stored.buffer];
  }
  if (!schedule.begin.empty())
    addFirstParts();
  if (!schedule.endsInParts)
    return;
  endParts = llvm::divideCeil(getLastSize(schedule.partDim), schedule.partSize) - 1;
  if (endParts > 0) {
    endStep = add(Unit::Array, numLoops, false, 0);
    steps[*endStep].isPart = true;
  }
}

/// Those of clusters that share a loop are not smaller for the busiest one.
int64_t Player::getLastSize(unsigned dim) const {
  int64_t rest = problem.dims[dim].extent % schedule.tiles[dim];
  return rest > 0 && schedule.getClusters(dim) == 1 ? rest : schedule.tiles[dim];
}

/// Steps for all but the last part of the first tile, which is the first instance of the steps that
/// do whole ones.
void Player::addFirstParts() {
  std::optional<unsigned> dim = findBeginDim(problem, schedule);
  if (!dim)
    return;
  beginDim = *dim;
  for (unsigned number = 0, e = steps.size(); number < e; ++number)
    if (steps[number].unit == Unit::Load && isBegun(problem, steps[number].index, beginDim))
      begun.push_back(number);
  begun.push_back(arrayStep);
  partSizes = divide(schedule.tiles[beginDim], schedule.begin);
  for (size_t part = 0; part + 1 < partSizes.size(); ++part) {
    std::vector<unsigned> &parts = firstParts.emplace_back();
    for (unsigned whole : begun) {
      Unit unit = steps[whole].unit;
      parts.push_back(add(unit, steps[whole].level, steps[whole].isBehind, steps[whole].index));
      steps.back().isPart = true;
      if (unit == Unit::Array)
        for (unsigned load : ArrayRef(parts).drop_back())
          connect(load, parts.back());
    }
  }
}

/// Tiles of the loops in their last iteration may be smaller.
Cost Player::computeCost(const PlayedStep &step, unsigned isLast, unsigned part,
                         std::optional<size_t> firstPart, std::optional<int64_t> rows) const {
  SmallVector<int64_t> sizes(schedule.tiles);
  for (auto [loop, dim] : enumerate(schedule.order)) {
    if (loop >= step.level)
      sizes[dim] *= schedule.getTrips(problem, dim);
    else if (isLast >> loop & 1)
      sizes[dim] = getLastSize(dim);
  }
  if (rows)
    sizes[schedule.partDim] = *rows;
  else if (step.parts > 1)
    sizes[schedule.partDim] = std::clamp<int64_t>(
        sizes[schedule.partDim] - part * schedule.partSize, 0, schedule.partSize);
  if (firstPart) {
    // Of what spans several tiles the last part is all that is left.
    int64_t rest = std::min(sizes[beginDim], problem.dims[beginDim].extent);
    for (int64_t before : ArrayRef(partSizes).take_front(*firstPart))
      rest -= before;
    sizes[beginDim] = *firstPart == firstParts.size() ? rest : partSizes[*firstPart];
  }
  Cost result;
  auto addTransfer = [&](Transfer transfer) {
    result.cycles = transfer.cycles;
    result.dramCycles = transfer.chargedBytes * schedule.getClusters() / target.dramBytesPerCycle;
  };
  switch (step.unit) {
  case Unit::Load:
    addTransfer(cost.getLoad(step.index, sizes));
    break;
  case Unit::Store:
    for (auto [loop, dim] : enumerate(schedule.order))
      if (loop >= step.level)
        sizes[dim] = schedule.tiles[dim];
    addTransfer(cost.getStore(problem.stores[step.index], sizes));
    break;
  case Unit::Array:
    result.cycles = getMxuStepCycles(problem, target, sizes);
    break;
  case Unit::Vector:
    if (step.isMaking) {
      result.cycles = cost.getMakingCycles(step.index, sizes) - target.issueCycles;
      break;
    }
    for (const VectorOp &op : problem.vectorOps) {
      if (op.madeFor)
        continue;
      result.cycles += cost.getVectorCycles(op, sizes);
      if (result.firstCycles == 0)
        result.firstCycles = result.cycles;
    }
    result.cycles -= target.issueCycles;
    result.firstCycles -= target.issueCycles;
    break;
  }
  return result;
}

Cost Player::getCost(const PlayedStep &step, unsigned isLast, unsigned part) const {
  auto [entry, isNew] = step.costs.try_emplace(part << isa::maxLoopDepth | isLast);
  if (isNew)
    entry->second = computeCost(step, isLast, part);
  return entry->second;
}

double Player::run() const {
  double cycles = getCycles(trips);
  if (countSteps(trips) <= kMaxSteps)
    return cycles;
  // In shorter inner loops an engine of the outer ones may be behind; no engine is faster than its
  // own work.
  SmallVector<LoadCost> loads(problem.buffers.size());
  for (auto [index, buffer] : enumerate(problem.buffers))
    if (buffer.isLoaded())
      loads[index] = cost.getLoadCost(index);
  return std::max({cycles, cost.getLeastCycles(), cost.getTransferCycles(loads)});
}

/// Plays what is short; of a long loop so many iterations that the last ones tell the pace.
double Player::getCycles(SmallVector<int64_t> counts) const {
  constexpr int64_t few = 5, last = 2;
  if (countSteps(counts) > kMaxSteps)
    for (int64_t &count : counts)
      if (count > few + last) {
        int64_t rest = count - few;
        count = few;
        double played = getCycles(counts);
        count = few - last;
        return played + rest * (played - getCycles(counts)) / last;
      }
  return play(counts);
}

/// Replaces the first tile of the contraction by its parts, and its loads, where the last of them
/// was, by those of one part after the other.
void Player::splitFirstTile(ArrayRef<int64_t> counts, Work &work) const {
  unsigned isLast = 0;
  for (auto [loop, count] : enumerate(counts))
    isLast |= unsigned(count == 1) << loop;
  bool isOnlyTile = countSteps(counts) == 1;
  SmallVector<size_t> places; // of the loads
  auto &loads = work[static_cast<size_t>(Unit::Load)];
  for (unsigned whole : ArrayRef(begun).drop_back())
    places.push_back(llvm::find_if(loads, [&](auto &entry) { return entry.first == whole; }) -
                     loads.begin());
  llvm::sort(places);
  Work parts;
  for (size_t part = 0; part <= firstParts.size(); ++part)
    for (auto [index, whole] : llvm::enumerate(begun))
      parts[static_cast<size_t>(steps[whole].unit)].push_back(
          {part < firstParts.size() ? firstParts[part][index] : whole,
           computeCost(steps[whole], isLast, 0, part,
                       whole == arrayStep && isOnlyTile ? getFirstRows() : std::nullopt)});
  auto &loadParts = parts[static_cast<size_t>(Unit::Load)];
  loads.insert(loads.begin() + places.back() + 1, loadParts.begin(), loadParts.end());
  for (size_t place : reverse(places))
    loads.erase(loads.begin() + place);
  auto &tiles = work[static_cast<size_t>(Unit::Array)];
  auto &tileParts = parts[static_cast<size_t>(Unit::Array)];
  tiles.erase(tiles.begin());
  tiles.insert(tiles.begin(), tileParts.begin(), tileParts.end());
}

/// Divides the last thing that the array does. Of a tile that is the first one as well the first
/// rows have been divided already.
void Player::splitLastTile(ArrayRef<int64_t> counts, Work &work) const {
  auto &tiles = work[static_cast<size_t>(Unit::Array)];
  unsigned isLast = (1u << counts.size()) - 1;
  auto getRows = [&](int64_t rows) {
    return computeCost(steps[arrayStep], isLast, 0, std::nullopt, rows);
  };
  int64_t rows = *getFirstRows();
  bool isDivided = !firstParts.empty() && countSteps(counts) == 1;
  tiles.back() = {*endStep, isDivided ? tiles.back().second : getRows(rows)};
  tiles.push_back({arrayStep, getRows(getLastSize(schedule.partDim) - rows)});
}

/// Iterations of the loops around the step until its slot is another one's. What is kept is read up
/// to the last iteration of the loops that do not move it.
static int64_t getDepth(const PlayedStep &step, ArrayRef<int64_t> counts) {
  if (!step.keptFrom)
    return step.depth;
  if (*step.keptFrom == 0)
    return std::numeric_limits<int64_t>::max();
  int64_t inner = 1, read = 0;
  for (unsigned loop = step.level; loop-- > *step.keptFrom; inner *= counts[loop])
    if (step.onceIn >> loop & 1)
      read += (counts[loop] - 1) * inner;
  return inner - read;
}

double Player::play(ArrayRef<int64_t> counts) const {
  unsigned numLoops = counts.size();
  // Iterations of loops `from` to `to` - 1.
  SmallVector<int64_t> products(numLoops + 1, 1);
  for (unsigned loop = 0; loop < numLoops; ++loop)
    products[loop + 1] = products[loop] * counts[loop];
  // The last instance at level `to` of what is the `instance`th at level `from`.
  auto translate = [&](int64_t instance, unsigned from, unsigned to) {
    return to <= from ? instance / (products[from] / products[to])
                      : (instance + 1) * (products[to] / products[from]) - 1;
  };
  // The same of a step, whose parts are instances, too.
  auto find = [&](int64_t instance, unsigned level, int64_t parts,
                  const PlayedStep &step) -> size_t {
    if (parts == step.parts)
      return translate(instance, level, step.level);
    return (translate(instance / parts, level, step.level) + 1) * step.parts - 1;
  };
  Work work;
  auto walk = [&](auto &self, unsigned level, unsigned isLast, unsigned isLater) -> void {
    auto emit = [&](bool isBehind) {
      for (bool isInParts : {false, true})
        for (int64_t part = 0; part < (isInParts ? schedule.getNumParts() : 1); ++part)
          for (auto [number, step] : llvm::enumerate(steps))
            if ((number != tailStep || hasTail) && step.level == level && !step.isPart &&
                step.isBehind == isBehind && (step.parts > 1) == isInParts)
              work[static_cast<size_t>(step.unit)].push_back(
                  {number, step.onceIn & isLater ? Cost() : getCost(step, isLast, part)});
    };
    emit(false);
    if (level < numLoops)
      for (int64_t i = 0; i < counts[level]; ++i)
        self(self, level + 1, isLast | unsigned(i + 1 == counts[level]) << level,
             isLater | unsigned(i > 0) << level);
    emit(true);
  };
  walk(walk, 0, 0, 0);
  if (!firstParts.empty())
    splitFirstTile(counts, work);
  if (endStep)
    splitLastTile(counts, work);

  // When steps began and ended, and when they were through with the accumulator.
  struct Time {
    double end, release;
  };
  std::vector<std::vector<Time>> times(steps.size());
  struct Moving {
    double ready, left, cycles; ///< when the first byte may come, and what is left after that
    double earliest = 0;        ///< when the on-chip side is done
    bool isMoving = false;
  };
  struct Engine {
    size_t next = 0, finished = 0; ///< of its work
    double canIssue = 0;           ///< when the next one may be issued
    double canStart = 0;           ///< when it may start
    double end = 0;                ///< of the last one that has finished
    std::deque<Moving> transfers;  ///< under way; the first one moves
  };
  std::array<Engine, kNumUnits> engines;
  std::vector<int64_t> started(steps.size());
  std::optional<double> firstWait; // of the array
  // When the unit's next step can begin; never while what it waits for has not begun.
  auto getBegin = [&](size_t unit) -> double {
    const Engine &engine = engines[unit];
    unsigned number = work[unit][engine.next].first;
    if (number == endStep)
      number = arrayStep;
    const PlayedStep &step = steps[number];
    double begin = std::max(engine.canIssue + target.issueCycles, engine.canStart);
    int64_t instance = started[number];
    for (unsigned source : step.sources) {
      size_t index = find(instance, step.level, step.parts, steps[source]);
      bool isEnd = endStep && source == arrayStep && int64_t(index) == products[numLoops] - 1;
      if (isEnd && instance % step.parts < int64_t(endParts)) {
        source = *endStep;
        index = 0;
      }
      if (index >= times[source].size())
        return kNever;
      begin = std::max(begin, times[source][index].end);
    }
    int64_t slot = translate(instance, step.level, step.slotLevel) - getDepth(step, counts);
    if (slot < 0)
      return begin;
    for (unsigned reader : step.readers) {
      size_t index = find(slot, step.slotLevel, step.parts, steps[reader]);
      if (index >= times[reader].size())
        return kNever;
      const Time &time = times[reader][index];
      bool isAccumulator = step.unit == Unit::Array && steps[reader].unit == Unit::Vector;
      begin = std::max(begin, isAccumulator ? time.release : time.end);
    }
    return begin;
  };
  auto finish = [&](size_t unit, double end, double release) {
    Engine &engine = engines[unit];
    engine.end = std::max(engine.end, end);
    times[work[unit][engine.finished++].first].push_back({engine.end, release});
  };
  auto start = [&](size_t unit, double begin) {
    Engine &engine = engines[unit];
    auto &[number, taken] = work[unit][engine.next++];
    ++started[number];
    Unit kind = steps[number].unit;
    if (kind == Unit::Array && !firstWait)
      firstWait = begin;
    if (kind == Unit::Array || kind == Unit::Vector) {
      finish(unit, begin + taken.cycles, begin + taken.firstCycles);
      bool isPipelined = kind == Unit::Array && target.macPipelined;
      engine.canIssue = isPipelined ? begin : engine.end;
      engine.canStart = engine.end - isa::getArrayOverlap(target);
      return;
    }
    double latency = taken.dramCycles > 0 ? target.dramLatencyCycles : 0;
    engine.transfers.push_back({begin + latency, taken.dramCycles, taken.cycles});
    engine.canIssue = begin;
  };
  // Transfers share the memory, so that how long one takes depends on when others begin.
  for (double now = 0;;) {
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (size_t unit = 0; unit < kNumUnits; ++unit) {
        const Engine &engine = engines[unit];
        if (engine.next == work[unit].size() ||
            int64_t(engine.transfers.size()) == target.dmaOutstanding)
          continue;
        double begin = getBegin(unit);
        if (begin == kNever)
          continue;
        start(unit, begin);
        isChanged = true;
      }
    }
    // To where a transfer's first byte comes, or its last.
    double event = kNever;
    int64_t sharers = llvm::count_if(engines, [](const Engine &engine) {
      return !engine.transfers.empty() && engine.transfers.front().isMoving;
    });
    for (const Engine &engine : engines)
      if (!engine.transfers.empty()) {
        const Moving &transfer = engine.transfers.front();
        event = std::min(event, transfer.isMoving ? now + transfer.left * sharers : transfer.ready);
      }
    if (event == kNever)
      break;
    for (size_t unit = 0; unit < kNumUnits; ++unit) {
      Engine &engine = engines[unit];
      if (engine.transfers.empty())
        continue;
      Moving &transfer = engine.transfers.front();
      if (!transfer.isMoving) {
        if (transfer.ready <= event) {
          transfer.isMoving = true;
          transfer.earliest = transfer.ready + transfer.cycles;
        }
        continue;
      }
      transfer.left -= (event - now) / sharers;
      if (transfer.left > 1e-6)
        continue;
      bool wasFull = int64_t(engine.transfers.size()) == target.dmaOutstanding;
      finish(unit, std::max(event, transfer.earliest), kNever);
      engine.transfers.pop_front();
      if (wasFull)
        engine.canIssue = std::max(engine.canIssue, engine.end);
      if (!engine.transfers.empty())
        engine.transfers.front().ready = std::max(engine.transfers.front().ready, engine.end);
    }
    now = event;
  }
  double end = 0;
  for (const Engine &engine : engines)
    end = std::max(end, engine.end);
  double wait = firstWait.value_or(0);
  return end - wait + problem.getShown(wait);
}

bool npu::tile::canPlay(const Problem &problem) {
  return problem.array &&
         llvm::none_of(problem.vectorOps, [](const VectorOp &op) { return op.transferBytes > 0; });
}

double npu::tile::playCycles(const Problem &problem, const TargetDesc &target,
                             const Schedule &schedule, Charges *charges) {
  return schedule.spilled ? playSpilled(problem, target, schedule, charges)
                          : Player(problem, target, schedule, charges).run();
}

double npu::tile::predictCycles(const Problem &problem, const Schedule &schedule,
                                const TargetDesc &target) {
  return canPlay(problem) ? playCycles(problem, target, schedule)
                          : estimateCycles(problem, schedule, target);
}
