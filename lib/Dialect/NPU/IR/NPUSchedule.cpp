//===- NPUSchedule.cpp - the schedule attribute and its nodes -------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static Attribute parseNode(AsmParser &parser);

/// `{node, node}`
static ParseResult parseBody(AsmParser &parser, SmallVectorImpl<Attribute> &body) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
    body.push_back(parseNode(parser));
    return success(body.back() != nullptr);
  });
}

/// ` x2`, or nothing for 1.
static ParseResult parseDepth(AsmParser &parser, int64_t &depth) {
  depth = 1;
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return success();
  if (!keyword.consume_front("x") || keyword.getAsInteger(10, depth))
    return parser.emitError(loc, "expected a ring depth, as in x2");
  return success();
}

/// `-> acc`
static ParseResult parsePlace(AsmParser &parser, MemorySpace &space) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<MemorySpace> known = symbolizeMemorySpace(keyword);
  if (!known || *known == MemorySpace::Dram)
    return parser.emitError(loc, "expected sram or acc, found ") << keyword;
  space = *known;
  return success();
}

/// `for m = 64 clusters 2 {...}`, after `for`.
static Attribute parseLoop(AsmParser &parser) {
  std::string dim;
  StringRef keyword;
  int64_t tile, clusters = 1;
  SmallVector<Attribute> body;
  if (parser.parseKeyword(&keyword))
    return {};
  dim = keyword;
  if (parser.parseEqual() || parser.parseInteger(tile) ||
      (succeeded(parser.parseOptionalKeyword("clusters")) && parser.parseInteger(clusters)) ||
      parseBody(parser, body))
    return {};
  return parser.getChecked<ScheduleLoopAttr>(parser.getNameLoc(), parser.getContext(),
                                             StringAttr::get(parser.getContext(), dim), tile,
                                             clusters, ArrayRef<Attribute>(body));
}

static Attribute parseLoad(AsmParser &parser) {
  StringAttr operand;
  int64_t depth;
  if (parser.parseSymbolName(operand) || parseDepth(parser, depth))
    return {};
  return parser.getChecked<ScheduleLoadAttr>(parser.getNameLoc(), parser.getContext(), operand,
                                             depth);
}

static Attribute parseKeep(AsmParser &parser) {
  StringAttr operand;
  if (parser.parseSymbolName(operand))
    return {};
  return parser.getChecked<ScheduleKeepAttr>(parser.getNameLoc(), parser.getContext(), operand);
}

static Attribute parseValue(AsmParser &parser) {
  StringAttr stage;
  MemorySpace space;
  int64_t depth;
  if (parser.parseSymbolName(stage) || parser.parseArrow() || parsePlace(parser, space) ||
      parseDepth(parser, depth))
    return {};
  return parser.getChecked<ScheduleValueAttr>(parser.getNameLoc(), parser.getContext(), stage,
                                              space, depth);
}

/// One size, or several in brackets.
static ParseResult parseSizes(AsmParser &parser, SmallVectorImpl<int64_t> &sizes) {
  auto parseSize = [&] { return parser.parseInteger(sizes.emplace_back()); };
  if (failed(parser.parseOptionalLSquare()))
    return parseSize();
  return failure(parser.parseCommaSeparatedList(parseSize) || parser.parseRSquare());
}

static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  bool isList = sizes.size() != 1;
  printer << (isList ? "[" : "");
  llvm::interleaveComma(sizes, printer);
  printer << (isList ? "]" : "");
}

