//===- Hazards.h - which tasks must not change places ---------------------===//

#ifndef NPU_LIB_TASKGRAPH_HAZARDS_H
#define NPU_LIB_TASKGRAPH_HAZARDS_H

#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/BitVector.h"

namespace npu::taskgraph {

/// For every task the tasks that it must follow: a launch its program's preparation, and every task
/// those earlier ones that touch the same bytes, one of the two writing. Bytes count, not buffers:
/// buffers may share them at different times.
class Hazards {
public:
  explicit Hazards(const TaskGraph &graph);

  /// Whether task `later` must wait for task `earlier`.
  bool conflict(unsigned earlier, unsigned later) const;

private:
  const TaskGraph &graph;
  std::vector<std::vector<Access>> accesses;
};

/// For every task the set of tasks that have finished when it starts, by `waitsFor`.
std::vector<llvm::BitVector> getFinishedTasks(const TaskGraph &graph);

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_HAZARDS_H
