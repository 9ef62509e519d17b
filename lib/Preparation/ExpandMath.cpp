//===- ExpandMath.cpp - elementary functions by those of the vector unit --===//
//
// In f32; a function of f16 or bf16 is extended and rounded once. docs/isa-math.md has the
// accuracy, which a test measures.
//
// Upstream's expansions (populateExpandSinhPattern and so on) would not keep to it. Its sinh and
// atanh lose digits near 0, its asinh and acosh where they are small: e^x - e^-x cancels, and so
// does the logarithm of what is nearly 1. Its cosh overflows where e^x does, though half of that is
// finite, its asinh and acosh where x * x does. In f16, every step would round.
//
//===----------------------------------------------------------------------===//

#include "ExpandMath.h"

#include "Real.h"

using namespace mlir;
using npu::kInfinity, npu::Real;

static constexpr float kHalfPi = 1.57079632679f, kPi = 3.14159265359f, kLn2 = 0.693147180560f;

/// An odd function of `x` from its value at |x|; near 0 it is x, zeros keep their sign.
static Real createOdd(Real x, Real ofMagnitude) {
  Real negative = x.get(0) - ofMagnitude;
  Real result = negative.whereLess(x, x.get(0), ofMagnitude);
  return x.whereLess(createAbs(x), x.get(0x1p-12f), result);
}

/// log(u) for u = 1 + x rounded, corrected for that rounding.
static Real createLog1p(Real x) {
  Real u = 1.0f + x;
  Real result = createLog(u) * (x / (u - 1.0f));
  return x.whereEqual(u, 1, u.whereEqual(u, kInfinity, result));
}

/// u - 1 for u = e^x rounded, corrected for that rounding.
static Real createExpM1(Real x) {
  Real u = createExp(x), less = u - 1.0f;
  Real result = less * (x / createLog(u));
  result = less.whereEqual(less, -1, result);
  return x.whereEqual(u, 1, u.whereEqual(u, kInfinity, result));
}

static Real createLog2(Real x) { return createLog(x) * 1.44269504089f; }
static Real createLog10(Real x) { return createLog(x) * 0.434294481903f; }

/// The integer nearest to x, away from zero where two are; zeros keep their sign.
static Real createRound(Real x) {
  Real t = createAbs(x), down = t.make<math::FloorOp>(Value(t));
  Real up = down + 1.0f;
  Real nearest = down.whereLess(t - down, x.get(0.5f), up);
  // An infinity less itself is a NaN, which is not less.
  nearest = t.whereEqual(t, kInfinity, nearest);
  Real negative = x.get(0) - nearest;
  return x.whereEqual(t, 0, negative.whereLess(x, x.get(0), nearest));
}

/// erfc(x) for x >= 0 is t e^(-x^2 + p(t)) with t = 1 / (1 + x / 2); W. H. Press et al., "Numerical
/// Recipes", 6.2: within 1.2e-7 of it. The square has twice the digits: it is that of the upper
/// half of x, which is exact, and the rest.
static Real createErfc(Real x) {
  constexpr float coefficients[] = {0.17087277f, -0.82215223f, 1.48851587f, -1.13520398f,
                                    0.27886807f, -0.18628806f, 0.09678418f, 0.37409196f,
                                    1.00002368f, -1.26551223f};
  Real z = createAbs(x), t = 1.0f / (z * 0.5f + 1.0f), p = x.get(coefficients[0]);
  for (float coefficient : ArrayRef(coefficients).drop_front())
    p = p * t + coefficient;
  Real large = z * 4097.0f, upper = large - (large - z);
  Real square = upper * upper, rest = (z - upper) * (z + upper);
  Real result = t * (createExp(p - rest) * createExp(x.get(0) - square));
  // Beyond, it is zero, and squares of what is much larger are no numbers.
  result = result.whereLess(z, x.get(11), x.get(0));
  result = x.where(arith::CmpFPredicate::UNO, x, x, result);
  return (2.0f - result).whereLess(x, x.get(0), result);
}

static Real createTan(Real x) {
  return x.make<math::SinOp>(Value(x)) / x.make<math::CosOp>(Value(x));
}

/// e^t / 2 for large t, of which the half does not overflow.
static Real createHalfExp(Real t) {
  Real root = createExp(t * 0.5f);
  return (root * 0.5f) * root;
}

static Real createSinh(Real x) {
  Real t = createAbs(x), e = createExpM1(t);
  Real small = (e + e / (e + 1.0f)) * 0.5f;
  return createOdd(x, small.whereLess(t, x.get(9), createHalfExp(t)));
}

static Real createCosh(Real x) {
  Real t = createAbs(x), e = createExp(t);
  Real small = e * 0.5f + 0.5f / e;
  return small.whereLess(t, x.get(9), createHalfExp(t));
}

static Real createAsinh(Real x) {
  Real t = createAbs(x), s = t * t;
  Real small = createLog1p(t + s / (1.0f + createSqrt(s + 1.0f)));
  return createOdd(x, small.whereLess(t, x.get(4096), createLog(t) + kLn2));
}

