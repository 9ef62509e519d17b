//===- Upgrade.h - old spellings of IREE's IR ------------------------------===//

#ifndef NPU_TARGET_IREE_UPGRADE_H
#define NPU_TARGET_IREE_UPGRADE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace npu::iree {

/// Rewrites text that IREE printed between 2022 and 2025 to the spelling of 2026, token by token,
/// without reading it as IR; docs/iree.md lists the rewrites. Text in the new spelling stays as it
/// is, byte for byte. Fails, with file, line and column, on what has no new spelling.
llvm::Expected<std::string> upgradeText(llvm::MemoryBufferRef buffer);

} // namespace npu::iree

#endif // NPU_TARGET_IREE_UPGRADE_H
