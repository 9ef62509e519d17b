//===- PrintReport.cpp - the tables of npu-run -----------------------------===//

#include "NPU/Execution/ModelRunner.h"

#include "NPU/Execution/PhysicalFigures.h"

#include "NPU/Support/EscapeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

CheckVerdict DispatchRecord::getVerdict() const {
  CheckVerdict worst = CheckVerdict::Match;
  for (const CompareReport &check : checks)
    worst = std::max(worst, check.getVerdict());
  return worst;
}

CheckVerdict RunReport::getHostVerdict() const {
  CheckVerdict worstInside = CheckVerdict::Match;
  for (const DispatchRecord &dispatch : dispatches)
    worstInside = std::max(worstInside, dispatch.getVerdict());
  bool isCompared = false, isConclusive = false;
  for (const OutputRecord &output : outputs) {
    if (!output.check)
      continue;
    isCompared = true;
    isConclusive |= !output.check->isInconclusive();
    if (output.check->getVerdict() == CheckVerdict::Mismatch)
      return CheckVerdict::Mismatch;
  }
  if (worstInside == CheckVerdict::Mismatch)
    return worstInside;
  return isCompared && !isConclusive ? CheckVerdict::Inconclusive : CheckVerdict::Match;
}

llvm::SmallVector<std::string> RunReport::getInconclusive() const {
  llvm::SmallVector<std::string> names;
  for (const DispatchRecord &dispatch : dispatches)
    if (dispatch.getVerdict() == CheckVerdict::Inconclusive)
      names.push_back(formatv("dispatch #{0}", dispatch.index));
  for (const OutputRecord &output : outputs)
    if (output.check && output.check->isInconclusive())
      names.push_back(output.name);
  return names;
}

/// Outputs that are not as expected.
static size_t countUnexpected(const RunReport &report) {
  return llvm::count_if(report.outputs, [](const OutputRecord &output) {
    return output.expectation && !output.expectation->passed;
  });
}

bool RunReport::hasPassed() const {
  return getHostVerdict() == CheckVerdict::Match && countUnexpected(*this) == 0;
}

/// The last line of a checked run.
static std::string describeVerdict(const RunReport &report) {
  switch (report.getHostVerdict()) {
  case CheckVerdict::Mismatch:
    return "DOES NOT MATCH host";
  case CheckVerdict::Inconclusive:
    return "host check is INCONCLUSIVE";
  case CheckVerdict::Match:
    break;
  }
  llvm::SmallVector<std::string> inconclusive = report.getInconclusive();
  return inconclusive.empty() ? "matches host"
                              : "matches host; INCONCLUSIVE by themselves: " +
                                    escapeText(llvm::join(inconclusive, ", "));
}

