//===- HALExecutableOps.cpp - executables of IREE's hal dialect -----------===//

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"
#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;
using namespace npu::hal;
using npu::tensor_ext::DispatchTensorType;

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

/// Verifies that the body has at most one op of type `OpTy`.
template <typename OpTy>
static LogicalResult verifyAtMostOne(Operation *op, Region &body) {
  auto ops = llvm::to_vector(body.getOps<OpTy>());
  if (ops.size() <= 1)
    return success();
  InFlightDiagnostic diag = op->emitOpError("expected at most one ")
                            << OpTy::getOperationName() << ", found " << ops.size();
  diag.attachNote(ops[1].getLoc()) << "the second one is here";
  return diag;
}

static ModuleOp getFirstModule(Region &body) {
  auto modules = body.getOps<ModuleOp>();
  return modules.empty() ? ModuleOp() : *modules.begin();
}

ModuleOp ExecutableSourceOp::getInnerModule() { return getFirstModule(getBody()); }

LogicalResult ExecutableSourceOp::verifyRegions() {
  return verifyAtMostOne<ModuleOp>(*this, getBody());
}

ModuleOp ExecutableVariantOp::getInnerModule() { return getFirstModule(getBody()); }

LogicalResult ExecutableVariantOp::verifyRegions() {
  if (failed(verifyAtMostOne<ModuleOp>(*this, getBody())))
    return failure();
  return verifyAtMostOne<ExecutableConditionOp>(*this, getBody());
}

//===----------------------------------------------------------------------===//
// Regions that run on the host
//===----------------------------------------------------------------------===//

/// Verifies that `region` is one block that ends in a `hal.return` of `types`.
static LogicalResult verifyReturns(Operation *op, StringRef what, Region &region, TypeRange types) {
  if (!region.hasOneBlock())
    return op->emitOpError("expected the ")
           << what << " to have one block, found " << llvm::range_size(region);
  Block &block = region.front();
  auto terminator = block.empty() ? hal::ReturnOp() : dyn_cast<hal::ReturnOp>(block.back());
  if (!terminator)
    return op->emitOpError("expected the ") << what << " to end in 'hal.return'";
  if (terminator.getOperandTypes() == types)
    return success();
  return terminator.emitOpError("expected operands of the types ")
         << types << ", which the " << what << " returns, found (" << terminator.getOperandTypes()
         << ")";
}

/// Verifies that the arguments of `region` are a device and a workload.
static LogicalResult verifyDeviceAndWorkload(Operation *op, StringRef what, Region &region) {
  auto types = region.getArgumentTypes();
  if (!types.empty() && isa<DeviceType>(types.front()) &&
      llvm::all_of(llvm::drop_begin(types), llvm::IsaPred<IndexType>))
    return success();
  return op->emitOpError("expected the arguments of the ")
         << what << " to be a !hal.device and index values, found (" << types << ")";
}

LogicalResult ExecutableExportOp::verifyRegions() {
  Builder builder(getContext());
  SmallVector<Type> indices(3, builder.getIndexType());
  if (Region &count = getWorkgroupCount(); !count.empty())
    if (failed(verifyDeviceAndWorkload(*this, "workgroup count region", count)) ||
        failed(verifyReturns(*this, "workgroup count region", count, indices)))
      return failure();

  Region &condition = getCondition();
  FlatSymbolRefAttr fallbackName = getConditionFallbackAttr();
  if (condition.empty() != !fallbackName)
    return emitOpError("expected a condition and a fallback, or neither, found a ")
           << (fallbackName ? "fallback" : "condition") << " only";
  if (!fallbackName)
    return success();
  if (failed(verifyDeviceAndWorkload(*this, "condition", condition)) ||
      failed(verifyReturns(*this, "condition", condition, builder.getI1Type())))
    return failure();
  auto fallback = dyn_cast_if_present<ExecutableExportOp>(
      SymbolTable::lookupSymbolIn((*this)->getParentOp(), fallbackName));
  if (!fallback)
    return emitOpError("expected an entry point of the executable as fallback, ")
           << fallbackName << " is none";
  auto noteFallback = [&](InFlightDiagnostic diag) -> LogicalResult {
    diag.attachNote(fallback.getLoc()) << "the fallback is here";
    return diag;
  };
  if (fallback.getLayout() != getLayout())
    return noteFallback(emitOpError("expected the layout of the fallback, ")
                        << fallback.getLayout() << ", found " << getLayout());
  if (fallback.getWorkgroupCount().getArgumentTypes() != getWorkgroupCount().getArgumentTypes())
    return noteFallback(emitOpError("expected the workload of the fallback, (")
                        << fallback.getWorkgroupCount().getArgumentTypes() << "), found ("
                        << getWorkgroupCount().getArgumentTypes() << ")");
  return success();
}

