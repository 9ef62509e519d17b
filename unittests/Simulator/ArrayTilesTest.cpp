//===- ArrayTilesTest.cpp - inner loops for vectors of every width --------===//

#include "ArrayTiles.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace npu::sim;

namespace {
constexpr int64_t depth = 77, leftPitch = 80, outPitch = 40;

/// f32 numbers whose sums depend on their order.
std::vector<float> makeFloats(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float &value : values)
    value = float(int(random() % 2000001) - 1000000) / 333333.0f;
  return values;
}

template <typename T>
std::vector<T> makeIntegers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = T(random());
  return values;
}

std::vector<uint32_t> getBits(const std::vector<float> &values) {
  std::vector<uint32_t> bits;
  for (float value : values)
    bits.push_back(llvm::bit_cast<uint32_t>(value));
  return bits;
}

/// Columns that a pass did not have to compute are the wider vectors' business.
template <typename T>
void zeroBeyond(int64_t columns, std::vector<T> &out) {
  for (int64_t r = 0; r < tileRows; ++r)
    std::fill(out.begin() + r * outPitch + columns, out.begin() + (r + 1) * outPitch, T(0));
}
} // namespace

TEST(ArrayTiles, FloatsAddInOrder) {
  std::vector<float> left = makeFloats(tileRows * leftPitch, 1);
  std::vector<float> right = makeFloats(depth * tileColumns, 2);
  std::vector<float> expected = makeFloats(tileRows * outPitch, 3);
  std::vector<float> start = expected;
  for (int64_t r = 0; r < tileRows; ++r)
    for (int64_t j = 0; j < tileColumns; ++j)
      for (int64_t k = 0; k < depth; ++k)
        expected[r * outPitch + j] += left[r * leftPitch + k] * right[k * tileColumns + j];
  for (const ArrayTiles &tiles : getArrayTiles())
    for (int64_t columns : {tileColumns, int64_t(17), int64_t(1)}) {
      std::vector<float> out = start, most = expected;
      tiles.multiplyFloats(left.data(), leftPitch, right.data(), depth, out.data(), outPitch,
                           columns);
      zeroBeyond(columns, out);
      zeroBeyond(columns, most);
      EXPECT_EQ(getBits(out), getBits(most)) << tiles.name << ", columns " << columns;
    }
}

TEST(ArrayTiles, PairsWrap) {
  std::vector<int16_t> left = makeIntegers<int16_t>(2 * tileRows * leftPitch, 1);
  std::vector<int16_t> right = makeIntegers<int16_t>(2 * depth * tileColumns, 2);
  // The one pair of products whose sum no signed 32-bit number holds.
  left[0] = left[1] = right[0] = right[1] = INT16_MIN;
  std::vector<uint32_t> expected = makeIntegers<uint32_t>(tileRows * outPitch, 3);
  std::vector<uint32_t> start = expected;
  for (int64_t r = 0; r < tileRows; ++r)
    for (int64_t j = 0; j < tileColumns; ++j)
      for (int64_t k = 0; k < 2 * depth; ++k)
        expected[r * outPitch + j] +=
            uint32_t(int32_t(left[2 * r * leftPitch + k]) *
                     int32_t(right[2 * (k / 2 * tileColumns + j) + k % 2]));
  for (const ArrayTiles &tiles : getArrayTiles())
    for (int64_t columns : {tileColumns, int64_t(17), int64_t(1)}) {
      std::vector<uint32_t> out = start, most = expected;
      tiles.multiplyPairs(left.data(), leftPitch, right.data(), depth, out.data(), outPitch,
                          columns);
      zeroBeyond(columns, out);
      zeroBeyond(columns, most);
      EXPECT_EQ(out, most) << tiles.name << ", columns " << columns;
    }
}

TEST(ArrayTiles, QuadsWrap) {
  std::vector<uint8_t> left = makeIntegers<uint8_t>(4 * tileRows * leftPitch, 1);
  std::vector<int8_t> right = makeIntegers<int8_t>(4 * depth * tileColumns, 2);
  std::fill_n(left.begin(), 4, UINT8_MAX);
  std::fill_n(right.begin(), 4, INT8_MIN);
  std::vector<uint32_t> expected = makeIntegers<uint32_t>(tileRows * outPitch, 3);
  std::vector<uint32_t> start = expected;
  for (int64_t r = 0; r < tileRows; ++r)
    for (int64_t j = 0; j < tileColumns; ++j)
      for (int64_t k = 0; k < 4 * depth; ++k)
        expected[r * outPitch + j] += uint32_t(int32_t(left[4 * r * leftPitch + k]) *
                                               right[4 * (k / 4 * tileColumns + j) + k % 4]);
  for (const ArrayTiles &tiles : getArrayTiles())
    for (int64_t columns : {tileColumns, int64_t(17), int64_t(1)}) {
      if (!tiles.multiplyQuads)
        continue; // no instruction for it
      std::vector<uint32_t> out = start, most = expected;
      tiles.multiplyQuads(left.data(), leftPitch, right.data(), depth, out.data(), outPitch,
                          columns);
      zeroBeyond(columns, out);
      zeroBeyond(columns, most);
      EXPECT_EQ(out, most) << tiles.name << ", columns " << columns;
    }
}

TEST(ArrayTiles, Rows) {
  std::vector<float> a = makeFloats(depth, 1), b = makeFloats(depth, 2),
                     sums = makeFloats(depth, 3);
  std::vector<uint32_t> x = makeIntegers<uint32_t>(depth, 4), y = makeIntegers<uint32_t>(depth, 5);
  std::vector<float> expected = sums;
  std::vector<uint32_t> products(depth);
  for (int64_t i = 0; i < depth; ++i) {
    expected[i] += a[i] * b[i];
    products[i] = x[i] * y[i];
  }
  for (const ArrayTiles &tiles : getArrayTiles()) {
    std::vector<float> out = sums;
    tiles.multiplyFloatRows(a.data(), b.data(), depth, out.data());
    EXPECT_EQ(getBits(out), getBits(expected)) << tiles.name;
    std::vector<uint32_t> integers(depth);
    tiles.multiplyIntegerRows(x.data(), y.data(), depth, integers.data());
    EXPECT_EQ(integers, products) << tiles.name;
  }
}
