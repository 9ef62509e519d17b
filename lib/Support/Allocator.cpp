//===- Allocator.cpp - offsets of buffers with overlapping lives ----------===//
//
// The portfolio: first fit in several orders, the exact search for the goal, orders that first fit
// itself improves, and the exact search for what lies between.
//
//===----------------------------------------------------------------------===//

#include "NPU/Support/Allocator.h"

#include "FirstFit.h"
#include "SkylineSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>
#include <numeric>

using namespace llvm;
using namespace npu;

/// Limits of the exact search, in looks at an item or a moment (some 150 million a second): for the
/// goal, and for what lies between it and the best placement known.
static constexpr int64_t kGoalWork = 64 << 20, kImprovementWork = 32 << 20;

/// Limits of the orders that are improved: attempts per order, and looks at a list of ranges in all
/// attempts.
static constexpr unsigned kMaxRepairs = 400;
static constexpr int64_t kRepairWork = 16 << 20;

int64_t npu::getLivePeak(ArrayRef<AllocationRequest> requests, int64_t alignment, int64_t *moment) {
  std::map<int64_t, int64_t> changes;
  for (const AllocationRequest &request : requests) {
    if (request.lower >= request.upper)
      continue;
    int64_t bytes = alignTo(request.bytes, alignment);
    changes[request.lower] += bytes;
    changes[request.upper] -= bytes;
  }
  int64_t live = 0, peak = 0;
  for (auto [time, change] : changes) {
    live += change;
    if (live <= peak)
      continue;
    peak = live;
    if (moment)
      *moment = time;
  }
  return peak;
}

namespace {
/// Requests between two times at which nothing lives: they are independent of all others.
struct Component {
  AllocationProblem problem;
  std::vector<size_t> requests; ///< of the items
};

/// Finds a placement of one component.
class Portfolio {
public:
  /// Stops at `target` bytes.
  Portfolio(const AllocationProblem &problem, int64_t alignment, int64_t target)
      : problem(problem), alignment(alignment), target(target), fit(problem), search(problem) {}

  void run();

  std::vector<int64_t> offsets;
  int64_t peakBytes = std::numeric_limits<int64_t>::max();
  int64_t firstFitPeakBytes = 0;
  int64_t numSteps = 0;
  int64_t impossibleBytes = -1; ///< no peak up to this exists

private:
  bool isDone() const { return peakBytes <= target; }
  unsigned tryOrder(ArrayRef<unsigned> order);
  void repairOrders(std::vector<std::vector<unsigned>> &orders);
  bool searchBelow(int64_t capacity, int64_t &work);
  void searchBetween();

  const AllocationProblem &problem;
  const int64_t alignment, target;
  FirstFit fit;
  SkylineSearch search;
};
} // namespace

/// Returns the item that sets the peak.
unsigned Portfolio::tryOrder(ArrayRef<unsigned> order) {
  FirstFit::Result result = fit.place(order, peakBytes);
  if (result.peakBytes < peakBytes) {
    peakBytes = result.peakBytes;
    offsets = std::move(result.offsets);
  }
  return result.highest;
}

/// Moves the item that sets the peak to the front of its order, again and again.
void Portfolio::repairOrders(std::vector<std::vector<unsigned>> &orders) {
  const int64_t end = fit.getNumLooks() + kRepairWork;
  for (std::vector<unsigned> &order : orders) {
    for (unsigned repair = 0; repair <= kMaxRepairs && fit.getNumLooks() < end; ++repair) {
      unsigned highest = tryOrder(order);
      auto position = llvm::find(order, highest);
      if (isDone() || position == order.begin())
        break;
      std::rotate(order.begin(), position, position + 1);
    }
    if (isDone())
      return;
  }
}

/// Whether the exact search finds a placement with a peak of at most `capacity` bytes.
bool Portfolio::searchBelow(int64_t capacity, int64_t &work) {
  SkylineSearch::Outcome outcome = search.run(capacity, work);
  numSteps = search.getNumSteps();
  if (outcome == SkylineSearch::Outcome::Impossible)
    impossibleBytes = std::max(impossibleBytes, capacity);
  if (outcome != SkylineSearch::Outcome::Found)
    return false;
  offsets = search.getOffsets();
  peakBytes = problem.getPeak(offsets);
  return true;
}

/// Halves the distance to the target.
void Portfolio::searchBetween() {
  int64_t work = kImprovementWork, low = target;
  while (low + alignment < peakBytes && work > 0) {
    // A capacity that is too low may take all the work that it is given.
    int64_t share = std::max<int64_t>(work / 4, 1), left = share;
    int64_t capacity = low + alignTo((peakBytes - low) / 2, alignment);
    if (capacity >= peakBytes)
      capacity = peakBytes - alignment;
    if (!searchBelow(capacity, left))
      low = capacity;
    work -= share - left;
  }
}

