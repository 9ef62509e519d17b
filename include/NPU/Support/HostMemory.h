//===- HostMemory.h - how much memory this process may take ---------------===//

#ifndef NPU_SUPPORT_HOSTMEMORY_H
#define NPU_SUPPORT_HOSTMEMORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <utility>

namespace npu {

/// Bytes that this process can have: the machine's memory, or less where its control groups or
/// resource limits say so.
int64_t getHostMemoryBytes();

/// The smallest memory limit of the control groups that a process is in, INT64_MAX if none limits
/// it. `membership` is what /proc/self/cgroup holds, `mountPoint` where groups are mounted.
int64_t getGroupMemoryLimit(llvm::StringRef membership, llvm::StringRef mountPoint);

/// Zeros, of which the machine gives a page when it is touched: what is large and hardly used costs
/// little. Aligned to a page.
class LazyMemory {
public:
  LazyMemory() = default;
  LazyMemory(LazyMemory &&other) { *this = std::move(other); }
  LazyMemory &operator=(LazyMemory &&other) {
    std::swap(address, other.address);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~LazyMemory();
  /// Fails when there is no room for that many bytes.
  static llvm::Expected<LazyMemory> create(uint64_t bytes);

  uint8_t *data() const { return address; }
  uint64_t size() const { return bytes; }

private:
  uint8_t *address = nullptr;
  uint64_t bytes = 0;
};

} // namespace npu

#endif // NPU_SUPPORT_HOSTMEMORY_H
