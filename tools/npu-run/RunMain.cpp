//===- RunMain.cpp - the command line of npu-run --------------------------===//

#include "RunMain.h"
#include "NPU/RunReport/ReportJSON.h"

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DropEncodings.h"
#include "NPU/Execution/GraphRunner.h"
#include "NPU/Execution/ModelRunner.h"
#include "NPU/Execution/NPUExecutor.h"
#include "NPU/Execution/OnnxTests.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/InitAll/ModelFile.h"
#include "NPU/RunReport/ReportJSON.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/PassManagers.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/Target/Translate/Translate.h"
#include "NPU/Tensor/Parameters.h"
#include "NamedTensors.h"
#include "ProgramTensors.h"
#include "RunCommandLine.h"
#include "RunForm.h"
#include "RunOutputs.h"
#include "RunRecorder.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/StringSaver.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {
enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2, Mismatch = 3, Trapped = 4 };
} // namespace

/// What --sarif and --report ask for; null without both.
static SarifLog *sarifLog = nullptr;

static int fail(const Twine &message, int code = BadInput) {
  llvm::errs() << "npu-run: error: " << escapeText(message.str()) << "\n";
  if (sarifLog)
    sarifLog->addError(message);
  return code;
}

static int fail(llvm::Error error) {
  int code = error.isA<sim::Trap>() ? Trapped : error.isA<UsageError>() ? BadUsage : BadInput;
  return fail(toString(std::move(error)), code);
}

/// The tensors that a dispatch has read and written, as `dispatch_3.input0.npy` and so on; with the
/// number of the run for one that runs again.
static llvm::Error dumpDispatch(const DispatchEvent &event, unsigned run, StringRef directory,
                                OutputFiles &files) {
  std::string name = llvm::formatv("dispatch_{0}", event.record.index);
  if (run > 0)
    name += llvm::formatv(".run{0}", run);
  for (auto [what, tensors] :
       {std::pair("input", event.inputs), std::pair("output", event.outputs)})
    for (auto [number, tensor] : enumerate(tensors)) {
      SmallString<128> path(directory);
      llvm::sys::path::append(path, llvm::formatv("{0}.{1}{2}.npy", name, what, number));
      if (llvm::Error error = files.write(path, encodeNpy(tensor)))
        return error;
    }
  return llvm::Error::success();
}

/// Loads what --parameters names; `parameters` must outlive the callback.
static llvm::Expected<ParameterCallback> openParameters(const RunCommandLine &options,
                                                        ParameterSet &parameters) {
  for (const std::string &specification : options.parameters)
    if (llvm::Error error = parameters.add(specification))
      return std::move(error);
  return [&](StringRef scope, StringRef key,
             const HostTensorType &type) -> llvm::Expected<HostTensor> {
    if (llvm::Error error = checkMemory(type, options.memoryLimit))
      return std::move(error);
    return parameters.load(scope, key, type.elementType, type.shape);
  };
}

/// Shows how far a run has come, unless `progress` is null.
template <typename Options>
static void follow(Progress *progress, Options &options) {
  options.progress = progress;
  if (progress)
    options.simulator.onProgress = [progress](int64_t cycle) { progress->advance(cycle); };
}

/// Prints what a dispatch took as soon as it has run.
static void printDispatch(const DispatchRecord &dispatch, const TargetDesc &target,
                          Progress *progress) {
  if (progress)
    progress->clear();
  dispatch.print(llvm::outs(), target);
  llvm::outs().flush();
}

/// Prints and writes what a run gave.
static int finishRun(const RunReport &report, const TargetDesc &target, const TensorFlags &flags,
                     const RunCommandLine &options, OutputFiles &files, RunRecorder &recorder) {
  // What has computed values has been printed by then, dispatch by dispatch.
  if (options.compareSchedules)
    report.printSchedules(llvm::outs());
  if (options.json)
    llvm::outs() << printReportAsJSON(report, target);
  else if (report.isPlan || options.timingOnly)
    report.print(llvm::outs(), target);
  else
    report.printTotals(llvm::outs(), target);
  if (!options.json && !options.timingOnly && !report.isPlan && options.numAdvised > 0)
    report.printLosses(llvm::outs());
  SmallVector<HostTensor> outputs;
  for (const OutputRecord &output : report.outputs)
    outputs.push_back(output.value);
  if (llvm::Error error = writeOutputs(outputs, flags.outputs, options, files))
    return fail(std::move(error));
  const int code = report.hasPassed() ? Success : Mismatch;
  if (llvm::Error error = recorder.finish(report, target, code))
    return fail(std::move(error));
  if (llvm::Error error = files.commit())
    return fail(std::move(error));
  return code;
}