static Real createAcosh(Real x) {
  Real t = x - 1.0f;
  Real small = createLog1p(t + createSqrt((t + t) + t * t));
  Real result = small.whereLess(x, x.get(4096), createLog(x) + kLn2);
  return x.get(std::numeric_limits<float>::quiet_NaN()).whereLess(x, x.get(1), result);
}

static Real createAtanh(Real x) {
  Real t = createAbs(x);
  return createOdd(x, createLog1p((t + t) / (1.0f - t)) * 0.5f);
}

/// By atan(t) = pi/2 - atan(1/t) and pi/4 + atan((t - 1) / (t + 1)) to |t| < tan(pi/8); the
/// polynomial is that of the Cephes library.
static Real createAtan(Real x) {
  Real t = createAbs(x), limit = x.get(2.41421356237f), middle = x.get(0.414213562373f);
  Real z = (-1.0f / t).where(arith::CmpFPredicate::OGT, t, limit, (t - 1.0f) / (t + 1.0f));
  z = t.whereLess(t, middle, z);
  Real offset = x.get(kHalfPi).where(arith::CmpFPredicate::OGT, t, limit, x.get(kHalfPi / 2));
  offset = x.get(0).whereLess(t, middle, offset);
  Real s = z * z;
  Real p = s * 8.05374449538e-2f - 1.38776856032e-1f;
  p = p * s + 1.99777106478e-1f;
  p = p * s - 3.33329491539e-1f;
  return createOdd(x, ((p * s) * z + z) + offset);
}

/// asin(y) for 0 <= y <= 1/2, z its square; the polynomial is that of the Cephes library.
static Real createSmallAsin(Real y, Real z) {
  Real p = z * 4.2163199048e-2f + 2.4181311049e-2f;
  p = p * z + 4.5470025998e-2f;
  p = p * z + 7.4953002686e-2f;
  p = p * z + 1.6666752422e-1f;
  return (p * z) * y + y;
}

/// Of the part beyond 1/2 the complement: acos(t) = 2 asin(sqrt((1 - t) / 2)).
static Real createHalfComplement(Real t) {
  Real z = (1.0f - t) * 0.5f;
  return createSmallAsin(createSqrt(z), z);
}

static Real createAsin(Real x) {
  Real t = createAbs(x), half = createHalfComplement(t);
  Real large = kHalfPi - (half + half);
  return createOdd(
      x, large.where(arith::CmpFPredicate::OGT, t, x.get(0.5f), createSmallAsin(t, t * t)));
}

static Real createAcos(Real x) {
  Real t = createAbs(x), half = createHalfComplement(t), twice = half + half;
  Real large = (kPi - twice).whereLess(x, x.get(0), twice);
  Real small = createSmallAsin(t, t * t);
  Real middle = kHalfPi - (x.get(0) - small).whereLess(x, x.get(0), small);
  return large.where(arith::CmpFPredicate::OGT, t, x.get(0.5f), middle);
}

namespace {
template <typename Op>
struct ExpandFunction : OpRewritePattern<Op> {
  using Function = Real (*)(Real);

  ExpandFunction(MLIRContext *context, Function function)
      : OpRewritePattern<Op>(context), function(function) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || type.getWidth() > 32)
      return rewriter.notifyMatchFailure(op, "not of f32 or narrower");
    Location loc = op.getLoc();
    Value operand = op.getOperand();
    if (type.getWidth() < 32)
      operand = arith::ExtFOp::create(rewriter, loc, rewriter.getF32Type(), operand);
    Value result = function(Real(rewriter, operand));
    if (type.getWidth() < 32)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  Function function;
};
} // namespace

void npu::populateMathExpansionPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandFunction<math::Log1pOp>>(context, createLog1p);
  patterns.add<ExpandFunction<math::ExpM1Op>>(context, createExpM1);
  patterns.add<ExpandFunction<math::Log2Op>>(context, createLog2);
  patterns.add<ExpandFunction<math::Log10Op>>(context, createLog10);
  patterns.add<ExpandFunction<math::RoundOp>>(context, createRound);
  patterns.add<ExpandFunction<math::ErfcOp>>(context, createErfc);
  patterns.add<ExpandFunction<math::TanOp>>(context, createTan);
  patterns.add<ExpandFunction<math::SinhOp>>(context, createSinh);
  patterns.add<ExpandFunction<math::CoshOp>>(context, createCosh);
  patterns.add<ExpandFunction<math::AsinhOp>>(context, createAsinh);
  patterns.add<ExpandFunction<math::AcoshOp>>(context, createAcosh);
  patterns.add<ExpandFunction<math::AtanhOp>>(context, createAtanh);
  patterns.add<ExpandFunction<math::AtanOp>>(context, createAtan);
  patterns.add<ExpandFunction<math::AsinOp>>(context, createAsin);
  patterns.add<ExpandFunction<math::AcosOp>>(context, createAcos);
}
