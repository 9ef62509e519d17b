//===- TranslateMain.cpp - what tools do with task graphs -----------------===//
//
// One of the commands writes two files, or none on an error, and the other does not read MLIR, so
// they cannot use the driver of npu-translate's translations.
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
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/Desc/TargetFile.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "mlir/IR/AsmState.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::taskgraph;

namespace {
enum ExitCode { Success = 0, BadInput = 1, BadUsage = 2 };

/// The options of the compilation of a model.
struct TaskGraphOptions {
  llvm::cl::opt<TargetName> target{
      "target", llvm::cl::desc("The chip to compile for"),
      llvm::cl::value_desc("name | @chip.json, both with [:parameter=value,...]"),
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

static TaskGraphOptions &getOptions() {
  static TaskGraphOptions options;
  return options;
}

void npu::taskgraph::registerCompileOptions() {
  registerContextOptions();
  registerAsmPrinterCLOptions();
  registerCompilerPasses();
  registerONNXImportOptions();
  getOptions();
}

int npu::taskgraph::compileMain(StringRef input, StringRef output, BuildObserver &observer) {
  const TaskGraphOptions &options = getOptions();
  if (output == "-")
    return observer.fail(
        "expected the name of a JSON file with -o, found standard output: a second file is written "
        "beside it",
        BadUsage);
  if (llvm::Expected<TargetDesc> target = parseTarget(options.target); !target)
    return observer.fail(target.takeError());
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
      return observer.fail(placements.takeError());
    buildOptions.placements = std::move(*placements);
  }
  std::unique_ptr<ScheduleFile> schedule;
  if (!options.schedule.empty()) {
    if (llvm::Error error = ScheduleFile::open(options.schedule, options.target).moveInto(schedule))
      return observer.fail(std::move(error));
    buildOptions.schedule = schedule.get();
  }
  InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(input, inputOptions);
  if (!buffer)
    return observer.fail(input + ": " + toString(buffer.takeError()));
  std::optional<ONNXImportOptions> onnxOptions = getONNXImportOptions();
  if (!onnxOptions)
    return BadUsage;
  if (std::optional<StringRef> option = findGivenOption({"onnx-*"});
      option && !isONNXFile(input, recognizeFile((*buffer)->getBuffer())))
    return observer.fail("--" + *option + " needs an ONNX model: found MLIR", BadUsage);
  llvm::Expected<std::unique_ptr<ModelFile>> file =
      ModelFile::read(input, std::move(*buffer), *onnxOptions, llvm::errs(),
                      [&](mlir::Diagnostic &diagnostic) { observer.add(diagnostic); });
  if (!file)
    return observer.fail(file.takeError());
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
    return observer.fail(graph.takeError());
  OutputFiles otherFiles;
  if (!options.report.empty())
    if (llvm::Error error = observer.addReport(*graph, llvm::sys::path::filename(input),
                                               options.report, otherFiles))
      return observer.fail(std::move(error));
  if (schedule)
    if (llvm::Error error = schedule->write(otherFiles))
      return observer.fail(std::move(error));
  if (llvm::Error error = writeTaskGraph(*graph, output))
    return observer.fail(std::move(error));
  if (llvm::Error error = otherFiles.commit())
    return observer.fail(std::move(error));
  if (schedule)
    llvm::errs() << observer.getTool() << ": note: " << escapeText(schedule->describe()) << '\n';
  return Success;
}

int npu::taskgraph::validateMain(StringRef input, ToolLog &log) {
  llvm::Expected<TaskGraph> graph = readTaskGraph(input);
  if (!graph)
    return log.fail(graph.takeError());
  llvm::outs() << escapeText(input) << ": task graph '" << escapeText(graph->name) << "' for "
               << escapeText(getTargetName(graph->target)) << ": " << graph->tasks.size()
               << " tasks, " << graph->buffers.size() << " buffers, "
               << graph->getRegionBytes(MemoryRegion::Intermediates)
               << " bytes of intermediates, of which " << graph->liveSetBytes << " live at once\n";
  return Success;
}
