//===- BuildTaskGraph.h - from MLIR to task graphs ------------------------===//

#ifndef NPU_TASKGRAPH_BUILDTASKGRAPH_H
#define NPU_TASKGRAPH_BUILDTASKGRAPH_H

#include "NPU/Partition/Partition.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "mlir/IR/BuiltinOps.h"

namespace npu::taskgraph {

struct BuildOptions {
  std::string target;   ///< specification, see parseTarget
  std::string function; ///< to be called; empty: the only public one
  /// What becomes of dispatches that the target does not run.
  Fallback fallback = Fallback::Host;
  PlacementMap placements; ///< by function, see Partition.h
  /// One program for dispatches that follow each other, where the target has one cluster.
  bool formSegments = true;
};

/// Compiles a flow-level module, or one with a function on tensors, which is changed on the way.
/// Diagnostics of the compiler are emitted; other errors name their place in the input.
llvm::Expected<TaskGraph> buildTaskGraph(mlir::ModuleOp module, const BuildOptions &options);

/// Whether a command line asks for `--mlir-to-npu-json` or `--validate-npu-json`.
bool isTaskGraphCommand(int argc, char **argv);

/// Adds the files of a report about a graph, made from `model`, in a directory.
using AddReport = llvm::function_ref<llvm::Error(const TaskGraph &graph, llvm::StringRef model,
                                                 llvm::StringRef directory, OutputFiles &files)>;

/// Runs such a command line; `addReport` is for its --report. Returns the exit code: 0 when all is
/// well, 1 for bad input, 2 for bad usage.
int translateMain(int argc, char **argv, AddReport addReport);

/// Registers the options of these commands, so that `--help` lists them.
void registerTaskGraphOptions();

} // namespace npu::taskgraph

#endif // NPU_TASKGRAPH_BUILDTASKGRAPH_H