static int runModelFile(const RunCommandLine &options, RunInput input,
                        std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (llvm::Error error = options.checkFor(input))
    return fail(std::move(error));
  std::optional<ONNXImportOptions> onnxOptions = getONNXImportOptions();
  if (!onnxOptions)
    return BadUsage;
  llvm::Expected<std::unique_ptr<ModelFile>> file =
      ModelFile::read(options.getPath(), std::move(buffer), *onnxOptions, llvm::errs(),
                      [](mlir::Diagnostic &diagnostic) {
                        if (sarifLog)
                          sarifLog->add(diagnostic);
                      });
  if (!file)
    return fail(file.takeError());
  if (!*file)
    return BadInput;
  // They are what IREE has planned for another device.
  if (failed(flow::dropEncodings((*file)->getModule())))
    return BadInput;
  if (isForm((*file)->getModule())) {
    llvm::Expected<bool> isExpected = runForm((*file)->getModule(), options);
    if (!isExpected)
      return fail(isExpected.takeError());
    return *isExpected ? Success : Mismatch;
  }
  llvm::Expected<TensorFlags> flags =
      orderTensorFlags(options, getTensorNames((*file)->getModule(), options.function));
  if (!flags)
    return fail(flags.takeError());

  ParameterSet parameters;
  llvm::Expected<ParameterCallback> parameter = openParameters(options, parameters);
  if (!parameter)
    return fail(parameter.takeError());
  OutputFiles files;
  for (StringRef directory : {StringRef(options.dumpIntermediates), StringRef(options.dumpForms)})
    if (!directory.empty())
      if (llvm::Error error = files.createDirectory(directory))
        return fail(std::move(error));
  llvm::Expected<RunRecorder> recorder = RunRecorder::open(options, sarifLog, files);
  if (!recorder)
    return fail(recorder.takeError());

  RunOptions runOptions;
  runOptions.target = options.target;
  runOptions.function = options.function;
  runOptions.inputs = flags->inputs;
  runOptions.expectedOutputs = flags->expectedOutputs;
  runOptions.tolerance = options.getTolerance();
  runOptions.parameter = *parameter;
  runOptions.check = options.check || options.bisect || options.device == Device::Compare;
  std::string bisection;
  options.addDebugging(runOptions, bisection, files);
  runOptions.fallback = options.fallback;
  runOptions.formSegments = options.segments == Switch::On;
  runOptions.effort = options.effort;
  if (!options.placement.empty()) {
    llvm::Expected<PlacementMap> placements = readPlacements(options.placement);
    if (!placements)
      return fail(placements.takeError());
    runOptions.placements = std::move(*placements);
  }
  std::unique_ptr<ScheduleFile> schedule;
  if (!options.schedule.empty()) {
    if (llvm::Error error = ScheduleFile::open(options.schedule, options.target).moveInto(schedule))
      return fail(std::move(error));
    runOptions.schedule = schedule.get();
  }
  if (options.assumeType == AssumedType::I8)
    runOptions.assumedType = assumableType;
  runOptions.hostOnly = options.device == Device::Host;
  runOptions.hostOpLimit = options.hostOpLimit;
  runOptions.numAdvised = options.getNumAdvised();
  runOptions.simulator = options.getSimulatorOptions();
  const std::unique_ptr<Progress> progress = options.createProgress();
  follow(progress.get(), runOptions);
  const TargetDesc target = cantFail(parseTarget(options.target));
  recorder->begin((*file)->getModule());
  runOptions.onPartition = [&](const Partition &partition, DispatchCompiler &compiler) {
    recorder->add(partition, compiler);
  };
  DenseMap<unsigned, unsigned> runs; // of every dispatch
  runOptions.keepValues = !options.dumpIntermediates.empty();
  runOptions.onSegment = [&](const SegmentEvent &event) { recorder->add(event); };
  runOptions.onDispatch = [&](const DispatchEvent &event) -> llvm::Error {
    if (!options.json && !options.timingOnly)
      printDispatch(event.record, target, progress.get());
    recorder->add(event.record, event.program);
    if (options.dumpIntermediates.empty())
      return llvm::Error::success();
    return dumpDispatch(event, runs[event.record.index]++, options.dumpIntermediates, files);
  };
  if (recorder->hasTimeline())
    runOptions.onHostOp = [&](mlir::Operation *op, ArrayRef<HostTensor> results) {
      SmallVector<std::string> types;
      for (const HostTensor &result : results)
        types.push_back(result.getTypeString());
      recorder->addHostWork(op->getName().getStringRef(), join(types, ", "));
    };

  mlir::ScopedDiagnosticHandler clearLine((*file)->getModule().getContext(),
                                          [&](mlir::Diagnostic &) {
                                            if (progress)
                                              progress->clear();
                                            return mlir::failure(); // for the next handler
                                          });
  auto run = options.plan ? planModel : options.timingOnly ? timeModel : runModel;
  llvm::Expected<RunReport> report = run((*file)->getModule(), runOptions);
  if (progress)
    progress->clear();
  if (!report && !bisection.empty()) {
    // What ended the run differs from the host, as any wrong result does.
    llvm::outs() << bisection;
    return fail(toString(report.takeError()), Mismatch);
  }
  if (!report && (*file)->hasReported()) {
    consumeError(report.takeError());
    return BadInput;
  }
  if (!report)
    return fail(report.takeError());
  if (schedule)
    if (llvm::Error error = schedule->write(files))
      return fail(std::move(error));
  int code = finishRun(*report, target, *flags, options, files, *recorder);
  if (schedule && (code == Success || code == Mismatch)) {
    llvm::outs().flush();
    llvm::errs() << "npu-run: note: " << escapeText(schedule->describe()) << '\n';
  }
  if (options.bisect && (code == Success || !bisection.empty()))
    llvm::outs() << (bisection.empty() ? "bisect: no dispatch differs from the host\n" : bisection);
  return code;
}

