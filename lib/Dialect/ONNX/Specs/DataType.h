//===- DataType.h - attributes that name an element type ------------------===//

#ifndef NPU_LIB_DIALECT_ONNX_SPECS_DATATYPE_H
#define NPU_LIB_DIALECT_ONNX_SPECS_DATATYPE_H

#include "NPU/Dialect/ONNX/Specs/Node.h"

namespace npu::onnx_ir {

/// The element type that attribute `name` stands for: a number of TensorProto.DataType, or its name
/// as in opsets before 6. An error if it is missing or no type of numbers.
mlir::FailureOr<mlir::Type> getDataType(Node &node, llvm::StringRef name);

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_SPECS_DATATYPE_H
