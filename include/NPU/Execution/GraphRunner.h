//===- GraphRunner.h - runs a task graph on the simulator -----------------===//

#ifndef NPU_EXECUTION_GRAPHRUNNER_H
#define NPU_EXECUTION_GRAPHRUNNER_H

#include "NPU/Execution/ModelRunner.h"
#include "NPU/HostProgram/HostProgram.h"
#include "NPU/TaskGraph/TaskGraph.h"

namespace npu::runtime {

struct GraphRunOptions {
  std::vector<std::string> inputs, expectedOutputs; ///< as in RunOptions
  /// The inputs themselves, instead of `inputs`, in types that the graph's inputs have.
  std::optional<llvm::ArrayRef<HostTensor>> inputValues;
  ExpectedTolerance tolerance; ///< for the expected outputs
  /// Loads the graph's parameters. Null: none are given.
  ParameterCallback parameter;
  /// Called after every dispatch: with its program, or null if it ran on the host or in a segment.
  /// May be null.
  std::function<void(const DispatchRecord &, const isa::Program *)> onDispatch;
  /// Called after every segment, before its dispatches. May be null.
  std::function<void(const SegmentEvent &)> onSegment;
  sim::Options simulator;
  Progress *progress = nullptr; ///< told what is under way, unless it is null
  /// Fail when this many tasks have run, iterations of loops among them: a loop may have no end.
  int64_t taskLimit = 1'000'000;
  /// Whether host functions may run: native code, which can do all that this process can.
  bool allowHostCode = false;
};

/// The error for a graph that calls host functions when they may not run; names the first task that
/// does. Success for all others.
llvm::Error refuseHostCode(const taskgraph::TaskGraph &graph);

/// Fails when the regions of the graph and the input and output tensors together need more than
/// `memoryLimit` bytes.
llvm::Error checkMemory(const taskgraph::TaskGraph &graph, int64_t memoryLimit);

/// Runs the tasks in their order, launches in the simulator and host functions on this CPU, on one
/// memory image per region. The graph must be verified.
llvm::Expected<RunReport> runTaskGraph(const taskgraph::TaskGraph &graph,
                                       const GraphRunOptions &options);

} // namespace npu::runtime

#endif // NPU_EXECUTION_GRAPHRUNNER_H
