//===- ResidentSearch.h - schedules of kernels among others -----*- C++ -*-===//
//
// A kernel's schedule is searched as if all that it takes and gives were in DRAM. Between kernels
// of a segment much of it can stay on chip, but only where clusters share it alike and there is
// room for it. So kernels get other schedules, too, as if what lies between them were on chip.
// Which of them are the best together is measured, by the simulator's clock, of whole segments.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_CODEGEN_RESIDENTSEARCH_H
#define NPU_LIB_CODEGEN_RESIDENTSEARCH_H

#include "SegmentTimes.h"

#include "NPU/Target/Desc/TargetDesc.h"

#include <map>
#include <set>

namespace npu {

/// Gives windows of segments other kernels where all of them together are faster so.
class ResidentSearch {
public:
  /// `getKernel` gives the kernel of a dispatch in tensor form, without a schedule. `timer` times
  /// kernels that this object owns.
  ResidentSearch(const TargetDesc &target, llvm::ArrayRef<SegmentOp> segments,
                 std::vector<SegmentSchedule> &schedules, WindowSearch::GetKernel getKernel,
                 SegmentTimer &timer)
      : target(target), segments(segments), schedules(schedules), getKernel(getKernel),
        timer(timer) {}

  /// Replaces the kernels of the windows by some that this object owns. False, with the kernels as
  /// they were, where the segments cannot be measured.
  bool run();
  /// What they take now.
  const SegmentTimes &getTimes() const { return least; }
  /// Notes the schedules that were chosen in the end, of kernels of one dispatch only
  /// `withSingles`.
  void note(ScheduleFile &file, bool withSingles) const;

private:
  /// A schedule that a kernel could have.
  struct Alternative {
    KernelOp kernel; ///< null: there is none
    Rewriting rewriting;
    ScheduleAttr schedule;
  };
  /// A kernel of one or more windows.
  struct Kernel {
    mlir::OwningOpRef<KernelOp> plain; ///< without a schedule
    llvm::SmallVector<KernelWindow *> windows;
    std::vector<Alternative> alternatives; ///< by policy; the first is what was chosen before
    /// The first kernel that a schedule file does not tell from this one: their weights may differ.
    unsigned group;
  };
  /// The policy of each kernel; those of a group have one.
  using Assignment = std::vector<unsigned>;

  void collectKernels();
  llvm::SmallVector<int64_t, 2> findWindowDims() const;
  std::vector<const KernelWindow *> getWindowsLike(const Kernel &kernel) const;
  ResidentAttr getResident(const Kernel &kernel, unsigned policy) const;
  void schedule(unsigned policy);
  bool hasAlternative(unsigned kernel, unsigned policy) const {
    return timesOfPolicy[policy] && kernels[kernel].alternatives[policy].kernel;
  }
  void assign(const Assignment &assignment);
  std::optional<SegmentTimes> tryOut(const Assignment &assignment);
  double getChangeCycles(const KernelWindow &window) const;
  std::vector<unsigned> choosePolicies(unsigned segment, double weight, size_t numPolicies) const;
  Assignment mix(double weight, size_t numPolicies) const;
  int64_t getGain(unsigned group, unsigned policy) const;
  bool improveOne(std::set<std::pair<unsigned, unsigned>> &tried);

  TargetDesc target;
  llvm::ArrayRef<SegmentOp> segments;
  std::vector<SegmentSchedule> &schedules;
  WindowSearch::GetKernel getKernel;
  SegmentTimer &timer;

  std::shared_ptr<TileMemo> tiles; ///< of all policies
  /// What was chosen by the last of them, by the name of the kernel.
  std::map<std::string, std::pair<Rewriting, ScheduleAttr>> choices;
  std::vector<Kernel> kernels;
  llvm::SmallVector<int64_t, 2> windowDims;
  llvm::DenseMap<const KernelWindow *, unsigned> kernelOf;
  /// With that policy for all kernels that have an alternative by it.
  std::vector<std::optional<SegmentTimes>> timesOfPolicy;
  std::set<Assignment> measured;
  Assignment best;
  SegmentTimes least;                                     ///< of `best`
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> batches; ///< own the alternatives
};

} // namespace npu

#endif // NPU_LIB_CODEGEN_RESIDENTSEARCH_H
