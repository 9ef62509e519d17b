//===- AnyShapeMatmulTest.cpp - every matmul shape computes the product ---===//
//
// All (M, N, K) over ones, primes, multiples of the array, their neighbors, and sizes of several
// tiles, for every type of the array, bit for bit against the loop nest below. Inputs are small
// integers, whose sums every type holds exactly.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

constexpr int64_t sizes[] = {1, 2, 3, 7, 31, 32, 33, 64, 127, 257, 1000};

struct MatmulCase {
  int64_t batches = 0; ///< 0: without a batch dimension
  int64_t m, n, k;
  bool isATransposed = false, isBTransposed = false;
  ElementType input, output;

  std::vector<int64_t> getShape(int64_t rows, int64_t cols, bool isTransposed) const {
    std::vector<int64_t> shape = {isTransposed ? cols : rows, isTransposed ? rows : cols};
    if (batches != 0)
      shape.insert(shape.begin(), batches);
    return shape;
  }

  std::string getText() const;
  std::string describe() const {
    return llvm::formatv("batches {0}, {1} x {2} x {3}{4}{5}, {6} to {7}", batches, m, n, k,
                         isATransposed ? ", A transposed" : "",
                         isBTransposed ? ", B transposed" : "", getElementTypeName(input),
                         getElementTypeName(output));
  }
};

std::string MatmulCase::getText() const {
  std::string a = getTensorType(getShape(m, k, isATransposed), input);
  std::string b = getTensorType(getShape(k, n, isBTransposed), input);
  std::string c = getTensorType(getShape(m, n, false), output);
  StringRef batch = batches ? "b, " : "";
  std::string dims = llvm::formatv("affine_map<({0}m, n, k) -> ({0}", batch);
  std::string maps = " indexing_maps = [" + dims + (isATransposed ? "k, m" : "m, k") + ")>, " +
                     dims + (isBTransposed ? "n, k" : "k, n") + ")>, " + dims + "m, n)>]";
  return llvm::formatv(R"(
func.func @product(%a: {0}, %b: {1}) -> {2} {{
  %zero = arith.constant {3}
  %empty = tensor.empty() : {2}
  %init = linalg.fill ins(%zero : {4}) outs(%empty : {2}) -> {2}
  %c = linalg.{5}{6} ins(%a, %b : {0}, {1}) outs(%init : {2}) -> {2}
  return %c : {2}
})",
                       a, b, c, getConstant(0, output), getElementTypeName(output),
                       batches ? "batch_matmul" : "matmul",
                       isATransposed || isBTransposed ? maps : "");
}

/// The product, summed in integers.
HostTensor multiply(const MatmulCase &test, const HostTensor &a, const HostTensor &b) {
  int64_t m = test.m, n = test.n, k = test.k;
  HostTensor c(test.output, test.getShape(m, n, false));
  std::vector<int32_t> row(n), bRows(k * n);
  for (int64_t batch = 0; batch < std::max<int64_t>(test.batches, 1); ++batch) {
    for (int64_t kk = 0; kk < k; ++kk)
      for (int64_t j = 0; j < n; ++j)
        bRows[kk * n + j] =
            b.getInt(batch * k * n + (test.isBTransposed ? j * k + kk : kk * n + j));
    for (int64_t i = 0; i < m; ++i) {
      std::fill(row.begin(), row.end(), 0);
      for (int64_t kk = 0; kk < k; ++kk) {
        int32_t value = a.getInt(batch * m * k + (test.isATransposed ? kk * m + i : i * k + kk));
        for (int64_t j = 0; j < n; ++j)
          row[j] += value * bRows[kk * n + j];
      }
      for (int64_t j = 0; j < n; ++j)
        c.setFloat((batch * m + i) * n + j, row[j]);
    }
  }
  return c;
}

/// Compiles, runs and compares. Returns what was wrong.
std::string runCase(Harness &harness, const MatmulCase &test, StringRef target, uint64_t seed) {
  HostTensor a(test.input, test.getShape(test.m, test.k, test.isATransposed));
  HostTensor b(test.input, test.getShape(test.k, test.n, test.isBTransposed));
  a.fillSmallInts(seed);
  b.fillSmallInts(seed + 1);
  if (test.output == ElementType::F16)
    for (HostTensor *tensor : {&a, &b}) // positive sums grow until their rounding shows
      for (int64_t i = 0; i < tensor->getNumElements(); ++i)
        tensor->setFloat(i, std::abs(tensor->getFloat(i)));

  return harness.findFault(test.getText(), target, {a, b}, multiply(test, a, b));
}

/// One M and one type: every N and K.
class AnyShapeMatmul : public ::testing::TestWithParam<std::tuple<ElementType, int64_t>> {};

TEST_P(AnyShapeMatmul, IsExact) {
  auto [input, m] = GetParam();
  Harness harness;
  for (int64_t n : sizes)
    for (int64_t k : sizes) {
      uint64_t seed = (uint64_t(input) << 40) + (m << 20) + (n << 10) + k;
      Random random(seed);
      MatmulCase test{0, m, n, k, random.chance(30), random.chance(30), input, ElementType::F32};
      if (input == ElementType::I8)
        test.output = ElementType::I32;
      else if (input == ElementType::F16 && random.chance(30))
        test.output = ElementType::F16;
      if (m * n * k < 100000 && random.chance(30))
        test.batches = random.in(1, 5);
      EXPECT_EQ(runCase(harness, test, "npu-v1", seed), "") << test.describe() << test.getText();
    }
}

INSTANTIATE_TEST_SUITE_P(Types, AnyShapeMatmul,
                         ::testing::Combine(::testing::Values(ElementType::I8, ElementType::F16,
                                                              ElementType::F32),
                                            ::testing::ValuesIn(sizes)),
                         [](const auto &info) {
                           return getElementTypeName(std::get<0>(info.param)).str() + "_m" +
                                  std::to_string(std::get<1>(info.param));
                         });

/// A chip so small that every dimension of a few hundred needs several tiles.
TEST(AnyShapeMatmulSmallChip, IsExact) {
  Harness harness;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    MatmulCase test{0,
                    random.in(1, 150),
                    random.in(1, 150),
                    random.in(1, 300),
                    random.chance(50),
                    random.chance(50),
                    random.of({ElementType::I8, ElementType::F16, ElementType::F32}),
                    ElementType::F32};
    if (test.input == ElementType::I8)
      test.output = ElementType::I32;
    if (random.chance(30))
      test.batches = random.in(1, 4);
    std::string target = makeRandomTarget(random, ChipRange{1, 16, 11, 15, 8, 12});
    EXPECT_EQ(runCase(harness, test, target, seed), "")
        << test.describe() << "\n"
        << describeCase(seed, target, test.getText());
  }
}

} // namespace
