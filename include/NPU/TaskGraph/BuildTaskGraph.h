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

/// Follows a command that compiles a task graph.
class BuildObserver : public ToolLog {
public:
  using ToolLog::add;
  using ToolLog::ToolLog;

  /// What runs where, when it is decided.
  virtual void add(const Partition &partition, DispatchCompiler &compiler) = 0;

  /// Called before a graph is built for which a report is wanted, with the model as it came.
  virtual void beginReport(mlir::ModuleOp model) = 0;
  /// Adds the files of the report, made from `model`, in a directory.
  virtual llvm::Error addReport(const TaskGraph &graph, llvm::StringRef model,
                                llvm::StringRef directory, OutputFiles &files) = 0;
};

/// Registers the options of a tool that calls compileMain: those of the compilation of a model, and
/// of what is done on the way, but for the PassManagerOptions, which the tool makes after this.
void registerCompileOptions();

/// Compiles the model in the file `input` to a task graph in the file `output` and a side file, as
/// the options say once they are parsed. Returns the exit code of a tool: 0 when all is well, 1 for
/// bad input, 2 for bad usage.
int compileMain(llvm::StringRef input, llvm::StringRef output, BuildObserver &observer);

/// Checks a task graph and its side file, and prints what is in them. Likewise.
int validateMain(llvm::StringRef input, ToolLog &log);

} // namespace npu::taskgraph

#endif // NPU_TASKGRAPH_BUILDTASKGRAPH_H
