//===- EscapeText.cpp - text of files, where people and programs read it --===//

#include "NPU/Support/EscapeText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

#include <optional>

using namespace llvm;

namespace {
/// A character of UTF-8 and its bytes; no character if it is a byte that begins none.
struct Character {
  std::optional<UTF32> code;
  size_t size = 1;
};
} // namespace

static Character readCharacter(StringRef text) {
  size_t size = getNumBytesForUTF8(UTF8(text.front()));
  if (size > text.size())
    return {};
  auto *begin = reinterpret_cast<const UTF8 *>(text.data());
  UTF32 code;
  if (convertUTF8Sequence(&begin, begin + size, &code, strictConversion) != conversionOK)
    return {};
  return {code, size};
}

static bool isPrintable(const Character &character) {
  return character.code && sys::unicode::isPrintable(int(*character.code));
}

static std::string spell(char prefix, UTF32 code, unsigned width) {
  return std::string("\\") + prefix + utohexstr(code, /*LowerCase=*/true, width);
}

static std::string escape(StringRef text, bool keepsLines) {
  std::string result;
  while (!text.empty()) {
    Character character = readCharacter(text);
    StringRef bytes = text.take_front(character.size);
    text = text.drop_front(character.size);
    if (isPrintable(character) || (keepsLines && bytes == "\n"))
      result += bytes;
    else if (bytes == "\n")
      result += "\\n";
    else if (bytes == "\t")
      result += "\\t";
    else if (bytes == "\r")
      result += "\\r";
    else if (!character.code || *character.code < 0x80)
      result += spell('x', uint8_t(bytes.front()), 2);
    else
      result += *character.code <= 0xffff ? spell('u', *character.code, 4)
                                          : spell('U', *character.code, 8);
  }
  return result;
}

std::string npu::escapeText(StringRef text) { return escape(text, /*keepsLines=*/false); }

std::string npu::escapeLines(StringRef text) { return escape(text, /*keepsLines=*/true); }

std::string npu::makeCSVField(StringRef text) {
  std::string field = "\"";
  if (!text.empty() && StringRef("=+-@").contains(text.front()))
    field += '\'';
  for (char c : escapeText(text))
    field += c == '"' ? "\"\"" : std::string(1, c);
  return field + '"';
}

std::string npu::escapeJSON(StringRef json) {
  std::string result;
  while (!json.empty()) {
    Character character = readCharacter(json);
    StringRef bytes = json.take_front(character.size);
    json = json.drop_front(character.size);
    UTF32 code = character.code.value_or(UNI_REPLACEMENT_CHAR);
    if (isPrintable(character) || (code < 0x20 && isSpace(char(code))))
      result += bytes; // the spaces between values
    else if (code <= 0xffff)
      result += spell('u', code, 4);
    else
      // A pair of UTF-16.
      result += spell('u', 0xd800 + ((code - 0x10000) >> 10), 4) +
                spell('u', 0xdc00 + ((code - 0x10000) & 0x3ff), 4);
  }
  return result;
}

raw_ostream &npu::EscapingStream::changeColor(enum Colors colors, bool isBold, bool isBackground) {
  os.changeColor(colors, isBold, isBackground);
  return *this;
}

raw_ostream &npu::EscapingStream::resetColor() {
  os.resetColor();
  return *this;
}

raw_ostream &npu::EscapingStream::reverseColor() {
  os.reverseColor();
  return *this;
}

void npu::EscapingStream::write_impl(const char *data, size_t size) {
  os << escapeLines(StringRef(data, size));
  position += size;
}
