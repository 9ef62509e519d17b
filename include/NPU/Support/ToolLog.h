//===- ToolLog.h - what a tool says, for a log file -----------------*- C++ -*-===//

#ifndef NPU_SUPPORT_TOOLLOG_H
#define NPU_SUPPORT_TOOLLOG_H

#include "llvm/ADT/Twine.h"

namespace mlir {
class Diagnostic;
} // namespace mlir

namespace npu {

/// Hears what a tool says about its input, which is printed all the same.
class ToolLog {
public:
  virtual ~ToolLog() = default;

  /// A diagnostic of the compiler, with its notes.
  virtual void add(mlir::Diagnostic &diagnostic) = 0;

  /// An error that has no place in the input.
  virtual void addError(const llvm::Twine &message) = 0;
};

} // namespace npu

#endif // NPU_SUPPORT_TOOLLOG_H
