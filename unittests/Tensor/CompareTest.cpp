//===- CompareTest.cpp - comparison of results with their reference -------===//

#include "NPU/Tensor/Compare.h"

#include "Unwrap.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace npu::runtime;

namespace {

CompareReport check(StringRef expected, StringRef actual, const Tolerance &tolerance = {}) {
  return unwrap(compare(unwrap(parseTensor(expected)), unwrap(parseTensor(actual)), tolerance));
}

TEST(Compare, IntegersAreExact) {
  EXPECT_TRUE(check("3xi8=1 2 3", "3xi8=1 2 3").passed);
  CompareReport report = check("2x2xi32=1 2 3 4", "2x2xi32=1 2 5 9", Tolerance::fromUlps(100));
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.numMismatches, 2);
  EXPECT_EQ(report.firstMismatch, 2);
  EXPECT_EQ(report.firstMismatchCoordinates, (SmallVector<int64_t>{1, 0}));
  EXPECT_EQ(report.maxAbsError, 5);
  // Equal as doubles, different as integers; and a difference of more than 63 bits.
  EXPECT_FALSE(check("2xi64=9007199254740992 1", "2xi64=9007199254740993 1").passed);
  EXPECT_FALSE(check("2xi64=-9223372036854775808 1", "2xi64=9223372036854775807 1").passed);
}

TEST(Compare, UlpsAreOfTheExpectedValuesType) {
  EXPECT_TRUE(check("2xf16=1 2", "2xf16=1.0009765625 2", Tolerance::fromUlps(1)).passed);
  EXPECT_FALSE(check("2xf16=1 2", "2xf16=1.001953125 2", Tolerance::fromUlps(1)).passed);
  EXPECT_FALSE(check("2xf32=1 2", "2xf32=1.00000012 2").passed);
  EXPECT_EQ(getUlp(1.5, ElementType::F32), 0x1p-23);
  EXPECT_EQ(getUlp(0, ElementType::F16), 0x1p-24);
  EXPECT_EQ(getUlp(-4, ElementType::BF16), 0x1p-5);
}

TEST(Compare, BoundIsPerElement) {
  Tolerance tolerance = Tolerance::fromBound(unwrap(parseTensor("2xf64=0.5 0")));
  EXPECT_TRUE(check("2xf32=1 2", "2xf32=1.5 2", tolerance).passed);
  EXPECT_FALSE(check("2xf32=1 2", "2xf32=1 2.5", tolerance).passed);
  EXPECT_EQ(check("2xf32=1 2", "2xf32=1.25 2", tolerance).maxErrorOverAllowed, 0.5);
}

TEST(Compare, ValuesNearOverflowMayBeInfinite) {
  // 65504 is 16 below what rounds to infinity, and 32 above the next one below.
  auto isLike = [](StringRef expected, StringRef actual, double ulps) {
    return check(expected, actual, Tolerance::fromUlps(ulps)).numMismatches == 0;
  };
  EXPECT_TRUE(isLike("2xf16=65504 1", "2xf16=inf 1", 1));
  EXPECT_TRUE(isLike("2xf16=inf 1", "2xf16=65504 1", 1));
  EXPECT_TRUE(isLike("2xf16=-inf 1", "2xf16=-65504 1", 0.5));
  EXPECT_FALSE(isLike("2xf16=65504 1", "2xf16=inf 1", 0.25));
  EXPECT_FALSE(isLike("2xf16=65472 1", "2xf16=inf 1", 1));
  EXPECT_FALSE(isLike("2xf16=65504 1", "2xf16=-inf 1", 1));
  EXPECT_FALSE(isLike("2xf16=65504 1", "2xf16=nan 1", 1));
  EXPECT_FALSE(isLike("2xf16=inf 1", "2xf16=-inf 1", 1));
  EXPECT_TRUE(isLike("2xf32=3.4028234663852886e38 1", "2xf32=inf 1", 1));
  EXPECT_FALSE(isLike("2xf32=3.4028234663852886e38 1", "2xf32=inf 1", 0.25));
  // An infinite output proves nothing.
  EXPECT_FALSE(check("2xf16=65504 1", "2xf16=inf 1", Tolerance::fromUlps(1)).passed);
}

