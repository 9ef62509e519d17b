//===- AssemblyParser.cpp - text to programs ------------------------------===//
//
// Operands stand in the order of the instruction's definition and are recognized by their names, so
// one visitor over the generated fields parses every instruction.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "NPU/Target/Assembly/Assembly.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ISA/Codec.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace npu::isa;

namespace {
/// Parses one file. Every parse function returns false after the first error, which it records.
class Parser {
public:
  Parser(StringRef text, StringRef fileName) : lexer(text), fileName(fileName) {}

  Expected<Program> parse();

  //===--------------------------------------------------------------------===//
  // Visitor over an instruction's fields
  //===--------------------------------------------------------------------===//

  template <typename G>
  void part(StringLiteral name, unsigned, G &group) {
    if (hasFailed())
      return;
    if constexpr (std::is_same_v<G, Sync>) {
      parseSync(group);
    } else if constexpr (std::is_same_v<G, LoopCount>) {
      parseInteger(group.trips);
    } else if constexpr (G::hasCustomSyntax) {
      if (takeName(name))
        parseCustom(group);
      else
        fail("expected operand '" + name + "'");
    } else if (takeName(name)) {
      parseBraces(group);
    }
  }
  template <typename G>
  void repeated(StringLiteral name, unsigned, unsigned, SmallVector<G, 0> &entries) {
    if (hasFailed() || !takeName(name) || !expect("["))
      return;
    do {
      entries.emplace_back();
      parseBraces(entries.back());
    } while (!hasFailed() && lexer.takeIf(","));
    expect("]");
  }
  void unsignedField(const FieldInfo &info, int64_t &value) { signedField(info, value); }
  void signedField(const FieldInfo &info, int64_t &value) {
    if (takeName(info.name))
      parseInteger(value);
  }
  void affineField(const FieldInfo &info, Affine &value) {
    if (takeName(info.name))
      parseAffine(value);
  }
  void floatField(const FieldInfo &info, float &value) {
    if (takeName(info.name))
      parseFloat(value);
  }
  void flagField(const FieldInfo &info, bool &value) {
    int64_t number = 0;
    if (!takeName(info.name) || !parseInteger(number))
      return;
    if (number != 0 && number != 1)
      fail("expected 0 or 1 for flag '" + info.name + "'");
    value = number == 1;
  }
  void countersField(const FieldInfo &info, CounterSet &value) {
    if (takeName(info.name))
      parseCounters(value);
  }
  template <typename E>
  void enumField(const FieldInfo &info, E &value) {
    if (takeName(info.name))
      parseEnum(value);
  }
  void reserved(unsigned, unsigned, unsigned) {}

private:
  //===--------------------------------------------------------------------===//
  // Groups with a syntax of their own
  //===--------------------------------------------------------------------===//