static Attribute parseStage(AsmParser &parser) {
  StringAttr stage;
  std::optional<MemorySpace> space;
  int64_t depth = 1, skew = 0;
  if (parser.parseSymbolName(stage))
    return {};
  if (succeeded(parser.parseOptionalArrow()) && parsePlace(parser, space.emplace()))
    return {};
  bool isSkewed = succeeded(parser.parseOptionalKeyword("skew"));
  bool begins = !isSkewed && succeeded(parser.parseOptionalKeyword("begin"));
  bool ends = !isSkewed && !begins && succeeded(parser.parseOptionalKeyword("end"));
  if (!isSkewed && !begins && !ends && space) {
    if (parseDepth(parser, depth))
      return {};
    isSkewed = succeeded(parser.parseOptionalKeyword("skew"));
  }
  if (isSkewed && parser.parseInteger(skew))
    return {};
  StringAttr beginDim, endDim;
  SmallVector<int64_t> begin;
  std::string dim;
  if (begins || (!ends && succeeded(parser.parseOptionalKeyword("begin")))) {
    if (parser.parseKeywordOrString(&dim) || parser.parseEqual() || parseSizes(parser, begin))
      return {};
    beginDim = StringAttr::get(parser.getContext(), dim);
  }
  if (ends || succeeded(parser.parseOptionalKeyword("end"))) {
    if (parser.parseKeywordOrString(&dim))
      return {};
    endDim = StringAttr::get(parser.getContext(), dim);
  }
  return parser.getChecked<ScheduleStageAttr>(parser.getNameLoc(), parser.getContext(), stage,
                                              space, depth, skew, beginDim,
                                              ArrayRef<int64_t>(begin), endDim);
}

/// `strips 0 = 14 {...} then {...}`, after `strips`.
static Attribute parseStrips(AsmParser &parser) {
  int64_t axis, size;
  if (parser.parseInteger(axis) || parser.parseEqual() || parser.parseInteger(size))
    return {};
  SmallVector<ArrayAttr> bodies;
  do {
    SmallVector<Attribute> body;
    if (parseBody(parser, body))
      return {};
    bodies.push_back(ArrayAttr::get(parser.getContext(), body));
  } while (succeeded(parser.parseOptionalKeyword("then")));
  return parser.getChecked<ScheduleStripsAttr>(parser.getNameLoc(), parser.getContext(), axis, size,
                                               ArrayRef<ArrayAttr>(bodies));
}

static Attribute parseNode(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("strips")))
    return parseStrips(parser);
  if (succeeded(parser.parseOptionalKeyword("for")))
    return parseLoop(parser);
  if (succeeded(parser.parseOptionalKeyword("load")))
    return parseLoad(parser);
  if (succeeded(parser.parseOptionalKeyword("keep")))
    return parseKeep(parser);
  if (succeeded(parser.parseOptionalKeyword("value")))
    return parseValue(parser);
  return parseStage(parser);
}

/// `<...>` around what `parse` reads.
static Attribute parseInBrackets(AsmParser &parser, Attribute (*parse)(AsmParser &)) {
  if (parser.parseLess())
    return {};
  Attribute attribute = parse(parser);
  return attribute && succeeded(parser.parseGreater()) ? attribute : Attribute();
}

Attribute ScheduleLoopAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets(parser, parseLoop);
}
Attribute ScheduleLoadAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets(parser, parseLoad);
}
Attribute ScheduleKeepAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets(parser, parseKeep);
}
Attribute ScheduleValueAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets(parser, parseValue);
}
Attribute ScheduleStageAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets(parser, parseStage);
}

