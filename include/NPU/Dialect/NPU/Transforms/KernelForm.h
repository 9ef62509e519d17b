//===- KernelForm.h - which form a kernel is in ---------------------------===//
//
// Passes run alone must say what they expect instead of finding nothing to do. These checks are
// cheap and superficial; the contract passes check the forms themselves.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_KERNELFORM_H
#define NPU_DIALECT_NPU_TRANSFORMS_KERNELFORM_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npu {

/// Fails, with a diagnostic that names the pass to run first, when the kernel is in tensor form or
/// in planned form.
llvm::LogicalResult expectTileForm(KernelOp kernel);

/// The same for planned form. A kernel without any work is in planned form, too.
llvm::LogicalResult expectPlannedForm(KernelOp kernel);

/// Iterations of a loop as tile form and planned form have them: from 0 in steps of 1 to a positive
/// constant, without results. Nothing for any other.
std::optional<int64_t> getTripCount(mlir::scf::ForOp loop);

/// The same; reports any other.
llvm::FailureOr<int64_t> expectTripCount(mlir::scf::ForOp loop);

/// How many groups of stages a kernel in tensor form has, each a contraction and its tail or
/// element-wise ops alone; 0 after an error, which has been emitted.
unsigned countStageGroups(KernelOp kernel);

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_KERNELFORM_H
