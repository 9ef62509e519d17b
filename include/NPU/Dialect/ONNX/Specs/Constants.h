//===- Constants.h - other constants of the same elements -----------------===//

#ifndef NPU_DIALECT_ONNX_SPECS_CONSTANTS_H
#define NPU_DIALECT_ONNX_SPECS_CONSTANTS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace npu::onnx_ir {

/// A constant of shape `shape` whose element at position p is element base + sum(p * strides) of
/// `value`, in row-major order. Null if the elements are not whole bytes in memory.
mlir::TypedAttr gatherConstant(mlir::ElementsAttr value, llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> strides, int64_t base);

} // namespace npu::onnx_ir

#endif // NPU_DIALECT_ONNX_SPECS_CONSTANTS_H
