//===- Convolution.h - shapes of convolutions -----------------------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_CONVOLUTION_H
#define NPU_DIALECT_ONNX_SPECS_CONVOLUTION_H

#include "NPU/Dialect/ONNX/Specs/Window.h"

namespace npu::onnx_ir {

/// Shape of the convolution of input `input` (N, C, space) by input `filter` (F, C / group,
/// kernel). Emits an error if they or the attributes do not fit.
mlir::FailureOr<llvm::SmallVector<int64_t>> getConvolutionShape(Node &node, unsigned input,
                                                                unsigned filter);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_CONVOLUTION_H
