//===- ReportTables.cpp - the tables of --report ----------------------------===//

#include "NPU/RunReport/ReportTables.h"

#include "NPU/Execution/KernelNames.h"
#include "NPU/Execution/PhysicalFigures.h"

#include "NPU/Support/EscapeText.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

std::string npu::runtime::printRatio(double part, double whole) {
  return llvm::formatv("{0:F4}", whole == 0 ? 0 : part / whole);
}

std::string ReportTable::toCSV() const {
  std::string result;
  llvm::raw_string_ostream os(result);
  interleave(columns, os, [&](const ReportColumn &column) { os << column.name; }, ",");
  auto printRow = [&](const std::vector<std::string> &row) {
    os << "\n";
    for (auto [number, column, cell] : llvm::enumerate(columns, row))
      os << (number ? "," : "") << (column.isText ? makeCSVField(cell) : escapeText(cell));
  };
  llvm::for_each(rows, printRow);
  if (!totals.empty())
    printRow(totals);
  os << "\n";
  return result;
}

llvm::json::Value ReportTable::toJSON() const {
  auto printRow = [](const std::vector<std::string> &row) {
    llvm::json::Array cells;
    for (const std::string &cell : row)
      cells.push_back(escapeText(cell));
    return cells;
  };
  llvm::json::Array names, texts, lines;
  for (const ReportColumn &column : columns) {
    names.push_back(column.name);
    texts.push_back(column.isText);
  }
  for (const std::vector<std::string> &row : rows)
    lines.push_back(printRow(row));
  return llvm::json::Object{{"columns", std::move(names)},
                            {"isText", std::move(texts)},
                            {"rows", std::move(lines)},
                            {"totals", printRow(totals)}};
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// What tables say of one kernel, or of several together.
struct Figures {
  int64_t macs = 0, cycles = 0, rooflineCycles = 0, peakRate = 0;
  int64_t busy[std::size(reportedEngines)] = {}, wait[std::size(reportedEngines)] = {};
  int64_t read = 0, written = 0, lowerBound = 0;
  int64_t sramPeak = 0, accPeak = 0;
  sim::MacCounts macsOfType{};
  int64_t vpuElements = 0;
  /// By engine that waits and what it waits for: cycles.
  std::map<std::pair<isa::EngineKind, std::string>, int64_t> stalls;

  Figures() = default;
  Figures(const DispatchRecord &dispatch, const PartProfile *profile, const TargetDesc &target);
  void add(const Figures &other);
};
} // namespace

/// Cycles that an engine was blocked, over all clusters.
static int64_t getWaitCycles(const sim::Result &statistics, isa::EngineKind engine) {
  int64_t cycles = 0;
  for (const sim::StreamStats &stream : statistics.streams)
    if (stream.engine == engine)
      cycles += stream.getWaitCycles();
  return cycles;
}

Figures::Figures(const DispatchRecord &dispatch, const PartProfile *profile,
                 const TargetDesc &target) {
  // What the NPU did; the limit has no say about the host.
  const sim::Result &statistics = dispatch.statistics;
  macs = statistics.macs;
  cycles = statistics.cycles;
  rooflineCycles = dispatch.limit.getCycles();
  peakRate = dispatch.peakMacRate * target.clusters;
  for (auto [number, engine] : llvm::enumerate(reportedEngines)) {
    busy[number] = getBusyCycles(statistics, engine);
    wait[number] = getWaitCycles(statistics, engine);
  }
  read = statistics.dramBytesRead;
  written = statistics.dramBytesWritten;
  lowerBound = dispatch.limit.dramBytes;
  macsOfType = statistics.macsOfType;
  vpuElements = statistics.vpuElements;
  if (!profile)
    return;
  sramPeak = profile->sramPeak;
  accPeak = profile->accPeak;
  for (const Stall &stall : profile->stalls)
    stalls[{stall.waiting, stall.signaller}] += stall.cycles;
}

