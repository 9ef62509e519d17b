//===- PhysicalFigures.cpp - cycles and bytes as time and energy ----------===//

#include "NPU/Execution/PhysicalFigures.h"

#include "NPU/Target/Desc/TargetRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::runtime;
using llvm::formatv;

/// Physical parameters are integers of thousandths.
static double fromThousandths(int64_t value) { return value / 1000.0; }

/// Picojoules of a MAC of a type.
static double getMacEnergy(const TargetDesc &target, isa::MacType type) {
  switch (type) {
  case isa::MacType::I8:
    return fromThousandths(target.pJPerMacI8);
  case isa::MacType::I16i8:
    return fromThousandths(target.pJPerMacI16I8);
  case isa::MacType::F16:
  case isa::MacType::Bf16:
    return fromThousandths(target.pJPerMacF16);
  case isa::MacType::F32:
    return fromThousandths(target.pJPerMacF32);
  }
  llvm_unreachable("unknown operand type");
}

PhysicalFigures::PhysicalFigures(const WorkDone &work, const TargetDesc &target)
    : megahertz(fromThousandths(target.clockMHz)), cycles(work.cycles), dramBytes(work.dramBytes),
      macs(work.macs) {
  if (!work.macsOfType)
    return;
  constexpr double microjoule = 1e-6; // of a picojoule
  auto getPart = [&](double count, double picojoules, const llvm::Twine &name) {
    isEnergyKnown |= picojoules > 0;
    if (count > 0 && picojoules == 0)
      missing.push_back(name.str());
    return count * picojoules * microjoule;
  };
  ofDram = getPart(dramBytes, fromThousandths(target.pJPerByteDram), "DRAM");
  for (const auto &known : isa::EnumTraits<isa::MacType>::cases) {
    ofMacs += getPart((*work.macsOfType)[size_t(known.value)], getMacEnergy(target, known.value),
                      "MACs of " + known.name);
  }
  ofVectors =
      getPart(work.vpuElements, fromThousandths(target.pJPerVectorElement), "vector elements");
  if (hasTime() && target.mWStatic > 0) {
    isEnergyKnown = true;
    ofStatic = fromThousandths(target.mWStatic) * 1e3 * getSeconds(); // mW s = 1000 uJ
  }
}

void PhysicalFigures::print(llvm::raw_ostream &os, const TargetDesc &target) const {
  if (hasTime())
    os << formatv(
        "time on the NPU: {0:F3} ms at {1} MHz, {2:F1} inferences/s; DRAM {3:F2} of {4:F2} GB/s; "
        "{5:F3} TOPS\n",
        getSeconds() * 1e3, printDecimal(target.clockMHz, 3), getPerSecond(), getDramGBPerSecond(),
        target.dramBytesPerCycle * megahertz / 1e3, getTops());
  if (!hasEnergy())
    return;
  auto getPercent = [&](double part) { return getEnergy() == 0 ? 0 : 100 * part / getEnergy(); };
  os << formatv("energy: {0:F1} uJ: DRAM {1:F1} %, MACs {2:F1} %, vectors {3:F1} %, static {4:F1} "
                "%{5}{6}\n",
                getEnergy(), getPercent(ofDram), getPercent(ofMacs), getPercent(ofVectors),
                getPercent(ofStatic),
                missing.empty() ? "" : "; not counted: ", llvm::join(missing, ", "));
}

void PhysicalFigures::addTo(llvm::json::Object &summary) const {
  if (hasTime()) {
    summary["milliseconds"] = getSeconds() * 1e3;
    summary["inferencesPerSecond"] = getPerSecond();
    summary["dramGBPerSecond"] = getDramGBPerSecond();
    summary["tops"] = getTops();
  }
  if (!hasEnergy())
    return;
  summary["energyMicrojoules"] = getEnergy();
  summary["energyParts"] = llvm::json::Object{
      {"dram", ofDram}, {"macs", ofMacs}, {"vectors", ofVectors}, {"static", ofStatic}};
  summary["energyNotCounted"] = llvm::json::Array(missing);
}

WorkDone npu::runtime::getWork(const RunReport &report) {
  WorkDone work;
  if (!report.isPlan)
    work.macsOfType.emplace();
  for (const DispatchRecord &dispatch : report.dispatches) {
    const sim::Result &statistics = dispatch.statistics;
    if (!report.isPlan)
      work.cycles += statistics.cycles;
    else if (dispatch.plan.kernel == dispatch.index)
      work.cycles += dispatch.plan.predictedCycles;
    work.dramBytes += statistics.dramBytesRead + statistics.dramBytesWritten;
    if (report.isPlan)
      work.macs += dispatch.placement == Placement::NPU ? dispatch.macs : 0;
    else
      work.macs += statistics.macs;
    if (work.macsOfType)
      for (auto [sum, count] : llvm::zip_equal(*work.macsOfType, statistics.macsOfType))
        sum += count;
    work.vpuElements += statistics.vpuElements;
  }
  return work;
}
