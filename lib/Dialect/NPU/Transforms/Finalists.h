//===- Finalists.h - the best of a search, played ------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_FINALISTS_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_FINALISTS_H

#include "TileCost.h"

namespace npu::tile {

/// Schedules that were predicted to be about as fast as the best, and variants of them that
/// predictions say nothing about. All are played.
class Finalists {
public:
  Finalists(const Problem &problem, const TargetDesc &target, Charges &charges)
      : problem(problem), target(target), charges(charges) {}

  void add(Schedule schedule);
  /// Adds variants of the fastest. Of what is then as fast for all that the players know, it is the
  /// one that moves the fewest bytes. Expects at least one schedule.
  Schedule choose();

private:
  llvm::SmallVector<size_t> getFastest() const;
  void addParts();
  void addBegins();
  void addStartsByTile();
  void addSpilled();

  const Problem &problem;
  const TargetDesc &target;
  Charges &charges;
  std::vector<Schedule> schedules;
};

} // namespace npu::tile

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_FINALISTS_H
