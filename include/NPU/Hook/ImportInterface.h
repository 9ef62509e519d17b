//===- ImportInterface.h - executables' functions become functions on tensors -===//

#ifndef NPU_HOOK_IMPORTINTERFACE_H
#define NPU_HOOK_IMPORTINTERFACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npu::hook {

/// The bytes of a launch's buffer that a tensor occupies.
struct BufferRange {
  int64_t binding = 0; ///< which of the buffers
  int64_t offset = 0;
  int64_t bytes = 0;

  bool operator==(const BufferRange &other) const {
    return binding == other.binding && offset == other.offset && bytes == other.bytes;
  }
};

/// Where the arguments and results of an imported function live.
struct ImportedFunction {
  llvm::SmallVector<BufferRange> arguments, results;
};

/// Rewrites `func`, which takes its operands by `hal.interface` ops, to take and return tensors.
/// What an NPU cannot be launched with is refused, with a reason (Rejection.h).
mlir::FailureOr<ImportedFunction> importInterface(mlir::func::FuncOp func);

} // namespace npu::hook

#endif // NPU_HOOK_IMPORTINTERFACE_H
