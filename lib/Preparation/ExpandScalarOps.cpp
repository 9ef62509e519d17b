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
template <typename Op, typename Division>
struct ExpandRemainder : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (std::is_same_v<Op, arith::RemUIOp> && !op.getType().isSignlessInteger(32))
      return rewriter.notifyMatchFailure(op, "not of 32 bits");
    Location loc = op.getLoc();
    Value quotient = Division::create(rewriter, loc, op.getLhs(), op.getRhs());
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

/// Of 32 bits, by a signed division of half the dividend: twice that quotient is at most one less
/// than the right one. A divisor of 2^31 and more is in the dividend once or not at all.
struct ExpandWideUnsignedDivision : OpRewritePattern<arith::DivUIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::DivUIOp op, PatternRewriter &rewriter) const override {
    if (!op.getType().isSignlessInteger(32))
      return rewriter.notifyMatchFailure(op, "not of 32 bits");
    Location loc = op.getLoc();
    Value lhs = op.getLhs(), rhs = op.getRhs();
    Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
    Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(1));
    Value half = arith::ShRUIOp::create(rewriter, loc, lhs, one);
    Value quotient = arith::DivSIOp::create(rewriter, loc, half, rhs);
    Value twice = arith::ShLIOp::create(rewriter, loc, quotient, one);
    Value isLarge = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, rhs, zero);
    Value least = arith::SelectOp::create(rewriter, loc, isLarge, zero, twice);
    Value product = arith::MulIOp::create(rewriter, loc, least, rhs);
    Value rest = arith::SubIOp::create(rewriter, loc, lhs, product);
    Value isMore = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::uge, rest, rhs);
    Value more = arith::AddIOp::create(rewriter, loc, least, one);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isMore, more, least);
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
    set.add<ExpandLeadingZeros, ExpandRemainder<arith::RemSIOp, arith::DivSIOp>,
            ExpandRemainder<arith::RemUIOp, arith::DivUIOp>, ExpandTrunc,
            ExpandWideUnsignedDivision, ExpandUnsigned<arith::DivUIOp, arith::DivSIOp>,
            ExpandUnsigned<arith::RemUIOp, arith::RemSIOp>>(context);
    npu::populateMathExpansionPatterns(set);
    npu::populateBinaryMathExpansionPatterns(set);
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
