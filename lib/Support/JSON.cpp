//===- JSON.cpp - JSON that others wrote ----------------------------------===//

#include "NPU/Support/JSON.h"

using namespace llvm;

/// Whether brackets outside of strings nest deeper than `limit`.
static bool isNestedDeeperThan(StringRef text, unsigned limit) {
  unsigned depth = 0;
  bool isInString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isInString && c == '\\')
      ++i;
    else if (c == '"')
      isInString = !isInString;
    else if (!isInString && (c == '[' || c == '{') && ++depth > limit)
      return true;
    else if (!isInString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

Expected<json::Value> npu::parseJSON(StringRef text, unsigned maxNesting) {
  if (isNestedDeeperThan(text, maxNesting))
    return createStringError("expected JSON with at most " + Twine(maxNesting) +
                             " levels of brackets, found more");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return createStringError("expected JSON: " + toString(value.takeError()));
  return value;
}

std::optional<StringRef> npu::findOtherMember(const json::Object &object,
                                              ArrayRef<StringRef> known) {
  std::optional<StringRef> first;
  for (const auto &[key, member] : object)
    if (StringRef name = key; !is_contained(known, name) && (!first || name < *first))
      first = name;
  return first;
}
