//===- ImportDispatches.h - dispatch functions become functions on tensors ===//

#ifndef NPU_DIALECT_IREE_FLOW_TRANSFORMS_IMPORTDISPATCHES_H
#define NPU_DIALECT_IREE_FLOW_TRANSFORMS_IMPORTDISPATCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npu::flow {

/// How the arguments of a dispatch function become arguments and results.
struct DispatchSignature {
  /// For each argument, whether it stays one. The others are results only.
  llvm::SmallVector<bool> isArgument;
  /// For each result, the index of the argument it stems from.
  llvm::SmallVector<unsigned> resultArguments;
};

/// The signature that the types alone say: a `writeonly` tensor is a result, and results come in
/// the order of their arguments.
DispatchSignature getSignatureFromTypes(mlir::func::FuncOp func);

/// Rewrites `func`, whose arguments are dispatch tensors and scalars, to take and return tensors.
/// Emits an error if it cannot.
mlir::LogicalResult importFunction(mlir::func::FuncOp func, const DispatchSignature &signature);

} // namespace npu::flow

#endif // NPU_DIALECT_IREE_FLOW_TRANSFORMS_IMPORTDISPATCHES_H
