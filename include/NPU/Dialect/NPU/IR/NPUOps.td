//===- NPUOps.td - all of the npu dialect ------------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUOPS_TD
#define NPU_DIALECT_NPU_IR_NPUOPS_TD

include "NPU/Dialect/NPU/IR/NPUAttributes.td"
include "NPU/Dialect/NPU/IR/NPUComputeOps.td"
include "NPU/Dialect/NPU/IR/NPUReductionOps.td"
include "NPU/Dialect/NPU/IR/NPUSortOps.td"
include "NPU/Dialect/NPU/IR/NPUDialect.td"
include "NPU/Dialect/NPU/IR/NPUGatherOps.td"
include "NPU/Dialect/NPU/IR/NPUMemoryOps.td"
include "NPU/Dialect/NPU/IR/NPUPositionOps.td"
include "NPU/Dialect/NPU/IR/NPUStructureOps.td"

#endif // NPU_DIALECT_NPU_IR_NPUOPS_TD
