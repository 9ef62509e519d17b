//===- Resize.h - where elements of resized tensors come from -------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_RESIZE_H
#define NPU_DIALECT_ONNX_SPECS_RESIZE_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// One dimension of Resize or Upsample: element i of the result is the sum of the `taps` input
/// elements `indices[(i - begin) * taps...]`, times their weights.
struct ResizedDimension {
  int64_t extent = 0;
  /// Elements from `begin` to `end` come from the input; the others are extrapolated.
  int64_t begin = 0, end = 0;
  /// 0: the dimension is as it was, and the lists are empty. 1: all weights are 1.
  unsigned taps = 0;
  llvm::SmallVector<int64_t> indices;
  llvm::SmallVector<double> weights;
};

/// All dimensions, computed from the scales, sizes and regions of the node. Source: the formulas of
/// ONNX's Resize. Emits an error for what does not fit, or is not implemented.
mlir::FailureOr<llvm::SmallVector<ResizedDimension>> getResize(Node &node);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_RESIZE_H
