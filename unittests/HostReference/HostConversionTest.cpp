//===- HostConversionTest.cpp - conversions to floats round once ----------===//
//
// Every conversion of an integer or a float to a float, as native code, against APFloat, which
// rounds the exact value. Values are random in all magnitudes, near those in the middle of two
// floats (where a first rounding decides the second), and for narrow types all there are.
//
//===----------------------------------------------------------------------===//

#include "NPU/HostReference/HostReference.h"

#include "../Tensor/Unwrap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace npu::runtime;
using llvm::APFloat;
using llvm::APInt;

namespace {

struct Format {
  const char *name;
  const llvm::fltSemantics &semantics;
  ElementType type;
};

const Format &getFormat(StringRef name) {
  static const Format formats[] = {{"f16", APFloat::IEEEhalf(), ElementType::F16},
                                   {"bf16", APFloat::BFloat(), ElementType::BF16},
                                   {"f32", APFloat::IEEEsingle(), ElementType::F32},
                                   {"f64", APFloat::IEEEdouble(), ElementType::F64}};
  return *llvm::find_if(formats, [&](const Format &format) { return format.name == name; });
}

/// `op` on all of `values`, which are the bits of `from`. If there is a type `between`, `op` gives
/// that and is truncated.
std::vector<uint64_t> convert(StringRef op, StringRef from, StringRef to, ArrayRef<uint64_t> values,
                              StringRef between = "") {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                      tensor::TensorDialect>();
  std::string shape = std::to_string(values.size()) + "x";
  std::string in = ("tensor<" + shape + from + ">").str(),
              out = ("tensor<" + shape + to + ">").str();
  std::string middle = between.empty() ? out : ("tensor<" + shape + between + ">").str();
  std::string text = "func.func @f(%x: " + in + ") -> " + out + " {\n  %0 = arith." + op.str() +
                     " %x : " + in + " to " + middle;
  if (!between.empty())
    text += "\n  %1 = arith.truncf %0 : " + middle + " to " + out;
  text += std::string("\n  return ") + (between.empty() ? "%0" : "%1") + " : " + out + "\n}";
  auto module = parseSourceString<ModuleOp>(text, &context);
  auto reference = unwrap(HostReference::create(*module->getOps<func::FuncOp>().begin()));
  HostTensor input(reference->getInputTypes()[0].elementType, {int64_t(values.size())});
  size_t size = input.getBytes().size() / values.size();
  for (auto [index, value] : llvm::enumerate(values))
    std::memcpy(&input.getMutableBytes()[index * size], &value, size);
  HostTensor output = unwrap(reference->run({input}))[0];
  std::vector<uint64_t> result(values.size(), 0);
  size = output.getBytes().size() / values.size();
  for (auto [index, value] : llvm::enumerate(result))
    std::memcpy(&value, &output.getBytes()[index * size], size);
  return result;
}

std::mt19937_64 makeRandom() { return std::mt19937_64(4711); }

/// Integers of `width` bits: random ones, and those around the middle of two floats of `precision`.
std::vector<uint64_t> getIntegers(unsigned width, unsigned precision) {
  std::mt19937_64 random = makeRandom();
  std::vector<uint64_t> values = {0};
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  if (width <= 16) {
    for (uint64_t value = 0; value <= mask; ++value)
      values.push_back(value);
    return values;
  }
  for (int i = 0; i < 20000; ++i)
    values.push_back((random() >> (random() % 64)) & mask);
  for (unsigned top = precision; top < width; ++top)
    for (int i = 0; i < 200; ++i) {
      unsigned shift = top - precision;
      uint64_t middle = (((uint64_t(1) << precision) | random() % (uint64_t(1) << precision)) | 1)
                        << shift;
      uint64_t nudge = random() % 2 ? 0 : uint64_t(1) << (random() % (shift + 1)) >> 1;
      uint64_t value = random() % 2 ? middle + nudge : middle - nudge;
      values.push_back((random() % 2 ? value : -value) & mask);
    }
  return values;
}

void expectIntegersToRoundOnce(StringRef op, unsigned width, StringRef to) {
  const Format &format = getFormat(to);
  std::vector<uint64_t> values = getIntegers(width, APFloat::semanticsPrecision(format.semantics));
  std::vector<uint64_t> results = convert(op, "i" + std::to_string(width), to, values);
  int64_t numWrong = 0;
  for (auto [value, result] : llvm::zip_equal(values, results)) {
    APFloat expected(format.semantics);
    expected.convertFromAPInt(APInt(width, value), op == "sitofp", APFloat::rmNearestTiesToEven);
    if (expected.bitcastToAPInt().getZExtValue() == result || ++numWrong > 3)
      continue;
    ADD_FAILURE() << op.str() << " i" << width << " to " << to.str() << ": " << value << " is "
                  << result << ", expected " << expected.bitcastToAPInt().getZExtValue();
  }
  EXPECT_EQ(numWrong, 0) << "of " << values.size();
}

TEST(HostConversionTest, IntegersRoundOnce) {
  for (StringRef to : {"f16", "bf16", "f32", "f64"})
    for (unsigned width : {8, 16, 32, 64}) {
      expectIntegersToRoundOnce("sitofp", width, to);
      expectIntegersToRoundOnce("uitofp", width, to);
    }
}

/// Floats of `from`: random ones, and those around the middle of two floats of `to`.
std::vector<uint64_t> getFloats(const Format &from, const Format &to) {
  std::mt19937_64 random = makeRandom();
  std::vector<uint64_t> values;
  unsigned width = APFloat::semanticsSizeInBits(from.semantics);
  for (int i = 0; i < 20000; ++i)
    values.push_back(random() >> (64 - width));
  for (int i = 0; i < 40000; ++i) {
    // A float of the narrow type, subnormal ones too, and the middle to the next one.
    unsigned toWidth = APFloat::semanticsSizeInBits(to.semantics);
    APFloat low(to.semantics, APInt(toWidth, random() >> (65 - toWidth)));
    if (!low.isFinite())
      continue;
    APFloat high = low;
    high.next(/*nextDown=*/false);
    if (!high.isFinite())
      continue;
    bool ignored;
    low.convert(from.semantics, APFloat::rmNearestTiesToEven, &ignored);
    high.convert(from.semantics, APFloat::rmNearestTiesToEven, &ignored);
    APFloat half(from.semantics, "0.5");
    low.multiply(half, APFloat::rmNearestTiesToEven);
    high.multiply(half, APFloat::rmNearestTiesToEven);
    low.add(high, APFloat::rmNearestTiesToEven);
    uint64_t bits = low.bitcastToAPInt().getZExtValue();
    uint64_t nudge = uint64_t(1) << (random() % 30);
    uint64_t sign = (random() % 2) << (width - 1);
    uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width); // zero has nothing below
    values.insert(values.end(),
                  {bits | sign, ((bits + nudge) & mask) | sign, ((bits - nudge) & mask) | sign});
  }
  return values;
}

