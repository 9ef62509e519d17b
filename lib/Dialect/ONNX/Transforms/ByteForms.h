//===- ByteForms.h - ONNX nodes in the form that is quantized -------------===//

#ifndef NPU_LIB_DIALECT_ONNX_TRANSFORMS_BYTEFORMS_H
#define NPU_LIB_DIALECT_ONNX_TRANSFORMS_BYTEFORMS_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npu::onnx_ir {

/// The node that alone reads a value, once and outside of subgraphs; null if it is not that one.
NodeOp getOnlyReader(mlir::Value value);

/// Whether a value is a constant of f32.
bool isFloatConstant(mlir::Value value);

/// Writes the nodes of a function whose types are known as npu-quantize writes them before it
/// quantizes: normalizations become parts of convolutions, averages over windows convolutions, and
/// so on. Constants have the shapes that they would have, and not the numbers.
void takeByteForms(mlir::func::FuncOp function);

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_TRANSFORMS_BYTEFORMS_H
