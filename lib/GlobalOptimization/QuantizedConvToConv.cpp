//===- QuantizedConvToConv.cpp - take zero points out of convolutions -----===//

#include "ZeroPoints.h"

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_QUANTIZEDCONVTOCONV
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

namespace {
template <typename QuantizedOp, typename ConvOp>
struct SplitZeroPoints : OpRewritePattern<QuantizedOp> {
  using OpRewritePattern<QuantizedOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(QuantizedOp op, PatternRewriter &rewriter) const override {
    auto createProducts = [&](Value init) {
      ValueRange operands = op.getInputs().take_front(2);
      return ConvOp::create(rewriter, op.getLoc(), init.getType(), operands, init, op.getStrides(),
                            op.getDilations())
          .getResult(0);
    };
    return npu::global_opt::splitZeroPoints(op, createProducts, rewriter);
  }
};

/// Pairs of a convolution with zero points and the one without.
template <typename... Pairs>
struct ConvPairs {
  static bool isAnyIn(const PresentOps &ops) {
    return ops.holdsAny<typename Pairs::first_type...>();
  }
  static void addPatterns(RewritePatternSet &patterns) {
    patterns.add<SplitZeroPoints<typename Pairs::first_type, typename Pairs::second_type>...>(
        patterns.getContext());
  }
};

using Convs =
    ConvPairs<std::pair<linalg::Conv2DNchwFchwQOp, linalg::Conv2DNchwFchwOp>,
              std::pair<linalg::Conv2DNgchwGfchwQOp, linalg::Conv2DNgchwGfchwOp>,
              std::pair<linalg::Conv2DNhwcFhwcQOp, linalg::Conv2DNhwcFhwcOp>,
              std::pair<linalg::Conv2DNhwcHwcfQOp, linalg::Conv2DNhwcHwcfOp>,
              std::pair<linalg::Conv2DNhwgcGfhwcQOp, linalg::Conv2DNhwgcGfhwcOp>,
              std::pair<linalg::Conv3DNdhwcDhwcfQOp, linalg::Conv3DNdhwcDhwcfOp>,
              std::pair<linalg::DepthwiseConv2DNhwcHwcQOp, linalg::DepthwiseConv2DNhwcHwcOp>,
              std::pair<linalg::DepthwiseConv2DNhwcHwcmQOp, linalg::DepthwiseConv2DNhwcHwcmOp>>;

struct QuantizedConvToConv : npu::global_opt::impl::QuantizedConvToConvBase<QuantizedConvToConv> {
  void runOnOperation() override {
    if (!Convs::isAnyIn(getAnalysis<PresentOps>()))
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    Convs::addPatterns(patterns);
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
