//===- TileCost.cpp - footprint and cycles of one schedule ----------------===//

#include "TileCost.h"

#include "SpilledSums.h"

#include "NPU/Target/ISA/Timing.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

//===----------------------------------------------------------------------===//
// Problem and schedule
//===----------------------------------------------------------------------===//

int64_t Schedule::getClusters() const {
  int64_t clusters = 1;
  for (const ClusterSplit &split : splits)
    clusters *= split.count;
  return clusters;
}

int64_t Schedule::getClusters(unsigned dim) const {
  for (const ClusterSplit &split : splits)
    if (split.dim == dim)
      return split.count;
  return 1;
}

int64_t Schedule::getTrips(const Problem &problem, unsigned dim) const {
  return llvm::divideCeil(problem.dims[dim].extent, tiles[dim]);
}

unsigned Schedule::getNumParallelLoops(const Problem &problem) const {
  return llvm::count_if(order, [&](unsigned dim) { return !problem.dims[dim].isReduction; });
}

std::optional<unsigned> Schedule::getLoop(unsigned dim) const {
  const auto *found = llvm::find(order, dim);
  if (found == order.end())
    return std::nullopt;
  return found - order.begin();
}

int64_t Schedule::getNumParts() const {
  return partSize > 0 ? llvm::divideCeil(tiles[partDim], partSize) : 1;
}

bool Schedule::isPart(const Problem &problem, unsigned index) const {
  const Buffer &buffer = problem.buffers[index];
  bool isOfTail =
      (buffer.role == BufferRole::Value && !buffer.madeFor) ||
      (buffer.role == BufferRole::Operand && levels[index] == getNumParallelLoops(problem));
  return partSize > 0 && isOfTail && dependsOn(buffer, partDim);
}

static bool dependsOn(ArrayRef<Axis> axes, unsigned dim) {
  return llvm::any_of(axes, [&](const Axis &axis) {
    return llvm::any_of(axis.terms, [&](Term term) { return term.dim == dim; });
  });
}

bool npu::tile::dependsOn(const Buffer &buffer, unsigned dim) {
  return ::dependsOn(buffer.axes, dim);
}

bool npu::tile::movesPlainly(ArrayRef<Axis> axes, unsigned dim) {
  return llvm::all_of(axes, [&](const Axis &axis) {
    return !::dependsOn(ArrayRef(axis), dim) ||
           (axis.terms.size() == 1 && axis.terms[0].coefficient == 1);
  });
}

/// Whether the tail has nothing that needs more of a tile than some indices of `dim`.
static bool hasPartsAlong(const Problem &problem, unsigned dim) {
  return llvm::all_of(problem.vectorOps,
                      [&](const VectorOp &op) {
                        return op.madeFor ||
                               (llvm::is_contained(op.dims, dim) && op.transferBytes == 0 &&
                                !op.isInReductions && !llvm::is_contained(op.serialDims, dim));
                      }) &&
         llvm::all_of(problem.stores,
                      [&](const Store &store) {
                        return movesPlainly(store.axes, dim) && ::dependsOn(store.axes, dim);
                      }) &&
         llvm::all_of(problem.buffers, [&](const Buffer &buffer) {
           return buffer.isForRoot() || buffer.madeFor || movesPlainly(buffer.axes, dim);
         });
}

std::optional<unsigned> npu::tile::findPartDim(const Problem &problem, const Schedule &schedule) {
  if (!problem.array || problem.vectorOps.empty() || problem.accumulatorIsStored ||
      schedule.getNumParallelLoops(problem) == isa::maxLoopDepth)
    return std::nullopt;
  for (unsigned i = 0, e = problem.dims.size(); i < e; ++i) {
    const Dim &dim = problem.dims[i];
    bool canBeSplit = !dim.isReduction && !dim.isUnit && dim.fixedTile == 0;
    if (canBeSplit && schedule.tiles[i] > 1 && hasPartsAlong(problem, i))
      return i;
  }
  return std::nullopt;
}

