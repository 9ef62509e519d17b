//===- ExpandBinaryMath.cpp - powers and remainders of floats -------------===//
//
// In f32; functions of f16 and bf16 are extended and rounded once. docs/isa-math.md has the
// accuracy, which a test measures. Special values are C's.
//
// Upstream's expansions would not keep to it. Its power is e^(y log x), whose exponent has 24 bits
// of which seven are before the point, so a result may be off by a hundred units in the last place;
// its remainder is x - trunc(x / y) y, which is off where the quotient or the product is rounded.
//
// Sums of two numbers stand for one of 48 bits here, as in T. J. Dekker, "A floating-point
// technique for extending the available precision", 1971: there is no fused multiply-add.
//
//===----------------------------------------------------------------------===//

#include "ExpandMath.h"

#include "Real.h"

using namespace mlir;
using npu::kInfinity, npu::Real;

static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

static Real createExp2(Real x) { return x.make<math::Exp2Op>(Value(x)); }
static Real createFloor(Real x) { return x.make<math::FloorOp>(Value(x)); }
static Real createRoundEven(Real x) { return x.make<math::RoundEvenOp>(Value(x)); }
static Real createNegated(Real x) { return x.make<arith::NegFOp>(Value(x)); }

namespace {
/// A number and two halves of at most 12 bits each that it is the sum of.
struct Split {
  explicit Split(Real x) : whole(x), high(getHigh(x)), low(x - high) {}

  static Real getHigh(Real x) {
    Real scaled = x * 4097.0f;
    return scaled - (scaled - x);
  }

  Real whole, high, low;
};

/// A sum of which `low` is what the rounding of `high` leaves.
struct Pair {
  Real high, low;
};
} // namespace

/// The product, exactly.
static Pair createProduct(const Split &a, const Split &b) {
  Real high = a.whole * b.whole;
  Real low = ((a.high * b.high - high) + a.high * b.low) + a.low * b.high;
  return {high, low + a.low * b.low};
}

/// a + b where |a| >= |b| or a is 0, exactly.
static Pair createOrderedSum(Real a, Real b) {
  Real high = a + b;
  return {high, b - (high - a)};
}

/// v * 2^n: in two steps, of which only the last one rounds.
static Real createScaled(Real v, Real n) {
  Real half = createRoundEven(n * 0.5f);
  return (v * createExp2(half)) * createExp2(n - half);
}

/// The binary logarithm of `m` between 0.7 and 1.5, to 2^-36 of itself. With s = (m - 1) / (m + 1)
/// and w = s * s it is 2 s / (3 ln 2) times 3 + w + 3 (w^2 / 5 + w^3 / 7 + ...).
static Pair createLog2Pair(Real m) {
  Real a = m - 1.0f, b = m + 1.0f;
  Real quotient = a / b;
  Split s(quotient), d(b);
  Pair product = createProduct(s, d);
  Real rest = ((a - product.high) - product.low) - quotient * (m - (b - 1.0f));
  Real sLow = rest / b;

  Real w = quotient * quotient;
  Real wLow = ((s.high * s.high - w) + (s.high + s.high) * s.low) + s.low * s.low;
  wLow = wLow + (quotient + quotient) * sLow;
  Real p = w * (3.0f / 13) + 3.0f / 11;
  p = p * w + 3.0f / 9;
  p = p * w + 3.0f / 7;
  p = p * w + 3.0f / 5;
  Pair sum = createOrderedSum(w, (p * w) * w);
  Pair t = createOrderedSum(w.get(3), sum.high);
  Real tLow = t.low + (sum.low + wLow);

  Pair u = createProduct(s, Split(t.high));
  Real uLow = u.low + (quotient * tLow + sLow * t.high);
  constexpr double factor = 2 / (3 * 0.693147180559945309417);
  constexpr float factorHigh = float(factor), factorLow = float(factor - double(factorHigh));
  Pair result = createProduct(Split(u.high), Split(w.get(factorHigh)));
  return {result.high, result.low + (u.high * factorLow + uLow * factorHigh)};
}