Attribute ScheduleStripsAttr::parse(AsmParser &parser, Type) {
  return parseInBrackets(parser, parseStrips);
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SmallVector<Attribute> body;
  int64_t cycles = 0;
  if (parser.parseLess() || parseBody(parser, body) ||
      (succeeded(parser.parseOptionalKeyword("cycles")) && parser.parseInteger(cycles)))
    return {};
  // Earlier versions wrote a claim that says nothing now.
  (void)parser.parseOptionalKeyword("tight");
  if (parser.parseGreater())
    return {};
  return parser.getChecked<ScheduleAttr>(parser.getNameLoc(), parser.getContext(),
                                         ArrayRef<Attribute>(body), cycles);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printNode(AsmPrinter &printer, Attribute node);

static void printBody(AsmPrinter &printer, ArrayRef<Attribute> body) {
  printer << '{';
  llvm::interleaveComma(body, printer.getStream(),
                        [&](Attribute node) { printNode(printer, node); });
  printer << '}';
}

static void printDepth(AsmPrinter &printer, int64_t depth) {
  if (depth != 1)
    printer << " x" << depth;
}

static void printContents(AsmPrinter &printer, ScheduleLoopAttr loop) {
  printer << loop.getDim().getValue() << " = " << loop.getTile() << ' ';
  if (loop.getClusters() != 1)
    printer << "clusters " << loop.getClusters() << ' ';
  printBody(printer, loop.getBody());
}

static void printContents(AsmPrinter &printer, ScheduleLoadAttr load) {
  printer.printSymbolName(load.getOperand());
  printDepth(printer, load.getDepth());
}

static void printContents(AsmPrinter &printer, ScheduleKeepAttr keep) {
  printer.printSymbolName(keep.getOperand());
}

static void printContents(AsmPrinter &printer, ScheduleValueAttr value) {
  printer.printSymbolName(value.getStage());
  printer << " -> " << stringifyMemorySpace(value.getSpace());
  printDepth(printer, value.getDepth());
}

static void printContents(AsmPrinter &printer, ScheduleStageAttr stage) {
  printer.printSymbolName(stage.getStage());
  if (stage.getSpace()) {
    printer << " -> " << stringifyMemorySpace(*stage.getSpace());
    printDepth(printer, stage.getDepth());
  }
  if (stage.getSkew() != 0)
    printer << " skew " << stage.getSkew();
  if (stage.getBeginDim()) {
    printer << " begin ";
    printer.printKeywordOrString(stage.getBeginDim());
    printer << " = ";
    printSizes(printer, stage.getBegin());
  }
  if (stage.getEndDim()) {
    printer << " end ";
    printer.printKeywordOrString(stage.getEndDim());
  }
}

static void printContents(AsmPrinter &printer, ScheduleStripsAttr strips) {
  printer << strips.getAxis() << " = " << strips.getSize() << ' ';
  llvm::interleave(
      strips.getBodies(), [&](ArrayAttr body) { printBody(printer, body.getValue()); },
      [&] { printer << " then "; });
}

static void printNode(AsmPrinter &printer, Attribute node) {
  if (auto strips = dyn_cast<ScheduleStripsAttr>(node)) {
    printer << "strips ";
    printContents(printer, strips);
  } else if (auto loop = dyn_cast<ScheduleLoopAttr>(node)) {
    printer << "for ";
    printContents(printer, loop);
  } else if (auto load = dyn_cast<ScheduleLoadAttr>(node)) {
    printer << "load ";
    printContents(printer, load);
  } else if (auto keep = dyn_cast<ScheduleKeepAttr>(node)) {
    printer << "keep ";
    printContents(printer, keep);
  } else if (auto value = dyn_cast<ScheduleValueAttr>(node)) {
    printer << "value ";
    printContents(printer, value);
  } else {
    printContents(printer, cast<ScheduleStageAttr>(node));
  }
}

template <typename Node>
static void printInBrackets(AsmPrinter &printer, Node node) {
  printer << '<';
  printContents(printer, node);
  printer << '>';
}

void ScheduleLoopAttr::print(AsmPrinter &printer) const { printInBrackets(printer, *this); }
void ScheduleLoadAttr::print(AsmPrinter &printer) const { printInBrackets(printer, *this); }
void ScheduleKeepAttr::print(AsmPrinter &printer) const { printInBrackets(printer, *this); }
void ScheduleValueAttr::print(AsmPrinter &printer) const { printInBrackets(printer, *this); }
void ScheduleStageAttr::print(AsmPrinter &printer) const { printInBrackets(printer, *this); }
void ScheduleStripsAttr::print(AsmPrinter &printer) const { printInBrackets(printer, *this); }

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBody(printer, getBody());
  if (getCycles() != 0)
    printer << " cycles " << getCycles();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

static LogicalResult verifyBody(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<Attribute> body) {
  for (Attribute node : body)
    if (!llvm::isa<ScheduleLoopAttr, ScheduleLoadAttr, ScheduleKeepAttr, ScheduleValueAttr,
                   ScheduleStageAttr>(node))
      return emitError()
             << "expected loops, loads, values and stages in a schedule, or strips alone, "
                "but found "
             << node;
  return success();
}

/// Names of stages are parts of the names of operands.
static LogicalResult verifyStageName(function_ref<InFlightDiagnostic()> emitError,
                                     StringAttr name) {
  if (!name.getValue().empty() && !name.getValue().contains('.'))
    return success();
  return emitError() << "expected the name of a stage, without a dot, but found \""
                     << name.getValue() << '"';
}

static LogicalResult verifyDepth(function_ref<InFlightDiagnostic()> emitError, int64_t depth) {
  if (depth >= 1)
    return success();
  return emitError() << "expected a ring of at least one buffer but found " << depth;
}

LogicalResult ScheduleLoopAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr,
                                       int64_t tile, int64_t clusters, ArrayRef<Attribute> body) {
  if (tile < 1)
    return emitError() << "expected tiles of at least one element but found " << tile;
  if (clusters < 1)
    return emitError() << "expected at least one cluster but found " << clusters;
  return verifyBody(emitError, body);
}

