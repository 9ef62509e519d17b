//===- HostReferenceTest.cpp - the host reference against plain loops -----===//

#include "NPU/HostReference/HostReference.h"

#include "../Tensor/Unwrap.h"
#include "NPU/Tensor/Compare.h"
#include "NPU/Tensor/FloatFormat.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace npu::runtime;

namespace {

class HostReferenceTest : public ::testing::Test {
protected:
  HostReferenceTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, scf::SCFDialect, tensor::TensorDialect>();
  }

  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return *module->getOps<func::FuncOp>().begin();
  }

  SmallVector<HostTensor> run(StringRef text, ArrayRef<HostTensor> inputs) {
    auto reference = HostReference::create(parse(text));
    if (!reference) {
      ADD_FAILURE() << llvm::toString(reference.takeError());
      return {HostTensor()};
    }
    return unwrap((*reference)->run(inputs));
  }

  std::string createError(StringRef text) {
    auto reference = HostReference::create(parse(text));
    if (!reference)
      return llvm::toString(reference.takeError());
    ADD_FAILURE() << "expected an error";
    return "";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

HostTensor tensor(StringRef spec) { return unwrap(parseTensor(spec)); }

/// out += a * b in f32 in the order of k, as the IR says.
HostTensor multiply(const HostTensor &a, const HostTensor &b, bool transposedB) {
  int64_t m = a.getShape()[0], k = a.getShape()[1], n = b.getShape()[transposedB ? 0 : 1];
  HostTensor out(ElementType::F32, {m, n});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l) {
        float product = static_cast<float>(a.getFloat(i * k + l)) *
                        static_cast<float>(b.getFloat(transposedB ? j * k + l : l * n + j));
        sum += product;
      }
      out.setFloat(i * n + j, sum);
    }
  return out;
}

constexpr const char *matmul = R"(
func.func @f(%a: tensor<37x130xf32>, %b: tensor<130x45xf32>) -> tensor<37x45xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x45xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x45xf32>) -> tensor<37x45xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<37x130xf32>, tensor<130x45xf32>)
                     outs(%init : tensor<37x45xf32>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
})";

TEST_F(HostReferenceTest, MatmulKeepsTheOrderOfSums) {
  HostTensor a = tensor("37x130xf32=random(1)"), b = tensor("130x45xf32=random(2)");
  EXPECT_EQ(run(matmul, {a, b})[0], multiply(a, b, false));
}

TEST_F(HostReferenceTest, TransposedMatmulKeepsTheOrderOfSums) {
  HostTensor a = tensor("19x65xf32=random(1)"), b = tensor("2100x65xf32=random(2)");
  EXPECT_EQ(run(R"(
func.func @f(%a: tensor<19x65xf32>, %b: tensor<2100x65xf32>) -> tensor<19x2100xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<19x2100xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<19x2100xf32>) -> tensor<19x2100xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<19x65xf32>, tensor<2100x65xf32>) outs(%init : tensor<19x2100xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<19x2100xf32>
  return %0 : tensor<19x2100xf32>
})",
                {a, b})[0],
            multiply(a, b, true));
}

TEST_F(HostReferenceTest, ConvolutionWithStrideAndBias) {
  HostTensor image = tensor("1x13x15x5xf32=random(1)"), filter = tensor("3x2x5x17xf32=random(2)"),
             bias = tensor("17xf32=random(3)");
  HostTensor actual = run(R"(
func.func @f(%image: tensor<1x13x15x5xf32>, %filter: tensor<3x2x5x17xf32>, %bias: tensor<17xf32>)
    -> tensor<1x6x14x17xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x6x14x17xf32>
  %init = linalg.broadcast ins(%bias : tensor<17xf32>) outs(%empty : tensor<1x6x14x17xf32>)
          dimensions = [0, 1, 2]
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
       ins(%image, %filter : tensor<1x13x15x5xf32>, tensor<3x2x5x17xf32>)
       outs(%init : tensor<1x6x14x17xf32>) -> tensor<1x6x14x17xf32>
  return %0 : tensor<1x6x14x17xf32>
})",
                          {image, filter, bias})[0];
  HostTensor expected(ElementType::F32, {1, 6, 14, 17});
  for (int64_t y = 0; y < 6; ++y)
    for (int64_t x = 0; x < 14; ++x)
      for (int64_t f = 0; f < 17; ++f) {
        float sum = static_cast<float>(bias.getFloat(f));
        for (int64_t ky = 0; ky < 3; ++ky)
          for (int64_t kx = 0; kx < 2; ++kx)
            for (int64_t c = 0; c < 5; ++c) {
              float product =
                  static_cast<float>(image.getFloat(((2 * y + ky) * 15 + x + kx) * 5 + c)) *
                  static_cast<float>(filter.getFloat(((ky * 2 + kx) * 5 + c) * 17 + f));
              sum += product;
            }
        expected.setFloat((y * 14 + x) * 17 + f, sum);
      }
  EXPECT_EQ(actual, expected);
}

