//===- ComputeOps.h - what compute ops compute ------------------*- C++ -*-===//

#ifndef NPU_LIB_INTERPRETER_COMPUTEOPS_H
#define NPU_LIB_INTERPRETER_COMPUTEOPS_H

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Interpreter/View.h"

#include "llvm/Support/Error.h"

namespace npu::interpreter {

/// The error that `op` has, with its location.
llvm::Error makeOpError(mlir::Operation *op, const llvm::Twine &message);

/// What a compute op works on.
struct Operands {
  /// Of data operands, the destination last; on tensors it is the result.
  llvm::SmallVector<View> views;
  /// Of the iteration dimensions.
  llvm::SmallVector<int64_t> extents;
  /// Whether the destination's contents come first.
  bool accumulates = false;
  /// Of a contraction: sizes of the parts, along its sums, that are added one after the other
  /// (`divide`).
  llvm::ArrayRef<int64_t> begin = {};
  /// What `npu.iota` adds.
  int64_t origin = 0;
};

/// Computes; returns the first bytes of the elements that were written.
llvm::Expected<std::vector<int64_t>> compute(NPUComputeOpInterface op, const Operands &operands);

/// Checks that the `bytes` at `position` have a value.
llvm::Error expectValue(mlir::Operation *op, const Memory &memory, int64_t position, int64_t bytes);

/// Writes the bytes of an element.
void writeBytes(Memory &memory, int64_t position, llvm::ArrayRef<uint8_t> bytes);

/// The bytes of a constant of a type that the chip has; nothing for others.
llvm::SmallVector<uint8_t, 8> getBytes(mlir::Attribute value, mlir::Type type);

} // namespace npu::interpreter

#endif // NPU_LIB_INTERPRETER_COMPUTEOPS_H
