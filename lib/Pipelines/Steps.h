//===- Steps.h - parts that the pipelines of the front half share ---------===//

#ifndef NPU_LIB_PIPELINES_STEPS_H
#define NPU_LIB_PIPELINES_STEPS_H

#include "NPU/Pipelines/Pipelines.h"

namespace npu {

/// Canonicalizer and CSE, function by function, so that those that a pass did not change are left
/// alone.
void addCleanUp(mlir::OpPassManager &pm);

/// SimplifyGlobalAccesses, ApplyPatterns, FoldGlobals, FuseGlobals, on what is canonical.
void addGlobalSteps(mlir::OpPassManager &pm);

/// The transform script in `filename`; nothing if that is empty.
void addTransformScript(mlir::OpPassManager &pm, llvm::StringRef filename);

/// From linalg ops to isolated dispatches with a workgroup count.
void addFormation(mlir::OpPassManager &pm, const DispatchCreationOptions &options);

} // namespace npu

#endif // NPU_LIB_PIPELINES_STEPS_H
