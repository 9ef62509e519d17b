//===- SpilledSums.cpp - contractions whose sums are in SRAM --------------===//

#include "SpilledSums.h"

#include "NPU/Target/ISA/Timing.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <map>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

//===----------------------------------------------------------------------===//
// Footprint
//===----------------------------------------------------------------------===//

/// Indices along the dimension of `loop` that all of its iterations go over.
static int64_t getSpan(const Schedule &schedule, const SpilledSums::Loop &loop) {
  int64_t tile = schedule.tiles[loop.dim];
  return schedule.getLoop(loop.dim) ? tile : llvm::alignTo(tile, loop.tile);
}

Footprint npu::tile::getSpilledFootprint(const Problem &problem, const Schedule &schedule) {
  const SpilledSums &spilled = *schedule.spilled;
  SmallVector<int64_t> sums(schedule.tiles), kept(schedule.tiles), parts(schedule.tiles);
  for (const SpilledSums::Loop &loop : {spilled.outer, spilled.inner}) {
    parts[loop.dim] = loop.tile;
    kept[loop.dim] = getSpan(schedule, loop);
    // A tail without a loop over the dimension reads no more of it than there is.
    bool isRead = !problem.vectorOps.empty();
    bool isPart = schedule.partSize > 0 && schedule.partDim == loop.dim;
    if (!isRead || isPart)
      sums[loop.dim] = kept[loop.dim];
    if (isPart && !schedule.getLoop(loop.dim))
      sums[loop.dim] = std::max<int64_t>(
          sums[loop.dim], llvm::alignTo(schedule.tiles[loop.dim], schedule.partSize));
  }
  Footprint footprint;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    int64_t depth = schedule.depths[index];
    if (buffer.role == BufferRole::Accumulator) {
      footprint.sramBytes += getTileSlotBytes(problem, buffer, sums);
      footprint.accBytes += getTileSlotBytes(problem, buffer, parts) * depth;
    } else if (index == spilled.outer.buffer) {
      footprint.sramBytes += getTileSlotBytes(problem, buffer, parts) * depth;
    } else if (index == spilled.inner.buffer) {
      footprint.sramBytes += getTileSlotBytes(problem, buffer, kept);
    } else {
      footprint.sramBytes += getSlotBytes(problem, schedule, index) * depth;
    }
  }
  return footprint;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

namespace {
/// Equal sizes that follow each other.
struct Run {
  int64_t size, count;
};
} // namespace

/// `extent` in tiles of `tile`: those that are full and what is left.
static SmallVector<Run, 2> getRuns(int64_t extent, int64_t tile) {
  SmallVector<Run, 2> runs;
  if (extent >= tile)
    runs.push_back({tile, extent / tile});
  if (extent % tile > 0)
    runs.push_back({extent % tile, 1});
  return runs;
}

/// Indices of a dimension that the busiest cluster has.
static int64_t getOwnExtent(const Problem &problem, const Schedule &schedule, unsigned dim) {
  int64_t trips = llvm::divideCeil(schedule.getTrips(problem, dim), schedule.getClusters(dim));
  return std::min(problem.dims[dim].extent, trips * schedule.tiles[dim]);
}

/// Of the dimensions of which tiles have one index, how many iterations that cluster has.
static double countUnits(const Problem &problem, const Schedule &schedule) {
  double units = 1;
  for (auto [index, dim] : enumerate(problem.dims))
    if (dim.isUnit)
      units *= getOwnExtent(problem, schedule, index);
  return units;
}

static unsigned findSums(const Problem &problem) {
  const auto *dim =
      llvm::find_if(problem.dims, [](const Dim &dim) { return dim.isReduction && !dim.isUnit; });
  return dim - problem.dims.begin();
}

