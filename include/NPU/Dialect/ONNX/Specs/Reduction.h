//===- Reduction.h - which dimensions a reduction reduces -----------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_REDUCTION_H
#define NPU_DIALECT_ONNX_SPECS_REDUCTION_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// The dimensions that a Reduce* node reduces, sorted: its attribute or input `axes`, all without
/// them, or none if it has `noop_with_empty_axes`. Emits an error for axes that do not fit.
mlir::FailureOr<llvm::SmallVector<int64_t>> getReducedAxes(Node &node);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_REDUCTION_H
