//===- PhysicalFigures.h - cycles and bytes as time and energy ----*- C++ -*-===//

#ifndef NPU_EXECUTION_PHYSICALFIGURES_H
#define NPU_EXECUTION_PHYSICALFIGURES_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/Desc/TargetDesc.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace npu::runtime {

/// Work of the NPU, as far as time and energy depend on it.
struct WorkDone {
  int64_t cycles = 0, dramBytes = 0; ///< bytes that moved from and to DRAM
  int64_t macs = 0;
  /// A plan counts none, so that its energy is not known.
  std::optional<sim::MacCounts> macsOfType;
  int64_t vpuElements = 0;
};

/// The time and the energy of some work on a chip that states its clock and its energies. Energy is
/// a sum of counts, each times the chip's energy for one; it has no share of SRAM of its own, which
/// the energies of MACs and vector elements include.
class PhysicalFigures {
public:
  PhysicalFigures(const WorkDone &work, const TargetDesc &target);

  bool hasTime() const { return megahertz > 0; }
  bool hasEnergy() const { return isEnergyKnown; }

  double getSeconds() const { return cycles / (megahertz * 1e6); }
  double getPerSecond() const { return cycles == 0 ? 0 : 1 / getSeconds(); }
  /// 10^9 bytes a second, from and to DRAM.
  double getDramGBPerSecond() const { return dramBytes * getPerSecond() / 1e9; }
  /// 10^12 operations a second; a MAC is two.
  double getTops() const { return 2 * macs * getPerSecond() / 1e12; }

  /// In microjoules.
  double getEnergy() const { return ofDram + ofMacs + ofVectors + ofStatic; }

  /// Kinds of work that count as 0, since the chip states no energy for them: `MACs of f16`.
  llvm::ArrayRef<std::string> getMissing() const { return missing; }

  /// Lines for people, which begin with `time on the NPU:` and `energy:`; none of what is not
  /// known.
  void print(llvm::raw_ostream &os, const TargetDesc &target) const;

  /// Adds `milliseconds`, `inferencesPerSecond`, `dramGBPerSecond`, `tops`, and `energyMicrojoules`
  /// with its parts, as far as they are known.
  void addTo(llvm::json::Object &summary) const;

private:
  double megahertz = 0, cycles = 0, dramBytes = 0, macs = 0;
  bool isEnergyKnown = false;
  double ofDram = 0, ofMacs = 0, ofVectors = 0, ofStatic = 0; ///< microjoules
  llvm::SmallVector<std::string> missing;
};

/// The work of the NPU in a run, or the predicted work of a plan.
WorkDone getWork(const RunReport &report);

} // namespace npu::runtime

#endif // NPU_EXECUTION_PHYSICALFIGURES_H
