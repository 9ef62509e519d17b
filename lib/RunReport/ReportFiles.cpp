//===- ReportFiles.cpp - the files of --report ----------------------------===//

#include "NPU/RunReport/ReportFiles.h"

#include "NPU/Execution/PhysicalFigures.h"
#include "NPU/RunReport/ReportJSON.h"

#include "NPU/Support/EscapeText.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

static llvm::json::Value toJSON(const CompareReport &check) {
  return llvm::json::Object{{"verdict", toString(check.getVerdict())},
                            {"reason", check.getReason()},
                            {"elements", check.numElements},
                            {"mismatches", check.numMismatches},
                            {"distinctValues", check.numDistinct},
                            {"nan", check.numNaN},
                            {"inf", check.numInf},
                            {"maxAbsError", check.maxAbsError},
                            {"maxRelError", check.maxRelError}};
}

/// The value of every parameter, with the overrides of the specification.
static llvm::json::Object toJSON(const TargetDesc &target) {
  llvm::json::Object object;
  for (const TargetParameter &parameter : getTargetParameters())
    if (parameter.decimals == 0)
      object[parameter.name] = target.*parameter.member;
    else if (target.*parameter.member != 0)
      object[parameter.name] =
          llvm::cantFail(llvm::json::parse(printParameterValue(parameter, target)));
  return object;
}

/// The sums over all dispatches, and the outputs, as JSON.
llvm::json::Object npu::runtime::makeReportSummary(const RunReport &report,
                                                   const TargetDesc &target) {
  int64_t cycles = 0, macs = 0, npuMacs = 0, read = 0, written = 0;
  llvm::json::Object busy;
  llvm::json::Array onHost;
  for (const DispatchRecord &dispatch : report.dispatches) {
    if (!report.isPlan)
      cycles += dispatch.statistics.cycles;
    else if (!dispatch.isInOtherKernel())
      cycles += dispatch.plan.predictedCycles;
    macs += dispatch.macs;
    npuMacs += dispatch.placement == Placement::NPU ? dispatch.macs : 0;
    read += dispatch.statistics.dramBytesRead;
    written += dispatch.statistics.dramBytesWritten;
    if (dispatch.placement == Placement::NPU)
      continue;
    llvm::json::Array reasons;
    for (const std::string &reason : dispatch.reasons)
      reasons.push_back(escapeText(reason));
    onHost.push_back(llvm::json::Object{{"dispatch", int64_t(dispatch.index)},
                                        {"op", escapeText(dispatch.description)},
                                        {"reasons", std::move(reasons)}});
  }
  for (isa::EngineKind engine : reportedEngines) {
    int64_t sum = 0;
    for (const DispatchRecord &dispatch : report.dispatches)
      sum += getBusyCycles(dispatch.statistics, engine);
    busy[isa::toString(engine)] = sum;
  }
  llvm::json::Array outputs;
  for (const OutputRecord &output : report.outputs) {
    llvm::json::Object object{{"name", escapeText(output.name)},
                              {"type", output.value.getTypeString()}};
    if (output.check)
      object["hostCheck"] = toJSON(*output.check);
    if (output.expectation)
      object["expected"] = toJSON(*output.expectation);
    outputs.push_back(std::move(object));
  }
  bool isChecked = llvm::any_of(
      report.outputs, [](const OutputRecord &output) { return output.check.has_value(); });
  llvm::json::Object summary{
      {"target", escapeText(target.name)},
      {"targetParameters", toJSON(target)},
      {"passed", report.hasPassed()},
      {"hostCheck", isChecked ? toString(report.getHostVerdict()) : "unchecked"},
      {"inconclusive", llvm::json::Array(map_range(report.getInconclusive(), escapeText))},
      {"dispatches", int64_t(report.dispatches.size())},
      {"cycles", cycles},
      {"rooflineCycles", report.limit.getCycles()},
      {"macs", macs},
      {"macsOnNPU", npuMacs},
      {"onHost", std::move(onHost)},
      {"busyCycles", std::move(busy)},
      {"dramBytesRead", read},
      {"dramBytesWritten", written},
      {"dramBytesLowerBound", report.limit.dramBytes},
      {"outputs", std::move(outputs)},
  };
  if (!report.assumedType.empty())
    summary["assumedType"] = report.assumedType;
  PhysicalFigures(getWork(report), target).addTo(summary);
  return summary;
}

std::string npu::runtime::printReportSummary(const RunReport &report, const TargetDesc &target) {
  return llvm::formatv("{0:2}\n", llvm::json::Value(makeReportSummary(report, target)));
}

//===----------------------------------------------------------------------===//
// What the page shows
//===----------------------------------------------------------------------===//

