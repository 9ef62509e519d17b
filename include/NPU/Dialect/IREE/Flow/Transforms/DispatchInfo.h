//===- DispatchInfo.h - the dispatches of a module and what they compute --===//
//
// One numbering and one description of dispatches for every pass that lists them or reports on
// them.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_IREE_FLOW_TRANSFORMS_DISPATCHINFO_H
#define NPU_DIALECT_IREE_FLOW_TRANSFORMS_DISPATCHINFO_H

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace npu::flow {

/// One dispatch of a program. Its number is its position in collectDispatches' answer.
struct DispatchSite {
  /// The `flow.dispatch`, `flow.dispatch.workgroups` or `flow.dispatch.region`, or, in a module
  /// without any, the `func.func`.
  mlir::Operation *op;
  /// The code; null if the entry point is not in the module.
  mlir::Region *body;
};

/// Returns the dispatches of `module` in the order in which they stand in its host functions. A
/// module without dispatches is a list of functions, each of which counts as one.
mlir::SmallVector<DispatchSite> collectDispatches(mlir::ModuleOp module);

/// The function that a `flow.dispatch` runs; null if it is not in the module, or of another kind.
mlir::func::FuncOp findFunction(DispatchOp dispatch, mlir::SymbolTableCollection &symbols);

/// Returns the first op of a host function of `module` that computes on tensors, which is a
/// dispatch's to do; null if there is none. Functions of a module without host functions are
/// dispatches.
mlir::Operation *findUndispatched(mlir::ModuleOp module);

/// Whether `op` is a convolution (not a pooling), whatever its name.
bool isConvolution(mlir::linalg::LinalgOp op);

/// Whether `op` is a pooling, whatever its name: a sliding window without weights.
bool isPooling(mlir::linalg::LinalgOp op);

/// Returns the op that says what a dispatch does: its last contraction or convolution, else its
/// last linalg op, else the last op that computes a tensor. Null if the body only moves data.
mlir::Operation *findRootOp(mlir::Region &body);

/// Where a dispatch and what it computes come from; of a function, what it computes.
mlir::Location getSourceLocation(const DispatchSite &site);

/// Describes a dispatch in one line: `op: linalg.matmul M=128 N=128 K=64 dtype: f16`.
std::string describeDispatch(const DispatchSite &site);

/// Describes the root of a dispatch by its class and its loops, whatever its name and the order of
/// its loops: `contraction parallel=16384 reduction=64 loops=128x128x64`.
std::string describeExtents(const DispatchSite &site);

} // namespace npu::flow

#endif // NPU_DIALECT_IREE_FLOW_TRANSFORMS_DISPATCHINFO_H
