//===- ReportFiles.cpp - the files of --report ----------------------------===//

#include "ReportFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace npu;
using namespace npu::runtime;

static double getRatio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

/// Share of the target's peak MAC rate that was used.
static double getUtilisation(const DispatchRecord &dispatch, const TargetDesc &target) {
  return getRatio(dispatch.statistics.macs, double(dispatch.statistics.cycles) *
                                                dispatch.limit.peakMacRate * target.clusters);
}

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
  if (dispatch.placement == Placement::Host)
    return "on host";
  if (dispatch.checks.empty())
    return "unchecked";
  return all_of(dispatch.checks, [](const CompareReport &check) { return check.passed; })
             ? "match"
             : "mismatch";
}

/// A field of a CSV file, quoted as RFC 4180 has it.
static std::string quote(StringRef text) {
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

std::string npu::runtime::makeDispatchTable(const RunReport &report, const TargetDesc &target) {
  std::string result = "dispatch,op,cycles,roofline_cycles,bound,cycles_over_roofline,macs,"
                       "mac_utilisation";
  for (StringRef what : {"busy", "wait"})
    for (isa::EngineKind engine : engines)
      result += formatv(",{0}_{1}_cycles", isa::toString(engine), what);
  result += ",dram_bytes_read,dram_bytes_written,dram_bytes_lower_bound,dram_over_lower_bound,"
            "host_check\n";
  raw_string_ostream os(result);
  for (const DispatchRecord &dispatch : report.dispatches) {
    const sim::Result &statistics = dispatch.statistics;
    const Roofline &limit = dispatch.limit;
    os << formatv("{0},{1},{2},{3},{4},{5:F4},{6},{7:F4}", dispatch.index,
                  quote(dispatch.description), statistics.cycles, limit.getCycles(),
                  limit.isMemoryBound() ? "memory" : "compute",
                  getRatio(statistics.cycles, limit.getCycles()), statistics.macs,
                  getUtilisation(dispatch, target));
    for (isa::EngineKind engine : engines)
      os << "," << getBusyCycles(statistics, engine);
    for (isa::EngineKind engine : engines)
      os << "," << getWaitCycles(statistics, engine);
    os << formatv(
        ",{0},{1},{2},{3:F4},{4}\n", statistics.dramBytesRead, statistics.dramBytesWritten,
        limit.dramBytes,
        getRatio(double(statistics.dramBytesRead) + statistics.dramBytesWritten, limit.dramBytes),
        getVerdict(dispatch));
  }
  return result;
}

static json::Value toJSON(const CompareReport &check) {
  return json::Object{{"passed", check.passed},
                      {"elements", check.numElements},
                      {"mismatches", check.numMismatches},
                      {"distinctValues", check.numDistinct},
                      {"nan", check.numNaN},
                      {"inf", check.numInf},
                      {"maxAbsError", check.maxAbsError},
                      {"maxRelError", check.maxRelError}};
}

std::string npu::runtime::makeSummary(const RunReport &report, const TargetDesc &target) {
  int64_t cycles = 0, limit = 0, macs = 0, read = 0, written = 0, bound = 0;
  json::Object busy;
  for (const DispatchRecord &dispatch : report.dispatches) {
    cycles += dispatch.statistics.cycles;
    limit += dispatch.limit.getCycles();
    macs += dispatch.statistics.macs;
    read += dispatch.statistics.dramBytesRead;
    written += dispatch.statistics.dramBytesWritten;
    bound += dispatch.limit.dramBytes;
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
  json::Object summary{
      {"target", json::fixUTF8(target.name)},
      {"passed", report.hasPassed()},
      {"dispatches", int64_t(report.dispatches.size())},
      {"cycles", cycles},
      {"rooflineCycles", limit},
      {"macs", macs},
      {"busyCycles", std::move(busy)},
      {"dramBytesRead", read},
      {"dramBytesWritten", written},
      {"dramBytesLowerBound", bound},
      {"outputs", std::move(outputs)},
  };
  return formatv("{0:2}\n", json::Value(std::move(summary)));
}
