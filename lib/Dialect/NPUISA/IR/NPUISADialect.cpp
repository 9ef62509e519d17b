//===- NPUISADialect.cpp - the exit dialect -------------------------------===//

#include "FieldSyntax.h"

#include "NPU/Support/NamedSizes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu::isa;

#include "NPU/Dialect/NPUISA/IR/NPUISAOpsDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "NPU/Dialect/NPUISA/IR/NPUISAOpsAttributes.cpp.inc"

void NPUISADialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "NPU/Dialect/NPUISA/IR/NPUISAOpsAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/NPUISA/IR/NPUISAOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult RegionAttr::verify(function_ref<InFlightDiagnostic()> emitError, RegionKind kind,
                                 StringAttr name, int64_t bytes, DenseElementsAttr data) {
  if (bytes < 0)
    return emitError() << "expected a size of region " << name << " that is not negative but found "
                       << bytes << " bytes";
  bool isConstant = kind == RegionKind::Constants;
  if (isConstant != bool(data))
    return emitError() << "expected " << (isConstant ? "contents" : "no contents") << " of region "
                       << name << ", whose kind is " << toString(kind);
  if (data && (!data.getElementType().isSignlessInteger(8) || data.getNumElements() != bytes))
    return emitError() << "expected " << bytes << " elements of type i8 in region " << name
                       << " but found " << data.getType();
  return success();
}

Attribute PlanAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> dims;
  SmallVector<int64_t> sizes;
  int64_t cycles, sram, acc;
  SMLoc loc = parser.getCurrentLocation();
  auto parseNumber = [&](StringRef name, int64_t &value) -> ParseResult {
    return failure(parser.parseComma() || parser.parseKeyword(name) || parser.parseEqual() ||
                   parser.parseInteger(value));
  };
  if (parser.parseLess() || parser.parseKeyword("tile") || parser.parseLParen() ||
      parseNamedSizes(parser, dims, sizes) || parser.parseRParen() ||
      parseNumber("cycles", cycles) || parseNumber("sram", sram) || parseNumber("acc", acc) ||
      parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), dims, sizes, cycles,
                    sram, acc);
}

void PlanAttr::print(AsmPrinter &printer) const {
  printer << "<tile(";
  printNamedSizes(printer, getDims(), getSizes());
  printer << "), cycles = " << getCycles() << ", sram = " << getSram() << ", acc = " << getAcc()
          << '>';
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> dims, ArrayRef<int64_t> sizes, int64_t cycles,
                               int64_t sram, int64_t acc) {
  if (cycles < 0 || sram < 0 || acc < 0)
    return emitError() << "expected cycles and bytes that are not negative but found cycles = "
                       << cycles << ", sram = " << sram << ", acc = " << acc;
  return verifyNamedSizes(emitError, dims, sizes);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult npu::isa::detail::verifyInstructionOp(Operation *op) { return toInstruction(op); }

void ProgramOp::build(OpBuilder &builder, OperationState &state, StringRef name, StringRef target,
                      ArrayRef<Attribute> regions) {
  build(builder, state, builder.getStringAttr(name), builder.getStringAttr(target),
        builder.getArrayAttr(regions), /*plan=*/PlanAttr());
}

LogicalResult ProgramOp::verifyRegions() { return toBorrowingProgram(*this); }

void StreamOp::build(OpBuilder &builder, OperationState &state, EngineKind engine,
                     int64_t cluster) {
  build(builder, state, EngineKindAttr::get(builder.getContext(), engine),
        builder.getI64IntegerAttr(cluster));
}

static ParseResult parseEngineKind(OpAsmParser &parser, EngineKindAttr &engine) {
  FailureOr<EngineKind> kind = npu::isa::detail::parseEnum<EngineKind>(parser);
  if (failed(kind))
    return failure();
  engine = EngineKindAttr::get(parser.getContext(), *kind);
  return success();
}

static void printEngineKind(OpAsmPrinter &printer, StreamOp, EngineKindAttr engine) {
  printer << toString(engine.getValue());
}

#define GET_OP_CLASSES
#include "NPU/Dialect/NPUISA/IR/NPUISAOps.cpp.inc"
