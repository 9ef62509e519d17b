//===- HostSumsTest.cpp - how precise the host's long sums are ------------===//

#include "NPU/HostReference/HostReference.h"

#include "../Tensor/Unwrap.h"
#include "NPU/Tensor/Compare.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace npu::runtime;

namespace {

class HostSumsTest : public ::testing::Test {
protected:
  HostSumsTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect>();
  }

  std::unique_ptr<HostReference> compile(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return unwrap(HostReference::create(*module->getOps<func::FuncOp>().begin()));
  }

  MLIRContext context;
};

HostTensor makeRandom(ArrayRef<int64_t> shape, uint64_t seed) {
  HostTensor tensor(ElementType::F32, shape);
  tensor.fillRandom(seed);
  return tensor;
}

double getUlps(double exact, double found) {
  return std::abs(exact - found) / getUlp(exact, ElementType::F32);
}

/// The sum of a tensor<`rows`x`columns`xf32> along `dimension`, of terms that `term` makes of %in.
std::string makeSum(int64_t rows, int64_t columns, int64_t dimension, StringRef term) {
  return llvm::formatv(R"(
func.func @sum(%x: tensor<{0}x{1}xf32>) -> tensor<{2}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{2}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{2}xf32>) -> tensor<{2}xf32>
  %0 = linalg.reduce ins(%x : tensor<{0}x{1}xf32>) outs(%init : tensor<{2}xf32>) dimensions = [{3}]
    (%in: f32, %acc: f32) {{
      {4}
      %s = arith.addf %acc, %t : f32
      linalg.yield %s : f32
    }
  return %0 : tensor<{2}xf32>
})",
                       rows, columns, dimension == 0 ? columns : rows, dimension, term)
      .str();
}

TEST_F(HostSumsTest, SoftmaxOf32000) {
  for (int64_t dimension : {0, 1}) {
    int64_t rows = dimension == 0 ? 32000 : 3, columns = dimension == 0 ? 3 : 32000;
    std::string type = llvm::formatv("tensor<{0}x{1}xf32>", rows, columns);
    auto softmax = compile(llvm::formatv(R"(
func.func @softmax(%x: {0}) -> {0} {{
  %empty = tensor.empty() : {0}
  %0 = linalg.softmax dimension({1}) ins(%x : {0}) outs(%empty : {0}) -> {0}
  return %0 : {0}
})",
                                         type, dimension));
    HostTensor x = makeRandom({rows, columns}, 1), y = unwrap(softmax->run(x))[0];
    double worst = 0;
    for (int64_t softmaxIndex = 0; softmaxIndex < 3; ++softmaxIndex) {
      auto at = [&](int64_t i) {
        return dimension == 0 ? i * columns + softmaxIndex : softmaxIndex * columns + i;
      };
      double largest = -HUGE_VAL, sum = 0;
      for (int64_t i = 0; i < 32000; ++i)
        largest = std::max(largest, x.getFloat(at(i)));
      for (int64_t i = 0; i < 32000; ++i)
        sum += std::exp(x.getFloat(at(i)) - largest);
      for (int64_t i = 0; i < 32000; ++i)
        worst = std::max(worst,
                         getUlps(std::exp(x.getFloat(at(i)) - largest) / sum, y.getFloat(at(i))));
    }
    llvm::outs() << "softmax of 32000 along " << dimension << ": " << llvm::format("%.1f", worst)
                 << " ulp\n";
    EXPECT_LE(worst, 8);
  }
}

TEST_F(HostSumsTest, LongSumsRoundOnce) {
  for (int64_t dimension : {0, 1}) {
    int64_t rows = dimension == 0 ? 1000003 : 2, columns = dimension == 0 ? 2 : 1000003;
    auto sum = compile(makeSum(rows, columns, dimension, "%t = arith.mulf %in, %in : f32"));
    HostTensor x = makeRandom({rows, columns}, 2), y = unwrap(sum->run(x))[0];
    for (int64_t result = 0; result < 2; ++result) {
      double exact = 0;
      for (int64_t i = 0; i < 1000003; ++i) {
        float value = x.getFloat(dimension == 0 ? i * columns + result : result * columns + i);
        exact += value * value;
      }
      EXPECT_LE(getUlps(exact, y.getFloat(result)), 0.5) << "along " << dimension;
    }
  }
}

TEST_F(HostSumsTest, ShortSumsKeepTheirType) {
  // 2^24 + 1 - 2^24 is 0 in f32.
  auto sum = compile(makeSum(1, 3, 1, "%t = arith.addf %in, %in : f32"));
  HostTensor x = unwrap(parseTensor("1x3xf32=8388608 0.5 -8388608"));
  EXPECT_EQ(unwrap(sum->run(x))[0].getFloat(0), 0);
}

} // namespace
