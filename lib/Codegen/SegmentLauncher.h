//===- SegmentLauncher.h - a segment as a kernel that launches others -----===//

#ifndef NPU_LIB_CODEGEN_SEGMENTLAUNCHER_H
#define NPU_LIB_CODEGEN_SEGMENTLAUNCHER_H

#include "KernelWindows.h"
#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace npu {

/// Fails unless the segment is what createLauncher takes: dispatches and reshapes, of which it
/// gives results of dispatches, each once. The error has been emitted.
llvm::LogicalResult checkSegment(SegmentOp segment);

/// Brings kernels with schedules to the form that createLauncher takes.
void populateLaunchedForm(mlir::OpPassManager &pm);

/// Creates a detached kernel in tile form that launches the kernels of a segment's windows, whose
/// kernels are in tile form here. What is between them lies in DRAM.
KernelOp createLauncher(SegmentOp segment, SegmentOutputs outputs, const SegmentSchedule &schedule);

/// Equal for two of them that launch the same kernels on memory of the same shapes.
std::string getLauncherKey(KernelOp launcher);

} // namespace npu

#endif // NPU_LIB_CODEGEN_SEGMENTLAUNCHER_H