LogicalResult DispatchExternOp::verify() {
  if (failed(verifyDynamicDims(*this, "the arguments", getArguments().getTypes(),
                               getArgumentDims())) ||
      failed(verifyDynamicDims(*this, "the results", getResultTypes(), getResultDims())) ||
      failed(
          verifyTiedOperands(*this, getTiedOperandsAttr(), getArguments().size(), getNumResults())))
    return failure();
  // Both become names of symbols.
  if (getExportName().empty())
    return emitOpError("expected the name of an entry point, found an empty one");
  for (auto target : getTargets().getAsRange<ExecutableTargetAttr>())
    if (target.getFormat().empty())
      return emitOpError("expected a format for each target, found none in ") << target;
  size_t numTargets = getTargets().size();
  auto verifyNumber = [&](StringRef what, size_t found) -> LogicalResult {
    if (found == numTargets)
      return success();
    return emitOpError("expected ")
           << numTargets << " " << what << ", one for each target, found " << found;
  };
  if (failed(verifyNumber("ordinals", getTargetOrdinals().size())) ||
      failed(verifyNumber("lists of files", getTargetObjects().size())))
    return failure();
  for (auto ordinal : getTargetOrdinals().getAsRange<IntegerAttr>())
    if (ordinal.getValue().isNegative())
      return emitOpError("expected the number of an entry point, found ") << ordinal.getInt();
  return verifyNumber("conditions", getTargetRegions().size());
}

LogicalResult DispatchExternOp::verifyRegions() {
  Builder builder(getContext());
  if (Region &count = getWorkgroupCount(); !count.empty()) {
    SmallVector<Type> indices(3, builder.getIndexType());
    if (failed(verifyDeviceAndWorkload(*this, "workgroup count region", count)) ||
        failed(verifyReturns(*this, "workgroup count region", count, indices)))
      return failure();
    if (size_t expected = count.getNumArguments() - 1; expected != getWorkload().size())
      return emitOpError("expected ")
             << expected
             << " workload operands, one for each index argument of the workgroup count region, "
                "found "
             << getWorkload().size();
  }
  for (Region &condition : getTargetRegions()) {
    if (condition.empty())
      continue;
    auto types = condition.getArgumentTypes();
    if (types.size() != 1 || !isa<DeviceType>(types.front()))
      return emitOpError("expected the argument of a condition to be a !hal.device, found (")
             << types << ")";
    if (failed(verifyReturns(*this, "condition", condition, builder.getI1Type())))
      return failure();
  }
  return success();
}

/// Parses `(%device: !hal.device) -> R` and gives the function type to `result`.
static ParseResult parseSignature(OpAsmParser &parser, OperationState &result,
                                  SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  SmallVector<Type> results;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true,
                               /*allowAttrs=*/true) ||
      parser.parseArrowTypeList(results))
    return failure();
  SmallVector<Type> types =
      llvm::map_to_vector(arguments, [](const OpAsmParser::Argument &arg) { return arg.type; });
  result.addAttribute("function_type",
                      TypeAttr::get(parser.getBuilder().getFunctionType(types, results)));
  return success();
}

static void printSignature(OpAsmPrinter &p, Region &body, FunctionType type) {
  p << "(";
  llvm::interleaveComma(body.getArguments(), p,
                        [&](BlockArgument argument) { p.printRegionArgument(argument); });
  p << ")";
  p.printArrowTypeList(type.getResults());
}

static ParseResult parseBody(OpAsmParser &parser, OperationState &result,
                             ArrayRef<OpAsmParser::Argument> arguments) {
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), arguments,
                                    /*enableNameShadowing=*/true));
}

/// Verifies the function type against the body's arguments, of which there may be a device.
static LogicalResult verifyHostCode(Operation *op, Region &body, FunctionType type,
                                    bool needsDevice) {
  auto types = body.getArgumentTypes();
  if (types.size() > 1 || (types.empty() && needsDevice) ||
      !llvm::all_of(types, llvm::IsaPred<DeviceType>))
    return op->emitOpError("expected ") << (needsDevice ? "" : "no argument or ")
                                        << "one !hal.device as argument, found (" << types << ")";
  if (TypeRange(type.getInputs()) != TypeRange(types))
    return op->emitOpError("expected the arguments of the function type, (")
           << type.getInputs() << "), found (" << types << ")";
  return verifyReturns(op, "body", body, type.getResults());
}