  bool parseCustom(Extent &extent) {
    if (!lexer.takeIf("clamp")) {
      if (!parseInteger(extent.full))
        return false;
      extent.limit = extent.full;
      return true;
    }
    return expect("(") && parseAffine(extent.limit) && expect(",") && parseInteger(extent.full) &&
           expect(")");
  }
  bool parseCustom(Address &address) {
    address.depth = 1;
    if (!parseEnum(address.space) || !expect("[") || !parseAffine(address.base))
      return false;
    if (lexer.takeIf(",") &&
        !(expect("ring") && expect("(") && parseAffine(address.position) && expect(",") &&
          expect("depth") && expect("=") && parseInteger(address.depth) && expect(",") &&
          expect("slot") && expect("=") && parseInteger(address.slot_bytes) && expect(")")))
      return false;
    return expect("]");
  }
  template <typename G>
  bool parseAccumulation(G &group) {
    return parseEnum(group.mode) &&
           (group.mode != AccumulateMode::Unless || parseCounters(group.counters));
  }
  bool parseCustom(Accumulate &accumulate) {
    accumulate.start.depth = 1;
    if (!parseEnum(accumulate.type) || !parseAccumulation(accumulate))
      return false;
    accumulate.biased = lexer.takeIf("start");
    return !accumulate.biased || (expect("(") && parseCustom(accumulate.start) && expect(")"));
  }
  bool parseCustom(Reduction &reduction) {
    return parseEnum(reduction.kind) && parseAccumulation(reduction);
  }
  bool parseCustom(VectorOperand &operand) {
    return parseEnum(operand.type) && parseCustom(operand.at) && expect("strides") && expect("(") &&
           parseInteger(operand.stride0) && expect(",") && parseInteger(operand.stride1) &&
           expect(",") && parseInteger(operand.stride2) && expect(",") &&
           parseInteger(operand.stride3) && expect(")");
  }
  bool parseCustom(Shape &shape) {
    return expect("[") && parseCustom(shape.d0) && expect(",") && parseCustom(shape.d1) &&
           expect(",") && parseCustom(shape.d2) && expect(",") && parseCustom(shape.d3) &&
           expect("]");
  }
  bool parseSync(Sync &sync) {
    if (lexer.takeIf("wait")) {
      if (!expect("(") || !parseSemaphore(sync.wait0) || !expect(">=") || !parseAffine(sync.value0))
        return false;
      if (lexer.takeIf(",") &&
          !(parseSemaphore(sync.wait1) && expect(">=") && parseAffine(sync.value1)))
        return false;
      if (!expect(")"))
        return false;
    }
    if (!lexer.takeIf("signal"))
      return true;
    return expect("(") && parseSemaphore(sync.signal0) &&
           (!lexer.takeIf(",") || parseSemaphore(sync.signal1)) && expect(")");
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  bool parseInteger(int64_t &value) {
    bool isNegative = lexer.takeIf("-");
    uint64_t magnitude;
    if (lexer.peek().kind != Token::Number || lexer.peek().text.getAsInteger(0, magnitude) ||
        magnitude > uint64_t(1) << 62)
      return fail("expected an integer, found '" + lexer.peek().text + "'");
    lexer.take();
    value = isNegative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
    return true;
  }

  bool parseFloat(float &value) {
    bool isNegative = lexer.takeIf("-");
    StringRef text = lexer.peek().text;
    uint32_t bits;
    APFloat parsed(APFloat::IEEEsingle());
    if (text.starts_with("0x") && !text.getAsInteger(0, bits)) {
      value = bit_cast<float>(bits);
    } else {
      auto status = parsed.convertFromString(text, APFloat::rmNearestTiesToEven);
      if (lexer.peek().kind != Token::Number || !status) {
        consumeError(status.takeError());
        return fail("expected a number, found '" + text + "'");
      }
      value = parsed.convertToFloat();
    }
    if (isNegative)
      value = -value;
    lexer.take();
    return true;
  }

  bool parseCounter(unsigned &counter) {
    StringRef text = lexer.peek().text;
    if (lexer.peek().kind != Token::Identifier || !text.consume_front("i") ||
        text.getAsInteger(10, counter) || counter >= maxLoopDepth)
      return fail("expected a loop counter i0 to i5, found '" + lexer.peek().text + "'");
    lexer.take();
    return true;
  }

  /// `130 - 64*i0 + i1`, the constant and each counter at most once.
  bool parseAffine(Affine &value) {
    bool isFirst = true, hasConstant = false;
    CounterSet seen = 0;
    while (true) {
      bool isNegative = lexer.takeIf("-");
      if (!isNegative && !isFirst && !lexer.takeIf("+"))
        return true;
      int64_t factor = 1;
      bool hasNumber = lexer.peek().kind == Token::Number;
      if (hasNumber && !parseInteger(factor))
        return false;
      if (hasNumber && !lexer.takeIf("*")) {
        if (hasConstant)
          return fail("expected '*' and a loop counter: there is a constant already");
        hasConstant = true;
        value.base = isNegative ? -factor : factor;
      } else {
        unsigned counter;
        if (!parseCounter(counter))
          return false;
        if (seen >> counter & 1)
          return fail("counter i" + Twine(counter) + " occurs twice");
        seen |= 1u << counter;
        value.coefficients[counter] = isNegative ? -factor : factor;
      }
      isFirst = false;
    }
  }

  bool parseCounters(CounterSet &counters) {
    if (!expect("("))
      return false;
    do {
      unsigned counter;
      if (!parseCounter(counter))
        return false;
      counters |= 1u << counter;
    } while (lexer.takeIf(","));
    return expect(")");
  }

  bool parseSemaphore(int64_t &semaphore) {
    constexpr int64_t last = Sync::Fields::wait0.getMax();
    StringRef text = lexer.peek().text;
    if (lexer.peek().kind != Token::Identifier || !text.consume_front("s") ||
        text.getAsInteger(10, semaphore) || semaphore < 1 || semaphore > last)
      return fail("expected a semaphore s1 to s" + Twine(last) + ", found '" + lexer.peek().text +
                  "'");
    lexer.take();
    return true;
  }

  template <typename E>
  bool parseEnum(E &value) {
    std::optional<E> parsed;
    if (lexer.peek().kind == Token::Identifier)
      parsed = fromString<E>(lexer.peek().text);
    if (!parsed)
      return fail(
          "expected one of " +
          join(map_range(EnumTraits<E>::cases, [](const EnumCase<E> &c) { return c.name.str(); }),
               ", ") +
          "; found '" + lexer.peek().text + "'");
    lexer.take();
    value = *parsed;
    return true;
  }

  bool parseString(std::string &value) {
    if (lexer.peek().kind != Token::String)
      return fail("expected a string in quotes, found '" + lexer.peek().text + "'");
    StringRef text = lexer.peek().text;
    value.clear();
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        value += text[i];
      } else if (text.substr(i + 1).starts_with("\\")) {
        value += '\\';
        ++i;
      } else if (i + 2 < text.size() && isHexDigit(text[i + 1]) && isHexDigit(text[i + 2])) {
        value += static_cast<char>(hexFromNibbles(text[i + 1], text[i + 2]));
        i += 2;
      } else {
        return fail("expected '\\\\' or two hexadecimal digits after '\\'");
      }
    }
    lexer.take();
    return true;
  }