/// |x|^y: 2^(y log2 |x|) with an exponent of 48 bits where that is a number, e^(y log |x|) where it
/// is 0 or infinite. Beyond `limit`, every power of another number than 1 is one of these.
static Real createPowerOfMagnitude(Real magnitude, Real y) {
  Real limit = y.get(0x1p40f);
  Real exponent = y.make<arith::MinimumFOp>(Value(y), Value(limit));
  exponent = y.make<arith::MaximumFOp>(Value(exponent), Value(y.get(-0x1p40f)));
  Real log = createLog(magnitude), estimate = exponent * log;

  // magnitude = m * 2^e
  Real e = createRoundEven(log * 1.44269504f);
  Pair fraction = createLog2Pair(createScaled(magnitude, createNegated(e)));
  Pair whole = createOrderedSum(e, fraction.high);
  Pair z = createProduct(Split(exponent), Split(whole.high));
  Real zLow = z.low + exponent * (whole.low + fraction.low);
  Real n = createRoundEven(z.high);
  Real v = createExp2(z.high - n);
  v = v + v * (zLow * 0.693147180560f);
  return createScaled(v, n).whereLess(createAbs(estimate), y.get(150), createExp(estimate));
}

static Real createPower(Real x, Real y) {
  Real power = createPowerOfMagnitude(createAbs(x), y);
  // Odd powers have the sign of x, also of a zero.
  Real negated = createNegated(power);
  Real odd = negated.whereLess(x, x.get(0), negated.whereLess(1.0f / x, x.get(0), power));
  Real half = y * 0.5f;
  Real signedPower = odd.where(arith::CmpFPredicate::UNE, createFloor(half), half, power);
  // Other powers than whole ones of finite negative numbers do not exist.
  Real broken = x.get(kNaN).whereLess(x, x.get(0), power);
  broken = broken.where(arith::CmpFPredicate::OGT, x, x.get(-kInfinity), power);
  Real result = signedPower.where(arith::CmpFPredicate::OEQ, createFloor(y), y, broken);
  Real one = x.get(1);
  return one.whereEqual(y, 0, one.whereEqual(x, 1, result));
}

/// `rest` less the multiple of `divisor` * 2^shift that is nearest; exact for quotients of up to
/// 2^11.
static Real createReduced(Real rest, const Split &divisor, int shift) {
  float scale = std::ldexp(1.0f, shift);
  Real quotient = createRoundEven((rest / divisor.whole) * (1 / scale)) * scale;
  quotient = rest.get(0).whereLess(createAbs(rest), divisor.whole * scale, quotient);
  return (rest - quotient * divisor.high) - quotient * divisor.low;
}

/// By a division in steps of 11 bits, each of them exact.
static Real createRemainder(Real x, Real y) {
  Real magnitude = createAbs(x), divisor = createAbs(y);
  // Products of a divisor near the largest number would overflow.
  Real limit = x.get(0x1p100f);
  Real scale = x.get(1).where(arith::CmpFPredicate::OLT, magnitude, limit, x.get(0x1p-24f));
  Split split(divisor * scale);
  Real rest = magnitude * scale;
  for (int shift : {33, 22, 11, 0})
    rest = createReduced(rest, split, shift);
  rest = (rest + split.whole).whereLess(rest, x.get(0), rest);
  rest = rest.whereLess(magnitude, limit, rest * 0x1p24f);
  Real result = createNegated(rest).whereLess(x, x.get(0), rest);
  // A quotient of more bits.
  result = result.where(arith::CmpFPredicate::OLE, magnitude * 0x1p-44f, divisor, x.get(kNaN));
  return x.whereLess(magnitude, divisor, result);
}

namespace {
template <typename Op>
struct ExpandBinaryFunction : OpRewritePattern<Op> {
  using Function = Real (*)(Real, Real);

  /// After upstream's patterns for constant exponents.
  ExpandBinaryFunction(MLIRContext *context, Function function)
      : OpRewritePattern<Op>(context, /*benefit=*/0), function(function) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || type.getWidth() > 32)
      return rewriter.notifyMatchFailure(op, "not of f32 or narrower");
    Location loc = op.getLoc();
    bool isNarrow = type.getWidth() < 32;
    auto extend = [&](Value operand) {
      return isNarrow ? Value(arith::ExtFOp::create(rewriter, loc, rewriter.getF32Type(), operand))
                      : operand;
    };
    Value lhs = extend(op.getLhs()), rhs = extend(op.getRhs());
    Value result = function(Real(rewriter, lhs), Real(rewriter, rhs));
    if (isNarrow)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  Function function;
};
} // namespace

void npu::populateBinaryMathExpansionPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandBinaryFunction<math::PowFOp>>(context, createPower);
  patterns.add<ExpandBinaryFunction<arith::RemFOp>>(context, createRemainder);
}
