//===- Numbers.h - small floats and rows of elements ----------------------===//
//
// Conversions are integer arithmetic on bit patterns, so that every host gives the same bits and
// compilers vectorise them.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SIMULATOR_NUMBERS_H
#define NPU_SIMULATOR_NUMBERS_H

#include "NPU/Simulator/Clones.h"

#include "NPU/Target/ISA/Instructions.h"

#include <cmath>
#include <cstring>

namespace npu::sim {

inline uint32_t toBits(float value) { return llvm::bit_cast<uint32_t>(value); }
inline float fromBits(uint32_t bits) { return llvm::bit_cast<float>(bits); }

/// Every NaN that an instruction computes has this pattern (0x7e00 in f16, 0x7fc0 in bf16).
inline constexpr uint32_t quietNaN = 0x7fc00000;
inline float canonical(float value) { return value == value ? value : fromBits(quietNaN); }

inline float fromHalf(uint16_t half) {
  uint32_t bits = uint32_t(half & 0x7fff) << 13, exponent = bits & 0x0f800000;
  uint32_t normal = bits + (112u << 23);
  uint32_t special = normal + (112u << 23); // infinities and NaNs
  uint32_t denormal = toBits(fromBits(bits + (113u << 23)) - fromBits(113u << 23));
  uint32_t magnitude = exponent == 0x0f800000 ? special : exponent == 0 ? denormal : normal;
  return fromBits(magnitude | uint32_t(half & 0x8000) << 16);
}

/// Rounds to nearest even; NaN becomes the quiet NaN.
inline uint16_t toHalf(float value) {
  uint32_t bits = toBits(value), sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  // Below 2^-14 the sum with 0.5 leaves the rounded denormal in the low bits.
  uint32_t denormal = toBits(fromBits(bits) + 0.5f) - toBits(0.5f);
  uint32_t normal = (bits - (112u << 23) + 0xfff + (bits >> 13 & 1)) >> 13;
  uint32_t magnitude = bits > 0x7f800000    ? 0x7e00
                       : bits >= 0x47800000 ? 0x7c00
                       : bits < 0x38800000  ? denormal
                                            : normal;
  return bits > 0x7f800000 ? 0x7e00 : uint16_t(magnitude | sign);
}

inline float fromBrain(uint16_t brain) { return fromBits(uint32_t(brain) << 16); }

/// Rounds to nearest even; NaN becomes the quiet NaN.
inline uint16_t toBrain(float value) {
  uint32_t bits = toBits(value);
  return value == value ? uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16) : 0x7fc0;
}

/// To the nearest integer, ties to even; keeps the sign of zero.
inline float roundEven(float value) {
  float magic = fromBits((toBits(value) & 0x80000000) | 0x4b000000); // +-2^23
  float rounded = value + magic - magic;
  float magnitude = fromBits(toBits(value) & 0x7fffffff);
  return magnitude < 8388608.0f ? fromBits(toBits(rounded) | (toBits(value) & 0x80000000)) : value;
}

/// A 33-bit integer rounded once to the float type, as f32.
float toFloat(int64_t value, isa::ElementType type);

/// Rounds, saturates to [low, high]; NaN gives 0.
int32_t toInteger(float value, isa::Rounding rounding, int64_t low, int64_t high);

/// An element row in memory: `stride` bytes apart.
struct Row {
  uint8_t *data;
  int64_t stride;
  isa::ElementType type;

  Row dropFront(int64_t count) const { return {data + count * stride, stride, type}; }
};

template <typename T>
T load(const uint8_t *data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <typename T>
void store(uint8_t *data, T value) {
  std::memcpy(data, &value, sizeof(T));
}

/// Calls `body(data, i)` for each element; constant strides let the compiler vectorise.
template <typename Storage, typename Body>
NPU_INLINE void forEachElement(const Row &row, int64_t count, Body body) {
  // What is written through a byte pointer could be the row itself, for all the compiler knows.
  uint8_t *data = row.data;
  int64_t stride = row.stride;
  if (stride == int64_t(sizeof(Storage)))
    for (int64_t i = 0; i < count; ++i)
      body(data + i * int64_t(sizeof(Storage)), i);
  else
    for (int64_t i = 0; i < count; ++i)
      body(data + i * stride, i);
}

/// Reads integers, sign-extended.
void loadRow(const Row &row, int64_t count, int32_t *out);
/// Reads floats, widened.
void loadRow(const Row &row, int64_t count, float *out);
/// Writes integers, wrapped to the row's type.
void storeRow(const Row &row, int64_t count, const int32_t *in);
/// Writes floats, rounded to the row's type, every NaN canonical.
void storeRow(const Row &row, int64_t count, const float *in);

} // namespace npu::sim

#endif // NPU_SIMULATOR_NUMBERS_H
