//===- RunForm.h - runs kernels in the forms of the compiler ----*- C++ -*-===//

#ifndef NPU_TOOLS_NPURUN_RUNFORM_H
#define NPU_TOOLS_NPURUN_RUNFORM_H

#include "RunCommandLine.h"

#include "mlir/IR/BuiltinOps.h"

namespace npu::runtime {

/// Whether `module` is kernels rather than a model.
bool isForm(mlir::ModuleOp module);

/// Interprets the kernel that the options name, or the only one, and prints what came of it.
/// Whether the outputs are as expected.
llvm::Expected<bool> runForm(mlir::ModuleOp module, const RunCommandLine &options);

} // namespace npu::runtime

#endif // NPU_TOOLS_NPURUN_RUNFORM_H