static ReportTable makeOutputTable(const RunReport &report) {
  ReportTable table;
  for (auto [name, isText] : {std::pair("output", true), std::pair("type", false),
                              std::pair("host_check", false), std::pair("host_check_reason", true),
                              std::pair("expected", false), std::pair("expected_reason", true)})
    table.columns.push_back({name, isText});
  for (const OutputRecord &output : report.outputs) {
    std::vector<std::string> row = {output.name, output.value.getTypeString()};
    for (const std::optional<CompareReport> &check : {output.check, output.expectation}) {
      row.push_back(check ? toString(check->getVerdict()).str() : "unchecked");
      row.push_back(check ? check->getReason() : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Per interval: the pause before it, its length, and how much of that is busy.
static llvm::json::Value toJSON(const EngineTimeline &timeline) {
  llvm::json::Array intervals, notes;
  int64_t end = 0;
  for (const BusyInterval &interval : timeline.intervals) {
    for (int64_t number : {interval.start - end, interval.end - interval.start, interval.busy})
      intervals.push_back(number);
    notes.push_back(interval.instruction);
    notes.push_back(interval.count);
    end = interval.end;
  }
  return llvm::json::Object{{"cluster", timeline.cluster},
                            {"engine", isa::toString(timeline.engine)},
                            {"intervals", std::move(intervals)},
                            {"instructions", std::move(notes)}};
}

static llvm::json::Value toJSON(const ProgramProfile &program) {
  llvm::json::Array parts, memory, places;
  for (const PartProfile &part : program.parts) {
    llvm::json::Array timelines;
    for (const EngineTimeline &timeline : part.timelines)
      timelines.push_back(toJSON(timeline));
    parts.push_back(llvm::json::Object{
        {"start", part.start}, {"end", part.end}, {"timelines", std::move(timelines)}});
  }
  for (const MemoryUse &use : program.memory) {
    memory.push_back(llvm::json::Array{use.cluster, isa::toString(use.space), use.begin, use.end,
                                       use.start, use.stop, use.part, escapeText(use.what)});
    places.push_back(escapeText(use.place));
  }
  llvm::json::Array instructions;
  for (const InstructionNote &note : program.instructions)
    instructions.push_back(llvm::json::Array{note.mnemonic, escapeText(note.place), note.waits,
                                             note.touches, note.dramBytes});
  return llvm::json::Object{
      {"name", escapeText(program.name)}, {"instructions", std::move(instructions)},
      {"cycles", program.cycles},         {"parts", std::move(parts)},
      {"memory", std::move(memory)},      {"memoryPlaces", std::move(places)}};
}

static llvm::json::Value makePrograms(const RunProfile &profile) {
  llvm::json::Array programs;
  for (const ProgramProfile &program : profile.getPrograms())
    programs.push_back(toJSON(program));
  return programs;
}

/// The intermediate tensors of a task graph, with their places and lives.
static llvm::json::Value toJSON(const taskgraph::TaskGraph &graph) {
  llvm::json::Array buffers;
  for (const taskgraph::Buffer &buffer : graph.buffers)
    if (buffer.region == taskgraph::MemoryRegion::Intermediates && !buffer.aliasOf)
      buffers.push_back(llvm::json::Array{escapeText(buffer.name), buffer.offset, buffer.bytes,
                                          buffer.begin, buffer.end});
  return llvm::json::Object{{"bytes", graph.getRegionBytes(taskgraph::MemoryRegion::Intermediates)},
                            {"tasks", int64_t(graph.tasks.size())},
                            {"buffers", std::move(buffers)}};
}

/// The launches whose dispatches are all among the first `numRecords`.
static llvm::json::Value makeLaunches(const RunProfile &profile, size_t numRecords) {
  llvm::json::Array launches;
  for (const RunProfile::Launch &launch : profile.getLaunches())
    if (launch.firstRecord + profile.getPrograms()[launch.program].parts.size() <= numRecords)
      launches.push_back(llvm::json::Array{launch.program, launch.firstRecord, launch.start});
  return launches;
}

/// Large networks have fewer in all; loops may have any number.
static constexpr size_t maxIntervals = 60'000;

namespace {
/// What a report says.
struct Report {
  explicit Report(const ReportInput &input);

  std::string printData() const { return llvm::formatv("{0}\n", llvm::json::Value(copyData())); }
  /// Takes no more rows than a browser shows.
  std::string printPage(const ReportInput &input) const;
  llvm::json::Object copyData() const { return data; }

  ReportTable summary, dispatches, kernels;
  std::vector<std::vector<size_t>> kernelRecords; ///< what of the report each kernel is made of
  std::optional<ReportTable> differences;
  llvm::json::Object data;
};
} // namespace

Report::Report(const ReportInput &input) {
  input.profile.limitIntervals(maxIntervals);
  const TargetDesc &target = input.target;
  summary = makeSummaryTable(input.report, input.profile, target);
  dispatches = makeDispatchTable(input.report, input.profile, target);
  kernels = makeKernelTable(input.report, input.profile, target, kernelRecords);
  if (input.other)
    differences = input.other->compareWith(dispatches);
  llvm::json::Array recordsOfKernels, edges;
  for (const std::vector<size_t> &records : kernelRecords)
    recordsOfKernels.push_back(llvm::json::Array(llvm::map_range(
        records, [](size_t record) { return llvm::json::Value(int64_t(record)); })));
  for (auto [from, to] : input.graphs.getDispatchEdges())
    edges.push_back(llvm::json::Array{from, to});
  data = llvm::json::Object{
      {"format", reportFormat},
      {"version", reportVersion},
      {"model", escapeText(input.model)},
      {"target", llvm::json::Object{{"name", escapeText(target.name)},
                                    {"clusters", target.clusters},
                                    {"sramBytes", target.sramBytes},
                                    {"accBytes", target.accBytes},
                                    {"dramBytesPerCycle", target.dramBytesPerCycle}}},
      {"summary", summary.toJSON()},
      {"dispatches", dispatches.toJSON()},
      {"kernels", kernels.toJSON()},
      {"kernelRecords", std::move(recordsOfKernels)},
      {"edges", std::move(edges)},
      {"losses", makeLossArray(input.report)},
      {"outputs", makeOutputTable(input.report).toJSON()},
      {"programs", makePrograms(input.profile)},
      {"launches", makeLaunches(input.profile, dispatches.rows.size())},
      {"arena", input.graph ? toJSON(*input.graph) : llvm::json::Value(nullptr)},
  };
}

std::string Report::printPage(const ReportInput &input) const {
  llvm::json::Object data = copyData();
  // A browser does not show a table of any length.
  constexpr size_t maxRows = 5000;
  if (dispatches.rows.size() > maxRows) {
    ReportTable first = dispatches;
    first.rows.resize(maxRows);
    data["dispatches"] = first.toJSON();
    data["launches"] = makeLaunches(input.profile, maxRows);
    // Kernels whose dispatches are all there.
    size_t numKernels = 0;
    while (numKernels < kernelRecords.size() && kernelRecords[numKernels].back() < maxRows)
      ++numKernels;
    ReportTable firstKernels = kernels;
    firstKernels.rows.resize(numKernels);
    data["kernels"] = firstKernels.toJSON();
    llvm::json::Array &all = *data.getArray("kernelRecords");
    while (all.size() > numKernels)
      all.pop_back();
  }
  if (differences) {
    ReportTable first = *differences;
    first.rows.resize(std::min(first.rows.size(), maxRows));
    data["differences"] = first.toJSON();
    data["other"] = escapeText(input.other->getDirectory());
  }
  // A page that opens quickly: bars are joined as far as that takes.
  constexpr size_t maxPageBytes = 1'000'000, minIntervals = 1000;
  std::string page = makeReportPage(llvm::json::Value(llvm::json::Object(data)));
  RunProfile profile = input.profile;
  for (size_t limit = maxIntervals / 2; page.size() > maxPageBytes && limit > minIntervals;
       limit = limit * 2 / 3) {
    profile.limitIntervals(limit);
    data["programs"] = makePrograms(profile);
    page = makeReportPage(llvm::json::Value(llvm::json::Object(data)));
  }
  return page;
}

std::string npu::runtime::makeReportData(const ReportInput &input) {
  return Report(input).printData();
}

std::string npu::runtime::makeReportPage(const ReportInput &input) {
  return Report(input).printPage(input);
}

llvm::Error npu::runtime::addReportFiles(const ReportInput &input, StringRef directory,
                                         OutputFiles &files) {
  const Report report(input);
  std::vector<std::pair<std::string, std::string>> contents = {
      {"summary.json", printReportSummary(input.report, input.target)},
      {"summary.csv", report.summary.toCSV()},
      {"per-dispatch.csv", report.dispatches.toCSV()},
      {"per-kernel.csv", report.kernels.toCSV()},
      {reportFile.str(), report.printData()},
      {reportSarif.str(), input.sarif},
      {"report.html", report.printPage(input)}};
  if (report.differences)
    contents.push_back({"differences.csv", report.differences->toCSV()});
  auto getPath = [&](StringRef name) {
    SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    return path;
  };
  if (llvm::Error error = files.createDirectory(directory))
    return error;
  for (const auto &[name, text] : contents)
    if (llvm::Error error = files.write(getPath(name), text))
      return error;
  if (input.graphs.getDepth() != ModelExplorer::Depth::All)
    return llvm::Error::success();
  return input.graphs.write(input.report, input.model, getPath(reportGraphs), getPath(reportDot),
                            files);
}
