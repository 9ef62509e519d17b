//===- ForeignAttr.cpp - attributes that are carried, not interpreted -----===//

#include "NPU/Dialect/IREE/Util/IR/ForeignAttr.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// Parses the number that `text` starts with.
static ParseResult skipNumber(DialectAsmParser &parser, StringRef text) {
  double real;
  APInt integer;
  if (text.drop_while(llvm::isDigit).starts_with("."))
    return parser.parseFloat(real);
  OptionalParseResult result = parser.parseOptionalInteger(integer);
  return result.has_value() ? *result : failure();
}

/// Parses the token that `text` starts with.
static ParseResult skipToken(DialectAsmParser &parser, StringRef text) {
  using ParseFn = ParseResult (AsmParser::*)();
  static constexpr ParseFn kPunctuation[] = {
      &AsmParser::parseOptionalArrow,       &AsmParser::parseOptionalColon,
      &AsmParser::parseOptionalComma,       &AsmParser::parseOptionalEllipsis,
      &AsmParser::parseOptionalEqual,       &AsmParser::parseOptionalGreater,
      &AsmParser::parseOptionalLBrace,      &AsmParser::parseOptionalLess,
      &AsmParser::parseOptionalLParen,      &AsmParser::parseOptionalLSquare,
      &AsmParser::parseOptionalMinus,       &AsmParser::parseOptionalPlus,
      &AsmParser::parseOptionalQuestion,    &AsmParser::parseOptionalRBrace,
      &AsmParser::parseOptionalRParen,      &AsmParser::parseOptionalRSquare,
      &AsmParser::parseOptionalSlash,       &AsmParser::parseOptionalStar,
      &AsmParser::parseOptionalVerticalBar,
  };
  if (llvm::any_of(kPunctuation, [&](ParseFn parse) { return succeeded((parser.*parse)()); }))
    return success();
  if (llvm::isDigit(text.front()))
    return skipNumber(parser, text);
  std::string string;
  StringAttr symbol;
  StringRef keyword;
  return success(succeeded(parser.parseOptionalString(&string)) ||
                 succeeded(parser.parseOptionalSymbolName(symbol)) ||
                 succeeded(parser.parseOptionalKeyword(&keyword)));
}

FailureOr<SmallVector<Attribute>> npu::parseForeignPieces(DialectAsmParser &parser) {
  StringRef spec = parser.getFullSymbolSpec();
  auto getRest = [&] {
    const char *next = parser.getCurrentLocation().getPointer();
    return next < spec.end() ? StringRef(next, spec.end() - next) : StringRef();
  };
  SmallVector<Attribute> pieces;
  Builder &builder = parser.getBuilder();
  const char *textBegin = spec.begin();
  for (StringRef rest = getRest(); !rest.empty(); rest = getRest()) {
    // Maps have aliases, too, and are then printed by them.
    bool isAttribute = rest.front() == '#' || rest.starts_with("affine_map<");
    if (!isAttribute && rest.front() != '!') {
      if (failed(skipToken(parser, rest)))
        return failure();
      continue;
    }
    pieces.push_back(builder.getStringAttr(StringRef(textBegin, rest.begin() - textBegin)));
    if (isAttribute) {
      if (parser.parseAttribute(pieces.emplace_back()))
        return failure();
    } else {
      Type type;
      if (parser.parseType(type))
        return failure();
      pieces.push_back(TypeAttr::get(type));
    }
    // The next token is known, not where this one ended.
    textBegin = std::min(parser.getCurrentLocation().getPointer(), spec.end());
    while (llvm::isSpace(textBegin[-1]))
      --textBegin;
  }
  pieces.push_back(builder.getStringAttr(StringRef(textBegin, spec.end() - textBegin)));
  return pieces;
}

int64_t npu::getMappedDimension(StringRef text) {
  StringRef parameter = text.split('<').second;
  int64_t dimension;
  if (!parameter.consumeInteger(10, dimension))
    return dimension;
  return parameter.starts_with("y") ? 1 : parameter.starts_with("z") ? 2 : 0;
}

void npu::printForeignPieces(DialectAsmPrinter &printer, ArrayRef<Attribute> pieces) {
  for (auto [index, piece] : llvm::enumerate(pieces)) {
    if (index % 2 == 0)
      printer.getStream() << cast<StringAttr>(piece).getValue();
    else
      printer.printAttribute(piece);
  }
}
