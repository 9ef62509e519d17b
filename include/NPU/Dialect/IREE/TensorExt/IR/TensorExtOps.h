//===- TensorExtOps.h - the part of iree_tensor_ext we read and print -----===//

#ifndef NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTOPS_H
#define NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOpsDialect.h.inc"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOpsEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOpsTypes.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h.inc"

#endif // NPU_DIALECT_IREE_TENSOREXT_IR_TENSOREXTOPS_H