/// The element-wise chain below on the bits of a 16-bit format.
double round16(double value, bool brain) {
  return brain ? decodeBF16(encodeBF16(value)) : decodeF16(encodeF16(value));
}

TEST_F(HostReferenceTest, SixteenBitFloatsRoundAfterEveryOperation) {
  for (bool brain : {false, true}) {
    std::string type = brain ? "bf16" : "f16";
    std::string text = R"(
func.func @f(%a: tensor<1000xT>, %b: tensor<1000xT>, %d: tensor<1000xf64>) -> tensor<1000xT> {
  %empty = tensor.empty() : tensor<1000xT>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                       affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%a, %b, %d : tensor<1000xT>, tensor<1000xT>, tensor<1000xf64>)
      outs(%empty : tensor<1000xT>) {
  ^bb0(%x: T, %y: T, %z: f64, %unused: T):
    %0 = arith.mulf %x, %y : T
    %1 = arith.addf %0, %x : T
    %2 = arith.divf %1, %y : T
    %3 = arith.truncf %z : f64 to T
    %4 = arith.subf %2, %3 : T
    linalg.yield %4 : T
  } -> tensor<1000xT>
  return %0 : tensor<1000xT>
})";
    for (size_t at = 0; (at = text.find("xT", at)) != std::string::npos;)
      text.replace(at + 1, 1, type);
    for (const char *use : {": T", "to T"})
      for (size_t at = 0; (at = text.find(use, at)) != std::string::npos;)
        text.replace(at + strlen(use) - 1, 1, type);
    HostTensor a = tensor("1000x" + type + "=random(1)"), b = tensor("1000x" + type + "=random(2)"),
               d = tensor("1000xf64=random(3)");
    // Subnormals, too.
    for (int64_t i = 0; i < 200; ++i)
      d.setFloat(i, d.getFloat(i) * (brain ? 0x1p-130 : 0x1p-18));
    for (int64_t i = 100; i < 200; ++i)
      a.setFloat(i, a.getFloat(i) * (brain ? 0x1p-128 : 0x1p-16));
    HostTensor actual = run(text, {a, b, d})[0];
    for (int64_t i = 0; i < 1000; ++i) {
      double x = a.getFloat(i), y = b.getFloat(i);
      // Each exact or correctly rounded in double, and so with only an innocuous second rounding.
      double value = round16(x * y, brain);
      value = round16(value + x, brain);
      value = round16(value / y, brain);
      value = round16(value - round16(d.getFloat(i), brain), brain);
      ASSERT_EQ(actual.getFloat(i), value) << type << " element " << i;
    }
  }
}

TEST_F(HostReferenceTest, HalfMatmulOnSmallIntsIsExact) {
  HostTensor a = tensor("16x64xf16=smallints(1)"), b = tensor("64x24xf16=smallints(2)");
  HostTensor actual = run(R"(
func.func @f(%a: tensor<16x64xf16>, %b: tensor<64x24xf16>) -> tensor<16x24xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<16x24xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<16x24xf16>) -> tensor<16x24xf16>
  %0 = linalg.matmul ins(%a, %b : tensor<16x64xf16>, tensor<64x24xf16>)
                     outs(%init : tensor<16x24xf16>) -> tensor<16x24xf16>
  return %0 : tensor<16x24xf16>
})",
                          {a, b})[0];
  HostTensor expected(ElementType::F16, {16, 24});
  HostTensor wide = multiply(a, b, false);
  for (int64_t i = 0; i < 16 * 24; ++i)
    expected.setFloat(i, wide.getFloat(i));
  EXPECT_EQ(actual, expected);
}

