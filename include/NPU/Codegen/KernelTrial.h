//===- KernelTrial.h - what a kernel would take otherwise -------*- C++ -*-===//
//
// Compiles a kernel by itself for another chip, or with another schedule, and times it without
// data. Advice is made of such trials.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_CODEGEN_KERNELTRIAL_H
#define NPU_CODEGEN_KERNELTRIAL_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/ScheduleChoice.h"
#include "NPU/Simulator/Simulator.h"

#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace npu {

/// Compiles a kernel with a schedule, which stays as it is, alone and measures the program. Nothing
/// where that takes more than ten million steps. Errors are emitted.
mlir::FailureOr<std::optional<sim::Result>> measureAlone(KernelOp kernel);

class KernelTrial {
public:
  struct Outcome {
    sim::Result result;
    ScheduleAttr schedule;
  };

  /// `kernel` is in tensor form and has no schedule.
  explicit KernelTrial(mlir::OwningOpRef<KernelOp> kernel) : kernel(std::move(kernel)) {}

  /// With the schedule that the search chooses for `target`, a specification. Nothing where the
  /// kernel does not fit, or takes too long to measure. Nothing is emitted.
  std::optional<Outcome> search(llvm::StringRef target) const;

  /// With this schedule, of the kernel as it is or as a rewriting without numbers makes it.
  std::optional<Outcome> follow(ScheduleAttr schedule) const;

  /// Schedules that differ from `schedule` in one number each: a tile of twice or half the size,
  /// one buffer more or less. Not all of them fit.
  static llvm::SmallVector<ScheduleAttr> getNeighbors(ScheduleAttr schedule);

private:
  mlir::OwningOpRef<KernelOp> kernel;
};

} // namespace npu

#endif // NPU_CODEGEN_KERNELTRIAL_H
