//===- ReportTables.h - the tables of --report --------------------*- C++ -*-===//
//
// What a report says in numbers, once: the CSV files and the page show these cells as they are.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_RUNREPORT_REPORTTABLES_H
#define NPU_RUNREPORT_REPORTTABLES_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/RunReport/RunProfile.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace npu::runtime {

struct ReportColumn {
  std::string name;
  bool isText = false; ///< or else numbers, words or nothing
};

struct ReportTable {
  std::vector<ReportColumn> columns;
  std::vector<std::vector<std::string>> rows; ///< a cell per column
  std::vector<std::string> totals;            ///< likewise; none: the table has none

  /// As RFC 4180 has it: a line of names, the rows, the totals.
  std::string toCSV() const;
  llvm::json::Value toJSON() const;
};

/// The key figures of a run: one row.
ReportTable makeSummaryTable(const RunReport &report, const RunProfile &profile,
                             const TargetDesc &target);

/// A row per dispatch that ran, in order, and the totals.
ReportTable makeDispatchTable(const RunReport &report, const RunProfile &profile,
                              const TargetDesc &target);

/// A row per kernel that ran, in order, and the totals. What ran on the host has a row of its own.
/// `records` gets what of the report each row is made of.
ReportTable makeKernelTable(const RunReport &report, const RunProfile &profile,
                            const TargetDesc &target, std::vector<std::vector<size_t>> &records);

/// The same of a plan, with what is predicted.
ReportTable makePlannedKernelTable(const RunReport &report);

/// `part / whole`, or 0 of nothing, with four decimals.
std::string printRatio(double part, double whole);

/// Engines that reports speak of.
inline constexpr isa::EngineKind reportedEngines[] = {isa::EngineKind::Mxu, isa::EngineKind::Vpu,
                                                      isa::EngineKind::Dmai, isa::EngineKind::Dmao};

} // namespace npu::runtime

#endif // NPU_RUNREPORT_REPORTTABLES_H
