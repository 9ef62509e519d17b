//===- KernelWindows.h - dispatches of a segment in one kernel --*- C++ -*-===//
//
// A kernel of several stages can hand a value from one to the next on chip, tile by tile, where
// kernels of their own hand it on in DRAM. So dispatches that follow each other in a segment may
// share a kernel, a window; how long windows are is chosen by the cycles that schedules predict.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_CODEGEN_KERNELWINDOWS_H
#define NPU_LIB_CODEGEN_KERNELWINDOWS_H

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace npu {

/// Dispatches of a segment, next to each other, and the tensors that their kernel takes and gives.
struct KernelWindow {
  llvm::SmallVector<flow::DispatchOp> dispatches;
  /// Results of dispatches, or tensors from outside of the segment: reshapes are looked through.
  llvm::SmallVector<mlir::Value> inputs, outputs;
  KernelOp kernel; ///< in tensor form, with a schedule
};

/// How a segment is compiled.
struct SegmentSchedule {
  std::vector<KernelWindow> windows; ///< in order
  /// Of the time that loops leave DRAM idle, by what their engines have to do, so many percent
  /// count as time to load operands of later ones; 0: none of them does.
  int64_t prefetch = 0;
};

/// Divides segments into windows, and remembers what it knows of windows of the same kernels, which
/// must stay where they are.
class WindowSearch {
public:
  /// Looks into `tiles` before it searches, and into `file`, unless that is null, before that.
  WindowSearch(std::shared_ptr<TileMemo> tiles, ScheduleFile *file)
      : tiles(std::move(tiles)), file(file) {}

  using GetKernel = llvm::function_ref<KernelOp(flow::DispatchOp)>;

  /// The windows of a segment, in order. `getKernel` gives the kernel of a dispatch in tensor form,
  /// `getScheduled` the same with a schedule. Fails where the file is wrong, which is emitted.
  mlir::FailureOr<std::vector<KernelWindow>> divide(SegmentOp segment, GetKernel getKernel,
                                                    GetKernel getScheduled);

  /// Windows of these lengths, which the file gives; those of one dispatch need `getScheduled`.
  mlir::FailureOr<std::vector<KernelWindow>> follow(llvm::ArrayRef<ScheduleFile::Dispatch> names,
                                                    SegmentOp segment,
                                                    llvm::ArrayRef<size_t> lengths,
                                                    GetKernel getKernel, GetKernel getScheduled);

  /// The kernel of dispatches that may share one, without a schedule; null if they may not.
  static mlir::OwningOpRef<KernelOp> merge(llvm::ArrayRef<flow::DispatchOp> dispatches,
                                           GetKernel getKernel);
  /// Calls `onKernel` with the kernel of each window that the search could choose.
  static void forEachWindow(SegmentOp segment, GetKernel getKernel,
                            llvm::function_ref<void(KernelOp)> onKernel);

  /// A window of each dispatch.
  static std::vector<KernelWindow> getSingles(SegmentOp segment, GetKernel getScheduled);

private:
  /// The kernels of the dispatches, what each takes (a result of the window or an input), and which
  /// results are needed after it.
  using Key = std::vector<std::pair<const void *, int64_t>>;

  mlir::LogicalResult schedule(llvm::ArrayRef<KernelOp *> kernels);
  mlir::LogicalResult reportUnscheduled(mlir::InFlightDiagnostic error,
                                        mlir::OwningOpRef<KernelOp> kernel);

  std::shared_ptr<TileMemo> tiles;
  ScheduleFile *file;
  /// What windows that were tried became; null where they have no schedule.
  std::map<Key, KernelOp> tried;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> batches; ///< own what was tried
};

} // namespace npu

#endif // NPU_LIB_CODEGEN_KERNELWINDOWS_H
