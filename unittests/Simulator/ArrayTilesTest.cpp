//===- ArrayTilesTest.cpp - inner loops for vectors of every width --------===//

#include "ArrayTiles.h"
#include "RandomFloats.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace npu::sim;

namespace {
constexpr int64_t depth = 77, leftPitch = 80, rightPitch = 48, outPitch = 40;

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
  std::vector<float> right = makeFloats(depth * rightPitch, 2);
  std::vector<float> start = makeFloats(tileRows * outPitch, 3);
  for (bool accumulates : {true, false}) {
    std::vector<float> expected = start;
    for (int64_t r = 0; r < tileRows; ++r)
      for (int64_t j = 0; j < tileColumns; ++j) {
        float &sum = expected[r * outPitch + j];
        if (!accumulates)
          sum = 0;
        for (int64_t k = 0; k < depth; ++k)
          sum = std::fma(left[r * leftPitch + k], right[k * rightPitch + j], sum);
      }
    for (const ArrayTiles &tiles : getArrayTiles())
      for (int64_t columns : {tileColumns, int64_t(17), int64_t(1)}) {
        std::vector<float> out = start, most = expected;
        tiles.multiplyFloats({left.data(), leftPitch, right.data(), rightPitch, depth, out.data(),
                              outPitch, columns, accumulates});
        zeroBeyond(columns, out);
        zeroBeyond(columns, most);
        EXPECT_EQ(getBits(out), getBits(most)) << tiles.name << ", columns " << columns;
      }
  }
}

/// Numbers of every kind, and of exponents that meet: random patterns, and triples whose product
/// and sum lie next to the middle between two numbers, cancel, overflow or become denormals.
static void makeHardSteps(std::vector<float> &a, std::vector<float> &b, std::vector<float> &c) {
  std::mt19937 random(7);
  auto fromPattern = [](uint32_t bits) { return llvm::bit_cast<float>(bits); };
  auto push = [&](float x, float y, float z) {
    a.push_back(x);
    b.push_back(y);
    c.push_back(z);
  };
  float edges[] = {0.0f,
                   1.0f,
                   std::numeric_limits<float>::denorm_min(),
                   std::numeric_limits<float>::min(),
                   std::numeric_limits<float>::max(),
                   std::numeric_limits<float>::infinity(),
                   std::numeric_limits<float>::quiet_NaN(),
                   fromPattern(0x3f800001),
                   fromPattern(0x5f7fffff)};
  for (float x : edges)
    for (float y : edges)
      for (float z : edges)
        for (unsigned signs = 0; signs < 8; ++signs)
          push(signs & 1 ? -x : x, signs & 2 ? -y : y, signs & 4 ? -z : z);
  // That of zero, an infinity or NaN is no number to compute with.
  auto getExponent = [](float x) { return x != 0 && std::isfinite(x) ? std::ilogb(x) : 0; };
  for (int i = 0; i < 200000; ++i) {
    float x = fromPattern(random()), y = fromPattern(random());
    // A term of about the size of the product, far below it, or of any size.
    float z = fromPattern(random());
    if (i % 4 != 0)
      z = std::ldexp(std::ldexp(z, -getExponent(z)),
                     getExponent(x) + getExponent(y) - int(random() % (i % 4 * 30)) + 10);
    push(x, y, z);
    // Products of few bits end in ties.
    float few = float(int(random() % 4096) - 2048), shift = float(random() % 4096 * 2 + 1);
    push(few, shift, std::ldexp(float(random() % 0x1000000), int(random() % 50) - 25));
    push(std::ldexp(few, -70), std::ldexp(shift, -75), z);
  }
}

TEST(ArrayTiles, StepsAreRoundedOnce) {
  std::vector<float> a, b, c, expected;
  makeHardSteps(a, b, c);
  size_t count = a.size(), apart = 0;
  for (size_t i = 0; i < count; ++i) {
    float fused = std::fma(a[i], b[i], c[i]);
    volatile float product = a[i] * b[i];
    apart += llvm::bit_cast<uint32_t>(float(product + c[i])) != llvm::bit_cast<uint32_t>(fused);
    expected.push_back(fused == fused ? fused : llvm::bit_cast<float>(0x7fc00000));
  }
  // Rounding the products would show.
  EXPECT_GT(apart, count / 100);
  for (const ArrayTiles &tiles : getArrayTiles()) {
    std::vector<float> out = c;
    tiles.multiplyFloatRows(a.data(), b.data(), count, out.data());
    for (float &value : out)
      value = value == value ? value : llvm::bit_cast<float>(0x7fc00000);
    EXPECT_EQ(getBits(out), getBits(expected)) << tiles.name;

    // In tiles, one step of one row each; here NaNs are written as the quiet one.
    for (size_t first = 0; first + tileColumns <= count; first += tileColumns) {
      std::vector<float> sums(tileRows * tileColumns);
      std::copy_n(&c[first], tileColumns, sums.begin());
      for (size_t j = 0; j < tileColumns; ++j) {
        float left[tileRows] = {a[first + j]};
        std::vector<float> column = sums;
        tiles.multiplyFloats(
            {left, 1, &b[first], tileColumns, 1, column.data(), tileColumns, tileColumns, true});
        ASSERT_EQ(llvm::bit_cast<uint32_t>(column[j]),
                  llvm::bit_cast<uint32_t>(expected[first + j]))
            << tiles.name << ": " << a[first + j] << " * " << b[first + j] << " + " << c[first + j];
      }
      if (first > 20000)
        break;
    }
  }
}

