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

  // Normal numbers: half of the last bit that is kept, or a bit less where that is even, carries.
  if (exponent > -bias) {
    constexpr int dropped = 52 - fractionBits;
    uint64_t field = (bits & ~(uint64_t(1) << 63)) - (uint64_t(1023 - bias) << 52);
    field += ((uint64_t(1) << (dropped - 1)) - 1) + ((field >> dropped) & 1);
    return sign | static_cast<uint16_t>(field >> dropped);
  }
  // Subnormals of the narrow format lose one bit per exponent step below its smallest normal. A
  // double subnormal is far below half of the smallest value and rounds to zero like the others.
  int shift = 53 - fractionBits - (exponent + bias);
  if (shift > 53)
    return sign;
  significand |= uint64_t(1) << 52;
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // What carries into the exponent's field is the smallest normal number.
  return sign | static_cast<uint16_t>(kept);
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
