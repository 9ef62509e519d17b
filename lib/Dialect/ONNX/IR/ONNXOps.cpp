//===- ONNXOps.cpp - ONNX graphs as they are in files ---------------------===//

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu::onnx_ir;

#include "NPU/Dialect/ONNX/IR/ONNXOpsDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/ONNX/IR/ONNXOpsTypes.cpp.inc"

void ONNXDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "NPU/Dialect/ONNX/IR/ONNXOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/ONNX/IR/ONNXOps.cpp.inc"
      >();
}

Operation *ONNXDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

#define GET_OP_CLASSES
#include "NPU/Dialect/ONNX/IR/ONNXOps.cpp.inc"
