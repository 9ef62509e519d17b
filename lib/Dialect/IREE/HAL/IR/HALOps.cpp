//===- HALOps.cpp - the part of IREE's hal dialect we read and print ------===//

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"
#include "NPU/Dialect/IREE/Util/IR/HostInlining.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::hal;

#include "NPU/Dialect/IREE/HAL/IR/HALOpsDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOpsTypes.cpp.inc"

void HALDialect::initialize() {
  registerAttributes();
  addTypes<
#define GET_TYPEDEF_LIST
#include "NPU/Dialect/IREE/HAL/IR/HALOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/HAL/IR/HALOps.cpp.inc"
      >();
  addInterfaces<HostInlinerInterface>();
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

/// The layout of an entry point is printed whole, everywhere else without its prefix. Both are
/// read.
static ParseResult parseFullLayout(OpAsmParser &parser, PipelineLayoutAttr &layout) {
  return parser.parseCustomAttributeWithFallback(layout);
}

static void printFullLayout(OpAsmPrinter &p, Operation *, PipelineLayoutAttr layout) {
  p.printAttribute(layout);
}

static ParseResult parseExportCount(OpAsmParser &parser, Region &region) {
  return parseWorkgroupCountRegion(parser, "count", region);
}

static void printExportCount(OpAsmPrinter &p, Operation *, Region &region) {
  printWorkgroupCountRegion(p, "count", region);
}

/// An optional `<keyword>(%device: !hal.device, ...) -> i1 { ... }`.
static ParseResult parseConditionRegion(OpAsmParser &parser, StringRef keyword, Region &region) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  SmallVector<OpAsmParser::Argument> arguments;
  Type type;
  SMLoc loc;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseArrow() || parser.getCurrentLocation(&loc) || parser.parseType(type))
    return failure();
  if (!type.isInteger(1))
    return parser.emitError(loc, "expected the condition to be an i1, found ") << type;
  return parser.parseRegion(region, arguments, /*enableNameShadowing=*/true);
}

static void printConditionRegion(OpAsmPrinter &p, StringRef keyword, Region &region) {
  if (region.empty())
    return;
  p << " " << keyword << "(";
  llvm::interleaveComma(region.getArguments(), p,
                        [&](BlockArgument argument) { p.printRegionArgument(argument); });
  p << ") -> i1 ";
  p.printRegion(region, /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

static ParseResult parseExportCondition(OpAsmParser &parser, Region &region) {
  return parseConditionRegion(parser, "condition", region);
}

static void printExportCondition(OpAsmPrinter &p, Operation *, Region &region) {
  printConditionRegion(p, "condition", region);
}

/// `objects({#target if(%device: !hal.device) -> i1 { ... } ordinal(0) = [#object, ...], ...})`.
static ParseResult parseExternObjects(OpAsmParser &parser, ArrayAttr &targets, ArrayAttr &ordinals,
                                      ArrayAttr &objects,
                                      SmallVectorImpl<std::unique_ptr<Region>> &conditions) {
  SmallVector<Attribute> parsedTargets, parsedOrdinals, parsedObjects;
  auto parseTarget = [&]() -> ParseResult {
    ExecutableTargetAttr target;
    IntegerAttr ordinal;
    ArrayAttr files;
    Region &condition = *conditions.emplace_back(std::make_unique<Region>());
    if (parser.parseAttribute(target) || parseConditionRegion(parser, "if", condition) ||
        parser.parseKeyword("ordinal") || parser.parseLParen() ||
        parser.parseAttribute(ordinal, parser.getBuilder().getIndexType()) ||
        parser.parseRParen() || parser.parseEqual() || parser.parseAttribute(files))
      return failure();
    parsedTargets.push_back(target);
    parsedOrdinals.push_back(ordinal);
    parsedObjects.push_back(files);
    return success();
  };
  if (parser.parseKeyword("objects") || parser.parseLParen() ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Braces, parseTarget) ||
      parser.parseRParen())
    return failure();
  targets = parser.getBuilder().getArrayAttr(parsedTargets);
  ordinals = parser.getBuilder().getArrayAttr(parsedOrdinals);
  objects = parser.getBuilder().getArrayAttr(parsedObjects);
  return success();
}

static void printExternObjects(OpAsmPrinter &p, Operation *, ArrayAttr targets, ArrayAttr ordinals,
                               ArrayAttr objects, RegionRange conditions) {
  p << "objects({";
  p.increaseIndent();
  llvm::interleave(
      llvm::zip_equal(targets, ordinals, objects, conditions),
      [&](auto entry) {
        auto [target, ordinal, files, condition] = entry;
        p.printNewline();
        p << target;
        printConditionRegion(p, "if", *condition);
        p << " ordinal(" << cast<IntegerAttr>(ordinal).getInt() << ") = " << files;
      },
      [&] { p << ","; });
  p.decreaseIndent();
  if (!targets.empty())
    p.printNewline();
  p << "})";
}

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

// A tensor that comes from a buffer and goes back is that buffer, if both see it as the same type.
OpFoldResult TensorExportOp::fold(FoldAdaptor) {
  auto import = getSource().getDefiningOp<TensorImportOp>();
  if (!import || import.getWaitFence() || import.getByteOffset() || import.getConsume() ||
      import.getSource().getType() != getType() ||
      import.getTargetEncoding() != getSourceEncoding() ||
      import.getAffinityAttr() != getAffinityAttr())
    return {};
  return import.getSource();
}

OpFoldResult TensorImportOp::fold(FoldAdaptor) {
  auto exported = getSource().getDefiningOp<TensorExportOp>();
  if (!exported || getWaitFence() || getByteOffset() || getConsume() ||
      exported.getSource().getType() != getType() ||
      exported.getSourceEncoding() != getTargetEncoding() ||
      exported.getAffinityAttr() != getAffinityAttr())
    return {};
  return exported.getSource();
}

LogicalResult TensorAliasOp::verify() {
  return verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims());
}

LogicalResult TensorTransientsOp::verify() {
  return verifyDynamicDims(*this, "the source", getSource().getType(), getSourceDims());
}

void FenceCreateOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), "fence");
}

void DevicesGetOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  APInt index;
  std::string name = "device";
  if (matchPattern(getIndex(), m_ConstantInt(&index)))
    name += "_" + std::to_string(index.getZExtValue());
  setNameFn(getDevice(), name);
}

void DeviceQueryOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getOk(), "ok");
  setNameFn(getValue(), "value");
}

LogicalResult DeviceQueryOp::verify() {
  std::optional<TypedAttr> value = getDefaultValue();
  if (!value || value->getType() == getValue().getType())
    return success();
  return emitOpError("expected a default of the value's type, ")
         << getValue().getType() << ", found " << value->getType();
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/HAL/IR/HALOps.cpp.inc"
