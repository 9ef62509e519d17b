//===- ReportFiles.h - the files of --report ----------------------*- C++ -*-===//

#ifndef NPU_RUNREPORT_REPORTFILES_H
#define NPU_RUNREPORT_REPORTFILES_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/RunReport/ReportDifferences.h"
#include "NPU/RunReport/RunProfile.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/TaskGraph/TaskGraph.h"
#include "NPU/Visualization/ModelExplorer.h"

namespace npu::runtime {

/// What else is in the directory of --report.
inline constexpr llvm::StringLiteral reportGraphs = "model-explorer", reportDot = "dispatches.dot",
                                     reportSarif = "diagnostics.sarif",
                                     reportTrace = "trace.pftrace";

/// All that a report is made of.
struct ReportInput {
  std::string model; ///< what was run, for people
  const RunReport &report;
  const TargetDesc &target;
  RunProfile &profile;                         ///< of the run; long timelines are shortened
  ModelExplorer &graphs;                       ///< written if they have Depth::All
  std::string sarif;                           ///< what was said of it
  const taskgraph::TaskGraph *graph = nullptr; ///< that was run; null: it was none
  const OtherReport *other = nullptr;          ///< to compare with; may be null
};

/// Adds to `files` what --report writes into its directory, which is created, but the timeline,
/// which is written during the run.
llvm::Error addReportFiles(const ReportInput &input, llvm::StringRef directory, OutputFiles &files);

/// Of those, `summary.json`, `report.json` and `report.html`.
llvm::json::Object makeReportSummary(const RunReport &report, const TargetDesc &target);
std::string printReportSummary(const RunReport &report, const TargetDesc &target);
std::string makeReportData(const ReportInput &input);
std::string makeReportPage(const ReportInput &input);

/// A page that shows `data`, what report.json says and the differences, without any other file.
std::string makeReportPage(const llvm::json::Value &data);

} // namespace npu::runtime

#endif // NPU_RUNREPORT_REPORTFILES_H
