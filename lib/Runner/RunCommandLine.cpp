//===- RunCommandLine.cpp - the options of npu-run ------------------------===//

#include "RunCommandLine.h"

#include "NPU/HostProgram/HostProgram.h"
#include "NPU/Support/HostMemory.h"
#include "NPU/Support/InputFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace npu;
using namespace npu::runtime;

/// Bytes of memory that a run may take by default.
static int64_t getDefaultMemoryLimit() {
  return std::min(sim::Options().memoryLimit, getHostMemoryBytes());
}

RunCommandLine::RunCommandLine()
    : file(cl::Positional, cl::desc("<model.mlir | model.onnx | model.json | program>")),
      module("module", cl::desc("The model or program, for where only flags are possible"),
             cl::value_desc("file")),
      testData("test-data-dir",
               cl::desc("Run the ONNX tests in a directory and beneath, instead of a model: "
                        "model.onnx and test_data_set_<n> with input_<i>.pb and output_<i>.pb"),
               cl::value_desc("directory")),
      function("function", cl::desc("Function to run; default: the public one"),
               cl::value_desc("name")),
      target("target", cl::desc("Target to compile for, see npu-translate --list-targets"),
             cl::value_desc("name[:parameter=value,...] | @chip.json"), cl::init("npu-v1")),
      inputs("input",
             cl::desc("An input, in order: 4x4xf32=1, 2x2xi32=1 2 3 4, @f.npy, +f.npy (the next "
                      "array), *f.npy (all that are left), 2x2xf32=@f.bin, @f.pb, @f.npz[key], "
                      "random(seed), each also as name=...; or one random(seed) or smallints(seed) "
                      "for all. Default: random(0)"),
             cl::value_desc("tensor")),
      parameters("parameters",
                 cl::desc("Where #flow.parameter.named of a scope come from: scope=f.irpa, "
                          "scope=f.safetensors, scope=f.npz or scope=random(seed)"),
                 cl::value_desc("[scope=]source")),
      outputs("output",
              cl::desc("What to do with an output, in order: nothing if empty, - prints it, @f.npy "
                       "or @f.bin writes it, + instead of @ appends; also as name=..."),
              cl::value_desc("destination")),
      expectedOutputs("expected_output",
                      cl::desc("What an output must be, in order, written as for --input; or "
                               "(ignored)"),
                      cl::value_desc("tensor")),
      f16Threshold("expected_f16_threshold", cl::desc("Absolute tolerance of f16 outputs"),
                   cl::value_desc("x"), cl::init(ExpectedTolerance().f16)),
      bf16Threshold("expected_bf16_threshold", cl::desc("Absolute tolerance of bf16 outputs"),
                    cl::value_desc("x"), cl::init(ExpectedTolerance().bf16)),
      f32Threshold("expected_f32_threshold", cl::desc("Absolute tolerance of f32 outputs"),
                   cl::value_desc("x"), cl::init(ExpectedTolerance().f32)),
      f64Threshold("expected_f64_threshold", cl::desc("Absolute tolerance of f64 outputs"),
                   cl::value_desc("x"), cl::init(ExpectedTolerance().f64)),
      relativeTolerance("expected_rtol", cl::desc("Relative tolerance, added to the absolute one"),
                        cl::value_desc("x"), cl::init(ExpectedTolerance().relative)),
      equalityMode("equality_mode", cl::desc("How outputs are compared with expected ones"),
                   cl::values(clEnumValN(EqualityMode::Approximate, "approximate",
                                         "within the tolerances (default)"),
                              clEnumValN(EqualityMode::Exact, "exact", "without tolerance")),
                   cl::init(EqualityMode::Approximate)),
      maxPrintedElements("output_max_element_count", cl::desc("Elements that --output=- prints"),
                         cl::value_desc("n"), cl::init(1024)),
      device("device", cl::desc("Where dispatches run"),
             cl::values(clEnumValN(Device::NPU, "npu", "the simulated NPU (default)"),
                        clEnumValN(Device::Host, "host", "the host CPU"),
                        clEnumValN(Device::Compare, "compare",
                                   "both: compare every dispatch and every output")),
             cl::init(Device::NPU)),
      check("check", cl::desc("The same as --device=compare")),
      bisect("bisect", cl::desc("As --check; for the first dispatch that differs, say the level of "
                                "the compiler, the op and the element that differ first")),
      timingOnly("timing-only",
                 cl::desc("Say what a model takes and compute nothing: inputs give shapes, "
                          "parameters are not needed")),
      plan("plan",
           cl::desc("List the dispatches of a model, where each would run and why, and what the "
                    "compiler predicts; run nothing")),
      compareSchedules("compare-schedules",
                       cl::desc("Print the schedule of every kernel, with predicted cycles, "
                                "simulated ones and the limit side by side")),
      allowHostCode("allow-host-code",
                    cl::desc("Let a task graph run the native code in its side file, which can do "
                             "whatever you can; for graphs from those you trust")),
      replacePrograms("replace-program",
                      cl::desc("Run a program (assembly or binary) in the place of a dispatch's; "
                               "the dispatch by its number or its function's name"),
                      cl::value_desc("dispatch=file")),
      replaceForms("replace-form",
                   cl::desc("Run what the compiler makes of a kernel in tensor form, tile form or "
                            "planned form in the place of a dispatch's"),
                   cl::value_desc("dispatch=file.mlir")),
      dumpForms("dump-forms",
                cl::desc("Write every dispatch in tensor form, tile form and planned form, and its "
                         "program"),
                cl::value_desc("directory")),
      segments("npu-segments", cl::desc("Dispatches that follow each other"),
               cl::values(clEnumValN(Switch::On, "on", "they are one program"),
                          clEnumValN(Switch::Off, "off", "each is a program of its own")),
               cl::init(Switch::On)),
      effort(
          "npu-search", cl::desc("How the schedules of kernels that follow each other are chosen"),
          cl::values(clEnumValN(SegmentEffort::Auto, "auto",
                                "as full on several clusters; on one, joined where that is faster"),
                     clEnumValN(SegmentEffort::Quick, "quick", "each kernel by itself"),
                     clEnumValN(SegmentEffort::Full, "full",
                                "by what whole segments take; several times as long")),
          cl::init(SegmentEffort::Auto)),
      fallback("npu-fallback", cl::desc("What becomes of dispatches that the target does not run"),
               cl::values(
                   clEnumValN(Fallback::Host, "host", "they run on the host; the report says so"),
                   clEnumValN(Fallback::Error, "error", "all of them are listed and nothing runs")),
               cl::init(Fallback::Host)),
      placement("npu-placement",
                cl::desc("Placements to keep to, as `npu-partition{write-placement=f.json}` writes "
                         "them"),
                cl::value_desc("file.json")),
      schedule("npu-schedule",
               cl::desc("The schedule of the whole model: followed if there is such a file, else "
                        "what is chosen is written there"),
               cl::value_desc("file.json")),
      dumpIntermediates("dump-intermediates",
                        cl::desc("Write the inputs and outputs of every dispatch as .npy files"),
                        cl::value_desc("directory")),
      trace("trace",
            cl::desc("Write a timeline: for Perfetto or chrome://tracing, or of Perfetto's own "
                     "format, with counters and flows"),
            cl::value_desc("file.json | file.pftrace")),
      report("report",
             cl::desc("Write what the run took: a page, report.html, and tables as .csv and .json; "
                      "graphs, a timeline and messages beside them, see docs/reports.md"),
             cl::value_desc("directory")),
      compareReport("compare-report",
                    cl::desc("Show in the report what differs from an older one of --report"),
                    cl::value_desc("directory")),
      sarif(
          "sarif",
          cl::desc("Write errors, warnings and the reasons for what is on the host as SARIF; also "
                   "when the run fails"),
          cl::value_desc("file")),
      modelExplorer("model-explorer",
                    cl::desc("Write the model at every level, from its input to instructions, as "
                             "graphs for Google's Model Explorer, and its dispatches for Graphviz"),
                    cl::value_desc("directory")),
      progress("progress", cl::desc("A line about what a long run is doing, on standard error"),
               cl::values(clEnumValN(ProgressMode::Auto, "auto", "if that is a terminal (default)"),
                          clEnumValN(ProgressMode::On, "on", "always"),
                          clEnumValN(ProgressMode::Off, "off", "never")),
               cl::init(ProgressMode::Auto)),
      cycleLimit("cycle-limit", cl::desc("Trap after this many simulated cycles"),
                 cl::init(sim::Options().cycleLimit)),
      hostOpLimit("host-op-limit",
                  cl::desc("Stop when the model's host function, or the loops of a task graph, "
                           "have executed this many ops"),
                  cl::value_desc("n"), cl::init(HostProgramCallbacks().opLimit)),
      memoryLimit("memory-limit",
                  cl::desc("Refuse what needs more bytes for its tensors; default: 16 GiB, or all "
                           "there is"),
                  cl::value_desc("bytes"), cl::init(getDefaultMemoryLimit())),
      flagfile("flagfile", cl::desc("Read more flags from a file, one per line"),
               cl::value_desc("path")) {}