static int runTaskGraphFile(const RunCommandLine &options) {
  if (llvm::Error error = options.checkFor(RunInput::TaskGraph))
    return fail(std::move(error));
  if (options.device != Device::NPU)
    return fail("a task graph says what runs where; leave out --device", BadUsage);
  llvm::Expected<taskgraph::TaskGraph> graph = taskgraph::readTaskGraph(options.getPath());
  if (!graph)
    return fail(graph.takeError());
  SmallString<128> sideFile = llvm::sys::path::parent_path(options.getPath());
  llvm::sys::path::append(sideFile, graph->sideFileName);
  protectInput(sideFile);
  llvm::Expected<TargetDesc> target = parseTarget(graph->target);
  if (!target)
    return fail(options.getPath() + ": target: " + toString(target.takeError()));
  TensorNames names;
  for (const taskgraph::Port &input : graph->inputs)
    names.inputs.push_back(input.name);
  for (const taskgraph::Port &output : graph->outputs)
    names.outputs.push_back(output.name);
  llvm::Expected<TensorFlags> flags = orderTensorFlags(options, names);
  if (!flags)
    return fail(flags.takeError());
  if (!options.allowHostCode)
    if (llvm::Error error = refuseHostCode(*graph))
      return fail(options.getPath() + ": " + toString(std::move(error)));
  ParameterSet parameters;
  llvm::Expected<ParameterCallback> parameter = openParameters(options, parameters);
  if (!parameter)
    return fail(parameter.takeError());
  OutputFiles files;
  llvm::Expected<RunRecorder> recorder = RunRecorder::open(options, sarifLog, files);
  if (!recorder)
    return fail(recorder.takeError());

  recorder->begin(*graph);

  GraphRunOptions runOptions;
  runOptions.inputs = flags->inputs;
  runOptions.expectedOutputs = flags->expectedOutputs;
  runOptions.tolerance = options.getTolerance();
  runOptions.parameter = *parameter;
  runOptions.simulator = options.getSimulatorOptions();
  runOptions.taskLimit = options.hostOpLimit;
  const std::unique_ptr<Progress> progress = options.createProgress();
  follow(progress.get(), runOptions);
  runOptions.allowHostCode = options.allowHostCode;
  runOptions.onSegment = [&](const SegmentEvent &event) { recorder->add(event); };
  runOptions.onDispatch = [&](const DispatchRecord &record, const isa::Program *program) {
    printDispatch(record, *target, progress.get());
    recorder->add(record, program);
  };
  if (llvm::Error error = checkMemory(*graph, runOptions.simulator.memoryLimit))
    return fail(options.getPath() + ": " + toString(std::move(error)));
  llvm::Expected<RunReport> report = runTaskGraph(*graph, runOptions);
  if (progress)
    progress->clear();
  if (!report)
    return fail(report.takeError());
  return finishRun(*report, *target, *flags, options, files, *recorder);
}

