//===- Nesting.cpp - how deep input may be nested -------------------------===//

#include "NPU/Support/Nesting.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
/// Follows the brackets of a text. Knows no grammar: what it takes for a bracket and is none closes
/// with the next bracket around it.
class NestingScanner {
public:
  explicit NestingScanner(StringRef text) : text(text) {}

  /// Where the text is nested too deep; null if nowhere.
  const char *findTooDeep();

private:
  bool isTooDeep(size_t depth) {
    aliasDepth = std::max(aliasDepth, depth);
    return depth > npu::kMaxNesting;
  }
  void skipString();
  void skipComment();
  void close(char opener);
  /// Follows `#name` or `!name`: the definition of an alias or what may be the use of one.
  bool isAliasTooDeep();

  StringRef text;
  size_t pos = 0;
  SmallVector<char> open;
  /// How deep the aliases are that were defined so far, and the one that is being defined.
  StringMap<size_t> aliasDepths;
  StringRef alias;
  size_t aliasDepth = 0;
  /// Signs in front of an affine expression nest as well.
  size_t numSigns = 0;
};
} // namespace

void NestingScanner::skipString() {
  for (++pos; pos < text.size() && text[pos] != '"' && text[pos] != '\n'; ++pos)
    if (text[pos] == '\\')
      ++pos;
}

void NestingScanner::skipComment() {
  // What was left open before a split is of no concern after it.
  if (text.substr(pos).starts_with("// -----"))
    open.clear();
  pos = std::min(text.find('\n', pos), text.size());
}

void NestingScanner::close(char opener) {
  if (opener != '<')
    while (!open.empty() && open.back() == '<')
      open.pop_back();
  if (!open.empty() && open.back() == opener)
    open.pop_back();
}

bool NestingScanner::isAliasTooDeep() {
  auto isNamePart = [](char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.'; };
  StringRef name =
      text.substr(pos).take_front(1 + text.substr(pos + 1).take_while(isNamePart).size());
  pos += name.size() - 1;
  if (text.substr(pos + 1).ltrim(' ').starts_with("=")) {
    aliasDepths[alias] = aliasDepth;
    alias = name;
    aliasDepth = 0;
    return false;
  }
  auto it = aliasDepths.find(name);
  return it != aliasDepths.end() && isTooDeep(open.size() + it->second + 1);
}

const char *NestingScanner::findTooDeep() {
  for (; pos < text.size(); ++pos) {
    char c = text[pos];
    char next = pos + 1 < text.size() ? text[pos + 1] : '\0';
    if (c == '-' && next != '>') {
      if (isTooDeep(open.size() + ++numSigns))
        return text.data() + pos;
      continue;
    }
    if (c != ' ')
      numSigns = 0;
    switch (c) {
    case '"':
      skipString();
      break;
    case '/':
      if (next == '/')
        skipComment();
      break;
    case '-': // An arrow is not a bracket,
      ++pos;
      break;
    case '<':
    case '>': // nor is a comparison.
      if (next == '=') {
        ++pos;
        break;
      }
      if (c == '>') {
        close('<');
        break;
      }
      [[fallthrough]];
    case '(':
    case '[':
    case '{':
      open.push_back(c);
      if (isTooDeep(open.size()))
        return text.data() + pos;
      break;
    case ')':
      close('(');
      break;
    case ']':
      close('[');
      break;
    case '}':
      close('{');
      break;
    case '#':
    case '!': {
      const char *start = text.data() + pos;
      if (isAliasTooDeep())
        return start;
      break;
    }
    default:
      break;
    }
  }
  return nullptr;
}

bool npu::checkNesting(MemoryBufferRef buffer, raw_ostream &os) {
  if (buffer.getBuffer().starts_with("ML\xefR"))
    return true;
  const char *place = NestingScanner(buffer.getBuffer()).findTooDeep();
  if (!place)
    return true;
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(buffer), SMLoc());
  sources.PrintMessage(os, SMLoc::getFromPointer(place), SourceMgr::DK_Error,
                       "expected at most " + Twine(kMaxNesting) +
                           " levels of nested regions, attributes, types or locations");
  return false;
}
