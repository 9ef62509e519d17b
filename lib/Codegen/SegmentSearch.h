//===- SegmentSearch.h - windows and kernels of whole segments --*- C++ -*-===//
//
// Dispatches share a kernel where that takes fewer cycles than kernels of their own do, each by
// itself: what these hand on goes through DRAM. Where it can stay on chip between kernels, they
// may be faster. So segments are searched with and without windows of several dispatches, and what
// is faster of each is put together.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_CODEGEN_SEGMENTSEARCH_H
#define NPU_LIB_CODEGEN_SEGMENTSEARCH_H

#include "ResidentSearch.h"

#include "llvm/ADT/MapVector.h"

#include <optional>

namespace npu {

/// Gives segments other windows and kernels where all of them together are faster so.
class SegmentSearch {
public:
  /// As WindowSearch and ResidentSearch have them; `schedules` are what the one has chosen. What is
  /// chosen is noted in `file`, unless that is null.
  SegmentSearch(const TargetDesc &target, llvm::ArrayRef<SegmentOp> segments,
                std::vector<SegmentSchedule> &schedules, WindowSearch::GetKernel getKernel,
                WindowSearch::GetKernel getScheduled, ScheduleFile *file)
      : target(target), segments(segments), schedules(schedules), getKernel(getKernel),
        getScheduled(getScheduled), file(file), timer(segments) {}

  /// Replaces windows and kernels by some that this object owns, and decides which segments
  /// prefetch.
  void run();
  /// The same without other kernels: joins dispatches only where that is faster in the simulator
  /// than a kernel for each of them.
  void compare();

private:
  /// What the segments could be compiled as, and what they take without prefetches.
  using Candidate = std::pair<std::vector<SegmentSchedule>, SegmentTimes>;

  void divide();
  int64_t prefetch(Candidate &candidate);
  llvm::MapVector<mlir::Operation *, int64_t> getGains(const SegmentTimes &timesOfJoined,
                                                       const SegmentTimes &timesOfApart) const;
  std::vector<SegmentSchedule> mix(const llvm::SmallDenseSet<mlir::Operation *> &kept) const;

  TargetDesc target;
  llvm::ArrayRef<SegmentOp> segments;
  std::vector<SegmentSchedule> &schedules;
  WindowSearch::GetKernel getKernel, getScheduled;
  ScheduleFile *file;

  /// With the windows that were chosen before, and with one for each dispatch.
  std::vector<SegmentSchedule> ofJoined, ofApart;
  std::optional<ResidentSearch> joined, apart;
  SegmentTimer timer; ///< after what owns the kernels that it times
  std::vector<Candidate> candidates;
};

} // namespace npu

#endif // NPU_LIB_CODEGEN_SEGMENTSEARCH_H
