//===- Patterns.h - parts of the conversion from linalg -------------------===//

#ifndef NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H
#define NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace npu {
void populateArrayPatterns(mlir::RewritePatternSet &patterns);
void populateElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateReductionPatterns(mlir::RewritePatternSet &patterns);
} // namespace npu

#endif // NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H
