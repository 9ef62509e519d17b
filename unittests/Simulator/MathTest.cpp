//===- MathTest.cpp - accuracy of the elementary functions ----------------===//
//
// docs/isa-math.md states the bounds tested here. The tests sample every 601st float; the benchmark
// npu-function-accuracy measures them all.
//
//===----------------------------------------------------------------------===//

#include "NPU/Simulator/MathSequences.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>

using namespace npu::sim;

/// Distance in units of the last place of the correctly rounded result's binade.
static double getUlps(float found, double expected) {
  float rounded = float(expected);
  if (std::isnan(rounded) || std::isnan(found))
    return std::isnan(rounded) && std::isnan(found) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(found))
    return rounded == found ? 0 : 1e9;
  int exponent = rounded == 0 ? -149 : std::max(std::ilogb(rounded) - 23, -149);
  return std::abs(double(found) - expected) / std::ldexp(1.0, exponent);
}

template <typename Function, typename Reference>
static double measure(Function function, Reference reference) {
  double worst = 0;
  float worstAt = 0;
  for (uint64_t bits = 0; bits <= 0xffffffff; bits += 601) {
    float x = math::fromBits(uint32_t(bits));
    double ulps = getUlps(function(x), reference(double(x)));
    if (ulps > worst) {
      worst = ulps;
      worstAt = x;
    }
  }
  printf("worst error %.3f ulp at %a\n", worst, double(worstAt));
  return worst;
}

TEST(Math, Exp) {
  EXPECT_LE(measure(math::exp, [](double x) { return std::exp(x); }), 1.5);
}
TEST(Math, Log) {
  EXPECT_LE(measure(math::log, [](double x) { return std::log(x); }), 1.5);
}
TEST(Math, Tanh) {
  EXPECT_LE(measure(math::tanh, [](double x) { return std::tanh(x); }), 1.5);
}
TEST(Math, Sigmoid) {
  EXPECT_LE(measure(math::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }), 1.5);
}
TEST(Math, Erf) {
  EXPECT_LE(measure(math::erf, [](double x) { return std::erf(x); }), 1.5);
}
TEST(Math, Exp2) {
  EXPECT_LE(measure(math::exp2, [](double x) { return std::exp2(x); }), 1.5);
}
TEST(Math, Sin) {
  EXPECT_LE(measure(math::sin, [](double x) { return std::sin(x); }), 1.5);
}
TEST(Math, Cos) {
  EXPECT_LE(measure(math::cos, [](double x) { return std::cos(x); }), 1.5);
}
TEST(Math, Sqrt) {
  EXPECT_LE(measure(math::sqrt, [](double x) { return std::sqrt(x); }), 0.5001);
}
TEST(Math, Rsqrt) {
  EXPECT_LE(measure(math::rsqrt, [](double x) { return 1 / std::sqrt(x); }), 0.5001);
}

/// Exponents come in pairs, so two binades stand for all: of x = m * 2^-23 with m from 2^23 to 2^25
/// the result is r * 2^-24. It is the nearest float if (r - 1/2)^2 < 2^48 / x < (r + 1/2)^2.
TEST(Math, RsqrtIsCorrectlyRounded) {
  __extension__ typedef unsigned __int128 Wide;
  constexpr Wide one = Wide(1) << (50 + 23);
  unsigned numWrong = 0;
  for (uint64_t m = 1 << 23; m < 1 << 25; m += m < 1 << 24 ? 1 : 2) {
    float result = math::rsqrt(std::ldexp(float(m), -23));
    uint64_t r = uint64_t(std::ldexp(result, 24));
    Wide low = 2 * r - 1, high = 2 * r + 1;
    numWrong += low * low * m >= one || high * high * m <= one;
  }
  EXPECT_EQ(numWrong, 0u);
}
TEST(Math, Reciprocal) {
  EXPECT_LE(measure(math::reciprocal, [](double x) { return 1 / x; }), 0.5001);
}

TEST(Math, SpecialValues) {
  float infinity = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  EXPECT_EQ(math::exp(-infinity), 0.0f);
  EXPECT_EQ(math::exp(infinity), infinity);
  EXPECT_EQ(math::exp(0.0f), 1.0f);
  EXPECT_EQ(math::log(1.0f), 0.0f);
  EXPECT_EQ(math::log(0.0f), -infinity);
  EXPECT_TRUE(std::isnan(math::log(-1.0f)));
  EXPECT_EQ(math::tanh(infinity), 1.0f);
  EXPECT_EQ(math::tanh(-infinity), -1.0f);
  EXPECT_TRUE(std::signbit(math::tanh(-0.0f)));
  EXPECT_EQ(math::sigmoid(0.0f), 0.5f);
  EXPECT_EQ(math::sigmoid(-infinity), 0.0f);
  EXPECT_EQ(math::sigmoid(infinity), 1.0f);
  EXPECT_EQ(math::sigmoid(-103.0f), 0x1p-149f); // where e^-x overflows
  EXPECT_EQ(math::erf(-infinity), -1.0f);
  EXPECT_EQ(math::exp2(-infinity), 0.0f);
  EXPECT_EQ(math::exp2(infinity), infinity);
  for (float n : {-149.0f, -126.0f, 0.0f, 1.0f, 127.0f})
    EXPECT_EQ(math::exp2(n), std::ldexp(1.0f, int(n)));
  EXPECT_TRUE(std::signbit(math::sin(-0.0f)));
  EXPECT_EQ(math::cos(-0.0f), 1.0f);
  EXPECT_TRUE(std::isnan(math::sin(infinity)));
  EXPECT_TRUE(std::isnan(math::cos(-infinity)));
  for (auto *function : {math::exp, math::log, math::tanh, math::sigmoid, math::erf, math::rsqrt,
                         math::exp2, math::sin, math::cos})
    EXPECT_TRUE(std::isnan(function(nan)));
}
