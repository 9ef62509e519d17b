//===- NPUOps.cpp - assembly and generated code of the ops ----------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

#include "NPU/Dialect/NPU/IR/NPUInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Directives of the assembly formats
//===----------------------------------------------------------------------===//

/// An attribute dictionary whose inherent attributes are checked: the generated parser would drop
/// an attribute of the wrong type without a word.
static ParseResult parseOpAttrs(OpAsmParser &parser, NamedAttrList &attrs, StringRef opName) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(attrs))
    return failure();
  return OperationName(opName, parser.getContext()).verifyInherentAttrs(attrs, [&] {
    return parser.emitError(loc) << "'" << opName << "' op ";
  });
}

/// Prints i64 attributes without their type, and neither defaults nor what the format already says.
/// Prints the space before it too, so that an empty dictionary leaves none.
template <typename OpTy>
static void printOpAttrs(OpAsmPrinter &printer, OpTy op, DictionaryAttr attrs, StringRef) {
  typename OpTy::Properties defaultProperties;
  OpTy::populateDefaultProperties(op->getName(), defaultProperties);
  auto defaults = dyn_cast_or_null<DictionaryAttr>(
      OpTy::getPropertiesAsAttr(op->getContext(), defaultProperties));
  auto isElided = [&](NamedAttribute attr) {
    return attr.getName() == "operandSegmentSizes" || attr.getName() == "kind" ||
           (defaults && defaults.get(attr.getName()) == attr.getValue());
  };
  auto printOne = [&](NamedAttribute attr) {
    printer.printKeywordOrString(attr.getName().strref());
    if (llvm::isa<UnitAttr>(attr.getValue()))
      return;
    printer << " = ";
    auto integer = dyn_cast<IntegerAttr>(attr.getValue());
    if (integer && integer.getType().isSignlessInteger(64))
      printer.printAttributeWithoutType(integer);
    else
      printer.printAttribute(attr.getValue());
  };
  SmallVector<NamedAttribute> printed = llvm::filter_to_vector(
      attrs.getValue(), [&](NamedAttribute attr) { return !isElided(attr); });
  if (printed.empty())
    return;
  printer << " {";
  llvm::interleaveComma(printed, printer.getStream(), printOne);
  printer << "}";
}

/// The destination's type, which is also the result's if it is a tensor.
static ParseResult parseDestination(OpAsmParser &parser, Type &output,
                                    SmallVectorImpl<Type> &results) {
  if (parser.parseType(output))
    return failure();
  if (llvm::isa<TensorType>(output))
    results.push_back(output);
  return success();
}

static void printDestination(OpAsmPrinter &printer, Operation *, Type output, TypeRange) {
  printer << output;
}

/// A bare engine name: `mxu`.
static ParseResult parseEngine(OpAsmParser &parser, EngineAttr &engine) {
  auto value = FieldParser<Engine>::parse(parser);
  if (failed(value))
    return failure();
  engine = EngineAttr::get(parser.getContext(), *value);
  return success();
}

static void printEngine(OpAsmPrinter &printer, Operation *, EngineAttr engine) {
  printer << stringifyEngine(engine.getValue());
}

/// `>= %value`
static ParseResult parseAtLeast(OpAsmParser &parser, OpAsmParser::UnresolvedOperand &value) {
  return failure(parser.parseGreater() || parser.parseEqual() || parser.parseOperand(value));
}

static void printAtLeast(OpAsmPrinter &printer, Operation *, Value value) {
  printer << ">= " << value;
}

#define GET_OP_CLASSES
#include "NPU/Dialect/NPU/IR/NPUOps.cpp.inc"
