//===- ErrorPropagationTest.cpp - tolerances of whole models ---------------===//

#include "NPU/HostReference/ErrorPropagation.h"

#include "../Tensor/Unwrap.h"
#include "NPU/HostReference/HostReference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace npu::runtime;

namespace {

constexpr double bf16Step = 0x1p-7; // between values of bf16 from 1 to 2

/// 2 - r for some r of bf16 below 1, in f32.
HostTensor makeExpected() {
  HostTensor tensor(ElementType::F32, {4});
  for (int64_t i = 0; i < 4; ++i)
    tensor.setFloat(i, 1.25 + i * bf16Step);
  return tensor;
}

bool isMatch(const HostTensor &expected, const HostTensor &actual,
             std::optional<HostTensor> distance) {
  return unwrap(compare(expected, actual, getEndToEndTolerance(expected, {}, std::move(distance))))
      .passed;
}

TEST(ErrorPropagationTest, OnlyMovedElementsMayDifferByANarrowStep) {
  HostTensor expected = makeExpected(), distance(ElementType::F64, {4});
  distance.setFloat(2, bf16Step);
  HostTensor actual = expected;
  actual.setFloat(2, expected.getFloat(2) + bf16Step);
  EXPECT_FALSE(isMatch(expected, actual, std::nullopt));
  EXPECT_TRUE(isMatch(expected, actual, distance));
  // One step more is wrong, and so is the same step at an element that nothing moved.
  actual.setFloat(2, expected.getFloat(2) + 2 * bf16Step);
  EXPECT_FALSE(isMatch(expected, actual, distance));
  actual = expected;
  actual.setFloat(1, expected.getFloat(1) + bf16Step);
  EXPECT_FALSE(isMatch(expected, actual, distance));
}

TEST(ErrorPropagationTest, WithoutMovesTheToleranceIsThatOfF32) {
  HostTensor expected = makeExpected(), actual = expected;
  actual.setFloat(0, expected.getFloat(0) + 1.2e-3);
  EXPECT_TRUE(isMatch(expected, actual, std::nullopt));
  EXPECT_TRUE(isMatch(expected, actual, HostTensor(ElementType::F64, {4})));
  actual.setFloat(0, expected.getFloat(0) + 1.4e-3);
  EXPECT_FALSE(isMatch(expected, actual, std::nullopt));
  EXPECT_FALSE(isMatch(expected, actual, HostTensor(ElementType::F64, {4})));
}

TEST(ErrorPropagationTest, InfiniteElementsDoNotExcuseOthers) {
  HostTensor expected = unwrap(parseTensor("3xf32=inf 1 nan"));
  HostTensor actual = unwrap(parseTensor("3xf32=inf 1.5 nan"));
  CompareReport report =
      unwrap(compare(expected, actual, getEndToEndTolerance(expected, {}, std::nullopt)));
  EXPECT_EQ(report.numMismatches, 1);
  EXPECT_EQ(report.firstMismatch, 1);
  actual = unwrap(parseTensor("3xf32=5 1 nan"));
  report = unwrap(compare(expected, actual, getEndToEndTolerance(expected, {}, std::nullopt)));
  EXPECT_EQ(report.numMismatches, 1);
  EXPECT_EQ(report.firstAllowed, 0);
}

TEST(ErrorPropagationTest, IntegersAreExactUnlessMoved) {
  HostTensor expected = unwrap(parseTensor("4xi8=1 2 3 4"));
  HostTensor actual = unwrap(parseTensor("4xi8=1 2 3 5")), distance(ElementType::F64, {4});
  EXPECT_FALSE(isMatch(expected, actual, std::nullopt));
  EXPECT_FALSE(isMatch(expected, actual, distance));
  distance.setFloat(3, 1);
  EXPECT_TRUE(isMatch(expected, actual, distance));
  actual.setInt(3, 6);
  EXPECT_FALSE(isMatch(expected, actual, distance));
}

/// Of a dispatch with one result, which was what is expected, and may be `distance` off.
DispatchErrors getErrors(const HostTensor &result, const HostTensor &distance) {
  DispatchErrors errors{0, {}, {}};
  errors.add(result, result, distance);
  return errors;
}

TEST(ErrorPropagationTest, MovesUpDownAndBothWays) {
  HostTensor result(ElementType::BF16, {64}), distance(ElementType::F64, {64});
  result.fill(1.0);
  distance.fill(bf16Step);
  DispatchErrors errors = getErrors(result, distance);
  HostTensor up = moveResult(result, errors, 0, 0, 7), down = moveResult(result, errors, 0, 1, 7);
  HostTensor mixed = moveResult(result, errors, 0, 2, 7);
  int64_t numUp = 0;
  for (int64_t i = 0; i < 64; ++i) {
    EXPECT_EQ(up.getFloat(i), 1 + bf16Step);
    EXPECT_EQ(down.getFloat(i), 1 - bf16Step);
    EXPECT_EQ(std::abs(mixed.getFloat(i) - 1), bf16Step);
    numUp += mixed.getFloat(i) > 1;
  }
  EXPECT_GT(numUp, 8);
  EXPECT_LT(numUp, 56);
  EXPECT_EQ(mixed, moveResult(result, errors, 0, 2, 7));
  EXPECT_NE(mixed, moveResult(result, errors, 0, 2, 8));
}

TEST(ErrorPropagationTest, MovesAsFoundWithinWhatIsAllowed) {
  HostTensor expected = unwrap(parseTensor("4xi8=1 2 3 4")),
             actual = unwrap(parseTensor("4xi8=2 2 2 9"));
  HostTensor distance(ElementType::F64, {4});
  distance.fill(1);
  DispatchErrors errors{0, {}, {}};
  errors.add(expected, actual, distance);
  // What is not allowed does not excuse anything behind it.
  HostTensor other = unwrap(parseTensor("4xi8=10 20 30 40"));
  EXPECT_EQ(moveResult(other, errors, 0, numMovePatterns - 1, 0),
            unwrap(parseTensor("4xi8=11 20 29 40")));
}

TEST(ErrorPropagationTest, IntegersStayInTheirType) {
  HostTensor result = unwrap(parseTensor("3xi8=127 -128 5")), distance(ElementType::F64, {3});
  distance.fill(1);
  DispatchErrors errors = getErrors(result, distance);
  EXPECT_EQ(moveResult(result, errors, 0, 0, 0), unwrap(parseTensor("3xi8=127 -127 6")));
  EXPECT_EQ(moveResult(result, errors, 0, 1, 0), unwrap(parseTensor("3xi8=126 -128 4")));
}

TEST(ErrorPropagationTest, InfiniteMovesAllowNothing) {
  HostTensor base = unwrap(parseTensor("2xf32=1 2")), moved = unwrap(parseTensor("2xf32=inf 2.5"));
  SmallVector<HostTensor> distances{HostTensor(ElementType::F64, {2})};
  accumulateDistances(distances, base, moved);
  EXPECT_EQ(distances[0], unwrap(parseTensor("2xf64=0 0.5")));
  accumulateDistances(distances, base, HostTensor(ElementType::F32, {3}));
  EXPECT_EQ(distances[0], unwrap(parseTensor("2xf64=0 0.5")));
}

TEST(ErrorPropagationTest, FindsWhatRoundsToCoarseSteps) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                      math::MathDialect, tensor::TensorDialect>();
  auto rounds = [&](StringRef types, StringRef op) {
    std::string text = ("func.func @f(%x: " + types + " {\n%0 = " + op +
                        "\nreturn %0 : " + types.split("-> ").second + "\n}")
                           .str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return roundsCoarsely((*module->getOps<func::FuncOp>().begin()).getBody());
  };
  EXPECT_TRUE(rounds("f32) -> bf16", "arith.truncf %x : f32 to bf16"));
  EXPECT_TRUE(rounds("f16) -> f16", "math.rsqrt %x : f16"));
  EXPECT_TRUE(rounds("tensor<4xf16>) -> tensor<4xf16>", "arith.addf %x, %x : tensor<4xf16>"));
  EXPECT_TRUE(rounds("f32) -> i8", "arith.fptosi %x : f32 to i8"));
  EXPECT_FALSE(rounds("f16) -> f32", "arith.extf %x : f16 to f32"));
  EXPECT_FALSE(rounds("f32) -> f16", "arith.constant 1.0 : f16"));
  EXPECT_FALSE(rounds("f32) -> f32", "math.exp %x : f32"));
}

} // namespace
