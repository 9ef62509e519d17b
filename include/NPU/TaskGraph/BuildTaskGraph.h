//===- BuildTaskGraph.h - from MLIR to task graphs ------------------------===//

#ifndef NPU_TASKGRAPH_BUILDTASKGRAPH_H
#define NPU_TASKGRAPH_BUILDTASKGRAPH_H

#include "NPU/Codegen/SegmentEffort.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/ToolLog.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>

namespace npu::taskgraph {

struct BuildOptions {
  std::string target;   ///< specification, see parseTarget
  std::string function; ///< to be called; empty: the only public one
  /// What becomes of dispatches that the target does not run.
  Fallback fallback = Fallback::Host;
  PlacementMap placements; ///< by function, see Partition.h
  /// One program for dispatches that follow each other.
  bool formSegments = true;
  /// Called when it is decided what runs where. May be null.
  std::function<void(const Partition &, DispatchCompiler &)> onPartition;
  /// What is chosen of the NPU's kernels, or is told. May be null.
  ScheduleFile *schedule = nullptr;
  SegmentEffort effort = SegmentEffort::Auto; ///< for what that does not say
  /// Bytes that the constants and the initial state of the host function may take while they are
  /// put into the graph, which is three times theirs.
  int64_t memoryLimit = int64_t(16) << 30;
};

/// Compiles a flow-level module, or one with a function on tensors, which is changed on the way.
/// Diagnostics of the compiler are emitted; other errors name their place in the input.
llvm::Expected<TaskGraph> buildTaskGraph(mlir::ModuleOp module, const BuildOptions &options);

/// Whether a command line asks for `--mlir-to-npu-json` or `--validate-npu-json`.
bool isTaskGraphCommand(int argc, char **argv);

/// Follows a command line that compiles a task graph.
class BuildObserver : public ToolLog {
public:
  using ToolLog::add;

  /// What runs where, when it is decided.
  virtual void add(const Partition &partition, DispatchCompiler &compiler) = 0;

  /// Called before a graph is built for which a report is wanted, with the model as it came.
  virtual void beginReport(mlir::ModuleOp model) = 0;
  /// Adds the files of the report, made from `model`, in a directory.
  virtual llvm::Error addReport(const TaskGraph &graph, llvm::StringRef model,
                                llvm::StringRef directory, OutputFiles &files) = 0;
};

/// Runs such a command line. Returns the exit code: 0 when all is well, 1 for bad input, 2 for bad
/// usage.
int translateMain(int argc, char **argv, BuildObserver &observer);

/// Registers the options of these commands, so that `--help` lists them.
void registerTaskGraphCommands();

/// The command line of npu-compile, whose options have been registered. Likewise.
int compileMain(int argc, char **argv, BuildObserver &observer);
void registerTaskGraphOptions();

} // namespace npu::taskgraph

#endif // NPU_TASKGRAPH_BUILDTASKGRAPH_H