  template <typename G>
  bool parseBraces(G &group) {
    if (!expect("{"))
      return false;
    bool outer = hasOperand;
    hasOperand = false;
    G::visit(*this, group);
    hasOperand = outer;
    if (hasFailed())
      return false;
    if (lexer.peek().is("}")) {
      lexer.take();
      return true;
    }
    return fail("unknown, repeated or misplaced field '" + takeComma() + "'");
  }

  /// Consumes `name=`, with the comma before it when it is not the first operand.
  bool takeName(StringRef name) {
    if (hasFailed())
      return false;
    Lexer saved = lexer;
    if ((!hasOperand || lexer.takeIf(",")) && lexer.takeIf(name) && lexer.takeIf("=")) {
      hasOperand = true;
      return true;
    }
    lexer = saved;
    return false;
  }

  /// The text of the next token, skipping a comma, for messages.
  std::string takeComma() {
    lexer.takeIf(",");
    return lexer.peek().text.str();
  }

  //===--------------------------------------------------------------------===//
  // Statements
  //===--------------------------------------------------------------------===//

  bool parseRegion();
  bool parseData();
  bool parseSourceEntry();
  bool parseStream();
  bool parseInstruction(Stream &stream);

  bool expect(StringRef text) {
    return lexer.takeIf(text) || fail("expected '" + text + "', found '" + lexer.peek().text + "'");
  }
  bool hasFailed() const { return !message.empty(); }
  bool fail(const Twine &what) {
    if (message.empty()) {
      auto [line, column] = lexer.getLocation();
      message = formatv("{0}:{1}:{2}: error: {3}", fileName, line, column, what.str()).str();
    }
    return false;
  }

  Lexer lexer;
  StringRef fileName;
  Program program;
  std::vector<std::vector<uint8_t>> regionData; ///< of each region, which comes in several lines
  bool hasOperand = false; ///< an operand or field was parsed at this nesting level
  std::string message;
};
} // namespace