ParseResult ExecutableConditionOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parseSignature(parser, result, arguments) || parseBody(parser, result, arguments));
}

void ExecutableConditionOp::print(OpAsmPrinter &p) {
  printSignature(p, getBody(), getFunctionType());
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getFunctionTypeAttrName()});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

LogicalResult ExecutableConditionOp::verifyRegions() {
  if (getFunctionType().getNumResults() != 1 || !getFunctionType().getResult(0).isInteger(1))
    return emitOpError("expected to return an i1, found (")
           << getFunctionType().getResults() << ")";
  return verifyHostCode(*this, getBody(), getFunctionType(), /*needsDevice=*/true);
}

ParseResult ExecutableConstantBlockOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> keys;
  auto parseKey = [&]() -> ParseResult {
    StringAttr key;
    if (parser.parseAttribute(key))
      return failure();
    keys.push_back(key);
    return success();
  };
  if (parseSignature(parser, result, arguments) || parser.parseKeyword("as"))
    return failure();
  if (succeeded(parser.parseOptionalLParen())) {
    if (failed(parser.parseOptionalRParen()))
      if (parser.parseCommaSeparatedList(parseKey) || parser.parseRParen())
        return failure();
  } else if (parseKey()) {
    return failure();
  }
  result.addAttribute(getKeysAttrName(result.name), parser.getBuilder().getArrayAttr(keys));
  return parseBody(parser, result, arguments);
}

void ExecutableConstantBlockOp::print(OpAsmPrinter &p) {
  printSignature(p, getBody(), getFunctionType());
  bool parens = getKeys().size() != 1;
  p << " as " << (parens ? "(" : "");
  llvm::interleaveComma(getKeys(), p);
  p << (parens ? ")" : "");
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {getFunctionTypeAttrName(), getKeysAttrName()});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

LogicalResult ExecutableConstantBlockOp::verifyRegions() {
  if (getKeys().size() != getFunctionType().getNumResults())
    return emitOpError("expected ") << getFunctionType().getNumResults()
                                    << " keys, one for each result, found " << getKeys().size();
  return verifyHostCode(*this, getBody(), getFunctionType(), /*needsDevice=*/false);
}

//===----------------------------------------------------------------------===//
// What the code is given
//===----------------------------------------------------------------------===//

/// Verifies and names the values that depend on a dimension of the grid.
static LogicalResult verifyDimension(Operation *op, const APInt &dimension) {
  if (dimension.ult(3))
    return success();
  return op->emitOpError("expected dimension 0, 1 or 2, found ") << dimension.getSExtValue();
}

static void nameByDimension(Value result, StringRef what, const APInt &dimension,
                            function_ref<void(Value, StringRef)> setNameFn) {
  StringRef names[] = {"x", "y", "z"};
  if (dimension.ult(3))
    setNameFn(result, ("workgroup_" + what + "_" + names[dimension.getZExtValue()]).str());
}

LogicalResult InterfaceWorkgroupIDOp::verify() { return verifyDimension(*this, getDimension()); }
void InterfaceWorkgroupIDOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  nameByDimension(getResult(), "id", getDimension(), setNameFn);
}

LogicalResult InterfaceWorkgroupCountOp::verify() { return verifyDimension(*this, getDimension()); }
void InterfaceWorkgroupCountOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  nameByDimension(getResult(), "count", getDimension(), setNameFn);
}

LogicalResult InterfaceWorkgroupSizeOp::verify() { return verifyDimension(*this, getDimension()); }
void InterfaceWorkgroupSizeOp::getAsmResultNames(function_ref<void(Value, StringRef)> setNameFn) {
  nameByDimension(getResult(), "size", getDimension(), setNameFn);
}

LogicalResult InterfaceConstantLoadOp::verify() {
  if (getOrdinal().ult(getLayout().getConstants()))
    return success();
  return emitOpError("expected an ordinal below the layout's number of constants, ")
         << getLayout().getConstants() << ", found " << getOrdinal().getSExtValue();
}

LogicalResult InterfaceBindingSubspanOp::verify() {
  if (getBinding().uge(getLayout().getBindings().size()))
    return emitOpError("expected a binding below the layout's number of bindings, ")
           << getLayout().getBindings().size() << ", found " << getBinding().getSExtValue();
  Type type = getResult().getType();
  if (auto tensor = dyn_cast<DispatchTensorType>(type))
    type = tensor.getTensorType();
  return verifyDynamicDims(*this, "the result", type, getDynamicDims());
}
