//===- AnyQuantizedPoolTest.cpp - averages of quantized numbers are exact -===//
//
// TOSA's average pooling with random windows, padding and zero points, on random chips without
// floats, bit for bit as the host has it and as the loops below.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;

namespace {

struct QuantizedPool {
  ElementType type = ElementType::I8;
  std::vector<int64_t> input; ///< n, h, w, c
  int64_t kernel[2], stride[2], low[2], high[2];
  int64_t inputZero = 0, outputZero = 0;

  std::vector<int64_t> getOutput() const {
    std::vector<int64_t> output = input;
    for (int i : {0, 1})
      output[1 + i] = (input[1 + i] + low[i] + high[i] - kernel[i]) / stride[i] + 1;
    return output;
  }
  std::string getText() const;
};

std::string QuantizedPool::getText() const {
  std::string element = getElementTypeName(type).str(), in = getTensorType(input, type),
              out = getTensorType(getOutput(), type);
  return llvm::formatv(
      R"(func.func @f(%x: {0}) -> {1} {{
  %a = "tosa.const"() <{{values = dense<{2}> : tensor<1x{4}>}> : () -> tensor<1x{4}>
  %b = "tosa.const"() <{{values = dense<{3}> : tensor<1x{4}>}> : () -> tensor<1x{4}>
  %0 = tosa.avg_pool2d %x, %a, %b {{acc_type = i32, kernel = array<i64: {5}, {6}>, pad = array<i64: {7}, {8}, {9}, {10}>, stride = array<i64: {11}, {12}>} : ({0}, tensor<1x{4}>, tensor<1x{4}>) -> {1}
  return %0 : {1}
})",
      in, out, inputZero, outputZero, element, kernel[0], kernel[1], low[0], high[0], low[1],
      high[1], stride[0], stride[1]);
}

/// As TOSA's specification computes it.
HostTensor compute(const QuantizedPool &test, const HostTensor &input) {
  HostTensor result(test.type, test.getOutput());
  int64_t most = test.type == ElementType::I8 ? 127 : 32767;
  forEachPosition(test.getOutput(), [&](ArrayRef<int64_t> at) {
    int64_t sum = 0, count = 0;
    for (int64_t y = 0; y < test.kernel[0]; ++y)
      for (int64_t x = 0; x < test.kernel[1]; ++x) {
        int64_t row = at[1] * test.stride[0] + y - test.low[0];
        int64_t column = at[2] * test.stride[1] + x - test.low[1];
        if (row < 0 || row >= test.input[1] || column < 0 || column >= test.input[2])
          continue;
        sum += input.getInt(getOffset(test.input, {at[0], row, column, at[3]})) - test.inputZero;
        ++count;
      }
    int64_t bits = count == 1 ? 0 : llvm::Log2_64_Ceil(count), shift = 30 + bits;
    int64_t multiplier = (((int64_t(1) << 30) + 1) << bits) / count;
    int64_t average = (sum * multiplier + (int64_t(1) << (shift - 1))) >> shift;
    result.setInt(getOffset(test.getOutput(), at),
                  std::min(std::max(average + test.outputZero, -most - 1), most));
  });
  return result;
}

QuantizedPool makePool(Random &random) {
  QuantizedPool test;
  test.type = random.of({ElementType::I8, ElementType::I8, ElementType::I16});
  test.input = {random.in(1, 2), random.in(1, 20), random.in(1, 20),
                random.of<int64_t>({1, 3, 8, 17})};
  for (int i : {0, 1}) {
    // A window of one element, with steps, is a slice in a body, which runs on the host.
    test.kernel[i] = random.in(i == 1 && test.kernel[0] == 1 ? 2 : 1, 5);
    test.stride[i] = random.in(1, 3);
    test.low[i] = random.in(0, test.kernel[i] - 1);
    test.high[i] = random.in(0, test.kernel[i] - 1);
    // TOSA wants windows that the strides reach exactly.
    int64_t &extent = test.input[1 + i];
    while (extent + test.low[i] + test.high[i] < test.kernel[i] ||
           (extent + test.low[i] + test.high[i] - test.kernel[i]) % test.stride[i] != 0)
      ++extent;
  }
  if (test.type == ElementType::I8) {
    test.inputZero = random.in(-128, 127);
    test.outputZero = random.in(-128, 127);
  }
  return test;
}

void checkQuantizedPool(uint64_t seed, Placements &placements) {
  Random random(seed);
  Harness harness;
  std::string target = makeRandomTarget(random, ChipRange()) + ",vpuFloat=0";
  QuantizedPool test = makePool(random);
  HostTensor input(test.type, test.input);
  int64_t most = test.type == ElementType::I8 ? 127 : 32767;
  for (int64_t i = 0; i < input.getNumElements(); ++i)
    input.setInt(i, random.in(-most - 1, most));
  Tensors outputs = harness.expectHostResults(seed, target, test.getText(), {input}, placements);
  ASSERT_EQ(outputs.size(), 1u) << test.getText();
  HostTensor expected = compute(test, input);
  for (int64_t i = 0; i < expected.getNumElements(); ++i)
    ASSERT_EQ(outputs[0].getInt(i), expected.getInt(i)) << test.getText() << "\nelement " << i;
}

class AnyQuantizedPool : public ::testing::TestWithParam<int> {};

TEST_P(AnyQuantizedPool, IsExact) {
  Placements placements;
  for (uint64_t seed = GetParam() * 10; seed < GetParam() * 10u + 10; ++seed)
    checkQuantizedPool(seed, placements);
  placements.expectOnNPU(100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyQuantizedPool, ::testing::Range(0, 5));

} // namespace
