//===- FlowOps.cpp - the part of IREE's flow dialect we read and print ----===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "NPU/Dialect/IREE/Util/IR/AsmDirectives.h"
#include "NPU/Dialect/IREE/Util/IR/HostInlining.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;
using namespace npu::flow;
using npu::tensor_ext::DispatchTensorType;
using npu::tensor_ext::TensorAccess;

#include "NPU/Dialect/IREE/Flow/IR/FlowOpsDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/IREE/Flow/IR/FlowOpsTypes.cpp.inc"

void FlowDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "NPU/Dialect/IREE/Flow/IR/FlowOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.cpp.inc"
      >();
  addInterfaces<HostInlinerInterface>();
}

Attribute FlowDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return parseForeignAttribute(parser, getNamespace(), type);
}

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

static ParseResult parseExportCountRegion(OpAsmParser &parser, Region &region) {
  return parseWorkgroupCountRegion(parser, "workgroups", region);
}

static void printExportCountRegion(OpAsmPrinter &p, Operation *, Region &region) {
  printWorkgroupCountRegion(p, "workgroups", region);
}

static ParseResult parseDispatchCountRegion(OpAsmParser &parser, Region &region) {
  return parseWorkgroupCountRegion(parser, "count", region);
}

static void printDispatchCountRegion(OpAsmPrinter &p, Operation *, Region &region) {
  printWorkgroupCountRegion(p, "count", region);
}

static ParseResult parseRegionCountRegion(OpAsmParser &parser, Region &region) {
  return parseWorkgroupCountRegion(parser, "count", region, /*isIsolated=*/false);
}

static void printRegionCountRegion(OpAsmPrinter &p, Operation *op, Region &region) {
  printDispatchCountRegion(p, op, region);
}

/// `@executable::@export` or `{@a::@x, @b::@y}`.
static ParseResult parseDispatchEntryPoints(OpAsmParser &parser, ArrayAttr &entryPoints) {
  SmallVector<Attribute> symbols;
  auto parseOne = [&]() -> ParseResult {
    SymbolRefAttr symbol;
    if (parser.parseAttribute(symbol))
      return failure();
    symbols.push_back(symbol);
    return success();
  };
  if (succeeded(parser.parseOptionalLBrace())) {
    if (parser.parseCommaSeparatedList(parseOne) || parser.parseRBrace())
      return failure();
  } else if (parseOne()) {
    return failure();
  }
  entryPoints = parser.getBuilder().getArrayAttr(symbols);
  return success();
}

static void printDispatchEntryPoints(OpAsmPrinter &p, Operation *, ArrayAttr entryPoints) {
  bool braces = entryPoints.size() != 1;
  p << (braces ? "{" : "");
  llvm::interleaveComma(entryPoints, p, [&](Attribute symbol) { p.printAttribute(symbol); });
  p << (braces ? "}" : "");
}

/// `(%a: T, ...) { ... }`
static ParseResult parseDispatchBody(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren,
                                          /*allowType=*/true, /*allowAttrs=*/true) ||
                 parser.parseRegion(body, arguments, /*enableNameShadowing=*/true));
}

