//===- HostProgramScalars.h - scalar arithmetic of host programs ----------===//

#ifndef NPU_LIB_HOSTPROGRAM_HOSTPROGRAMSCALARS_H
#define NPU_LIB_HOSTPROGRAM_HOSTPROGRAMSCALARS_H

#include "NPU/Tensor/HostTensor.h"
#include "mlir/IR/Operation.h"

namespace npu::runtime {

/// The scalar of MLIR type `type` that `value` holds as a tensor of rank 0; null for tensors.
mlir::Attribute toScalarAttribute(const HostTensor &value, mlir::Type type);

/// Likewise for every one of `values`.
llvm::SmallVector<mlir::Attribute> toScalarAttributes(mlir::ValueRange values,
                                                      llvm::ArrayRef<HostTensor> tensors);

/// The results of an op on scalars without side effects, e.g. of arith, as its own folder computes
/// them. Fails, located, for ops that are not, and where the folder has no result, e.g. for a
/// quotient by zero, or one of more than `memoryLimit` bytes, e.g. of tensor.splat.
llvm::Expected<llvm::SmallVector<HostTensor>>
evaluateScalars(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands, int64_t memoryLimit);

} // namespace npu::runtime

#endif // NPU_LIB_HOSTPROGRAM_HOSTPROGRAMSCALARS_H
