//===- Windows.h - lowerings with sliding windows -------------------------===//

#ifndef NPU_LIB_CONVERSION_ONNXTOLINALG_WINDOWS_H
#define NPU_LIB_CONVERSION_ONNXTOLINALG_WINDOWS_H

#include "Lowering.h"

#include "NPU/Dialect/ONNX/Specs/Window.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace npu::onnx_ir {

/// `input` (N, C, space) with the window's padding, and the overhang if `withOverhang`.
mlir::Value padForWindow(Lowering &b, mlir::Value input, const Window &window, mlir::Value value,
                         bool withOverhang = false);

/// The filter that is input `index`, without what only ever meets padding at its ends; `window`
/// shrinks with it.
mlir::Value trimFilter(Lowering &b, unsigned index, Window &window);

/// The convolution of `input` (N, C, space), already padded, with `filter` (F, C / groups, kernel),
/// in one to three spatial dimensions, of shape `shape`, plus `bias` (F), which may be null.
/// Integers are signed.
mlir::Value createConvolution(Lowering &b, mlir::Value input, mlir::Value filter, mlir::Value bias,
                              llvm::ArrayRef<int64_t> shape, mlir::Type accumulator,
                              const Window &window, int64_t groups);

/// The loops and maps of a window over `input`, which is padded, from dimension `firstDim` on: the
/// output's loops, then the kernel's.
struct WindowLoops {
  llvm::SmallVector<int64_t> outputShape;
  mlir::AffineMap inputMap, kernelMap, outputMap;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
};
WindowLoops getWindowLoops(Lowering &b, mlir::Value input, unsigned firstDim, const Window &window);

/// Combines the elements of every window.
mlir::Value reduceWindows(Lowering &b, mlir::Value input, unsigned firstDim, const Window &window,
                          mlir::Value initial, Lowering::Combiner combine);

} // namespace npu::onnx_ir

#endif // NPU_LIB_CONVERSION_ONNXTOLINALG_WINDOWS_H