double npu::tile::getSpilledDramBytes(const Problem &problem, const TargetDesc &target,
                                      const Schedule &schedule, Charges *charges) {
  const SpilledSums &spilled = *schedule.spilled;
  TileCost cost(problem, target, schedule, /*mxuCycles=*/0, charges);
  SmallVector<LoadCost> loads = cost.getLoadCosts();
  unsigned sums = findSums(problem);
  for (auto [own, other] :
       {std::pair(spilled.outer, spilled.inner), std::pair(spilled.inner, spilled.outer)}) {
    double bytes = 0;
    for (Run part : getRuns(getOwnExtent(problem, schedule, own.dim), own.tile))
      for (Run sum : getRuns(problem.dims[sums].extent, schedule.tiles[sums])) {
        SmallVector<int64_t> sizes(schedule.tiles);
        sizes[own.dim] = part.size;
        sizes[sums] = sum.size;
        bytes += part.count * sum.count * cost.getLoad(own.buffer, sizes).chargedBytes;
      }
    int64_t others = getOwnExtent(problem, schedule, other.dim);
    loads[own.buffer].count =
        countUnits(problem, schedule) * llvm::divideCeil(others, schedule.tiles[other.dim]);
    loads[own.buffer].chargedBytes = bytes;
  }
  return cost.getDramBytes(loads);
}

namespace {
/// The engines on tiles of sums, one after the other.
class SpilledPlayer {
public:
  SpilledPlayer(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
                Charges *charges);

  double run();

private:
  /// What is loaded and computed for parts of these sizes, outer, inner and along the sums.
  struct Part {
    double outerLoad = 0, innerLoad = 0, array = 0, adding = 0;
  };
  const Part &getPart(int64_t outer, int64_t inner, int64_t sums);
  double load(double cycles, double isFree);
  void playTile(int64_t outer, int64_t inner);
  void playTail(SmallVector<int64_t> sizes);
  void store(const Store &result, ArrayRef<int64_t> sizes, double &slot);

  const Problem &problem;
  const TargetDesc &target;
  const Schedule &schedule;
  SpilledSums spilled;
  Charges *charges;
  TileCost cost;
  unsigned sums;
  std::map<std::array<int64_t, 3>, Part> parts;

  // When each engine is through with what it was given, and may issue more.
  double loaded = 0, canLoad = 0, multiplied = 0, canMultiply = 0, computed = 0, stored = 0;
  std::optional<double> firstWait; ///< of the array
  // When the slots of rings, and parts of what is kept, were last read.
  SmallVector<double> outerRead, productsRead, innerRead;
  size_t numOuter = 0, numProducts = 0;
  double sumsRead = 0;                  ///< where stores read them
  std::vector<double> tailLoadsRead;    ///< by buffer
  SmallVector<double, 2> resultsStored; ///< by slot
  size_t numResults = 0;
};
} // namespace

SpilledPlayer::SpilledPlayer(const Problem &problem, const TargetDesc &target,
                             const Schedule &schedule, Charges *charges)
    : problem(problem), target(target), schedule(schedule), spilled(*schedule.spilled),
      charges(charges), cost(problem, target, schedule, /*mxuCycles=*/0, charges),
      sums(findSums(problem)), tailLoadsRead(problem.buffers.size()) {
  outerRead.resize(schedule.depths[spilled.outer.buffer]);
  for (auto [index, buffer] : enumerate(problem.buffers))
    if (buffer.role == BufferRole::Accumulator)
      productsRead.resize(schedule.depths[index]);
  innerRead.resize(llvm::divideCeil(schedule.tiles[spilled.inner.dim], spilled.inner.tile));
  resultsStored.resize(schedule.partSize > 0 ? 2 : 1);
}

const SpilledPlayer::Part &SpilledPlayer::getPart(int64_t outer, int64_t inner, int64_t ofSums) {
  auto [entry, isNew] = parts.try_emplace({outer, inner, ofSums});
  if (!isNew || outer == 0 || inner == 0)
    return entry->second;
  SmallVector<int64_t> sizes(schedule.tiles);
  sizes[spilled.outer.dim] = outer;
  sizes[spilled.inner.dim] = inner;
  sizes[sums] = ofSums;
  VectorOp adding;
  adding.dims = {spilled.outer.dim, spilled.inner.dim};
  return entry->second = {cost.getLoad(spilled.outer.buffer, sizes).cycles,
                          cost.getLoad(spilled.inner.buffer, sizes).cycles,
                          static_cast<double>(getMxuStepCycles(problem, target, sizes)),
                          cost.getVectorCycles(adding, sizes)};
}

