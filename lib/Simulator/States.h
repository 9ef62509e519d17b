//===- States.h - a number per byte of a memory ---------------------------===//
//
// Neighboring bytes mostly have the same history. Their state is written down once per block as
// long as the block's bytes agree; otherwise, exactly, once per byte.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_SIMULATOR_STATES_H
#define NPU_LIB_SIMULATOR_STATES_H

#include "llvm/Support/Error.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

namespace npu::sim {

/// The states of a memory's bytes. What the numbers mean is up to the caller, except for two.
class States {
public:
  static constexpr uint32_t uninitialized = 0;
  static constexpr uint32_t initialized = 1; ///< has had its value from the start

  States() = default;
  /// All bytes are in `state`. Falsy when there is not enough memory.
  States(int64_t bytes, uint32_t state);
  explicit operator bool() const { return ofBlocks && ofBytes; }

  /// Calls `change(state, address)` for runs of bytes in one state, in order, which together make
  /// up [begin, begin + bytes); it returns their new state, or the error that ends the update.
  /// `moved(from, to, count)` hears of bytes whose state has changed.
  template <typename Change, typename Moved>
  llvm::Error update(int64_t begin, int64_t bytes, Change change, Moved moved);

  /// How many bytes are in this state.
  int64_t count(uint32_t state) const;

private:
  static constexpr int64_t blockBytes = 32;
  static constexpr uint32_t mixed = ~0u; ///< of a block whose bytes differ

  struct Free {
    void operator()(uint32_t *pointer) const { std::free(pointer); }
  };
  using Numbers = std::unique_ptr<uint32_t[], Free>;

  /// The end of the run of equal numbers at `first`.
  static uint32_t *findRunEnd(uint32_t *first, uint32_t *end);

  int64_t bytes = 0;
  Numbers ofBlocks;
  Numbers ofBytes; ///< valid in mixed blocks
};

template <typename Change, typename Moved>
llvm::Error States::update(int64_t begin, int64_t count, Change change, Moved moved) {
  // Numbers of blocks or of bytes, which stand for `scale` bytes each.
  auto updateRun = [&](uint32_t *first, uint32_t *end, int64_t scale,
                       int64_t address) -> llvm::Error {
    uint32_t old = *first;
    llvm::Expected<uint32_t> next = change(old, address);
    if (!next)
      return next.takeError();
    if (*next != old) {
      std::fill(first, end, *next);
      moved(old, *next, (end - first) * scale);
    }
    return llvm::Error::success();
  };
  for (int64_t address = begin, end = begin + count; address < end;) {
    uint32_t *block = &ofBlocks[address / blockBytes];
    int64_t inBlock = address % blockBytes;
    if (*block != mixed && inBlock == 0 && end - address >= blockBytes) {
      uint32_t *last = findRunEnd(block, block + (end - address) / blockBytes);
      if (llvm::Error error = updateRun(block, last, blockBytes, address))
        return error;
      address += (last - block) * blockBytes;
      continue;
    }
    uint32_t *byBytes = &ofBytes[address - inBlock];
    if (*block != mixed)
      std::fill_n(byBytes, blockBytes, std::exchange(*block, mixed));
    uint32_t *stop = byBytes + std::min(inBlock + (end - address), blockBytes);
    for (uint32_t *first = byBytes + inBlock; first != stop;) {
      uint32_t *last = findRunEnd(first, stop);
      if (llvm::Error error = updateRun(first, last, 1, address))
        return error;
      address += last - first;
      first = last;
    }
    if (findRunEnd(byBytes, byBytes + blockBytes) == byBytes + blockBytes)
      *block = *byBytes;
  }
  return llvm::Error::success();
}

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_STATES_H