/// What programs cannot do, as they say what to do and not what it means.
static llvm::Error checkProgramOptions(const RunCommandLine &options) {
  if (options.target.getNumOccurrences() != 0)
    return llvm::make_error<UsageError>("--target needs a model: a program names its own target");
  if (llvm::Error error = options.checkFor(RunInput::Program))
    return error;
  if (options.device != Device::NPU)
    return llvm::make_error<UsageError>("a program runs on the NPU only; leave out --device");
  return llvm::Error::success();
}

static int runProgramFile(const RunCommandLine &options, llvm::MemoryBufferRef buffer) {
  if (llvm::Error error = checkProgramOptions(options))
    return fail(std::move(error));
  llvm::Expected<isa::Program> program = readProgram(buffer);
  if (!program)
    return fail(program.takeError());
  const sim::Options simulator = options.getSimulatorOptions();
  if (llvm::Error error = sim::checkMemory(*program, simulator))
    return fail(options.getPath() + ": " + toString(std::move(error)));
  llvm::Expected<ProgramTensors> tensors = ProgramTensors::read(*program, options);
  if (!tensors)
    return fail(tensors.takeError());
  OutputFiles files;
  llvm::Expected<RunRecorder> recorder = RunRecorder::open(options, sarifLog, files);
  if (!recorder)
    return fail(recorder.takeError());
  llvm::Expected<LaunchResult> result =
      launch(*program, tensors->inputs, tensors->outputTypes, simulator);
  if (!result)
    return fail(result.takeError());
  if (int64_t bytes = result->statistics.unwrittenOutputBytes)
    llvm::errs() << llvm::formatv(
        "npu-run: warning: the program left {0} bytes of its outputs unwritten\n", bytes);
  llvm::outs() << llvm::formatv(
      "kernel {0} on {1}: {2} cycles, {3} MACs, {4} bytes read, {5} written\n",
      escapeText(program->name), escapeText(getTargetName(program->target)),
      result->statistics.cycles, result->statistics.macs, result->statistics.dramBytesRead,
      result->statistics.dramBytesWritten);
  for (const sim::StreamStats &stream : result->statistics.streams)
    llvm::outs() << formatv(
        "  cluster {0} {1}: {2} instructions, busy {3}, issue {4}, waiting {5}\n", stream.cluster,
        isa::toString(stream.engine), stream.instructions, stream.busy, stream.issue,
        stream.getWaitCycles());
  llvm::Expected<bool> isExpected =
      tensors->compareWithExpected(result->outputs, options.getTolerance());
  if (!isExpected)
    return fail(isExpected.takeError());
  if (llvm::Error error = writeOutputs(result->outputs, tensors->destinations, options, files))
    return fail(std::move(error));
  recorder->addLaunch(*program, result->statistics);
  recorder->finishTimelines();
  if (llvm::Error error = files.commit())
    return fail(std::move(error));
  return *isExpected ? Success : Mismatch;
}

/// Runs the tests of --test-data-dir. The tolerance is onnx.backend.test's unless one is given.
static int runTests(const RunCommandLine &options) {
  if (llvm::Error error = options.checkFor(RunInput::Tests))
    return fail(std::move(error));
  RunOptions runOptions;
  runOptions.target = options.target;
  runOptions.fallback = options.fallback;
  runOptions.formSegments = options.segments == Switch::On;
  runOptions.effort = options.effort;
  runOptions.hostOnly = options.device == Device::Host;
  runOptions.hostOpLimit = options.hostOpLimit;
  runOptions.simulator = options.getSimulatorOptions();
  runOptions.tolerance = options.getTolerance();
  for (auto [threshold, option] : {std::pair(&runOptions.tolerance.f16, &options.f16Threshold),
                                   std::pair(&runOptions.tolerance.bf16, &options.bf16Threshold),
                                   std::pair(&runOptions.tolerance.f32, &options.f32Threshold),
                                   std::pair(&runOptions.tolerance.f64, &options.f64Threshold)})
    if (option->getNumOccurrences() == 0)
      *threshold = 1e-7;
  if (options.relativeTolerance.getNumOccurrences() == 0)
    runOptions.tolerance.relative = 1e-3;
  // That is less than a bf16 resolves, and some stored ones were cut off instead of rounded.
  runOptions.tolerance.bf16Ulps = 1;
  llvm::Expected<OnnxTestCounts> counts = runOnnxTests(options.testData, runOptions, llvm::outs());
  if (!counts)
    return fail(counts.takeError());
  return counts->hasPassed() ? Success : Mismatch;
}

