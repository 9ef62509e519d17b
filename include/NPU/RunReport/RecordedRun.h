//===- RecordedRun.h - a run and all that is told of it -------------------===//
//
// What `npu-run --plan`, `--timing-only` and a run with `--report` tell, in memory, for callers
// that are no command line.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_RUNREPORT_RECORDEDRUN_H
#define NPU_RUNREPORT_RECORDEDRUN_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/Support/OutputFiles.h"

#include <memory>
#include <string>

namespace npu::runtime {

class RecordedRun {
public:
  enum class Kind { Plan, Timing, Run };

  struct Options {
    Kind kind = Kind::Plan;
    std::string model;    ///< what runs, for people
    std::string tool;     ///< that runs it, for the diagnostics
    std::string schedule; ///< to follow, as the text of a ScheduleFile; empty: all is searched
    std::string trace;    ///< a file for the timeline; empty: none
    /// The report has a timeline and graphs of the model at every level, which take time.
    bool isFull = false;
  };

  /// Plans, times or runs the module, which is changed on the way. `run` says how; what it says of
  /// schedules and of callbacks is not used. Diagnostics are emitted.
  static llvm::Expected<std::unique_ptr<RecordedRun>>
  record(mlir::ModuleOp module, const RunOptions &run, const Options &options);
  ~RecordedRun();

  const RunReport &getReport() const;
  const TargetDesc &getTarget() const;

  /// The schedule that was followed or chosen, as the text of a ScheduleFile.
  const std::string &getSchedule() const;
  /// A row per kernel, as JSON.
  std::string getKernels() const;
  /// The losses of kernels, with advice, as JSON.
  std::string getLosses() const;
  /// The diagnostics of the model, as SARIF.
  std::string getDiagnostics() const;

  // Not of a plan. As in the files of --report:
  std::string getSummary() const;
  std::string getTables() const;
  std::string getPage() const;
  /// Adds all of the files to `files`.
  llvm::Error write(llvm::StringRef directory, OutputFiles &files) const;

private:
  struct Recording;

  explicit RecordedRun(std::unique_ptr<Recording> recording);

  std::unique_ptr<Recording> recording;
};

} // namespace npu::runtime

#endif // NPU_RUNREPORT_RECORDEDRUN_H