TEST(HostConversionTest, FloatsRoundOnce) {
  for (auto [fromName, toName] :
       {std::pair("f64", "f32"), std::pair("f64", "f16"), std::pair("f64", "bf16"),
        std::pair("f32", "f16"), std::pair("f32", "bf16")}) {
    const Format &from = getFormat(fromName), &to = getFormat(toName);
    std::vector<uint64_t> values = getFloats(from, to);
    std::vector<uint64_t> results = convert("truncf", fromName, toName, values);
    int64_t numWrong = 0;
    for (auto [value, result] : llvm::zip_equal(values, results)) {
      APFloat expected(from.semantics, APInt(APFloat::semanticsSizeInBits(from.semantics), value));
      bool isNaN = expected.isNaN(), ignored;
      expected.convert(to.semantics, APFloat::rmNearestTiesToEven, &ignored);
      APFloat actual(to.semantics, APInt(APFloat::semanticsSizeInBits(to.semantics), result));
      if (isNaN ? actual.isNaN() : actual.bitwiseIsEqual(expected))
        continue;
      if (++numWrong <= 3)
        ADD_FAILURE() << fromName << " to " << toName << ": " << value << " is " << result
                      << ", expected " << expected.bitcastToAPInt().getZExtValue();
    }
    EXPECT_EQ(numWrong, 0) << "of " << values.size();
  }
}

/// Where the IR rounds twice, so does the code.
TEST(HostConversionTest, TwoConversionsRoundTwice) {
  std::vector<uint64_t> values = getIntegers(32, 8);
  std::vector<uint64_t> wide = convert("sitofp", "i32", "f32", values);
  std::vector<uint64_t> expected = convert("truncf", "f32", "bf16", wide);
  std::vector<uint64_t> once = convert("sitofp", "i32", "bf16", values);
  EXPECT_NE(expected, once);
  EXPECT_EQ(convert("sitofp", "i32", "bf16", values, "f32"), expected);
}

} // namespace
