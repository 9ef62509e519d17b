//===- UtilOps.cpp - the part of IREE's util dialect we read and print ----===//

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::util;

#include "NPU/Dialect/IREE/Util/IR/UtilOpsDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOpsAttributes.cpp.inc"

void UtilDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "NPU/Dialect/IREE/Util/IR/UtilOpsAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/Util/IR/UtilOps.cpp.inc"
      >();
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

/// Parses `%name: T {attrs}, ...` or, in a declaration, `T {attrs}, ...` in parentheses.
static ParseResult parseFuncArguments(OpAsmParser &parser,
                                      SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    OpAsmParser::Argument argument;
    OptionalParseResult isNamed =
        parser.parseOptionalArgument(argument, /*allowType=*/true, /*allowAttrs=*/true);
    if (isNamed.has_value() && failed(*isNamed))
      return failure();
    if (!arguments.empty() && arguments.front().ssaName.name.empty() == isNamed.has_value())
      return parser.emitError(loc, "expected all arguments to have names, or none");
    if (!isNamed.has_value()) {
      NamedAttrList attrs;
      if (parser.parseType(argument.type) || parser.parseOptionalAttrDict(attrs) ||
          parser.parseOptionalLocationSpecifier(argument.sourceLoc))
        return failure();
      argument.attrs = attrs.getDictionary(parser.getContext());
    }
    arguments.push_back(argument);
    return success();
  });
}

/// Returns the index of the argument that `operand` names. A declaration's arguments have no names:
/// there, `%argN` is argument N.
static int64_t findTiedArgument(ArrayRef<OpAsmParser::Argument> arguments,
                                const UnresolvedOperand &operand) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (argument.ssaName.name == operand.name && argument.ssaName.number == operand.number)
      return index;
    if (argument.ssaName.name.empty() && operand.name == "%arg" + std::to_string(index))
      return index;
  }
  return kUntiedIndex;
}

namespace {
/// The results of a function as they are parsed.
struct FuncResults {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attrs;
  SmallVector<int64_t> tied;
};
} // namespace

/// Parses one result: `T`, `%arg` or `%arg as T`, and its attributes if `allowAttrs`.
static ParseResult parseFuncResult(OpAsmParser &parser, ArrayRef<OpAsmParser::Argument> arguments,
                                   bool allowAttrs, FuncResults &results) {
  UnresolvedOperand operand;
  OptionalParseResult isTied = parser.parseOptionalOperand(operand);
  Type type;
  int64_t index = kUntiedIndex;
  if (isTied.has_value()) {
    if (failed(*isTied))
      return failure();
    index = findTiedArgument(arguments, operand);
    if (index == kUntiedIndex)
      return parser.emitError(operand.location, "expected a result to be tied to one of the "
                                                "function's arguments, found '")
             << operand.name << "'";
    type = arguments[index].type;
  }
  if (!isTied.has_value() || succeeded(parser.parseOptionalKeyword("as")))
    if (parser.parseType(type))
      return failure();
  NamedAttrList attrs;
  if (allowAttrs && parser.parseOptionalAttrDict(attrs))
    return failure();
  results.types.push_back(type);
  results.tied.push_back(index);
  results.attrs.push_back(attrs.getDictionary(parser.getContext()));
  return success();
}

static ParseResult parseFuncResults(OpAsmParser &parser, ArrayRef<OpAsmParser::Argument> arguments,
                                    FuncResults &results) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  if (failed(parser.parseOptionalLParen()))
    // IREE also reads several results without parentheses.
    return parser.parseCommaSeparatedList(
        [&] { return parseFuncResult(parser, arguments, /*allowAttrs=*/false, results); });
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parser.parseCommaSeparatedList([&] {
    return parseFuncResult(parser, arguments, /*allowAttrs=*/true, results);
  }) || parser.parseRParen());
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr visibility;
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  FuncResults results;
  if (parseSymbolVisibility(parser, visibility) ||
      parser.parseSymbolName(name, getSymNameAttrName(result.name), result.attributes) ||
      parseFuncArguments(parser, arguments) || parseFuncResults(parser, arguments, results))
    return failure();
  if (visibility)
    result.addAttribute(getSymVisibilityAttrName(result.name), visibility);
  SmallVector<Type> argumentTypes =
      llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &arg) { return arg.type; });
  result.addAttribute(getFunctionTypeAttrName(result.name),
                      TypeAttr::get(builder.getFunctionType(argumentTypes, results.types)));
  if (llvm::any_of(results.tied, [](int64_t index) { return index != kUntiedIndex; }))
    result.addAttribute(getTiedOperandsAttrName(result.name),
                        builder.getIndexArrayAttr(results.tied));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, results.attrs,
                                            getArgAttrsAttrName(result.name),
                                            getResAttrsAttrName(result.name));

  SMLoc attrLoc = parser.getCurrentLocation();
  NamedAttrList attrs;
  if (parser.parseOptionalAttrDictWithKeyword(attrs))
    return failure();
  for (StringRef taken : {getSymNameAttrName(result.name), getFunctionTypeAttrName(result.name),
                          getSymVisibilityAttrName(result.name)})
    if (attrs.get(taken))
      return parser.emitError(attrLoc, "attribute '")
             << taken << "' is part of the function's signature and must not be given again";
  result.attributes.append(attrs);

  Region *body = result.addRegion();
  SMLoc bodyLoc = parser.getCurrentLocation();
  OptionalParseResult hasBody =
      parser.parseOptionalRegion(*body, arguments, /*enableNameShadowing=*/false);
  if (!hasBody.has_value())
    return success();
  if (failed(*hasBody))
    return failure();
  if (body->empty())
    return parser.emitError(bodyLoc, "expected a function body with at least one block");
  return success();
}

