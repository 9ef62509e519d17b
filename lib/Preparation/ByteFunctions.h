//===- ByteFunctions.h - what bodies compute in floats of bytes -----------===//

#ifndef NPU_LIB_PREPARATION_BYTEFUNCTIONS_H
#define NPU_LIB_PREPARATION_BYTEFUNCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace npu {

/// What a body computes of bytes, floats among it.
struct ByteFunction {
  llvm::SmallVector<mlir::Value> inputs;    ///< of type i8
  llvm::SmallVector<mlir::Operation *> ops; ///< in order; the last one gives the result
};

inline bool isByte(mlir::Type type) { return type.isSignlessInteger(8); }

/// What computes `tail` in the body of `op`, from bytes of the body or, with `fromArguments`, from
/// no other than its arguments. Nothing unless there are `numInputs` bytes, and floats are computed
/// of them.
std::optional<ByteFunction> findByteFunction(mlir::linalg::GenericOp op, mlir::Operation *tail,
                                             bool fromArguments, unsigned numInputs);

/// The ops of the body of `op` that give bytes, from the last one on.
llvm::SmallVector<mlir::Operation *> getByteOps(mlir::linalg::GenericOp op);

/// Replaces the result of `function`. What nothing else reads of its ops is erased, and is in
/// `erased` then.
void replaceByteFunction(const ByteFunction &function, mlir::Value value,
                         llvm::DenseSet<mlir::Operation *> &erased);

/// Calls `rewrite(op, tail, erased)` for each op that gives a byte in bodies of `root`, from the
/// last one of a body on, so that a function comes before the parts of it, which go with it.
void rewriteByteFunctions(mlir::Operation *root,
                          llvm::function_ref<void(mlir::linalg::GenericOp, mlir::Operation *,
                                                  llvm::DenseSet<mlir::Operation *> &)>
                              rewrite);

} // namespace npu

#endif // NPU_LIB_PREPARATION_BYTEFUNCTIONS_H