void npu::tile::setParts(const Problem &problem, Schedule &schedule, unsigned dim, int64_t size) {
  schedule.partDim = dim;
  schedule.partSize = size;
  for (unsigned buffer = 0; buffer < problem.buffers.size(); ++buffer)
    if (schedule.isPart(problem, buffer) && !problem.buffers[buffer].isPrivate)
      schedule.depths[buffer] = 2;
}

bool npu::tile::canEndInParts(const Problem &problem, const Schedule &schedule) {
  if (schedule.partSize == 0 || problem.dims[schedule.partDim].role != MxuRole::M)
    return false;
  // Those of a depthwise convolution are done as a whole.
  if (none_of(problem.buffers, [](const Buffer &buffer) { return buffer.panelColumns > 0; }))
    return false;
  // Of windows the last part of the first tile would be added up in another order than the others.
  bool isFirst = schedule.order.empty() && !schedule.begin.empty();
  return !isFirst || none_of(problem.dims, [](const Dim &dim) {
    return dim.isReduction && dim.isReluctant && dim.extent > 1;
  });
}

unsigned Schedule::getLoadLevel(const Problem &problem, unsigned index) const {
  return isKept(index) ? hoistLevel(problem, order, index, order.size()) : levels[index];
}

bool npu::tile::canBeKept(const Problem &problem, const Schedule &schedule, unsigned index,
                          unsigned level) {
  const Buffer &buffer = problem.buffers[index];
  if (!problem.array || buffer.role != BufferRole::Input || buffer.isMade || buffer.madeFor ||
      buffer.isFromChip || schedule.getClusters() > 1)
    return false;
  for (const Axis &axis : buffer.axes)
    for (Term term : axis.terms)
      if (schedule.getLoop(term.dim) &&
          getAxisSpan(problem, axis, schedule.tiles) > term.coefficient * schedule.tiles[term.dim])
        return false;
  // Without a loop that does not move it, a ring does as well.
  unsigned loadLevel = hoistLevel(problem, schedule.order, index, schedule.order.size());
  return level < loadLevel && llvm::any_of(
                                  ArrayRef(schedule.order).slice(level, loadLevel - level),
                                  [&](unsigned dim) { return !dependsOn(buffer, dim); });
}

bool npu::tile::isSplittable(const Problem &problem, unsigned dim) {
  return !problem.dims[dim].isReduction && llvm::all_of(problem.stores, [&](const Store &store) {
    return ::dependsOn(store.axes, dim);
  });
}

//===----------------------------------------------------------------------===//
// Footprint
//===----------------------------------------------------------------------===//

int64_t npu::tile::getAxisSpan(const Problem &problem, const Axis &axis, ArrayRef<int64_t> spans) {
  int64_t span = axis.span;
  for (Term term : axis.terms)
    if (!problem.dims[term.dim].isUnit)
      span += term.coefficient * (spans[term.dim] - 1);
  return span;
}

/// Indices per dimension that a buffer at `level` spans: a tile for loops around it, all tiles for
/// loops inside.
static SmallVector<int64_t> getSpans(const Problem &problem, const Schedule &schedule,
                                     unsigned level) {
  SmallVector<int64_t> spans(schedule.tiles);
  for (unsigned dim : ArrayRef(schedule.order).drop_front(level))
    spans[dim] *= schedule.getTrips(problem, dim);
  return spans;
}

void Buffer::packShape(SmallVectorImpl<int64_t> &shape) const {
  if (panelColumns == 0)
    return;
  if (hasPanelAxis)
    shape.front() = llvm::divideCeil(shape.front(), panelColumns);
  else
    shape.insert(shape.begin(), 1);
  shape.push_back(panelColumns);
}