TEST_F(HostReferenceTest, QuantizedMatmulWithRequantization) {
  HostTensor a = tensor("9x70xi8=random(1)"), b = tensor("70x33xi8=random(2)");
  HostTensor actual = run(R"(
func.func @f(%a: tensor<9x70xi8>, %b: tensor<70x33xi8>) -> tensor<9x33xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.0013 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %empty = tensor.empty() : tensor<9x33xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<9x33xi32>) -> tensor<9x33xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<9x70xi8>, tensor<70x33xi8>)
                     outs(%init : tensor<9x33xi32>) -> tensor<9x33xi32>
  %out = tensor.empty() : tensor<9x33xi8>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<9x33xi32>) outs(%out : tensor<9x33xi8>) {
  ^bb0(%x: i32, %unused: i8):
    %2 = arith.sitofp %x : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maximumf %4, %low : f32
    %6 = arith.minimumf %5, %high : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<9x33xi8>
  return %1 : tensor<9x33xi8>
})",
                          {a, b})[0];
  HostTensor expected(ElementType::I8, {9, 33});
  for (int64_t i = 0; i < 9; ++i)
    for (int64_t j = 0; j < 33; ++j) {
      int32_t sum = 0;
      for (int64_t l = 0; l < 70; ++l)
        sum += static_cast<int32_t>(a.getInt(i * 70 + l) * b.getInt(l * 33 + j));
      float scaled = std::nearbyint(static_cast<float>(sum) * 0.0013f);
      expected.setInt(i * 33 + j, static_cast<int64_t>(std::clamp(scaled, -128.0f, 127.0f)));
    }
  EXPECT_EQ(actual, expected);
  EXPECT_GT(countDistinctValues(actual), 30);
}

TEST_F(HostReferenceTest, InputsStayAndMayBeReturned) {
  HostTensor a = tensor("4x4xf32=random(1)");
  HostTensor before = tensor("4x4xf32=random(1)");
  auto results = run(R"(
func.func @f(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x8xf32>) {
  %one = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%one : f32) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %shape = arith.constant dense<[2, 8]> : tensor<2xi64>
  %1 = tensor.reshape %a(%shape) : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<2x8xf32>
  return %a, %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x8xf32>
})",
                     {a});
  EXPECT_EQ(a, before);
  EXPECT_EQ(results[0], before);
  EXPECT_EQ(results[1], tensor("4x4xf32=1"));
  EXPECT_EQ(results[2], before.reshape({2, 8}));
}

TEST_F(HostReferenceTest, CallsScalarsPadsPacksAndSoftmax) {
  auto results = run(R"(
func.func @f(%a: tensor<2x5xf32>, %s: tensor<i1>)
    -> (tensor<2x5xf32>, tensor<1x2x3x4xf32>, tensor<i1>, tensor<4x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<2x5xf32>) outs(%empty : tensor<2x5xf32>)
       -> tensor<2x5xf32>
  %dest = tensor.empty() : tensor<1x2x3x4xf32>
  %1 = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [3, 4]
       into %dest : tensor<2x5xf32> -> tensor<1x2x3x4xf32>
  %2 = func.call @g(%s) : (tensor<i1>) -> tensor<i1>
  %3 = tensor.concat dim(0) %a, %0 : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<4x5xf32>
  return %0, %1, %2, %3
      : tensor<2x5xf32>, tensor<1x2x3x4xf32>, tensor<i1>, tensor<4x5xf32>
}
func.func private @g(%s: tensor<i1>) -> tensor<i1> {
  %true = arith.constant true
  %x = tensor.extract %s[] : tensor<i1>
  %y = arith.xori %x, %true : i1
  %0 = tensor.from_elements %y : tensor<i1>
  return %0 : tensor<i1>
})",
                     {tensor("2x5xf32=1 2 3 4 5 -1 -1 0 1 1"), tensor("i1=1")});
  ASSERT_EQ(results.size(), 4u);
  double sum = 0;
  for (int64_t i = 0; i < 5; ++i)
    sum += results[0].getFloat(i);
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_EQ(results[1].getFloat(5), -1);
  EXPECT_EQ(results[1].getFloat(12), 5);
  EXPECT_EQ(results[1].getFloat(13), 0);
  EXPECT_EQ(results[2].getInt(0), 0);
  EXPECT_EQ(results[3].getFloat(2), 3);
}

