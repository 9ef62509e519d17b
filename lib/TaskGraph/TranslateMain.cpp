//===- TranslateMain.cpp - npu-compile, and npu-translate's commands ------===//
//
// One of the commands writes two files, or none on an error, and the other does not read MLIR, so
// they cannot use the driver of the other translations.
//
//===----------------------------------------------------------------------===//

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/InitAll/ModelFile.h"
#include "NPU/Support/ByteSize.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/HostMemory.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/PassManagers.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/Desc/TargetFile.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;

namespace {
enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2 };

constexpr char emitName[] = "mlir-to-npu-json", validateName[] = "validate-npu-json";

/// What npu-translate does with task graphs.
struct TaskGraphCommands {
  llvm::cl::opt<bool> emit{
      emitName, llvm::cl::desc("compile a model to a task graph in JSON, with a side file for code "
                               "and constants; the same as npu-compile")};
  llvm::cl::opt<bool> validate{validateName,
                               llvm::cl::desc("check a task graph and its side file")};
};

/// The options of the compilation of a model.
struct TaskGraphOptions {
  llvm::cl::opt<TargetName> target{"target", llvm::cl::desc("The chip to compile for"),
                                   llvm::cl::value_desc("name[:parameter=value,...] | @chip.json"),
                                   llvm::cl::init("npu-v1")};
  llvm::cl::opt<std::string> function{
      "npu-function",
      llvm::cl::desc("The function of the model; the default is the only public one"),
      llvm::cl::value_desc("name")};
  llvm::cl::opt<Fallback> fallback{
      "npu-fallback",
      llvm::cl::desc("The treatment of dispatches that the target does not support"),
      llvm::cl::values(
          clEnumValN(Fallback::Host, "host", "compile them to host functions (default)"),
          clEnumValN(Fallback::Error, "error", "list all of them as errors, and write nothing")),
      llvm::cl::init(Fallback::Host)};
  llvm::cl::opt<Switch> segments{
      "npu-segments", llvm::cl::desc("The compilation of consecutive dispatches"),
      llvm::cl::values(clEnumValN(Switch::On, "on", "as one program (default)"),
                       clEnumValN(Switch::Off, "off", "as one program each")),
      llvm::cl::init(Switch::On)};
  llvm::cl::opt<SegmentEffort> effort{
      "npu-search", llvm::cl::desc("The search for the schedules of consecutive kernels"),
      llvm::cl::values(
          clEnumValN(SegmentEffort::Auto, "auto",
                     "like full for several clusters; for one, dispatches share a kernel where "
                     "that is faster (default)"),
          clEnumValN(SegmentEffort::Quick, "quick", "each kernel by itself"),
          clEnumValN(SegmentEffort::Full, "full",
                     "by the time of whole segments, which takes several times as long")),
      llvm::cl::init(SegmentEffort::Auto)};
  llvm::cl::opt<std::string> placement{
      "npu-placement", llvm::cl::desc("A file of placements to keep; see docs/partition.md"),
      llvm::cl::value_desc("file.json")};
  llvm::cl::opt<std::string> schedule{
      "npu-schedule",
      llvm::cl::desc("The file with the schedule of the model, which is followed if it exists and "
                     "written if it does not"),
      llvm::cl::value_desc("file.json")};
  llvm::cl::opt<ByteSize> memoryLimit{
      "memory-limit",
      llvm::cl::desc("Refuse a model when three times the bytes of its constants and its state on "
                     "the host exceed this limit; the default is 16 GiB or the available memory, "
                     "whichever is less"),
      llvm::cl::value_desc("bytes"),
      llvm::cl::init(ByteSize(std::min(BuildOptions().memoryLimit, getHostMemoryBytes())))};
  llvm::cl::opt<std::string> report{
      "report", llvm::cl::desc("Write a report of the task graph; see docs/reports.md"),
      llvm::cl::value_desc("directory")};
  OptionAliases aliases{{&function, &fallback, &segments, &effort, &placement, &schedule}};
};
} // namespace