/// When a transfer to a slot that is free at `isFree` ends. One that moves nothing waits for the
/// slot all the same.
double SpilledPlayer::load(double cycles, double isFree) {
  double begin = std::max(canLoad + target.issueCycles, isFree);
  double latency = cycles > 0 ? target.dramLatencyCycles : 0;
  loaded = std::max(begin + latency, loaded) + cycles;
  canLoad = target.dmaOutstanding > 1 ? begin : loaded;
  return loaded;
}

/// Keeps `slot`, or the sums if it reads them, until it has ended. Loads share the memory with it.
void SpilledPlayer::store(const Store &result, ArrayRef<int64_t> sizes, double &slot) {
  double cycles = cost.getStore(result, sizes).cycles;
  stored = std::max(stored + target.issueCycles, computed) + target.dramLatencyCycles + cycles;
  loaded += cycles;
  canLoad += cycles;
  bool readsSums = problem.buffers[result.buffer].role == BufferRole::Accumulator;
  (readsSums ? sumsRead : slot) = stored;
}

/// The tail in its parts, each of which is stored.
void SpilledPlayer::playTail(SmallVector<int64_t> sizes) {
  auto loadAll = [&](bool isPart) {
    double end = 0;
    for (auto [index, buffer] : enumerate(problem.buffers))
      if (buffer.role == BufferRole::Operand && schedule.isPart(problem, index) == isPart)
        end = std::max(end, load(cost.getLoad(index, sizes).cycles, tailLoadsRead[index]));
    return end;
  };
  double operands = loadAll(/*isPart=*/false);
  int64_t whole = sizes[schedule.partDim];
  int64_t size = schedule.partSize > 0 ? schedule.partSize : whole;
  for (int64_t first = 0; first < whole; first += size) {
    sizes[schedule.partDim] = std::min(size, whole - first);
    double &slot = resultsStored[numResults++ % resultsStored.size()];
    double before = computed;
    computed = std::max({operands, loadAll(/*isPart=*/true), slot, computed});
    for (const VectorOp &op : problem.vectorOps)
      computed += cost.getVectorCycles(op, sizes);
    // Two slots: what is loaded next takes the place of what was read before.
    for (auto [index, read] : llvm::enumerate(tailLoadsRead))
      read = schedule.isPart(problem, index) ? before : computed;
    for (const Store &result : problem.stores)
      store(result, sizes, slot);
  }
}

/// A tile at the edge has all of the iterations of others. Those that have nothing to do run in
/// order, too: what waits for a slot waits for them.
void SpilledPlayer::playTile(int64_t outer, int64_t inner) {
  auto getSize = [](int64_t whole, int64_t first, int64_t tile) {
    return std::clamp<int64_t>(whole - first, 0, tile);
  };
  int64_t allSums = problem.dims[sums].extent;
  int64_t rows = schedule.tiles[spilled.outer.dim], columns = schedule.tiles[spilled.inner.dim];
  for (int64_t sum = 0; sum < allSums; sum += schedule.tiles[sums]) {
    int64_t sumSize = getSize(allSums, sum, schedule.tiles[sums]);
    SmallVector<double> innerLoaded(innerRead.size());
    for (int64_t row = 0; row < rows; row += spilled.outer.tile) {
      int64_t rowSize = getSize(outer, row, spilled.outer.tile);
      double &outerSlot = outerRead[numOuter++ % outerRead.size()];
      double outerLoaded = load(getPart(rowSize, spilled.inner.tile, sumSize).outerLoad, outerSlot);
      for (int64_t column = 0; column < columns; column += spilled.inner.tile) {
        const Part &part = getPart(rowSize, getSize(inner, column, spilled.inner.tile), sumSize);
        size_t number = column / spilled.inner.tile;
        if (row == 0)
          innerLoaded[number] = load(part.innerLoad, innerRead[number]);
        else
          canLoad += target.issueCycles;
        double &products = productsRead[numProducts++ % productsRead.size()];
        double begin =
            std::max({canMultiply + target.issueCycles, multiplied - isa::getArrayOverlap(target),
                      outerLoaded, innerLoaded[number], products});
        if (!firstWait)
          firstWait = begin;
        multiplied = begin + part.array;
        canMultiply = target.macPipelined ? begin : multiplied;
        outerSlot = innerRead[number] = multiplied;
        double isFree = sum == 0 ? sumsRead : 0;
        computed = std::max({computed + target.issueCycles, multiplied, isFree}) +
                   std::max<double>(0, part.adding - target.issueCycles);
        products = computed;
      }
    }
  }
  SmallVector<int64_t> sizes(schedule.tiles);
  sizes[spilled.outer.dim] = outer;
  sizes[spilled.inner.dim] = inner;
  if (!problem.vectorOps.empty())
    return playTail(std::move(sizes));
  for (const Store &result : problem.stores)
    store(result, sizes, sumsRead);
}

