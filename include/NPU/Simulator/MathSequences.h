//===- MathSequences.h - the vector unit's elementary functions -----------===//
//
// These sequences define the results of `vpu.unary` to the bit. docs/isa-math.md has them as text.
// Every operation is IEEE binary32, rounded to nearest even, never contracted to a fused
// multiply-add, and evaluated in the order written. No host library function is involved. The
// helpers are exact.
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

/// e^x. Cody-Waite reduction by n = round(x / ln 2), polynomial on [-ln2/2, ln2/2].
inline float exp(float x) {
  float clipped = x > 89.0f ? 89.0f : x < -104.0f ? -104.0f : x;
  clipped = x == x ? clipped : 0.0f;
  float n = roundEven(clipped * 1.44269504f);
  float r = (clipped - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  // In two steps, because 2^n may overflow or be denormal where the result does not or is.
  int32_t exponent = int32_t(n), half = exponent >> 1;
  float result = (p * powerOfTwo(half)) * powerOfTwo(exponent - half);
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

/// 1 / (1 + e^-x), written so that neither sign overflows.
inline float sigmoid(float x) {
  float e = exp(-getMagnitude(x));
  return (x < 0.0f ? e : x == x ? 1.0f : getNaN()) / (1.0f + e);
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
/// Two correctly rounded steps.
inline float rsqrt(float x) { return 1.0f / std::sqrt(x); }

} // namespace npu::sim::math

#endif // NPU_SIMULATOR_MATHSEQUENCES_H
