//===- ZeroPoints.h - sums of products without zero points ------*- C++ -*-===//
//
// The sum of (a - za) * (b - zb) is that of a * b, minus zb times the sum of a, minus za times the
// sum of b, plus the number of products times za * zb.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_GLOBALOPTIMIZATION_ZEROPOINTS_H
#define NPU_LIB_GLOBALOPTIMIZATION_ZEROPOINTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::global_opt {

/// Replaces a contraction or convolution with the inputs a, b, za and zb on tensors.
/// `createProducts` makes the op without zero points that adds up to `init`. What is known of
/// constants is what the sums start from, where these start from a constant or a vector. Fails,
/// with a reason, where it is not on tensors or the number of products is not known.
mlir::LogicalResult
splitZeroPoints(mlir::linalg::LinalgOp op,
                llvm::function_ref<mlir::Value(mlir::Value init)> createProducts,
                mlir::PatternRewriter &rewriter);

} // namespace npu::global_opt

#endif // NPU_LIB_GLOBALOPTIMIZATION_ZEROPOINTS_H
