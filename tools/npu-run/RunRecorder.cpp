//===- RunRecorder.cpp - follows a run for --trace, --report and graphs ------===//

#include "RunRecorder.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Path.h"

#include <limits>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

static SmallString<128> joinPath(StringRef directory, StringRef name) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  return path;
}

llvm::Error RunRecorder::openTimeline(StringRef path, size_t room) {
  llvm::Expected<raw_ostream *> os = files->open(path);
  if (!os)
    return os.takeError();
  timelines.open(**os, path, room);
  return llvm::Error::success();
}

llvm::Expected<RunRecorder> RunRecorder::open(const RunCommandLine &options, SarifLog *log,
                                              OutputFiles &files) {
  RunRecorder recorder(options, log, files);
  if (!options.compareReport.empty())
    if (llvm::Error error = OtherReport::read(options.compareReport).moveInto(recorder.other))
      return std::move(error);
  for (StringRef directory : {StringRef(options.report), StringRef(options.modelExplorer)})
    if (!directory.empty())
      if (llvm::Error error = files.createDirectory(directory))
        return std::move(error);
  if (options.trace == "-")
    return llvm::make_error<UsageError>(
        "--trace=- would mix the timeline with the report, which the "
        "standard output has; name a file");
  if (!options.trace.empty())
    if (llvm::Error error =
            recorder.openTimeline(options.trace, std::numeric_limits<size_t>::max()))
      return std::move(error);
  if (!options.report.empty())
    if (llvm::Error error =
            recorder.openTimeline(joinPath(options.report, reportTrace), maxReportedInstructions))
      return std::move(error);
  return recorder;
}

void RunRecorder::begin(mlir::ModuleOp module) {
  if (!options->report.empty() || !options->modelExplorer.empty())
    explorer.emplace(module);
}

void RunRecorder::begin(const taskgraph::TaskGraph &taskGraph) {
  graph = &taskGraph;
  if (!options->report.empty())
    explorer.emplace(taskGraph);
}

void RunRecorder::add(const Partition &partition, DispatchCompiler &compiler) {
  if (log)
    log->add(partition);
  if (explorer)
    explorer->add(partition, compiler);
}

void RunRecorder::add(const SegmentEvent &event) {
  timelines.add(event);
  if (explorer)
    explorer->add(event);
  if (!options->report.empty())
    profile.addSegment(event);
}

void RunRecorder::add(const DispatchRecord &record, const isa::Program *program) {
  timelines.add(record, program);
  if (explorer)
    explorer->add(record, program);
  // Those of a model come with its partition.
  if (log && graph)
    log->add(record);
  if (!options->report.empty())
    profile.addDispatch(record, program);
}

llvm::Error RunRecorder::finish(const RunReport &report, const TargetDesc &target, int exitCode) {
  if (!options->modelExplorer.empty())
    if (llvm::Error error = explorer->write(report, options->getPath(), options->modelExplorer,
                                            joinPath(options->modelExplorer, reportDot), *files))
      return error;
  if (!options->report.empty()) {
    std::string model = llvm::sys::path::filename(options->getPath()).str();
    ReportInput input{model,     report,
                      target,    profile,
                      *explorer, log->print(exitCode),
                      graph,     other ? &*other : nullptr};
    if (llvm::Error error = addReportFiles(input, options->report, *files))
      return error;
  }
  finishTimelines();
  return llvm::Error::success();
}
