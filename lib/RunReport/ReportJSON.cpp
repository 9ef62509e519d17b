//===- ReportJSON.cpp - a report as JSON ----------------------------------===//

#include "NPU/RunReport/ReportJSON.h"

#include "NPU/RunReport/ReportFiles.h"
#include "NPU/Support/EscapeText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::runtime;

static llvm::json::Array toArray(llvm::ArrayRef<std::string> texts) {
  llvm::json::Array array;
  for (const std::string &text : texts)
    array.push_back(llvm::json::fixUTF8(text));
  return array;
}

llvm::json::Array npu::runtime::makeDispatchArray(const RunReport &report) {
  llvm::json::Array dispatches;
  for (const DispatchRecord &dispatch : report.dispatches) {
    llvm::json::Object object{
        {"index", int64_t(dispatch.index)},
        {"op", llvm::json::fixUTF8(dispatch.description)},
        {"sources", toArray(dispatch.sources)},
        {"placement", dispatch.isExternal ? "external" : toString(dispatch.placement)},
        {"macs", dispatch.macs},
        {"reasons", toArray(dispatch.reasons)}};
    int64_t taken = dispatch.statistics.cycles;
    if (dispatch.placement == Placement::NPU && !dispatch.isExternal) {
      // Of the whole kernel: they count where it begins.
      if (report.isPlan)
        taken = dispatch.isInOtherKernel() ? 0 : dispatch.plan.predictedCycles;
      object["kernel"] = int64_t(dispatch.plan.kernel);
    }
    object["cycles"] = taken;
    dispatches.push_back(std::move(object));
  }
  return dispatches;
}

llvm::json::Array npu::runtime::makeLossArray(const RunReport &report) {
  llvm::json::Array losses;
  for (const Loss &loss : report.losses) {
    llvm::json::Array advice;
    for (const Advice &each : loss.advice) {
      llvm::json::Object object{{"rule", each.rule},
                                {"change", each.change},
                                {"reason", each.reason},
                                {"cyclesSaved", each.cycles}};
      if (!each.schedule.empty())
        object["schedule"] = each.schedule;
      advice.push_back(std::move(object));
    }
    losses.push_back(llvm::json::Object{{"kernel", int64_t(loss.kernel)},
                                        {"name", escapeText(loss.name)},
                                        {"cycles", loss.cycles},
                                        {"rooflineCycles", loss.limit},
                                        {"lostCycles", loss.getLost()},
                                        {"advice", std::move(advice)}});
  }
  return losses;
}

std::string npu::runtime::printReportAsJSON(const RunReport &report, const TargetDesc &target) {
  llvm::json::Object object = makeReportSummary(report, target);
  // Nothing has run.
  if (report.isPlan)
    for (llvm::StringRef key : {"busyCycles", "hostCheck", "inconclusive", "outputs", "passed"})
      object.erase(key);
  object["isPlan"] = report.isPlan;
  object["perDispatch"] = makeDispatchArray(report);
  object["losses"] = makeLossArray(report);
  return escapeJSON(llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object))).str());
}
