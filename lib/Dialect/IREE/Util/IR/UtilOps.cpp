//===- UtilOps.cpp - the part of IREE's util dialect we read and print ----===//

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"
#include "NPU/Dialect/IREE/Util/IR/HostInlining.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::util;

#include "NPU/Dialect/IREE/Util/IR/UtilOpsDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOpsAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOpsTypes.cpp.inc"

void UtilDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "NPU/Dialect/IREE/Util/IR/UtilOpsAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "NPU/Dialect/IREE/Util/IR/UtilOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/Util/IR/UtilOps.cpp.inc"
      >();
  addInterfaces<HostInlinerInterface>();
}

Attribute UtilDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  if (!parser.getFullSymbolSpec().starts_with("int.assumption<"))
    return parseForeignAttribute(parser, getNamespace(), type);
  StringRef mnemonic;
  Attribute attr;
  (void)generatedAttributeParser(parser, &mnemonic, type, attr);
  return attr;
}

void UtilDialect::printAttribute(Attribute attr, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

/// `T, ...`: one list of types for operands and results.
static ParseResult parseSameTypes(OpAsmParser &parser, SmallVectorImpl<Type> &operandTypes,
                                  SmallVectorImpl<Type> &resultTypes) {
  if (parser.parseTypeList(operandTypes))
    return failure();
  resultTypes.assign(operandTypes.begin(), operandTypes.end());
  return success();
}

static void printSameTypes(OpAsmPrinter &p, Operation *, TypeRange operandTypes, TypeRange) {
  llvm::interleaveComma(operandTypes, p);
}

//===----------------------------------------------------------------------===//
// FuncOp
//===----------------------------------------------------------------------===//

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseTiedFunction(parser, result);
}

void FuncOp::print(OpAsmPrinter &p) { printTiedFunction(p, *this, getTiedOperandsAttr()); }

LogicalResult FuncOp::verify() {
  return verifyTiedOperands(*this, getTiedOperandsAttr(), getNumArguments(), getNumResults());
}

//===----------------------------------------------------------------------===//
// CallOp, ReturnOp
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (failed(
          verifyCallee(*this, getCalleeAttr(), getOperandTypes(), getResultTypes(), symbolTable)))
    return failure();
  return verifyTiedOperands(*this, getTiedOperandsAttr(), getNumOperands(), getNumResults());
}

LogicalResult util::ReturnOp::verify() {
  auto func = dyn_cast<util::FuncOp>((*this)->getParentOp());
  TypeRange expected = func ? TypeRange(func.getResultTypes()) : TypeRange();
  if (expected.size() != getNumOperands())
    return emitOpError("expected ")
           << expected.size() << " operands, one for each result of the "
           << (func ? "function" : "initializer") << ", found " << getNumOperands();
  for (auto [index, types] : llvm::enumerate(llvm::zip(expected, getOperandTypes()))) {
    auto [expectedType, foundType] = types;
    if (expectedType != foundType)
      return emitOpError("expected operand ") << index << " to have the function's result type "
                                              << expectedType << ", found " << foundType;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// InitializerOp, GlobalOp, GlobalLoadOp, GlobalStoreOp
//===----------------------------------------------------------------------===//

LogicalResult InitializerOp::verifyRegions() {
  if (getBody().empty())
    return emitOpError("expected a body");
  if (getBody().getNumArguments())
    return emitOpError("expected a body without arguments, found ") << getBody().getNumArguments();
  return success();
}

LogicalResult GlobalOp::verify() {
  std::optional<TypedAttr> value = getInitialValue();
  // A parameter or a device has no type that says more than the global's own.
  if (value && isa<ElementsAttr, IntegerAttr, FloatAttr>(*value) && value->getType() != getType())
    return emitOpError("expected an initial value of type ")
           << getType() << ", found " << value->getType();
  return success();
}

/// Returns the global that `op` names if it has type `type`.
static FailureOr<GlobalOp> lookupGlobal(Operation *op, FlatSymbolRefAttr name, Type type,
                                        SymbolTableCollection &symbolTable) {
  auto global = symbolTable.lookupNearestSymbolFrom<GlobalOp>(op, name);
  if (!global)
    return op->emitOpError("expected a global, ") << name << " is none", failure();
  if (global.getType() != type) {
    InFlightDiagnostic diag = op->emitOpError("expected the type of the global, ")
                              << global.getType() << ", found " << type;
    diag.attachNote(global.getLoc()) << "the global is defined here";
    return failure();
  }
  return global;
}

void GlobalLoadOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), getGlobal());
}

void GlobalLoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // A global is no SSA value: a read of a mutable one is a read of some unnamed memory.
  if (!getIsImmutable())
    effects.emplace_back(MemoryEffects::Read::get());
}

LogicalResult GlobalLoadOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FailureOr<GlobalOp> global =
      lookupGlobal(*this, getGlobalAttr(), getResult().getType(), symbolTable);
  if (failed(global))
    return failure();
  if (getIsImmutable() && global->getIsMutable())
    return emitOpError("expected an immutable global, '") << getGlobal() << "' is mutable";
  return success();
}

void GlobalAddressOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), ("ptr_" + getGlobal()).str());
}

LogicalResult GlobalAddressOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  return lookupGlobal(*this, getGlobalAttr(), getResult().getType().getTargetType(), symbolTable);
}

LogicalResult GlobalStoreOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FailureOr<GlobalOp> global =
      lookupGlobal(*this, getGlobalAttr(), getValue().getType(), symbolTable);
  if (failed(global))
    return failure();
  if (!global->getIsMutable() && !(*this)->getParentOfType<InitializerOp>())
    return emitOpError("expected a mutable global outside an initializer, '")
           << getGlobal() << "' is immutable";
  return success();
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