Error RunCommandLine::verify() const {
  auto fail = [](const Twine &message) { return make_error<UsageError>(message.str()); };
  unsigned given = !file.empty() + !module.empty() + !testData.empty();
  if (given != 1)
    return fail("expected one model or program, as an argument or by --module, or "
                "--test-data-dir, found " +
                Twine(given == 0 ? "none" : "several"));
  if (memoryLimit <= 0)
    return fail("--memory-limit must be positive, found 0");
  for (const auto *option : {&cycleLimit, &hostOpLimit})
    if (*option <= 0)
      return fail(formatv("--{0} must be positive, found {1}", option->ArgStr, int64_t(*option)));
  if (maxPrintedElements < 0)
    return fail(formatv("--output_max_element_count must not be negative, found {0}",
                        int64_t(maxPrintedElements)));
  for (const auto *option :
       {&f16Threshold, &bf16Threshold, &f32Threshold, &f64Threshold, &relativeTolerance})
    if (!(*option >= 0))
      return fail(
          formatv("--{0} must not be negative, found {1}", option->ArgStr, double(*option)));
  const std::reference_wrapper<const cl::Option> needValues[] = {
      check,           bisect,       device,   outputs, expectedOutputs, dumpIntermediates,
      replacePrograms, replaceForms, dumpForms};
  for (const cl::Option &option : needValues)
    if ((timingOnly || plan) && option.getNumOccurrences() != 0)
      return fail("--" + option.ArgStr + " needs values, which --" +
                  (plan ? plan : timingOnly).ArgStr + " does not compute");
  const std::reference_wrapper<const cl::Option> needTime[] = {timingOnly, report, trace,
                                                               compareSchedules, modelExplorer};
  for (const cl::Option &option : needTime)
    if (plan && option.getNumOccurrences() != 0)
      return fail("--" + option.ArgStr +
                  " needs a run, and --plan runs nothing; leave out one of them");
  // Messages are written last, when the other files are there already.
  for (const cl::opt<std::string> *option : {&trace, &schedule})
    if (!sarif.empty() && sarif == *option)
      return fail("--sarif and --" + option->ArgStr + " name one file; name a file for each");
  if (!compareReport.empty() && report.empty())
    return fail("--compare-report needs --report: the differences are written there");
  if (check && device == Device::Host)
    return fail("--check compares the NPU with the host; leave out --device=host");
  const std::reference_wrapper<const cl::Option> needNPU[] = {
      bisect, replacePrograms, replaceForms, dumpForms, schedule, effort};
  for (const cl::Option &option : needNPU)
    if (device == Device::Host && option.getNumOccurrences() != 0)
      return fail("--" + option.ArgStr + " is about the NPU; leave out --device=host");
  const std::reference_wrapper<const cl::list<std::string>> replacements[] = {replacePrograms,
                                                                              replaceForms};
  for (const cl::list<std::string> &option : replacements)
    for (StringRef value : option)
      if (auto [name, path] = value.split('='); name.empty() || path.empty())
        return fail("expected --" + option.ArgStr + "=<dispatch>=<file>, found '" + value + "'");
  return Error::success();
}

