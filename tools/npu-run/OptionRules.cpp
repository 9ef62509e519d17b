//===- OptionRules.cpp - options of npu-run that go together --------------===//
//
// An option without effect is an error: who gives it expects one.
//
//===----------------------------------------------------------------------===//

#include "NPU/Trace/Trace.h"
#include "NamedTensors.h"
#include "RunCommandLine.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

using OptionList = SmallVector<std::reference_wrapper<const llvm::cl::Option>>;

static llvm::Error makeOptionError(const Twine &message) {
  return llvm::make_error<UsageError>(message.str());
}

/// The first option of a list that is given; null if none is.
static const llvm::cl::Option *findGiven(const OptionList &options) {
  for (const llvm::cl::Option &option : options)
    if (option.getNumOccurrences() != 0)
      return &option;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Options and what they are about
//===----------------------------------------------------------------------===//

namespace {
/// Kinds of RunInput, as bits.
using RunInputs = unsigned;
} // namespace

static constexpr RunInputs operator|(RunInput a, RunInput b) { return RunInputs(a) | RunInputs(b); }
static constexpr RunInputs operator|(RunInputs a, RunInput b) { return a | RunInputs(b); }

/// Why an option that is about something else has no effect.
static StringRef explain(RunInput input) {
  switch (input) {
  case RunInput::MLIR:
    return "found MLIR";
  case RunInput::ONNX:
    return "an ONNX model has its weights in it";
  case RunInput::Tests:
    return "--test-data-dir has its own data";
  case RunInput::TaskGraph:
    return "a task graph is compiled already";
  case RunInput::Program:
    return "a program says what to do, not what it means";
  case RunInput::Kernel:
    return "a kernel is a part of one";
  }
  llvm_unreachable("unknown input");
}

llvm::Error RunCommandLine::checkFor(RunInput input) const {
  constexpr RunInputs models = RunInput::MLIR | RunInput::ONNX;
  constexpr RunInputs compiled = models | RunInput::Tests;
  constexpr RunInputs reported = models | RunInput::TaskGraph;
  constexpr RunInputs all = reported | RunInput::Tests | RunInput::Program | RunInput::Kernel;
  auto fail = [&](StringRef option, StringRef needs) {
    return makeOptionError("--" + option + " needs " + needs + ": " + explain(input));
  };
  // Those that are not listed are about everything.
  const std::pair<OptionList, RunInputs> rules[] = {
      {{check, bisect, replacePrograms, replaceForms, dumpForms, placement, schedule, timingOnly,
        plan, json, numAdvised, compareSchedules, modelExplorer, dumpIntermediates},
       models},
      {{effort, fallback, segments, target}, compiled},
      {{function}, models | RunInput::Kernel},
      {{report}, reported},
      {{trace}, reported | RunInput::Program},
      {{progress}, reported},
      {{hostOpLimit}, reported | RunInput::Tests},
      {{cycleLimit}, all & ~RunInputs(RunInput::Kernel)},
      {{inputs, outputs, expectedOutputs}, all & ~RunInputs(RunInput::Tests)}};
  for (const auto &[options, inputs] : rules)
    if (const llvm::cl::Option *option = findGiven(options); option && !(inputs & RunInputs(input)))
      return fail(option->ArgStr, "a model");
  if (parameters.getNumOccurrences() != 0 && input != RunInput::MLIR &&
      input != RunInput::TaskGraph)
    return fail(parameters.ArgStr, input == RunInput::ONNX ? "a model in MLIR" : "a model");
  if (assumeType.getNumOccurrences() != 0 && input != RunInput::ONNX)
    return fail(assumeType.ArgStr, "an ONNX model");
  if (std::optional<StringRef> option = findGivenOption({"onnx-*"});
      option && input != RunInput::ONNX)
    return fail(*option, "an ONNX model");
  if (std::optional<StringRef> option = findGivenOption({"mlir-*"});
      option && !(compiled & RunInputs(input)) && input != RunInput::Kernel)
    return fail(*option, "a model");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Options among each other
//===----------------------------------------------------------------------===//

/// What directories are named by mistake.
static bool isNameOfFile(StringRef path) {
  constexpr StringLiteral endings[] = {".html",   ".json", ".csv", ".mlir",
                                       ".npuasm", ".npy",  ".dot"};
  return llvm::is_contained(endings, llvm::sys::path::extension(path)) &&
         !llvm::sys::fs::exists(path);
}

llvm::Error RunCommandLine::verifyPaths() const {
  if (StringRef ending = llvm::sys::path::extension(trace);
      !ending.empty() && ending != ".json" && !isPerfettoTrace(trace))
    return makeOptionError("expected a file that ends in .json, .pftrace or .perfetto-trace for "
                           "--trace, found '" +
                           trace + "'");
  for (const llvm::cl::opt<std::string> *option :
       {&report, &compareReport, &modelExplorer, &dumpForms, &dumpIntermediates})
    if (isNameOfFile(*option))
      return makeOptionError("expected a directory for --" + option->ArgStr + ", found '" +
                             *option + "'; the files in it have names of their own");
  // Messages are written last, when the other files are there already.
  for (const llvm::cl::opt<std::string> *option : {&trace, &schedule})
    if (!sarif.empty() && sarif == *option)
      return makeOptionError("--sarif and --" + option->ArgStr +
                             " name one file; name a file for each");
  const std::reference_wrapper<const llvm::cl::list<std::string>> replacements[] = {replacePrograms,
                                                                                    replaceForms};
  for (const llvm::cl::list<std::string> &option : replacements)
    for (StringRef value : option)
      if (auto [name, path] = value.split('='); name.empty() || path.empty())
        return makeOptionError("expected --" + option.ArgStr + "=<dispatch>=<file>, found '" +
                               value + "'");
  return llvm::Error::success();
}

llvm::Error RunCommandLine::verifyNumbers() const {
  if (memoryLimit <= 0)
    return makeOptionError("--memory-limit must be positive, found 0");
  for (const auto *option : {&cycleLimit, &hostOpLimit})
    if (*option <= 0)
      return makeOptionError(
          formatv("--{0} must be positive, found {1}", option->ArgStr, int64_t(*option)));
  if (maxPrintedElements < 0)
    return makeOptionError(llvm::formatv(
        "--output_max_element_count must not be negative, found {0}", int64_t(maxPrintedElements)));
  for (const auto *option :
       {&f16Threshold, &bf16Threshold, &f32Threshold, &f64Threshold, &relativeTolerance})
    if (!(*option >= 0))
      return makeOptionError(
          formatv("--{0} must not be negative, found {1}", option->ArgStr, double(*option)));
  return llvm::Error::success();
}

llvm::Error RunCommandLine::verifyComparison() const {
  const llvm::cl::Option *tolerance =
      findGiven({f16Threshold, bf16Threshold, f32Threshold, f64Threshold, relativeTolerance});
  if (tolerance && equalityMode == EqualityMode::Exact)
    return makeOptionError("--" + tolerance->ArgStr +
                           " is a tolerance, and --equality_mode=exact has none; leave out one of "
                           "them");
  if (!tolerance)
    tolerance = findGiven({equalityMode});
  if (tolerance && expectedOutputs.empty() && testData.empty())
    return makeOptionError("--" + tolerance->ArgStr +
                           " needs --expected_output: nothing else is compared with a tolerance "
                           "of one's own");
  if (maxPrintedElements.getNumOccurrences() != 0 &&
      llvm::none_of(outputs, [](StringRef output) { return getDestination(output) == "-"; }))
    return makeOptionError("--output_max_element_count needs --output=-: no other output is "
                           "printed");
  return llvm::Error::success();
}

llvm::Error RunCommandLine::verify() const {
  unsigned given = !file.empty() + !module.empty() + !testData.empty();
  if (given != 1)
    return makeOptionError("expected one model or program, as an argument or by --module, or "
                           "--test-data-dir, found " +
                           Twine(given == 0 ? "none" : "several"));
  if (llvm::Error error = verifyNumbers())
    return error;
  StringRef estimate = (plan ? plan : timingOnly).ArgStr;
  const llvm::cl::Option *option =
      findGiven({check, bisect, device, outputs, expectedOutputs, dumpIntermediates,
                 replacePrograms, replaceForms, dumpForms});
  if ((timingOnly || plan) && option)
    return makeOptionError("--" + option->ArgStr + " needs values, which --" + estimate +
                           " does not compute");
  option = findGiven({timingOnly, report, trace, compareSchedules, modelExplorer, cycleLimit});
  if (plan && option)
    return makeOptionError("--" + option->ArgStr +
                           " needs a run, and --plan runs nothing; leave out one of them");
  if ((timingOnly || plan) && hostOpLimit.getNumOccurrences() != 0)
    return makeOptionError("--host-op-limit is about ops of the host, which --" + estimate +
                           " does not execute; leave it out");
  if (assumeType.getNumOccurrences() != 0 && !timingOnly && !plan)
    return makeOptionError("--" + assumeType.ArgStr +
                           " needs --timing-only or --plan: it computes no values; to run the "
                           "model in 8 bits, quantize it with npu-quantize, see docs/quantize.md");
  option = findGiven({compareSchedules, bisect});
  if (json && option)
    return makeOptionError("--" + option->ArgStr +
                           " prints text, and --json one JSON object; leave out one of them");
  if (json && llvm::any_of(outputs, [](StringRef output) { return getDestination(output) == "-"; }))
    return makeOptionError("--output=- prints a tensor, and --json one JSON object; name a file "
                           "for the tensor");
  if (!compareReport.empty() && report.empty())
    return makeOptionError("--compare-report needs --report: the differences are written there");
  if (check && device == Device::Host)
    return makeOptionError("--check compares the NPU with the host; leave out --device=host");
  option = findGiven({bisect, replacePrograms, replaceForms, dumpForms, schedule, numAdvised,
                      effort, segments, fallback, placement, compareSchedules, cycleLimit});
  if (device == Device::Host && option)
    return makeOptionError("--" + option->ArgStr + " is about the NPU; leave out --device=host");
  if (llvm::Error error = verifyComparison())
    return error;
  return verifyPaths();
}
