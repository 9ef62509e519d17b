//===- Advisor.cpp - finds out what makes a kernel faster -----------------===//

#include "Advisor.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

//===----------------------------------------------------------------------===//
// Facts about a kernel
//===----------------------------------------------------------------------===//

namespace {
/// A kernel that was run by itself, with the schedule that the search chooses.
struct Facts {
  Facts(const AdvisedKernel &kernel, const sim::Result &result, const TargetDesc &target);

  /// Percent of the cycles of all clusters in which an engine executes.
  double getBusy(isa::EngineKind engine) const { return getShare(getBusyCycles(engine)); }
  double getBusyCycles(isa::EngineKind engine) const;
  /// Percent of the cycles of all clusters.
  double getShare(double cycles) const {
    return 100 * cycles / (double(std::max<int64_t>(result.cycles, 1)) * target.clusters);
  }
  /// Percent of the cycles that DRAM takes to move the bytes.
  double getDramShare() const {
    return 100.0 * result.dramChargedBytes / target.dramBytesPerCycle /
           std::max<int64_t>(result.cycles, 1);
  }
  /// Bytes that move over those that have to.
  double getTraffic() const {
    return kernel.dramBytes == 0
               ? 0
               : (double(result.dramBytesRead) + result.dramBytesWritten) / kernel.dramBytes;
  }

  const AdvisedKernel &kernel;
  const sim::Result &result;
  const TargetDesc &target;
  int64_t instructions = 0, transfers = 0;
  /// MAC/cycle for the operands of most MACs; null without any.
  int64_t TargetDesc::*macRate = nullptr;
};

/// What could help, and when it is tried.
struct Rule {
  StringLiteral name;
  /// Why it could help; empty if it could not.
  std::string (*explain)(const Facts &facts);
  void (*change)(TargetDesc &target, const Facts &facts);
  /// Whether what has to be computed takes less then.
  bool changesCompute = false;
};
} // namespace

double Facts::getBusyCycles(isa::EngineKind engine) const {
  double cycles = 0;
  for (const sim::StreamStats &stream : result.streams)
    if (stream.engine == engine)
      cycles += stream.busy;
  return cycles;
}

static int64_t TargetDesc::*getRate(isa::MacType type) {
  switch (type) {
  case isa::MacType::I8:
    return &TargetDesc::macsPerCycleI8;
  case isa::MacType::I16i8:
    return &TargetDesc::macsPerCycleI16I8;
  case isa::MacType::F16:
  case isa::MacType::Bf16:
    return &TargetDesc::macsPerCycleF16;
  case isa::MacType::F32:
    return &TargetDesc::macsPerCycleF32;
  }
  llvm_unreachable("unknown type");
}

