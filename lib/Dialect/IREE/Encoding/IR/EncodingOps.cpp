//===- EncodingOps.cpp - the part of iree_encoding we read and print ------===//

#include "NPU/Dialect/IREE/Encoding/IR/EncodingOps.h"

#include "NPU/Dialect/IREE/Util/IR/HostInlining.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace npu;
using namespace npu::encoding;

#include "NPU/Dialect/IREE/Encoding/IR/EncodingOpsDialect.cpp.inc"

namespace {
/// The encodings that IREE gives names have them here.
struct EncodingAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    static constexpr StringLiteral kNamed[] = {"encoding", "layout", "matmul_k", "testing",
                                               "unknown"};
    auto encoding = dyn_cast<EncodingAttr>(attribute);
    if (!encoding || !llvm::is_contained(kNamed, encoding.getMnemonic()))
      return AliasResult::NoAlias;
    os << "encoding";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void EncodingDialect::initialize() {
  addAttributes<EncodingAttr>();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/Encoding/IR/EncodingOps.cpp.inc"
      >();
  addInterfaces<EncodingAliases, HostInlinerInterface>();
}

Attribute EncodingDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return parseForeignAttr<EncodingDialect>(parser, type);
}

void EncodingDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  printForeignAttr<EncodingDialect>(attribute, printer);
}

/// Verifies that `encoded` is `plain` in another layout.
static LogicalResult verifyEncodedAs(Operation *op, StringRef plainName, RankedTensorType plain,
                                     StringRef encodedName, RankedTensorType encoded) {
  if (plain.getEncoding())
    return op->emitOpError("expected a ") << plainName << " without encoding, found " << plain;
  if (!encoded.getEncoding())
    return op->emitOpError("expected a ") << encodedName << " with an encoding, found " << encoded;
  if (plain.getElementType() == encoded.getElementType() &&
      succeeded(verifyCompatibleShape(plain, encoded)))
    return success();
  return op->emitOpError("expected source and result to have the same element type and compatible "
                         "shapes, found ")
         << op->getOperand(0).getType() << " and " << op->getResult(0).getType();
}

LogicalResult SetEncodingOp::verify() {
  return verifyEncodedAs(*this, "source", getSource().getType(), "result", getType());
}

LogicalResult UnsetEncodingOp::verify() {
  if (failed(verifyEncodedAs(*this, "result", getType(), "source", getSource().getType())))
    return failure();
  if (getResultDims().empty())
    return success();
  return verifyDynamicDims(*this, "the result", getType(), getResultDims());
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/Encoding/IR/EncodingOps.cpp.inc"
