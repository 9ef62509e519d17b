//===- Advice.h - what could make kernels faster ------------------*- C++ -*-===//

#ifndef NPU_EXECUTION_ADVICE_H
#define NPU_EXECUTION_ADVICE_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace npu::runtime {

/// A change that makes a kernel faster.
struct Advice {
  std::string rule;   ///< its name, as docs/advice.md has it: `faster-dram`
  std::string change; ///< what to try: `dramBytesPerCycle=64`
  std::string reason; ///< what the rule has seen: `DRAM is busy in 83 % of the cycles`
  int64_t cycles = 0; ///< of the kernel that are saved, as expected
  /// The kernel's schedule, for a schedule file; empty: the change is one of the chip, or of the
  /// whole entry.
  std::string schedule;
};

/// A kernel that takes longer than its limit.
struct Loss {
  unsigned kernel = 0;              ///< the number of its first dispatch
  std::string name;                 ///< `conv1: Conv 7x7 s2`
  int64_t cycles = 0, limit = 0;    ///< of all its runs
  llvm::SmallVector<Advice> advice; ///< what helps most first

  int64_t getLost() const { return cycles - limit; }
};

} // namespace npu::runtime

#endif // NPU_EXECUTION_ADVICE_H
