//===- RunRecorder.cpp - follows a run for --trace and --report -------------===//

#include "RunRecorder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace npu;
using namespace npu::runtime;

Expected<RunRecorder> RunRecorder::open(const RunCommandLine &options, OutputFiles &files) {
  RunRecorder recorder(options, files);
  if (!options.compareReport.empty())
    if (Error error = OtherReport::read(options.compareReport).moveInto(recorder.other))
      return std::move(error);
  if (!options.report.empty())
    if (Error error = files.createDirectory(options.report))
      return std::move(error);
  if (options.trace == "-")
    return make_error<UsageError>("--trace=- would mix the timeline with the report, which the "
                                  "standard output has; name a file");
  if (!options.trace.empty()) {
    Expected<raw_ostream *> os = files.open(options.trace);
    if (!os)
      return os.takeError();
    recorder.trace = std::make_unique<TraceWriter>(**os, options.trace);
  }
  return recorder;
}

void RunRecorder::add(const SegmentEvent &event) {
  if (trace)
    trace->addSegment(event);
  if (!options->report.empty())
    profile.addSegment(event);
}

void RunRecorder::add(const DispatchRecord &record, const isa::Program *program) {
  std::string name = formatv("#{0} {1}", record.index, record.description);
  if (trace && program)
    trace->addLaunch(name, *program, record.statistics);
  else if (trace && record.placement == Placement::Host)
    trace->addHostWork(name, join(record.reasons, "; "));
  if (!options->report.empty())
    profile.addDispatch(record, program);
}

Error RunRecorder::finish(const RunReport &report, const TargetDesc &target,
                          const taskgraph::TaskGraph *graph) {
  if (!options->report.empty()) {
    std::string model = sys::path::filename(options->getPath()).str();
    ReportInput input{model, report, target, profile, graph, other ? &*other : nullptr};
    if (Error error = addReportFiles(input, options->report, *files))
      return error;
  }
  if (trace)
    trace->finish();
  return Error::success();
}