static int runFile(const RunCommandLine &options) {
  if (llvm::Error error = options.verify())
    return fail(std::move(error));
  for (StringRef input : {StringRef(options.getPath()), StringRef(options.placement)})
    protectInput(input);
  if (llvm::Error error = checkDestinations(options))
    return fail(std::move(error));
  if (llvm::Expected<TargetDesc> target = parseTarget(options.target); !target)
    return fail(target.takeError());
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  FileKind kind = FileKind::Text;
  StringRef path = options.getPath();
  if (options.testData.empty()) {
    InputOptions inputOptions;
    inputOptions.allowsStdin = true;
    if (llvm::Error error = readInput(path, inputOptions).moveInto(buffer))
      return fail(path + ": " + toString(std::move(error)));
    kind = recognizeFile(buffer->getBuffer());
  }
  if (options.allowHostCode && kind != FileKind::JSON)
    return fail("--allow-host-code needs a task graph: only those bring native code", BadUsage);
  if (!options.testData.empty())
    return runTests(options);
  if (kind == FileKind::JSON && !llvm::sys::fs::is_regular_file(path))
    return fail("a task graph needs its file name, as its side file lies beside it; found JSON "
                "from " +
                    (path == "-" ? "the standard input" : path),
                BadUsage);
  if (kind == FileKind::JSON)
    return runTaskGraphFile(options);
  bool isProgram = kind == FileKind::Assembly || kind == FileKind::Program ||
                   (kind == FileKind::Text && path.ends_with(".npuasm"));
  if (isProgram)
    return runProgramFile(options, *buffer);
  RunInput input = isONNXFile(path, kind) ? RunInput::ONNX : RunInput::MLIR;
  return runModelFile(options, input, std::move(buffer));
}

/// Runs, and writes what --sarif asks for, whatever became of the run.
static int runLogged(const RunCommandLine &options) {
  if (options.sarif.empty() && options.report.empty())
    return runFile(options);
  SarifLog log("npu-run");
  sarifLog = &log;
  int code = runFile(options);
  sarifLog = nullptr;
  if (options.sarif.empty())
    return code;
  OutputFiles files;
  if (llvm::Error error = files.write(options.sarif, log.print(code)))
    return fail(std::move(error));
  if (llvm::Error error = files.commit())
    return fail(std::move(error));
  return code;
}

int npu::runtime::runMain(int argc, char **argv) {
  prepareSignals();
  llvm::InitLLVM initLLVM(argc, argv);
  hideLLVMOptions();
  registerVersion();
  registerONNXImportOptions();
  registerContextOptions();
  mlir::registerAsmPrinterCLOptions();
  registerCompilerPasses();
  PassManagerOptions passOptions;
  RunCommandLine options;
  groupOptions(
      {{"Common options",
        {"target", "plan", "timing-only", "check", "input", "output", "report", "advise", "json"}},
       {"What runs", {"module", "function", "flagfile", "test-data-dir"}},
       {"Inputs and outputs", {"output_*", "expected_*", "equality_mode", "parameters"}},
       {"Where it runs",
        {"device", "npu-*", "allow-host-code", "fallback", "segments", "search", "placement",
         "schedule"}},
       {"Reports",
        {"report", "compare-*", "trace", "dump-intermediates", "sarif", "model-explorer",
         "progress"}},
       {"Wrong results", {"bisect", "replace-*", "dump-forms"}},
       {"Limits", {"cycle-limit", "memory-limit", "host-op-limit"}},
       {"ONNX models", {"onnx-*"}},
       {"Printing, timing and debugging of the compiler", {"mlir-*"}}});
  // How IR names its values: npu-opt is for that, and this list is long.
  for (StringRef name : {"mlir-print-unique-ssa-ids", "mlir-use-nameloc-as-prefix"})
    if (llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name))
      option->setHiddenFlag(llvm::cl::Hidden);
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::Expected<SmallVector<const char *>> arguments =
      expandFlagfiles(ArrayRef(argv, argc), saver);
  if (!arguments)
    return fail(arguments.takeError());
  if (!llvm::cl::ParseCommandLineOptions(
          arguments->size(), arguments->data(),
          "Runs a model, compiled or not, or a program, on the simulated NPU\n\n"
          "EXAMPLES:\n"
          "  npu-run --plan model.onnx\n"
          "  npu-run --timing-only --advise=3 --target=npu-v1:clockMHz=800 model.onnx\n"
          "  npu-run --check --report=report model.onnx\n"
          "  npu-run --input=@x.npy --output=@y.npy --target=@chip.json model.mlir\n",
          &llvm::errs()))
    return BadUsage;
  passOptions.begin();
  int code = runLogged(options);
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return code;
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  return fail("cannot write standard output: " + error.message());
}
