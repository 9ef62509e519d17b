//===- FoldBody.h - bodies of which the operands are known ----------------===//

#ifndef NPU_LIB_PREPARATION_FOLDBODY_H
#define NPU_LIB_PREPARATION_FOLDBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace npu {

/// The constant that `value` of the body of `op` is in every iteration: a constant, or an element
/// of an input that is filled with one; null if it is none.
mlir::Attribute findBodyConstant(mlir::linalg::GenericOp op, mlir::Value value);

/// What `op` of a body gives where `getValue` says what values are; null if it does not fold.
mlir::Attribute foldBodyOp(mlir::Operation *op,
                           llvm::function_ref<mlir::Attribute(mlir::Value)> getValue);

} // namespace npu

#endif // NPU_LIB_PREPARATION_FOLDBODY_H