TEST_F(HostReferenceTest, MathFunctionsOfEveryFloatType) {
  for (const char *type : {"f16", "bf16", "f32", "f64"}) {
    std::string text = R"(
func.func @f(%a: tensor<64xT>) -> tensor<64xT> {
  %empty = tensor.empty() : tensor<64xT>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%a : tensor<64xT>) outs(%empty : tensor<64xT>) {
  ^bb0(%x: T, %unused: T):
    %0 = math.exp %x : T
    %1 = math.erf %0 : T
    %2 = math.tanh %1 : T
    %3 = math.rsqrt %2 : T
    %4 = math.log1p %3 : T
    %5 = math.powf %4, %0 : T
    %6 = math.absf %5 : T
    %7 = math.sqrt %6 : T
    %8 = math.ceil %7 : T
    %9 = math.floor %7 : T
    %10 = arith.subf %8, %9 : T
    %11 = arith.mulf %10, %7 : T
    %12 = math.roundeven %x : T
    %13 = arith.addf %11, %12 : T
    linalg.yield %13 : T
  } -> tensor<64xT>
  return %0 : tensor<64xT>
})";
    for (size_t at = 0; (at = text.find("xT", at)) != std::string::npos;)
      text.replace(at + 1, 1, type);
    for (size_t at = 0; (at = text.find(": T", at)) != std::string::npos;)
      text.replace(at + 2, 1, type);
    HostTensor a = tensor(std::string("64x") + type + "=random(5)");
    HostTensor actual = run(text, {a})[0];
    for (int64_t i = 0; i < 64; ++i) {
      double x = a.getFloat(i), e = std::exp(x);
      double expected = std::sqrt(std::pow(std::log1p(1 / std::sqrt(std::tanh(std::erf(e)))), e)) +
                        std::nearbyint(x);
      ASSERT_NEAR(actual.getFloat(i), expected, std::string(type) == "bf16" ? 0.05 : 0.01) << type;
    }
  }
}

// Near zero, where 1 + x and e^x have none of its digits.
TEST_F(HostReferenceTest, FunctionsNearZero) {
  for (StringRef type : {"f32", "bf16"}) {
    SCOPED_TRACE(type.str());
    std::string text = R"(
func.func @f(%x: tensor<4xT>) -> (tensor<4xT>, tensor<4xT>) {
  %0 = math.log1p %x : tensor<4xT>
  %1 = math.expm1 %x : tensor<4xT>
  return %0, %1 : tensor<4xT>, tensor<4xT>
})";
    for (size_t at; (at = text.find("xT>")) != std::string::npos;)
      text.replace(at + 1, 1, type.str());
    HostTensor x(type == "f32" ? ElementType::F32 : ElementType::BF16, {4});
    const double numbers[] = {0x1p-20, -0x1p-12, 0x1.8p-7, -0x1.4p-3};
    for (int64_t i = 0; i < 4; ++i)
      x.setFloat(i, numbers[i]);
    SmallVector<HostTensor> actual = run(text, {x});
    double ulp = type == "f32" ? 0x1p-23 : 0x1p-7;
    for (int64_t i = 0; i < 4; ++i) {
      double log = std::log1p(numbers[i]), exp = std::expm1(numbers[i]);
      EXPECT_NEAR(actual[0].getFloat(i), log, std::fabs(log) * ulp);
      EXPECT_NEAR(actual[1].getFloat(i), exp, std::fabs(exp) * ulp);
    }
  }
}

TEST_F(HostReferenceTest, ElementwiseOpsOnTensors) {
  EXPECT_EQ(run(R"(
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  %1 = math.sqrt %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
})",
                {tensor("4xf32=1 2 3 4"), tensor("4xf32=0 2 6 12")})[0],
            tensor("4xf32=1 2 3 4"));
}

TEST_F(HostReferenceTest, UndefinedDataDoesNotEndTheProcess) {
  EXPECT_EQ(run(R"(
func.func @f(%indices: tensor<4xi32>, %table: tensor<3xi32>) -> tensor<4xi32> {
  %empty = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%indices : tensor<4xi32>) outs(%empty : tensor<4xi32>) {
  ^bb0(%x: i32, %unused: i32):
    %i = arith.index_cast %x : i32 to index
    %element = tensor.extract %table[%i] : tensor<3xi32>
    %0 = arith.divsi %element, %x : i32
    %1 = arith.remsi %element, %x : i32
    %2 = arith.addi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
})",
                {tensor("4xi32=-1 0 2 1000000000"), tensor("3xi32=-2147483648 7 9")})[0],
            tensor("4xi32=-2147483648 0 5 9"));
}

TEST_F(HostReferenceTest, UndefinedShiftsAreTheInstructionSets) {
  auto results = run(R"(
func.func @f(%x: tensor<5xi8>, %s: tensor<5xi8>)
    -> (tensor<5xi8>, tensor<5xi8>, tensor<5xi8>) {
  %0 = arith.shli %x, %s : tensor<5xi8>
  %1 = arith.shrsi %x, %s : tensor<5xi8>
  %2 = arith.shrui %x, %s : tensor<5xi8>
  return %0, %1, %2 : tensor<5xi8>, tensor<5xi8>, tensor<5xi8>
})",
                     {tensor("5xi8=-3 -3 -3 -3 3"), tensor("5xi8=1 8 127 -1 7")});
  EXPECT_EQ(results[0], tensor("5xi8=-6 0 0 0 -128"));
  EXPECT_EQ(results[1], tensor("5xi8=-2 -1 -1 -3 0"));
  EXPECT_EQ(results[2], tensor("5xi8=126 0 0 0 0"));
}

