//===- NestWork.cpp - what engines have to do in a loop nest --------------===//

#include "NestWork.h"

#include "BufferUsage.h"
#include "IterationBoxes.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace npu;

/// The most iterations over which a mean is taken.
static constexpr int64_t kMaxIterations = 4096;

static std::optional<int64_t> getIterationsOf(BlockArgument counter) {
  Operation *loop = counter.getOwner()->getParentOp();
  if (auto clusters = dyn_cast<scf::ForallOp>(loop))
    return getClusterShape(clusters)[counter.getArgNumber()];
  auto inCluster = dyn_cast<scf::ForOp>(loop);
  return inCluster ? getTripCount(inCluster) : std::nullopt;
}

/// The mean of an extent, the least of linear ones and never negative; nothing if it is not known.
static std::optional<double> getMean(Value extent) {
  SmallVector<LinearIndex> limits = getLinearLimits(extent);
  llvm::SmallMapVector<Value, int64_t, 4> iterations;
  int64_t all = 1;
  for (const LinearIndex &limit : limits)
    for (auto [counter, factor] : limit.factors) {
      if (iterations.contains(counter))
        continue;
      std::optional<int64_t> count = getIterationsOf(cast<BlockArgument>(counter));
      if (!count || all * *count > kMaxIterations)
        return std::nullopt;
      iterations[counter] = *count;
      all *= *count;
    }
  if (limits.empty())
    return std::nullopt;
  double sum = 0;
  for (int64_t number = 0; number < all; ++number) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const LinearIndex &limit : limits) {
      int64_t value = limit.constant, rest = number;
      for (auto [counter, count] : iterations) {
        value += limit.factors.lookup(counter) * (rest % count);
        rest /= count;
      }
      least = std::min(least, value);
    }
    sum += static_cast<double>(std::max<int64_t>(0, least));
  }
  return sum / static_cast<double>(all);
}

/// The means of extents, or `whole` where there are none.
static SmallVector<double> getMeans(ArrayRef<int64_t> whole, ValueRange extents) {
  SmallVector<double> means;
  for (auto [dim, size] : llvm::enumerate(whole)) {
    std::optional<double> mean = extents.empty() ? std::nullopt : getMean(extents[dim]);
    means.push_back(mean.value_or(static_cast<double>(std::max<int64_t>(1, size))));
  }
  return means;
}

static double getProduct(ArrayRef<double> factors) {
  double product = 1;
  for (double factor : factors)
    product *= factor;
  return product;
}

static double getDramCycles(MemRefType onChip, ValueRange extents, const TargetDesc &target) {
  return getProduct(getMeans(onChip.getShape(), extents)) * getElementBytes(onChip) /
         target.dramBytesPerCycle;
}

double npu::getCycles(NPUComputeOpInterface op, ArrayRef<double> extents,
                      const TargetDesc &target) {
  TileWork work = op.getTileWork();
  double elements = getProduct(extents);
  if (!work.array)
    return work.vector ? work.vector->cycles(target, std::ceil(elements))
                       : isa::getVectorCycles(target, std::ceil(elements), work.passes);
  double m = 1, n = 1, k = 1;
  for (auto [dim, extent] : llvm::zip_equal(op.getTileDims(target), extents))
    (dim.role == tile::MxuRole::N ? n : dim.role == tile::MxuRole::K ? k : m) *= extent;
  return work.array->cycles(target, std::ceil(m), std::ceil(n), std::ceil(k));
}

static double getMeanCycles(NPUComputeOpInterface op, const TargetDesc &target) {
  return getCycles(op, getMeans(op.getStaticLoopRanges(), op.getTileExtents()), target);
}

/// The value of an index in one iteration, the least of linear ones and never negative; nothing if
/// it is not known.
static std::optional<double> getValue(Value index, const DenseMap<Value, int64_t> &counters) {
  std::optional<int64_t> least;
  for (const LinearIndex &limit : getLinearLimits(index)) {
    int64_t value = limit.constant;
    for (auto [counter, factor] : limit.factors)
      value += factor * counters.lookup(counter); // of the first cluster, unless it is a loop's
    least = std::min(value, least.value_or(value));
  }
  return least ? std::optional<double>(std::max<int64_t>(0, *least)) : std::nullopt;
}

std::vector<double> npu::getIterationCycles(NPUComputeOpInterface op, const TargetDesc &target) {
  SmallVector<int64_t> whole = op.getStaticLoopRanges();
  OperandRange sizes = op.getTileExtents();
  int64_t count = getIterations(op);
  if (count > kMaxIterations || sizes.empty())
    return std::vector<double>(count, getMeanCycles(op, target));
  std::vector<double> cycles;
  DenseMap<Value, int64_t> counters;
  for (int64_t number = 0; number < count; ++number) {
    int64_t rest = number;
    for (scf::ForOp loop : getLoopsAround(op)) {
      counters[loop.getInductionVar()] = rest % *getTripCount(loop);
      rest /= *getTripCount(loop);
    }
    SmallVector<double> extents;
    for (auto [size, extent] : llvm::zip_equal(whole, sizes))
      extents.push_back(getValue(extent, counters).value_or(static_cast<double>(size)));
    cycles.push_back(getCycles(op, extents, target));
  }
  return cycles;
}

Work npu::getWork(Operation *op, const TargetDesc &target) {
  auto isInDram = [](MemRefType type) { return getMemorySpace(type) == MemorySpace::Dram; };
  double count = getIterations(op);
  Work work;
  if (auto load = dyn_cast<DmaLoadOp>(op)) {
    if (isInDram(load.getSrc().getType()))
      work.dram = count * (load.getClusters() ? 1 : getClusterCount(op)) *
                  getDramCycles(load.getDst().getType(), load.getExtents(), target);
  } else if (auto store = dyn_cast<DmaStoreOp>(op)) {
    work.dram = count * getClusterCount(op) *
                getDramCycles(store.getSrc().getType(), store.getExtents(), target);
  } else if (auto compute = dyn_cast<NPUComputeOpInterface>(op)) {
    (compute.getEngine() == Engine::Mxu ? work.array : work.vector) =
        count > kMaxIterations ? count * getMeanCycles(compute, target)
                               : llvm::sum_of(getIterationCycles(compute, target));
  }
  return work;
}
