//===- JSON.cpp - JSON that others wrote ----------------------------------===//

#include "NPU/Support/JSON.h"

#include "NPU/Support/InputFile.h"

#include "llvm/ADT/STLExtras.h"

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

/// Where a string or the name of a member has a zero, with which strings of C and names of files
/// end; nothing if none has.
static std::optional<std::string> findZero(const json::Value &value, const std::string &path) {
  if (std::optional<StringRef> text = value.getAsString())
    return text->contains('\0') ? std::optional(path) : std::nullopt;
  if (const json::Array *array = value.getAsArray())
    for (auto [index, element] : enumerate(*array))
      if (auto found = findZero(element, path + "[" + std::to_string(index) + "]"))
        return found;
  if (const json::Object *object = value.getAsObject())
    for (const auto &[key, member] : *object) {
      StringRef name = key;
      if (name.contains('\0'))
        return "the name of a member of " + path;
      if (auto found = findZero(member, path == "$" ? name.str() : path + "." + name.str()))
        return found;
    }
  return std::nullopt;
}

Expected<json::Value> npu::parseJSON(StringRef text, unsigned maxNesting) {
  if (isNestedDeeperThan(text, maxNesting))
    return createStringError("expected JSON with at most " + Twine(maxNesting) +
                             " levels of brackets, found more");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return createStringError("expected JSON: " + toString(value.takeError()));
  if (text.contains("\\u0000"))
    if (std::optional<std::string> path = findZero(*value, "$"))
      return createStringError("expected strings without the character \\u0000, found one in " +
                               *path);
  return value;
}

Error npu::checkReadableJSON(StringRef text) {
  if (text.size() > maxJSONBytes)
    return createStringError("expected JSON of at most " + Twine(maxJSONBytes) +
                             " bytes, which its readers take, found " + Twine(text.size()));
  return parseJSON(text).takeError();
}

std::optional<StringRef> npu::findOtherMember(const json::Object &object,
                                              ArrayRef<StringRef> known) {
  std::optional<StringRef> first;
  for (const auto &[key, member] : object)
    if (StringRef name = key; !is_contained(known, name) && (!first || name < *first))
      first = name;
  return first;
}
