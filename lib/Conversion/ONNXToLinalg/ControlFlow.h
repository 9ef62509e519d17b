//===- ControlFlow.h - If and Loop as scf ---------------------------------===//

#ifndef NPU_LIB_CONVERSION_ONNXTOLINALG_CONTROLFLOW_H
#define NPU_LIB_CONVERSION_ONNXTOLINALG_CONTROLFLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace npu::onnx_ir {

/// Nodes with subgraphs become `scf.if`, `scf.for` where only the number of iterations ends a loop,
/// and `scf.while`. The nodes in them stay.
void lowerControlFlow(mlir::func::FuncOp function);

/// Makes the types of what that leaves behind those of `types`.
void populateControlFlowConversion(mlir::RewritePatternSet &patterns,
                                   const mlir::TypeConverter &types,
                                   mlir::ConversionTarget &target);

} // namespace npu::onnx_ir

#endif // NPU_LIB_CONVERSION_ONNXTOLINALG_CONTROLFLOW_H
