//===- TokenEditor.cpp - edits of MLIR text, token by token ----------------===//

#include "TokenEditor.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace npu::iree;

static bool isWordChar(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.'; }

/// The length of the string that `text` starts with, quotes included.
static size_t getStringLength(StringRef text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

static size_t getTokenLength(StringRef text) {
  if (text.front() == '"')
    return getStringLength(text);
  for (StringRef punctuation : {"->", "=>", ">=", "<=", "=="})
    if (text.starts_with(punctuation))
      return punctuation.size();
  if (text.starts_with("@\""))
    return 1 + getStringLength(text.drop_front());
  size_t sigil = StringRef("%@#!^").contains(text.front()) ? 1 : 0;
  StringRef word = text.drop_front(sigil).take_while(isWordChar);
  return word.empty() ? 1 : sigil + word.size();
}

TokenEditor::TokenEditor(StringRef text, StringRef fileName)
    : text(text), fileName(fileName), copied(text.begin()) {
  for (StringRef rest = text.ltrim(); !rest.empty(); rest = rest.ltrim()) {
    if (rest.starts_with("//")) {
      rest = rest.drop_until([](char c) { return c == '\n'; });
      continue;
    }
    size_t length = getTokenLength(rest);
    tokens.push_back(rest.take_front(length));
    rest = rest.drop_front(length);
  }
}

StringRef TokenEditor::getText(size_t begin, size_t end) const {
  if (begin >= end || begin >= tokens.size())
    return {};
  return StringRef(tokens[begin].begin(),
                   tokens[std::min(end, size()) - 1].end() - tokens[begin].begin());
}

size_t TokenEditor::skipBrackets(size_t index) const {
  unsigned depth = 0;
  for (; index < size(); ++index) {
    StringRef token = tokens[index];
    if (token.size() != 1)
      continue;
    if (StringRef("<([{").contains(token))
      ++depth;
    else if (StringRef(">)]}").contains(token) && --depth == 0)
      return index + 1;
  }
  return size();
}

size_t TokenEditor::skipAttribute(size_t index) const {
  StringRef first = (*this)[index];
  if (StringRef("<([{").contains(first))
    return skipBrackets(index);
  bool hasBody = (first.starts_with("#") || first.starts_with("!")) && is(index + 1, "<");
  return hasBody ? skipBrackets(index + 1) : std::min(index + 1, size());
}

void TokenEditor::replace(size_t begin, size_t end, const Twine &replacement) {
  // Only text that breaks off or whose brackets do not match asks for such an edit. The parser
  // says what is wrong with it.
  if (begin > end || end > size() || getBegin(begin) < copied)
    return;
  result.append(copied, getBegin(begin));
  result += replacement.str();
  copied = begin == end ? getBegin(begin) : tokens[end - 1].end();
}

std::string TokenEditor::take() {
  result.append(copied, text.end());
  copied = text.end();
  return std::move(result);
}

Error TokenEditor::makeError(size_t index, const Twine &message) const {
  StringRef before(text.begin(), getBegin(index) - text.begin());
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return createStringError(fileName + ":" + Twine(line) + ":" + Twine(column) +
                           ": error: " + message);
}