static void printDispatchBody(OpAsmPrinter &p, Operation *, Region &body) {
  p << "(";
  llvm::interleaveComma(body.getArguments(), p,
                        [&](BlockArgument argument) { p.printRegionArgument(argument); });
  p << ") ";
  p.printRegion(body, /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

/// `(T{%dims}, ...)`, parentheses also around one result.
static ParseResult parseRegionResults(OpAsmParser &parser, SmallVectorImpl<Type> &types,
                                      SmallVectorImpl<UnresolvedOperand> &dims) {
  if (parser.parseLParen())
    return failure();
  if (succeeded(parser.parseOptionalRParen()))
    return success();
  return failure(parseShapedTypeList(parser, types, dims) || parser.parseRParen());
}

static void printRegionResults(OpAsmPrinter &p, Operation *op, TypeRange types, ValueRange dims) {
  p << "(";
  printShapedTypeList(p, op, types, dims);
  p << ")";
}

/// `%scope::%key[%offset]`, where the scope may be absent.
static ParseResult parseParameterReference(OpAsmParser &parser,
                                           std::optional<UnresolvedOperand> &scope,
                                           UnresolvedOperand &key, UnresolvedOperand &offset) {
  if (parser.parseOperand(key))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    scope = key;
    if (parser.parseColon() || parser.parseOperand(key))
      return failure();
  }
  return failure(parser.parseLSquare() || parser.parseOperand(offset) || parser.parseRSquare());
}

static void printParameterReference(OpAsmPrinter &p, Operation *, Value scope, Value key,
                                    Value offset) {
  if (scope)
    p << scope << "::";
  p << key << "[" << offset << "]";
}

static ParseResult parseKeyword(OpAsmParser &parser, StringAttr &keyword) {
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  keyword = parser.getBuilder().getStringAttr(text);
  return success();
}

static void printKeyword(OpAsmPrinter &p, Operation *, StringAttr keyword) {
  p << keyword.getValue();
}

//===----------------------------------------------------------------------===//
// Workgroup count regions
//===----------------------------------------------------------------------===//

/// Verifies that the region, if present, is one block that takes `index` values and returns three.
static LogicalResult verifyCountRegion(Operation *op, Region &region) {
  if (region.empty())
    return success();
  if (!region.hasOneBlock())
    return op->emitOpError("expected the workgroup count region to have one block, found ")
           << llvm::range_size(region);
  if (!llvm::all_of(region.getArgumentTypes(), llvm::IsaPred<IndexType>))
    return op->emitOpError("expected the arguments of the workgroup count region to be index "
                           "values, found ")
           << region.getArgumentTypes();
  Block &block = region.front();
  auto terminator = block.empty() ? nullptr : dyn_cast<flow::ReturnOp>(block.back());
  if (!terminator)
    return op->emitOpError("expected the workgroup count region to end in 'flow.return'");
  if (terminator.getNumOperands() != 3 ||
      !llvm::all_of(terminator.getOperandTypes(), llvm::IsaPred<IndexType>))
    return terminator.emitOpError("expected three index values, the workgroup count in x, y and z, "
                                  "found (")
           << terminator.getOperandTypes() << ")";
  return success();
}

/// Verifies that a dispatch gives the count region as many values as it takes.
static InFlightDiagnostic emitWorkloadError(Operation *op, size_t expected, size_t found) {
  return op->emitOpError("expected ")
         << expected << " workload operands, one for each argument of the workgroup count region, "
         << "found " << found;
}

//===----------------------------------------------------------------------===//
// ExecutableOp, ExecutableExportOp
//===----------------------------------------------------------------------===//

ModuleOp ExecutableOp::getInnerModule() {
  auto modules = getBody().getOps<ModuleOp>();
  return modules.empty() ? ModuleOp() : *modules.begin();
}

LogicalResult ExecutableOp::verifyRegions() {
  auto modules = llvm::to_vector(getBody().getOps<ModuleOp>());
  if (modules.size() <= 1)
    return success();
  InFlightDiagnostic diag = emitOpError("expected at most one builtin.module, found ")
                            << modules.size();
  diag.attachNote(modules[1].getLoc()) << "the second one is here";
  return diag;
}

FunctionOpInterface ExecutableExportOp::getFunction() {
  ModuleOp module = cast<ExecutableOp>((*this)->getParentOp()).getInnerModule();
  return module ? module.lookupSymbol<FunctionOpInterface>(getFunctionRefAttr())
                : FunctionOpInterface();
}

LogicalResult ExecutableExportOp::verifyRegions() {
  ModuleOp module = cast<ExecutableOp>((*this)->getParentOp()).getInnerModule();
  if (module && !getFunction())
    return emitOpError("expected a function ")
           << getFunctionRefAttr() << " in the executable's module";
  return verifyCountRegion(*this, getWorkgroupCount());
}

//===----------------------------------------------------------------------===//
// DispatchOp
//===----------------------------------------------------------------------===//

/// Verifies the sizes and the tied operands of a dispatch.
template <typename OpTy>
static LogicalResult verifyDispatch(OpTy op) {
  if (failed(verifyDynamicDims(op, "the arguments", op.getArguments().getTypes(),
                               op.getArgumentDims())) ||
      failed(verifyDynamicDims(op, "the results", op.getResultTypes(), op.getResultDims())))
    return failure();
  return verifyTiedOperands(op, op.getTiedOperandsAttr(), op.getArguments().size(),
                            op->getNumResults());
}

LogicalResult CallOp::verify() { return verifyDispatch(*this); }

LogicalResult DispatchOp::verify() {
  if (getEntryPoints().empty())
    return emitOpError("expected at least one entry point, found none");
  return verifyDispatch(*this);
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  for (auto entryPoint : getEntryPoints().getAsRange<SymbolRefAttr>()) {
    Operation *target = symbolTable.lookupNearestSymbolFrom(*this, entryPoint);
    auto exportOp = dyn_cast_if_present<ExecutableExportOp>(target);
    if (!exportOp || exportOp.getWorkgroupCount().empty())
      continue;
    size_t expected = exportOp.getWorkgroupCount().getNumArguments();
    if (expected == getWorkload().size())
      continue;
    InFlightDiagnostic diag = emitWorkloadError(*this, expected, getWorkload().size());
    diag.attachNote(exportOp.getLoc()) << "the entry point is exported here";
    return diag;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// DispatchWorkgroupsOp, DispatchRegionOp
//===----------------------------------------------------------------------===//

LogicalResult DispatchWorkgroupsOp::verify() { return verifyDispatch(*this); }

/// Verifies that a block argument of the body stands for `outer`, with one of the given accesses if
/// it is a tensor.
static LogicalResult verifyBodyArgument(DispatchWorkgroupsOp op, BlockArgument argument, Type outer,
                                        StringRef what, ArrayRef<TensorAccess> accesses) {
  if (!isa<TensorType>(outer)) {
    if (argument.getType() == outer)
      return success();
    return op.emitOpError("expected argument ")
           << argument.getArgNumber() << " of the body to have the type of the " << what << ", "
           << outer << ", found " << argument.getType();
  }
  auto inner = dyn_cast<DispatchTensorType>(argument.getType());
  if (inner && inner.getTensorType() == outer && llvm::is_contained(accesses, inner.getAccess()))
    return success();
  std::string expected = llvm::join(
      llvm::map_range(accesses, [](TensorAccess a) { return stringifyTensorAccess(a).str(); }),
      " or ");
  return op.emitOpError("expected argument ")
         << argument.getArgNumber() << " of the body to be the " << expected << " tensor of the "
         << what << ", " << outer << ", found " << argument.getType();
}

LogicalResult DispatchWorkgroupsOp::verifyRegions() {
  if (getWorkgroupBody().empty())
    return emitOpError("expected a body");
  SmallVector<int64_t> tied = getTiedOperandIndices(getTiedOperandsAttr(), getNumResults());
  size_t numUntied = llvm::count(tied, kUntiedIndex);
  size_t expected = getArguments().size() + numUntied;
  Block::BlockArgListType inner = getWorkgroupBody().getArguments();
  if (inner.size() != expected)
    return emitOpError("expected the body to have ")
           << expected << " arguments, one for each argument and each untied result, found "
           << inner.size();

  for (auto [index, argument] : llvm::enumerate(getArguments())) {
    // An argument without a tied result may still be updated in place.
    SmallVector<TensorAccess> accesses = {TensorAccess::ReadOnly, TensorAccess::ReadWrite};
    if (llvm::is_contained(tied, index))
      accesses = {TensorAccess::ReadWrite, TensorAccess::WriteOnly};
    if (failed(verifyBodyArgument(*this, inner[index], argument.getType(), "argument", accesses)))
      return failure();
  }
  size_t next = getArguments().size();
  for (auto [index, type] : llvm::zip(tied, getResultTypes()))
    if (index == kUntiedIndex &&
        failed(verifyBodyArgument(*this, inner[next++], type, "result",
                                  {TensorAccess::WriteOnly, TensorAccess::ReadWrite})))
      return failure();

  if (!getWorkgroupCount().empty() && getWorkgroupCount().getNumArguments() != getWorkload().size())
    return emitWorkloadError(*this, getWorkgroupCount().getNumArguments(), getWorkload().size());
  return verifyCountRegion(*this, getWorkgroupCount());
}

LogicalResult DispatchRegionOp::verifyRegions() {
  if (getBody().empty())
    return emitOpError("expected a body");
  if (getBody().getNumArguments())
    return emitOpError("expected a body without arguments, found ") << getBody().getNumArguments();
  if (failed(verifyDynamicDims(*this, "the results", getResultTypes(), getResultDims())))
    return failure();
  for (Block &block : getBody()) {
    auto terminator = block.empty() ? nullptr : dyn_cast<flow::ReturnOp>(block.back());
    if (terminator && terminator.getOperandTypes() != getResultTypes())
      return terminator.emitOpError("expected operands of the region's result types, (")
             << getResultTypes() << "), found (" << terminator.getOperandTypes() << ")";
  }
  if (!getWorkgroupCount().empty() && getWorkgroupCount().getNumArguments() != getWorkload().size())
    return emitWorkloadError(*this, getWorkgroupCount().getNumArguments(), getWorkload().size());
  return verifyCountRegion(*this, getWorkgroupCount());
}

//===----------------------------------------------------------------------===//
// Ops in the body of a dispatch
//===----------------------------------------------------------------------===//

static LogicalResult verifyDimension(Operation *op, const APInt &dimension) {
  if (dimension.ult(3))
    return success();
  return op->emitOpError("expected dimension 0, 1 or 2, found ") << dimension.getSExtValue();
}

LogicalResult DispatchWorkgroupIDOp::verify() { return verifyDimension(*this, getDimension()); }
LogicalResult DispatchWorkgroupCountOp::verify() { return verifyDimension(*this, getDimension()); }
LogicalResult DispatchWorkgroupSizeOp::verify() { return verifyDimension(*this, getDimension()); }

LogicalResult DispatchTieShapeOp::verify() {
  return verifyDynamicDims(*this, "the operand", getType().getTensorType(), getDynamicDims());
}

#define GET_OP_CLASSES
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.cpp.inc"
