//===- DetachElementwiseFromNamedOps.cpp - accumulate from zero -----------===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_DETACHELEMENTWISEFROMNAMEDOPS
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

/// Whether `op` adds products to its init.
static bool addsProducts(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op))
    return true;
  // The window operand of a pooling gives a shape, no values.
  return linalg::isaConvolutionOpInterface(op) && op.getNumDpsInputs() == 2 &&
         op.payloadUsesValueFromOperand(op.getDpsInputOperand(1));
}

namespace {
struct DetachInit : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 || !addsProducts(op))
      return rewriter.notifyMatchFailure(op, "not a contraction or convolution");
    OpOperand *init = op.getDpsInitOperand(0);
    if (isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(init->get().getDefiningOp()))
      return rewriter.notifyMatchFailure(op, "init is no value to add");
    AffineMap map = op.getMatchingIndexingMap(init);
    if (!map.isProjectedPermutation())
      return rewriter.notifyMatchFailure(op, "result is no projection of the loops");

    Location loc = op.getLoc();
    Value addend = init->get();
    auto type = cast<RankedTensorType>(addend.getType());
    Type elementType = type.getElementType();
    if (!elementType.isIntOrIndexOrFloat())
      return rewriter.notifyMatchFailure(op, "no zero to start from");
    auto empty = tensor::EmptyOp::create(rewriter, loc,
                                         tensor::getMixedSizes(rewriter, loc, addend), elementType);
    auto zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(elementType));
    Value fill =
        linalg::FillOp::create(rewriter, loc, zero.getResult(), empty.getResult()).getResult(0);
    rewriter.modifyOpInPlace(op, [&] { init->set(fill); });

    rewriter.setInsertionPointAfter(op);
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    Value result = op->getResult(0);
    auto add = linalg::GenericOp::create(
        rewriter, loc, type, ValueRange{result, addend}, ValueRange{empty},
        ArrayRef<AffineMap>{identity, identity, identity}, iterators,
        [&](OpBuilder &builder, Location loc, ValueRange values) {
          Value sum = isa<FloatType>(elementType)
                          ? arith::AddFOp::create(builder, loc, values[0], values[1]).getResult()
                          : arith::AddIOp::create(builder, loc, values[0], values[1]).getResult();
          linalg::YieldOp::create(builder, loc, sum);
        });
    rewriter.replaceAllUsesExcept(result, add.getResult(0), add);
    return success();
  }
};

struct DetachElementwiseFromNamedOps
    : npu::global_opt::impl::DetachElementwiseFromNamedOpsBase<DetachElementwiseFromNamedOps> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DetachInit>(&getContext());
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
