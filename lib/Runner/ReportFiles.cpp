//===- ReportFiles.cpp - the files of --report ----------------------------===//

#include "ReportFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace npu;
using namespace npu::runtime;

static double getRatio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

/// Cycles that an engine was blocked, over all clusters.
static int64_t getWaitCycles(const sim::Result &statistics, isa::EngineKind engine) {
  int64_t cycles = 0;
  for (const sim::StreamStats &stream : statistics.streams)
    if (stream.engine == engine)
      cycles += stream.getWaitCycles();
  return cycles;
}

constexpr isa::EngineKind engines[] = {isa::EngineKind::Mxu, isa::EngineKind::Vpu,
                                       isa::EngineKind::Dmai, isa::EngineKind::Dmao};

static StringRef getVerdict(const DispatchRecord &dispatch) {
  return dispatch.checks.empty() ? "unchecked" : toString(dispatch.getVerdict());
}

/// Why the dispatch is no match, for each of its results that is none.
static std::string getReasons(const DispatchRecord &dispatch) {
  SmallVector<std::string> reasons;
  for (const CompareReport &check : dispatch.checks)
    if (std::string reason = check.getReason(); !reason.empty())
      reasons.push_back(std::move(reason));
  return join(reasons, "; ");
}

/// A field of a CSV file, quoted as RFC 4180 has it.
static std::string quote(StringRef text) {
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

/// The columns that only a dispatch on the NPU has, in order.
static SmallVector<std::pair<std::string, std::string>>
getNPUColumns(const DispatchRecord &dispatch, const TargetDesc &target) {
  const sim::Result &statistics = dispatch.statistics;
  const Roofline &limit = dispatch.limit;
  auto print = [](auto value) { return std::to_string(value); };
  auto printRatio = [](double part, double whole) {
    return formatv("{0:F4}", getRatio(part, whole)).str();
  };
  SmallVector<std::pair<std::string, std::string>> columns = {
      {"cycles", print(statistics.cycles)},
      {"roofline_cycles", print(limit.getCycles())},
      {"bound", limit.isMemoryBound() ? "memory" : "compute"},
      {"cycles_over_roofline", printRatio(statistics.cycles, limit.getCycles())},
      // Of the target's peak rate for the dispatch's operands.
      {"mac_utilisation", printRatio(statistics.macs, double(statistics.cycles) *
                                                          limit.peakMacRate * target.clusters)}};
  for (isa::EngineKind engine : engines) {
    std::string name = isa::toString(engine).str();
    columns.push_back({name + "_busy_cycles", print(getBusyCycles(statistics, engine))});
    columns.push_back({name + "_wait_cycles", print(getWaitCycles(statistics, engine))});
  }
  columns.push_back({"dram_bytes_read", print(statistics.dramBytesRead)});
  columns.push_back({"dram_bytes_written", print(statistics.dramBytesWritten)});
  columns.push_back({"dram_bytes_lower_bound", print(limit.dramBytes)});
  columns.push_back({"dram_over_lower_bound",
                     printRatio(double(statistics.dramBytesRead) + statistics.dramBytesWritten,
                                limit.dramBytes)});
  columns.push_back({"host_check", getVerdict(dispatch).str()});
  columns.push_back({"host_check_reason", quote(getReasons(dispatch))});
  return columns;
}

std::string npu::runtime::makeDispatchTable(const RunReport &report, const TargetDesc &target) {
  std::string result;
  raw_string_ostream os(result);
  os << "dispatch,op,placement,macs";
  for (const auto &[name, value] : getNPUColumns(DispatchRecord(), target))
    os << "," << name;
  os << ",reasons\n";
  for (const DispatchRecord &dispatch : report.dispatches) {
    os << formatv("{0},{1},{2},{3}", dispatch.index, quote(dispatch.description),
                  toString(dispatch.placement), dispatch.macs);
    for (const auto &[name, value] : getNPUColumns(dispatch, target))
      os << "," << (dispatch.placement == Placement::NPU ? value : "");
    os << "," << quote(join(dispatch.reasons, "; ")) << "\n";
  }
  return result;
}

static json::Value toJSON(const CompareReport &check) {
  return json::Object{{"verdict", toString(check.getVerdict())},
                      {"reason", check.getReason()},
                      {"elements", check.numElements},
                      {"mismatches", check.numMismatches},
                      {"distinctValues", check.numDistinct},
                      {"nan", check.numNaN},
                      {"inf", check.numInf},
                      {"maxAbsError", check.maxAbsError},
                      {"maxRelError", check.maxRelError}};
}

std::string npu::runtime::makeSummary(const RunReport &report, const TargetDesc &target) {
  int64_t cycles = 0, limit = 0, macs = 0, npuMacs = 0, read = 0, written = 0, bound = 0;
  json::Object busy;
  json::Array onHost;
  for (const DispatchRecord &dispatch : report.dispatches) {
    cycles += dispatch.statistics.cycles;
    limit += dispatch.limit.getCycles();
    macs += dispatch.macs;
    npuMacs += dispatch.placement == Placement::NPU ? dispatch.macs : 0;
    read += dispatch.statistics.dramBytesRead;
    written += dispatch.statistics.dramBytesWritten;
    bound += dispatch.limit.dramBytes;
    if (dispatch.placement == Placement::NPU)
      continue;
    json::Array reasons;
    for (const std::string &reason : dispatch.reasons)
      reasons.push_back(json::fixUTF8(reason));
    onHost.push_back(json::Object{{"dispatch", int64_t(dispatch.index)},
                                  {"op", json::fixUTF8(dispatch.description)},
                                  {"reasons", std::move(reasons)}});
  }
  for (isa::EngineKind engine : engines) {
    int64_t sum = 0;
    for (const DispatchRecord &dispatch : report.dispatches)
      sum += getBusyCycles(dispatch.statistics, engine);
    busy[isa::toString(engine)] = sum;
  }
  json::Array outputs;
  for (const OutputRecord &output : report.outputs) {
    json::Object object{{"name", json::fixUTF8(output.name)},
                        {"type", output.value.getTypeString()}};
    if (output.check)
      object["hostCheck"] = toJSON(*output.check);
    if (output.expectation)
      object["expected"] = toJSON(*output.expectation);
    outputs.push_back(std::move(object));
  }
  bool isChecked =
      any_of(report.outputs, [](const OutputRecord &output) { return output.check.has_value(); });
  json::Object summary{
      {"target", json::fixUTF8(target.name)},
      {"passed", report.hasPassed()},
      {"hostCheck", isChecked ? toString(report.getHostVerdict()) : "unchecked"},
      {"inconclusive", json::Array(report.getInconclusive())},
      {"dispatches", int64_t(report.dispatches.size())},
      {"cycles", cycles},
      {"rooflineCycles", limit},
      {"macs", macs},
      {"macsOnNPU", npuMacs},
      {"onHost", std::move(onHost)},
      {"busyCycles", std::move(busy)},
      {"dramBytesRead", read},
      {"dramBytesWritten", written},
      {"dramBytesLowerBound", bound},
      {"outputs", std::move(outputs)},
  };
  return formatv("{0:2}\n", json::Value(std::move(summary)));
}
