//===- ExpandScalarOps.cpp - body ops as those that the vector unit has ---===//

#include "ExpandMath.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu {
#define GEN_PASS_DEF_NPUEXPANDSCALAROPS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;

namespace {
/// a rem b = a - (a / b) * b
struct ExpandRemainder : OpRewritePattern<arith::RemSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::RemSIOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value quotient = arith::DivSIOp::create(rewriter, loc, op.getLhs(), op.getRhs());
    Value product = arith::MulIOp::create(rewriter, loc, quotient, op.getRhs());
    rewriter.replaceOpWithNewOp<arith::SubIOp>(op, op.getLhs(), product);
    return success();
  }
};

/// Unsigned numbers of 8 and 16 bits are signed ones of 32.
template <typename Op, typename SignedOp>
struct ExpandUnsigned : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<IntegerType>(op.getType());
    if (!type || type.getWidth() >= 32)
      return rewriter.notifyMatchFailure(op, "of 32 bits or more");
    Type wide = rewriter.getI32Type();
    Value lhs = arith::ExtUIOp::create(rewriter, op.getLoc(), wide, op.getLhs());
    Value rhs = arith::ExtUIOp::create(rewriter, op.getLoc(), wide, op.getRhs());
    Value result = SignedOp::create(rewriter, op.getLoc(), lhs, rhs);
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, result);
    return success();
  }
};

/// trunc(x) rounds towards zero; both branches keep the sign of zero, and NaN.
struct ExpandTrunc : OpRewritePattern<math::TruncOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::TruncOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand();
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(x.getType()));
    Value isNegative = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT, x, zero);
    Value up = math::CeilOp::create(rewriter, loc, x),
          down = math::FloorOp::create(rewriter, loc, x);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, up, down);
    return success();
  }
};

/// Leading zeros: where the upper half of the bits is zero they count, and the lower half comes
/// next. What is left at last is the sign, or zero.
struct ExpandLeadingZeros : OpRewritePattern<math::CountLeadingZerosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CountLeadingZerosOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<IntegerType>(op.getType());
    if (!type || !llvm::is_contained({8u, 16u, 32u}, type.getWidth()))
      return rewriter.notifyMatchFailure(op, "of another width");
    Location loc = op.getLoc();
    auto getNumber = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, number));
    };
    Value x = op.getOperand(), zero = getNumber(0), count = zero;
    for (int64_t bits = type.getWidth() / 2; bits > 0; bits /= 2) {
      Value upper = arith::ShRUIOp::create(rewriter, loc, x, getNumber(type.getWidth() - bits));
      Value isZero = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, upper, zero);
      Value lower = arith::ShLIOp::create(rewriter, loc, x, getNumber(bits));
      Value more = arith::AddIOp::create(rewriter, loc, count, getNumber(bits));
      x = arith::SelectOp::create(rewriter, loc, isZero, lower, x);
      count = arith::SelectOp::create(rewriter, loc, isZero, more, count);
    }
    Value isLast = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge, x, zero);
    Value last = arith::ExtUIOp::create(rewriter, loc, type, isLast);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, count, last);
    return success();
  }
};

struct ExpandScalarOps : npu::impl::NPUExpandScalarOpsBase<ExpandScalarOps> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<ExpandLeadingZeros, ExpandRemainder, ExpandTrunc,
            ExpandUnsigned<arith::DivUIOp, arith::DivSIOp>,
            ExpandUnsigned<arith::RemUIOp, arith::RemSIOp>>(context);
    npu::populateMathExpansionPatterns(set);
    arith::populateCeilFloorDivExpandOpsPatterns(set);
    populateMathAlgebraicSimplificationPatterns(set);
    patterns = FrozenRewritePatternSet(std::move(set));
    return success();
  }

  void runOnOperation() override {
    // Only bodies: what is between dispatches is the host's.
    getOperation()->walk([&](linalg::LinalgOp op) {
      SmallVector<Operation *> ops;
      for (Operation &inner : *op.getBlock())
        ops.push_back(&inner);
      (void)applyOpPatternsGreedily(ops, patterns);
    });
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