TEST(ArrayTiles, PairsWrap) {
  std::vector<int16_t> left = makeIntegers<int16_t>(2 * tileRows * leftPitch, 1);
  std::vector<int16_t> right = makeIntegers<int16_t>(2 * depth * rightPitch, 2);
  // The one pair of products whose sum no signed 32-bit number holds.
  left[0] = left[1] = right[0] = right[1] = INT16_MIN;
  std::vector<uint32_t> expected = makeIntegers<uint32_t>(tileRows * outPitch, 3);
  std::vector<uint32_t> start = expected;
  for (int64_t r = 0; r < tileRows; ++r)
    for (int64_t j = 0; j < tileColumns; ++j)
      for (int64_t k = 0; k < 2 * depth; ++k)
        expected[r * outPitch + j] +=
            uint32_t(int32_t(left[2 * r * leftPitch + k]) *
                     int32_t(right[2 * (k / 2 * rightPitch + j) + k % 2]));
  for (const ArrayTiles &tiles : getArrayTiles())
    for (int64_t columns : {tileColumns, int64_t(17), int64_t(1)}) {
      std::vector<uint32_t> out = start, most = expected;
      tiles.multiplyPairs({left.data(), leftPitch, right.data(), rightPitch, depth, out.data(),
                           outPitch, columns, true});
      zeroBeyond(columns, out);
      zeroBeyond(columns, most);
      EXPECT_EQ(out, most) << tiles.name << ", columns " << columns;
    }
}

TEST(ArrayTiles, QuadsWrap) {
  std::vector<uint8_t> left = makeIntegers<uint8_t>(4 * tileRows * leftPitch, 1);
  std::vector<int8_t> right = makeIntegers<int8_t>(4 * depth * rightPitch, 2);
  std::fill_n(left.begin(), 4, UINT8_MAX);
  std::fill_n(right.begin(), 4, INT8_MIN);
  std::vector<uint32_t> expected = makeIntegers<uint32_t>(tileRows * outPitch, 3);
  std::vector<uint32_t> start = expected, surplus = makeIntegers<uint32_t>(tileColumns, 4);
  for (int64_t r = 0; r < tileRows; ++r)
    for (int64_t j = 0; j < tileColumns; ++j) {
      expected[r * outPitch + j] -= surplus[j];
      for (int64_t k = 0; k < 4 * depth; ++k)
        expected[r * outPitch + j] += uint32_t(int32_t(left[4 * r * leftPitch + k]) *
                                               right[4 * (k / 4 * rightPitch + j) + k % 4]);
    }
  for (const ArrayTiles &tiles : getArrayTiles())
    for (int64_t columns : {tileColumns, int64_t(17), int64_t(1)}) {
      if (!tiles.multiplyQuads)
        continue; // no instruction for it
      std::vector<uint32_t> out = start, most = expected;
      tiles.multiplyQuads({left.data(), leftPitch, right.data(), rightPitch, depth, out.data(),
                           outPitch, columns, true},
                          surplus.data());
      zeroBeyond(columns, out);
      zeroBeyond(columns, most);
      EXPECT_EQ(out, most) << tiles.name << ", columns " << columns;
    }
}

TEST(ArrayTiles, SurplusOfQuads) {
  std::vector<int8_t> right = makeIntegers<int8_t>(4 * depth * tileColumns, 2);
  std::fill_n(right.begin(), 4 * depth, INT8_MIN);
  std::vector<uint32_t> expected(tileColumns);
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t j = 0; j < tileColumns; ++j)
      for (int64_t i = 0; i < 4; ++i)
        expected[j] += uint32_t(128 * right[4 * (k * tileColumns + j) + i]);
  for (const ArrayTiles &tiles : getArrayTiles()) {
    EXPECT_EQ(!tiles.addUpQuads, !tiles.multiplyQuads) << tiles.name;
    if (!tiles.addUpQuads)
      continue; // no instruction for it
    std::vector<uint32_t> surplus(tileColumns);
    tiles.addUpQuads(right.data(), depth, surplus.data());
    EXPECT_EQ(surplus, expected) << tiles.name;
  }
}

TEST(ArrayTiles, Rows) {
  std::vector<float> a = makeFloats(depth, 1), b = makeFloats(depth, 2),
                     sums = makeFloats(depth, 3);
  std::vector<uint32_t> x = makeIntegers<uint32_t>(depth, 4), y = makeIntegers<uint32_t>(depth, 5);
  std::vector<float> expected = sums;
  std::vector<uint32_t> products(depth);
  for (int64_t i = 0; i < depth; ++i) {
    expected[i] = std::fma(a[i], b[i], expected[i]);
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
