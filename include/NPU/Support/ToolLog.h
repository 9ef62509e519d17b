//===- ToolLog.h - what a tool says, for a log file -----------------*- C++ -*-===//

#ifndef NPU_SUPPORT_TOOLLOG_H
#define NPU_SUPPORT_TOOLLOG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir {
class Diagnostic;
} // namespace mlir

namespace npu {

/// Hears what a tool says about its input, which is printed all the same.
class ToolLog {
public:
  /// `tool` is the name of the tool, with which its messages begin.
  explicit ToolLog(llvm::StringRef tool) : tool(tool) {}
  virtual ~ToolLog() = default;

  /// That name.
  llvm::StringRef getTool() const { return tool; }

  /// A diagnostic of the compiler, with its notes.
  virtual void add(mlir::Diagnostic &diagnostic) = 0;

  /// An error that has no place in the input.
  virtual void addError(const llvm::Twine &message) = 0;

  /// Prints such an error, adds it, and returns `exitCode`: 1 for bad input, 2 for bad usage.
  int fail(const llvm::Twine &message, int exitCode = 1);
  /// The same for bad input.
  int fail(llvm::Error error);

private:
  std::string tool;
};

} // namespace npu

#endif // NPU_SUPPORT_TOOLLOG_H
