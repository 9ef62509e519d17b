//===- ImportInterface.h - executables' functions become functions on tensors -===//

#ifndef NPU_HOOK_IMPORTINTERFACE_H
#define NPU_HOOK_IMPORTINTERFACE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace npu::hook {

/// An offset in bytes: a number and multiples of constants that a launch passes. These are unsigned
/// words of 32 bits.
struct LaunchOffset {
  struct Term {
    unsigned constant; ///< its ordinal
    uint64_t factor;   ///< not 0

    bool operator==(const Term &other) const {
      return constant == other.constant && factor == other.factor;
    }
  };
  uint64_t bytes = 0;
  llvm::SmallVector<Term> terms; ///< by ordinal

  bool operator==(const LaunchOffset &other) const {
    return bytes == other.bytes && terms == other.terms;
  }
  /// `64`, or `64+1*constant0+4294967296*constant1`.
  std::string str() const;
};

/// The bytes of a launch's buffer that a tensor occupies.
struct BufferRange {
  int64_t binding = 0; ///< which of the buffers
  LaunchOffset offset;
  int64_t bytes = 0;
  unsigned subspan = 0; ///< the number of the op that says so, among those of the function

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
