//===- UtilOps.h - the part of IREE's util dialect we read and print ------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_UTILOPS_H
#define NPU_DIALECT_IREE_UTIL_IR_UTILOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "NPU/Dialect/IREE/Util/IR/UtilOpsDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOpsAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOpsTypes.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h.inc"

#endif // NPU_DIALECT_IREE_UTIL_IR_UTILOPS_H
