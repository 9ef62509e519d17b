//===- Upgrade.h - the steps of the upgrade --------------------------------===//

#ifndef NPU_LIB_TARGET_IREE_UPGRADE_H
#define NPU_LIB_TARGET_IREE_UPGRADE_H

#include "TokenEditor.h"

namespace npu::iree {

/// Pipeline layouts without descriptor sets, executables with `target(...)`, exports with
/// `count(...)`, interface ops with a layout.
llvm::Error upgradeLayouts(TokenEditor &editor);
llvm::Error upgradeVariants(TokenEditor &editor);
llvm::Error upgradeExports(TokenEditor &editor);
llvm::Error upgradeInterface(TokenEditor &editor);

} // namespace npu::iree

#endif // NPU_LIB_TARGET_IREE_UPGRADE_H
