//===- Allocator.cpp - offsets of buffers with overlapping lives ----------===//

#include "NPU/Support/Allocator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace npu;

static bool overlap(const AllocationRequest &a, const AllocationRequest &b) {
  return a.lower < b.upper && b.lower < a.upper;
}

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
/// First-fit placement over a fixed set of requests; the neighbours in time are computed once.
class FirstFit {
public:
  FirstFit(ArrayRef<AllocationRequest> requests, int64_t alignment)
      : requests(requests), neighbours(requests.size()) {
    for (size_t i = 0; i < requests.size(); ++i) {
      sizes.push_back(alignTo(requests[i].bytes, alignment));
      for (size_t j = 0; j < i; ++j) {
        if (!overlap(requests[i], requests[j]))
          continue;
        neighbours[i].push_back(j);
        neighbours[j].push_back(i);
      }
    }
  }

  /// Places the requests in this order, each at the lowest gap that holds it. `best` ends the
  /// attempt when it can no longer improve.
  Allocation place(ArrayRef<size_t> order, int64_t best, size_t &blocker) const {
    Allocation result;
    result.offsets.assign(requests.size(), -1);
    SmallVector<std::pair<int64_t, int64_t>> taken;
    for (size_t i : order) {
      taken.clear();
      for (size_t j : neighbours[i])
        if (result.offsets[j] >= 0)
          taken.push_back({result.offsets[j], result.offsets[j] + sizes[j]});
      llvm::sort(taken);
      int64_t offset = 0;
      for (auto [begin, end] : taken) {
        if (begin - offset >= sizes[i])
          break;
        offset = std::max(offset, end);
      }
      result.offsets[i] = offset;
      if (offset + sizes[i] > result.peakBytes) {
        result.peakBytes = offset + sizes[i];
        blocker = i;
      }
      if (result.peakBytes >= best)
        return result;
    }
    return result;
  }

  /// The bytes that live while request `i` does: how contended its time is.
  int64_t getContention(size_t i) const {
    int64_t total = sizes[i];
    for (size_t j : neighbours[i])
      total += sizes[j];
    return total;
  }

  SmallVector<int64_t> sizes;

private:
  ArrayRef<AllocationRequest> requests;
  std::vector<SmallVector<size_t, 8>> neighbours;
};
} // namespace

Allocation npu::allocate(ArrayRef<AllocationRequest> requests, int64_t alignment,
                         int64_t goalBytes) {
  // Attempts beyond the sorted orders: each moves the buffer that set the peak to the front.
  constexpr unsigned repairs = 400;
  FirstFit fit(requests, alignment);
  int64_t bound = std::max(getLivePeak(requests, alignment), goalBytes);

  using Key = std::tuple<int64_t, int64_t, int64_t>;
  SmallVector<SmallVector<Key>> portfolio(6);
  for (auto [i, request] : llvm::enumerate(requests)) {
    int64_t bytes = fit.sizes[i], life = request.upper - request.lower;
    int64_t contention = fit.getContention(i);
    portfolio[0].push_back({-bytes, -life, request.lower});
    portfolio[1].push_back({-life, -bytes, request.lower});
    portfolio[2].push_back({-contention, -bytes, request.lower});
    portfolio[3].push_back({-SaturatingMultiply<uint64_t>(bytes, life >> 8 | 1), -bytes, 0});
    portfolio[4].push_back({request.lower, -bytes, -life});
    portfolio[5].push_back({-request.upper, -bytes, -life});
  }

  Allocation best;
  best.peakBytes = std::numeric_limits<int64_t>::max();
  SmallVector<size_t> order(requests.size());
  for (ArrayRef<Key> keys : portfolio) {
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order,
               [&](size_t a, size_t b) { return std::tie(keys[a], a) < std::tie(keys[b], b); });
    for (unsigned attempt = 0; attempt <= repairs; ++attempt) {
      size_t blocker = 0;
      Allocation candidate = fit.place(order, best.peakBytes, blocker);
      if (candidate.peakBytes < best.peakBytes)
        best = std::move(candidate);
      if (best.peakBytes <= bound || order.empty())
        return best;
      auto *position = llvm::find(order, blocker);
      if (position == order.begin())
        break;
      std::rotate(order.begin(), position, position + 1);
    }
  }
  return best;
}

bool npu::isValidAllocation(ArrayRef<AllocationRequest> requests, const Allocation &allocation,
                            int64_t alignment) {
  if (allocation.offsets.size() != requests.size())
    return false;
  for (auto [i, request] : llvm::enumerate(requests)) {
    int64_t offset = allocation.offsets[i];
    if (offset < 0 || offset % alignment || offset + request.bytes > allocation.peakBytes)
      return false;
    for (size_t j = 0; j < i; ++j)
      if (overlap(request, requests[j]) && offset < allocation.offsets[j] + requests[j].bytes &&
          allocation.offsets[j] < offset + request.bytes)
        return false;
  }
  return true;
}
