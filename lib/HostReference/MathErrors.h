//===- MathErrors.h - how far elementary functions may be apart -----------===//

#ifndef NPU_LIB_HOSTREFERENCE_MATHERRORS_H
#define NPU_LIB_HOSTREFERENCE_MATHERRORS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npu::runtime {

/// One elementary function of a tensor function, whose results may differ from the reference's.
struct MathError {
  /// Shape of the argument that moves its results: the loops around it, or empty for one number.
  llvm::SmallVector<int64_t> shape;
  /// Largest difference, relative to the result.
  double relative;
};

/// Adds an f64 argument to `func` for every elementary function in its linalg.generic ops. A result
/// r becomes r + argument * |r|, where |r| counts as the least normal number at least.
llvm::SmallVector<MathError> perturbMath(mlir::func::FuncOp func);

} // namespace npu::runtime

#endif // NPU_LIB_HOSTREFERENCE_MATHERRORS_H
