//===- Semaphores.h - counters that carry vector clocks -------------------===//

#ifndef NPU_LIB_SIMULATOR_SEMAPHORES_H
#define NPU_LIB_SIMULATOR_SEMAPHORES_H

#include "NPU/Simulator/Simulator.h"

#include <map>

namespace npu::sim {

/// What has happened before a point of a stream: how many instructions of each stream.
using Clock = std::vector<uint64_t>;

/// All semaphores of a program. The v-th signal of a semaphore carries its signaller's clock, and a
/// wait for v learns what that clock says, not what later signals say: only the former is certain.
class Semaphores {
public:
  /// Finds each semaphore's only signaller; traps when there are two.
  static llvm::Expected<Semaphores> create(const isa::Program &program);

  int64_t getCount(int64_t semaphore) const;
  /// Index of the only stream that signals it; nullopt when none does.
  std::optional<unsigned> getSignaller(int64_t semaphore) const;

  void signal(int64_t semaphore, const Clock &clock);
  /// Joins the clock of the `value`-th signal, which must have happened.
  void join(int64_t semaphore, int64_t value, Clock &clock) const;

  /// Forgets signals that every stream has seen. `seen` has the minimum over all running streams.
  void prune(llvm::ArrayRef<Clock *> running);
  bool needsPruning() const { return stored > pruneAt; }

private:
  struct Semaphore {
    unsigned signaller = 0;
    int64_t count = 0;
    int64_t firstKept = 0;        ///< signals up to this one are known to all
    std::vector<uint64_t> clocks; ///< of the signals after it, one after the other
  };
  std::map<int64_t, Semaphore> semaphores;
  size_t streams = 0;
  size_t stored = 0, pruneAt = 1 << 20; ///< numbers in all `clocks`
};

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_SEMAPHORES_H
