//===- Allocator.h - offsets of buffers with overlapping lives ------------===//
//
// Static memory allocation: buffers have a size and a half-open life [lower, upper); two buffers
// whose lives overlap must not overlap in memory. Minimising the peak is NP-hard; the allocator
// places first-fit in several orders and keeps the best, stopping at the lower bound.
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
};

/// The most bytes that live at one moment, each size rounded up to `alignment`: no allocation has a
/// smaller peak. Sets `moment` to the first time at which that many live.
int64_t getLivePeak(llvm::ArrayRef<AllocationRequest> requests, int64_t alignment,
                    int64_t *moment = nullptr);

/// Places all requests at multiples of `alignment` bytes. Deterministic. Stops early when the peak
/// is at most `goalBytes`.
Allocation allocate(llvm::ArrayRef<AllocationRequest> requests, int64_t alignment,
                    int64_t goalBytes = 0);

/// Whether buffers whose lives overlap are disjoint in memory and all are aligned.
bool isValidAllocation(llvm::ArrayRef<AllocationRequest> requests, const Allocation &allocation,
                       int64_t alignment);

} // namespace npu

#endif // NPU_SUPPORT_ALLOCATOR_H
