//===- AllocationProblem.h - what matters of requests to place ------------===//

#ifndef NPU_LIB_SUPPORT_ALLOCATIONPROBLEM_H
#define NPU_LIB_SUPPORT_ALLOCATIONPROBLEM_H

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace npu {

/// A buffer that lives at the moments `first` to `last`, the last one included.
struct AllocationItem {
  int64_t bytes = 0; ///< a multiple of the alignment
  unsigned first = 0, last = 0;
  int64_t lower = 0, upper = 0; ///< as in the request
};

/// Items to place so that none overlaps another one in bytes at the same moment. A moment stands
/// for a set of buffers that live together and are part of no larger such set; others add nothing.
struct AllocationProblem {
  std::vector<AllocationItem> items;
  unsigned numMoments = 0;

  /// The bytes of all items at each moment.
  std::vector<int64_t> getLoads() const {
    std::vector<int64_t> loads(numMoments + 1);
    for (const AllocationItem &item : items) {
      loads[item.first] += item.bytes;
      loads[item.last + 1] -= item.bytes;
    }
    for (unsigned moment = 0; moment < numMoments; ++moment)
      loads[moment + 1] += loads[moment];
    loads.pop_back();
    return loads;
  }

  /// The end of the highest item.
  int64_t getPeak(llvm::ArrayRef<int64_t> offsets) const {
    int64_t peak = 0;
    for (size_t i = 0; i < items.size(); ++i)
      peak = std::max(peak, offsets[i] + items[i].bytes);
    return peak;
  }
};

} // namespace npu

#endif // NPU_LIB_SUPPORT_ALLOCATIONPROBLEM_H
