//===- SegmentPrograms.h - programs of segments -----------------*- C++ -*-===//
//
// From segments whose windows have kernels with schedules to programs.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_CODEGEN_SEGMENTPROGRAMS_H
#define NPU_LIB_CODEGEN_SEGMENTPROGRAMS_H

#include "KernelWindows.h"

#include "NPU/Codegen/DispatchCompiler.h"

namespace npu {

/// What a compiled kernel says of itself in tile form, where it still has what was chosen.
PlannedKernel describeKernel(KernelOp kernel, unsigned numDispatches);

/// One program for segments that launch the same on memory of the same shapes.
struct SegmentPrograms {
  std::vector<std::unique_ptr<CompiledProgram>> programs;
  std::vector<size_t> programOfSegment;
  std::vector<size_t> firstSegments; ///< by program: the first that it is of
  std::vector<mlir::OwningOpRef<isa::ProgramOp>> ops;
};

/// `schedules` are those of the segments. The windows' kernels stay as they are. Errors are
/// emitted.
mlir::FailureOr<SegmentPrograms> buildSegmentPrograms(llvm::ArrayRef<SegmentOp> segments,
                                                      SegmentOutputs outputs,
                                                      llvm::ArrayRef<SegmentSchedule> schedules);

} // namespace npu

#endif // NPU_LIB_CODEGEN_SEGMENTPROGRAMS_H
