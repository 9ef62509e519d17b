//===- FuncToKernel.h - functions on tensors to kernels -------------------===//

#ifndef NPU_CONVERSION_FUNCTOKERNEL_FUNCTOKERNEL_H
#define NPU_CONVERSION_FUNCTOKERNEL_FUNCTOKERNEL_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npu {

/// Whether `func` has code and works on tensors, and so is one to make a kernel of.
bool hasTensors(mlir::func::FuncOp func);

/// Replaces `func` by a kernel for `target`. Fails with an error at the op if `func` has control
/// flow, calls, or anything but ranked tensors in its signature, or a constant whose resource is
/// missing or of the wrong size. The kernel's constants are dense.
mlir::FailureOr<KernelOp> convertFuncToKernel(mlir::func::FuncOp func, TargetAttr target);

} // namespace npu

#endif // NPU_CONVERSION_FUNCTOKERNEL_FUNCTOKERNEL_H
