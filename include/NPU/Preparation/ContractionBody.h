//===- ContractionBody.h - recognizes multiply-and-add bodies -------------===//

#ifndef NPU_PREPARATION_CONTRACTIONBODY_H
#define NPU_PREPARATION_CONTRACTIONBODY_H

#include "NPU/Dialect/NPU/Transforms/Rejection.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace npu {

/// The body of `op`, named or generic, if it has two inputs, one output and at least one reduction,
/// and adds to the output the product of the inputs, each possibly extended to the accumulator's
/// type: by sign for integers, exactly for floats. Otherwise says in `reason` what it found.
mlir::LogicalResult matchMultiplyAddBody(mlir::linalg::LinalgOp op, Rejection &reason);

/// The operand that `op`, named or generic, sums up, if it has one output and at least one
/// reduction, and adds to the output an input, possibly extended to the accumulator's type as
/// above; null otherwise. Other inputs, as the window of a pooling, are not read.
mlir::OpOperand *matchSumBody(mlir::linalg::LinalgOp op);

/// The constant that fills tensor `value`: the operand of a `linalg.fill` or a splat constant.
/// Null for any other tensor.
mlir::TypedAttr getSplatConstant(mlir::Value value);

/// Whether `constant` is an integer or float zero.
bool isZero(mlir::TypedAttr constant);

} // namespace npu

#endif // NPU_PREPARATION_CONTRACTIONBODY_H