TEST_F(HostReferenceTest, ValuesMayBeReturnedTwice) {
  HostTensor a = tensor("4xf32=random(1)");
  auto results = run(R"(
func.func @f(%a: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.negf %a : tensor<4xf32>
  return %0, %0, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
})",
                     {a});
  EXPECT_EQ(results[0].getFloat(2), -a.getFloat(2));
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], a);
  EXPECT_EQ(results[3], a);
}

TEST_F(HostReferenceTest, ReportsWhatItCannotRun) {
  EXPECT_EQ(createError("func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
                        "  return %a : tensor<?xf32>\n}"),
            "host reference: expected a statically shaped tensor of i1, i8, i16, i32, i64, f16, "
            "bf16, f32 or f64 as input 0 but found tensor<?xf32>");
  EXPECT_EQ(createError("func.func private @f(tensor<4xf32>)"), "host reference: 'f' has no body");
  context.allowUnregisteredDialects();
  std::string error = createError("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                                  "  %0 = \"x.y\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n"
                                  "  return %0 : tensor<4xf32>\n}");
  EXPECT_NE(error.find("cannot lower the function for the host"), std::string::npos) << error;
  EXPECT_NE(error.find("x.y"), std::string::npos) << error;
  EXPECT_EQ(llvm::toString(HostReference::create(*module, "g").takeError()),
            "host reference: there is no function 'g'");

  auto reference = unwrap(HostReference::create(parse(matmul)));
  EXPECT_EQ(llvm::toString(reference->run({}).takeError()),
            "host reference: expected 2 inputs but found 0");
  HostTensor a = tensor("37x130xf16");
  EXPECT_EQ(llvm::toString(reference->run({a, a}).takeError()),
            "host reference: expected a 37x130xf32 as input 0 but found a 37x130xf16");
}

TEST_F(HostReferenceTest, DoesNotChangeItsInputAndCompilesEqualFunctionsOnce) {
  func::FuncOp func = parse(std::string(matmul) + R"(
func.func @g(%x: tensor<37x130xf32> {x.y}, %b: tensor<130x45xf32>) -> tensor<37x45xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x45xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x45xf32>) -> tensor<37x45xf32>
  %0 = linalg.matmul ins(%x, %b : tensor<37x130xf32>, tensor<130x45xf32>)
                     outs(%init : tensor<37x45xf32>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @h(%x: tensor<37x130xf32>) -> tensor<37x130xf32> {
  return %x : tensor<37x130xf32>
})");
  std::string before, after;
  llvm::raw_string_ostream(before) << *module;
  int numPrepared = 0;
  HostReferenceOptions options;
  options.prepare = [&](OpPassManager &pm) {
    ++numPrepared;
    pm.addPass(createCSEPass());
  };
  HostReferenceCache cache(options);
  HostReference *first = unwrap(cache.getReference(func));
  EXPECT_EQ(unwrap(cache.getReference(module->lookupSymbol<func::FuncOp>("g"))), first);
  EXPECT_NE(unwrap(cache.getReference(module->lookupSymbol<func::FuncOp>("h"))), first);
  EXPECT_EQ(cache.getNumReferences(), 2u);
  EXPECT_EQ(numPrepared, 2);
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
}

TEST_F(HostReferenceTest, ReadsConstants) {
  auto read = [&](StringRef text) { return getHostTensor(parseAttribute(text, &context)); };
  EXPECT_EQ(unwrap(read("dense<[1, -2]> : tensor<2xi8>")), tensor("2xi8=1 -2"));
  EXPECT_EQ(unwrap(read("dense<1.5> : tensor<3xbf16>")), tensor("3xbf16=1.5"));
  EXPECT_EQ(unwrap(read("dense<[true, false, true]> : tensor<3xi1>")), tensor("3xi1=1 0 1"));
  EXPECT_EQ(unwrap(read("dense<true> : tensor<3xi1>")), tensor("3xi1=1"));
  EXPECT_EQ(unwrap(read("-7 : i64")), tensor("i64=-7"));
  EXPECT_EQ(unwrap(read("2.5 : f16")), tensor("f16=2.5"));
  EXPECT_EQ(llvm::toString(read("dense<1> : tensor<3xi4>").takeError()),
            "constant of type tensor<3xi4> has no static shape or an unsupported element type");
}