void RunCommandLine::addDebugging(RunOptions &run, std::string &bisection,
                                  OutputFiles &files) const {
  for (auto [requests, isProgram] :
       {std::pair(&replacePrograms, true), std::pair(&replaceForms, false)})
    for (StringRef request : *requests) {
      auto [name, path] = request.split('=');
      protectInput(path);
      run.replacements.push_back({name.str(), path.str(), isProgram});
    }
  if (bisect)
    run.onBisection = [&bisection](const Bisection &found) {
      raw_string_ostream os(bisection);
      found.print(os);
    };
  if (!dumpForms.empty())
    run.onForm = [this, &files](StringRef name, StringRef text) {
      SmallString<128> path(dumpForms);
      sys::path::append(path, name);
      return files.write(path, text);
    };
}

Error RunCommandLine::refuseModelOptions(StringRef why, OptionList others) const {
  const OptionList always = {check,
                             bisect,
                             replacePrograms,
                             replaceForms,
                             dumpForms,
                             placement,
                             schedule,
                             effort,
                             timingOnly,
                             plan,
                             compareSchedules,
                             modelExplorer,
                             dumpIntermediates};
  for (OptionList list : {always, others})
    for (const cl::Option &option : list)
      if (option.getNumOccurrences() != 0)
        return make_error<UsageError>(("--" + option.ArgStr + " needs a model: " + why).str());
  return Error::success();
}

