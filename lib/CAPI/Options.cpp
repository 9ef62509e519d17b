//===- Options.cpp - the options of the C API -----------------------------===//

#include "Handles.h"

#include "NPU/Support/HostMemory.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Trace/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace npu;

NpuOptions::NpuOptions()
    : target(getKnownTargets().front().name), hostOpLimit(runtime::HostProgramCallbacks().opLimit) {
  simulator.memoryLimit = std::min(simulator.memoryLimit, getHostMemoryBytes());
}

namespace {
struct Option {
  StringLiteral name, expected;
  /// Returns whether the value is one.
  bool (*set)(NpuOptions &options, StringRef value);
};
} // namespace

static bool parsePositive(StringRef text, int64_t &value) {
  int64_t parsed;
  if (text.getAsInteger(10, parsed) || parsed <= 0)
    return false;
  value = parsed;
  return true;
}

/// Whether `text` is one of two words; sets `value` to whether it is the first.
static bool parseChoice(StringRef text, StringRef first, StringRef second, bool &value) {
  value = text == first;
  return text == first || text == second;
}

static constexpr Option knownOptions[] = {
    {"target", "a target",
     [](NpuOptions &options, StringRef value) {
       options.target = value;
       return true;
     }},
    {"function", "a name",
     [](NpuOptions &options, StringRef value) {
       options.function = value;
       return true;
     }},
    {"npu-fallback", "host or error",
     [](NpuOptions &options, StringRef value) {
       bool isHost;
       bool isKnown = parseChoice(value, "host", "error", isHost);
       options.fallback = isHost ? Fallback::Host : Fallback::Error;
       return isKnown;
     }},
    {"npu-segments", "on or off",
     [](NpuOptions &options, StringRef value) {
       return parseChoice(value, "on", "off", options.formSegments);
     }},
    {"npu-search", "auto, quick or full",
     [](NpuOptions &options, StringRef value) {
       auto effort = StringSwitch<std::optional<SegmentEffort>>(value)
                         .Case("auto", SegmentEffort::Auto)
                         .Case("quick", SegmentEffort::Quick)
                         .Case("full", SegmentEffort::Full)
                         .Default(std::nullopt);
       options.effort = effort.value_or(options.effort);
       return effort.has_value();
     }},
    {"onnx-dim", "<name>=<positive size>, once for a name",
     [](NpuOptions &options, StringRef value) {
       auto [name, sizeText] = value.rsplit('=');
       int64_t size;
       return !name.empty() && parsePositive(sizeText, size) &&
              options.onnx.dimensions.try_emplace(name, size).second;
     }},
    {"onnx-output", "a name",
     [](NpuOptions &options, StringRef value) {
       options.onnx.outputs.push_back(value.str());
       return !value.empty();
     }},
    {"onnx-seed-weights", "a number",
     [](NpuOptions &options, StringRef value) {
       uint64_t seed;
       if (value.getAsInteger(10, seed))
         return false;
       options.onnx.seed = seed;
       return true;
     }},
    {"input", "a tensor, as in 4x4xf32",
     [](NpuOptions &options, StringRef value) {
       options.inputs.push_back(value.str());
       return !value.empty();
     }},
    {"schedule", "the text of a schedule",
     [](NpuOptions &options, StringRef value) {
       options.schedule = value;
       return true;
     }},
    {"check", "on or off",
     [](NpuOptions &options, StringRef value) {
       return parseChoice(value, "on", "off", options.check);
     }},
    {"trace", "a file that ends in .json, .pftrace or .perfetto-trace",
     [](NpuOptions &options, StringRef value) {
       options.trace = value;
       return sys::path::extension(value) == ".json" || runtime::isPerfettoTrace(value);
     }},
    {"report", "quick or full",
     [](NpuOptions &options, StringRef value) {
       return parseChoice(value, "full", "quick", options.fullReport);
     }},
    {"advise", "a number of kernels",
     [](NpuOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.numAdvised);
     }},
    {"assume-type", "i8",
     [](NpuOptions &options, StringRef value) {
       options.assumedType = value;
       return value == runtime::assumableType;
     }},
    {"parameters", "[scope=]source",
     [](NpuOptions &options, StringRef value) {
       options.parameters.push_back(value.str());
       return true;
     }},
    {"cycle-limit", "a positive number",
     [](NpuOptions &options, StringRef value) {
       return parsePositive(value, options.simulator.cycleLimit);
     }},
    {"memory-limit", "a positive number of bytes",
     [](NpuOptions &options, StringRef value) {
       return parsePositive(value, options.simulator.memoryLimit);
     }},
    {"host-op-limit", "a positive number",
     [](NpuOptions &options, StringRef value) {
       return parsePositive(value, options.hostOpLimit);
     }},
    {"allow-host-code", "on or off",
     [](NpuOptions &options, StringRef value) {
       return parseChoice(value, "on", "off", options.allowHostCode);
     }},
};

NpuOptions *npuOptionsCreate(void) { return new NpuOptions(); }

void npuOptionsFree(NpuOptions *options) { delete options; }

static Error setOption(NpuOptions *options, const char *name, const char *value) {
  if (Error error = capi::checkPointer(options, "options"))
    return error;
  if (Error error = capi::checkPointer(name, "an option's name"))
    return error;
  if (Error error = capi::checkPointer(value, "an option's value"))
    return error;
  const Option *option =
      find_if(knownOptions, [&](const Option &known) { return known.name == name; });
  if (option == std::end(knownOptions)) {
    auto names =
        map_range(knownOptions, [](const Option &known) -> StringRef { return known.name; });
    return make_error<runtime::UsageError>("expected an option of " + join(names, ", ") +
                                           "; found '" + name + "'");
  }
  NpuOptions changed = *options;
  if (!option->set(changed, value))
    return make_error<runtime::UsageError>(
        ("expected " + option->expected + " for " + option->name + ", found '" + value + "'")
            .str());
  // Who sets a target knows at once when there is none of that name.
  if (Expected<TargetDesc> target = parseTarget(changed.target); !target)
    return make_error<runtime::UsageError>(toString(target.takeError()));
  *options = std::move(changed);
  return Error::success();
}

NpuStatus npuOptionsSet(NpuOptions *options, const char *name, const char *value, char **error) {
  return capi::report(setOption(options, name, value), error);
}

NpuOptions capi::getOptions(const NpuOptions *options) { return options ? *options : NpuOptions(); }

runtime::RunOptions capi::getRunOptions(const NpuOptions &options) {
  runtime::RunOptions run;
  run.target = options.target;
  run.function = options.function;
  run.inputs = options.inputs;
  run.check = options.check;
  run.numAdvised = options.numAdvised;
  run.assumedType = options.assumedType;
  run.fallback = options.fallback;
  run.formSegments = options.formSegments;
  run.effort = options.effort;
  run.simulator = options.simulator;
  run.hostOpLimit = options.hostOpLimit;
  return run;
}
