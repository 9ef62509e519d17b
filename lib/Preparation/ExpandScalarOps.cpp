//===- ExpandScalarOps.cpp - body ops as those that the vector unit has ---===//

#include "ExpandMath.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
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

/// A float as an unsigned integer of few bits is the lower part of it as a signed one.
struct ExpandNarrowUnsigned : OpRewritePattern<arith::FPToUIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::FPToUIOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<IntegerType>(op.getType());
    if (!type || type.getWidth() == 1 || type.getWidth() > 16)
      return rewriter.notifyMatchFailure(op, "not to 8 or 16 bits");
    Value wide = arith::FPToSIOp::create(rewriter, op.getLoc(), rewriter.getI32Type(), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, wide);
    return success();
  }
};

/// Classes of floats by comparisons, of which one with a NaN holds only if it is unordered.
struct ExpandIsNaN : OpRewritePattern<math::IsNaNOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNaNOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::UNO, op.getOperand(),
                                               op.getOperand());
    return success();
  }
};

template <typename Op, arith::CmpFPredicate predicate>
struct CompareWithInfinity : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getOperand().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "not of a scalar");
    Value infinity = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        rewriter.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics())));
    Value magnitude = math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, predicate, magnitude, infinity);
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

/// `index`, a cast or a constant, as an integer of `type`; null if it is of another one or does not
/// fit.
static Value getAsInteger(Value index, IntegerType type, PatternRewriter &rewriter) {
  if (auto cast = index.getDefiningOp<arith::IndexCastOp>())
    return cast.getIn().getType() == type ? cast.getIn() : Value();
  APInt constant;
  if (!matchPattern(index, m_ConstantInt(&constant)) || !constant.isSignedIntN(type.getWidth()))
    return {};
  return arith::ConstantOp::create(
      rewriter, index.getLoc(),
      rewriter.getIntegerAttr(type, constant.sextOrTrunc(type.getWidth())));
}

/// The least or largest of casts to index is the cast of that: StableHLO's gathers keep coordinates
/// in bounds as index, which kernels do not compute with.
template <typename Op>
struct ClampBeforeIndexCast : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isIndex())
      return rewriter.notifyMatchFailure(op, "not of index");
    auto cast = op.getLhs().template getDefiningOp<arith::IndexCastOp>();
    if (!cast)
      cast = op.getRhs().template getDefiningOp<arith::IndexCastOp>();
    auto type = cast ? dyn_cast<IntegerType>(cast.getIn().getType()) : IntegerType();
    if (!type)
      return rewriter.notifyMatchFailure(op, "not of an integer");
    Value lhs = getAsInteger(op.getLhs(), type, rewriter),
          rhs = getAsInteger(op.getRhs(), type, rewriter);
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(op, "not of integers of one type");
    Value result = Op::create(rewriter, op.getLoc(), lhs, rhs);
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(), result);
    return success();
  }
};

/// A counter that is added to such a number, where one is clamped: slices begin at an index.
struct CountBeforeIndexCast : OpRewritePattern<arith::AddIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddIOp op, PatternRewriter &rewriter) const override {
    auto cast = op.getLhs().getDefiningOp<arith::IndexCastOp>();
    auto counter = op.getRhs().getDefiningOp<linalg::IndexOp>();
    if (!cast || !counter) {
      cast = op.getRhs().getDefiningOp<arith::IndexCastOp>();
      counter = op.getLhs().getDefiningOp<linalg::IndexOp>();
    }
    if (!op.getType().isIndex() || !cast || !counter)
      return rewriter.notifyMatchFailure(op, "no sum of a counter and what was an integer");
    auto type = dyn_cast<IntegerType>(cast.getIn().getType());
    APInt most;
    auto clamp = cast.getIn().getDefiningOp<arith::MinSIOp>();
    if (!type || !clamp || !matchPattern(clamp.getRhs(), m_ConstantInt(&most)))
      return rewriter.notifyMatchFailure(op, "the integer has no known bound");
    int64_t extent =
        counter->getParentOfType<linalg::LinalgOp>().getStaticLoopRanges()[counter.getDim()];
    if (ShapedType::isDynamic(extent) || extent > std::numeric_limits<int32_t>::max() ||
        (most.sext(128) + extent).getSignificantBits() > type.getWidth())
      return rewriter.notifyMatchFailure(op, "the sum may overflow the integer's type");
    Value number = arith::IndexCastOp::create(rewriter, op.getLoc(), type, counter);
    Value sum = arith::AddIOp::create(rewriter, op.getLoc(), cast.getIn(), number);
    rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(), sum);
    return success();
  }
};

struct ExpandScalarOps : npu::impl::NPUExpandScalarOpsBase<ExpandScalarOps> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<ExpandNarrowUnsigned, ExpandIsNaN,
            CompareWithInfinity<math::IsFiniteOp, arith::CmpFPredicate::OLT>,
            CompareWithInfinity<math::IsInfOp, arith::CmpFPredicate::OEQ>,
            ClampBeforeIndexCast<arith::MaxSIOp>, ClampBeforeIndexCast<arith::MinSIOp>,
            CountBeforeIndexCast, ExpandLeadingZeros,
            ExpandRemainder<arith::RemSIOp, arith::DivSIOp>,
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