static TaskGraphCommands &getCommands() {
  static TaskGraphCommands commands;
  return commands;
}

static TaskGraphOptions &getOptions() {
  static TaskGraphOptions options;
  return options;
}

void npu::taskgraph::registerTaskGraphCommands() {
  getCommands();
  getOptions();
}

void npu::taskgraph::registerTaskGraphOptions() { getOptions(); }

bool npu::taskgraph::isTaskGraphCommand(int argc, char **argv) {
  return any_of(ArrayRef(argv, argc).drop_front(), [](StringRef argument) {
    StringRef name = argument.ltrim('-').split('=').first;
    return argument.starts_with("-") && (name == emitName || name == validateName);
  });
}

/// Hears what is said, while a command runs.
static ToolLog *toolLog = nullptr;
static StringRef toolName = "npu-translate";

static int fail(const Twine &message, ExitCode code = BadInput) {
  llvm::errs() << toolName << ": error: " << escapeText(message.str()) << "\n";
  if (toolLog)
    toolLog->addError(message);
  return code;
}

static int fail(llvm::Error error) { return fail(toString(std::move(error))); }

static int emitTaskGraph(StringRef input, StringRef output, BuildObserver &observer) {
  const TaskGraphOptions &options = getOptions();
  if (output == "-")
    return fail("expected the name of the JSON file with -o, found none: a second file is written "
                "beside it",
                BadUsage);
  if (llvm::Expected<TargetDesc> target = parseTarget(options.target); !target)
    return fail(target.takeError());
  protectInput(input);
  BuildOptions buildOptions;
  buildOptions.target = options.target;
  buildOptions.function = options.function;
  buildOptions.fallback = options.fallback;
  buildOptions.formSegments = options.segments == Switch::On;
  buildOptions.effort = options.effort;
  buildOptions.memoryLimit = options.memoryLimit;
  if (!options.placement.empty()) {
    protectInput(options.placement);
    llvm::Expected<PlacementMap> placements = readPlacements(options.placement);
    if (!placements)
      return fail(placements.takeError());
    buildOptions.placements = std::move(*placements);
  }
  std::unique_ptr<ScheduleFile> schedule;
  if (!options.schedule.empty()) {
    if (llvm::Error error = ScheduleFile::open(options.schedule, options.target).moveInto(schedule))
      return fail(std::move(error));
    buildOptions.schedule = schedule.get();
  }
  InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(input, inputOptions);
  if (!buffer)
    return fail(input + ": " + toString(buffer.takeError()));
  std::optional<ONNXImportOptions> onnxOptions = getONNXImportOptions();
  if (!onnxOptions)
    return BadUsage;
  if (std::optional<StringRef> option = findGivenOption({"onnx-*"});
      option && !isONNXFile(input, recognizeFile((*buffer)->getBuffer())))
    return fail("--" + *option + " needs an ONNX model: found MLIR", BadUsage);
  llvm::Expected<std::unique_ptr<ModelFile>> file =
      ModelFile::read(input, std::move(*buffer), *onnxOptions, llvm::errs(),
                      [&](mlir::Diagnostic &diagnostic) { observer.add(diagnostic); });
  if (!file)
    return fail(file.takeError());
  if (!*file)
    return BadInput;
  if (!options.report.empty())
    observer.beginReport((*file)->getModule());
  buildOptions.onPartition = [&](const Partition &partition, DispatchCompiler &compiler) {
    observer.add(partition, compiler);
  };
  llvm::Expected<TaskGraph> graph = buildTaskGraph((*file)->getModule(), buildOptions);
  if (!graph && (*file)->hasReported()) {
    consumeError(graph.takeError());
    return BadInput;
  }
  if (!graph)
    return fail(graph.takeError());
  OutputFiles otherFiles;
  if (!options.report.empty())
    if (llvm::Error error = observer.addReport(*graph, llvm::sys::path::filename(input),
                                               options.report, otherFiles))
      return fail(std::move(error));
  if (schedule)
    if (llvm::Error error = schedule->write(otherFiles))
      return fail(std::move(error));
  if (llvm::Error error = writeTaskGraph(*graph, output))
    return fail(std::move(error));
  if (llvm::Error error = otherFiles.commit())
    return fail(std::move(error));
  if (schedule)
    llvm::errs() << toolName << ": note: " << escapeText(schedule->describe()) << '\n';
  return Success;
}

