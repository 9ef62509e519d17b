//===- GroupProblem.h - the tiling problems of a kernel's groups ----------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_GROUPPROBLEM_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_GROUPPROBLEM_H

#include "StageGraph.h"

namespace npu {

/// A group of stages as the search sees it: a root, which is a contraction or a reduction over
/// tiles, and its tail, or one of both.
struct GroupProblem {
  /// What a buffer of the problem holds: an operand of a stage, or a value.
  struct Owner {
    std::optional<unsigned> operand;
    unsigned stage = 0, value = 0;
  };

  tile::Problem problem;
  llvm::SmallVector<unsigned> dims;   ///< kernel dimension of each dimension of the problem
  std::vector<Owner> owners;          ///< per buffer
  std::optional<unsigned> root, tail; ///< the stages
};

/// The problem of a group that reads everything, and writes all that others read, in DRAM.
GroupProblem makeProblem(const StageGraph &graph, unsigned group);

/// The groups one after the other, as their schedules say. Values between groups stay on chip where
/// they may and fit, else in scratch memory.
ScheduleAttr makeSchedule(const StageGraph &graph, llvm::ArrayRef<GroupProblem> problems,
                          llvm::ArrayRef<tile::Schedule> schedules);

/// Reports that `schedule` of a group, the smallest possible, does not fit the target.
mlir::LogicalResult reportDoesNotFit(const StageGraph &graph, const GroupProblem &group,
                                     const tile::Schedule &schedule);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_GROUPPROBLEM_H
