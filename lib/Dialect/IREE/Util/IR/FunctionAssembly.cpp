//===- FunctionAssembly.cpp - functions whose results may be tied ---------===//
//
// The syntax that util.func and flow.func share, and the check of their calls.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace npu;

static constexpr StringLiteral kFunctionTypeName = "function_type";
static constexpr StringLiteral kTiedOperandsName = "tied_operands";
static constexpr StringLiteral kArgAttrsName = "arg_attrs";
static constexpr StringLiteral kResAttrsName = "res_attrs";

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

ParseResult npu::parseTiedFunction(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringRef nameName = SymbolTable::getSymbolAttrName();
  StringRef visibilityName = SymbolTable::getVisibilityAttrName();
  StringAttr visibility;
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  FuncResults results;
  if (parseSymbolVisibility(parser, visibility) ||
      parser.parseSymbolName(name, nameName, result.attributes) ||
      parseFuncArguments(parser, arguments) || parseFuncResults(parser, arguments, results))
    return failure();
  if (visibility)
    result.addAttribute(visibilityName, visibility);
  SmallVector<Type> argumentTypes =
      llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &arg) { return arg.type; });
  result.addAttribute(kFunctionTypeName,
                      TypeAttr::get(builder.getFunctionType(argumentTypes, results.types)));
  if (llvm::any_of(results.tied, [](int64_t index) { return index != kUntiedIndex; }))
    result.addAttribute(kTiedOperandsName, builder.getIndexArrayAttr(results.tied));
  call_interface_impl::addArgAndResultAttrs(builder, result, arguments, results.attrs,
                                            builder.getStringAttr(kArgAttrsName),
                                            builder.getStringAttr(kResAttrsName));

  SMLoc attrLoc = parser.getCurrentLocation();
  NamedAttrList attrs;
  if (parser.parseOptionalAttrDictWithKeyword(attrs))
    return failure();
  for (StringRef taken : {nameName, StringRef(kFunctionTypeName), visibilityName})
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

static void printFuncArguments(OpAsmPrinter &p, FunctionOpInterface func) {
  p << '(';
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    if (index)
      p << ", ";
    ArrayRef<NamedAttribute> attrs = func.getArgAttrs(index);
    if (!func.isExternal()) {
      p.printRegionArgument(func.getArgument(index), attrs);
      continue;
    }
    p << "%arg" << index << ": " << type;
    p.printOptionalAttrDict(attrs);
  }
  p << ')';
}

static void printFuncResults(OpAsmPrinter &p, FunctionOpInterface func, ArrayAttr tiedOperands) {
  ArrayRef<Type> results = func.getResultTypes();
  if (results.empty())
    return;
  SmallVector<int64_t> tied = getTiedOperandIndices(tiedOperands, results.size());
  p << " -> ";
  bool parens = results.size() != 1 || func.getAllResultAttrs();
  p << (parens ? "(" : "");
  for (auto [index, type] : llvm::enumerate(results)) {
    p << (index ? ", " : "");
    bool isTied = tied[index] != kUntiedIndex;
    if (isTied && func.isExternal())
      p << "%arg" << tied[index];
    else if (isTied)
      p << func.getArgument(tied[index]);
    if (!isTied || func.getArgumentTypes()[tied[index]] != type)
      p << (isTied ? " as " : "") << type;
    if (func.getAllResultAttrs())
      p.printOptionalAttrDict(func.getResultAttrs(index));
  }
  p << (parens ? ")" : "");
}

void npu::printTiedFunction(OpAsmPrinter &p, FunctionOpInterface func, ArrayAttr tiedOperands) {
  p << ' ';
  printSymbolVisibility(p, func,
                        func->getAttrOfType<StringAttr>(SymbolTable::getVisibilityAttrName()));
  p << ' ';
  p.printSymbolName(func.getName());
  printFuncArguments(p, func);
  printFuncResults(p, func, tiedOperands);
  p.printOptionalAttrDictWithKeyword(
      func->getAttrs(), {SymbolTable::getSymbolAttrName(), kFunctionTypeName, kTiedOperandsName,
                         SymbolTable::getVisibilityAttrName(), kArgAttrsName, kResAttrsName});
  if (func.isExternal())
    return;
  p << ' ';
  p.printRegion(func.getFunctionBody(), /*printEntryBlockArgs=*/false,
                /*printBlockTerminators=*/true);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static LogicalResult verifyCallTypes(Operation *call, FlatSymbolRefAttr callee, StringRef what,
                                     TypeRange expected, TypeRange found) {
  if (expected == found)
    return success();
  if (expected.size() != found.size())
    return call->emitOpError("expected ") << expected.size() << " " << what << "s, as '"
                                          << callee.getValue() << "' has, found " << found.size();
  for (auto [index, types] : llvm::enumerate(llvm::zip(expected, found))) {
    auto [expectedType, foundType] = types;
    if (expectedType != foundType)
      return call->emitOpError("expected ")
             << what << " " << index << " to have the type that '" << callee.getValue()
             << "' declares, " << expectedType << ", found " << foundType;
  }
  return success();
}

LogicalResult npu::verifyCallee(Operation *call, FlatSymbolRefAttr callee, TypeRange operandTypes,
                                TypeRange resultTypes, SymbolTableCollection &symbolTable) {
  auto func = symbolTable.lookupNearestSymbolFrom<FunctionOpInterface>(call, callee);
  if (!func)
    return call->emitOpError("expected a function as callee, '")
           << callee.getValue() << "' is none";
  auto type = dyn_cast<FunctionType>(func.getFunctionType());
  if (!type)
    return success();
  if (failed(verifyCallTypes(call, callee, "operand", type.getInputs(), operandTypes)))
    return failure();
  return verifyCallTypes(call, callee, "result", type.getResults(), resultTypes);
}
