//===- AsmDirectives.cpp - assembly directives shared by IREE's dialects --===//

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

SmallVector<int64_t> npu::getTiedOperandIndices(ArrayAttr tiedOperands, size_t numResults) {
  SmallVector<int64_t> indices(numResults, kUntiedIndex);
  if (!tiedOperands)
    return indices;
  for (auto [index, attr] : llvm::zip(indices, tiedOperands.getAsRange<IntegerAttr>()))
    index = attr.getInt();
  return indices;
}

LogicalResult npu::verifyTiedOperands(Operation *op, ArrayAttr tiedOperands, size_t numOperands,
                                      size_t numResults) {
  if (!tiedOperands)
    return success();
  if (tiedOperands.size() != numResults)
    return op->emitOpError("expected 'tied_operands' to have one entry for each of ")
           << numResults << " results, found " << tiedOperands.size();
  for (Attribute attr : tiedOperands) {
    auto index = dyn_cast<IntegerAttr>(attr);
    if (!index || index.getInt() < kUntiedIndex ||
        index.getInt() >= static_cast<int64_t>(numOperands))
      return op->emitOpError(
                 "expected an entry of 'tied_operands' to be -1 or the index of one of ")
             << numOperands << " arguments, found " << attr;
  }
  return success();
}

LogicalResult npu::verifyDynamicDims(Operation *op, StringRef what, TypeRange types,
                                     ValueRange dims) {
  int64_t expected = 0;
  for (Type type : types)
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
      expected += shaped.getNumDynamicDims();
  if (expected == static_cast<int64_t>(dims.size()))
    return success();
  return op->emitOpError("expected ") << expected << " sizes for the dynamic dimensions of " << what
                                      << ", found " << dims.size();
}

Attribute npu::parseForeignAttribute(DialectAsmParser &parser, StringRef dialect, Type type) {
  return OpaqueAttr::get(StringAttr::get(parser.getContext(), dialect), parser.getFullSymbolSpec(),
                         type ? type : NoneType::get(parser.getContext()));
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

ParseResult npu::parseSymbolVisibility(OpAsmParser &parser, StringAttr &visibility) {
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"public", "private", "nested"})))
    visibility = parser.getBuilder().getStringAttr(keyword);
  return success();
}

void npu::printSymbolVisibility(OpAsmPrinter &p, Operation *, StringAttr visibility) {
  p << (visibility ? visibility.getValue() : "public");
}

ParseResult npu::parseSymbolAlias(OpAsmParser &parser, StringAttr &name,
                                  FlatSymbolRefAttr &function) {
  if (parser.parseAttribute(function))
    return failure();
  if (failed(parser.parseOptionalKeyword("as"))) {
    name = function.getAttr();
    return success();
  }
  return failure(parser.parseLParen() || parser.parseAttribute(name) || parser.parseRParen());
}

void npu::printSymbolAlias(OpAsmPrinter &p, Operation *, StringAttr name,
                           FlatSymbolRefAttr function) {
  p << function;
  if (function.getAttr() != name)
    p << " as(" << name << ")";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult npu::parseTypeOrAttr(OpAsmParser &parser, TypeAttr &type, TypedAttr &attr) {
  Type parsedType;
  bool hasType = succeeded(parser.parseOptionalColon());
  if (hasType && parser.parseType(parsedType))
    return failure();
  if (!hasType || succeeded(parser.parseOptionalEqual())) {
    SMLoc loc;
    Attribute value;
    if ((!hasType && parser.parseEqual()) || parser.getCurrentLocation(&loc) ||
        parser.parseAttribute(value))
      return failure();
    attr = dyn_cast<TypedAttr>(value);
    if (!attr)
      return parser.emitError(loc, "expected an attribute that has a type, found ") << value;
    if (!hasType)
      parsedType = attr.getType();
  }
  type = TypeAttr::get(parsedType);
  return success();
}

void npu::printTypeOrAttr(OpAsmPrinter &p, Operation *, TypeAttr type, TypedAttr attr) {
  if (!attr || attr.getType() != type.getValue())
    p << ": " << type << (attr ? " " : "");
  if (attr)
    p << "= " << attr;
}

ParseResult npu::parseTypeAlias(OpAsmParser &parser, TypeAttr &encoding, Type &type) {
  Type encodingType;
  if (parser.parseType(encodingType))
    return failure();
  encoding = TypeAttr::get(encodingType);
  type = encodingType;
  return succeeded(parser.parseOptionalKeyword("as")) ? parser.parseType(type) : success();
}

void npu::printTypeAlias(OpAsmPrinter &p, Operation *, TypeAttr encoding, Type type) {
  p << encoding;
  if (encoding.getValue() != type)
    p << " as " << type;
}

//===----------------------------------------------------------------------===//
// Shaped types
//===----------------------------------------------------------------------===//

/// Parses `{%d0, ...}` if `type` has dynamic dimensions: exactly one size for each.
static ParseResult parseDims(OpAsmParser &parser, Type type,
                             SmallVectorImpl<npu::UnresolvedOperand> &dims) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || shaped.hasStaticShape())
    return success();
  SmallVector<npu::UnresolvedOperand> parsed;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLBrace() || parser.parseOperandList(parsed) || parser.parseRBrace())
    return failure();
  if (parsed.size() != static_cast<size_t>(shaped.getNumDynamicDims()))
    return parser.emitError(loc, "expected ")
           << shaped.getNumDynamicDims() << " sizes for the dynamic dimensions of " << type
           << ", found " << parsed.size();
  dims.append(parsed);
  return success();
}

