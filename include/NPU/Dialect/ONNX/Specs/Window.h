//===- Window.h - sliding windows of convolutions and pools ---------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_WINDOW_H
#define NPU_DIALECT_ONNX_SPECS_WINDOW_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// A window over the spatial dimensions of an input; one entry per dimension, in elements.
struct Window {
  llvm::SmallVector<int64_t> kernel, strides, dilations;
  /// Padding that the node asks for.
  llvm::SmallVector<int64_t> padsBegin, padsEnd;
  /// Additional padding behind, which windows reach with ceil_mode only.
  llvm::SmallVector<int64_t> overhang;
  llvm::SmallVector<int64_t> output;

  unsigned getRank() const { return kernel.size(); }
};

/// Reads `strides`, `dilations`, `pads`, `auto_pad` and `ceil_mode` of a node whose window of size
/// `kernel` slides over `input`, the last dimensions of input 0. Source: the formulas of ONNX's
/// Conv and MaxPool. Emits an error for attributes that do not fit or have no result.
mlir::FailureOr<Window> getWindow(Node &node, llvm::ArrayRef<int64_t> input,
                                  llvm::ArrayRef<int64_t> kernel);

/// The window that a ConvTranspose with a kernel of size `kernel` lets slide over its *output*, so
/// that it writes where a convolution would read. `padsEnd` is what `output` leaves of it, and may
/// be negative. Source: the formulas of ONNX's ConvTranspose. Emits an error.
mlir::FailureOr<Window> getTransposedWindow(Node &node, llvm::ArrayRef<int64_t> input,
                                            llvm::ArrayRef<int64_t> kernel);

/// `names` of the node, or `defaultValue` for each of `count` dimensions; an error if there are not
/// `count` of them or one is not within `minimum` and 2^31 - 1.
mlir::FailureOr<llvm::SmallVector<int64_t>> getPerDimension(Node &node, llvm::StringRef name,
                                                            unsigned count, int64_t defaultValue,
                                                            int64_t minimum);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_WINDOW_H
