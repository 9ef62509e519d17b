//===- RunRecorder.h - follows a run for --trace and --report -----*- C++ -*-===//

#ifndef NPU_LIB_RUNNER_RUNRECORDER_H
#define NPU_LIB_RUNNER_RUNRECORDER_H

#include "NPU/Runner/Trace.h"
#include "NPU/Support/OutputFiles.h"
#include "ReportFiles.h"
#include "RunCommandLine.h"

namespace npu::runtime {

/// Of a run, what its timeline and its report are made of, as far as they are wanted.
class RunRecorder {
public:
  /// Prepares the files; reads the report to compare with. `options` and `files` must outlive it.
  static llvm::Expected<RunRecorder> open(const RunCommandLine &options, OutputFiles &files);

  /// To be called for every segment and every dispatch of a run, in order. `program` is null if the
  /// dispatch ran on the host or in a segment.
  void add(const SegmentEvent &event);
  void add(const DispatchRecord &record, const isa::Program *program);

  /// The timeline; null if there is none.
  TraceWriter *getTrace() const { return trace.get(); }

  /// Writes what is wanted. `graph` is the task graph that was run; null: it was none.
  llvm::Error finish(const RunReport &report, const TargetDesc &target,
                     const taskgraph::TaskGraph *graph = nullptr);

private:
  RunRecorder(const RunCommandLine &options, OutputFiles &files)
      : options(&options), files(&files) {}

  const RunCommandLine *options;
  OutputFiles *files;
  std::unique_ptr<TraceWriter> trace;
  std::optional<OtherReport> other;
  RunProfile profile;
};

} // namespace npu::runtime

#endif // NPU_LIB_RUNNER_RUNRECORDER_H