bool Parser::parseInstruction(Stream &stream) {
  const char *place = lexer.peek().text.begin();
  std::optional<Instruction> instruction = makeInstruction(lexer.peek().text);
  if (lexer.peek().kind != Token::Identifier || !instruction)
    return fail("expected an instruction or a directive, found '" + lexer.peek().text + "'");
  StringRef mnemonic = lexer.take().text;
  hasOperand = false;
  std::visit(
      [&](auto &held) {
        std::decay_t<decltype(held)>::visit(*this, held);
        if (takeName("source"))
          parseInteger(held.source);
      },
      *instruction);
  if (hasFailed())
    return false;
  if (lexer.peek().is(","))
    return fail("unknown, repeated or misplaced operand '" + takeComma() + "' of '" + mnemonic +
                "'");
  if (Error error = checkInstruction(*instruction)) {
    auto [line, column] = lexer.getLocation(place);
    message =
        formatv("{0}:{1}:{2}: error: {3}", fileName, line, column, llvm::toString(std::move(error)))
            .str();
    return false;
  }
  stream.code.push_back(std::move(*instruction));
  return true;
}

bool Parser::parseRegion() {
  int64_t number;
  Region region;
  if (!parseInteger(number))
    return false;
  if (number != int64_t(program.regions.size()))
    return fail("expected region " + Twine(program.regions.size()) +
                ": regions are numbered in order");
  if (!parseEnum(region.kind) || !parseString(region.name) || !parseInteger(region.bytes))
    return false;
  program.regions.push_back(std::move(region));
  regionData.emplace_back();
  return true;
}

bool Parser::parseData() {
  int64_t number;
  std::string text, bytes;
  if (!parseInteger(number))
    return false;
  if (number + 1 != int64_t(program.regions.size()))
    return fail("expected the data of the region just declared");
  if (!parseString(text))
    return false;
  if (!tryGetFromHex(text, bytes) || text.size() % 2)
    return fail("expected pairs of hexadecimal digits");
  llvm::append_range(regionData.back(), bytes);
  return true;
}

bool Parser::parseSourceEntry() {
  int64_t number;
  std::string text;
  if (!parseInteger(number))
    return false;
  if (number != int64_t(program.sources.size() + 1))
    return fail("expected source " + Twine(program.sources.size() + 1) +
                ": sources are numbered in order from 1");
  if (!parseString(text))
    return false;
  program.sources.push_back(std::move(text));
  return true;
}

bool Parser::parseStream() {
  Stream stream;
  if (!parseInteger(stream.cluster) || !parseEnum(stream.engine))
    return false;
  while (lexer.peek().kind != Token::End && !lexer.peek().text.starts_with("."))
    if (!parseInstruction(stream))
      return false;
  program.streams.push_back(std::move(stream));
  return true;
}

Expected<Program> Parser::parse() {
  auto makeError = [&](const Twine &text) {
    return createStringError(inconvertibleErrorCode(), text);
  };
  bool hasTarget = false;
  while (!hasFailed() && lexer.peek().kind != Token::End) {
    // Another program would change the name and the target of this one.
    if ((lexer.peek().is(".kernel") && !program.name.empty()) ||
        (lexer.peek().is(".target") && hasTarget)) {
      fail("expected one program, found another " + lexer.peek().text +
           "; npu-translate --split-input-file reads several, one after the other");
    } else if (lexer.takeIf(".kernel"))
      parseString(program.name);
    else if (lexer.peek().is(".target")) {
      Lexer place = lexer;
      lexer.take();
      if (!parseString(program.target))
        break;
      hasTarget = true;
      if (auto target = npu::parseTarget(program.target); !target) {
        lexer = place;
        fail(llvm::toString(target.takeError()));
      }
    } else if (lexer.takeIf(".region"))
      parseRegion();
    else if (lexer.takeIf(".data"))
      parseData();
    else if (lexer.takeIf(".source"))
      parseSourceEntry();
    else if (lexer.takeIf(".stream"))
      parseStream();
    else
      fail("expected .kernel, .target, .region, .data, .source or .stream, found '" +
           lexer.peek().text + "'");
  }
  if (!hasFailed() && !hasTarget)
    fail("expected a .target directive");
  if (hasFailed())
    return makeError(message);
  for (auto [region, data] : llvm::zip_equal(program.regions, regionData))
    region.data = std::move(data);
  if (Error error = checkProgram(program))
    return makeError(fileName + ":1:1: error: " + llvm::toString(std::move(error)));
  return std::move(program);
}

Expected<Program> npu::isa::parseAssembly(StringRef text, StringRef fileName) {
  return Parser(text, fileName).parse();
}
