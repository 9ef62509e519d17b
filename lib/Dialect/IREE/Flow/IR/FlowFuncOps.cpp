//===- FlowFuncOps.cpp - extern functions and parameters of IREE's flow ---===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;
using namespace npu::flow;

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseTiedFunction(parser, result);
}

void FuncOp::print(OpAsmPrinter &p) { printTiedFunction(p, *this, getTiedOperandsAttr()); }

LogicalResult FuncOp::verify() {
  return verifyTiedOperands(*this, getTiedOperandsAttr(), getNumArguments(), getNumResults());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return verifyCallee(*this, getCalleeAttr(), getArguments().getTypes(), getResultTypes(),
                      symbolTable);
}

LogicalResult ParameterLoadOp::verify() {
  return verifyDynamicDims(*this, "the result", getType(), getResultDims());
}

LogicalResult ParameterWriteOp::verify() {
  return verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims());
}
