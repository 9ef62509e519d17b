//===- Numbers.cpp - rows of elements -------------------------------------===//

#include "NPU/Simulator/Numbers.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace npu;
using namespace npu::sim;
using isa::ElementType;

template <typename Storage>
NPU_INLINE void loadIntegers(const Row &row, int64_t count, int32_t *out) {
  forEachElement<Storage>(row, count,
                          [&](const uint8_t *data, int64_t i) { out[i] = load<Storage>(data); });
}

NPU_CLONES static void loadIntegerRow(const Row &row, int64_t count, int32_t *out) {
  switch (row.type) {
  case ElementType::I8:
    return loadIntegers<int8_t>(row, count, out);
  case ElementType::I16:
    return loadIntegers<int16_t>(row, count, out);
  case ElementType::I32:
    return loadIntegers<int32_t>(row, count, out);
  default:
    llvm_unreachable("not an integer type");
  }
}

NPU_CLONES static void loadFloatRow(const Row &row, int64_t count, float *out) {
  switch (row.type) {
  case ElementType::F16:
    return forEachElement<uint16_t>(row, count, [&](const uint8_t *data, int64_t i) {
      out[i] = fromHalf(load<uint16_t>(data));
    });
  case ElementType::Bf16:
    return forEachElement<uint16_t>(row, count, [&](const uint8_t *data, int64_t i) {
      out[i] = fromBrain(load<uint16_t>(data));
    });
  case ElementType::F32:
    return forEachElement<float>(
        row, count, [&](const uint8_t *data, int64_t i) { out[i] = load<float>(data); });
  default:
    llvm_unreachable("not a float type");
  }
}

template <typename Storage>
NPU_INLINE void storeIntegers(const Row &row, int64_t count, const int32_t *in) {
  forEachElement<Storage>(row, count,
                          [&](uint8_t *data, int64_t i) { store<Storage>(data, Storage(in[i])); });
}

NPU_CLONES static void storeIntegerRow(const Row &row, int64_t count, const int32_t *in) {
  switch (row.type) {
  case ElementType::I8:
    return storeIntegers<int8_t>(row, count, in);
  case ElementType::I16:
    return storeIntegers<int16_t>(row, count, in);
  case ElementType::I32:
    return storeIntegers<int32_t>(row, count, in);
  default:
    llvm_unreachable("not an integer type");
  }
}

NPU_CLONES static void storeFloatRow(const Row &row, int64_t count, const float *in) {
  switch (row.type) {
  case ElementType::F16:
    return forEachElement<uint16_t>(
        row, count, [&](uint8_t *data, int64_t i) { store<uint16_t>(data, toHalf(in[i])); });
  case ElementType::Bf16:
    return forEachElement<uint16_t>(
        row, count, [&](uint8_t *data, int64_t i) { store<uint16_t>(data, toBrain(in[i])); });
  case ElementType::F32:
    return forEachElement<float>(
        row, count, [&](uint8_t *data, int64_t i) { store<float>(data, canonical(in[i])); });
  default:
    llvm_unreachable("not a float type");
  }
}

void npu::sim::loadRow(const Row &row, int64_t count, int32_t *out) {
  loadIntegerRow(row, count, out);
}
void npu::sim::loadRow(const Row &row, int64_t count, float *out) { loadFloatRow(row, count, out); }
void npu::sim::storeRow(const Row &row, int64_t count, const int32_t *in) {
  storeIntegerRow(row, count, in);
}
void npu::sim::storeRow(const Row &row, int64_t count, const float *in) {
  storeFloatRow(row, count, in);
}

float npu::sim::toFloat(int64_t value, ElementType type) {
  float rounded = float(value);
  if (type == ElementType::F32 || double(rounded) == double(value))
    return rounded;
  // Rounded to odd, so that rounding to the narrower type is the only rounding that counts.
  float truncated =
      std::abs(double(rounded)) > std::abs(double(value)) ? fromBits(toBits(rounded) - 1) : rounded;
  return fromBits(toBits(truncated) | 1);
}

int32_t npu::sim::toInteger(float value, isa::Rounding rounding, int64_t low, int64_t high) {
  if (value != value)
    return 0;
  float whole = rounding == isa::Rounding::Even ? roundEven(value) : std::trunc(value);
  return std::clamp(double(whole), double(low), double(high));
}