/// Share of `part` in `whole`, in percent.
static double getPercent(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

/// MAC/cycle the target's arrays reach at best with this dispatch's operands.
static int64_t getPeak(const DispatchRecord &dispatch, const TargetDesc &target) {
  return dispatch.peakMacRate * target.clusters;
}

/// `1152 (compute bound), 2.57 x limit`, or that there is none: what the vector unit does in a
/// program of several kernels may be done while the array works for others.
static std::string describeLimit(const Limit &limit, int64_t cycles) {
  if (limit.getCycles() == 0)
    return "none of its own";
  return formatv("{0} ({1} bound), {2:F2} x limit", limit.getCycles(),
                 limit.isMemoryBound() ? "memory" : "compute", double(cycles) / limit.getCycles());
}

/// What of a limit's bytes there is to say. A kernel of several may be given by another what it
/// reads, so that what comes from outside of the program is no bound for it.
static std::string describeBytes(const Limit &limit, bool isPart) {
  return formatv("{0} {1}", isPart ? "from outside of the program" : "lower bound",
                 limit.dramBytes);
}

/// The first few.
static std::string printSources(llvm::ArrayRef<std::string> sources) {
  constexpr size_t shown = 5;
  std::string text = llvm::join(sources.take_front(shown), ", ");
  if (sources.size() > shown)
    text += formatv(" and {0} more", sources.size() - shown);
  return escapeText(text);
}

static void printPlan(const DispatchRecord &dispatch, const TargetDesc &target,
                      llvm::raw_ostream &os) {
  const PlanRecord &plan = dispatch.plan;
  os << formatv("  on the NPU, predicted cycles {0}; limit {1}\n",
                plan.predictedCycles ? std::to_string(plan.predictedCycles) : "unknown",
                describeLimit(dispatch.limit, plan.predictedCycles));
  os << formatv("  DRAM: {0} bytes read, {1} written; SRAM {2} of {3} bytes, ACC {4} of {5}\n",
                dispatch.statistics.dramBytesRead, dispatch.statistics.dramBytesWritten,
                plan.sramBytes, target.sramBytes, plan.accBytes, target.accBytes);
}

void DispatchRecord::print(llvm::raw_ostream &os, const TargetDesc &target, bool isPlan) const {
  // The engines of a program of several kernels work for one while others wait for another.
  auto getBusy = [&](isa::EngineKind engine) {
    return getPercent(getBusyCycles(statistics, engine),
                      double(programCycles ? programCycles : statistics.cycles) * target.clusters);
  };
  os << formatv("Dispatch #{0}: {1}\n", index, escapeText(description));
  if (isPlan && !sources.empty())
    os << "  from " << printSources(sources) << "\n";
  if (isExternal) {
    os << "  its code is not in this file; nothing is decided about it\n";
    return;
  }
  if (placement == Placement::Host) {
    for (const std::string &reason : reasons)
      os << "  on the host: " << escapeText(reason) << "\n";
    return;
  }
  if (isInOtherKernel()) {
    os << formatv("  on the NPU, in the kernel of dispatch #{0}\n", plan.kernel);
  } else if (isPlan) {
    printPlan(*this, target, os);
  } else {
    os << formatv("  cycles {0}{1}, limit {2}\n", statistics.cycles,
                  programCycles ? formatv(" of its program's {0}", programCycles).str() : "",
                  describeLimit(limit, statistics.cycles));
    os << formatv(
        "  busy{0}: mxu {1:F1} %, vpu {2:F1} %, dmai {3:F1} %, dmao {4:F1} %; MAC utilization "
        "{5:F1} %\n",
        programCycles ? " of the program's cycles" : "", getBusy(isa::EngineKind::Mxu),
        getBusy(isa::EngineKind::Vpu), getBusy(isa::EngineKind::Dmai),
        getBusy(isa::EngineKind::Dmao),
        getPercent(statistics.macs, double(statistics.cycles) * getPeak(*this, target)));
    os << formatv("  DRAM: {0} bytes read, {1} written, {2}\n", statistics.dramBytesRead,
                  statistics.dramBytesWritten, describeBytes(limit, programCycles != 0));
  }
  for (const CompareReport &check : checks) {
    os << "  host check: ";
    check.print(os);
  }
}

void RunReport::print(llvm::raw_ostream &os, const TargetDesc &target) const {
  printTotals(os, target);
  printLosses(os);
  for (const DispatchRecord &dispatch : dispatches)
    dispatch.print(os, target, isPlan);
}

void RunReport::printLosses(llvm::raw_ostream &os) const {
  constexpr size_t numShown = 5, numAdviceShown = 3;
  for (auto [place, loss] : enumerate(llvm::ArrayRef(losses).take_front(numShown))) {
    os << formatv("{0}{1} cycles over its limit of {2}: #{3} {4}\n",
                  place == 0 ? "largest losses:\n  " : "  ", loss.getLost(), loss.limit,
                  loss.kernel, escapeText(loss.name));
    for (const Advice &advice : llvm::ArrayRef(loss.advice).take_front(numAdviceShown))
      os << formatv("    try {0}: {1} cycles less ({2}: {3})\n", escapeText(advice.change),
                    advice.cycles, advice.rule, escapeText(advice.reason));
  }
}

void RunReport::printTotals(llvm::raw_ostream &os, const TargetDesc &target) const {
  int64_t macs = 0, npuMacs = 0, onNPU = 0, onHost = 0, external = 0;
  sim::Result all;
  for (const DispatchRecord &dispatch : dispatches) {
    macs += dispatch.macs;
    npuMacs += dispatch.placement == Placement::NPU ? dispatch.macs : 0;
    if (dispatch.isExternal)
      ++external;
    else
      ++(dispatch.placement == Placement::NPU ? onNPU : onHost);
    if (!isPlan)
      all.cycles += dispatch.statistics.cycles;
    else if (dispatch.plan.kernel == dispatch.index)
      all.cycles += dispatch.plan.predictedCycles;
    all.dramBytesRead += dispatch.statistics.dramBytesRead;
    all.dramBytesWritten += dispatch.statistics.dramBytesWritten;
  }
  os << formatv("{0}on the NPU: {1} of {2} dispatches, {3} of {4} MACs, {5}{6} cycles on {7}; on "
                "the host: {8}{9}\n",
                isPlan ? "planned " : "", onNPU, dispatches.size(), npuMacs, macs,
                isPlan ? "predicted " : "", all.cycles, escapeText(target.name),
                onHost ? std::to_string(onHost) : "none",
                external ? formatv("; code not in this file: {0}", external).str() : "");
  if (!assumedType.empty())
    os << formatv("note: as if the model were quantized to {0}; no values are computed\n",
                  assumedType);
  if (onNPU > 1)
    os << formatv("together: limit {0}; DRAM: {1} bytes read, {2} written, {3}\n",
                  describeLimit(limit, all.cycles), all.dramBytesRead, all.dramBytesWritten,
                  describeBytes(limit, /*isPart=*/false));
  PhysicalFigures(getWork(*this), target).print(os, target);
  for (const OutputRecord &output : outputs) {
    os << formatv("{0}: {1}", escapeText(output.name), output.value.getTypeString());
    if (output.check) {
      os << ", ";
      output.check->print(os);
    } else {
      os << "\n";
    }
    if (output.expectation) {
      os << "  expected output: ";
      output.expectation->print(os);
    }
  }
  bool isChecked = llvm::any_of(outputs, [](const OutputRecord &o) { return o.check.has_value(); });
  if (isChecked)
    os << describeVerdict(*this) << "\n";
  bool hasExpectations =
      llvm::any_of(outputs, [](const OutputRecord &o) { return o.expectation.has_value(); });
  if (size_t unexpected = countUnexpected(*this))
    os << formatv("[FAILED] {0} of {1} function outputs do not match their expected values\n",
                  unexpected, outputs.size());
  else if (hasExpectations)
    os << "[SUCCESS] all function outputs matched their expected values.\n";
}
