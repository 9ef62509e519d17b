//===- RunTool.h - an external program between two strings ----------------===//

#ifndef NPU_LIB_HOOK_RUNTOOL_H
#define NPU_LIB_HOOK_RUNTOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <string>

namespace npu::hook {

struct ToolLimits {
  std::chrono::seconds timeout{300};
  uint64_t outputBytes = uint64_t(256) << 20;
  // What the system grants to the program and to each that it starts; 0: as much as to this one.
  std::chrono::seconds cpuTime{0}; ///< of all threads together
  uint64_t memoryBytes = 0;        ///< of address space
  uint64_t fileBytes = uint64_t(1) << 30;
};

/// What a tool printed, whether or not it succeeded.
struct ToolOutput {
  std::string text;
  std::string errors; ///< the beginning, if it is long
};

/// Runs the program `arguments[0]` without a shell, in a process group of its own, with `input` as
/// its standard input and TMPDIR set to a private directory that is removed afterwards. It leaves
/// no core file. The group is killed when the program ends or a limit is reached. A program without
/// slash in its name is looked for beside the running one, then in PATH. Fails unless it exits with
/// 0; the message reads well after "the tool".
llvm::Error runTool(llvm::ArrayRef<std::string> arguments, llvm::StringRef input,
                    const ToolLimits &limits, ToolOutput &output);

} // namespace npu::hook

#endif // NPU_LIB_HOOK_RUNTOOL_H