Facts::Facts(const AdvisedKernel &kernel, const sim::Result &result, const TargetDesc &target)
    : kernel(kernel), result(result), target(target) {
  for (const sim::StreamStats &stream : result.streams) {
    instructions += stream.instructions;
    if (stream.engine == isa::EngineKind::Dmai || stream.engine == isa::EngineKind::Dmao)
      transfers += stream.instructions;
  }
  if (result.macs > 0) {
    const auto *most = std::max_element(result.macsOfType.begin(), result.macsOfType.end());
    macRate = getRate(isa::EnumTraits<isa::MacType>::cases[most - result.macsOfType.begin()].value);
  }
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

static std::string explainLatency(const Facts &facts) {
  double share = facts.getShare(double(facts.transfers) * facts.target.dramLatencyCycles);
  return share < 3
             ? ""
             : llvm::formatv("the latencies of {0} transfers add up to {1:F0} % of the cycles",
                             facts.transfers, share)
                   .str();
}

static std::string explainTraffic(const Facts &facts) {
  return facts.getTraffic() < 1.05 || facts.getDramShare() < 10
             ? ""
             : llvm::formatv("{0:F2} times the bytes that have to move do, which takes DRAM {1:F0} "
                             "% of the cycles",
                             facts.getTraffic(), facts.getDramShare())
                   .str();
}

static std::string explainArray(const Facts &facts) {
  double busy = facts.getBusy(isa::EngineKind::Mxu);
  return busy < 30 ? "" : llvm::formatv("the array is busy in {0:F0} % of the cycles", busy).str();
}

static const Rule rules[] = {
    {"faster-dram",
     [](const Facts &facts) -> std::string {
       double share = facts.getDramShare();
       return share < 30 ? ""
                         : llvm::formatv("DRAM is busy in {0:F0} % of the cycles", share).str();
     },
     [](TargetDesc &target, const Facts &) { target.dramBytesPerCycle *= 2; }},
    {"more-transfers-at-once", explainLatency,
     [](TargetDesc &target, const Facts &) {
       target.dmaOutstanding = std::max<int64_t>(target.dmaOutstanding, 4);
     }},
    {"shorter-latency", explainLatency,
     [](TargetDesc &target, const Facts &) { target.dramLatencyCycles /= 2; }},
    {"wider-dma",
     [](const Facts &facts) -> std::string {
       double busy =
           std::max(facts.getBusy(isa::EngineKind::Dmai), facts.getBusy(isa::EngineKind::Dmao));
       return busy < 30 || busy < 1.1 * facts.getDramShare()
                  ? ""
                  : llvm::formatv(
                        "a kind of DMA engine is busy in {0:F0} % of the cycles, and DRAM "
                        "in {1:F0} %",
                        busy, facts.getDramShare())
                        .str();
     },
     [](TargetDesc &target, const Facts &) { target.dmaElementsPerCycle *= 2; }},
    {"more-sram", explainTraffic, [](TargetDesc &target, const Facts &) { target.sramBytes *= 2; }},
    {"more-accumulators",
     [](const Facts &facts) -> std::string { return facts.macRate ? explainTraffic(facts) : ""; },
     [](TargetDesc &target, const Facts &) { target.accBytes *= 2; }},
    {"more-clusters",
     [](const Facts &facts) -> std::string {
       double busy =
           std::max(facts.getBusy(isa::EngineKind::Mxu), facts.getBusy(isa::EngineKind::Vpu));
       return busy < 30 || facts.getDramShare() > 90
                  ? ""
                  : llvm::formatv("the array or the vector unit is busy in {0:F0} % of the cycles",
                                  busy)
                        .str();
     },
     [](TargetDesc &target, const Facts &) { target.clusters *= 2; },
     /*changesCompute=*/true},
    {"pipelined-array",
     [](const Facts &facts) -> std::string {
       double busy = facts.getBusyCycles(isa::EngineKind::Mxu);
       if (!facts.macRate || facts.target.macPipelined || facts.getShare(busy) < 30)
         return "";
       double used = 100.0 * facts.result.macs / (busy * (facts.target.*facts.macRate));
       return used > 95
                  ? ""
                  : llvm::formatv("the array multiplies in {0:F0} % of the cycles in which it "
                                  "is busy",
                                  used)
                        .str();
     },
     [](TargetDesc &target, const Facts &) { target.macPipelined = 1; }},
    {"faster-macs",
     [](const Facts &facts) -> std::string {
       if (!facts.macRate ||
           2 * (facts.target.*facts.macRate) > facts.target.macRows * facts.target.macCols)
         return "";
       return explainArray(facts);
     },
     [](TargetDesc &target, const Facts &facts) { target.*facts.macRate *= 2; },
     /*changesCompute=*/true},
    {"larger-array",
     [](const Facts &facts) -> std::string {
       if (!facts.macRate ||
           2 * (facts.target.*facts.macRate) <= facts.target.macRows * facts.target.macCols)
         return "";
       return explainArray(facts);
     },
     [](TargetDesc &target, const Facts &facts) {
       target.macCols *= 2;
       target.*facts.macRate *= 2;
     },
     /*changesCompute=*/true},
    {"more-lanes",
     [](const Facts &facts) -> std::string {
       double busy = facts.getBusy(isa::EngineKind::Vpu);
       return busy < 15
                  ? ""
                  : llvm::formatv("the vector unit is busy in {0:F0} % of the cycles", busy).str();
     },
     [](TargetDesc &target, const Facts &) { target.vpuLanes *= 2; },
     /*changesCompute=*/true},
    {"cheaper-issue",
     [](const Facts &facts) -> std::string {
       double share = facts.getShare(double(facts.instructions) * facts.target.issueCycles);
       return share < 5 ? ""
                        : llvm::formatv("the issue of {0} instructions adds up to {1:F0} % of the "
                                        "cycles of an engine",
                                        facts.instructions, share)
                              .str();
     },
     [](TargetDesc &target, const Facts &) { target.issueCycles /= 2; }},
};

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

/// The parameters that differ, as a specification has them: `macCols=64,macsPerCycleI8=2048`. Empty
/// if there are none, or if there is no such chip.
static std::string describeChange(const TargetDesc &target, const TargetDesc &changed) {
  std::string text;
  for (const TargetParameter &parameter : getTargetParameters()) {
    int64_t value = changed.*parameter.member;
    if (value == target.*parameter.member)
      continue;
    if (value < parameter.min || value > parameter.max)
      return "";
    text += llvm::formatv("{0}{1}={2}", text.empty() ? "" : ",", parameter.name,
                          printParameterValue(parameter, changed));
  }
  if (llvm::Error error = checkTarget(changed)) {
    llvm::consumeError(std::move(error));
    return "";
  }
  return text;
}

/// The first node of `changed` that `schedule` does not have, without what is inside of it:
/// `for h = 8`, `load @conv0.input x3`.
static std::string describeEdit(ScheduleAttr schedule, ScheduleAttr changed) {
  auto print = [](Attribute node) {
    std::string text;
    llvm::raw_string_ostream(text) << node;
    // `#npu.for<h = 8 {...}>`
    auto [mnemonic, body] = StringRef(text).split('<');
    mnemonic.consume_front("#npu.");
    body.consume_back(">");
    std::string nodeText = body.split(" {").first.str();
    return mnemonic == "stage" ? nodeText : (mnemonic + " " + nodeText).str();
  };
  llvm::StringSet<> known;
  schedule.walk([&](Attribute node) { known.insert(print(node)); });
  std::string found;
  changed.walk([&](Attribute node) {
    if (llvm::isa<ScheduleLoopAttr, ScheduleLoadAttr, ScheduleValueAttr, ScheduleStageAttr>(node))
      if (std::string text = print(node); found.empty() && !known.contains(text))
        found = text;
  });
  return found;
}

static std::string print(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << ScheduleAttr::get(schedule.getContext(), schedule.getBody(), 0);
  return text;
}

/// Whether the search knows what the schedules take that it compares, so that no other is faster.
static bool isExact(const KernelTrial::Outcome &searched) {
  int64_t measured = searched.result.cycles;
  return std::abs(searched.schedule.getCycles() - measured) * 100 <= measured;
}

SmallVector<Advice> npu::runtime::advise(const AdvisedKernel &kernel, const KernelTrial &trial,
                                         const TargetDesc &target) {
  SmallVector<Advice> advice;
  std::optional<KernelTrial::Outcome> searched = trial.search(getTargetSpecification(target));
  if (!searched || searched->result.cycles == 0)
    return advice;
  std::optional<KernelTrial::Outcome> chosen;
  if (kernel.schedule && (kernel.isFollowed || !isExact(*searched)))
    chosen = trial.follow(kernel.schedule);
  // A schedule that is given is left when the chip changes.
  int64_t alone = kernel.isFollowed && chosen ? chosen->result.cycles : searched->result.cycles;
  auto add = [&](StringRef rule, std::string change, std::string reason, double gain,
                 std::string schedule = "") {
    // Other kernels of its program hide, or take, some percent.
    if (gain > (kernel.isInProgram ? 0.1 : 0.02) * kernel.cycles)
      advice.push_back({rule.str(), std::move(change), std::move(reason), std::llround(gain),
                        std::move(schedule)});
  };
  Facts facts(kernel, searched->result, target);
  for (const Rule &rule : rules) {
    std::string reason = rule.explain(facts);
    if (reason.empty())
      continue;
    TargetDesc changed = target;
    rule.change(changed, facts);
    std::string change = describeChange(target, changed);
    if (change.empty())
      continue;
    std::optional<KernelTrial::Outcome> outcome = trial.search(getTargetSpecification(changed));
    if (!outcome)
      continue;
    // In its program, a kernel is faster or slower than alone. What it computes takes its time
    // there, too, even if all loads are hidden.
    double gain = kernel.cycles * (1 - double(outcome->result.cycles) / alone);
    if (!rule.changesCompute)
      gain = std::min<double>(gain, kernel.cycles - kernel.computeCycles);
    add(rule.name, std::move(change), std::move(reason), gain);
  }
  if (kernel.isFollowed && chosen)
    add("searched-schedule", "delete the kernel's entry in the schedule file",
        "the search has a faster schedule than the file",
        kernel.cycles * (1 - double(searched->result.cycles) / chosen->result.cycles));
  std::optional<KernelTrial::Outcome> best;
  if (chosen)
    for (ScheduleAttr neighbor : KernelTrial::getNeighbors(kernel.schedule)) {
      std::optional<KernelTrial::Outcome> outcome = trial.follow(neighbor);
      if (outcome && outcome->result.cycles < (best ? best->result.cycles : chosen->result.cycles))
        best = std::move(outcome);
    }
  if (best) {
    std::string edit = describeEdit(kernel.schedule, best->schedule);
    bool isTile = StringRef(edit).starts_with("for ");
    add(isTile ? "other-tile" : "other-buffers", edit + " in its schedule",
        isTile ? "a tile of another size is faster" : "another number of buffers is faster",
        kernel.cycles * (1 - double(best->result.cycles) / chosen->result.cycles),
        print(best->schedule));
  }
  llvm::sort(advice, [](const Advice &a, const Advice &b) {
    return std::tie(b.cycles, a.rule) < std::tie(a.cycles, b.rule);
  });
  return advice;
}