void Figures::add(const Figures &other) {
  macs += other.macs;
  cycles += other.cycles;
  rooflineCycles += other.rooflineCycles;
  peakRate = std::max(peakRate, other.peakRate);
  for (size_t engine = 0; engine < std::size(reportedEngines); ++engine) {
    busy[engine] += other.busy[engine];
    wait[engine] += other.wait[engine];
  }
  read += other.read;
  written += other.written;
  lowerBound += other.lowerBound;
  sramPeak = std::max(sramPeak, other.sramPeak);
  accPeak = std::max(accPeak, other.accPeak);
  for (auto [sum, count] : llvm::zip_equal(macsOfType, other.macsOfType))
    sum += count;
  vpuElements += other.vpuElements;
  for (const auto &[key, cycles] : other.stalls)
    stalls[key] += cycles;
}

static Figures getTotals(const RunReport &report, const RunProfile &profile,
                         const TargetDesc &target) {
  Figures totals;
  for (auto [number, dispatch] : llvm::enumerate(report.dispatches))
    totals.add(Figures(dispatch, profile.find(number), target));
  // The limit of a network is no sum: what its kernels hand on, and load for each other, counts
  // once.
  totals.rooflineCycles = report.limit.getCycles();
  totals.lowerBound = report.limit.dramBytes;
  return totals;
}

namespace {
using Cells = SmallVector<std::pair<std::string, std::string>>;
} // namespace

/// The columns from `cycles` on; `bound` is what sets the limit of a kernel.
static Cells getTimeCells(const Figures &figures, std::optional<StringRef> bound,
                          const TargetDesc &target) {
  auto print = [](int64_t value) { return std::to_string(value); };
  // What a kernel of several does may have no limit of its own: others may hide it. It is not lost.
  bool hasLimit = figures.rooflineCycles != 0 || figures.cycles == 0;
  Cells cells = {{"cycles", print(figures.cycles)},
                 {"roofline_cycles", print(figures.rooflineCycles)}};
  if (bound)
    cells.push_back({"bound", hasLimit ? bound->str() : ""});
  cells.push_back({"cycles_over_roofline", printRatio(figures.cycles, figures.rooflineCycles)});
  cells.push_back({"lost_cycles", hasLimit ? print(figures.cycles - figures.rooflineCycles) : ""});
  // Of the target's peak rate for the dispatch's operands; of several, for the fastest ones.
  cells.push_back(
      {"mac_utilisation", printRatio(figures.macs, double(figures.cycles) * figures.peakRate)});
  for (auto [number, engine] : llvm::enumerate(reportedEngines)) {
    std::string name = isa::toString(engine).str();
    cells.push_back({name + "_busy_cycles", print(figures.busy[number])});
    cells.push_back({name + "_wait_cycles", print(figures.wait[number])});
  }
  cells.push_back({"dram_bytes_read", print(figures.read)});
  cells.push_back({"dram_bytes_written", print(figures.written)});
  cells.push_back({"dram_bytes_lower_bound", print(figures.lowerBound)});
  cells.push_back({"dram_over_lower_bound",
                   printRatio(double(figures.read) + figures.written, figures.lowerBound)});
  PhysicalFigures physical({figures.cycles, figures.read + figures.written, figures.macs,
                            figures.macsOfType, figures.vpuElements},
                           target);
  if (physical.hasTime()) {
    cells.push_back({"milliseconds", llvm::formatv("{0:F6}", physical.getSeconds() * 1e3)});
    cells.push_back({"dram_gb_per_s", llvm::formatv("{0:F4}", physical.getDramGBPerSecond())});
    cells.push_back({"tops", llvm::formatv("{0:F4}", physical.getTops())});
  }
  if (physical.hasEnergy())
    cells.push_back({"energy_uj", llvm::formatv("{0:F4}", physical.getEnergy())});
  return cells;
}

static ReportColumn makeColumn(StringRef name) {
  return {name.str(),
          is_contained({"op", "host_check_reason", "reasons", "names", "tile", "schedule", "stalls",
                        "target", "kernel_dispatches", "kernel_name", "largest_cause"},
                       name)};
}

