//===- DispatchGraph.h - which dispatch feeds which -----------------------===//

#ifndef NPU_DIALECT_IREE_FLOW_TRANSFORMS_DISPATCHGRAPH_H
#define NPU_DIALECT_IREE_FLOW_TRANSFORMS_DISPATCHGRAPH_H

#include "mlir/IR/BuiltinOps.h"

namespace npu::flow {

/// Writes the dispatches of `module` as a graph in the language of Graphviz: a box per dispatch,
/// with the description that `--npu-print-dispatches` gives it, an ellipse per argument and result
/// of the host function, an edge per tensor that goes from one to another. What the host does with
/// a tensor in between is left out, and so are constants and globals.
mlir::LogicalResult printDispatchGraph(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace npu::flow

#endif // NPU_DIALECT_IREE_FLOW_TRANSFORMS_DISPATCHGRAPH_H