static int validateTaskGraph(StringRef input) {
  llvm::Expected<TaskGraph> graph = readTaskGraph(input);
  if (!graph)
    return fail(graph.takeError());
  llvm::outs() << escapeText(input) << ": task graph '" << escapeText(graph->name) << "' for "
               << escapeText(getTargetName(graph->target)) << ": " << graph->tasks.size()
               << " tasks, " << graph->buffers.size() << " buffers, "
               << graph->getRegionBytes(MemoryRegion::Intermediates)
               << " bytes of intermediates, of which " << graph->liveSetBytes << " live at once\n";
  return Success;
}

namespace {
/// What is registered for the time of a command.
struct CommandLine {
  CommandLine(int &argc, char **&argv, StringRef inputs)
      : initLLVM(argc, argv),
        input(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc(inputs)),
        output("o", llvm::cl::desc("The output file"), llvm::cl::value_desc("file"),
               llvm::cl::init("-")) {
    registerCompilerPasses();
    passOptions.emplace();
    mlir::registerAsmPrinterCLOptions();
  }

  llvm::InitLLVM initLLVM;
  std::optional<PassManagerOptions> passOptions;
  llvm::cl::opt<std::string> input, output;
};
} // namespace

int npu::taskgraph::translateMain(int argc, char **argv, BuildObserver &observer) {
  CommandLine line(argc, argv, "<model.mlir | model.json>");
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, "NPU task graphs\n", &llvm::errs()))
    return BadUsage;
  line.passOptions->begin();
  toolLog = &observer;
  llvm::scope_exit forget([] { toolLog = nullptr; });
  const TaskGraphCommands &commands = getCommands();
  if (commands.emit == commands.validate)
    return fail("expected either --mlir-to-npu-json or --validate-npu-json", BadUsage);
  if (!commands.validate)
    return emitTaskGraph(line.input, line.output, observer);
  std::optional<StringRef> idle =
      findGivenOption({"mlir-*", "npu-*", "onnx-*", "target", "memory-limit", "report", "o"});
  if (idle)
    return fail((idle->size() > 1 ? "--" : "-") + *idle + " has no effect on --" + validateName +
                    "; leave it out",
                BadUsage);
  return validateTaskGraph(line.input);
}

int npu::taskgraph::compileMain(int argc, char **argv, BuildObserver &observer) {
  toolName = "npu-compile";
  CommandLine line(argc, argv, "<model.onnx | model.mlir>");
  groupOptions(
      {{"Common options", {"o", "target", "report", "npu-fallback", "fallback"}},
       {"Compilation", {"npu-*", "function", "segments", "search", "placement", "schedule"}},
       {"ONNX models", {"onnx-*"}},
       {"Printing, timing and debugging of the compiler", {"mlir-*"}}});
  if (!llvm::cl::ParseCommandLineOptions(
          argc, argv,
          "Compiles a model to a task graph, which npu-run runs and host programs launch\n\n"
          "EXAMPLES:\n"
          "  npu-compile model.onnx -o model.npu.json\n"
          "  npu-compile --target=@chip.json --report=report model.mlir -o model.npu.json\n"
          "  npu-run --input=@x.npy --output=@y.npy model.npu.json\n",
          &llvm::errs()))
    return BadUsage;
  line.passOptions->begin();
  toolLog = &observer;
  llvm::scope_exit forget([] { toolLog = nullptr; });
  return emitTaskGraph(line.input, line.output, observer);
}