double SpilledPlayer::run() {
  constexpr int64_t few = 4;
  double units = countUnits(problem, schedule), cycles = 0;
  auto getTiles = [&](unsigned dim) {
    return getRuns(getOwnExtent(problem, schedule, dim), schedule.tiles[dim]);
  };
  for (Run outer : getTiles(spilled.outer.dim))
    for (Run inner : getTiles(spilled.inner.dim)) {
      double count = units * outer.count * inner.count, played = std::min<double>(count, few);
      double before = multiplied;
      for (int64_t tile = 0; tile < played; ++tile) {
        before = multiplied;
        playTile(outer.size, inner.size);
      }
      cycles += (count - played) * (multiplied - before);
    }
  cycles += std::max(stored, computed);
  double moved = getSpilledDramBytes(problem, target, schedule, charges) / target.dramBytesPerCycle;
  double wait = firstWait.value_or(0);
  return std::max(cycles, moved) - wait + problem.getShown(wait);
}

double npu::tile::playSpilled(const Problem &problem, const TargetDesc &target,
                              const Schedule &schedule, Charges *charges) {
  return SpilledPlayer(problem, target, schedule, charges).run();
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {
/// What a search goes over: the operands of a product.
struct Operands {
  SpilledSums::Loop rows, columns;
};

struct Candidate {
  Schedule schedule;
  double dramBytes, bound;
  size_t number; ///< the first of equal ones is preferred
};
} // namespace

/// Nothing where the contraction is another one than a plain product, or is not free.
static std::optional<Operands> findOperands(const Problem &problem) {
  if (!problem.array || problem.fixedSplits || problem.startsFromOperand)
    return std::nullopt;
  Operands operands;
  int numRows = 0, numColumns = 0, numSums = 0;
  for (auto [index, dim] : enumerate(problem.dims)) {
    if (dim.fixedTile > 0 || dim.isWhole || (dim.isUnit && dim.isReduction))
      return std::nullopt;
    if (dim.isUnit)
      continue;
    if (dim.role == MxuRole::M && ++numRows)
      operands.rows.dim = index;
    else if (dim.role == MxuRole::N && ++numColumns)
      operands.columns.dim = index;
    else if (dim.role != MxuRole::K || dim.isReluctant || ++numSums > 1)
      return std::nullopt;
  }
  if (numRows != 1 || numColumns != 1 || numSums != 1)
    return std::nullopt;
  int numInputs = 0;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    if (buffer.role == BufferRole::Start || buffer.isMade || buffer.madeFor)
      return std::nullopt;
    if (buffer.role != BufferRole::Input)
      continue;
    bool hasRows = dependsOn(buffer, operands.rows.dim);
    if (buffer.isFromChip || !dependsOn(buffer, findSums(problem)) ||
        hasRows == dependsOn(buffer, operands.columns.dim))
      return std::nullopt;
    (hasRows ? operands.rows : operands.columns).buffer = index;
    ++numInputs;
  }
  return numInputs == 2 ? std::optional(operands) : std::nullopt;
}

