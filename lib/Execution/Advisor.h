//===- Advisor.h - finds out what makes a kernel faster -----------*- C++ -*-===//
//
// Rules look at what a kernel does by itself and say what could help. What they say is tried: the
// kernel is compiled for the changed chip, or with the changed schedule, and timed. So advice has
// the gain that was found, and rules without one give none.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_EXECUTION_ADVISOR_H
#define NPU_LIB_EXECUTION_ADVISOR_H

#include "NPU/Codegen/KernelTrial.h"
#include "NPU/Execution/Advice.h"
#include "NPU/Target/Desc/TargetDesc.h"

namespace npu::runtime {

/// A kernel of a report.
struct AdvisedKernel {
  ScheduleAttr schedule; ///< that it has
  bool isFollowed;       ///< and that a schedule file gives
  int64_t cycles;        ///< that it takes in its program
  int64_t computeCycles; ///< of these, that the array or the vector unit cannot do without
  int64_t dramBytes;     ///< that have to move; 0: unknown
  bool isInProgram;      ///< of several kernels
};

/// What helps, most first.
llvm::SmallVector<Advice> advise(const AdvisedKernel &kernel, const KernelTrial &trial,
                                 const TargetDesc &target);

} // namespace npu::runtime

#endif // NPU_LIB_EXECUTION_ADVISOR_H
