//===- FloatFormat.cpp - conversions of 16-bit floating-point values ------===//

#include "NPU/Tensor/FloatFormat.h"

#include "llvm/ADT/bit.h"
#include <cmath>

using namespace npu::runtime;

/// Rounds to a format of 1 sign bit, 15 - `fractionBits` exponent bits and `fractionBits` bits.
template <int fractionBits>
static uint16_t encode(double value) {
  constexpr int exponentBits = 15 - fractionBits;
  constexpr int bias = (1 << (exponentBits - 1)) - 1;
  constexpr uint16_t infinity = ((1 << exponentBits) - 1) << fractionBits;

  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint16_t sign = static_cast<uint16_t>(bits >> 63) << 15;
  int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  uint64_t significand = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 1024)
    return sign | infinity | (significand ? 1 << (fractionBits - 1) : 0);
  if (exponent > bias)
    return sign | infinity;

  // Subnormals of the narrow format lose one bit per exponent step below its smallest normal. A
  // double subnormal is far below half of the smallest value and rounds to zero like the others.
  int shift = 52 - fractionBits;
  int biased = exponent + bias;
  if (biased <= 0) {
    shift += 1 - biased;
    biased = 0;
    if (shift > 53)
      return sign;
  }
  significand |= uint64_t(1) << 52;
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // `kept` holds the hidden bit; adding it to the exponent field carries as the format needs it,
  // up to infinity. In a subnormal the hidden bit itself is the carry.
  uint64_t field = biased == 0 ? kept : (uint64_t(biased - 1) << fractionBits) + kept;
  return sign | static_cast<uint16_t>(field);
}

uint16_t npu::runtime::encodeF16(double value) { return encode<10>(value); }

uint16_t npu::runtime::encodeBF16(double value) { return encode<7>(value); }

double npu::runtime::decodeF16(uint16_t bits) {
  int exponent = (bits >> 10) & 0x1f;
  int fraction = bits & 0x3ff;
  double magnitude;
  if (exponent == 0x1f)
    magnitude = fraction ? std::nan("") : HUGE_VAL;
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

double npu::runtime::decodeBF16(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}
