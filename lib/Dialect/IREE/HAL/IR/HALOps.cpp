//===- HALOps.cpp - the part of IREE's hal dialect we read and print ------===//

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::hal;

#include "NPU/Dialect/IREE/HAL/IR/HALOpsDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOpsTypes.cpp.inc"

void HALDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "NPU/Dialect/IREE/HAL/IR/HALOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/HAL/IR/HALOps.cpp.inc"
      >();
}

Attribute HALDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return parseForeignAttribute(parser, getNamespace(), type);
}

/// `"None"`: the flags of a fence, of which there are none yet.
static ParseResult parseFenceFlags(OpAsmParser &parser, IntegerAttr &flags) {
  std::string text;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return failure();
  if (text != "None")
    return parser.emitError(loc, "expected the flags \"None\", found \"") << text << "\"";
  flags = parser.getBuilder().getI32IntegerAttr(0);
  return success();
}

static void printFenceFlags(OpAsmPrinter &p, Operation *, IntegerAttr) { p << "\"None\""; }

/// Verifies that the type the caller sees can hold the bytes of the type the program sees.
static LogicalResult verifyEncoding(Operation *op, Type encoding, Type tensor) {
  auto outer = dyn_cast<RankedTensorType>(encoding);
  auto inner = dyn_cast<RankedTensorType>(tensor);
  if (!outer)
    return op->emitOpError("expected the type that the caller sees to be a ranked tensor, found ")
           << encoding;
  if (!inner || outer == inner)
    return success();
  if (outer.getNumDynamicDims() != inner.getNumDynamicDims())
    return op->emitOpError("expected the type that the caller sees to have ")
           << inner.getNumDynamicDims() << " dynamic dimensions, as " << inner << " has, found "
           << outer;
  if (!outer.hasStaticShape() || !outer.getElementType().isIntOrFloat() ||
      !inner.getElementType().isIntOrFloat())
    return success();
  int64_t outerBits = outer.getNumElements() * outer.getElementTypeBitWidth();
  int64_t innerBits = inner.getNumElements() * inner.getElementTypeBitWidth();
  if (outerBits == innerBits)
    return success();
  return op->emitOpError("expected the type that the caller sees to have ")
         << innerBits << " bits, as " << inner << " has, found " << outer << " of " << outerBits
         << " bits";
}

LogicalResult TensorImportOp::verify() {
  if (failed(verifyDynamicDims(*this, "the result", getType(), getTargetDims())))
    return failure();
  return verifyEncoding(*this, getTargetEncoding(), getType());
}

LogicalResult TensorExportOp::verify() {
  if (failed(verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims())))
    return failure();
  return verifyEncoding(*this, getSourceEncoding(), getSource().getType());
}

LogicalResult TensorAliasOp::verify() {
  return verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims());
}

LogicalResult TensorTransientsOp::verify() {
  return verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims());
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOps.cpp.inc"