void FuncOp::print(OpAsmPrinter &p) {
  p << ' ';
  printSymbolVisibility(p, *this, getSymVisibilityAttr());
  p << ' ';
  p.printSymbolName(getSymName());
  p << '(';
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    if (index)
      p << ", ";
    ArrayRef<NamedAttribute> attrs =
        getArgAttrs() ? getArgAttrDict(index).getValue() : ArrayRef<NamedAttribute>();
    if (isExternal()) {
      p << type;
      p.printOptionalAttrDict(attrs);
      continue;
    }
    p.printRegionArgument(getArgument(index), attrs);
  }
  p << ')';

  ArrayRef<Type> results = getResultTypes();
  SmallVector<int64_t> tied = getTiedOperandIndices(getTiedOperandsAttr(), results.size());
  if (!results.empty()) {
    p << " -> ";
    bool parens = results.size() != 1 || getResAttrsAttr();
    p << (parens ? "(" : "");
    for (auto [index, type] : llvm::enumerate(results)) {
      p << (index ? ", " : "");
      if (tied[index] != kUntiedIndex) {
        if (isExternal())
          p << "%arg" << tied[index];
        else
          p << getArgument(tied[index]);
      }
      if (tied[index] == kUntiedIndex || getArgumentTypes()[tied[index]] != type)
        p << (tied[index] != kUntiedIndex ? " as " : "") << type;
      if (getResAttrs())
        p.printOptionalAttrDict(getResultAttrDict(index).getValue());
    }
    p << (parens ? ")" : "");
  }
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {getSymNameAttrName(), getFunctionTypeAttrName(),
                                      getTiedOperandsAttrName(), getSymVisibilityAttrName(),
                                      getArgAttrsAttrName(), getResAttrsAttrName()});
  if (isExternal())
    return;
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

LogicalResult FuncOp::verify() {
  return verifyTiedOperands(*this, getTiedOperandsAttr(), getNumArguments(), getNumResults());
}

//===----------------------------------------------------------------------===//
// CallOp, ReturnOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyCallTypes(CallOp call, StringRef what, TypeRange expected,
                                     TypeRange found) {
  if (expected == found)
    return success();
  if (expected.size() != found.size())
    return call.emitOpError("expected ") << expected.size() << " " << what << "s, as '"
                                         << call.getCallee() << "' has, found " << found.size();
  for (auto [index, types] : llvm::enumerate(llvm::zip(expected, found))) {
    auto [expectedType, foundType] = types;
    if (expectedType != foundType)
      return call.emitOpError("expected ")
             << what << " " << index << " to have the type that '" << call.getCallee()
             << "' declares, " << expectedType << ", found " << foundType;
  }
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto callee = symbolTable.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expected a function as callee, '") << getCallee() << "' is none";
  auto type = dyn_cast<FunctionType>(callee.getFunctionType());
  if (type && (failed(verifyCallTypes(*this, "operand", type.getInputs(), getOperandTypes())) ||
               failed(verifyCallTypes(*this, "result", type.getResults(), getResultTypes()))))
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
  // Several operands stand on lines of their own.
  auto startItem = [&] {
    if (getNumOperands() == 1) {
      p << ' ';
      return;
    }
    p.printNewline();
    p << "    ";
  };
  for (auto [index, operand] : llvm::enumerate(getOperands())) {
    p << (index ? "," : "");
    startItem();
    p << operand;
    auto list = cast<ArrayAttr>(getAssumptions()[index]).getAsRange<IntAssumptionAttr>();
    bool brackets = llvm::range_size(list) != 1;
    p << (brackets ? "[" : "");
    llvm::interleaveComma(list, p, [&](IntAssumptionAttr attr) { attr.print(p); });
    p << (brackets ? "]" : "");
  }
  p.printOptionalAttrDict((*this)->getAttrs(), {getAssumptionsAttrName()});
  startItem();
  p << ": ";
  llvm::interleaveComma(getOperandTypes(), p);
}

LogicalResult AssumeIntOp::verify() {
  if (getOperandTypes() != getResultTypes())
    return emitOpError("expected the result types to be the operand types");
  if (getAssumptions().size() != getNumOperands())
    return emitOpError("expected ") << getNumOperands() << " lists of assumptions, one for each "
                                    << "operand, found " << getAssumptions().size();
  for (Attribute attr : getAssumptions()) {
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list || !llvm::all_of(list, llvm::IsaPred<IntAssumptionAttr>))
      return emitOpError("expected a list of #util.int.assumption, found ") << attr;
  }
  return success();
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/Util/IR/UtilOps.cpp.inc"
