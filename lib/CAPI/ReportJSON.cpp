//===- ReportJSON.cpp - plans and reports for callers in C ----------------===//

#include "Handles.h"

#include "NPU/Support/EscapeText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace npu;

static json::Array toArray(ArrayRef<std::string> texts) {
  json::Array array;
  for (const std::string &text : texts)
    array.push_back(json::fixUTF8(text));
  return array;
}

std::string capi::toJSON(const runtime::RunReport &report, StringRef target) {
  int64_t cycles = 0, macs = 0, npuMacs = 0;
  json::Array dispatches;
  for (const runtime::DispatchRecord &dispatch : report.dispatches) {
    bool isOnNPU = dispatch.placement == Placement::NPU && !dispatch.isExternal;
    json::Object object{
        {"index", int64_t(dispatch.index)},
        {"op", json::fixUTF8(dispatch.description)},
        {"sources", toArray(dispatch.sources)},
        {"placement", dispatch.isExternal ? "external" : toString(dispatch.placement)},
        {"macs", dispatch.macs},
        {"reasons", toArray(dispatch.reasons)}};
    int64_t taken = dispatch.statistics.cycles;
    if (report.isPlan && isOnNPU) {
      // Of the whole kernel: they count where it begins.
      taken = dispatch.plan.kernel == dispatch.index ? dispatch.plan.predictedCycles : 0;
      object["kernel"] = int64_t(dispatch.plan.kernel);
    }
    object["cycles"] = taken;
    cycles += taken;
    macs += dispatch.macs;
    npuMacs += isOnNPU ? dispatch.macs : 0;
    dispatches.push_back(std::move(object));
  }
  return escapeJSON(
      formatv("{0:2}", json::Value(json::Object{{"target", json::fixUTF8(target)},
                                                {"cycles", cycles},
                                                {"macs", macs},
                                                {"macsOnNPU", npuMacs},
                                                {"dispatches", std::move(dispatches)}}))
          .str());
}
