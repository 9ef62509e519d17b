//===- RunCommandLine.cpp - the options of npu-run ------------------------===//

#include "RunCommandLine.h"

#include "NPU/HostProgram/HostProgram.h"
#include "NPU/Support/HostMemory.h"
#include "NPU/Support/InputFile.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// Bytes of memory that a run may take by default.
static int64_t getDefaultMemoryLimit() {
  return std::min(sim::Options().memoryLimit, getHostMemoryBytes());
}

RunCommandLine::RunCommandLine()
    : file(llvm::cl::Positional,
           llvm::cl::desc("<model.mlir | model.onnx | model.json | program>")),
      module("module", llvm::cl::desc("The model or program, for where only flags are possible"),
             llvm::cl::value_desc("file")),
      testData(
          "test-data-dir",
          llvm::cl::desc("Run the ONNX tests in a directory and beneath, instead of a model: "
                         "model.onnx and test_data_set_<n> with input_<i>.pb and output_<i>.pb"),
          llvm::cl::value_desc("directory")),
      function("function", llvm::cl::desc("Function to run; default: the public one"),
               llvm::cl::value_desc("name")),
      target("target", llvm::cl::desc("Target to compile for, see npu-translate --list-targets"),
             llvm::cl::value_desc("name[:parameter=value,...] | @chip.json"),
             llvm::cl::init("npu-v1")),
      inputs("input",
             llvm::cl::desc(
                 "An input, in order: 4x4xf32=1, 2x2xi32=1 2 3 4, @f.npy, +f.npy (the next "
                 "array), *f.npy (all that are left), 2x2xf32=@f.bin, @f.pb, @f.npz[key], "
                 "random(seed), each also as name=...; or one random(seed) or smallints(seed) "
                 "for all. Default: random(0)"),
             llvm::cl::value_desc("tensor")),
      parameters("parameters",
                 llvm::cl::desc("Where #flow.parameter.named of a scope come from: scope=f.irpa, "
                                "scope=f.safetensors, scope=f.npz or scope=random(seed)"),
                 llvm::cl::value_desc("[scope=]source")),
      outputs("output",
              llvm::cl::desc(
                  "What to do with an output, in order: nothing if empty, - prints it, @f.npy "
                  "or @f.bin writes it, + instead of @ appends; also as name=..."),
              llvm::cl::value_desc("destination")),
      expectedOutputs("expected_output",
                      llvm::cl::desc("What an output must be, in order, written as for --input; or "
                                     "(ignored)"),
                      llvm::cl::value_desc("tensor")),
      f16Threshold("expected_f16_threshold", llvm::cl::desc("Absolute tolerance of f16 outputs"),
                   llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().f16)),
      bf16Threshold("expected_bf16_threshold", llvm::cl::desc("Absolute tolerance of bf16 outputs"),
                    llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().bf16)),
      f32Threshold("expected_f32_threshold", llvm::cl::desc("Absolute tolerance of f32 outputs"),
                   llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().f32)),
      f64Threshold("expected_f64_threshold", llvm::cl::desc("Absolute tolerance of f64 outputs"),
                   llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().f64)),
      relativeTolerance("expected_rtol",
                        llvm::cl::desc("Relative tolerance, added to the absolute one"),
                        llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().relative)),
      equalityMode("equality_mode", llvm::cl::desc("How outputs are compared with expected ones"),
                   llvm::cl::values(clEnumValN(EqualityMode::Approximate, "approximate",
                                               "within the tolerances (default)"),
                                    clEnumValN(EqualityMode::Exact, "exact", "without tolerance")),
                   llvm::cl::init(EqualityMode::Approximate)),
      maxPrintedElements("output_max_element_count",
                         llvm::cl::desc("Elements that --output=- prints"),
                         llvm::cl::value_desc("n"), llvm::cl::init(1024)),
      device("device", llvm::cl::desc("Where dispatches run"),
             llvm::cl::values(clEnumValN(Device::NPU, "npu", "the simulated NPU (default)"),
                              clEnumValN(Device::Host, "host", "the host CPU"),
                              clEnumValN(Device::Compare, "compare",
                                         "both: compare every dispatch and every output")),
             llvm::cl::init(Device::NPU)),
      check("check", llvm::cl::desc("The same as --device=compare")),
      bisect("bisect",
             llvm::cl::desc("As --check; for the first dispatch that differs, say the level of "
                            "the compiler, the op and the element that differ first")),
      timingOnly("timing-only",
                 llvm::cl::desc("Say what a model takes and compute nothing: inputs give shapes, "
                                "parameters are not needed")),
      plan("plan", llvm::cl::desc(
                       "List the dispatches of a model, where each would run and why, and what the "
                       "compiler predicts; run nothing")),
      compareSchedules("compare-schedules",
                       llvm::cl::desc("Print the schedule of every kernel, with predicted cycles, "
                                      "simulated ones and the limit side by side")),
      allowHostCode(
          "allow-host-code",
          llvm::cl::desc("Let a task graph run the native code in its side file, which can do "
                         "whatever you can; for graphs from those you trust")),
      replacePrograms(
          "replace-program",
          llvm::cl::desc("Run a program (assembly or binary) in the place of a dispatch's; "
                         "the dispatch by its number or its function's name"),
          llvm::cl::value_desc("dispatch=file")),
      replaceForms(
          "replace-form",
          llvm::cl::desc("Run what the compiler makes of a kernel in tensor form, tile form or "
                         "planned form in the place of a dispatch's"),
          llvm::cl::value_desc("dispatch=file.mlir")),
      dumpForms(
          "dump-forms",
          llvm::cl::desc("Write every dispatch in tensor form, tile form and planned form, and its "
                         "program"),
          llvm::cl::value_desc("directory")),
      segments("npu-segments", llvm::cl::desc("Dispatches that follow each other"),
               llvm::cl::values(clEnumValN(Switch::On, "on", "they are one program"),
                                clEnumValN(Switch::Off, "off", "each is a program of its own")),
               llvm::cl::init(Switch::On)),
      effort("npu-search",
             llvm::cl::desc("How the schedules of kernels that follow each other are chosen"),
             llvm::cl::values(
                 clEnumValN(SegmentEffort::Auto, "auto",
                            "as full on several clusters; on one, joined where that is faster"),
                 clEnumValN(SegmentEffort::Quick, "quick", "each kernel by itself"),
                 clEnumValN(SegmentEffort::Full, "full",
                            "by what whole segments take; several times as long")),
             llvm::cl::init(SegmentEffort::Auto)),
      fallback("npu-fallback",
               llvm::cl::desc("What becomes of dispatches that the target does not run"),
               llvm::cl::values(
                   clEnumValN(Fallback::Host, "host", "they run on the host; the report says so"),
                   clEnumValN(Fallback::Error, "error", "all of them are listed and nothing runs")),
               llvm::cl::init(Fallback::Host)),
      placement(
          "npu-placement",
          llvm::cl::desc("Placements to keep to, as `npu-partition{write-placement=f.json}` writes "
                         "them"),
          llvm::cl::value_desc("file.json")),
      schedule(
          "npu-schedule",
          llvm::cl::desc("The schedule of the whole model: followed if there is such a file, else "
                         "what is chosen is written there"),
          llvm::cl::value_desc("file.json")),
      dumpIntermediates(
          "dump-intermediates",
          llvm::cl::desc("Write the inputs and outputs of every dispatch as .npy files"),
          llvm::cl::value_desc("directory")),
      trace(
          "trace",
          llvm::cl::desc("Write a timeline: for Perfetto or chrome://tracing, or of Perfetto's own "
                         "format, with counters and flows"),
          llvm::cl::value_desc("file.json | file.pftrace")),
      report("report",
             llvm::cl::desc(
                 "Write what the run took: a page, report.html, and tables as .csv and .json; "
                 "graphs, a timeline and messages beside them, see docs/reports.md"),
             llvm::cl::value_desc("directory")),
      compareReport("compare-report",
                    llvm::cl::desc("Show in the report what differs from an older one of --report"),
                    llvm::cl::value_desc("directory")),
      sarif("sarif",
            llvm::cl::desc(
                "Write errors, warnings and the reasons for what is on the host as SARIF; also "
                "when the run fails"),
            llvm::cl::value_desc("file")),
      modelExplorer(
          "model-explorer",
          llvm::cl::desc("Write the model at every level, from its input to instructions, as "
                         "graphs for Google's Model Explorer, and its dispatches for Graphviz"),
          llvm::cl::value_desc("directory")),
      progress("progress",
               llvm::cl::desc("A line about what a long run is doing, on standard error"),
               llvm::cl::values(
                   clEnumValN(ProgressMode::Auto, "auto", "if that is a terminal (default)"),
                   clEnumValN(ProgressMode::On, "on", "always"),
                   clEnumValN(ProgressMode::Off, "off", "never")),
               llvm::cl::init(ProgressMode::Auto)),
      cycleLimit("cycle-limit", llvm::cl::desc("Trap after this many simulated cycles"),
                 llvm::cl::init(sim::Options().cycleLimit)),
      hostOpLimit(
          "host-op-limit",
          llvm::cl::desc("Stop when the model's host function, or the loops of a task graph, "
                         "have executed this many ops"),
          llvm::cl::value_desc("n"), llvm::cl::init(HostProgramCallbacks().opLimit)),
      memoryLimit(
          "memory-limit",
          llvm::cl::desc("Refuse what needs more bytes for its tensors; default: 16 GiB, or all "
                         "there is"),
          llvm::cl::value_desc("bytes"), llvm::cl::init(getDefaultMemoryLimit())),
      flagfile("flagfile", llvm::cl::desc("Read more flags from a file, one per line"),
               llvm::cl::value_desc("path")) {}

