//===- Version.h - which toolchain this is --------------------------------===//

#ifndef NPU_SUPPORT_VERSION_H
#define NPU_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace npu {

/// The version of the toolchain, as `0.1.0`.
llvm::StringRef getVersion();

/// Makes `--version` name the toolchain and the LLVM that it is built on. Call it before the
/// command line is parsed.
void registerVersion();

} // namespace npu

#endif // NPU_SUPPORT_VERSION_H
