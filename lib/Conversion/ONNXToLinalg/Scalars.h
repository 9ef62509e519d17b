//===- Scalars.h - arithmetic on elements of tensors ----------------------===//

#ifndef NPU_LIB_CONVERSION_ONNXTOLINALG_SCALARS_H
#define NPU_LIB_CONVERSION_ONNXTOLINALG_SCALARS_H

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace npu::onnx_ir {

/// Arithmetic on two scalars of one type, floats or signless integers. Integers wrap around.
mlir::Value add(Lowering &b, mlir::Value lhs, mlir::Value rhs);
mlir::Value subtract(Lowering &b, mlir::Value lhs, mlir::Value rhs);
mlir::Value multiply(Lowering &b, mlir::Value lhs, mlir::Value rhs);
/// Integers are rounded towards zero.
mlir::Value divide(Lowering &b, mlir::Value lhs, mlir::Value rhs, bool isUnsigned = false);
/// NaN if one of them is.
mlir::Value maximum(Lowering &b, mlir::Value lhs, mlir::Value rhs, bool isUnsigned = false);
mlir::Value minimum(Lowering &b, mlir::Value lhs, mlir::Value rhs, bool isUnsigned = false);

/// A comparison, named by its signed predicate. Comparisons with NaN are false, except for `ne`.
mlir::Value compare(Lowering &b, mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                    mlir::Value rhs, bool isUnsigned = false);

/// `value` as ONNX's Cast converts it: floats are rounded to nearest, and towards zero to become
/// integers; integers are cut off or extended; true is 1, and all but 0 is true.
mlir::Value convert(Lowering &b, mlir::Value value, bool isUnsigned, mlir::Type type,
                    bool toUnsigned = false);

/// Sets the result to `body` of the elements of all inputs, which broadcast to the result's shape.
/// Before opset 7, the second input is aligned at the attribute `axis`.
void lowerElementwise(Lowering &b, Lowering::Body body);

/// The same for a `body` of several steps: it computes with f32 instead of narrower floats, and
/// what it returns is rounded once.
void lowerComposed(Lowering &b, Lowering::Body body);

} // namespace npu::onnx_ir

#endif // NPU_LIB_CONVERSION_ONNXTOLINALG_SCALARS_H
