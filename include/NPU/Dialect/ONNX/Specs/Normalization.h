//===- Normalization.h - what nodes that normalize say --------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_NORMALIZATION_H
#define NPU_DIALECT_ONNX_SPECS_NORMALIZATION_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// Whether a BatchNormalization takes mean values and variances from its input: older opsets say so
/// by `is_test`, or by more than one output.
bool isTrainingBatchNormalization(Node &node);

/// The float type of `stash_type`, in which statistics are computed; null if it is none.
mlir::Type getStashType(Node &node);

/// The axes of a MeanVarianceNormalization, checked before.
llvm::SmallVector<int64_t> getMeanVarianceAxes(Node &node);

/// The axes along which Softmax and the like normalize: before opset 13, all from `axis` on. Emits
/// an error for one that the input does not have.
mlir::FailureOr<llvm::SmallVector<int64_t>> getSoftmaxAxes(Node &node);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_NORMALIZATION_H