llvm::Error RunCommandLine::verify() const {
  auto fail = [](const Twine &message) { return llvm::make_error<UsageError>(message.str()); };
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
    return fail(llvm::formatv("--output_max_element_count must not be negative, found {0}",
                              int64_t(maxPrintedElements)));
  for (const auto *option :
       {&f16Threshold, &bf16Threshold, &f32Threshold, &f64Threshold, &relativeTolerance})
    if (!(*option >= 0))
      return fail(
          formatv("--{0} must not be negative, found {1}", option->ArgStr, double(*option)));
  const std::reference_wrapper<const llvm::cl::Option> needValues[] = {
      check,           bisect,       device,   outputs, expectedOutputs, dumpIntermediates,
      replacePrograms, replaceForms, dumpForms};
  for (const llvm::cl::Option &option : needValues)
    if ((timingOnly || plan) && option.getNumOccurrences() != 0)
      return fail("--" + option.ArgStr + " needs values, which --" +
                  (plan ? plan : timingOnly).ArgStr + " does not compute");
  const std::reference_wrapper<const llvm::cl::Option> needTime[] = {
      timingOnly, report, trace, compareSchedules, modelExplorer};
  for (const llvm::cl::Option &option : needTime)
    if (plan && option.getNumOccurrences() != 0)
      return fail("--" + option.ArgStr +
                  " needs a run, and --plan runs nothing; leave out one of them");
  // Messages are written last, when the other files are there already.
  for (const llvm::cl::opt<std::string> *option : {&trace, &schedule})
    if (!sarif.empty() && sarif == *option)
      return fail("--sarif and --" + option->ArgStr + " name one file; name a file for each");
  if (!compareReport.empty() && report.empty())
    return fail("--compare-report needs --report: the differences are written there");
  if (check && device == Device::Host)
    return fail("--check compares the NPU with the host; leave out --device=host");
  const std::reference_wrapper<const llvm::cl::Option> needNPU[] = {
      bisect, replacePrograms, replaceForms, dumpForms, schedule, effort};
  for (const llvm::cl::Option &option : needNPU)
    if (device == Device::Host && option.getNumOccurrences() != 0)
      return fail("--" + option.ArgStr + " is about the NPU; leave out --device=host");
  const std::reference_wrapper<const llvm::cl::list<std::string>> replacements[] = {replacePrograms,
                                                                                    replaceForms};
  for (const llvm::cl::list<std::string> &option : replacements)
    for (StringRef value : option)
      if (auto [name, path] = value.split('='); name.empty() || path.empty())
        return fail("expected --" + option.ArgStr + "=<dispatch>=<file>, found '" + value + "'");
  return llvm::Error::success();
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
      llvm::raw_string_ostream os(bisection);
      found.print(os);
    };
  if (!dumpForms.empty())
    run.onForm = [this, &files](StringRef name, StringRef text) {
      SmallString<128> path(dumpForms);
      llvm::sys::path::append(path, name);
      return files.write(path, text);
    };
}

