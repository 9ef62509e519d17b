//===- NPUISADialect.cpp - the exit dialect -------------------------------===//

#include "NPU/Dialect/NPUISA/IR/NPUISA.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#include "NPU/Dialect/NPUISA/IR/NPUISAOpsDialect.cpp.inc"

void npu::isa::NPUISADialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/NPUISA/IR/NPUISAOps.cpp.inc"
      >();
}

llvm::LogicalResult npu::isa::detail::verifyInstructionOp(mlir::Operation *op) {
  return toInstruction(op);
}

llvm::LogicalResult npu::isa::ProgramOp::verifyRegions() { return toProgram(*this); }

#define GET_OP_CLASSES
#include "NPU/Dialect/NPUISA/IR/NPUISAOps.cpp.inc"
