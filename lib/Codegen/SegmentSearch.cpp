//===- SegmentSearch.cpp - windows and kernels of whole segments ----------===//

#include "SegmentSearch.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace npu;

/// Prefetches that are tried, in percent of the time that loops have for them by what their engines
/// have to do: loops wait for DRAM and for each other, which leaves less time, or gives them more.
static constexpr int64_t kPrefetches[] = {90, 110};

/// Kernels of several dispatches that are joined or divided alone in the end.
static constexpr size_t kNumWindowChanges = 6;

static size_t countWindows(ArrayRef<SegmentSchedule> schedules) {
  size_t count = 0;
  for (const SegmentSchedule &schedule : schedules)
    count += schedule.windows.size();
  return count;
}

/// By the kernels of windows of several dispatches: the cycles by which those were faster than
/// windows of their own for each dispatch, all else being so, too.
llvm::MapVector<Operation *, int64_t>
SegmentSearch::getGains(const SegmentTimes &timesOfJoined, const SegmentTimes &timesOfApart) const {
  llvm::MapVector<Operation *, int64_t> gains;
  for (size_t segment = 0; segment < segments.size(); ++segment) {
    ArrayRef<int64_t> cycles = timesOfApart.ofWindow[segment];
    for (auto [window, taken] :
         llvm::zip_equal(ofJoined[segment].windows, timesOfJoined.ofWindow[segment])) {
      size_t count = window.dispatches.size();
      if (count > 1)
        gains[window.kernel] += llvm::sum_of(cycles.take_front(count)) - taken;
      cycles = cycles.drop_front(count);
    }
  }
  return gains;
}

/// The windows with these kernels, and for all other dispatches one of their own, with the kernels
/// that these have: equal ones keep one schedule.
std::vector<SegmentSchedule>
SegmentSearch::mix(const llvm::SmallDenseSet<Operation *> &kept) const {
  std::vector<SegmentSchedule> mixed;
  for (size_t segment = 0; segment < segments.size(); ++segment) {
    std::vector<KernelWindow> &windows = mixed.emplace_back().windows;
    ArrayRef<KernelWindow> singles = ofApart[segment].windows;
    for (const KernelWindow &window : ofJoined[segment].windows) {
      size_t count = window.dispatches.size();
      if (kept.contains(window.kernel))
        windows.push_back(window);
      else
        llvm::append_range(windows, singles.take_front(count));
      singles = singles.drop_front(count);
    }
  }
  return mixed;
}

/// With windows of one dispatch for all, and mixed: where they were faster, and for what makes the
/// least difference. Nothing where they cannot be measured.
void SegmentSearch::divide() {
  if (countWindows(ofApart) == countWindows(ofJoined))
    return;
  apart.emplace(target, segments, ofApart, getKernel, timer);
  if (!apart->run())
    return;
  candidates.push_back({ofApart, apart->getTimes()});
  llvm::MapVector<Operation *, int64_t> gains = getGains(joined->getTimes(), apart->getTimes());
  llvm::SmallDenseSet<Operation *> kept;
  SegmentTimes least = apart->getTimes();
  auto tryOut = [&](llvm::SmallDenseSet<Operation *> other) {
    std::optional<SegmentTimes> times = timer.measure(mix(other));
    if (!times || times->total >= least.total)
      return;
    least = std::move(*times);
    kept = std::move(other);
  };
  llvm::SmallDenseSet<Operation *> faster;
  for (auto [kernel, gain] : gains)
    if (gain > 0)
      faster.insert(kernel);
  if (!faster.empty())
    tryOut(faster);
  SmallVector<std::pair<int64_t, size_t>> byDifference;
  for (auto [number, entry] : llvm::enumerate(gains))
    byDifference.push_back({std::abs(entry.second), number});
  llvm::sort(byDifference);
  byDifference.truncate(std::min(kNumWindowChanges, byDifference.size()));
  for (auto [difference, number] : byDifference) {
    Operation *kernel = gains.begin()[number].first;
    llvm::SmallDenseSet<Operation *> other = kept;
    if (!other.erase(kernel))
      other.insert(kernel);
    tryOut(std::move(other));
  }
  if (!kept.empty())
    candidates.push_back({mix(kept), std::move(least)});
}

