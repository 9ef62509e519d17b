//===- ZeroPoints.h - sums of products without zero points ------*- C++ -*-===//
//
// The sum of (a - za) * (b - zb) is that of a * b, minus zb times the sum of a, minus za times the
// sum of b, plus the number of products times za * zb.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_GLOBALOPTIMIZATION_ZEROPOINTS_H
#define NPU_LIB_GLOBALOPTIMIZATION_ZEROPOINTS_H

#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {

/// Replaces a contraction or convolution with the inputs a, b, za and zb on tensors.
/// `createProducts` makes the op without zero points that adds up to `init`. What is known of
/// constants is what the sums start from, where these start from a constant or a vector. Fails,
/// with a reason, where it is not on tensors or the number of products is not known.
mlir::LogicalResult
splitZeroPoints(mlir::linalg::LinalgOp op,
                llvm::function_ref<mlir::Value(mlir::Value init)> createProducts,
                mlir::PatternRewriter &rewriter);

/// An op with zero points, and the one without.
template <typename QuantizedOp, typename ProductOp>
struct SplitZeroPoints : mlir::OpRewritePattern<QuantizedOp> {
  using Quantized = QuantizedOp;
  using mlir::OpRewritePattern<QuantizedOp>::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(QuantizedOp op,
                                      mlir::PatternRewriter &rewriter) const override {
    auto createProducts = [&](mlir::Value init) {
      mlir::NamedAttrList attributes;
      for (llvm::StringRef name : {"strides", "dilations"})
        if (mlir::Attribute attribute = op->getAttr(name))
          attributes.set(name, attribute);
      return ProductOp::create(rewriter, op.getLoc(), init.getType(), op.getInputs().take_front(2),
                               init, attributes)
          .getResult(0);
    };
    return splitZeroPoints(op, createProducts, rewriter);
  }
};

/// Applies `Patterns`, each a SplitZeroPoints, below `root`. Returns whether something changed.
template <typename... Patterns>
bool splitAllZeroPoints(mlir::Operation *root, const PresentOps &present) {
  if (!present.holdsAny<typename Patterns::Quantized...>())
    return false;
  mlir::RewritePatternSet patterns(root->getContext());
  patterns.add<Patterns...>(root->getContext());
  ChangeListener listener;
  walkAndApplyPatterns(root, std::move(patterns), &listener);
  return listener.changed;
}

} // namespace npu::global_opt

#endif // NPU_LIB_GLOBALOPTIMIZATION_ZEROPOINTS_H
