//===- FunctionAccuracyTest.cpp - elementary functions on the NPU ---------===//
//
// Every function that bodies have, compiled and run on a sample of all f32 patterns, against
// binary64. The bounds are those that docs/isa-math.md states.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;

namespace {

struct Function {
  const char *op;
  double (*exact)(double);
  double ulps;
};

#define NPU_FUNCTION(op, function, ulps)                                                           \
  {"math." op, [](double x) { return double(function); }, ulps}

const Function functions[] = {
    NPU_FUNCTION("exp", std::exp(x), 1.0),         NPU_FUNCTION("exp2", std::exp2(x), 1.0),
    NPU_FUNCTION("log", std::log(x), 1.0),         NPU_FUNCTION("tanh", std::tanh(x), 1.5),
    NPU_FUNCTION("erf", std::erf(x), 1.5),         NPU_FUNCTION("sin", std::sin(x), 1.1),
    NPU_FUNCTION("cos", std::cos(x), 1.1),         NPU_FUNCTION("sqrt", std::sqrt(x), 0.51),
    NPU_FUNCTION("rsqrt", 1 / std::sqrt(x), 0.51), NPU_FUNCTION("trunc", std::trunc(x), 0),
    NPU_FUNCTION("log1p", std::log1p(x), 3),       NPU_FUNCTION("expm1", std::expm1(x), 3),
    NPU_FUNCTION("tan", std::tan(x), 3),           NPU_FUNCTION("atan", std::atan(x), 3),
    NPU_FUNCTION("asin", std::asin(x), 3),         NPU_FUNCTION("acos", std::acos(x), 3),
    NPU_FUNCTION("sinh", std::sinh(x), 3),         NPU_FUNCTION("cosh", std::cosh(x), 3),
    NPU_FUNCTION("asinh", std::asinh(x), 3),       NPU_FUNCTION("acosh", std::acosh(x), 3),
    NPU_FUNCTION("atanh", std::atanh(x), 3),       NPU_FUNCTION("log2", std::log2(x), 3),
    NPU_FUNCTION("log10", std::log10(x), 3),       NPU_FUNCTION("erfc", std::erfc(x), 10),
    NPU_FUNCTION("round", std::round(x), 0),
};
#undef NPU_FUNCTION

/// Distance in units of the last place of the correctly rounded result's binade.
double getUlps(double found, double expected) {
  float rounded = float(expected);
  if (std::isnan(rounded) || std::isnan(found))
    return std::isnan(rounded) && std::isnan(found) ? 0 : 1e9;
  if (std::isinf(rounded) || std::isinf(found))
    return double(rounded) == found ? 0 : 1e9;
  int exponent = rounded == 0 ? -149 : std::max(std::ilogb(rounded) - 23, -149);
  return std::abs(found - expected) / std::ldexp(1.0, exponent);
}

class FunctionAccuracy : public ::testing::TestWithParam<Function> {};

TEST_P(FunctionAccuracy, IsAsDocumented) {
  const Function &function = GetParam();
  constexpr int64_t count = 1 << 18;
  std::string text = llvm::formatv(R"(func.func @f(%x: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %e = tensor.empty() : tensor<{0}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<{0}xf32>) outs(%e : tensor<{0}xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %v = {1} %a : f32
    linalg.yield %v : f32
  } -> tensor<{0}xf32>
  return %r : tensor<{0}xf32>
})",
                                   count, function.op);
  // All patterns in steps, those around 1 twice as dense as chance would have it.
  HostTensor x(ElementType::F32, {count});
  Random random(1);
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = uint32_t(i * ((int64_t(1) << 32) / count) + random.in(0, 16383));
    float value = llvm::bit_cast<float>(bits);
    if (i % 2)
      value = std::ldexp(float(random.in(-(1 << 24), 1 << 24)), -24 + int(random.in(0, 3)));
    x.setFloat(i, value);
  }
  Harness harness;
  llvm::Expected<KernelRun> run =
      harness.run(text, "npu-v1", x, HostTensor(ElementType::F32, {count}));
  ASSERT_TRUE(bool(run)) << llvm::toString(run.takeError());
  double worst = 0, worstAt = 0;
  for (int64_t i = 0; i < count; ++i) {
    double ulps = getUlps(run->outputs[0].getFloat(i), function.exact(x.getFloat(i)));
    if (ulps > worst) {
      worst = ulps;
      worstAt = x.getFloat(i);
    }
  }
  printf("%s: worst error %.3f ulp at %a\n", function.op, worst, worstAt);
  EXPECT_LE(worst, function.ulps) << "at " << worstAt;
}

INSTANTIATE_TEST_SUITE_P(Functions, FunctionAccuracy, ::testing::ValuesIn(functions),
                         [](const auto &info) {
                           return llvm::StringRef(info.param.op).split('.').second.str();
                         });

