//===- RunCommandLine.cpp - the options of npu-run ------------------------===//

#include "RunCommandLine.h"

#include "NPU/Bisection/Bisect.h"

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
      module("module", llvm::cl::desc("The model or program, as an option, for flag files"),
             llvm::cl::value_desc("file")),
      testData("test-data-dir",
               llvm::cl::desc(
                   "Run the ONNX tests in a directory and its subdirectories instead of a model: "
                   "each has model.onnx and test_data_set_<n> with input_<i>.pb and output_<i>.pb"),
               llvm::cl::value_desc("directory")),
      function("function",
               llvm::cl::desc("The function to run; the default is the only public one"),
               llvm::cl::value_desc("name")),
      target("target",
             llvm::cl::desc(
                 "The chip to compile for; npu-translate --list-targets lists the known ones"),
             llvm::cl::value_desc("name | @chip.json, both with [:parameter=value,...]"),
             llvm::cl::init("npu-v1")),
      inputs("input",
             llvm::cl::desc(
                 "An input of the function, in order or as name=...: 4x4xf32=1, 2x2xi32=1 2 3 4, "
                 "@f.npy, +f.npy (the next array of the file), *f.npy (all remaining arrays), "
                 "2x2xf32=@f.bin, @f.pb, @f.npz[key] or random(seed); one random(seed) or "
                 "smallints(seed) fills all inputs, and the default is random(0)"),
             llvm::cl::value_desc("tensor")),
      parameters(
          "parameters",
          llvm::cl::desc("The source of the parameters of a scope (#flow.parameter.named): "
                         "scope=f.irpa, scope=f.safetensors, scope=f.npz or scope=random(seed)"),
          llvm::cl::value_desc("[scope=]source")),
      outputs("output",
              llvm::cl::desc(
                  "The destination of an output, in order or as name=...: empty discards it, - "
                  "prints it, @f.npy or @f.bin writes it, and +f.npy or +f.bin appends it"),
              llvm::cl::value_desc("destination")),
      expectedOutputs("expected_output",
                      llvm::cl::desc("The expected value of an output, in order or as name=..., in "
                                     "the form of --input, or (ignored)"),
                      llvm::cl::value_desc("tensor")),
      f16Threshold("expected_f16_threshold",
                   llvm::cl::desc("The absolute tolerance of f16 outputs"),
                   llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().f16)),
      bf16Threshold("expected_bf16_threshold",
                    llvm::cl::desc("The absolute tolerance of bf16 outputs"),
                    llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().bf16)),
      f32Threshold("expected_f32_threshold",
                   llvm::cl::desc("The absolute tolerance of f32 outputs"),
                   llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().f32)),
      f64Threshold("expected_f64_threshold",
                   llvm::cl::desc("The absolute tolerance of f64 outputs"),
                   llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().f64)),
      relativeTolerance(
          "expected_rtol",
          llvm::cl::desc("The relative tolerance, which is added to the absolute one"),
          llvm::cl::value_desc("x"), llvm::cl::init(ExpectedTolerance().relative)),
      equalityMode("equality_mode",
                   llvm::cl::desc("The comparison of outputs with --expected_output"),
                   llvm::cl::values(clEnumValN(EqualityMode::Approximate, "approximate",
                                               "within the tolerances (default)"),
                                    clEnumValN(EqualityMode::Exact, "exact", "without tolerance")),
                   llvm::cl::init(EqualityMode::Approximate)),
      maxPrintedElements("output_max_element_count",
                         llvm::cl::desc("The number of elements that --output=- prints at most"),
                         llvm::cl::value_desc("n"), llvm::cl::init(1024)),
      device("device", llvm::cl::desc("The device that runs the dispatches"),
             llvm::cl::values(clEnumValN(Device::NPU, "npu", "the simulated NPU (default)"),
                              clEnumValN(Device::Host, "host", "the host CPU"),
                              clEnumValN(Device::Compare, "compare",
                                         "both, and compare every dispatch and every output")),
             llvm::cl::init(Device::NPU)),
      check("check", llvm::cl::desc("The same as --device=compare")),
      bisect("bisect",
             llvm::cl::desc("Check as --check does, and for the first dispatch that differs print "
                            "the compiler level, the op and the element that differ first")),
      timingOnly("timing-only", llvm::cl::desc("Time a model without computing its values: inputs "
                                               "give shapes only, and parameters are not read")),
      plan("plan", llvm::cl::desc("List the dispatches of a model with their placement, the "
                                  "reasons for it and predicted cycles, and run nothing")),
      json("json", llvm::cl::desc("Print what is known of the run, or with --plan of the plan, as "
                                  "one JSON object, instead of text")),
      compareSchedules("compare-schedules",
                       llvm::cl::desc("Print the schedule of every kernel with its predicted "
                                      "cycles, its simulated cycles and its limit")),
      allowHostCode(
          "allow-host-code",
          llvm::cl::desc("Allow a task graph to run the native code in its side file, which can do "
                         "anything that you can; use it for files that you trust")),
      assumeType("assume-type",
                 llvm::cl::desc("With --timing-only or --plan, answer as if an ONNX model in f32 "
                                "were quantized, as npu-quantize does"),
                 llvm::cl::values(clEnumValN(AssumedType::I8, "i8", "weights and activations")),
                 llvm::cl::init(AssumedType::None)),
      numAdvised("advise",
                 llvm::cl::desc(
                     "Say of so many kernels, those that lose most, what would make them faster, "
                     "with the cycles that it saves; see docs/advice.md. The default is 0, with "
                     "--report 3"),
                 llvm::cl::value_desc("n"), llvm::cl::init(0)),
      replacePrograms(
          "replace-program",
          llvm::cl::desc("Run a program (assembly or binary) in place of the program of a "
                         "dispatch, which is named by its number or by its function"),
          llvm::cl::value_desc("dispatch=file")),
      replaceForms(
          "replace-form",
          llvm::cl::desc("Run a kernel in tensor form, tile form or planned form in place of the "
                         "kernel of a dispatch, which is named by its number or by its function"),
          llvm::cl::value_desc("dispatch=file.mlir")),
      dumpForms(
          "dump-forms",
          llvm::cl::desc(
              "Write every dispatch in tensor form, tile form and planned form, and its program"),
          llvm::cl::value_desc("directory")),
      segments("npu-segments", llvm::cl::desc("The compilation of consecutive dispatches"),
               llvm::cl::values(clEnumValN(Switch::On, "on", "as one program (default)"),
                                clEnumValN(Switch::Off, "off", "as one program each")),
               llvm::cl::init(Switch::On)),
      effort("npu-search", llvm::cl::desc("The search for the schedules of consecutive kernels"),
             llvm::cl::values(
                 clEnumValN(SegmentEffort::Auto, "auto",
                            "like full for several clusters; for one, dispatches share a kernel "
                            "where that is faster (default)"),
                 clEnumValN(SegmentEffort::Quick, "quick", "each kernel by itself"),
                 clEnumValN(SegmentEffort::Full, "full",
                            "by the time of whole segments, which takes several times as long")),
             llvm::cl::init(SegmentEffort::Auto)),
      fallback("npu-fallback",
               llvm::cl::desc("The treatment of dispatches that the target does not support"),
               llvm::cl::values(clEnumValN(Fallback::Host, "host", "run on the host (default)"),
                                clEnumValN(Fallback::Error, "error",
                                           "list all of them as errors, and run nothing")),
               llvm::cl::init(Fallback::Host)),
      placement(
          "npu-placement",
          llvm::cl::desc(
              "A file of placements to keep, as npu-partition{write-placement=f.json} writes it"),
          llvm::cl::value_desc("file.json")),
      schedule("npu-schedule",
               llvm::cl::desc("The file with the schedule of the model, which is followed if it "
                              "exists and written if it does not"),
               llvm::cl::value_desc("file.json")),
      dumpIntermediates(
          "dump-intermediates",
          llvm::cl::desc("Write the inputs and outputs of every dispatch as .npy files"),
          llvm::cl::value_desc("directory")),
      trace("trace",
            llvm::cl::desc("Write a timeline for Perfetto or chrome://tracing (.json), or for "
                           "Perfetto with counters and flows (.pftrace)"),
            llvm::cl::value_desc("file.json | file.pftrace")),
      report("report",
             llvm::cl::desc("Write a report of the run: a page (report.html), tables (.csv and "
                            ".json), graphs, a timeline and the diagnostics; see docs/reports.md"),
             llvm::cl::value_desc("directory")),
      compareReport("compare-report",
                    llvm::cl::desc("Add to the report the differences from an earlier --report"),
                    llvm::cl::value_desc("directory")),
      sarif("sarif",
            llvm::cl::desc("Write the errors, the warnings and the reasons for host placement as "
                           "SARIF, also when the run fails"),
            llvm::cl::value_desc("file")),
      modelExplorer(
          "model-explorer",
          llvm::cl::desc("Write the model at every level, from the input to the instructions, as "
                         "graphs for Google's Model Explorer, and the dispatches for Graphviz"),
          llvm::cl::value_desc("directory")),
      progress("progress", llvm::cl::desc("Show the progress of a long run on standard error"),
               llvm::cl::values(clEnumValN(ProgressMode::Auto, "auto",
                                           "if standard error is a terminal (default)"),
                                clEnumValN(ProgressMode::On, "on", "always"),
                                clEnumValN(ProgressMode::Off, "off", "never")),
               llvm::cl::init(ProgressMode::Auto)),
      cycleLimit("cycle-limit", llvm::cl::desc("Trap after this number of simulated cycles"),
                 llvm::cl::init(sim::Options().cycleLimit)),
      hostOpLimit("host-op-limit",
                  llvm::cl::desc("Stop after this number of ops of the model's host function, or "
                                 "of tasks in the loops of a task graph"),
                  llvm::cl::value_desc("n"), llvm::cl::init(HostProgramCallbacks().opLimit)),
      memoryLimit("memory-limit",
                  llvm::cl::desc("Refuse a run whose tensors need more bytes than this; the "
                                 "default is 16 GiB or the available memory, whichever is less"),
                  llvm::cl::value_desc("bytes"), llvm::cl::init(getDefaultMemoryLimit())),
      flagfile("flagfile", llvm::cl::desc("Read more flags from a file, one per line"),
               llvm::cl::value_desc("path")) {}

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
    run.onWrongDispatch = [&bisection](const WrongDispatch &dispatch, DispatchCompiler &compiler,
                                       const sim::Options &simulator) -> llvm::Error {
      llvm::Expected<Bisection> found = npu::runtime::bisect(dispatch, compiler, simulator);
      if (!found)
        return found.takeError();
      llvm::raw_string_ostream os(bisection);
      found->print(os);
      return llvm::Error::success();
    };
  if (!dumpForms.empty())
    run.onForm = [this, &files](StringRef name, StringRef text) {
      SmallString<128> path(dumpForms);
      llvm::sys::path::append(path, name);
      return files.write(path, text);
    };
}

sim::Options RunCommandLine::getSimulatorOptions() const {
  sim::Options result;
  result.cycleLimit = cycleLimit;
  result.memoryLimit = memoryLimit;
  result.recordEvents = !trace.empty() || !report.empty();
  return result;
}

unsigned RunCommandLine::getNumAdvised() const {
  return numAdvised.getNumOccurrences() == 0 && !report.empty() ? 3 : numAdvised.getValue();
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