/// Puts a row together; the first one says what the columns are.
static void addRow(ReportTable &table, Cells cells) {
  if (table.columns.empty())
    for (const auto &[name, value] : cells)
      table.columns.push_back(makeColumn(name));
  assert(cells.size() == table.columns.size() && "rows have the same columns");
  std::vector<std::string> &row = table.rows.emplace_back();
  for (auto &[name, value] : cells)
    row.push_back(escapeText(value));
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

static std::string getVerdict(const DispatchRecord &dispatch) {
  return dispatch.checks.empty() ? "unchecked" : toString(dispatch.getVerdict()).str();
}

/// Why the dispatch is no match, for each of its results that is none.
static std::string getReasons(const DispatchRecord &dispatch) {
  SmallVector<std::string> reasons;
  for (const CompareReport &check : dispatch.checks)
    if (std::string reason = check.getReason(); !reason.empty())
      reasons.push_back(std::move(reason));
  return join(reasons, "; ");
}

/// How many dispatches on the NPU have each verdict.
static Cells countVerdicts(const RunReport &report) {
  Cells counts;
  for (StringRef verdict : {"match", "mismatch", "inconclusive", "unchecked"})
    counts.push_back(
        {"dispatches_" + verdict.str(),
         std::to_string(llvm::count_if(report.dispatches, [&](const DispatchRecord &d) {
           return d.placement == Placement::NPU && getVerdict(d) == verdict;
         }))});
  return counts;
}

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

ReportTable npu::runtime::makeSummaryTable(const RunReport &report, const RunProfile &profile,
                                           const TargetDesc &target) {
  auto print = [](int64_t value) { return std::to_string(value); };
  Figures totals = getTotals(report, profile, target);
  int64_t onHost = 0, macs = 0, npuMacs = 0;
  for (const DispatchRecord &dispatch : report.dispatches) {
    bool isOnNPU = dispatch.placement == Placement::NPU;
    onHost += !isOnNPU;
    macs += dispatch.macs;
    npuMacs += isOnNPU ? dispatch.macs : 0;
  }
  int64_t sramPeak = 0, accPeak = 0;
  for (const ProgramProfile &program : profile.getPrograms()) {
    sramPeak = std::max(sramPeak, program.sramPeak);
    accPeak = std::max(accPeak, program.accPeak);
  }
  Cells cells = {{"target", target.name},
                 {"clusters", print(target.clusters)},
                 {"dispatches", print(report.dispatches.size())},
                 {"dispatches_on_npu", print(report.dispatches.size() - onHost)},
                 {"dispatches_on_host", print(onHost)},
                 {"macs", print(macs)},
                 {"macs_on_npu", print(npuMacs)},
                 {"macs_on_host", print(macs - npuMacs)}};
  cells.append(getTimeCells(totals, std::nullopt, target));
  cells.append({{"sram_peak_bytes", print(sramPeak)},
                {"sram_bytes", print(target.sramBytes)},
                {"acc_peak_bytes", print(accPeak)},
                {"acc_bytes", print(target.accBytes)}});
  cells.append(countVerdicts(report));
  bool isChecked = llvm::any_of(
      report.outputs, [](const OutputRecord &output) { return output.check.has_value(); });
  cells.append({{"host_check", isChecked ? toString(report.getHostVerdict()).str() : "unchecked"},
                {"passed", report.hasPassed() ? "yes" : "no"}});
  if (!report.assumedType.empty())
    cells.push_back({"assumed_type", report.assumedType});
  ReportTable table;
  addRow(table, std::move(cells));
  return table;
}

/// `mxu: 1200 on dmai (s3 s7), 30 on vpu (s9); vpu: ...`, without semaphores that are not known.
static std::string describeStalls(const PartProfile &profile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Stall *last = nullptr;
  for (const Stall &stall : profile.stalls) {
    if (last && last->waiting == stall.waiting)
      os << ", ";
    else
      os << (last ? "; " : "") << isa::toString(stall.waiting) << ": ";
    os << stall.cycles << " on " << stall.signaller;
    if (!stall.semaphores.empty()) {
      os << " (";
      interleave(stall.semaphores, os, [&](int64_t semaphore) { os << "s" << semaphore; }, " ");
      os << ")";
    }
    last = &stall;
  }
  return text;
}

/// The same of all dispatches, without semaphores: each program has its own.
static std::string describeStalls(const Figures &totals) {
  PartProfile all;
  for (const auto &[key, cycles] : totals.stalls)
    all.stalls.push_back({key.first, key.second, cycles, {}});
  llvm::sort(all.stalls, [](const Stall &a, const Stall &b) {
    return std::tuple(a.waiting, -a.cycles, a.signaller) <
           std::tuple(b.waiting, -b.cycles, b.signaller);
  });
  return describeStalls(all);
}

/// What holds up the engine that works most: the largest of its waits.
static std::string describeLargestCause(const Figures &figures, const PartProfile &profile) {
  size_t busiest =
      std::max_element(std::begin(figures.busy), std::end(figures.busy)) - std::begin(figures.busy);
  for (const Stall &stall : profile.stalls) // longest first
    if (stall.waiting == reportedEngines[busiest])
      return formatv("{0} waits for {1}: {2}", isa::toString(stall.waiting), stall.signaller,
                     stall.cycles);
  return formatv("{0} does not wait", isa::toString(reportedEngines[busiest]));
}

namespace {
/// A kernel, by the records of its dispatches.
struct KernelRow {
  SmallVector<size_t, 4> records;
  PartProfile profile; ///< of all of them
};
} // namespace

/// Adds the waits of a part. Those of one kind are one.
static void addProfile(PartProfile &kernel, const PartProfile &part) {
  for (const Stall &stall : part.stalls) {
    auto known = llvm::find_if(kernel.stalls, [&](const Stall &other) {
      return std::tie(other.waiting, other.signaller) == std::tie(stall.waiting, stall.signaller);
    });
    if (known == kernel.stalls.end()) {
      kernel.stalls.push_back(stall);
      continue;
    }
    known->cycles += stall.cycles;
    for (int64_t semaphore : stall.semaphores)
      if (!llvm::is_contained(known->semaphores, semaphore))
        known->semaphores.push_back(semaphore);
  }
}

/// The kernels, by the record of the first dispatch of each. A loop runs a kernel more than once.
static std::map<size_t, KernelRow> collectKernels(const RunReport &report,
                                                  const RunProfile &profile) {
  std::map<size_t, KernelRow> kernels;
  DenseMap<unsigned, size_t> latest; // by the first dispatch
  for (auto [number, dispatch] : llvm::enumerate(report.dispatches)) {
    if (dispatch.placement != Placement::NPU)
      continue;
    if (!dispatch.isInOtherKernel())
      latest[dispatch.index] = number;
    KernelRow &kernel = kernels[latest.lookup(dispatch.plan.kernel)];
    kernel.records.push_back(number);
    if (const PartProfile *part = profile.find(number))
      addProfile(kernel.profile, *part);
  }
  for (auto &[first, kernel] : kernels)
    llvm::sort(kernel.profile.stalls, [](const Stall &a, const Stall &b) {
      return std::tuple(a.waiting, -a.cycles, a.signaller) <
             std::tuple(b.waiting, -b.cycles, b.signaller);
    });
  return kernels;
}

/// The bound of the totals' limit; empty without a limit.
static StringRef describeBound(const Limit &limit) {
  return limit.getCycles() == 0 ? "" : limit.isMemoryBound() ? "memory" : "compute";
}

/// The share of a kernel in the network, and peaks.
static Cells getShareCells(const Figures &figures, const Figures &totals) {
  auto print = [](int64_t value) { return std::to_string(value); };
  double percent = totals.cycles == 0 ? 0 : 100.0 * figures.cycles / totals.cycles;
  return {{"network_share_percent", llvm::formatv("{0:F2}", percent)},
          {"peak_macs_per_cycle", print(figures.peakRate)},
          {"sram_peak_bytes", print(figures.sramPeak)},
          {"acc_peak_bytes", print(figures.accPeak)}};
}

ReportTable npu::runtime::makeDispatchTable(const RunReport &report, const RunProfile &profile,
                                            const TargetDesc &target) {
  auto print = [](int64_t value) { return std::to_string(value); };
  Figures totals = getTotals(report, profile, target);
  std::map<size_t, KernelRow> kernels = collectKernels(report, profile);
  ReportTable table;
  // `hasFigures` is false of what ran on the host, and of dispatches in the kernel of another.
  auto add = [&](Cells first, const Figures &figures, StringRef bound, Cells check, Cells origin,
                 Cells plan, bool onNPU, bool hasFigures) {
    Cells time = getTimeCells(figures, bound, target);
    time.append(check);
    for (auto &[name, value] : getShareCells(figures, totals))
      plan.push_back({name, onNPU ? value : ""});
    auto isOfDispatch = [](StringRef column) {
      return is_contained(
          {"kernel", "host_check", "host_check_reason", "sram_peak_bytes", "acc_peak_bytes"},
          column);
    };
    Cells cells = std::move(first);
    for (Cells *part : {&time, &plan}) {
      for (auto &[name, value] : *part)
        cells.push_back({name, hasFigures || isOfDispatch(name) ? value : ""});
      if (part == &time)
        cells.append(origin);
    }
    addRow(table, std::move(cells));
  };
  int64_t macs = 0;
  for (auto [number, dispatch] : llvm::enumerate(report.dispatches)) {
    macs += dispatch.macs;
    bool isOnNPU = dispatch.placement == Placement::NPU;
    auto kernel = kernels.find(number);
    bool isFirst = kernel != kernels.end();
    Figures figures(dispatch, profile.find(number), target);
    std::string members;
    if (isFirst)
      for (size_t record : kernel->second.records)
        members += (members.empty() ? "" : " ") + print(report.dispatches[record].index);
    add({{"dispatch", print(dispatch.index)},
         {"op", dispatch.description},
         {"placement", toString(dispatch.placement).str()},
         {"macs", print(dispatch.macs)}},
        figures, dispatch.limit.isMemoryBound() ? "memory" : "compute",
        {{"host_check", isOnNPU ? getVerdict(dispatch) : ""},
         {"host_check_reason", isOnNPU ? getReasons(dispatch) : ""}},
        {{"reasons", llvm::join(dispatch.reasons, "; ")}, {"names", join(dispatch.sources, "; ")}},
        {{"kernel", isOnNPU ? print(dispatch.plan.kernel) : ""},
         {"kernel_dispatches", members},
         {"tile", dispatch.plan.tile},
         {"schedule", dispatch.plan.schedule},
         {"largest_cause",
          isFirst ? describeLargestCause(figures, kernel->second.profile) : std::string()},
         {"stalls", isFirst ? describeStalls(kernel->second.profile) : ""}},
        isOnNPU, isFirst);
  }
  std::string verdicts;
  for (auto &[name, count] : countVerdicts(report))
    if (count != "0")
      verdicts +=
          (verdicts.empty() ? "" : "; ") + StringRef(name).split('_').second.str() + " " + count;
  add({{"dispatch", "total"}, {"op", "all dispatches"}, {"placement", ""}, {"macs", print(macs)}},
      totals, describeBound(report.limit), {{"host_check", verdicts}, {"host_check_reason", ""}},
      {{"reasons", ""}, {"names", ""}},
      {{"kernel", ""},
       {"kernel_dispatches", ""},
       {"tile", ""},
       {"schedule", ""},
       {"largest_cause", ""},
       {"stalls", describeStalls(totals)}},
      /*onNPU=*/true, /*hasFigures=*/true);
  table.totals = std::move(table.rows.back());
  table.rows.pop_back();
  return table;
}

static std::string getName(const RunReport &report, const KernelRow &kernel) {
  SmallVector<NamedDispatch> named;
  for (size_t record : kernel.records) {
    const DispatchRecord &dispatch = report.dispatches[record];
    named.push_back(
        {dispatch.description, {dispatch.layer, dispatch.layerOp}, dispatch.macs, dispatch.index});
  }
  return getKernelName(named);
}

ReportTable npu::runtime::makeKernelTable(const RunReport &report, const RunProfile &profile,
                                          const TargetDesc &target,
                                          std::vector<std::vector<size_t>> &records) {
  auto print = [](int64_t value) { return std::to_string(value); };
  Figures totals = getTotals(report, profile, target);
  ReportTable table;
  auto add = [&](Cells first, const Figures &figures, StringRef bound, Cells plan, bool onNPU) {
    Cells cells = std::move(first);
    Cells time = getTimeCells(figures, bound, target);
    time.append(getShareCells(figures, totals));
    for (auto &[name, value] : time)
      cells.push_back({name, onNPU ? value : ""});
    cells.append(plan);
    addRow(table, std::move(cells));
  };
  std::map<size_t, KernelRow> kernels = collectKernels(report, profile);
  for (auto [number, dispatch] : llvm::enumerate(report.dispatches))
    if (dispatch.placement != Placement::NPU)
      kernels[number].records = {number};
  int64_t macs = 0;
  records.clear();
  for (const auto &[number, kernel] : kernels) {
    const DispatchRecord &first = report.dispatches[number];
    bool isOnNPU = first.placement == Placement::NPU;
    Figures figures(first, profile.find(number), target);
    std::string members;
    int64_t ofKernel = 0;
    for (size_t record : kernel.records) {
      const DispatchRecord &dispatch = report.dispatches[record];
      members += (members.empty() ? "" : " ") + print(dispatch.index);
      ofKernel += dispatch.macs;
      if (const PartProfile *part = profile.find(record)) {
        figures.sramPeak = std::max(figures.sramPeak, part->sramPeak);
        figures.accPeak = std::max(figures.accPeak, part->accPeak);
      }
    }
    macs += ofKernel;
    records.emplace_back(kernel.records.begin(), kernel.records.end());
    add({{"kernel", print(first.index)},
         {"kernel_name", getName(report, kernel)},
         {"placement", toString(first.placement).str()},
         {"kernel_dispatches", members},
         {"macs", print(ofKernel)}},
        figures, first.limit.isMemoryBound() ? "memory" : "compute",
        {{"tile", first.plan.tile},
         {"schedule", first.plan.schedule},
         {"largest_cause", isOnNPU ? describeLargestCause(figures, kernel.profile) : std::string()},
         {"stalls", isOnNPU ? describeStalls(kernel.profile) : ""},
         {"reasons", llvm::join(first.reasons, "; ")}},
        isOnNPU);
  }
  add({{"kernel", "total"},
       {"kernel_name", "all kernels"},
       {"placement", ""},
       {"kernel_dispatches", ""},
       {"macs", print(macs)}},
      totals, describeBound(report.limit),
      {{"tile", ""},
       {"schedule", ""},
       {"largest_cause", ""},
       {"stalls", describeStalls(totals)},
       {"reasons", ""}},
      /*onNPU=*/true);
  table.totals = std::move(table.rows.back());
  table.rows.pop_back();
  return table;
}

ReportTable npu::runtime::makePlannedKernelTable(const RunReport &report) {
  auto print = [](int64_t value) { return std::to_string(value); };
  ReportTable table;
  for (const auto &[first, kernel] : collectKernels(report, RunProfile())) {
    const DispatchRecord &record = report.dispatches[first];
    std::string members;
    for (size_t member : kernel.records)
      members += (members.empty() ? "" : " ") + print(report.dispatches[member].index);
    // A program in the place of a kernel has no prediction.
    auto printKnown = [&](int64_t value) { return value == 0 ? std::string() : print(value); };
    addRow(table, {{"kernel", print(record.plan.kernel)},
                   {"kernel_dispatches", members},
                   {"kernel_name", getName(report, kernel)},
                   {"predicted_cycles", printKnown(record.plan.predictedCycles)},
                   {"roofline_cycles", print(record.limit.getCycles())},
                   {"dram_bytes_read", print(record.statistics.dramBytesRead)},
                   {"dram_bytes_written", print(record.statistics.dramBytesWritten)},
                   {"sram_bytes", printKnown(record.plan.sramBytes)},
                   {"acc_bytes", printKnown(record.plan.accBytes)},
                   {"tile", record.plan.tile},
                   {"schedule", record.plan.schedule}});
  }
  return table;
}