/// The schedule with tiles of `outer` by `inner` sums, in parts of the loops `spilled`, on one
/// cluster.
static Schedule makeSchedule(const Problem &problem, const SpilledSums &spilled, int64_t outer,
                             int64_t inner, int64_t sumSize) {
  Schedule schedule;
  unsigned sums = findSums(problem);
  for (const Dim &dim : problem.dims)
    schedule.tiles.push_back(dim.isUnit ? 1 : dim.extent);
  schedule.tiles[spilled.outer.dim] = outer;
  schedule.tiles[spilled.inner.dim] = inner;
  schedule.tiles[sums] = sumSize;
  for (auto [index, dim] : enumerate(problem.dims))
    if (index != sums && schedule.tiles[index] < dim.extent)
      schedule.order.push_back(index);
  schedule.order.push_back(sums);
  schedule.spilled = spilled;
  schedule.kept.assign(problem.buffers.size(), false);
  unsigned numParallel = schedule.order.size() - 1;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    schedule.levels.push_back(buffer.role == BufferRole::Input ? schedule.order.size()
                                                               : numParallel);
    bool isRing = index == spilled.outer.buffer || buffer.role == BufferRole::Accumulator;
    schedule.depths.push_back(isRing ? 2 : 1);
  }
  if (std::optional<unsigned> dim = findPartDim(problem, schedule)) {
    // A part that the vector unit takes some hundred cycles for.
    constexpr int64_t elements = 16384;
    int64_t whole = schedule.tiles[*dim];
    int64_t others = *dim == spilled.outer.dim ? inner : outer;
    int64_t size = std::clamp<int64_t>(elements / others, 1, whole);
    size = llvm::divideCeil(whole, llvm::divideCeil(whole, size));
    while (schedule.getLoop(*dim) && whole % size != 0)
      --size;
    if (size < whole)
      setParts(problem, schedule, *dim, size);
  }
  return schedule;
}

/// Cycles of the array, issues included, and of all transfers, whichever is more.
static double getBound(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
                       double dramBytes) {
  const auto &[outer, inner] = *schedule.spilled;
  unsigned sums = findSums(problem);
  double cycles = 0;
  for (Run row : getRuns(getOwnExtent(problem, schedule, outer.dim), outer.tile))
    for (Run column : getRuns(getOwnExtent(problem, schedule, inner.dim), inner.tile))
      for (Run sum : getRuns(problem.dims[sums].extent, schedule.tiles[sums])) {
        SmallVector<int64_t> sizes(schedule.tiles);
        sizes[outer.dim] = row.size;
        sizes[inner.dim] = column.size;
        sizes[sums] = sum.size;
        cycles += row.count * column.count * sum.count *
                  isa::getArrayPace(target, getMxuStepCycles(problem, target, sizes));
      }
  return std::max(countUnits(problem, schedule) * cycles, dramBytes / target.dramBytesPerCycle);
}

/// Sizes of parts along the sums: balanced, in steps of the array's rows.
static SmallVector<int64_t> getSumSizes(const Dim &dim) {
  SmallVector<int64_t> sizes;
  for (int64_t most : {4, 6, 8, 10, 12, 14, 16, 20, 24, 32}) {
    int64_t count = llvm::divideCeil(dim.extent, most * dim.granule);
    int64_t size = llvm::alignTo(llvm::divideCeil(dim.extent, count), dim.granule);
    if (count > 1 && !is_contained(sizes, size))
      sizes.push_back(size);
  }
  return sizes;
}

/// Indices of a part of the outer loop, at most `most` of its `outer`; 0 where there is none.
static int64_t getOuterPart(const Problem &problem, const SpilledSums::Loop &loop, int64_t outer,
                            int64_t most) {
  // Loads take whole panels.
  int64_t step = std::max<int64_t>(1, problem.buffers[loop.buffer].panelColumns);
  most = llvm::alignDown(std::min(outer, most), step);
  if (most < 1)
    return 0;
  int64_t balanced = llvm::divideCeil(outer, llvm::divideCeil(outer, most));
  int64_t part = std::min<int64_t>(llvm::alignTo(balanced, step), most);
  // Inside of a loop over tiles, parts divide these.
  if (outer < problem.dims[loop.dim].extent)
    while (part > 0 && outer % part != 0)
      part -= step;
  return std::max<int64_t>(part, 0);
}

