//===- TargetDesc.cpp - what the tools know about a chip ------------------===//

#include "NPU/Target/Desc/TargetDesc.h"
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
  int64_t value;
  if (text.getAsInteger(10, value))
    return makeError("expected an integer for target parameter '" + name + "', found '" + text +
                     "'");
  if (value < parameter->min || value > parameter->max)
    return makeError(formatv("target parameter '{0}' must lie in {1}..{2} {3}, found {4}", name,
                             parameter->min, parameter->max, parameter->unit, value)
                         .str());
  target.*parameter->member = value;
  return Error::success();
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

Expected<TargetDesc> npu::parseTarget(StringRef specification) {
  StringRef name = specification.split(':').first, overrides = specification.split(':').second;
  const TargetDesc *known =
      find_if(targetTable, [&](const TargetDesc &target) { return target.name == name; });
  if (known == std::end(targetTable))
    return makeError(
        "unknown target '" + name + "', expected one of " +
        join(map_range(targetTable, [](const TargetDesc &t) { return t.name; }), ", "));
  TargetDesc target = *known;
  target.name = specification.str();
  SmallVector<StringRef> settings;
  overrides.split(settings, ',', -1, /*KeepEmpty=*/false);
  SmallSet<StringRef, 4> seen;
  for (StringRef setting : settings) {
    if (Error error = applyOverride(target, setting))
      return error;
    if (!seen.insert(setting.split('=').first).second)
      return makeError("target parameter '" + setting.split('=').first + "' is set twice");
  }
  if (Error error = checkTarget(target))
    return error;
  return target;
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
      os << "  " << right_justify(std::to_string(target.*parameter.member), 10);
    os << "  " << parameter.unit << ": " << parameter.summary << "\n";
  }
}