static LogicalResult verifyOperandName(function_ref<InFlightDiagnostic()> emitError,
                                       StringAttr operand) {
  auto [stage, name] = operand.getValue().split('.');
  if (!stage.empty() && !name.empty() && !name.contains('.'))
    return success();
  return emitError() << "expected an operand as stage.operand but found \"" << operand.getValue()
                     << '"';
}

LogicalResult ScheduleLoadAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       StringAttr operand, int64_t depth) {
  if (failed(verifyOperandName(emitError, operand)))
    return failure();
  return verifyDepth(emitError, depth);
}

LogicalResult ScheduleKeepAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                       StringAttr operand) {
  return verifyOperandName(emitError, operand);
}

LogicalResult ScheduleValueAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                        StringAttr stage, MemorySpace, int64_t depth) {
  if (failed(verifyStageName(emitError, stage)))
    return failure();
  return verifyDepth(emitError, depth);
}

LogicalResult ScheduleStageAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                        StringAttr stage, std::optional<MemorySpace>, int64_t depth,
                                        int64_t skew, StringAttr beginDim, ArrayRef<int64_t> begin,
                                        StringAttr) {
  if (skew != 0 && skew != 1)
    return emitError() << "expected a skew of 0 or 1 but found " << skew;
  assert(!begin.empty() == bool(beginDim) && "parts are along a dimension");
  for (int64_t size : begin)
    if (size < 1)
      return emitError() << "expected parts of at least one element but found " << size;
  if (failed(verifyStageName(emitError, stage)))
    return failure();
  return verifyDepth(emitError, depth);
}

LogicalResult ScheduleStripsAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t axis,
                                         int64_t size, ArrayRef<ArrayAttr> bodies) {
  if (axis < 0)
    return emitError() << "expected strips along a dimension of the results but found " << axis;
  if (size < 1)
    return emitError() << "expected strips of at least one index but found " << size;
  if (bodies.empty())
    return emitError() << "expected the schedule of at least one strip but found none";
  for (ArrayAttr body : bodies)
    if (failed(verifyBody(emitError, body.getValue())))
      return failure();
  return success();
}

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<Attribute> body, int64_t cycles) {
  if (cycles < 0)
    return emitError() << "expected cycles that are not negative but found " << cycles;
  if (body.size() == 1 && llvm::isa<ScheduleStripsAttr>(body.front()))
    return success();
  return verifyBody(emitError, body);
}
