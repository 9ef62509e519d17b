//===- RandomGraph.h - task graphs of host functions ----------------------===//

#ifndef NPU_UNITTESTS_TASKGRAPH_RANDOMGRAPH_H
#define NPU_UNITTESTS_TASKGRAPH_RANDOMGRAPH_H

#include "NPU/TaskGraph/TaskGraph.h"

#include <random>

namespace npu::taskgraph {

/// A graph that is not planned yet: every task reads some of the values that exist, and writes new
/// buffers, or copies or fills one.
TaskGraph makeRandomGraph(std::mt19937 &random);

} // namespace npu::taskgraph

#endif // NPU_UNITTESTS_TASKGRAPH_RANDOMGRAPH_H
