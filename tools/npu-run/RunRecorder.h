//===- RunRecorder.h - follows a run for --trace and --report -----*- C++ -*-===//

#ifndef NPU_TOOLS_NPURUN_RUNRECORDER_H
#define NPU_TOOLS_NPURUN_RUNRECORDER_H

#include "NPU/RunReport/ReportFiles.h"
#include "NPU/RunReport/Sarif.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Trace/Timelines.h"
#include "RunCommandLine.h"

namespace npu::runtime {

/// Of a run, what its timeline, its graphs and its report are made of, as far as they are wanted.
class RunRecorder {
public:
  /// Prepares the files; reads the report to compare with. `options` and `files` must outlive it,
  /// and so must `log`, which is null if nothing is said of the run.
  static llvm::Expected<RunRecorder> open(const RunCommandLine &options, SarifLog *log,
                                          OutputFiles &files);

  /// To be called with what is run, as it came.
  void begin(mlir::ModuleOp module);
  void begin(const taskgraph::TaskGraph &graph);

  /// To be called when it is decided what runs where.
  void add(const Partition &partition, DispatchCompiler &compiler);

  /// To be called for every segment and every dispatch of a run, in order. `program` is null if the
  /// dispatch ran on the host or in a segment.
  void add(const SegmentEvent &event);
  void add(const DispatchRecord &record, const isa::Program *program);

  /// Whether work of the host is wanted, too.
  bool hasTimeline() const { return !timelines.empty(); }
  void addHostWork(llvm::StringRef name, llvm::StringRef detail) {
    timelines.addHostWork(name, detail);
  }

  /// Of a program that is run by itself.
  void addLaunch(const isa::Program &program, const sim::Result &statistics) {
    timelines.addLaunch(program, statistics);
  }
  void finishTimelines() { timelines.finish(); }

  /// Writes what is wanted of a run that ends with `exitCode`.
  llvm::Error finish(const RunReport &report, const TargetDesc &target, int exitCode);

private:
  RunRecorder(const RunCommandLine &options, SarifLog *log, OutputFiles &files)
      : options(&options), log(log), files(&files) {}

  llvm::Error openTimeline(llvm::StringRef path, size_t room);

  const RunCommandLine *options;
  SarifLog *log;
  OutputFiles *files;
  Timelines timelines;
  std::optional<ModelExplorer> explorer;
  std::optional<OtherReport> other;
  const taskgraph::TaskGraph *graph = nullptr; ///< that is run; null: it is none
  RunProfile profile;
};

} // namespace npu::runtime

#endif // NPU_TOOLS_NPURUN_RUNRECORDER_H
