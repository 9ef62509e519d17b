//===- IREEHook.h - IREE's executables compiled for the NPU ---------------===//
//
// What iree-compile's --iree-hal-preprocess-executables-with= is given: an executable as IREE has
// it before code generation becomes one that holds the NPU's program. See docs/iree-hook.md.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOOK_IREEHOOK_H
#define NPU_HOOK_IREEHOOK_H

#include "NPU/Dialect/IREE/HAL/IR/HALOps.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace npu::hook {

struct HookOptions {
  std::string target;                  ///< specification, see parseTarget
  std::string backend = "npu";         ///< of the variants that are for the NPU
  std::string driver = "npu_driver.o"; ///< object with npu_launch, for variants that run on a CPU
};

/// What became of an executable.
struct HookResult {
  bool isChanged = false;
  std::vector<std::string> log;         ///< a line per dispatch
  std::vector<std::string> unsupported; ///< those of them that say why not
};

/// Replaces the code of the variants for the NPU by programs. Variants for other back ends, and
/// those of which the target does not run every dispatch, stay as they are. Fails, having emitted
/// it, when something else is wrong; the executable is not to be used then.
mlir::FailureOr<HookResult> compileExecutable(hal::ExecutableOp executable,
                                              const HookOptions &options);

/// Appends the lines to file `path`, at once, since other processes may do so as well.
llvm::Error appendLog(llvm::StringRef path, llvm::ArrayRef<std::string> lines);

} // namespace npu::hook

#endif // NPU_HOOK_IREEHOOK_H
