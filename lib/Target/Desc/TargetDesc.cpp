//===- TargetDesc.cpp - what the tools know about a chip ------------------===//

#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Support/ByteSize.h"
#include "NPU/Target/Desc/TargetRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace npu;

#include "NPU/Target/Desc/TargetDefs.cpp.inc"

ArrayRef<TargetParameter> npu::getTargetParameters() { return parameterTable; }

ArrayRef<TargetDesc> npu::getKnownTargets() { return targetTable; }

static Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Error applyOverride(TargetDesc &target, StringRef setting) {
  StringRef name = setting.split('=').first, text = setting.split('=').second;
  const TargetParameter *parameter =
      find_if(parameterTable, [&](const TargetParameter &p) { return p.name == name; });
  if (parameter == std::end(parameterTable))
    return makeError(
        "unknown target parameter '" + name + "', expected one of " +
        join(map_range(parameterTable, [](const TargetParameter &p) { return p.name.str(); }),
             ", "));
  if (parameter->unit == "bytes") {
    if (std::optional<int64_t> bytes = parseByteSize(text))
      return setTargetParameter(target, *parameter, *bytes);
    return makeError("expected bytes for target parameter '" + name +
                     "', such as 65536, 64K or 2M, found '" + text + "'");
  }
  std::optional<int64_t> value = parseParameterValue(*parameter, text);
  if (!value)
    return makeError("expected " + describeNumber(*parameter) + " for target parameter '" + name +
                     "', found '" + text + "'");
  return setTargetParameter(target, *parameter, *value);
}

std::string npu::describeNumber(const TargetParameter &parameter) {
  return parameter.decimals == 0
             ? "an integer"
             : formatv("a number with at most {0} decimals", parameter.decimals).str();
}

std::optional<int64_t> npu::parseParameterValue(const TargetParameter &parameter, StringRef text) {
  auto [whole, fraction] = text.split('.');
  bool hasFraction = whole.size() != text.size();
  if (hasFraction &&
      (fraction.empty() || fraction.size() > parameter.decimals || !all_of(fraction, isDigit)))
    return std::nullopt;
  std::string digits = (whole + fraction).str();
  digits.append(parameter.decimals - fraction.size(), '0');
  int64_t value;
  if (whole.empty() || whole == "-" || StringRef(digits).getAsInteger(10, value))
    return std::nullopt;
  return value;
}

std::string npu::printParameterValue(const TargetParameter &parameter, const TargetDesc &target) {
  return printDecimal(target.*parameter.member, parameter.decimals);
}

Error npu::setTargetParameter(TargetDesc &target, const TargetParameter &parameter, int64_t value) {
  if (value >= parameter.min && value <= parameter.max) {
    target.*parameter.member = value;
    return Error::success();
  }
  bool isFlag = parameter.min == 0 && parameter.max == 1;
  return makeError(
      "target parameter '" + parameter.name + "' must " +
      (isFlag ? std::string("be 0 or 1")
              : formatv("lie in {0}..{1} {2}", printDecimal(parameter.min, parameter.decimals),
                        printDecimal(parameter.max, parameter.decimals), parameter.unit)
                    .str()) +
      ", found " + printDecimal(value, parameter.decimals));
}

Error npu::checkTarget(const TargetDesc &target) {
  auto get = [&](StringRef name) {
    return target.*find_if(parameterTable, [&](const TargetParameter &parameter) {
                     return parameter.name == name;
                   })->member;
  };
  std::string violation;
  for (const ProductRule &rule : productRules)
    if (violation.empty())
      violation = findViolation(rule, get);
  for (const PositiveRule &rule : positiveRules)
    if (violation.empty())
      violation = findViolation(rule, get);
  if (violation.empty())
    return Error::success();
  return makeError("target '" + target.name + "' " + violation);
}

static const TargetDesc *findKnown(StringRef name) {
  const TargetDesc *known =
      find_if(targetTable, [&](const TargetDesc &target) { return target.name == name; });
  return known == std::end(targetTable) ? nullptr : known;
}

bool npu::isTargetName(StringRef text) {
  return !text.empty() &&
         all_of(text, [](char c) { return isAlnum(c) || StringRef("-_.").contains(c); });
}

