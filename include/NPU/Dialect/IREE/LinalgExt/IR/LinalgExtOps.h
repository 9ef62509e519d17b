//===- LinalgExtOps.h - the part of iree_linalg_ext we read and print -----===//

#ifndef NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_H
#define NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOpsDialect.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h.inc"

#endif // NPU_DIALECT_IREE_LINALGEXT_IR_LINALGEXTOPS_H
