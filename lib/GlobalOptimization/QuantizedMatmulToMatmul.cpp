//===- QuantizedMatmulToMatmul.cpp - take zero points out of matmuls ------===//

#include "ZeroPoints.h"

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_QUANTIZEDMATMULTOMATMUL
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

namespace {
template <typename QuantizedOp, typename ProductOp>
struct SplitZeroPoints : OpRewritePattern<QuantizedOp> {
  using OpRewritePattern<QuantizedOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(QuantizedOp op, PatternRewriter &rewriter) const override {
    auto createProducts = [&](Value init) {
      ValueRange operands = op.getInputs().take_front(2);
      return ProductOp::create(rewriter, op.getLoc(), init.getType(), operands, init).getResult(0);
    };
    return npu::global_opt::splitZeroPoints(op, createProducts, rewriter);
  }
};

struct QuantizedMatmulToMatmul
    : npu::global_opt::impl::QuantizedMatmulToMatmulBase<QuantizedMatmulToMatmul> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>()
             .holdsAny<linalg::QuantizedMatmulOp, linalg::QuantizedBatchMatmulOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitZeroPoints<linalg::QuantizedMatmulOp, linalg::MatmulOp>,
                 SplitZeroPoints<linalg::QuantizedBatchMatmulOp, linalg::BatchMatmulOp>>(
        &getContext());
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
