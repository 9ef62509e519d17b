//===- HALOps.h - the part of IREE's hal dialect we read and print --------===//

#ifndef NPU_DIALECT_IREE_HAL_IR_HALOPS_H
#define NPU_DIALECT_IREE_HAL_IR_HALOPS_H

#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"
#include "NPU/Dialect/IREE/Util/IR/ResultDims.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "NPU/Dialect/IREE/HAL/IR/HALOpsDialect.h.inc"
#include "NPU/Dialect/IREE/HAL/IR/HALOpsEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOpsTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOpsAttributes.h.inc"

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOps.h.inc"

#endif // NPU_DIALECT_IREE_HAL_IR_HALOPS_H
