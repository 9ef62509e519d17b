//===- BodyTerm.h - what a body computes before it reduces ----------------===//

#ifndef NPU_LIB_PREPARATION_BODYTERM_H
#define NPU_LIB_PREPARATION_BODYTERM_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npu {

/// A value that a body computes of elements of inputs, and of constants.
struct BodyTerm {
  mlir::Value value;
  llvm::SetVector<mlir::Operation *> ops; ///< that compute it, in order, without the constants
  llvm::SmallVector<mlir::OpOperand *> inputs;
};

/// Returns how the body of `op` computes `value`. Fails, and gives `reject` the reason, where it
/// reads counters, accumulators or memory, or is read from outside before it is computed.
mlir::FailureOr<BodyTerm>
findBodyTerm(mlir::linalg::GenericOp op, mlir::Value value,
             llvm::function_ref<mlir::LogicalResult(const llvm::Twine &reason)> reject);

/// Clones the ops of `term`, of which `mapping` has the block arguments, and yields its value.
void yieldTerm(const BodyTerm &term, mlir::OpBuilder &builder, mlir::IRMapping &mapping);

/// Clones the body of `op` but the ops of `term`, whose value `mapping` has.
void cloneWithoutTerm(mlir::linalg::GenericOp op, const BodyTerm &term, mlir::OpBuilder &builder,
                      mlir::IRMapping &mapping);

} // namespace npu

#endif // NPU_LIB_PREPARATION_BODYTERM_H
