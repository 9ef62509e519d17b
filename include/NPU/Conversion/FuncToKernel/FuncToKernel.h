//===- FuncToKernel.h - functions on tensors to kernels -------------------===//

#ifndef NPU_CONVERSION_FUNCTOKERNEL_FUNCTOKERNEL_H
#define NPU_CONVERSION_FUNCTOKERNEL_FUNCTOKERNEL_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace npu {

/// Whether `func` has code and works on tensors, and so is one to make a kernel of.
bool hasTensors(mlir::func::FuncOp func);

/// Warns of a function without tensors that computes on memrefs: nothing makes a kernel of it.
void warnOfBuffers(mlir::func::FuncOp func);

/// Replaces `func` by a kernel for `target`. Fails with an error at the op if `func` has control
/// flow, calls, or anything but ranked tensors in its signature, or a constant whose resource is
/// missing or of the wrong size. The kernel's constants are dense.
mlir::FailureOr<KernelOp> convertFuncToKernel(mlir::func::FuncOp func, TargetAttr target);

/// Moves the kernel of an executable to the module of `symbols`, so that passes on kernels find all
/// of them in one place. A declaration stays behind for the executable's export.
void moveToModule(KernelOp kernel, mlir::SymbolTable &symbols);

} // namespace npu

#endif // NPU_CONVERSION_FUNCTOKERNEL_FUNCTOKERNEL_H