/// Lets the segments prefetch that are faster so. Returns the cycles of all.
int64_t SegmentSearch::prefetch(Candidate &candidate) {
  auto &[schedules, times] = candidate;
  std::vector<int64_t> chosen(schedules.size(), 0), fewest;
  for (ArrayRef<int64_t> cycles : times.ofWindow)
    fewest.push_back(llvm::sum_of(cycles));
  for (int64_t percent : kPrefetches) {
    for (SegmentSchedule &schedule : schedules)
      schedule.prefetch = percent;
    std::optional<SegmentTimes> others = timer.measure(schedules);
    for (size_t segment = 0; others && segment < schedules.size(); ++segment)
      if (int64_t cycles = llvm::sum_of(others->ofWindow[segment]); cycles < fewest[segment]) {
        fewest[segment] = cycles;
        chosen[segment] = percent;
      }
  }
  for (auto [schedule, percent] : llvm::zip_equal(schedules, chosen))
    schedule.prefetch = percent;
  return llvm::sum_of(fewest);
}

void SegmentSearch::compare() {
  for (SegmentOp segment : segments)
    ofApart.push_back({WindowSearch::getSingles(segment, getScheduled)});
  if (countWindows(ofApart) == countWindows(schedules))
    return;
  ScopedDiagnosticHandler ignored(segments.front()->getContext(),
                                  [](Diagnostic &) { return success(); });
  ofJoined = schedules;
  std::optional<SegmentTimes> timesOfJoined = timer.measure(ofJoined),
                              timesOfApart = timer.measure(ofApart);
  if (!timesOfJoined || !timesOfApart)
    return;
  int64_t least = timesOfJoined->total;
  auto tryOut = [&](const std::vector<SegmentSchedule> &other,
                    const std::optional<SegmentTimes> &times) {
    if (!times || times->total >= least)
      return;
    least = times->total;
    schedules = other;
  };
  tryOut(ofApart, timesOfApart);
  llvm::SmallDenseSet<Operation *> faster;
  llvm::MapVector<Operation *, int64_t> gains = getGains(*timesOfJoined, *timesOfApart);
  for (auto [kernel, gain] : gains)
    if (gain > 0)
      faster.insert(kernel);
  if (faster.empty() || faster.size() == gains.size())
    return;
  std::vector<SegmentSchedule> mixed = mix(faster);
  tryOut(mixed, timer.measure(mixed));
}

void SegmentSearch::run() {
  for (SegmentOp segment : segments)
    ofApart.push_back({WindowSearch::getSingles(segment, getScheduled)});
  if (countWindows(ofApart) < 2)
    return;
  // What cannot be compiled is not chosen, which is no matter for users.
  ScopedDiagnosticHandler ignored(segments.front()->getContext(),
                                  [](Diagnostic &) { return success(); });
  ofJoined = schedules;
  joined.emplace(target, segments, ofJoined, getKernel, timer);
  if (!joined->run())
    return;
  candidates.push_back({ofJoined, joined->getTimes()});
  divide();
  std::optional<std::pair<int64_t, size_t>> best;
  for (auto [number, candidate] : llvm::enumerate(candidates))
    if (std::pair<int64_t, size_t> other = {prefetch(candidate), number}; !best || other < *best)
      best = other;
  bool isJoined = best->second == 0;
  schedules = std::move(candidates[best->second].first);
  if (!file)
    return;
  joined->note(*file, /*withSingles=*/isJoined);
  if (!isJoined)
    apart->note(*file, /*withSingles=*/true);
}
