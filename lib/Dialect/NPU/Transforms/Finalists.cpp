//===- Finalists.cpp - the best of a search, played ----------------------===//

#include "Finalists.h"

#include "PlaySchedule.h"
#include "SpilledSums.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

void Finalists::add(Schedule schedule) {
  schedule.predictedCycles = playCycles(problem, target, schedule, &charges);
  schedules.push_back(std::move(schedule));
}

/// Those that are the fastest so far.
SmallVector<size_t> Finalists::getFastest() const {
  constexpr size_t most = 3;
  SmallVector<std::pair<double, size_t>> ranking;
  for (auto [index, schedule] : llvm::enumerate(schedules))
    ranking.push_back({schedule.predictedCycles, index});
  llvm::sort(ranking);
  ranking.truncate(std::min(most, ranking.size()));
  return llvm::map_to_vector(ranking, [](const auto &entry) { return entry.second; });
}

/// Sizes of the parts that are tried: those that divide a tile of `whole` indices, and where there
/// is only one, others. The last one may be short then, so that little is left to do when it is
/// done.
static SmallVector<int64_t> getPartSizes(int64_t whole, bool isOnly) {
  SmallVector<int64_t> sizes;
  auto add = [&](int64_t size) {
    if (size < whole && (isOnly || whole % size == 0) && !llvm::is_contained(sizes, size))
      sizes.push_back(size);
  };
  for (int64_t parts : {2, 3, 4, 5, 6, 7, 8})
    add(llvm::divideCeil(whole, parts));
  for (int64_t parts : {4, 8, 16})
    add(whole - llvm::divideCeil(whole, parts));
  return sizes;
}

/// Plays the best also with tails that do a tile in parts.
void Finalists::addParts() {
  for (size_t index : getFastest()) {
    std::optional<unsigned> dim = findPartDim(problem, schedules[index]);
    if (!dim)
      continue;
    int64_t whole = schedules[index].tiles[*dim];
    bool isOnly = problem.isAlone && whole == problem.dims[*dim].extent;
    for (int64_t size : getPartSizes(whole, isOnly)) {
      Schedule schedule = schedules[index];
      setParts(problem, schedule, *dim, size);
      schedule.endsInParts = canEndInParts(problem, schedule);
      if (!fits(problem, schedule, target))
        continue;
      add(std::move(schedule));
    }
  }
}

/// Plays the best also with other parts of their first tile.
void Finalists::addBegins() {
  for (size_t index : getFastest()) {
    Schedule schedule = schedules[index];
    TileCost cost(problem, target, schedule, /*mxuCycles=*/0, &charges);
    auto begins = cost.getBegins(cost.getLoadCosts());
    begins.push_back({});
    for (const auto &begin : begins) {
      if (begin == schedules[index].begin)
        continue;
      schedule.begin = begin;
      add(schedule);
    }
  }
}

/// Plays the best also with what sums start from loaded tile by tile: less of it
/// is waited for at first.
void Finalists::addStartsByTile() {
  for (size_t index : getFastest()) {
    Schedule schedule = schedules[index];
    for (auto [number, buffer] : enumerate(problem.buffers))
      if (buffer.role == BufferRole::Start && !buffer.madeFor) {
        schedule.levels[number] =
            hoistLevel(problem, schedule.order, number, schedule.order.size());
        schedule.depths[number] = schedule.levels[number] > 0 ? 2 : 1;
      }
    if (schedule.levels == schedules[index].levels || !fits(problem, schedule, target))
      continue;
    add(std::move(schedule));
  }
}

/// Plays schedules that move fewer bytes than the fastest, with sums in SRAM. A percent of time is
/// worth forty of the bytes: the array waits for none of them.
void Finalists::addSpilled() {
  constexpr double bytesPerTime = 40;
  Schedule fastest = schedules[getFastest().front()];
  double bytes = predictDramBytes(problem, fastest, target);
  for (Schedule &schedule : findSpilled(problem, target, fastest, charges)) {
    schedule.predictedCycles = playCycles(problem, target, schedule, &charges);
    double longer = schedule.predictedCycles / fastest.predictedCycles - 1;
    double fewer = 1 - predictDramBytes(problem, schedule, target) / bytes;
    if (fewer >= bytesPerTime * longer)
      schedules.push_back(std::move(schedule));
  }
}

Schedule Finalists::choose() {
  addStartsByTile();
  addBegins();
  addParts();
  addSpilled();
  auto getCycles = [](const Schedule &schedule) { return schedule.predictedCycles; };
  double fastest = getCycles(schedules[getFastest().front()]);
  llvm::erase_if(schedules,
                 [&](const Schedule &schedule) { return getCycles(schedule) > asFast * fastest; });
  auto rank = [&](const Schedule &schedule) {
    return std::pair(predictDramBytes(problem, schedule, target), getCycles(schedule));
  };
  return *llvm::min_element(
      schedules, [&](const Schedule &a, const Schedule &b) { return rank(a) < rank(b); });
}
