//===- Steps.h - the passes from functions on tensors to programs ---------===//

#ifndef NPU_CODEGEN_STEPS_H
#define NPU_CODEGEN_STEPS_H

#include "mlir/Pass/PassManager.h"

namespace npu {

/// From functions on tensors to kernels in tensor form, with the checks that decide whether the
/// target runs them.
void populateLegalization(mlir::OpPassManager &pm, llvm::StringRef target);

/// From kernels in tensor form, with a schedule, to programs. The IR between two of them can be
/// printed, changed by hand and read again.
void populateTileFormPipeline(mlir::OpPassManager &pm);
void populatePlannedFormPipeline(mlir::OpPassManager &pm);
void populateProgramPipeline(mlir::OpPassManager &pm);

/// From kernels in tensor form, with a schedule or without, to programs: all of them.
void populateBackEnd(mlir::OpPassManager &pm);
/// The same in two parts, the first up to tile form, where kernels can be linked.
void populateBackEndToTileForm(mlir::OpPassManager &pm);
void populateBackEndFromTileForm(mlir::OpPassManager &pm);
/// The second part without the proof of what comes of it, for programs that are only to be timed.
void populateDraftFromTileForm(mlir::OpPassManager &pm);

} // namespace npu

#endif // NPU_CODEGEN_STEPS_H
