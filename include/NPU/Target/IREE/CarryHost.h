//===- CarryHost.h - host programs that are not read, only carried ----------===//

#ifndef NPU_TARGET_IREE_CARRYHOST_H
#define NPU_TARGET_IREE_CARRYHOST_H

#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>

namespace npu::iree {

/// Makes modules of IREE's executable-sources phase readable: where `hal.executable`s stand beside
/// functions and initializers with ops of dialects that are not defined here (`stream`), all
/// functions and initializers become ops `util.carried`, which hold their text and print as it.
/// Every op stays on its line. Nothing for any other text.
std::optional<std::string> carryHost(llvm::MemoryBufferRef buffer);

} // namespace npu::iree

#endif // NPU_TARGET_IREE_CARRYHOST_H
