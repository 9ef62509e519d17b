//===- OpSpecFunctions.h - declares what OpSpecs.def names ----------------===//

#ifndef NPU_LIB_DIALECT_ONNX_SPECS_OPSPECFUNCTIONS_H
#define NPU_LIB_DIALECT_ONNX_SPECS_OPSPECFUNCTIONS_H

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

namespace npu::onnx_ir {

#define ONNX_OP(NAME, SINCE, MIN, MAX, OUTPUTS, ATTRIBUTES, CONSTANTS, INFER, FOLD, LOWER, RUNS,   \
                LIMITS)                                                                            \
  mlir::LogicalResult infer##INFER(Node &node);                                                    \
  llvm::SmallVector<mlir::ElementsAttr> fold##FOLD(Node &node);
#include "NPU/Dialect/ONNX/Specs/OpSpecs.def"
#undef ONNX_OP

#define ONNX_FUNCTION(DOMAIN, NAME, SINCE, MIN, MAX, OUTPUTS, ATTRIBUTES, CONSTANTS, EXPAND, RUNS, \
                      LIMITS)                                                                      \
  mlir::LogicalResult expand##EXPAND(Expansion &b);
#include "NPU/Dialect/ONNX/Specs/FunctionSpecs.def"
#undef ONNX_FUNCTION

} // namespace npu::onnx_ir

#endif // NPU_LIB_DIALECT_ONNX_SPECS_OPSPECFUNCTIONS_H
