//===- FormDispatches.h - the phases that a model lacks -------------------===//
//
// A model comes in any phase of the front half: as functions in linalg or tosa, with IREE's calling
// convention, with its dispatches in place or outlined. Code that needs the dispatches as functions
// on tensors calls this file to run the missing phases.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_PIPELINES_FORMDISPATCHES_H
#define NPU_PIPELINES_FORMDISPATCHES_H

#include "NPU/Codegen/DispatchCompiler.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"

namespace npu {

/// Whether `module` has what only a host program runs: globals and ops of the flow level.
bool needsHostProgram(mlir::ModuleOp module);

/// Whether `module` is a model whose functions are not divided into dispatches and cannot stay as
/// they are: there are ops of a host program, scalars or calls, or a function that the target of
/// `compiler` does not run as one kernel. Fails on an error that is not about the target; the error
/// has been emitted.
mlir::FailureOr<bool> needsFrontHalf(mlir::ModuleOp module, DispatchCompiler &compiler);

/// Brings `module` to dispatches that are imported functions on tensors, scalars passed as tensors
/// of rank 0. With `fromInput`, functions in linalg or tosa go through all of the front half; else
/// they stay as they are. Errors are emitted.
mlir::LogicalResult finishFrontHalf(mlir::ModuleOp module, const DispatchCompiler &compiler,
                                    bool fromInput);

/// Returns a copy of `module` in which the dispatches are formed and imported. If each function is
/// one dispatch, or becomes at most one, the functions stay as they are, unless the target runs
/// more of the formed dispatches than of the functions. With `asTheyStand`, which is enough to list
/// dispatches, such functions always stay, and dispatches that are not outlined are left in place.
/// Errors are emitted.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
formDispatches(mlir::ModuleOp module, DispatchCompiler &compiler, bool asTheyStand = false);

/// Registers the dialects that these functions may need.
void registerFrontHalfDialects(mlir::DialectRegistry &registry);

} // namespace npu

#endif // NPU_PIPELINES_FORMDISPATCHES_H
