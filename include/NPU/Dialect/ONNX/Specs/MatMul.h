//===- MatMul.h - shapes of products of matrices --------------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_MATMUL_H
#define NPU_DIALECT_ONNX_SPECS_MATMUL_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// Shape of the product of inputs `lhs` and `rhs` after NumPy's rules: vectors count as a row and a
/// column, batches broadcast. Emits an error if they do not fit.
mlir::FailureOr<llvm::SmallVector<int64_t>> getMatMulShape(Node &node, unsigned lhs, unsigned rhs);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_MATMUL_H
