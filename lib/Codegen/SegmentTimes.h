//===- SegmentTimes.h - what segments take ----------------------*- C++ -*-===//

#ifndef NPU_LIB_CODEGEN_SEGMENTTIMES_H
#define NPU_LIB_CODEGEN_SEGMENTTIMES_H

#include "KernelWindows.h"

namespace npu {

/// Simulated cycles of all segments, and of each window of each segment: from the end of those
/// before it to its own.
struct SegmentTimes {
  int64_t total = 0;
  std::vector<std::vector<int64_t>> ofWindow;
};

/// Compiles the segments' programs as drafts and times them without data. Nothing where that fails
/// or takes too many steps.
std::optional<SegmentTimes> measureSegments(llvm::ArrayRef<SegmentOp> segments,
                                            llvm::ArrayRef<SegmentSchedule> schedules);

} // namespace npu

#endif // NPU_LIB_CODEGEN_SEGMENTTIMES_H
