//===- Einsum.h - equations of Einsum nodes -------------------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_EINSUM_H
#define NPU_DIALECT_ONNX_SPECS_EINSUM_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// An equation whose letters and ellipses became numbers, one per dimension.
struct EinsumEquation {
  llvm::SmallVector<llvm::SmallVector<int64_t>> inputs;
  llvm::SmallVector<int64_t> output;
  /// Number of elements along each numbered dimension. Inputs have so many, or 1, which broadcasts.
  llvm::SmallVector<int64_t> extents;
};

/// Reads the equation of an Einsum node and checks it against the inputs' shapes. Emits an error.
mlir::FailureOr<EinsumEquation> parseEinsum(Node &node);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_EINSUM_H
