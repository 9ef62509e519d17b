//===- Sweep.h - an independent look at the DRAM plan ---------------------===//

#ifndef NPU_UNITTESTS_TASKGRAPH_SWEEP_H
#define NPU_UNITTESTS_TASKGRAPH_SWEEP_H

#include "NPU/TaskGraph/TaskGraph.h"

namespace npu::taskgraph {

struct SweepResult {
  int64_t peakBytes = 0;    ///< end of the highest intermediate
  int64_t liveSetBytes = 0; ///< the most that live during one task, each rounded up
  std::string error;        ///< empty: no two that live at once overlap
};

/// Goes through the tasks one by one with what they name as operands alone: neither the lifetimes
/// in the graph nor the allocator's functions are used.
SweepResult sweep(const TaskGraph &graph);

} // namespace npu::taskgraph

#endif // NPU_UNITTESTS_TASKGRAPH_SWEEP_H