void Portfolio::run() {
  std::vector<std::vector<unsigned>> orders = fit.getOrders();
  for (ArrayRef<unsigned> order : orders) {
    tryOrder(order);
    firstFitPeakBytes = peakBytes;
    if (isDone())
      return;
  }
  // Not even one placement is complete before the limit.
  int64_t numItems = problem.items.size();
  bool isLarge = numItems * (numItems + problem.numMoments) > kGoalWork;
  int64_t work = kGoalWork;
  if (!isLarge && searchBelow(target, work))
    return;
  repairOrders(orders);
  if (!isDone() && !isLarge)
    searchBetween();
}

/// Finds the moments and splits the requests where nothing lives.
static std::vector<Component> split(ArrayRef<AllocationRequest> requests, int64_t alignment) {
  std::vector<size_t> byLower;
  for (auto [i, request] : enumerate(requests))
    if (request.lower < request.upper && request.bytes > 0)
      byLower.push_back(i);
  std::vector<size_t> byUpper = byLower;
  llvm::sort(byLower, [&](size_t a, size_t b) {
    return std::pair(requests[a].lower, a) < std::pair(requests[b].lower, b);
  });
  llvm::sort(byUpper, [&](size_t a, size_t b) {
    return std::pair(requests[a].upper, a) < std::pair(requests[b].upper, b);
  });
  std::vector<Component> components;
  std::vector<unsigned> items(requests.size());
  size_t numBorn = 0;
  // A moment ends when something dies after something was born.
  bool isGrowing = false;
  for (auto [numDead, dead] : enumerate(byUpper)) {
    if (numBorn == numDead)
      components.emplace_back();
    AllocationProblem &problem = components.back().problem;
    for (; numBorn < byLower.size() && requests[byLower[numBorn]].lower < requests[dead].upper;
         ++numBorn) {
      size_t i = byLower[numBorn];
      const AllocationRequest &request = requests[i];
      items[i] = problem.items.size();
      problem.items.push_back({int64_t(alignTo(request.bytes, alignment)), problem.numMoments, 0,
                               request.lower, request.upper});
      components.back().requests.push_back(i);
      isGrowing = true;
    }
    problem.numMoments += isGrowing;
    isGrowing = false;
    problem.items[items[dead]].last = problem.numMoments - 1;
  }
  return components;
}

Allocation npu::allocate(ArrayRef<AllocationRequest> requests, int64_t alignment,
                         int64_t goalBytes) {
  int64_t live = getLivePeak(requests, alignment);
  int64_t target = std::max<int64_t>(live, alignDown(std::max<int64_t>(goalBytes, 0), alignment));
  Allocation result;
  result.offsets.assign(requests.size(), 0);
  int64_t impossibleBytes = live - alignment;
  for (const Component &component : split(requests, alignment)) {
    Portfolio portfolio(component.problem, alignment, target);
    portfolio.run();
    for (auto [i, offset] : zip_equal(component.requests, portfolio.offsets))
      result.offsets[i] = offset;
    result.peakBytes = std::max(result.peakBytes, portfolio.peakBytes);
    result.firstFitPeakBytes = std::max(result.firstFitPeakBytes, portfolio.firstFitPeakBytes);
    result.numSteps += portfolio.numSteps;
    impossibleBytes = std::max(impossibleBytes, portfolio.impossibleBytes);
  }
  result.isOptimal = result.peakBytes <= impossibleBytes + alignment;
  return result;
}

bool npu::isValidAllocation(ArrayRef<AllocationRequest> requests, const Allocation &allocation,
                            int64_t alignment) {
  if (allocation.offsets.size() != requests.size())
    return false;
  std::vector<size_t> byLower, byUpper;
  for (auto [i, request] : enumerate(requests)) {
    int64_t offset = allocation.offsets[i];
    if (offset < 0 || offset % alignment || offset + request.bytes > allocation.peakBytes)
      return false;
    if (request.lower < request.upper && request.bytes > 0)
      byLower.push_back(i);
  }
  byUpper = byLower;
  llvm::sort(byLower, [&](size_t a, size_t b) { return requests[a].lower < requests[b].lower; });
  llvm::sort(byUpper, [&](size_t a, size_t b) { return requests[a].upper < requests[b].upper; });
  // What lives, as ranges of bytes by their starts: they are disjoint, so neighbors tell.
  std::map<int64_t, int64_t> live;
  const size_t *dead = byUpper.data();
  for (size_t i : byLower) {
    for (; requests[*dead].upper <= requests[i].lower; ++dead)
      live.erase(allocation.offsets[*dead]);
    int64_t begin = allocation.offsets[i], end = begin + requests[i].bytes;
    auto next = live.lower_bound(begin);
    if (next != live.end() && next->first < end)
      return false;
    if (next != live.begin() && std::prev(next)->second > begin)
      return false;
    live.emplace_hint(next, begin, end);
  }
  return true;
}
