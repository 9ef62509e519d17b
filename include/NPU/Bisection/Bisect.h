//===- Bisect.h - from a wrong dispatch to the op ---------------*- C++ -*-===//

#ifndef NPU_BISECTION_BISECT_H
#define NPU_BISECTION_BISECT_H

#include "NPU/Execution/WrongDispatch.h"

namespace npu::runtime {

/// Where a wrong result of a dispatch comes from.
struct Bisection {
  /// A level of the compiler and how its results compare with the host's.
  struct LevelResult {
    std::string level;
    std::string verdict;
    bool isWrong;
  };

  unsigned dispatch = 0;
  std::string name;                 ///< of its function
  std::vector<LevelResult> levels;  ///< as far as the first wrong one
  std::vector<std::string> culprit; ///< lines about the first step that is wrong; may be empty

  void print(llvm::raw_ostream &os) const;
};

/// Compiles the dispatch level by level, runs every level on its inputs, and goes into the first
/// one that differs from the host: to the first step that does not write what the same step of the
/// compiler's own kernel writes.
llvm::Expected<Bisection> bisect(const WrongDispatch &dispatch, DispatchCompiler &compiler,
                                 const sim::Options &simulator);

} // namespace npu::runtime

#endif // NPU_BISECTION_BISECT_H