TEST_F(HostReferenceTest, BoundOfAMatmulAndItsTail) {
  HostTensor a = tensor("37x130xf32=random(1)"), b = tensor("130x45xf32=random(2)");
  HostTensor bound = unwrap(computeContractionBound(parse(matmul), {a, b}))[0];
  for (int64_t i = 0; i < 37; ++i)
    for (int64_t j = 0; j < 45; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < 130; ++l)
        sum += std::abs(a.getFloat(i * 130 + l) * b.getFloat(l * 45 + j));
      // The distance is evaluated in f32, so it is off by the rounding of the sum.
      double expected = 2 * 130 * 0x1p-24 * sum;
      ASSERT_NEAR(bound.getFloat(i * 45 + j), expected, 1e-5 * sum);
      ASSERT_GT(bound.getFloat(i * 45 + j), 0);
    }

  // Scaled by 4, bias added, clamped to [0, 1] and transposed.
  HostTensor tail = unwrap(computeContractionBound(parse(R"(
func.func @f(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %empty = tensor.empty() : tensor<3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x4xf32>) -> tensor<3x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>)
                     outs(%init : tensor<3x4xf32>) -> tensor<3x4xf32>
  %out = tensor.empty() : tensor<4x3xf32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<3x4xf32>) outs(%out : tensor<4x3xf32>) {
  ^bb0(%x: f32, %unused: f32):
    %2 = arith.mulf %x, %four : f32
    %3 = arith.maximumf %2, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
})"),
                                                   {tensor("3x8xf32=1"), tensor("8x4xf32=-1")}))[0];
  EXPECT_EQ(tail.getTypeString(), "4x3xf64");
  EXPECT_EQ(tail.getFloat(0), 0) << "far below zero nothing gets through the ReLU";
}

TEST_F(HostReferenceTest, BoundCoversSumsInAnotherOrder) {
  HostTensor a = tensor("37x130xf32=random(1)"), b = tensor("130x45xf32=random(2)");
  HostTensor expected = run(matmul, {a, b})[0];
  HostTensor backwards(ElementType::F32, {37, 45});
  for (int64_t i = 0; i < 37; ++i)
    for (int64_t j = 0; j < 45; ++j) {
      float sum = 0;
      for (int64_t l = 130; l-- > 0;)
        sum += static_cast<float>(a.getFloat(i * 130 + l) * b.getFloat(l * 45 + j));
      backwards.setFloat(i * 45 + j, sum);
    }
  EXPECT_FALSE(unwrap(compare(expected, backwards)).passed);
  Tolerance tolerance =
      Tolerance::fromBound(unwrap(computeContractionBound(parse(matmul), {a, b}))[0]);
  EXPECT_TRUE(unwrap(compare(expected, backwards, tolerance)).passed);
  backwards.setFloat(0, backwards.getFloat(0) + 0.01);
  EXPECT_EQ(unwrap(compare(expected, backwards, tolerance)).firstMismatch, 0);
}

/// Where elements of one sum meet, a pattern of signs that moves both alike shows nothing. Two such
/// patterns are all that a single sum is moved by at first.
TEST_F(HostReferenceTest, ThoroughBoundMovesElementsApart) {
  func::FuncOp function = parse(R"(
func.func @f(%a: tensor<2x8xf32>, %b: tensor<8x64xf32>) -> tensor<2x63xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x64xf32>) -> tensor<2x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x8xf32>, tensor<8x64xf32>)
                     outs(%init : tensor<2x64xf32>) -> tensor<2x64xf32>
  %1 = tensor.extract_slice %0[0, 0] [2, 63] [1, 1] : tensor<2x64xf32> to tensor<2x63xf32>
  %2 = tensor.extract_slice %0[0, 1] [2, 63] [1, 1] : tensor<2x64xf32> to tensor<2x63xf32>
  %out = tensor.empty() : tensor<2x63xf32>
  %3 = linalg.sub ins(%1, %2 : tensor<2x63xf32>, tensor<2x63xf32>)
                  outs(%out : tensor<2x63xf32>) -> tensor<2x63xf32>
  return %3 : tensor<2x63xf32>
})");
  std::vector<HostTensor> inputs = {tensor("2x8xf32=1"), tensor("8x64xf32=3")};
  std::unique_ptr<ContractionBound> bound = unwrap(ContractionBound::create(function));
  HostTensor quick = unwrap(bound->evaluate(inputs))[0];
  HostTensor thorough = unwrap(bound->evaluate(inputs, ContractionBound::Effort::Thorough))[0];
  const double allowed = 2 * 8 * 0x1p-24 * 24; // for each of the two
  for (int64_t i = 0; i < quick.getNumElements(); ++i) {
    EXPECT_EQ(quick.getFloat(i), 0);
    EXPECT_NEAR(thorough.getFloat(i), 2 * allowed, 0.2 * allowed);
  }
}

