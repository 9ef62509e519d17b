//===- ReportDifferences.h - one report against another -----------*- C++ -*-===//

#ifndef NPU_RUNREPORT_REPORTDIFFERENCES_H
#define NPU_RUNREPORT_REPORTDIFFERENCES_H

#include "NPU/RunReport/ReportTables.h"

namespace npu::runtime {

/// What report.json says first, so that others know what it is and whether they can read it. The
/// version changes whenever a reader of the old one would misread the new one.
inline constexpr llvm::StringLiteral reportFormat = "npu-run report", reportFile = "report.json";
inline constexpr int64_t reportVersion = 1;

/// The report of another run.
class OtherReport {
public:
  /// Reads report.json in a directory. Fails unless this npu-run writes such ones, too.
  static llvm::Expected<OtherReport> read(llvm::StringRef directory);

  /// Where it was.
  const std::string &getDirectory() const { return directory; }

  /// Cycles and bytes there and in `dispatches`, a row per dispatch of either. Those of the same op
  /// belong together, the first to the first and so on.
  ReportTable compareWith(const ReportTable &dispatches) const;

private:
  std::string directory;
  ReportTable dispatches;
};

} // namespace npu::runtime

#endif // NPU_RUNREPORT_REPORTDIFFERENCES_H