std::vector<Schedule> npu::tile::findSpilled(const Problem &problem, const TargetDesc &target,
                                             const Schedule &best, Charges &charges) {
  constexpr double littleMore = 1.1;
  constexpr size_t mostPlayed = 12;
  std::optional<Operands> operands = findOperands(problem);
  double leastBytes = getLeastTransferCycles(problem, target) * target.dramBytesPerCycle;
  double bestBytes = predictDramBytes(problem, best, target);
  if (!operands || bestBytes <= littleMore * leastBytes)
    return {};
  const Buffer *accumulator = llvm::find_if(
      problem.buffers, [](const Buffer &buffer) { return buffer.role == BufferRole::Accumulator; });
  int64_t mostProducts = target.accBytes / 2 / accumulator->elementBytes;
  int64_t mostSums = target.sramBytes / accumulator->elementBytes;
  std::vector<Candidate> candidates;
  auto tryClusters = [&](const Schedule &onOne, const ClusterSplits &splits) {
    // What all clusters keep alike would be loaded when the last of them has read the last part.
    const Buffer &kept = problem.buffers[onOne.spilled->inner.buffer];
    if (llvm::any_of(splits,
                     [&](const ClusterSplit &split) { return !dependsOn(kept, split.dim); }))
      return;
    Schedule schedule = onOne;
    schedule.splits = splits;
    // Split loops are outermost.
    auto *next = schedule.order.begin();
    for (const ClusterSplit &split : splits) {
      auto *found = llvm::find(schedule.order, split.dim);
      std::rotate(next, found, found + 1);
      ++next;
    }
    double bytes = getSpilledDramBytes(problem, target, schedule, &charges);
    double bound = getBound(problem, target, schedule, bytes);
    if (bytes < bestBytes && bound <= asFast * best.predictedCycles)
      candidates.push_back({std::move(schedule), bytes, bound, candidates.size()});
  };
  auto tryTiles = [&](const SpilledSums &spilled, int64_t outer, int64_t inner, int64_t sumSize) {
    Schedule schedule = makeSchedule(problem, spilled, outer, inner, sumSize);
    // Two loops over parts are inside of those of the schedule.
    if (schedule.order.size() + 2 > isa::maxLoopDepth || !fits(problem, schedule, target))
      return;
    tryClusters(schedule, {});
    for (const ClusterSplits &splits :
         getSplitChoices(problem, target, schedule.tiles, ArrayRef(schedule.order).drop_back()))
      tryClusters(schedule, splits);
  };
  for (bool keepsColumns : {true, false}) {
    SpilledSums spilled = keepsColumns ? SpilledSums{operands->rows, operands->columns}
                                       : SpilledSums{operands->columns, operands->rows};
    const Dim &outerDim = problem.dims[spilled.outer.dim];
    const Dim &innerDim = problem.dims[spilled.inner.dim];
    for (int64_t outer : getTileCandidates(outerDim)) {
      if (outer < 2 * outerDim.granule || outer > mostSums)
        continue;
      // A part of what is kept is loaded while the array works on another one.
      for (int64_t count : {2, 3, 4})
        for (int64_t size = innerDim.granule; size <= mostProducts; size += innerDim.granule) {
          int64_t inner = std::min(count * size, innerDim.extent);
          if ((count - 1) * size >= innerDim.extent || inner * outer > mostSums)
            break;
          spilled.outer.tile = getOuterPart(problem, spilled.outer, outer, mostProducts / size);
          if (spilled.outer.tile == 0)
            continue;
          spilled.inner.tile = size;
          for (int64_t sumSize : getSumSizes(problem.dims[findSums(problem)]))
            tryTiles(spilled, outer, inner, sumSize);
        }
    }
  }
  // Those that move the fewest bytes, and those that may be the fastest.
  std::vector<Schedule> schedules;
  DenseSet<size_t> taken;
  auto take = [&](auto rank) {
    llvm::sort(candidates,
               [&](const Candidate &a, const Candidate &b) { return rank(a) < rank(b); });
    for (const Candidate &candidate :
         ArrayRef(candidates).take_front(std::min(mostPlayed, candidates.size())))
      if (taken.insert(candidate.number).second)
        schedules.push_back(candidate.schedule);
  };
  take([](const Candidate &candidate) {
    return std::tuple(candidate.dramBytes, candidate.bound, candidate.number);
  });
  take([](const Candidate &candidate) {
    return std::tuple(candidate.bound, candidate.dramBytes, candidate.number);
  });
  return schedules;
}
