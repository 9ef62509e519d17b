//===- Steps.h - parts that the pipelines of the front half share ---------===//

#ifndef NPU_LIB_PIPELINES_STEPS_H
#define NPU_LIB_PIPELINES_STEPS_H

#include "NPU/Pipelines/Pipelines.h"

namespace npu {

/// Canonicalizer and CSE, function by function, so that those that a pass did not change are left
/// alone.
void addCleanUp(mlir::OpPassManager &pm);

/// SymbolDCE, if there are symbols that cannot be used outside of the module.
void addSymbolDCE(mlir::OpPassManager &pm);

/// SimplifyGlobalAccesses, ApplyPatterns, FoldGlobals, FuseGlobals, on what is canonical and so
/// that it is canonical afterwards; if there are globals or branches.
void addGlobalSteps(mlir::OpPassManager &pm);

/// FoldGlobals, if there are loads of globals.
void addGlobalFolding(mlir::OpPassManager &pm);

/// Sizes of results become sizes of operands, on functions that ask for one.
void addSizeResolution(mlir::OpPassManager &host);

/// The transform script in `filename`; nothing if that is empty.
void addTransformScript(mlir::OpPassManager &pm, llvm::StringRef filename);

/// From linalg ops to isolated dispatches with a workgroup count.
void addFormation(mlir::OpPassManager &pm, const DispatchCreationOptions &options);

/// The part of it that follows when the regions are there.
void addFormationOfRegions(mlir::OpPassManager &pm, dispatch_creation::FusionMode mode);

/// From isolated dispatches to executables, named and one of each; `traceDispatchTensors` has them
/// print what they read and write.
void addOutlining(mlir::OpPassManager &pm, bool traceDispatchTensors);

} // namespace npu

#endif // NPU_LIB_PIPELINES_STEPS_H
