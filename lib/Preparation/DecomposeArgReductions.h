//===- DecomposeArgReductions.h - positions of extremes -------------------===//

#ifndef NPU_LIB_PREPARATION_DECOMPOSEARGREDUCTIONS_H
#define NPU_LIB_PREPARATION_DECOMPOSEARGREDUCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace npu {

/// Replaces reductions to an extreme and its position inside of `root` by two reductions, where
/// that is exactly the same.
void decomposeArgReductions(mlir::Operation *root, mlir::RewriterBase &rewriter);

} // namespace npu

#endif // NPU_LIB_PREPARATION_DECOMPOSEARGREDUCTIONS_H
