//===- ReportJSON.h - a report as JSON ----------------------------*- C++ -*-===//

#ifndef NPU_RUNREPORT_REPORTJSON_H
#define NPU_RUNREPORT_REPORTJSON_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "llvm/Support/JSON.h"

namespace npu::runtime {

/// Each dispatch with its placement and its cycles, which a kernel has in its first one. Of a plan
/// they are predicted.
llvm::json::Array makeDispatchArray(const RunReport &report);

/// Kernels with what they take beyond their limit, and with advice.
llvm::json::Array makeLossArray(const RunReport &report);

/// What `npu-run --json` prints: the keys of summary.json, of a plan without those about what ran,
/// `isPlan`, `perDispatch` and `losses`.
std::string printReportAsJSON(const RunReport &report, const TargetDesc &target);

} // namespace npu::runtime

#endif // NPU_RUNREPORT_REPORTJSON_H
