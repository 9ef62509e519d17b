//===- CompileFunctions.h - the code of a task graph's tasks --------------===//

#ifndef NPU_LIB_TASKGRAPH_COMPILEFUNCTIONS_H
#define NPU_LIB_TASKGRAPH_COMPILEFUNCTIONS_H

#include "NPU/Partition/Partition.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/StringMap.h"

namespace npu::taskgraph {

/// Compiles the functions of dispatches into a task graph. Functions whose IR is the same but for
/// names and locations are compiled once.
class FunctionCompiler {
public:
  FunctionCompiler(TaskGraph &graph, TargetDesc target) : graph(graph), target(std::move(target)) {}

  /// The index of the program of `function`. Its regions are the arguments, then the results; one
  /// that is changed in place is both.
  llvm::Expected<unsigned> getProgram(const PartitionedFunction &function);

  /// The index of the host function of `function`.
  llvm::Expected<unsigned> getHostFunction(const PartitionedFunction &function);

  /// The buffers with the contents of the program's constant regions, in order.
  llvm::ArrayRef<unsigned> getConstants(unsigned program) const { return constants[program]; }

  /// A new buffer of region Constants.
  unsigned addConstant(std::string name, const runtime::HostTensor &value);

  /// Puts code and constants into the side file. Call it last.
  void finish();

private:
  TaskGraph &graph;
  TargetDesc target;
  llvm::StringMap<unsigned> programs, hostFunctions;
  std::vector<llvm::SmallVector<unsigned>> constants;
  std::vector<uint8_t> constantImage;
};

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_COMPILEFUNCTIONS_H
