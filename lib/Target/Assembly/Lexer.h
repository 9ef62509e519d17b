//===- Lexer.h - tokens of assembly text ----------------------------------===//

#ifndef NPU_LIB_TARGET_ASSEMBLY_LEXER_H
#define NPU_LIB_TARGET_ASSEMBLY_LEXER_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace npu::isa {

struct Token {
  enum Kind { End, Identifier, Number, String, Punctuation, Invalid };
  Kind kind = End;
  llvm::StringRef text; ///< the characters; of a string without its quotes

  bool is(llvm::StringRef expected) const {
    return (kind == Identifier || kind == Punctuation) && text == expected;
  }
};

/// Splits text into tokens with one token of look-ahead. White space and `//` comments separate
/// tokens.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text), rest(text) { advance(); }

  const Token &peek() const { return token; }
  Token take() {
    Token result = token;
    advance();
    return result;
  }
  bool takeIf(llvm::StringRef expected) {
    bool matches = token.is(expected);
    if (matches)
      advance();
    return matches;
  }

  /// Line and column, from 1, of a place in the text.
  std::pair<unsigned, unsigned> getLocation(const char *place) const {
    llvm::StringRef before = text.take_front(place - text.begin());
    return {static_cast<unsigned>(before.count('\n') + 1),
            static_cast<unsigned>(before.size() - (before.rfind('\n') + 1) + 1)};
  }
  std::pair<unsigned, unsigned> getLocation() const {
    return getLocation(token.kind == Token::String ? token.text.begin() - 1 : token.text.begin());
  }

private:
  void advance() {
    skipSpace();
    if (rest.empty()) {
      token = {Token::End, text.take_back(0)};
      return;
    }
    char first = rest.front();
    if (first == '"')
      return lexString();
    if (llvm::isDigit(first)) {
      // `1e-5` and `0x1f` are one token; so is the sign of an exponent.
      size_t length = 1;
      bool isHex = rest.starts_with("0x");
      while (length < rest.size() &&
             (llvm::isAlnum(rest[length]) || rest[length] == '.' ||
              ((rest[length] == '-' || rest[length] == '+') && !isHex && rest[length - 1] == 'e')))
        ++length;
      return set(Token::Number, length);
    }
    if (llvm::isAlpha(first) || first == '_' || first == '.') {
      size_t length = 1;
      while (length < rest.size() &&
             (llvm::isAlnum(rest[length]) || rest[length] == '_' || rest[length] == '.'))
        ++length;
      return set(Token::Identifier, length);
    }
    if (rest.starts_with(">="))
      return set(Token::Punctuation, 2);
    set(llvm::StringRef("(){}[],=*+-").contains(first) ? Token::Punctuation : Token::Invalid, 1);
  }

  void lexString() {
    size_t length = 1;
    while (length < rest.size() && rest[length] != '"' && rest[length] != '\n')
      ++length;
    if (length == rest.size() || rest[length] != '"')
      return set(Token::Invalid, length);
    token = {Token::String, rest.slice(1, length)};
    rest = rest.drop_front(length + 1);
  }

  void set(Token::Kind kind, size_t length) {
    token = {kind, rest.take_front(length)};
    rest = rest.drop_front(length);
  }

  void skipSpace() {
    while (true) {
      rest = rest.ltrim();
      if (!rest.starts_with("//"))
        return;
      rest = rest.drop_front(std::min(rest.find('\n'), rest.size()));
    }
  }

  llvm::StringRef text, rest;
  Token token;
};

} // namespace npu::isa

#endif // NPU_LIB_TARGET_ASSEMBLY_LEXER_H
