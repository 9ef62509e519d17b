//===- ReportJSON.cpp - plans and reports for callers in C ----------------===//

#include "Handles.h"

#include "NPU/RunReport/ReportJSON.h"
#include "NPU/Support/EscapeText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace npu;

std::string capi::toJSON(const runtime::RunReport &report, StringRef target) {
  int64_t cycles = 0, macs = 0, npuMacs = 0;
  for (const runtime::DispatchRecord &dispatch : report.dispatches) {
    bool isOnNPU = dispatch.placement == Placement::NPU && !dispatch.isExternal;
    macs += dispatch.macs;
    npuMacs += isOnNPU ? dispatch.macs : 0;
  }
  json::Array dispatches = runtime::makeDispatchArray(report);
  for (const json::Value &dispatch : dispatches)
    cycles += *dispatch.getAsObject()->getInteger("cycles");
  json::Object object{{"target", json::fixUTF8(target)},
                      {"cycles", cycles},
                      {"macs", macs},
                      {"macsOnNPU", npuMacs},
                      {"dispatches", std::move(dispatches)}};
  if (!report.assumedType.empty())
    object["assumedType"] = report.assumedType;
  return escapeJSON(formatv("{0:2}", json::Value(std::move(object))).str());
}
