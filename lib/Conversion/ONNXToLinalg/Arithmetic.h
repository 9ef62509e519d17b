//===- Arithmetic.h - arithmetic on tensors, and sums of products ---------===//

#ifndef NPU_LIB_CONVERSION_ONNXTOLINALG_ARITHMETIC_H
#define NPU_LIB_CONVERSION_ONNXTOLINALG_ARITHMETIC_H

#include "Lowering.h"
#include "Scalars.h"

namespace npu::onnx_ir {

/// `element` as another float type.
mlir::Value castFloat(Lowering &b, mlir::Value element, mlir::Type type);
/// The elements of a tensor as another float type.
mlir::Value castFloats(Lowering &b, mlir::Value tensor, mlir::Type type);

/// What no element of a float or integer type is below.
mlir::Value lowest(Lowering &b, mlir::Type type, bool isUnsigned = false);

mlir::Value filled(Lowering &b, llvm::ArrayRef<int64_t> shape, mlir::Value scalar);

/// Like Lowering::reduce, but the reduced dimensions stay with extent 1.
mlir::Value reduceKept(Lowering &b, mlir::Value operand, llvm::ArrayRef<int64_t> axes,
                       mlir::Value initial, Lowering::Combiner combine);
/// Sums along `axes`, which stay with extent 1. Floats narrower than f32 are summed up in f32 and
/// rounded once.
mlir::Value sum(Lowering &b, mlir::Value operand, llvm::ArrayRef<int64_t> axes);
/// Their mean values. Elements are floats.
mlir::Value mean(Lowering &b, mlir::Value operand, llvm::ArrayRef<int64_t> axes);
/// Mean values of squared differences from `mean`, the tensor of mean values along `axes`.
mlir::Value variance(Lowering &b, mlir::Value operand, mlir::Value mean,
                     llvm::ArrayRef<int64_t> axes);

/// Logarithms of exponentials divided by their sum along `axes`. Elements are floats.
mlir::Value logSoftmax(Lowering &b, mlir::Value operand, llvm::ArrayRef<int64_t> axes);

/// Combines two tensors that broadcast to the shape of the first.
mlir::Value combine(Lowering &b, mlir::Value lhs, mlir::Value rhs,
                    llvm::function_ref<mlir::Value(Lowering &, mlir::Value, mlir::Value)> body);

/// `lhs` and `rhs` elements multiplied and added to `sum` in the type of `sum`; integers are
/// signed.
mlir::Value multiplyAdd(Lowering &b, mlir::Value lhs, mlir::Value rhs, mlir::Value sum);

/// Sums of products: each operand's dimensions are named by numbers, those that are not in `output`
/// are summed up. An operand has a name once. Accumulates in `accumulator`, from zero.
mlir::Value contract(Lowering &b, mlir::Value lhs, llvm::ArrayRef<int64_t> lhsNames,
                     mlir::Value rhs, llvm::ArrayRef<int64_t> rhsNames,
                     llvm::ArrayRef<int64_t> output, mlir::Type accumulator);

/// The product of matrices after NumPy's rules, with batches that broadcast and vectors.
mlir::Value createMatMul(Lowering &b, mlir::Value lhs, mlir::Value rhs, mlir::Type accumulator);

} // namespace npu::onnx_ir

#endif // NPU_LIB_CONVERSION_ONNXTOLINALG_ARITHMETIC_H