TEST(Compare, FlagsDegenerateOutputs) {
  EXPECT_FALSE(check("2xf32=1 1", "2xf32=1 1").passed);
  EXPECT_FALSE(check("2xf32=nan 1", "2xf32=nan 1").passed);
  EXPECT_FALSE(check("2xf32=inf 1", "2xf32=inf 1").passed);
  EXPECT_TRUE(check("1xf32=1", "1xf32=1").passed);
  Tolerance tolerance;
  tolerance.allowDegenerate = true;
  EXPECT_TRUE(check("2xf32=nan inf", "2xf32=nan inf", tolerance).passed);
  tolerance.absolute = HUGE_VAL;
  EXPECT_FALSE(check("2xf32=nan 1", "2xf32=1 1", tolerance).passed);
  EXPECT_FALSE(check("2xf32=2 1", "2xf32=inf 1", tolerance).passed);
  EXPECT_FALSE(check("2xf32=2 1", "2xf32=nan 1", tolerance).passed);

  EXPECT_TRUE(inputsForceDegenerateOutput({unwrap(parseTensor("4xf32=1"))}));
  EXPECT_TRUE(inputsForceDegenerateOutput(
      {unwrap(parseTensor("2xf32=1 2")), unwrap(parseTensor("2xf32=nan 2"))}));
  EXPECT_FALSE(inputsForceDegenerateOutput(
      {unwrap(parseTensor("2xf32=1 2")), unwrap(parseTensor("2xf32=1"))}));
}

TEST(Compare, SaysWhenEqualityProvesNothing) {
  auto print = [](const char *expected, const char *actual) {
    std::string text;
    raw_string_ostream os(text);
    check(expected, actual).print(os);
    return text;
  };
  EXPECT_EQ(print("2xf32=1", "2xf32=1"),
            "INCONCLUSIVE: 2 elements, 1 distinct values, max abs error 0, max rel error 0\n"
            "  equal to the reference, but the output is constant (1 distinct value): the check "
            "proves nothing; give inputs that make it vary\n");
  EXPECT_EQ(print("2xf32=1 inf", "2xf32=1 inf"),
            "INCONCLUSIVE: 2 elements, 2 distinct values, max abs error 0, max rel error 0\n"
            "  0 NaN, 1 Inf\n"
            "  equal to the reference, but the output is not finite (2 distinct values): the check "
            "proves nothing; give inputs that make it finite\n");
  EXPECT_TRUE(check("2xf32=1", "2xf32=1").isInconclusive());
  EXPECT_FALSE(check("2xf32=1", "2xf32=2").isInconclusive());
  EXPECT_NE(print("2xf32=1", "2xf32=2").find("all elements have the same value"),
            std::string::npos);
}

TEST(Compare, CountsDistinctValues) {
  EXPECT_EQ(countDistinctValues(unwrap(parseTensor("6xf32=0 -0 nan 1 1 2"))), 4);
  EXPECT_EQ(countDistinctValues(unwrap(parseTensor("3xi64=-1 -2 -1"))), 2);
}

TEST(Compare, ReportsTypesAndTheFirstMismatch) {
  EXPECT_EQ(
      toString(compare(unwrap(parseTensor("2xf32")), unwrap(parseTensor("2xf16"))).takeError()),
      "cannot compare: expected a 2xf32 but found a 2xf16");
  std::string text;
  raw_string_ostream os(text);
  check("2x2xi8=1 2 3 4", "2x2xi8=1 2 3 6").print(os);
  EXPECT_EQ(text, "MISMATCH: 4 elements, 4 distinct values, max abs error 2, max rel error 0.5, "
                  "max error / allowed inf\n"
                  "  1 mismatches, the first at [1, 1]: expected 4 but found 6 (error 2, allowed "
                  "0)\n");
}

} // namespace