/// Prints `{%d0, ...}` if `type` has dynamic dimensions, and drops those sizes from `dims`.
static void printDims(OpAsmPrinter &p, Type type, ValueRange &dims) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || shaped.hasStaticShape())
    return;
  size_t count = std::min<size_t>(shaped.getNumDynamicDims(), dims.size());
  p << "{" << dims.take_front(count) << "}";
  dims = dims.drop_front(count);
}

/// Parses one result: `T`, `%arg` or `%arg as T`, each followed by sizes if `dims` is given.
static ParseResult parseTiedResult(OpAsmParser &parser, ArrayRef<npu::UnresolvedOperand> arguments,
                                   ArrayRef<Type> argumentTypes, SmallVectorImpl<Type> &types,
                                   SmallVectorImpl<npu::UnresolvedOperand> *dims,
                                   SmallVectorImpl<int64_t> &tied) {
  npu::UnresolvedOperand operand;
  OptionalParseResult isTied = parser.parseOptionalOperand(operand);
  int64_t index = npu::kUntiedIndex;
  Type type;
  if (isTied.has_value()) {
    if (failed(*isTied))
      return failure();
    const auto *it = llvm::find_if(arguments, [&](const npu::UnresolvedOperand &argument) {
      return argument.name == operand.name && argument.number == operand.number;
    });
    if (it == arguments.end())
      return parser.emitError(operand.location, "expected a result to be tied to one of the op's "
                                                "arguments, found '")
             << operand.name << "'";
    index = it - arguments.begin();
    if (index >= static_cast<int64_t>(argumentTypes.size()))
      return parser.emitError(operand.location, "expected a type for each argument");
    type = argumentTypes[index];
  }
  if (!isTied.has_value() || succeeded(parser.parseOptionalKeyword("as")))
    if (parser.parseType(type))
      return failure();
  types.push_back(type);
  tied.push_back(index);
  return dims ? parseDims(parser, type, *dims) : success();
}

/// Parses what follows `->`: one bare result, or a list in parentheses.
static ParseResult parseTiedResults(OpAsmParser &parser, ArrayRef<npu::UnresolvedOperand> arguments,
                                    ArrayRef<Type> argumentTypes, SmallVectorImpl<Type> &types,
                                    SmallVectorImpl<npu::UnresolvedOperand> *dims,
                                    ArrayAttr &tiedOperands) {
  SmallVector<int64_t> tied;
  auto parseOne = [&] {
    return parseTiedResult(parser, arguments, argumentTypes, types, dims, tied);
  };
  if (succeeded(parser.parseOptionalLParen())) {
    if (failed(parser.parseOptionalRParen()))
      if (parser.parseCommaSeparatedList(parseOne) || parser.parseRParen())
        return failure();
  } else if (parseOne()) {
    return failure();
  }
  if (!tied.empty())
    tiedOperands = parser.getBuilder().getIndexArrayAttr(tied);
  return success();
}

static void printTiedResults(OpAsmPrinter &p, ValueRange arguments, TypeRange types,
                             ValueRange *dims, ArrayAttr tiedOperands) {
  SmallVector<int64_t> tied = npu::getTiedOperandIndices(tiedOperands, types.size());
  bool parens = types.size() != 1;
  p << (parens ? "(" : "");
  llvm::interleaveComma(llvm::zip(types, tied), p, [&](auto entry) {
    auto [type, index] = entry;
    bool isTied = index >= 0 && index < static_cast<int64_t>(arguments.size());
    if (isTied)
      p << arguments[index];
    if (!isTied || arguments[index].getType() != type)
      p << (isTied ? " as " : "") << type;
    if (dims)
      printDims(p, type, *dims);
  });
  p << (parens ? ")" : "");
}

ParseResult npu::parseShapedTypeList(OpAsmParser &parser, SmallVectorImpl<Type> &types,
                                     SmallVectorImpl<UnresolvedOperand> &dims) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    return failure(parser.parseType(types.emplace_back()) || parseDims(parser, types.back(), dims));
  });
}

void npu::printShapedTypeList(OpAsmPrinter &p, Operation *, TypeRange types, ValueRange dims) {
  llvm::interleaveComma(types, p, [&](Type type) {
    p << type;
    printDims(p, type, dims);
  });
}

