//===- ONNXOps.h - ONNX graphs as they are in files -----------------------===//

#ifndef NPU_DIALECT_ONNX_IR_ONNXOPS_H
#define NPU_DIALECT_ONNX_IR_ONNXOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npu::onnx_ir {

/// Names of the attributes of modules and of functions, see the dialect's description.
inline constexpr char opsetAttrName[] = "onnx.opset";
inline constexpr char irVersionAttrName[] = "onnx.ir_version";
inline constexpr char producerAttrName[] = "onnx.producer";
inline constexpr char nameAttrName[] = "onnx.name";
/// An attribute of a result of which only a part counts: the dimension, and the number of the
/// result, a scalar, that says how many elements along it do.
inline constexpr char lengthAttrName[] = "onnx.length";
inline constexpr char typeAttrName[] = "onnx.type";
inline constexpr char dimensionsAttrName[] = "onnx.dimensions";
/// On a QLinearMatMul with a bias as its ninth input: ONNX has none, npu-onnx-fold-qdq does.
inline constexpr char foldedBiasAttrName[] = "onnx.folded_bias";
/// On a node that is not folded, though its inputs are constants: it gives more bytes than it
/// takes.
inline constexpr char keptAttrName[] = "onnx.kept";
/// The default domain as a key of `onnx.opset`.
inline constexpr char defaultDomain[] = "ai.onnx";

} // namespace npu::onnx_ir

#include "NPU/Dialect/ONNX/IR/ONNXOpsDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/ONNX/IR/ONNXOpsTypes.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/ONNX/IR/ONNXOps.h.inc"

#endif // NPU_DIALECT_ONNX_IR_ONNXOPS_H
