//===- CarryRejection.h - diagnostics that are rejections -----------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_CARRYREJECTION_H
#define NPU_DIALECT_NPU_TRANSFORMS_CARRYREJECTION_H

#include "NPU/Dialect/NPU/Transforms/Rejection.h"

namespace npu {

/// Makes a diagnostic about an op of this name carry the rejection, for `getRejection`.
void carryRejection(mlir::Diagnostic &diagnostic, mlir::MLIRContext *context,
                    const Rejection &rejection, llvm::StringRef op);

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_CARRYREJECTION_H
