//===- FlowOps.h - the part of IREE's flow dialect we read and print ------===//

#ifndef NPU_DIALECT_IREE_FLOW_IR_FLOWOPS_H
#define NPU_DIALECT_IREE_FLOW_IR_FLOWOPS_H

#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/Dialect/IREE/Util/IR/ResultDims.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOpsDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/Flow/IR/FlowOpsTypes.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h.inc"

#endif // NPU_DIALECT_IREE_FLOW_IR_FLOWOPS_H
