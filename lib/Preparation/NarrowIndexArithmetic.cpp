//===- NarrowIndexArithmetic.cpp - what bodies compute of loop counters ---===//
//
// Masks compare the counters of loops, as index or i64. Their ranges are known, so that 32 bits do.
// Upstream narrows what its range analysis bounds; it only has to be told what linalg.index is.
//
//===----------------------------------------------------------------------===//

#include "NPU/Preparation/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu {
#define GEN_PASS_DEF_NPUNARROWINDEXARITHMETIC
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;

namespace {
/// A counter lies between zero and the end of its loop.
struct CounterRange : InferIntRangeInterface::ExternalModel<CounterRange, linalg::IndexOp> {
  void inferResultRanges(Operation *op, ArrayRef<ConstantIntRanges>,
                         SetIntRangeFn setResultRange) const {
    setResultRange(op->getResult(0), getRange(cast<linalg::IndexOp>(op)));
  }
  void inferResultRangesFromOptional(Operation *op, ArrayRef<IntegerValueRange>,
                                     SetIntLatticeFn setResultRange) const {
    setResultRange(op->getResult(0), IntegerValueRange(getRange(cast<linalg::IndexOp>(op))));
  }

private:
  static ConstantIntRanges getRange(linalg::IndexOp index) {
    auto loops = index->getParentOfType<linalg::LinalgOp>();
    int64_t extent = loops.getStaticLoopRanges()[index.getDim()];
    constexpr unsigned width = IndexType::kInternalStorageBitWidth;
    APInt most = APInt::getSignedMaxValue(width);
    if (!ShapedType::isDynamic(extent))
      most = APInt(width, std::max<int64_t>(extent - 1, 0));
    return ConstantIntRanges::fromSigned(APInt(width, 0), most);
  }
};

/// A counter as i64 and then as i32 is a counter as i32.
struct FoldCounterCast : OpRewritePattern<arith::TruncIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncIOp op, PatternRewriter &rewriter) const override {
    auto cast = op.getIn().getDefiningOp<arith::IndexCastOp>();
    if (!cast || !cast.getIn().getType().isIndex())
      return rewriter.notifyMatchFailure(op, "not of what was an index");
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(), cast.getIn());
    return success();
  }
};

/// A counter is not negative, whichever cast it takes.
struct SignCounterCast : OpRewritePattern<arith::IndexCastUIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::IndexCastUIOp op, PatternRewriter &rewriter) const override {
    if (!op.getIn().getDefiningOp<linalg::IndexOp>())
      return rewriter.notifyMatchFailure(op, "not of a counter");
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(), op.getIn());
    return success();
  }
};

struct NarrowIndexArithmetic : npu::impl::NPUNarrowIndexArithmeticBase<NarrowIndexArithmetic> {
  void getDependentDialects(DialectRegistry &registry) const override {
    NPUNarrowIndexArithmeticBase::getDependentDialects(registry);
    registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
      linalg::IndexOp::attachInterface<CounterRange>(*context);
    });
  }

  void runOnOperation() override {
    // Gathers read by indices, and positions of extremes are found by the form of their body: both
    // stay.
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.getNumReductionLoops() == 0 && !op.getOps<linalg::IndexOp>().empty() &&
          op.getOps<tensor::ExtractOp>().empty())
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    arith::populateIntRangeNarrowingPatterns(patterns, solver, {32u});
    patterns.add<FoldCounterCast, SignCounterCast>(&getContext());
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (linalg::GenericOp op : ops)
      if (failed(applyPatternsGreedily(op.getRegion(), frozen)))
        return signalPassFailure();
  }
};
} // namespace
