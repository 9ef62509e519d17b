//===- Patterns.h - parts of the conversion from linalg -------------------===//

#ifndef NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H
#define NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/PatternMatch.h"

namespace npu {
/// Makes indices of i64 i32 where bodies only read elements by them: their arguments become pairs
/// of i32, of which the kernel makes numbers of 32 bits.
void narrowIndices(KernelOp kernel);

void populateArrayPatterns(mlir::RewritePatternSet &patterns);
void populateElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateReductionPatterns(mlir::RewritePatternSet &patterns);
} // namespace npu

#endif // NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H
