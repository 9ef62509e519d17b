//===- TargetFile.cpp - chips in files ------------------------------------===//

#include "NPU/Target/Desc/TargetFile.h"

#include "NPU/Support/EscapeText.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/JSON.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace npu;

static constexpr char nameKey[] = "name";

static std::string toText(const json::Value &value) {
  std::string text = formatv("{0}", value);
  return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

/// The member whose name is most like `name`.
static StringRef findNearest(StringRef name) {
  StringRef nearest = nameKey;
  for (const TargetParameter &parameter : getTargetParameters())
    if (name.edit_distance_insensitive(parameter.name) < name.edit_distance_insensitive(nearest))
      nearest = parameter.name;
  return nearest;
}

/// The specification of the chip that `object` describes.
static Expected<std::string> readTarget(const json::Object &object) {
  ArrayRef<TargetParameter> parameters = getTargetParameters();
  auto isKnown = [&](StringRef key) {
    return key == nameKey ||
           any_of(parameters, [&](const TargetParameter &p) { return p.name == key; });
  };
  SmallVector<StringRef> unknown;
  for (const auto &member : object)
    if (!isKnown(member.first))
      unknown.push_back(member.first);
  if (!unknown.empty()) {
    StringRef first = *min_element(unknown);
    return createStringError("unknown key '" + first + "'; did you mean '" + findNearest(first) +
                             "'?");
  }
  const json::Value *name = object.get(nameKey);
  if (!name)
    return createStringError("expected the key 'name', found none");
  std::optional<StringRef> nameText = name->getAsString();
  if (!nameText || !isTargetName(*nameText))
    return createStringError(
        "name: expected a string of letters, digits, '-', '_' and '.', found " + toText(*name));
  TargetDesc target;
  target.name = nameText->str();
  for (const TargetParameter &parameter : parameters) {
    const json::Value *value = object.get(parameter.name);
    if (!value)
      return createStringError("expected the key '" + parameter.name + "' (" + parameter.unit +
                               "; " + parameter.summary +
                               "), found none; npu-translate "
                               "--target-to-json=<target> writes a file with all keys");
    std::optional<int64_t> number = value->getAsInteger();
    if (!number)
      return createStringError(parameter.name + ": expected an integer (" + parameter.unit +
                               "), found " + toText(*value));
    if (Error error = setTargetParameter(target, parameter, *number))
      return std::move(error);
  }
  if (Error error = checkTarget(target))
    return std::move(error);
  return getTargetSpecification(target);
}

Expected<std::string> npu::resolveTarget(StringRef specification) {
  StringRef path = specification;
  if (!path.consume_front("@"))
    return specification.str();
  auto fail = [&](const Twine &message) {
    return createStringError("target file '" + path + "': " + message);
  };
  InputOptions options;
  options.maxBytes = maxJSONBytes;
  Expected<std::unique_ptr<MemoryBuffer>> file = readInput(path, options);
  if (!file)
    return fail(toString(file.takeError()));
  protectInput(path);
  if (FileKind kind = recognizeFile((*file)->getBuffer()); kind != FileKind::JSON)
    return fail(describeMismatch("a chip in JSON", kind));
  Expected<json::Value> value = parseJSON((*file)->getBuffer());
  if (!value)
    return fail(toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("expected an object, found " + toText(*value));
  Expected<std::string> target = readTarget(*object);
  if (!target)
    return fail(toString(target.takeError()));
  return target;
}

Error npu::printTargetAsJSON(StringRef specification, raw_ostream &os) {
  Expected<TargetDesc> target = parseTarget(specification);
  if (!target)
    return target.takeError();
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute(nameKey, StringRef(target->name).split(':').first);
    for (const TargetParameter &parameter : getTargetParameters())
      json.attribute(parameter.name, (*target).*parameter.member);
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
