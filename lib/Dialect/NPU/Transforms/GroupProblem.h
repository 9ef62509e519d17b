//===- GroupProblem.h - the tiling problems of a kernel's groups ----------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_GROUPPROBLEM_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_GROUPPROBLEM_H

#include "NestSearch.h"
#include "StageGraph.h"

namespace npu {

/// What a buffer of a problem holds: an operand of a stage, or a value.
struct BufferOwner {
  std::optional<unsigned> operand;
  unsigned stage = 0, value = 0;
};

/// A group of stages as the search sees it: a root, which is a contraction or a reduction over
/// tiles, and its tail, or one of both.
struct GroupProblem {
  tile::Problem problem;
  llvm::SmallVector<unsigned> dims;   ///< kernel dimension of each dimension of the problem
  std::vector<BufferOwner> owners;    ///< per buffer
  std::optional<unsigned> root, tail; ///< the stages
  std::optional<unsigned> maker;      ///< the stage that makes an operand of the root in its loops
};

/// The problem of a group that reads everything, and writes all that others read, in DRAM.
GroupProblem makeProblem(const StageGraph &graph, unsigned group);

/// The problem of a group together with the one before it, which makes, in the group's loops, what
/// the contraction reads in panels. Nothing where that does something else.
std::optional<GroupProblem> makeProblemWithMaker(const StageGraph &graph, unsigned group);

/// The groups [firstGroup, endGroup) in loops that all their stages have.
struct NestOfGroups {
  tile::NestProblem problem;
  unsigned firstGroup = 0, endGroup = 0;
  llvm::SmallVector<unsigned> dims; ///< kernel dimension of each dimension of the problem
  std::vector<BufferOwner> owners;  ///< per buffer
  llvm::SmallVector<unsigned> stages;
  /// Those that make, in a loop over panels, what a contraction reads on chip.
  llvm::SmallDenseSet<unsigned> byPanels;
};

/// Nothing where a stage cannot read on chip what another one of them computes, or where tiles
/// never span a dimension that another stage does not have.
std::optional<NestOfGroups> makeNest(const StageGraph &graph, unsigned firstGroup,
                                     unsigned endGroup);

/// Whether the values of a stage that others use could stay on chip for the whole kernel.
bool mayStay(const StageGraph &graph, unsigned stage);

/// Decides that what windows of other groups read stays on chip, as far as it may, and sets memory
/// apart for it. Returns whether there is anything.
bool keepWindowed(StageGraph &graph);

/// Whether `reader` can take the value of another stage from where that leaves it on chip.
bool mayReadOnChip(const StageGraph &graph, const Stage &reader, const StageOperand &operand);

/// Groups that were chosen together: one with its own loops, or several in a nest.
struct ScheduledGroups {
  const NestOfGroups *nest = nullptr;
  tile::Nest shared; ///< with `nest`
  const GroupProblem *group = nullptr;
  tile::Schedule schedule; ///< with `group`
};

/// All parts one after the other, as their schedules say. Values between them stay on chip where
/// they may and fit, else in scratch memory. Null where one that is to stay there does not.
ScheduleAttr makeSchedule(const StageGraph &graph, llvm::ArrayRef<ScheduledGroups> parts);

/// Reports that `schedule` of a group, the smallest possible, does not fit the target.
mlir::LogicalResult reportDoesNotFit(const StageGraph &graph, const GroupProblem &group,
                                     const tile::Schedule &schedule);

/// Reports why no tiles of a kernel in tensor form fit its target.
mlir::LogicalResult checkFit(KernelOp kernel);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_GROUPPROBLEM_H
