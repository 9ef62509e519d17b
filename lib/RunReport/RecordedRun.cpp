//===- RecordedRun.cpp - a run and all that is told of it -----------------===//

#include "NPU/RunReport/RecordedRun.h"

#include "NPU/Codegen/ScheduleFile.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DropEncodings.h"
#include "NPU/RunReport/ReportFiles.h"
#include "NPU/RunReport/ReportJSON.h"
#include "NPU/RunReport/ReportTables.h"
#include "NPU/RunReport/Sarif.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Trace/Timelines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

struct RecordedRun::Recording {
  explicit Recording(Options options) : options(std::move(options)), log(this->options.tool) {}

  /// Has all that happens written down.
  void follow(RunOptions &run);
  int getExitCode() const { return report.isPlan || report.hasPassed() ? 0 : 3; }
  ReportInput getInput() {
    return {options.model, report, target, profile, *graphs, log.print(getExitCode())};
  }

  Options options;
  TargetDesc target;
  RunReport report;
  RunProfile profile;
  std::optional<ModelExplorer> graphs;
  SarifLog log;
  std::string schedule, timeline;
  llvm::raw_string_ostream timelineStream{timeline};
  Timelines timelines;
};

RecordedRun::RecordedRun(std::unique_ptr<Recording> recording) : recording(std::move(recording)) {}

RecordedRun::~RecordedRun() = default;

void RecordedRun::Recording::follow(RunOptions &run) {
  run.onPartition = [this](const Partition &partition, DispatchCompiler &compiler) {
    log.add(partition);
    graphs->add(partition, compiler);
  };
  if (options.kind == Kind::Plan)
    return;
  run.simulator.recordEvents = true;
  if (options.isFull)
    timelines.open(timelineStream, reportTrace, maxReportedInstructions);
  run.onSegment = [this](const SegmentEvent &event) {
    timelines.add(event);
    graphs->add(event);
    profile.addSegment(event);
  };
  run.onDispatch = [this](const DispatchEvent &event) {
    timelines.add(event.record, event.program);
    graphs->add(event.record, event.program);
    profile.addDispatch(event.record, event.program);
    return llvm::Error::success();
  };
  if (timelines.empty())
    return;
  run.onHostOp = [this](Operation *op, ArrayRef<HostTensor> results) {
    std::string types = llvm::join(
        llvm::map_range(results, [](const HostTensor &result) { return result.getTypeString(); }),
        ", ");
    timelines.addHostWork(op->getName().getStringRef(), types);
  };
}

llvm::Expected<std::unique_ptr<RecordedRun>>
RecordedRun::record(ModuleOp module, const RunOptions &given, const Options &options) {
  auto recording = std::make_unique<Recording>(options);
  RunOptions run = given;
  if (llvm::Error error = parseTarget(run.target).moveInto(recording->target))
    return std::move(error);
  std::unique_ptr<ScheduleFile> schedule;
  if (llvm::Error error =
          ScheduleFile::parse(options.schedule, "schedule", run.target).moveInto(schedule))
    return std::move(error);
  run.schedule = schedule.get();
  OutputFiles files;
  if (!options.trace.empty()) {
    llvm::Expected<raw_ostream *> os = files.open(options.trace);
    if (!os)
      return os.takeError();
    recording->timelines.open(**os, options.trace);
  }
  ScopedDiagnosticHandler observer(module.getContext(), [&](Diagnostic &diagnostic) {
    recording->log.add(diagnostic);
    return failure(); // for the next handler
  });
  // They are what IREE has planned for another device.
  if (failed(flow::dropEncodings(module)))
    return llvm::createStringError("the encodings of the model cannot be dropped");
  recording->graphs.emplace(module, options.isFull ? ModelExplorer::Depth::All
                                                   : ModelExplorer::Depth::Dispatches);
  recording->follow(run);
  auto work = options.kind == Kind::Plan     ? planModel
              : options.kind == Kind::Timing ? timeModel
                                             : runModel;
  if (llvm::Error error = work(module, run).moveInto(recording->report))
    return std::move(error);
  if (llvm::Error error = schedule->print().moveInto(recording->schedule))
    return std::move(error);
  recording->timelines.finish();
  if (llvm::Error error = files.commit())
    return std::move(error);
  return std::unique_ptr<RecordedRun>(new RecordedRun(std::move(recording)));
}

const RunReport &RecordedRun::getReport() const { return recording->report; }

const TargetDesc &RecordedRun::getTarget() const { return recording->target; }

const std::string &RecordedRun::getSchedule() const { return recording->schedule; }

std::string RecordedRun::getKernels() const {
  std::vector<std::vector<size_t>> records;
  ReportTable table =
      recording->report.isPlan
          ? makePlannedKernelTable(recording->report)
          : makeKernelTable(recording->report, recording->profile, recording->target, records);
  return llvm::formatv("{0}\n", table.toJSON());
}

std::string RecordedRun::getLosses() const {
  return llvm::formatv("{0}\n", llvm::json::Value(makeLossArray(recording->report)));
}

std::string RecordedRun::getDiagnostics() const {
  return recording->log.print(recording->getExitCode());
}

std::string RecordedRun::getSummary() const {
  return printReportSummary(recording->report, recording->target);
}

std::string RecordedRun::getTables() const { return makeReportData(recording->getInput()); }

std::string RecordedRun::getPage() const { return makeReportPage(recording->getInput()); }

llvm::Error RecordedRun::write(StringRef directory, OutputFiles &files) const {
  if (llvm::Error error = addReportFiles(recording->getInput(), directory, files))
    return error;
  if (!recording->options.isFull)
    return llvm::Error::success();
  SmallString<128> path(directory);
  llvm::sys::path::append(path, reportTrace);
  return files.write(path, recording->timeline);
}