static Error makeUnknownTarget(StringRef name) {
  std::string advice = ", or @chip.json on the command line";
  StringRef start = name.take_until([](char c) { return c == ',' || c == '='; });
  if (findKnown(start))
    advice = "; parameters follow a colon, as in " + start.str() + ":clusters=2,sramBytes=512K";
  else
    for (const TargetDesc &target : targetTable)
      if (name.edit_distance_insensitive(target.name) <= 2)
        advice = "; did you mean '" + target.name + "'?";
  return makeError("unknown target '" + name + "', expected one of " +
                   join(map_range(targetTable, [](const TargetDesc &t) { return t.name; }), ", ") +
                   advice);
}

std::string npu::getTargetName(StringRef specification) {
  auto [name, overrides] = specification.split(':');
  if (!findKnown(name))
    return name.str();
  constexpr size_t most = 4, shown = 2;
  SmallVector<StringRef> settings;
  overrides.split(settings, ',', -1, /*KeepEmpty=*/false);
  if (settings.size() <= most)
    return specification.str();
  return formatv("{0}:{1},...", name, join(ArrayRef(settings).take_front(shown), ","));
}

/// Sets parameters, and returns which.
static Expected<SmallSet<StringRef, 4>> applyOverrides(TargetDesc &target, StringRef overrides) {
  SmallVector<StringRef> settings;
  overrides.split(settings, ',', -1, /*KeepEmpty=*/false);
  SmallSet<StringRef, 4> seen;
  for (StringRef setting : settings) {
    if (Error error = applyOverride(target, setting))
      return std::move(error);
    if (!seen.insert(setting.split('=').first).second)
      return makeError("target parameter '" + setting.split('=').first + "' is set twice");
  }
  return seen;
}

Error npu::setTargetParameters(TargetDesc &target, StringRef settings) {
  Expected<SmallSet<StringRef, 4>> seen = applyOverrides(target, settings);
  return seen ? checkTarget(target) : seen.takeError();
}

Expected<TargetDesc> npu::parseTarget(StringRef specification) {
  StringRef name = specification.split(':').first, overrides = specification.split(':').second;
  const TargetDesc *known = findKnown(name);
  if (!known && (overrides.ltrim(',').empty() || !isTargetName(name)))
    return makeUnknownTarget(name);
  TargetDesc target = known ? *known : TargetDesc();
  target.name = getTargetName(specification);
  Expected<SmallSet<StringRef, 4>> seen = applyOverrides(target, overrides);
  if (!seen)
    return seen.takeError();
  for (const TargetParameter &parameter : parameterTable)
    if (!known && !parameter.isOptional && !seen->contains(parameter.name))
      return makeError("unknown target '" + name +
                       "': one that is not known must set every parameter, but '" + parameter.name +
                       "' is not set");
  if (Error error = checkTarget(target))
    return error;
  return target;
}

TargetDesc npu::withoutOptionalParameters(const TargetDesc &target) {
  TargetDesc result = target;
  for (const TargetParameter &parameter : parameterTable)
    if (parameter.isOptional)
      result.*parameter.member = 0;
  return result;
}

bool npu::areCompatibleTargets(StringRef a, StringRef b) {
  auto normalize = [](StringRef specification) {
    Expected<TargetDesc> target = parseTarget(specification);
    if (target)
      return getTargetSpecification(withoutOptionalParameters(*target));
    consumeError(target.takeError());
    return specification.str();
  };
  return a == b || normalize(a) == normalize(b);
}

std::string npu::getTargetSpecification(const TargetDesc &target) {
  StringRef name = StringRef(target.name).split(':').first;
  const TargetDesc *known = findKnown(name);
  std::string settings;
  for (const TargetParameter &parameter : parameterTable) {
    const int64_t value = target.*parameter.member;
    if (known ? value != known->*parameter.member : value != 0 || !parameter.isOptional)
      settings += (Twine(settings.empty() ? ":" : ",") + parameter.name + "=" +
                   printParameterValue(parameter, target))
                      .str();
  }
  return name.str() + settings;
}

void npu::printTargets(raw_ostream &os) {
  size_t width = 0;
  for (const TargetParameter &parameter : parameterTable)
    width = std::max(width, parameter.name.size());
  os << left_justify("parameter", width);
  for (const TargetDesc &target : targetTable)
    os << "  " << right_justify(target.name, 10);
  os << "  unit\n";
  for (const TargetParameter &parameter : parameterTable) {
    os << left_justify(parameter.name, width);
    for (const TargetDesc &target : targetTable)
      os << "  "
         << right_justify(parameter.isOptional && target.*parameter.member == 0
                              ? "unknown"
                              : printParameterValue(parameter, target),
                          10);
    os << "  " << parameter.unit << ": " << parameter.summary << "\n";
  }
}
