//===- MathSequences.h - the vector unit's elementary functions -----------===//
//
// These sequences define the results of `vpu.unary` to the bit. docs/isa-math.md has them as text.
// Every operation is IEEE binary32, rounded to nearest even, never contracted to a fused
// multiply-add, and evaluated in the order written. No host library function is involved. The
// helpers up to powerOfTwo are exact.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SIMULATOR_MATHSEQUENCES_H
#define NPU_SIMULATOR_MATHSEQUENCES_H

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstdint>

namespace npu::sim::math {

inline uint32_t toBits(float value) { return llvm::bit_cast<uint32_t>(value); }
inline float fromBits(uint32_t bits) { return llvm::bit_cast<float>(bits); }
inline float getInfinity() { return fromBits(0x7f800000); }
inline float getNaN() { return fromBits(0x7fc00000); }
inline float getMagnitude(float x) { return fromBits(toBits(x) & 0x7fffffff); }
inline float withSignOf(float magnitude, float sign) {
  return fromBits((toBits(magnitude) & 0x7fffffff) | (toBits(sign) & 0x80000000));
}

/// The nearest integer, ties to even, with x's sign also when it is 0.
inline float roundEven(float x) {
  float magic = withSignOf(8388608.0f, x); // 2^23: the sum has no fraction bits
  float rounded = withSignOf((x + magic) - magic, x);
  return getMagnitude(x) < 8388608.0f ? rounded : x;
}

/// 2^n for -126 <= n <= 127.
inline float powerOfTwo(int32_t n) { return fromBits(uint32_t(n + 127) << 23); }

/// value * 2^n, in two steps because 2^n may overflow or be denormal where the result is neither.
inline float scale(float value, int32_t n) {
  int32_t half = n >> 1;
  return (value * powerOfTwo(half)) * powerOfTwo(n - half);
}

/// e^r - 1 for r in [-ln2/2, ln2/2].
inline float getExpM1(float r) {
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  return p * (r * r) + r;
}

/// The power (1 + rest) * 2^exponent.
struct Power {
  int32_t exponent;
  float rest;
};

/// e^x, and 1 for NaN. Cody-Waite reduction by n = round(x / ln 2). What is clipped overflows or
/// rounds to 0 all the same.
inline Power splitExp(float x) {
  float clipped = x > 104.0f ? 104.0f : x < -104.0f ? -104.0f : x;
  clipped = x == x ? clipped : 0.0f;
  float n = roundEven(clipped * 1.44269504f);
  float r = (clipped - n * 0.693359375f) - n * -2.12194440e-4f;
  return {int32_t(n), getExpM1(r)};
}

inline float exp(float x) {
  Power power = splitExp(x);
  float result = scale(power.rest + 1.0f, power.exponent);
  return x == x ? result : getNaN();
}

/// 2^x, as exp.
inline float exp2(float x) {
  float clipped = x > 129.0f ? 129.0f : x < -151.0f ? -151.0f : x;
  clipped = x == x ? clipped : 0.0f;
  float n = roundEven(clipped);
  float r = (clipped - n) * 0.693147180559945f;
  float result = scale(getExpM1(r) + 1.0f, int32_t(n));
  return x == x ? result : getNaN();
}

/// The natural logarithm. x = m * 2^e with m in [sqrt(1/2), sqrt(2)).
inline float log(float x) {
  bool isDenormal = x < 1.17549435e-38f;
  uint32_t bits = toBits(isDenormal ? x * 8388608.0f : x);
  // Moves the boundary between two exponents from 1 to sqrt(1/2) (0x3f3504f3).
  uint32_t shifted = bits - 0x3f3504f3;
  float e = float(int32_t(shifted) >> 23) - (isDenormal ? 23.0f : 0.0f);
  float r = fromBits((shifted & 0x007fffff) + 0x3f3504f3) - 1.0f;
  float s = r * r;
  float p = 7.0376836292e-2f;
  p = p * r + -1.1514610310e-1f;
  p = p * r + 1.1676998740e-1f;
  p = p * r + -1.2420140846e-1f;
  p = p * r + 1.4249322787e-1f;
  p = p * r + -1.6668057665e-1f;
  p = p * r + 2.0000714765e-1f;
  p = p * r + -2.4999993993e-1f;
  p = p * r + 3.3333331174e-1f;
  p = (p * r) * s;
  p = p + e * -2.12194440e-4f;
  p = p - 0.5f * s;
  float result = (r + p) + e * 0.693359375f;
  result = x == getInfinity() ? x : result;
  result = x == 0.0f ? -getInfinity() : result;
  return x >= 0.0f ? result : getNaN();
}

/// The hyperbolic tangent: a polynomial near 0, 1 - 2 / (e^(2x) + 1) beyond.
inline float tanh(float x) {
  float magnitude = getMagnitude(x);
  float s = x * x;
  float p = -5.70498872745e-3f;
  p = p * s + 2.06390887954e-2f;
  p = p * s + -5.37397155531e-2f;
  p = p * s + 1.33314422036e-1f;
  p = p * s + -3.33332819422e-1f;
  float small = (p * s) * x + x;
  float large = 1.0f - 2.0f / (exp(magnitude + magnitude) + 1.0f);
  return x == x ? withSignOf(magnitude < 0.625f ? small : large, x) : getNaN();
}

/// 1 / (1 + e^-x). The power of two of a large e^-x is divided out first, so that nothing
/// overflows. What the sums round off corrects the quotient: without it the error is 2.3 ulp.
inline float sigmoid(float x) {
  Power power = splitExp(-x);
  int32_t n = power.exponent;
  float high = 1.0f + power.rest;
  float low = (1.0f - high) + power.rest;
  bool isLarge = n > 0; // e^-x is
  float larger = isLarge ? high : 1.0f;
  float smaller = isLarge ? scale(1.0f, -n) : scale(high, n);
  low = isLarge ? low : scale(low, n);
  float sum = larger + smaller;
  float lost = ((larger - sum) + smaller) + low;
  float quotient = 1.0f / sum;
  quotient = quotient - (quotient * quotient) * lost;
  float result = scale(quotient, isLarge ? -n : 0);
  return x == x ? result : getNaN();
}

/// The error function: a polynomial near 0, 1 - e^p(|x|) beyond.
inline float erf(float x) {
  float t = getMagnitude(x), s = x * x;
  float p = -5.96761703e-4f;
  p = p * s + 4.99119423e-3f;
  p = p * s + -2.67681349e-2f;
  p = p * s + 1.12819925e-1f;
  p = p * s + -3.76125336e-1f;
  p = p * s + 1.28379166e-1f;
  float small = p * x + x;
  float clipped = t < 4.0f ? t : 4.0f; // 1 from here on
  float q = -1.72853470e-5f * clipped + 3.83197126e-4f;
  float u = -3.88396438e-3f * clipped + 2.42546219e-2f;
  q = q * (clipped * clipped) + u;
  q = q * clipped + -1.06777877e-1f;
  q = q * clipped + -6.34846687e-1f;
  q = q * clipped + -1.28717512e-1f;
  q = q * clipped - clipped;
  float large = 1.0f - exp(q);
  return x == x ? withSignOf(t < 0.927734375f ? small : large, x) : getNaN();
}

/// Correctly rounded.
inline float sqrt(float x) { return std::sqrt(x); }
inline float reciprocal(float x) { return 1.0f / x; }
/// Also this: no 1 / sqrt(x) is so near the middle of two floats that binary64 rounds it to the
/// wrong one, which a test tries for every x.
inline float rsqrt(float x) { return float(1.0 / std::sqrt(double(x))); }

/// An angle as `quadrant * pi/2 + (first + rest)`, which lies in [-pi/4, pi/4].
struct Angle {
  uint32_t quadrant;
  float first, rest;
};

/// Payne-Hanek reduction of a finite angle: x = m * 2^e, and of 2/pi only those 96 bits count that
/// do not make whole turns. Integer arithmetic; exact but for the bits that are left out.
inline Angle reduceAngle(float x) {
  uint32_t bits = toBits(x) & 0x7fffffff;
  if (bits <= 0x3f490fda) // pi/4
    return {0, x, 0.0f};
  __extension__ typedef unsigned __int128 Wide;
  // 2/pi after the binary point.
  constexpr uint64_t twoOverPi[4] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                     0xfe5163abdebbc561};
  int32_t e = int32_t(bits >> 23) - 150, skipped = e > 2 ? e - 2 : 0;
  uint32_t word = skipped / 64, shift = skipped % 64;
  auto getWord = [&](uint32_t i) {
    return shift == 0 ? twoOverPi[i] : twoOverPi[i] << shift | twoOverPi[i + 1] >> (64 - shift);
  };
  Wide window = (Wide(getWord(word)) << 64 | getWord(word + 1)) >> 32;
  // Quarter turns, with so many bits after the binary point.
  int32_t fraction = skipped + 96 - e;
  Wide turns = Wide((bits & 0x007fffff) | 0x00800000) * window;
  uint32_t quadrant = uint32_t(turns >> fraction);
  // 62 bits of what is left, as a signed number; rounding to the nearest quadrant.
  int64_t rest = int64_t(uint64_t(turns >> (fraction - 62)) & 0x3fffffffffffffff);
  if (rest >> 61) {
    rest -= int64_t(1) << 62;
    ++quadrant;
  }
  // Times pi/2.
  __extension__ typedef __int128 SignedWide;
  int64_t angle = int64_t((SignedWide(rest) * 0x6487ed5110b4611a) >> 62);
  float first = float(angle), second = float(angle - int64_t(first));
  float sign = withSignOf(1.0f, x);
  return {toBits(x) >> 31 ? 0u - quadrant : quadrant, first * powerOfTwo(-62) * sign,
          second * powerOfTwo(-62) * sign};
}

/// The sine (shift 0) or cosine (shift 1) of an angle by its quadrant.
inline float getWave(float x, uint32_t shift) {
  if (toBits(getMagnitude(x)) >= 0x7f800000)
    return getNaN();
  Angle angle = reduceAngle(x);
  float r = angle.first, s = r * r;
  float sine = -1.9515295891e-4f;
  sine = sine * s + 8.3321608736e-3f;
  sine = sine * s + -1.6666654611e-1f;
  sine = r == 0.0f ? r : ((sine * s) * r + angle.rest) + r;
  float cosine = 2.443315711809948e-5f;
  cosine = cosine * s + -1.388731625493765e-3f;
  cosine = cosine * s + 4.166664568298827e-2f;
  cosine = (cosine * s) * s - r * angle.rest;
  cosine = (cosine - 0.5f * s) + 1.0f;
  uint32_t quadrant = angle.quadrant + shift;
  float result = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? -result : result;
}

inline float sin(float x) { return getWave(x, 0); }
inline float cos(float x) { return getWave(x, 1); }

} // namespace npu::sim::math

#endif // NPU_SIMULATOR_MATHSEQUENCES_H
