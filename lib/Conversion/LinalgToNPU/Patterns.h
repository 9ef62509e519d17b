//===- Patterns.h - parts of the conversion from linalg -------------------===//

#ifndef NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H
#define NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/PatternMatch.h"

namespace npu {
/// Makes indices of i64 i32 where bodies only read elements by them: their arguments become pairs
/// of i32, of which the kernel makes numbers of 32 bits.
void narrowIndices(KernelOp kernel);
/// Makes several computed coordinates of elements that bodies read one, and narrow ones i32.
void linearizeGathers(KernelOp kernel);
/// Makes the first position of what equals an extreme npu.arg_reduce.
void convertPositions(KernelOp kernel);
/// Makes results that are i32 extended to i64 pairs of i32.
void narrowResults(KernelOp kernel);

void populateArrayPatterns(mlir::RewritePatternSet &patterns);
void populateElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateReductionPatterns(mlir::RewritePatternSet &patterns);
} // namespace npu

#endif // NPU_LIB_CONVERSION_LINALGTONPU_PATTERNS_H
