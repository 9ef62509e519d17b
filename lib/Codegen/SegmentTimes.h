//===- SegmentTimes.h - what segments take ----------------------*- C++ -*-===//

#ifndef NPU_LIB_CODEGEN_SEGMENTTIMES_H
#define NPU_LIB_CODEGEN_SEGMENTTIMES_H

#include "KernelWindows.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

#include <optional>

namespace npu {

/// Simulated cycles of all segments, and of each window of each segment: from the end of those
/// before it to its own.
struct SegmentTimes {
  int64_t total = 0;
  std::vector<std::vector<int64_t>> ofWindow;
};

/// Compiles segments' programs as drafts, which nobody verifies, and times them without data. A
/// kernel is brought to tile form once, and a program is compiled once, in however many
/// assignments of kernels to windows it is.
class SegmentTimer {
public:
  explicit SegmentTimer(llvm::ArrayRef<SegmentOp> segments);

  /// Nothing where a program cannot be compiled or takes too many steps. The windows' kernels stay
  /// as they are; they have to outlive the timer.
  std::optional<SegmentTimes> measure(llvm::ArrayRef<SegmentSchedule> schedules);

private:
  /// Cycles from the program's begin to its end, and to the ends of its dispatches.
  struct ProgramTimes {
    int64_t cycles;
    std::vector<int64_t> ends;
  };

  mlir::LogicalResult addTileForms(llvm::ArrayRef<SegmentSchedule> schedules);
  mlir::LogicalResult
  timePrograms(const llvm::SmallVectorImpl<std::pair<std::string, KernelOp>> &launchers);

  llvm::ArrayRef<SegmentOp> segments;
  mlir::OwningOpRef<mlir::ModuleOp> kernels; ///< in tile form
  mlir::SymbolTable symbols;                 ///< of `kernels`
  llvm::DenseMap<mlir::Operation *, KernelOp> tileForms;
  llvm::StringMap<ProgramTimes> known; ///< by what launches the kernels
};

} // namespace npu

#endif // NPU_LIB_CODEGEN_SEGMENTTIMES_H
