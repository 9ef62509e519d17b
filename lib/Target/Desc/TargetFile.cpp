//===- TargetFile.cpp - chips in files ------------------------------------===//

#include "NPU/Target/Desc/TargetFile.h"

#include "NPU/Support/ByteSize.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/JSON.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace llvm;
using namespace npu;

static constexpr char nameKey[] = "name", baseKey[] = "base";

static std::string toText(const json::Value &value) {
  std::string text = formatv("{0}", value);
  return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

/// The member whose name is most like `name`.
static StringRef findNearest(StringRef name) {
  StringRef nearest = nameKey;
  auto consider = [&](StringRef other) {
    if (name.edit_distance_insensitive(other) < name.edit_distance_insensitive(nearest))
      nearest = other;
  };
  consider(baseKey);
  for (const TargetParameter &parameter : getTargetParameters())
    consider(parameter.name);
  return nearest;
}

/// The line of a key of the outermost object in a text that is JSON; 0 if the text has another
/// spelling of it.
static unsigned findLine(StringRef text, StringRef key) {
  unsigned depth = 0;
  for (size_t position = 0; position < text.size(); ++position) {
    char c = text[position];
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
    if (c != '"')
      continue;
    size_t begin = position + 1, end = begin;
    while (text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    position = end;
    if (depth == 1 && text.slice(begin, end) == key &&
        text.drop_front(end + 1).ltrim().starts_with(":"))
      return text.take_front(begin).count('\n') + 1;
  }
  return 0;
}

namespace {
/// Reads a file and those that it is based on.
class TargetReader {
public:
  Expected<TargetDesc> read(StringRef path);
  /// Reads what the file of that name has.
  Expected<TargetDesc> parse(StringRef path, StringRef text);

private:
  Error set(TargetDesc &target, const TargetParameter &parameter, const json::Value &value);
  Expected<TargetDesc> readBase(StringRef path, const json::Value &value);
  Expected<TargetDesc> readObject(StringRef path, const json::Object &object);

  /// An error about the value of a key.
  Error fail(StringRef key, const Twine &message) {
    failedKey = key.str();
    return createStringError(key + ": " + message);
  }

  std::vector<sys::fs::UniqueID> files; ///< that are being read, outer ones last
  std::string failedKey;                ///< what the error is about
};
} // namespace

/// The value of a parameter that a number says; none for too many decimals or digits.
static std::optional<int64_t> readNumber(const TargetParameter &parameter,
                                         const json::Value &value) {
  if (parameter.decimals == 0)
    return value.getAsInteger();
  const std::optional<double> number = value.getAsNumber();
  const double unit = std::pow(10, parameter.decimals);
  constexpr double mostExact = 1LL << 53; // beyond, a double is not one integer
  if (!number || std::abs(*number) * unit > mostExact)
    return std::nullopt;
  // A number of JSON is the double that is nearest to its text.
  const double nearest = std::round(*number * unit);
  return nearest / unit == *number ? std::optional<int64_t>(nearest) : std::nullopt;
}

Error TargetReader::set(TargetDesc &target, const TargetParameter &parameter,
                        const json::Value &value) {
  bool isSize = parameter.unit == "bytes";
  std::optional<int64_t> number = readNumber(parameter, value);
  std::optional<StringRef> text = value.getAsString();
  if (isSize && text) {
    number = parseByteSize(*text);
    StringRef digits = text->rtrim("KMG");
    if (!number && text->size() - digits.size() <= 1 && !digits.empty() && all_of(digits, isDigit))
      return fail(parameter.name,
                  "expected at most " + Twine(parameter.max) + " bytes, found " + toText(value));
  }
  if (!number)
    return fail(parameter.name,
                isSize ? "expected bytes, such as 65536, \"64K\", \"2M\" or \"1G\", found " +
                             toText(value)
                       : "expected " + describeNumber(parameter) + " (" + parameter.unit.str() +
                             "), found " + toText(value));
  failedKey = parameter.name.str();
  return setTargetParameter(target, parameter, *number);
}

Expected<TargetDesc> TargetReader::readBase(StringRef path, const json::Value &value) {
  std::optional<StringRef> text = value.getAsString();
  if (!text)
    return fail(baseKey, "expected a string, a known chip or @file.json, found " + toText(value));
  StringRef file = *text;
  if (!file.consume_front("@")) {
    Expected<TargetDesc> base = parseTarget(file);
    if (!base)
      return fail(baseKey, toString(base.takeError()));
    return base;
  }
  SmallString<128> other = sys::path::parent_path(path);
  sys::path::append(other, file);
  if (sys::path::is_absolute(file))
    other = file;
  Expected<TargetDesc> base = read(other);
  if (!base)
    failedKey = baseKey;
  return base;
}

Expected<TargetDesc> TargetReader::readObject(StringRef path, const json::Object &object) {
  ArrayRef<TargetParameter> parameters = getTargetParameters();
  auto isKnown = [&](StringRef key) {
    return key == nameKey || key == baseKey ||
           any_of(parameters, [&](const TargetParameter &p) { return p.name == key; });
  };
  SmallVector<StringRef> unknown;
  for (const auto &member : object)
    if (!isKnown(member.first))
      unknown.push_back(member.first);
  if (!unknown.empty()) {
    failedKey = min_element(unknown)->str();
    return createStringError("unknown key '" + failedKey + "'; did you mean '" +
                             findNearest(failedKey) + "'?");
  }
  TargetDesc target;
  const json::Value *base = object.get(baseKey);
  if (base)
    if (Error error = readBase(path, *base).moveInto(target))
      return std::move(error);
  const json::Value *name = object.get(nameKey);
  std::optional<StringRef> nameText = name ? name->getAsString() : sys::path::stem(path);
  if (!nameText || !isTargetName(*nameText))
    return fail(nameKey, "expected a string of letters, digits, '-', '_' and '.', found " +
                             (name ? toText(*name) : "none, and that of the file is none"));
  target.name = nameText->str();
  for (const TargetParameter &parameter : parameters) {
    const json::Value *value = object.get(parameter.name);
    if (!value && !base && !parameter.isOptional)
      return createStringError("expected the key '" + parameter.name + "' (" + parameter.unit +
                               "; " + parameter.summary +
                               ") or the key 'base', a chip to start from, found neither; "
                               "npu-translate --target-to-json=<target> writes a file with all "
                               "keys");
    if (value)
      if (Error error = set(target, parameter, *value))
        return std::move(error);
  }
  failedKey.clear();
  if (Error error = checkTarget(target))
    return std::move(error);
  return target;
}

Expected<TargetDesc> TargetReader::read(StringRef path) {
  auto fail = [&](const Twine &message) {
    return createStringError("target file '" + path + "': " + message);
  };
  sys::fs::UniqueID identity;
  bool isKnown = !sys::fs::getUniqueID(path, identity);
  if (isKnown && is_contained(files, identity))
    return fail("expected a base that is not based on this file, found one that is");
  constexpr size_t most = 16;
  if (files.size() == most)
    return fail("expected at most " + Twine(most) +
                " files that are based on each other, found more");
  InputOptions options;
  options.maxBytes = maxJSONBytes;
  options.isNamedByData = !files.empty();
  Expected<std::unique_ptr<MemoryBuffer>> file = readInput(path, options);
  if (!file)
    return fail(toString(file.takeError()));
  protectInput(path);
  files.push_back(identity);
  Expected<TargetDesc> target = parse(path, (*file)->getBuffer());
  files.pop_back();
  return target;
}

Expected<TargetDesc> TargetReader::parse(StringRef path, StringRef text) {
  failedKey.clear();
  auto fail = [&](const Twine &message, unsigned line = 0) {
    return createStringError("target file '" + path + "'" +
                             (line > 0 ? ", line " + std::to_string(line) : std::string()) + ": " +
                             message);
  };
  if (FileKind kind = recognizeFile(text); kind != FileKind::JSON)
    return fail(describeMismatch("a chip in JSON", kind));
  Expected<json::Value> value = parseJSON(text);
  if (!value)
    return fail(toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("expected an object, found " + toText(*value));
  Expected<TargetDesc> target = readObject(path, *object);
  if (!target)
    return fail(toString(target.takeError()), findLine(text, failedKey));
  return target;
}

Expected<std::string> npu::resolveTarget(StringRef specification) {
  StringRef path = specification;
  if (!path.consume_front("@"))
    return specification.str();
  // A name of a file may have a colon in it, but few have one that settings follow.
  auto [file, settings] = path.rsplit(':');
  if (!settings.contains('=') || sys::fs::exists(path))
    std::tie(file, settings) = std::pair(path, StringRef());
  Expected<TargetDesc> target = TargetReader().read(file);
  if (!target)
    return target.takeError();
  if (Error error = setTargetParameters(*target, settings))
    return std::move(error);
  return getTargetSpecification(*target);
}

Expected<std::string> npu::parseTargetText(StringRef text, StringRef name) {
  Expected<TargetDesc> target = TargetReader().parse(name, text);
  if (!target)
    return target.takeError();
  return getTargetSpecification(*target);
}

Error npu::printTargetAsJSON(StringRef specification, raw_ostream &os) {
  Expected<TargetDesc> target = parseTarget(specification);
  if (!target)
    return target.takeError();
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute(nameKey, StringRef(target->name).split(':').first);
    for (const TargetParameter &parameter : getTargetParameters()) {
      if (parameter.isOptional && (*target).*parameter.member == 0)
        continue;
      json.attributeBegin(parameter.name);
      json.rawValue(printParameterValue(parameter, *target));
      json.attributeEnd();
    }
  });
  os << "\n";
  return Error::success();
}

bool cl::parser<TargetName>::parse(Option &option, StringRef name, StringRef text,
                                   TargetName &value) {
  Expected<std::string> target = resolveTarget(text);
  if (!target)
    return option.error(escapeText(toString(target.takeError())));
  value = std::move(*target);
  return false;
}

void cl::parser<TargetName>::anchor() {}
