//===- KernelForm.h - which form a kernel is in ---------------------------===//
//
// A pass that reads a form checks with these functions that the kernel is in that form, even when
// it runs alone. The contract passes check the same, and also what depends on the chip or on the
// whole kernel.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_KERNELFORM_H
#define NPU_DIALECT_NPU_TRANSFORMS_KERNELFORM_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npu {

/// Fails, with a diagnostic that names the pass to run first or the op that is not allowed, unless
/// the kernel's body is in tile form: constants, buffers in DRAM, and a nest, parts of which may be
/// in an `scf.forall` over clusters, of one dimension or two. A nest has loops from 0 in steps of 1
/// with constant trip counts, on-chip buffers and views of them, index values affine in the
/// counters, and ops of the engines.
llvm::LogicalResult expectTileForm(KernelOp kernel);

/// The same for planned form: constants, buffers in DRAM, and a stream per cluster and engine at
/// most. A stream has loops as in tile form, rings with offsets and views of them, index values,
/// semaphore ops, and ops of its engine. A kernel without any work is in planned form, too.
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
