//===- ExpandMath.h - elementary functions by those of the vector unit ----===//

#ifndef NPU_LIB_PREPARATION_EXPANDMATH_H
#define NPU_LIB_PREPARATION_EXPANDMATH_H

#include "mlir/IR/PatternMatch.h"

namespace npu {

/// Replaces log1p, expm1, tan and the arc and hyperbolic functions of scalars by sequences of what
/// the vector unit has.
void populateMathExpansionPatterns(mlir::RewritePatternSet &patterns);

/// The same for `math.powf` of any exponent and `arith.remf`.
void populateBinaryMathExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace npu

#endif // NPU_LIB_PREPARATION_EXPANDMATH_H
