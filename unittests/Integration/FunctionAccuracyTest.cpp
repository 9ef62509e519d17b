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
    NPU_FUNCTION("atanh", std::atanh(x), 3),
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

} // namespace