//===----------------------------------------------------------------------===//
// Of two operands
//===----------------------------------------------------------------------===//

struct BinaryFunction {
  const char *op;
  double (*exact)(double, double);
  double ulps;
};

const BinaryFunction binaryFunctions[] = {
    {"math.powf", [](double x, double y) { return std::pow(x, y); }, 2},
    // Exact where the quotient has at most 44 bits, as std::fmod is.
    {"arith.remf",
     [](double x, double y) {
       return !std::isinf(x) && !std::isnan(y) && std::abs(x) > 0x1p44 * std::abs(y)
                  ? std::nan("")
                  : std::fmod(x, y);
     },
     0},
};

class BinaryFunctionAccuracy : public ::testing::TestWithParam<BinaryFunction> {};

/// Pairs of all patterns; pairs whose power is a number, of bases around 1 and of any; negative
/// bases with whole exponents; and what has special results.
std::pair<float, float> getOperands(int64_t i, Random &random) {
  static const float special[] = {0.0f,
                                  -0.0f,
                                  0.5f,
                                  -0.5f,
                                  1.0f,
                                  -1.0f,
                                  1.5f,
                                  2.0f,
                                  -2.0f,
                                  3.0f,
                                  -3.0f,
                                  7.0f,
                                  0x1p-149f,
                                  -0x1p-149f,
                                  0x1p-126f,
                                  0x1.fffffep-1f,
                                  0x1.000002p0f,
                                  0x1.fffffep23f,
                                  -0x1.fffffep23f,
                                  0x1p24f,
                                  0x1p31f,
                                  0x1.8p100f,
                                  -0x1.fffffep127f,
                                  0x1.fffffep127f,
                                  HUGE_VALF,
                                  -HUGE_VALF,
                                  std::nanf("")};
  constexpr int64_t count = std::size(special);
  if (i < count * count)
    return {special[i / count], special[i % count]};
  auto pattern = [&] { return llvm::bit_cast<float>(uint32_t(random.in(0, UINT32_MAX))); };
  auto between = [&](double low, double high) {
    return low + (high - low) * double(random.in(0, 1 << 30)) / (1 << 30);
  };
  float x = std::abs(pattern());
  switch (i % 4) {
  case 0:
    return {pattern(), pattern()};
  case 1:
    x = float(1 + between(-1, 1) * std::ldexp(0.5, -int(random.in(0, 23))));
    [[fallthrough]];
  case 2:
    return {x, float(between(-150, 150) / std::log2(double(x)))};
  default:
    return {float(between(-20, 20)), float(random.in(-20, 20))};
  }
}

TEST_P(BinaryFunctionAccuracy, IsAsDocumented) {
  const BinaryFunction &function = GetParam();
  constexpr int64_t count = 1 << 18;
  std::string text =
      llvm::formatv(R"(func.func @f(%x: tensor<{0}xf32>, %y: tensor<{0}xf32>) -> tensor<{0}xf32> {{
  %e = tensor.empty() : tensor<{0}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<{0}xf32>, tensor<{0}xf32>) outs(%e : tensor<{0}xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = {1} %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<{0}xf32>
  return %r : tensor<{0}xf32>
})",
                    count, function.op);
  HostTensor x(ElementType::F32, {count}), y(ElementType::F32, {count});
  Random random(1);
  for (int64_t i = 0; i < count; ++i) {
    auto [left, right] = getOperands(i, random);
    x.setFloat(i, left);
    y.setFloat(i, right);
  }
  Harness harness;
  llvm::Expected<KernelRun> run =
      harness.run(text, "npu-v1", {x, y}, HostTensor(ElementType::F32, {count}));
  ASSERT_TRUE(bool(run)) << llvm::toString(run.takeError());
  double worst = 0;
  int64_t worstAt = 0;
  for (int64_t i = 0; i < count; ++i) {
    double found = run->outputs[0].getFloat(i);
    double expected = function.exact(x.getFloat(i), y.getFloat(i));
    double ulps = getUlps(found, expected);
    if (!std::isnan(expected) && std::signbit(found) != std::signbit(expected))
      ulps = 1e9; // of a zero
    if (ulps > worst) {
      worst = ulps;
      worstAt = i;
    }
  }
  printf("%s: worst error %.3f ulp at %a, %a\n", function.op, worst, x.getFloat(worstAt),
         y.getFloat(worstAt));
  EXPECT_LE(worst, function.ulps) << "at " << x.getFloat(worstAt) << ", " << y.getFloat(worstAt);
}

INSTANTIATE_TEST_SUITE_P(Functions, BinaryFunctionAccuracy, ::testing::ValuesIn(binaryFunctions),
                         [](const auto &info) {
                           return llvm::StringRef(info.param.op).split('.').second.str();
                         });

} // namespace
