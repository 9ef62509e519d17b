//===- BeginCost.cpp - first tiles in parts -------------------------------===//

#include "PlaySchedule.h"
#include "TileCost.h"

#include "NPU/Dialect/NPU/IR/Tile.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>

using namespace mlir;
using namespace npu;
using namespace npu::tile;

bool npu::tile::isBegun(const Problem &problem, unsigned index, unsigned dim) {
  const Buffer &buffer = problem.buffers[index];
  return buffer.role == BufferRole::Input && !buffer.isMade && !buffer.madeFor &&
         !buffer.isFromChip && dependsOn(buffer, dim) && movesPlainly(buffer.axes, dim);
}

std::optional<unsigned> npu::tile::findBeginDim(const Problem &problem, const Schedule &schedule) {
  if (!canPlay(problem) || schedule.getClusters() > 1 ||
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

/// The first part is one of so many of a tile; and how many parts are estimated, or grow, at most.
static constexpr std::array<int64_t, 7> kFirstParts = {2, 3, 4, 6, 8, 12, 16};
static constexpr unsigned kMaxParts = 8;

void TileCost::prepareBegin() {
  beginDim = findBeginDim(problem, schedule);
  if (!beginDim)
    return;
  int64_t tile = schedule.tiles[*beginDim], granule = problem.dims[*beginDim].granule;
  for (int64_t parts : kFirstParts)
    if (int64_t size = llvm::alignTo(llvm::divideCeil(tile, parts), granule);
        size < tile && !llvm::is_contained(beginSizes, size))
      beginSizes.push_back(size);
  SmallVector<int64_t> sizes(schedule.tiles);
  wholeStep = target.issueCycles + getMxuStepCycles(problem, target, sizes);
  if (granule >= tile)
    return;
  for (unsigned buffer = 0; buffer < problem.buffers.size(); ++buffer)
    begun.push_back(isBegun(problem, buffer, *beginDim));
  sizes[*beginDim] = granule;
  double least = target.issueCycles + getMxuStepCycles(problem, target, sizes);
  cyclesPerSum = (wholeStep - least) / (tile - granule);
}

double TileCost::getLeastFirstCycles(const LoadCost &load) const {
  return load.firstCycles - load.begunCycles * (1 - 1.0 / kFirstParts.back());
}

TileCost::FirstLoads TileCost::getFirstLoads(ArrayRef<LoadCost> loads) const {
  FirstLoads first;
  for (const LoadCost &load : loads) {
    if (load.begunCycles > 0) {
      first.cycles += load.begunCycles;
      first.issues += load.firstCycles - load.begunCycles;
    }
    if (load.isKept)
      first.next += load.restPace > 0 ? load.firstCycles : 0;
    else if (load.count > 1)
      first.next += load.pace;
  }
  return first;
}

/// Each part takes as long to load as the array takes for the one before, if that makes it larger.
SmallVector<int64_t, 0> TileCost::growParts(const FirstLoads &first, int64_t size) const {
  int64_t tile = schedule.tiles[*beginDim], granule = problem.dims[*beginDim].granule;
  double step = wholeStep - cyclesPerSum * tile, perLoad = first.cycles / tile;
  SmallVector<int64_t, 0> parts;
  for (int64_t rest = tile; rest > 0 && parts.size() < kMaxParts; rest -= size) {
    if (!parts.empty()) {
      double loaded = (step + cyclesPerSum * size - first.issues) / perLoad;
      int64_t granules = std::llround(std::min<double>(loaded, tile) / granule);
      if (granules * granule <= size)
        break;
      size = granules * granule;
    }
    parts.push_back(size);
  }
  return parts;
}

std::vector<SmallVector<int64_t, 0>> TileCost::getBegins(ArrayRef<LoadCost> loads) const {
  std::vector<SmallVector<int64_t, 0>> begins;
  FirstLoads first = getFirstLoads(loads);
  if (first.cycles > 0)
    for (int64_t size : beginSizes)
      begins.push_back(growParts(first, size));
  return begins;
}

/// In parts, the array begins with what is loaded first. That pays as far as the second tile is
/// loaded when the first one is done.
double TileCost::getBeginSavings(ArrayRef<LoadCost> loads, double most,
                                 SmallVectorImpl<int64_t> &begin) const {
  begin.clear();
  FirstLoads first = getFirstLoads(loads);
  if (first.cycles == 0 || most <= 0)
    return 0;
  int64_t tile = schedule.tiles[*beginDim];
  double step = wholeStep - cyclesPerSum * tile, perLoad = first.cycles / tile;
  double whole = first.issues + first.cycles + std::max(wholeStep, first.next), saved = 0;
  for (int64_t size : beginSizes) {
    SmallVector<int64_t, 0> sizes = growParts(first, size);
    SmallVector<int64_t> parts = divide(tile, sizes);
    if (parts.size() > kMaxParts)
      continue;
    double loaded = 0, done = 0;
    for (int64_t part : parts) {
      loaded += first.issues + perLoad * part;
      done = std::max(done, loaded) + step + cyclesPerSum * part;
    }
    double savedSo = std::min(whole - std::max(done, loaded + first.next), most);
    if (savedSo <= saved)
      continue;
    saved = savedSo;
    begin.assign(sizes.begin(), sizes.end());
  }
  return saved;
}
