//===- DynamicSizes.h - sizes of what dispatches read and return ----------===//

#ifndef NPU_LIB_DISPATCHCREATION_DYNAMICSIZES_H
#define NPU_LIB_DISPATCHCREATION_DYNAMICSIZES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace npu::dispatch_creation {

/// Returns one value for each dynamic dimension of those of `values` that are ranked tensors, made
/// at the builder: what the op that makes the tensor was given as a size, or a `tensor.dim`. What a
/// linalg op or an insertion makes has the sizes of what it writes to, so that the sizes of a
/// dispatch's results are known before it; what is cast keeps its sizes.
llvm::SmallVector<mlir::Value> getDynamicSizes(mlir::OpBuilder &builder, mlir::ValueRange values);

/// The same for the results of `op`, a linalg op, slice or reshape; none of the sizes depends on
/// it.
llvm::SmallVector<mlir::Value> getResultSizes(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace npu::dispatch_creation

#endif // NPU_LIB_DISPATCHCREATION_DYNAMICSIZES_H
