//===- GlobalBuffers.h - the globals of a host program in memory -*- C++ -*-===//

#ifndef NPU_LIB_TASKGRAPH_GLOBALBUFFERS_H
#define NPU_LIB_TASKGRAPH_GLOBALBUFFERS_H

#include "ValueBuffers.h"

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "llvm/ADT/StringMap.h"

namespace npu::taskgraph {

/// An immutable global is a constant, a parameter or what an initializer computes in every run. A
/// mutable one is state: a run finds it as the one before has left it.
class GlobalBuffers {
public:
  GlobalBuffers(mlir::ModuleOp module, TaskGraph &graph, FunctionCompiler &compiler,
                ValueBuffers &values)
      : module(module), graph(graph), compiler(compiler), values(values) {}

  llvm::Error convertLoad(util::GlobalLoadOp load);
  llvm::Error convertStore(util::GlobalStoreOp store);

private:
  llvm::Expected<unsigned> getState(mlir::Operation *op, util::GlobalOp global);

  mlir::ModuleOp module;
  TaskGraph &graph;
  FunctionCompiler &compiler;
  ValueBuffers &values;
  llvm::StringMap<unsigned> bufferOf; ///< of immutable globals
  llvm::StringMap<unsigned> stateOf;  ///< of mutable ones
};

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_GLOBALBUFFERS_H
