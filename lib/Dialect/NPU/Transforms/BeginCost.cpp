//===- BeginCost.cpp - first tiles in parts -------------------------------===//

#include "PlaySchedule.h"
#include "TileCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace npu;
using namespace npu::tile;

bool npu::tile::isBegun(const Problem &problem, unsigned index, unsigned dim) {
  const Buffer &buffer = problem.buffers[index];
  return buffer.role == BufferRole::Input && !buffer.isMade && !buffer.madeFor &&
         !buffer.isFromChip && dependsOn(buffer, dim) && movesPlainly(buffer.axes, dim);
}

std::optional<unsigned> npu::tile::findBeginDim(const Problem &problem, const Schedule &schedule) {
  if (!canPlay(problem) || schedule.clusterCount > 1 ||
      llvm::any_of(problem.buffers, [](const Buffer &buffer) { return buffer.isMade; }))
    return std::nullopt;
  std::optional<unsigned> found;
  for (auto [index, dim] : enumerate(problem.dims)) {
    if (dim.role != MxuRole::K || dim.isUnit || dim.isReluctant || dim.extent == 1)
      continue;
    if (found)
      return std::nullopt;
    found = index;
  }
  bool isLoaded =
      found && llvm::any_of(llvm::seq<unsigned>(problem.buffers.size()),
                            [&](unsigned buffer) { return isBegun(problem, buffer, *found); });
  return isLoaded ? found : std::nullopt;
}

SmallVector<int64_t> npu::tile::getBeginSizes(const Problem &problem, const Schedule &schedule,
                                              unsigned dim) {
  SmallVector<int64_t> sizes;
  int64_t tile = schedule.tiles[dim];
  for (int64_t parts : {int64_t(2), int64_t(3), int64_t(4), int64_t(6), kMaxBeginParts})
    if (int64_t size = alignTo(divideCeil(tile, parts), problem.dims[dim].granule);
        size < tile && !llvm::is_contained(sizes, size))
      sizes.push_back(size);
  return sizes;
}

double TileCost::getLeastFirstCycles(const LoadCost &load) const {
  return load.firstCycles - load.begunCycles * (1 - 1.0 / kMaxBeginParts);
}

/// In parts, what is loaded first and the array alternate, at the pace of the slower one. That pays
/// as far as the second tile is loaded when the first one is done.
std::pair<double, int64_t> TileCost::getBeginSavings(ArrayRef<LoadCost> loads, double most) const {
  double loading = 0, issues = 0, next = 0;
  for (const LoadCost &load : loads) {
    if (load.begunCycles > 0) {
      loading += load.begunCycles;
      issues += load.firstCycles - load.begunCycles;
    }
    if (load.count > 1)
      next += load.pace;
    else if (load.restPace > 0)
      next += load.firstCycles;
  }
  std::pair<double, int64_t> best = {0, 0};
  if (loading == 0 || most <= 0)
    return best;
  int64_t tile = schedule.tiles[*beginDim];
  SmallVector<int64_t> sizes(schedule.tiles);
  double whole = target.issueCycles + getMxuStepCycles(problem, target, sizes);
  for (int64_t size : beginSizes) {
    sizes[*beginDim] = size;
    double parts = divideCeil(tile, size), share = static_cast<double>(size) / tile;
    double load = issues + share * loading;
    double part = target.issueCycles + getMxuStepCycles(problem, target, sizes);
    double inParts = std::max(parts * load + part, load + parts * part);
    double spare = whole - next - (parts - 1) * issues;
    double saved = std::min({issues + loading + whole - inParts, spare, most});
    if (saved > best.first)
      best = {saved, size};
  }
  return best;
}