sim::Options RunCommandLine::getSimulatorOptions() const {
  sim::Options result;
  result.cycleLimit = cycleLimit;
  result.memoryLimit = memoryLimit;
  result.recordEvents = !trace.empty() || !report.empty();
  return result;
}

std::unique_ptr<Progress> RunCommandLine::createProgress() const {
  bool isShown =
      progress == ProgressMode::On || (progress == ProgressMode::Auto && errs().is_displayed());
  return isShown ? std::make_unique<Progress>(errs()) : nullptr;
}

ExpectedTolerance RunCommandLine::getTolerance() const {
  ExpectedTolerance tolerance;
  tolerance.f16 = f16Threshold;
  tolerance.bf16 = bf16Threshold;
  tolerance.f32 = f32Threshold;
  tolerance.f64 = f64Threshold;
  tolerance.relative = relativeTolerance;
  tolerance.isExact = equalityMode == EqualityMode::Exact;
  return tolerance;
}

/// Appends the flags of `argument`, which may be a flagfile in `depth` others.
static Error expandFlag(StringRef argument, unsigned depth, StringSaver &saver,
                        SmallVectorImpl<const char *> &result) {
  StringRef path = argument;
  if (!path.consume_front("--flagfile=")) {
    result.push_back(saver.save(argument).data());
    return Error::success();
  }
  constexpr unsigned maxDepth = 16;
  if (depth == maxDepth)
    return createStringError("flagfile '" + path + "' is inside of " + Twine(maxDepth) +
                             " others; does it include itself?");
  InputOptions options;
  options.maxBytes = maxFlagfileBytes;
  // One that names another is data.
  options.isNamedByData = depth > 0;
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readInput(path, options);
  if (!buffer)
    return createStringError("cannot read flagfile '" + path +
                             "': " + toString(buffer.takeError()));
  StringRef rest = (*buffer)->getBuffer();
  for (unsigned line = 1; !rest.empty(); ++line) {
    StringRef flag;
    std::tie(flag, rest) = rest.split('\n');
    flag = flag.trim();
    if (flag.empty() || flag.starts_with("#") || flag.starts_with("//"))
      continue;
    if (!flag.starts_with("--") || flag.contains('\0'))
      return make_error<UsageError>((path + ":" + Twine(line) +
                                     ": expected a flag that starts with -- but found '" +
                                     flag.take_front(80).split('\0').first + "'")
                                        .str());
    // As iree-run-module has it, blanks may surround the '=' and quotes the value.
    if (flag.contains('=')) {
      auto [name, value] = flag.split('=');
      value = value.trim();
      if (value.size() > 1 && value.starts_with("\"") && value.ends_with("\""))
        value = value.drop_front().drop_back();
      flag = saver.save(name.trim() + "=" + value);
    }
    if (Error error = expandFlag(flag, depth + 1, saver, result))
      return error;
  }
  return Error::success();
}

Expected<SmallVector<const char *>> npu::runtime::expandFlagfiles(ArrayRef<char *> arguments,
                                                                  StringSaver &saver) {
  SmallVector<const char *> result;
  for (const char *argument : arguments)
    if (Error error = expandFlag(argument, 0, saver, result))
      return std::move(error);
  return result;
}
