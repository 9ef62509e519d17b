//===- Allocator.h - offsets of buffers with overlapping lives ------------===//
//
// Static memory allocation: buffers have a size and a half-open life [lower, upper); two buffers
// whose lives overlap must not overlap in memory. Minimizing the peak is NP-hard.
//
// Sets of buffers between which nothing lives are placed one by one, each in four stages, up to the
// first one that reaches the goal or the bytes that live at once:
//
// 1. First fit in six orders: by size, life, contention and time. A tree over time instead of pairs
//    of buffers makes it near-linear.
// 2. Exact search for the goal, after MiniMalloc (Moffitt, ASPLOS 2023), see
//    lib/Support/SkylineSearch.h. Left out for more than some thousand buffers.
// 3. First fit again and again, the buffer that set the peak first.
// 4. Exact search for peaks between the goal and the best one known.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_ALLOCATOR_H
#define NPU_SUPPORT_ALLOCATOR_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace npu {

/// A buffer to place. Lives are half-open intervals on any integer time line.
struct AllocationRequest {
  int64_t lower = 0; ///< first moment of the life
  int64_t upper = 0; ///< first moment after the life
  int64_t bytes = 0;
};

struct Allocation {
  std::vector<int64_t> offsets; ///< bytes, one per request
  int64_t peakBytes = 0;        ///< end of the highest buffer
  bool isOptimal = false;       ///< whether it is proved that no allocation has a smaller peak

  // How it was found.
  int64_t firstFitPeakBytes = 0; ///< the peak of the first stage
  int64_t numSteps = 0;          ///< decisions of the exact search
};

/// The most bytes that live at one moment, each size rounded up to `alignment`: no allocation has a
/// smaller peak. Sets `moment` to the first time at which that many live. Takes O(n log n) time.
int64_t getLivePeak(llvm::ArrayRef<AllocationRequest> requests, int64_t alignment,
                    int64_t *moment = nullptr);

/// Places all requests at multiples of `alignment` bytes. Stops when the peak is at most
/// `goalBytes`; 0 asks for the smallest peak that can be found.
///
/// The result depends on the requests only: stages end after a number of steps, not after a time.
/// First fit takes O(n log^2 n) time for n buffers as long as unused gaps between buffers are few;
/// the stages after it take at most about a second.
Allocation allocate(llvm::ArrayRef<AllocationRequest> requests, int64_t alignment,
                    int64_t goalBytes = 0);

/// Whether buffers whose lives overlap are disjoint in memory, and all are aligned and below the
/// peak. Takes O(n log n) time, and shares no code with the allocator.
bool isValidAllocation(llvm::ArrayRef<AllocationRequest> requests, const Allocation &allocation,
                       int64_t alignment);

} // namespace npu

#endif // NPU_SUPPORT_ALLOCATOR_H
