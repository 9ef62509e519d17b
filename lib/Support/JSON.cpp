//===- JSON.cpp - JSON that others wrote ----------------------------------===//

#include "NPU/Support/JSON.h"

#include "NPU/Support/InputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"

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

/// The number of `\uXXXX` at `position`, if there is one.
static std::optional<uint16_t> readUnit(StringRef text, size_t position) {
  StringRef escape = text.substr(position, 6);
  uint16_t unit;
  if (escape.size() < 6 || !escape.consume_front("\\u") || escape.getAsInteger(16, unit))
    return std::nullopt;
  return unit;
}

/// LLVM's parser reads pairs of UTF-16 beyond 0x1ffff as other characters; as UTF-8 it reads all.
static std::string spellPairsAsUTF8(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      result += text[i++];
      continue;
    }
    std::optional<uint16_t> high = readUnit(text, i), low = readUnit(text, i + 6);
    if (high && low && (*high & 0xfc00) == 0xd800 && (*low & 0xfc00) == 0xdc00) {
      char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
      ConvertCodePointToUTF8(0x10000 + ((*high & 0x3ff) << 10) + (*low & 0x3ff), end);
      result.append(bytes, end);
      i += 12;
      continue;
    }
    result += text.substr(i, 2);
    i += 2;
  }
  return result;
}

Expected<json::Value> npu::parseJSON(StringRef text, unsigned maxNesting) {
  if (isNestedDeeperThan(text, maxNesting))
    return createStringError("expected JSON with at most " + Twine(maxNesting) +
                             " levels of brackets, found more");
  Expected<json::Value> value =
      text.contains("\\u") ? json::parse(spellPairsAsUTF8(text)) : json::parse(text);
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