/// A softmax may take its exponentials of the largest element of a block and scale the product
/// afterwards: what vanishes in f16 with the row's own largest element does not then.
TEST_F(HostReferenceTest, BoundCoversWeightsThatVanish) {
  StringRef text = R"(
func.func @f(%x: tensor<1x2xf32>, %v: tensor<2x1xf16>) -> tensor<1x1xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%e1 : tensor<1xf32>) -> tensor<1xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x2xf32>) outs(%m0 : tensor<1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  %e2 = tensor.empty() : tensor<1x2xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<1x2xf32>, tensor<1xf32>) outs(%e2 : tensor<1x2xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    %h = arith.truncf %r : f32 to f16
    linalg.yield %h : f16
  } -> tensor<1x2xf16>
  %e3 = tensor.empty() : tensor<1x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e3 : tensor<1x1xf32>) -> tensor<1x1xf32>
  %y = linalg.matmul ins(%w, %v : tensor<1x2xf16>, tensor<2x1xf16>) outs(%i : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
})";
  // The largest one has no part in the result, the other one has exp(-20) times 8.
  HostTensor x = tensor("1x2xf32=20 0"), v = tensor("2x1xf16=0 8");
  EXPECT_EQ(run(text, {x, v})[0].getFloat(0), 0);
  double bound = unwrap(computeContractionBound(parse(text), {x, v}))[0].getFloat(0);
  EXPECT_GE(bound, std::exp(-20) * 8);
  // A rounding on each side, of numbers that are half the smallest one apart at most.
  EXPECT_NEAR(bound, 0x1p-24 * 8, 0.01 * 0x1p-24 * 8);
}

/// Rows of 7 elements fill no vector; 33 filters do.
TEST_F(HostReferenceTest, ShortRowsTransposeTheOutput) {
  HostTensor image = tensor("8x9x9xf32=random(1)"), filter = tensor("33x8x3x3xf32=random(2)");
  HostTensor actual = run(R"(
func.func @f(%image: tensor<8x9x9xf32>, %filter: tensor<33x8x3x3xf32>) -> tensor<33x7x7xf32> {
  %init = arith.constant dense<0.5> : tensor<33x7x7xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(f, y, x, c, i, j) -> (c, y + i, x + j)>,
                       affine_map<(f, y, x, c, i, j) -> (f, c, i, j)>,
                       affine_map<(f, y, x, c, i, j) -> (f, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %filter : tensor<8x9x9xf32>, tensor<33x8x3x3xf32>)
      outs(%init : tensor<33x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<33x7x7xf32>
  return %0 : tensor<33x7x7xf32>
})",
                          {image, filter})[0];
  for (int64_t f = 0; f < 33; ++f)
    for (int64_t y = 0; y < 7; ++y)
      for (int64_t x = 0; x < 7; ++x) {
        float sum = 0.5f;
        for (int64_t c = 0; c < 8; ++c)
          for (int64_t k = 0; k < 9; ++k)
            sum += static_cast<float>(image.getFloat((c * 9 + y + k / 3) * 9 + x + k % 3)) *
                   static_cast<float>(filter.getFloat((f * 8 + c) * 9 + k));
        ASSERT_EQ(actual.getFloat((f * 7 + y) * 7 + x), sum);
      }
}

/// Whether something is computed of two values that depend on the matmul's sums, which `tail`
/// reads.
static std::string getTail(StringRef body) {
  return (R"(
func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %r: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
)" + body +
          R"(
  return %y : tensor<4x4xf32>
})")
      .str();
}