static SmallVector<int64_t> getShapeAtLevel(const Problem &problem, const Schedule &schedule,
                                            unsigned index, unsigned level) {
  const Buffer &buffer = problem.buffers[index];
  SmallVector<int64_t> spans =
      getSpans(problem, schedule, buffer.hasLevel() ? level : schedule.order.size());
  if (schedule.isPart(problem, index))
    spans[schedule.partDim] = schedule.partSize;
  SmallVector<int64_t> shape;
  for (unsigned axis : buffer.order)
    shape.push_back(getAxisSpan(problem, buffer.axes[axis], spans));
  buffer.packShape(shape);
  return shape;
}

SmallVector<int64_t> npu::tile::getBufferShape(const Problem &problem, const Schedule &schedule,
                                               unsigned buffer) {
  return getShapeAtLevel(problem, schedule, buffer, schedule.levels[buffer]);
}

static int64_t multiply(ArrayRef<int64_t> values) {
  int64_t product = 1;
  for (int64_t value : values)
    product *= value;
  return product;
}

int64_t npu::tile::getSlotBytes(int64_t bytes) {
  return llvm::alignTo(std::max<int64_t>(bytes, 1), isa::bufferAlignment);
}

int64_t npu::tile::getSlotBytes(const Problem &problem, const Schedule &schedule, unsigned buffer) {
  return getSlotBytes(multiply(getBufferShape(problem, schedule, buffer)) *
                      problem.buffers[buffer].elementBytes);
}

int64_t npu::tile::getTileSlotBytes(const Problem &problem, const Buffer &buffer,
                                    ArrayRef<int64_t> tiles) {
  SmallVector<int64_t> shape;
  for (unsigned axis : buffer.order)
    shape.push_back(getAxisSpan(problem, buffer.axes[axis], tiles));
  buffer.packShape(shape);
  return getSlotBytes(multiply(shape) * buffer.elementBytes);
}

Footprint npu::tile::getFootprint(const Problem &problem, const Schedule &schedule) {
  if (schedule.spilled)
    return getSpilledFootprint(problem, schedule);
  Footprint footprint;
  for (unsigned i = 0, e = problem.buffers.size(); i != e; ++i) {
    bool isAcc = problem.buffers[i].role == BufferRole::Accumulator;
    (isAcc ? footprint.accBytes : footprint.sramBytes) +=
        getSlotBytes(problem, schedule, i) * schedule.depths[i];
  }
  return footprint;
}

unsigned npu::tile::hoistLevel(const Problem &problem, ArrayRef<unsigned> order, unsigned buffer,
                               unsigned level) {
  while (level > 0 && !dependsOn(problem.buffers[buffer], order[level - 1]))
    --level;
  return level;
}

//===----------------------------------------------------------------------===//
// Matrix engine
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of the tiles along a dimension: `count` full ones and a last one.
struct TileRun {
  unsigned dim;
  double count;
  int64_t full, last;
};
} // namespace

int64_t npu::tile::getMxuStepCycles(const Problem &problem, const TargetDesc &target,
                                    ArrayRef<int64_t> sizes) {
  int64_t m = 1, n = 1, k = 1;
  for (auto [dim, size] : zip(problem.dims, sizes)) {
    if (dim.role == MxuRole::M)
      m *= size;
    else if (dim.role == MxuRole::N)
      n *= size;
    else if (dim.role == MxuRole::K)
      k *= size;
  }
  return problem.array->cycles(target, m, n, k);
}

static double sumMxuCycles(const Problem &problem, const TargetDesc &target, ArrayRef<TileRun> runs,
                           SmallVectorImpl<int64_t> &sizes) {
  if (runs.empty())
    return isa::getArrayPace(target, getMxuStepCycles(problem, target, sizes));
  TileRun run = runs.front();
  double cycles = 0;
  if (run.count > 0) {
    sizes[run.dim] = run.full;
    cycles = run.count * sumMxuCycles(problem, target, runs.drop_front(), sizes);
  }
  sizes[run.dim] = run.last;
  return cycles + sumMxuCycles(problem, target, runs.drop_front(), sizes);
}

