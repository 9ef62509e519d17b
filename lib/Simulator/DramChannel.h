//===- DramChannel.h - bandwidth shared by all DMA engines ----------------===//

#ifndef NPU_LIB_SIMULATOR_DRAMCHANNEL_H
#define NPU_LIB_SIMULATOR_DRAMCHANNEL_H

#include "Memory.h"

namespace npu::sim {

/// The DRAM's bandwidth. In every cycle it is divided equally among the transfers that have bytes
/// left at the cycle's beginning. Time advances from event to event; all arithmetic is exact.
class DramChannel {
public:
  explicit DramChannel(int64_t bytesPerCycle) : bytesPerCycle(bytesPerCycle) {}

  /// Adds a transfer of `bytes` > 0 at cycle `now`.
  void add(unsigned stream, int64_t bytes, int64_t now);
  /// The cycle at which the next transfer ends if none is added; nullopt when none is active.
  std::optional<int64_t> getNextEnd() const;
  /// Moves time to `now`, at most getNextEnd(); the streams whose transfers end there, in ascending
  /// order.
  llvm::SmallVector<unsigned> advance(int64_t now);

private:
  struct Transfer {
    unsigned stream;
    Int128 left; ///< bytes times `unit`
  };
  Int128 getShare() const;

  /// Divisible by every possible number of transfers: two engines in each of at most 8 clusters.
  static constexpr int64_t unit = 720720;

  int64_t bytesPerCycle;
  int64_t time = 0;
  llvm::SmallVector<Transfer> active; ///< by stream
};

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_DRAMCHANNEL_H