TEST_F(HostReferenceTest, SumsThatAreReadTwice) {
  auto rejoins = [&](StringRef body) {
    std::unique_ptr<ContractionBound> bound =
        unwrap(ContractionBound::create(parse(getTail(body))));
    return bound->rejoinsSums();
  };
  constexpr StringRef generic =
      "%y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> "
      "(i, "
      "j)>, affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]} "
      "ins(%m, %r : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {\n"
      "^bb0(%a: f32, %b: f32, %o: f32):\n";
  constexpr StringRef end = "linalg.yield %t : f32\n} -> tensor<4x4xf32>";
  // In one body: hard swish, and a sum of a residual and what is clamped.
  EXPECT_TRUE(rejoins((generic + R"(
    %0 = arith.addf %a, %three : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.minimumf %1, %six : f32
    %3 = arith.divf %2, %six : f32
    %t = arith.mulf %a, %3 : f32
)" + end)
                          .str()));
  EXPECT_FALSE(rejoins((generic + R"(
    %0 = arith.addf %a, %b : f32
    %1 = arith.maximumf %0, %zero : f32
    %t = arith.mulf %1, %six : f32
)" + end)
                           .str()));
  // What is chosen of two is one of them.
  EXPECT_FALSE(rejoins((generic + R"(
    %0 = arith.mulf %a, %three : f32
    %t = arith.maximumf %a, %0 : f32
)" + end)
                           .str()));
  // In several ops.
  EXPECT_TRUE(rejoins(R"(
  %0 = arith.maximumf %m, %r : tensor<4x4xf32>
  %y = arith.mulf %0, %m : tensor<4x4xf32>)"));
  EXPECT_FALSE(rejoins(R"(
  %0 = arith.maximumf %m, %r : tensor<4x4xf32>
  %y = arith.mulf %0, %r : tensor<4x4xf32>)"));
}

/// Two sums of 2000, each less than half from where it would count in f16, between whose numbers
/// there are 2.
TEST_F(HostReferenceTest, SumsThatAreRoundedTogether) {
  func::FuncOp func = parse(R"(
func.func @f(%x: tensor<1x2000xf32>, %w: tensor<2000x1xf32>, %r: tensor<1x1xf32>) -> tensor<1x1xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %a = linalg.matmul ins(%x, %w : tensor<1x2000xf32>, tensor<2000x1xf32>) outs(%i : tensor<1x1xf32>) -> tensor<1x1xf32>
  %b = linalg.matmul ins(%x, %w : tensor<1x2000xf32>, tensor<2000x1xf32>) outs(%i : tensor<1x1xf32>) -> tensor<1x1xf32>
  %0 = arith.addf %a, %r : tensor<1x1xf32>
  %1 = arith.addf %0, %b : tensor<1x1xf32>
  %2 = arith.truncf %1 : tensor<1x1xf32> to tensor<1x1xf16>
  return %2 : tensor<1x1xf16>
})");
  HostTensor x = tensor("1x2000xf32=1"), w = tensor("2000x1xf32=1");
  auto getBound = [&](StringRef offset) {
    auto bounds = computeContractionBound(func, {x, w, tensor(("1x1xf32=" + offset).str())});
    return unwrap(std::move(bounds))[0].getFloat(0);
  };
  // Half a number is 0.477, and both are less than one.
  EXPECT_EQ(getBound("0"), 0);
  EXPECT_EQ(getBound("0.5"), 2);
}

TEST_F(HostReferenceTest, BoundOfElementaryFunctionsAndTheirTail) {
  HostTensor x = tensor("64xf32=random(1)");
  func::FuncOp func = parse(R"(
func.func @f(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = math.exp %x : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %1 = arith.subf %0, %one : tensor<64xf32>
  %2 = arith.mulf %x, %x : tensor<64xf32>
  return %0, %1, %2 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
})");
  EXPECT_TRUE(hasMathErrors(func));
  auto bounds = unwrap(computeContractionBound(func, {x}));
  for (int64_t i = 0; i < 64; ++i) {
    double exact = std::exp(x.getFloat(i)), ulp = getUlp(exact, ElementType::F32);
    EXPECT_GE(bounds[0].getFloat(i), ulp);
    EXPECT_LE(bounds[0].getFloat(i), 5 * ulp);
    // What cancels keeps its absolute error.
    EXPECT_GE(bounds[1].getFloat(i), ulp);
    EXPECT_EQ(bounds[2].getFloat(i), 0);
  }
}

TEST_F(HostReferenceTest, InfiniteResultsOfElementaryFunctionsHaveNoBound) {
  func::FuncOp func = parse(R"(
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %0 = math.exp %x : tensor<2xf32>
  %1 = arith.divf %one, %0 : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
})");
  auto bounds = unwrap(computeContractionBound(func, {tensor("2xf32=200 -200")}));
  EXPECT_EQ(bounds[0].getFloat(0), 0);
  EXPECT_EQ(bounds[1].getFloat(0), 0);
}

TEST_F(HostReferenceTest, IntegerFunctionsHaveNoBound) {
  HostTensor bound = unwrap(computeContractionBound(
      parse("func.func @f(%a: tensor<4xi8>) -> tensor<4xi8> { return %a : tensor<4xi8> }"),
      {tensor("4xi8=1 2 3 4")}))[0];
  EXPECT_EQ(bound, tensor("4xf64=0"));
}

} // namespace