double npu::tile::getMxuCycles(const Problem &problem, const TargetDesc &target,
                               ArrayRef<int64_t> tiles, ArrayRef<ClusterSplit> splits) {
  if (!problem.array)
    return 0;
  // Along most dimensions all tiles are full.
  SmallVector<TileRun, 8> runs;
  SmallVector<int64_t> sizes(tiles);
  double repeated = 1;
  for (auto [index, dim] : enumerate(problem.dims)) {
    int64_t full = dim.extent / tiles[index], last = dim.extent % tiles[index];
    for (const ClusterSplit &split : splits)
      if (split.dim == index) {
        full = llvm::divideCeil(full + (last > 0), split.count);
        last = 0;
      }
    if (last == 0)
      repeated *= full;
    else
      runs.push_back({static_cast<unsigned>(index), static_cast<double>(full), tiles[index], last});
  }
  return repeated * sumMxuCycles(problem, target, runs, sizes);
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

TileCost::TileCost(const Problem &problem, const TargetDesc &target, const Schedule &schedule,
                   double mxuCycles, Charges *charges)
    : problem(problem), target(target), schedule(schedule), mxuCycles(mxuCycles),
      numClusters(schedule.getClusters()), charges(charges),
      numParallel(schedule.getNumParallelLoops(problem)) {
  prepareBegin();
  setOrder();
  for (unsigned loop = 0; loop < numParallel; ++loop)
    numTiles *= trips[loop];
  double numSteps = numTiles;
  for (int64_t count : ArrayRef(trips).drop_front(numParallel))
    numSteps *= count;

  for (const VectorOp &op : problem.vectorOps) {
    if (op.madeFor)
      continue; // depends on the level
    double count = op.isInReductions ? numSteps : numTiles;
    if (op.transferBytes > 0) {
      auto [elements, fill] = getElements(op);
      // Rows are taken for whole beats, as which of them come is not known.
      double bytes = fill * elements * op.transferBytes;
      double dramCycles = bytes * numClusters / target.dramBytesPerCycle;
      double chipCycles = fill * elements / target.dmaElementsPerCycle;
      gatherCycles += count * (target.issueCycles + target.dramLatencyCycles +
                               std::max(dramCycles, chipCycles));
      gatherBytes += count * bytes;
      continue;
    }
    double cycles = getVectorCycles(op);
    vectorCycles += count * cycles;
    lastVectorCycles += cycles;
  }
  for (const Store &store : problem.stores) {
    if (store.isLeftOut)
      continue;
    auto [cycles, pace] = getStoreCycles(store);
    storeCycles += numTiles * pace;
    lastStoreCycles += cycles;
    storeChargedBytes +=
        numTiles * getFill(store.axes, numParallel) * getStore(store, schedule.tiles).chargedBytes;
  }
}

void TileCost::setOrder() {
  trips.clear();
  for (unsigned dim : schedule.order) {
    trips.push_back(llvm::divideCeil(schedule.getTrips(problem, dim), schedule.getClusters(dim)));
  }
}

double TileCost::getVectorCycles(const VectorOp &op) const {
  auto [elements, fill] = getElements(op);
  elements /= op.parts;
  if (op.work)
    return op.parts * op.work->cycles(target, std::llround(fill * elements));
  int64_t length = 1;
  for (unsigned dim : op.serialDims)
    length *= schedule.tiles[dim];
  return op.parts * (target.issueCycles +
                     fill * isa::getSerialCycles(target, elements / length, length, op.passes));
}

double TileCost::getVectorCycles(const VectorOp &op, ArrayRef<int64_t> sizes) const {
  int64_t elements = 1, length = 1;
  for (unsigned dim : op.dims)
    elements *= sizes[dim];
  if (op.work)
    return op.work->cycles(target, elements);
  for (unsigned dim : op.serialDims)
    length *= sizes[dim];
  return target.issueCycles + isa::getSerialCycles(target, elements / length, length, op.passes);
}

std::pair<int64_t, double> TileCost::getElements(const VectorOp &op) const {
  int64_t elements = 1;
  double fill = 1;
  for (unsigned dim : op.dims) {
    elements *= schedule.tiles[dim];
    fill *= static_cast<double>(problem.dims[dim].extent) /
            (schedule.tiles[dim] * schedule.getTrips(problem, dim));
  }
  return {elements, fill};
}

double TileCost::getDramBytes(ArrayRef<LoadCost> loads) const {
  double bytes = gatherBytes + storeChargedBytes;
  for (auto [buffer, load] : zip_equal(problem.buffers, loads))
    if (buffer.isLoaded())
      bytes += load.count * load.chargedBytes;
  return bytes * numClusters;
}

double TileCost::getTransferCycles(ArrayRef<LoadCost> loads) const {
  double loadCycles = gatherCycles;
  for (auto [buffer, load] : zip_equal(problem.buffers, loads))
    if (buffer.isLoaded())
      loadCycles += load.count * load.pace;
  return std::max({loadCycles, storeCycles, getDramBytes(loads) / target.dramBytesPerCycle});
}

int64_t Charges::get(unsigned tensor, ArrayRef<int64_t> shape, function_ref<int64_t()> compute) {
  SmallVector<int64_t, 8> key = {tensor};
  key.append(shape.begin(), shape.end());
  if (auto entry = known.find(key); entry != known.end())
    return entry->second;
  return known[ArrayRef<int64_t>(key).copy(keys)] = compute();
}

Transfer TileCost::getTransfer(unsigned tensor, ArrayRef<Axis> axes, ArrayRef<unsigned> order,
                               ArrayRef<int64_t> shape, int64_t chipElements, int64_t elementBytes,
                               bool isAlike) const {
  auto compute = [&] {
    SmallVector<isa::BoxDimValue, 5> box;
    for (auto [index, size] : zip(order, shape)) {
      const Axis &axis = axes[index];
      box.push_back({axis.strideBytes, 0, std::min(size, axis.extent), 0, 0, axis.extent, 0, 0});
    }
    // Tiles begin at different places of a beat; the first stands for all.
    int64_t dramBase = 0;
    for (const Axis &axis : axes)
      dramBase += axis.start * axis.strideBytes / axis.step;
    return isa::getDmaCost(box, dramBase, elementBytes, target.dramBytesPerCycle).chargedBytes;
  };
  int64_t bytes = charges ? charges->get(tensor, shape, compute) : compute();
  double charged = static_cast<double>(bytes) / (isAlike ? numClusters : 1);
  // All clusters transfer at the same time.
  double dramCycles = charged * numClusters / target.dramBytesPerCycle;
  double chipCycles = static_cast<double>(chipElements) / target.dmaElementsPerCycle;
  return {std::max(dramCycles, chipCycles), charged, chipElements};
}

Transfer TileCost::getLoad(unsigned index, ArrayRef<int64_t> spans) const {
  const Buffer &buffer = problem.buffers[index];
  // The buffer has room for what is behind the last index, which is not loaded.
  SmallVector<int64_t> loaded(spans);
  for (auto [size, dim] : zip_equal(loaded, problem.dims))
    size = std::min(size, dim.extent);
  // The DRAM side has no panels.
  SmallVector<int64_t> box, shape;
  for (unsigned axis : buffer.order) {
    box.push_back(getAxisSpan(problem, buffer.axes[axis], loaded));
    shape.push_back(getAxisSpan(problem, buffer.axes[axis], spans));
  }
  buffer.packShape(shape);
  if (buffer.isFromChip) {
    int64_t elements = multiply(shape);
    return {static_cast<double>(elements) / target.dmaElementsPerCycle, 0, elements};
  }
  bool isAlike = none_of(buffer.axes, [&](const Axis &axis) {
    return any_of(axis.terms, [&](Term term) { return schedule.getClusters(term.dim) > 1; });
  });
  return getTransfer(index, buffer.axes, buffer.order, box, multiply(shape), buffer.elementBytes,
                     isAlike);
}

Transfer TileCost::getStore(const Store &store, ArrayRef<int64_t> sizes) const {
  if (store.isLeftOut)
    return {};
  SmallVector<unsigned> order;
  SmallVector<int64_t> shape;
  for (auto [index, axis] : enumerate(store.axes)) {
    order.push_back(index);
    shape.push_back(getAxisSpan(problem, axis, sizes));
  }
  return getTransfer(problem.buffers.size() + (&store - problem.stores.begin()), store.axes, order,
                     shape, multiply(shape), problem.buffers[store.buffer].elementBytes);
}

std::pair<double, double> TileCost::getStoreCycles(const Store &store) const {
  double cycles = getFill(store.axes, numParallel) * getStore(store, schedule.tiles).cycles;
  return {target.issueCycles + target.dramLatencyCycles + cycles,
          isa::getTransferPace(target, cycles)};
}

double TileCost::getFill(ArrayRef<Axis> axes, unsigned level) const {
  double fill = 1;
  for (const Axis &axis : axes)
    for (Term term : axis.terms) {
      std::optional<unsigned> loop = schedule.getLoop(term.dim);
      // The busiest cluster has full tiles only; halos are not shortened by a ragged tile.
      bool isSplit = schedule.getClusters(term.dim) > 1;
      if (!loop || *loop >= level || isSplit || axis.terms.size() > 1)
        continue;
      int64_t covered = schedule.tiles[term.dim] * schedule.getTrips(problem, term.dim);
      fill *= static_cast<double>(problem.dims[term.dim].extent) / covered;
    }
  return fill;
}

double TileCost::getMakingCycles(unsigned buffer, ArrayRef<int64_t> spans) const {
  SmallVector<int64_t> sizes(spans);
  for (auto [size, dim] : zip_equal(sizes, problem.dims))
    size = std::min(size, dim.extent);
  double cycles = 0;
  for (const VectorOp &op : problem.vectorOps)
    if (op.madeFor == buffer)
      cycles += getVectorCycles(op, sizes);
  return cycles;
}

LoadCost TileCost::getLoadCost(unsigned index, unsigned level) const {
  const Buffer &buffer = problem.buffers[index];
  LoadCost load;
  load.level = level;
  load.count = 1;
  for (unsigned loop = 0; loop < level; ++loop)
    load.count *= trips[loop];
  if (buffer.isMade) {
    load.slotBytes = getSlotBytes(multiply(getShapeAtLevel(problem, schedule, index, level)) *
                                  buffer.elementBytes);
    load.cycles = load.firstCycles = load.vectorCycles =
        getMakingCycles(index, getSpans(problem, schedule, level));
    return load;
  }

  auto [cycles, charged, elements] = getLoad(index, getSpans(problem, schedule, level));
  load.slotBytes = getSlotBytes(elements * buffer.elementBytes);
  double fill = getFill(buffer.axes, level);
  load.latency = buffer.isFromChip ? 0 : target.dramLatencyCycles;
  load.cycles = load.firstCycles = target.issueCycles + load.latency + fill * cycles;
  if (!beginSizes.empty() && begun[index])
    load.begunCycles = fill * cycles;
  load.pace = buffer.isFromChip ? load.cycles : isa::getTransferPace(target, fill * cycles);
  load.chargedBytes = fill * charged;
  return load;
}

LoadCost TileCost::getKeptCost(unsigned index, unsigned level) const {
  const Buffer &buffer = problem.buffers[index];
  unsigned numLoops = schedule.order.size();
  auto [cycles, charged, elements] = getLoad(index, schedule.tiles);
  double fill = getFill(buffer.axes, numLoops), pace = isa::getTransferPace(target, fill * cycles);
  // Until the last tile is loaded all but those loops that it does not move with have come to
  // their last iteration; these are all that is left when the first one is read for the last time.
  double numTiles = 1, numSteps = 1, stepsBefore = 0, runs = 1;
  unsigned loadLevel = hoistLevel(problem, schedule.order, index, numLoops);
  for (unsigned loop = numLoops; loop-- > level; numSteps *= trips[loop]) {
    if (loop < loadLevel)
      runs *= trips[loop];
    if (!dependsOn(buffer, schedule.order[loop]))
      continue;
    numTiles *= trips[loop];
    stepsBefore += (trips[loop] - 1) * numSteps;
  }
  LoadCost load;
  load.level = level;
  load.count = 1;
  for (unsigned loop = 0; loop < level; ++loop)
    load.count *= trips[loop];
  load.slotBytes = getSlotBytes(multiply(getShapeAtLevel(problem, schedule, index, level)) *
                                buffer.elementBytes);
  load.firstCycles = target.issueCycles + target.dramLatencyCycles + fill * cycles;
  if (!beginSizes.empty() && begun[index])
    load.begunCycles = fill * cycles;
  // Later on nothing is loaded, which is issued all the same.
  load.restPace = (numTiles - 1) * pace;
  load.pace = pace + load.restPace + (runs - numTiles) * target.issueCycles;
  load.cycles = load.firstCycles + load.restPace;
  load.latency = numTiles * target.dramLatencyCycles;
  load.chargedBytes = numTiles * fill * charged;
  load.restShare = stepsBefore / numSteps;
  load.isKept = true;
  return load;
}

/// Two slots hide a step behind its neighbors only: ragged steps and stores that take bandwidth
/// from loads stall the array the more often, the closer loading comes to computing.
/// Measured on the networks and layers of test/Performance/cycles.csv, with nothing played: with
/// 0, 19 of 507 are more than a tenth too low and the choice made by that takes up to half as long
/// again; with an eighth none is; with a quarter they are 12 % too high on average instead of 7 %,
/// and choices no better.
static constexpr double kStallShare = 0.125;

double npu::tile::getLeastSteadyCycles(double arrayCycles, double transferCycles) {
  return std::max(arrayCycles, transferCycles) +
         kStallShare * std::min(arrayCycles, transferCycles);
}

double TileCost::getLeastCycles(double loadCycles, double prologue) const {
  double epilogue = lastVectorCycles + lastStoreCycles;
  if (!problem.array)
    return std::max({prologue + vectorCycles + lastStoreCycles, loadCycles + epilogue,
                     prologue + lastVectorCycles + storeCycles}) -
           2 * target.issueCycles;
  return std::max({getLeastSteadyCycles(mxuCycles, loadCycles), vectorCycles, storeCycles}) +
         problem.getShown(prologue) + epilogue;
}

double TileCost::getCycles(ArrayRef<LoadCost> loads, ArrayRef<int64_t> depths,
                           SmallVectorImpl<int64_t> *begin, double limit) const {
  double loadCycles = gatherCycles, loadCharged = gatherBytes, loadLatency = 0, prologue = 0,
         mxuChain = mxuCycles;
  double singleBuffered = 0, making = 0;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    if (!buffer.isLoaded() && !buffer.isMade)
      continue;
    const LoadCost &load = loads[index];
    making += load.count * load.vectorCycles;
    // The vector unit makes a tile's first after the last one's tail, which waits for the array.
    if (buffer.isMade && lastVectorCycles > 0)
      mxuChain += (std::min(load.count, numTiles) - 1) * (lastVectorCycles + load.vectorCycles);
    loadCycles += load.count * load.pace;
    loadCharged += load.count * load.chargedBytes;
    loadLatency += load.count * load.latency;
    bool isBeforeRoot = buffer.isForRoot() || load.level < numParallel;
    if (isBeforeRoot || !problem.array)
      prologue += load.firstCycles;
    if (depths[index] == 1 && load.count > 1 && !load.isKept)
      (buffer.isForRoot() && problem.array ? mxuChain : singleBuffered) +=
          (load.count - 1) * load.cycles;
    if (!buffer.isForRoot() || !problem.array || depths[index] == 1)
      continue;
    // A load of an outer level waits in the stream behind the loads of the inner one, and those for
    // a free slot: only the last slots' work hides it.
    for (auto [other, otherBuffer] : enumerate(problem.buffers)) {
      const LoadCost &inner = loads[other];
      if (!otherBuffer.isForRoot() || inner.count <= load.count)
        continue;
      double hidden = depths[other] * mxuCycles / inner.count;
      mxuChain += (load.count - 1) * std::max(0.0, load.pace + inner.pace - hidden);
    }
  }

  // What is loaded tile by tile has the contraction wait for it in the meantime, if that is faster.
  // But for the first time, tiles may be loaded from when the contraction is through with the first
  // one of those before, which is as early before their last one as the last one is behind it.
  for (const LoadCost &load : loads)
    if (load.isKept) {
      double ahead =
          (mxuCycles + load.count * load.pace - loadCycles) * load.restShare / load.count;
      mxuChain += std::max(0.0, load.restPace - ahead) +
                  (load.count - 1) * std::max(0.0, load.firstCycles + load.restPace - 2 * ahead);
    }

  double tail = vectorCycles + making + singleBuffered;
  bool isValueSingle = false;
  for (auto [index, buffer] : enumerate(problem.buffers)) {
    isValueSingle |= buffer.role == BufferRole::Value && !buffer.isPrivate && depths[index] == 1;
    if (buffer.role == BufferRole::Accumulator && depths[index] == 1 && numTiles > 1)
      mxuChain += (numTiles - 1) / numTiles *
                  (problem.accumulatorIsStored ? vectorCycles + storeCycles : vectorCycles);
  }
  tail += numTiles > 1 && isValueSingle ? storeCycles : 0;

  double dramBytesPerCycle = static_cast<double>(target.dramBytesPerCycle) / numClusters;
  double dram = (loadCharged + storeChargedBytes) / dramBytesPerCycle;
  // Stores take bandwidth from loads, but where these wait for their first byte. Without a
  // contraction between, both run in step: they wait at the same time.
  double hidden = problem.array ? loadLatency : 0;
  double input = std::max(loadCycles, loadCycles + storeChargedBytes / dramBytesPerCycle - hidden);
  // Vector kernels take as long as the engine that is behind, with what it waits for at first and
  // what waits for it at last; the DRAM's time has both in it. The first vector op and the store
  // behind it are issued while they wait.
  if (begin)
    begin->clear();
  if (!problem.array) {
    double steady = std::max({prologue + tail + lastStoreCycles,
                              loadCycles + lastVectorCycles + lastStoreCycles,
                              prologue + lastVectorCycles + storeCycles});
    return std::max({steady - 2 * target.issueCycles, input, dram});
  }
  double others = std::max({tail, input, storeCycles, dram}), steady = std::max(mxuChain, others);
  double spare = steady - others;
  steady += kStallShare * std::min(mxuChain, std::max(input, dram));
  double cycles = steady + problem.getShown(prologue) + lastVectorCycles + lastStoreCycles;
  // Nothing else can be saved than what is waited for at first.
  if (begin && cycles - std::min(spare, prologue) <= limit)
    cycles -= getBeginSavings(loads, spare, *begin);
  return cycles;
}

SmallVector<LoadCost> TileCost::getLoadCosts() const {
  SmallVector<LoadCost> loads(problem.buffers.size());
  for (auto [index, buffer] : enumerate(problem.buffers))
    if (buffer.isLoaded() || buffer.isMade)
      loads[index] = getLoadCost(index);
  return loads;
}

double npu::tile::estimateCycles(const Problem &problem, const Schedule &schedule,
                                 const TargetDesc &target) {
  TileCost cost(problem, target, schedule,
                getMxuCycles(problem, target, schedule.tiles, schedule.splits));
  return cost.getCycles(cost.getLoadCosts(), schedule.depths);
}

double npu::tile::predictDramBytes(const Problem &problem, const Schedule &schedule,
                                   const TargetDesc &target) {
  if (schedule.spilled)
    return getSpilledDramBytes(problem, target, schedule);
  TileCost cost(problem, target, schedule, /*mxuCycles=*/0);
  return cost.getDramBytes(cost.getLoadCosts());
}