LogicalResult OptimizationBarrierOp::verify() {
  if (getOperandTypes() != getResultTypes())
    return emitOpError("expected the result types to be the operand types");
  return success();
}

ParseResult UnfoldableConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  TypedAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseAttribute(value, getValueAttrName(result.name), result.attributes))
    return failure();
  result.addTypes(value.getType());
  return success();
}

void UnfoldableConstantOp::print(OpAsmPrinter &p) {
  p.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
  p << ' ' << getValueAttr();
}

LogicalResult UnfoldableConstantOp::verify() {
  if (getValueAttr().getType() == getResult().getType())
    return success();
  return emitOpError("expected a value of the result's type, ")
         << getResult().getType() << ", found " << getValueAttr().getType();
}

void BufferConstantOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  setNameFn(getResult(), "buffer_cst");
}

//===----------------------------------------------------------------------===//
// CarriedOp
//===----------------------------------------------------------------------===//

OperationName::PrintAssemblyFn CarriedOp::getPrintAssemblyFn() {
  return [](Operation *op, OpAsmPrinter &p, StringRef) {
    for (auto [index, piece] : llvm::enumerate(cast<CarriedOp>(op).getPieces())) {
      if (index % 2 == 0)
        p.getStream() << cast<StringAttr>(piece).getValue();
      else
        p.printAttribute(piece);
    }
  };
}

LogicalResult CarriedOp::verify() {
  ArrayRef<Attribute> pieces = getPieces().getValue();
  if (pieces.size() % 2 == 0)
    return emitOpError("expected text first and last, found ") << pieces.size() << " pieces";
  for (size_t index = 0; index < pieces.size(); index += 2)
    if (!isa<StringAttr>(pieces[index]))
      return emitOpError("expected text for piece ") << index << ", found " << pieces[index];
  return success();
}

//===----------------------------------------------------------------------===//
// AssumeIntOp
//===----------------------------------------------------------------------===//

/// Parses `%v<...>` or `%v[<...>, ...]`.
static ParseResult parseAssumedOperand(OpAsmParser &parser, UnresolvedOperand &operand,
                                       Attribute &assumptions) {
  SmallVector<Attribute> list;
  auto parseOne = [&]() -> ParseResult {
    list.push_back(IntAssumptionAttr::parse(parser, Type()));
    return success(list.back() != nullptr);
  };
  if (parser.parseOperand(operand))
    return failure();
  if (succeeded(parser.parseOptionalLSquare())) {
    if (failed(parser.parseOptionalRSquare()))
      if (parser.parseCommaSeparatedList(parseOne) || parser.parseRSquare())
        return failure();
  } else if (parseOne()) {
    return failure();
  }
  assumptions = parser.getBuilder().getArrayAttr(list);
  return success();
}

ParseResult AssumeIntOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<UnresolvedOperand> operands;
  SmallVector<Attribute> assumptions;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList([&]() {
        return parseAssumedOperand(parser, operands.emplace_back(), assumptions.emplace_back());
      }) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonTypeList(types) ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  result.addAttribute(getAssumptionsAttrName(result.name),
                      parser.getBuilder().getArrayAttr(assumptions));
  result.addTypes(types);
  return success();
}

void AssumeIntOp::print(OpAsmPrinter &p) {
  // Several operands stand on lines of their own, and so do their types.
  auto startLine = [&](StringRef indentation) {
    if (getNumOperands() == 1)
      return;
    p.printNewline();
    p << indentation;
  };
  for (auto [index, operand] : llvm::enumerate(getOperands())) {
    p << (index ? ", " : " ");
    startLine("    ");
    p << operand;
    auto list = cast<ArrayAttr>(getAssumptions()[index]).getAsRange<IntAssumptionAttr>();
    bool brackets = llvm::range_size(list) != 1;
    p << (brackets ? "[" : "");
    llvm::interleaveComma(list, p, [&](IntAssumptionAttr attr) { attr.print(p); });
    p << (brackets ? "]" : "");
  }
  p.printOptionalAttrDict((*this)->getAttrs(), {getAssumptionsAttrName()});
  if (getNumOperands() == 1)
    p << ' ';
  startLine("  ");
  p << ": ";
  llvm::interleaveComma(getOperandTypes(), p);
}

LogicalResult AssumeIntOp::verify() {
  if (getOperandTypes() != getResultTypes())
    return emitOpError("expected the result types to be the operand types");
  if (getAssumptions().size() != getNumOperands())
    return emitOpError("expected ") << getNumOperands() << " lists of assumptions, one for each "
                                    << "operand, found " << getAssumptions().size();
  size_t numPlaces = 1;
  for (Attribute attr : getAssumptions()) {
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list || !llvm::all_of(list, llvm::IsaPred<IntAssumptionAttr>))
      return emitOpError("expected a list of #util.int.assumption, found ") << attr;
    // One assumption holds in every place; several are one per place, for all operands alike.
    if (list.size() <= 1)
      continue;
    if (numPlaces != 1 && list.size() != numPlaces)
      return emitOpError("expected as many assumptions for each operand that has several, found ")
             << numPlaces << " and " << list.size();
    numPlaces = list.size();
  }
  return success();
}

LogicalResult IntAssumptionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                        std::optional<uint64_t> umin, std::optional<uint64_t> umax,
                                        std::optional<uint64_t> udiv) {
  if (umin && umax && *umin > *umax)
    return emitError() << "expected umin not to exceed umax, found " << *umin << " and " << *umax;
  if (udiv && *udiv == 0)
    return emitError() << "expected udiv to be positive, found 0";
  return success();
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOps.cpp.inc"
