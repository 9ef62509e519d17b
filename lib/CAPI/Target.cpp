//===- Target.cpp - chips of the C API ------------------------------------===//

#include "Handles.h"

#include "NPU/Support/EscapeText.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/Desc/TargetFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace npu;
using namespace npu::capi;

NpuStatus npuTargetRead(const char *chip, char **specification, char **error) {
  auto read = [&]() -> Error {
    if (Error error = checkPointer(chip, "a chip"))
      return error;
    if (Error error = checkPointer(specification, "a place for the specification"))
      return error;
    StringRef text = chip;
    Expected<std::string> result =
        text.ltrim().starts_with("{") ? parseTargetText(text, "chip") : resolveTarget(text);
    if (!result)
      return result.takeError();
    if (Expected<TargetDesc> target = parseTarget(*result); !target)
      return target.takeError();
    *specification = copyString(*result);
    return Error::success();
  };
  return report(read(), error);
}

NpuStatus npuTargetPrint(const char *specification, char **json, char **error) {
  auto print = [&]() -> Error {
    if (Error error = checkPointer(specification, "a specification"))
      return error;
    if (Error error = checkPointer(json, "a place for the chip"))
      return error;
    std::string text;
    raw_string_ostream os(text);
    if (Error error = printTargetAsJSON(specification, os))
      return error;
    *json = copyString(text);
    return Error::success();
  };
  return report(print(), error);
}

NpuStatus npuTargetList(char **json, char **error) {
  auto list = [&]() -> Error {
    if (Error error = checkPointer(json, "a place for the names"))
      return error;
    json::Array names;
    for (const TargetDesc &target : getKnownTargets())
      names.push_back(target.name);
    *json = copyString(formatv("{0}", json::Value(std::move(names))).str());
    return Error::success();
  };
  return report(list(), error);
}
