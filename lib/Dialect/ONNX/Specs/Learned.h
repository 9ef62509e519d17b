//===- Learned.h - what classifiers and regressors have in common ---------===//
//
// Operators of the domain ai.onnx.ml. Where its text is short, scores and labels are those that
// ONNX Runtime 1.30 gives for the forms of scripts/onnx-forms/learned.py.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_ONNX_SPECS_LEARNED_H
#define NPU_LIB_DIALECT_ONNX_SPECS_LEARNED_H

#include "OpSpecFunctions.h"

namespace npu::onnx_ir {

/// Rows x classes after `transform`: NONE, SOFTMAX or LOGISTIC. Others are refused.
mlir::FailureOr<mlir::Value> transformScores(Expansion &b, mlir::Value scores,
                                             llvm::StringRef transform);

/// The labels of classes, integers that attribute `name` holds. Strings are refused.
mlir::FailureOr<llvm::SmallVector<int64_t>> getLabels(Node &node, llvm::StringRef name);

/// Sets output 0, the label of the largest score of each row, and output 1, the scores.
mlir::LogicalResult setClasses(Expansion &b, mlir::Value scores, llvm::ArrayRef<int64_t> labels,
                               llvm::StringRef transform);
/// The same for the scores, rows x 1, of the second of two classes: it wins above one half if all
/// its weights are positive, and above zero otherwise.
mlir::LogicalResult setTwoClasses(Expansion &b, mlir::Value scores, llvm::ArrayRef<int64_t> labels,
                                  llvm::StringRef transform, bool isPositive);

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_SPECS_LEARNED_H
