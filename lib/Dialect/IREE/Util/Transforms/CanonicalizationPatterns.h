//===- CanonicalizationPatterns.h - all of canonicalization ---------------===//

#ifndef NPU_LIB_DIALECT_IREE_UTIL_TRANSFORMS_CANONICALIZATIONPATTERNS_H
#define NPU_LIB_DIALECT_IREE_UTIL_TRANSFORMS_CANONICALIZATIONPATTERNS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace npu::util {

/// The patterns that upstream's canonicalization pass applies.
inline mlir::FrozenRewritePatternSet getCanonicalizationPatterns(mlir::MLIRContext *context) {
  mlir::RewritePatternSet patterns(context);
  for (mlir::Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (mlir::RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  return patterns;
}

} // namespace npu::util

#endif // NPU_LIB_DIALECT_IREE_UTIL_TRANSFORMS_CANONICALIZATIONPATTERNS_H