ParseResult npu::parseShapedFunctionType(OpAsmParser &parser, ArrayRef<UnresolvedOperand> arguments,
                                         SmallVectorImpl<Type> &argumentTypes,
                                         SmallVectorImpl<UnresolvedOperand> &argumentDims,
                                         SmallVectorImpl<Type> &resultTypes,
                                         SmallVectorImpl<UnresolvedOperand> &resultDims,
                                         ArrayAttr &tiedOperands) {
  if (parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()))
    if (parseShapedTypeList(parser, argumentTypes, argumentDims) || parser.parseRParen())
      return failure();
  return failure(parser.parseArrow() || parseTiedResults(parser, arguments, argumentTypes,
                                                         resultTypes, &resultDims, tiedOperands));
}

void npu::printShapedFunctionType(OpAsmPrinter &p, Operation *op, ValueRange arguments,
                                  TypeRange argumentTypes, ValueRange argumentDims,
                                  TypeRange resultTypes, ValueRange resultDims,
                                  ArrayAttr tiedOperands) {
  p << "(";
  printShapedTypeList(p, op, argumentTypes, argumentDims);
  p << ") -> ";
  printTiedResults(p, arguments, resultTypes, &resultDims, tiedOperands);
}

ParseResult npu::parseTiedFunctionType(OpAsmParser &parser, ArrayRef<UnresolvedOperand> arguments,
                                       SmallVectorImpl<Type> &argumentTypes,
                                       SmallVectorImpl<Type> &resultTypes,
                                       ArrayAttr &tiedOperands) {
  return failure(
      parser.parseLParen() ||
      (failed(parser.parseOptionalRParen()) &&
       (parser.parseTypeList(argumentTypes) || parser.parseRParen())) ||
      parser.parseArrow() ||
      parseTiedResults(parser, arguments, argumentTypes, resultTypes, nullptr, tiedOperands));
}

void npu::printTiedFunctionType(OpAsmPrinter &p, Operation *, ValueRange arguments,
                                TypeRange argumentTypes, TypeRange resultTypes,
                                ArrayAttr tiedOperands) {
  p << "(";
  llvm::interleaveComma(argumentTypes, p);
  p << ") -> ";
  printTiedResults(p, arguments, resultTypes, nullptr, tiedOperands);
}

ParseResult npu::parseShapedTiedResult(OpAsmParser &parser, UnresolvedOperand target, Type &type,
                                       SmallVectorImpl<UnresolvedOperand> &dims,
                                       ArrayAttr &tiedOperands) {
  UnresolvedOperand operand;
  OptionalParseResult isTied = parser.parseOptionalOperand(operand);
  if (!isTied.has_value()) {
    tiedOperands = parser.getBuilder().getIndexArrayAttr(kUntiedIndex);
    return failure(parser.parseType(type) || parseDims(parser, type, dims));
  }
  if (failed(*isTied) || parser.parseKeyword("as") || parser.parseType(type))
    return failure();
  if (operand.name != target.name || operand.number != target.number)
    return parser.emitError(operand.location, "expected the result to be tied to '")
           << target.name << "', found '" << operand.name << "'";
  return parseDims(parser, type, dims);
}

void npu::printShapedTiedResult(OpAsmPrinter &p, Operation *, Value target, Type type,
                                ValueRange dims, ArrayAttr tiedOperands) {
  if (!tiedOperands || getTiedOperandIndices(tiedOperands, 1).front() != kUntiedIndex)
    p << target << " as ";
  p << type;
  printDims(p, type, dims);
}

ParseResult npu::parseShapedOperandList(OpAsmParser &parser,
                                        SmallVectorImpl<UnresolvedOperand> &values,
                                        SmallVectorImpl<Type> &types,
                                        SmallVectorImpl<UnresolvedOperand> &dims) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    return failure(parser.parseOperand(values.emplace_back()) ||
                   parser.parseColonType(types.emplace_back()) ||
                   parseDims(parser, types.back(), dims));
  });
}

void npu::printShapedOperandList(OpAsmPrinter &p, Operation *, ValueRange values, TypeRange types,
                                 ValueRange dims) {
  llvm::interleaveComma(llvm::zip(values, types), p, [&](auto entry) {
    auto [value, type] = entry;
    p << value << " : " << type;
    printDims(p, type, dims);
  });
}

//===----------------------------------------------------------------------===//
// Workgroup count regions
//===----------------------------------------------------------------------===//

ParseResult npu::parseWorkgroupCountRegion(OpAsmParser &parser, StringRef keyword, Region &region,
                                           bool isIsolated) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseArrow())
    return failure();
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseTypeList(types) || parser.parseRParen())
    return failure();
  if (types.size() != 3 || !llvm::all_of(types, llvm::IsaPred<IndexType>))
    return parser.emitError(loc, "expected the workgroup count to be (index, index, index)");
  return parser.parseRegion(region, arguments, /*enableNameShadowing=*/isIsolated);
}

void npu::printWorkgroupCountRegion(OpAsmPrinter &p, StringRef keyword, Region &region) {
  if (region.empty())
    return;
  p << " " << keyword << "(";
  llvm::interleaveComma(region.getArguments(), p,
                        [&](BlockArgument argument) { p.printRegionArgument(argument); });
  p << ") -> (index, index, index) ";
  p.printRegion(region, /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}