llvm::Error RunCommandLine::refuseModelOptions(StringRef why, OptionList others) const {
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
    for (const llvm::cl::Option &option : list)
      if (option.getNumOccurrences() != 0)
        return llvm::make_error<UsageError>(
            ("--" + option.ArgStr + " needs a model: " + why).str());
  return llvm::Error::success();
}

sim::Options RunCommandLine::getSimulatorOptions() const {
  sim::Options result;
  result.cycleLimit = cycleLimit;
  result.memoryLimit = memoryLimit;
  result.recordEvents = !trace.empty() || !report.empty();
  return result;
}

std::unique_ptr<Progress> RunCommandLine::createProgress() const {
  bool isShown = progress == ProgressMode::On ||
                 (progress == ProgressMode::Auto && llvm::errs().is_displayed());
  return isShown ? std::make_unique<Progress>(llvm::errs()) : nullptr;
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
static llvm::Error expandFlag(StringRef argument, unsigned depth, llvm::StringSaver &saver,
                              SmallVectorImpl<const char *> &result) {
  StringRef path = argument;
  if (!path.consume_front("--flagfile=")) {
    result.push_back(saver.save(argument).data());
    return llvm::Error::success();
  }
  constexpr unsigned maxDepth = 16;
  if (depth == maxDepth)
    return createStringError("flagfile '" + path + "' is inside of " + Twine(maxDepth) +
                             " others; does it include itself?");
  InputOptions options;
  options.maxBytes = maxFlagfileBytes;
  // One that names another is data.
  options.isNamedByData = depth > 0;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(path, options);
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
      return llvm::make_error<UsageError>((path + ":" + Twine(line) +
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
    if (llvm::Error error = expandFlag(flag, depth + 1, saver, result))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<const char *>> npu::runtime::expandFlagfiles(ArrayRef<char *> arguments,
                                                                        llvm::StringSaver &saver) {
  SmallVector<const char *> result;
  for (const char *argument : arguments)
    if (llvm::Error error = expandFlag(argument, 0, saver, result))
      return std::move(error);
  return result;
}
