//===- AnyShapeConvTest.cpp - every convolution computes its sums ---------===//
//
// Seeded random convolutions: kernels, strides, dilations, groups, paddings with any value, both
// orders of dimensions, tails; bit for bit against the loop nest below, which knows one order of
// dimensions and reads the others through strides.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

enum class Tail { None, BiasRelu, Requantize };
enum class Grouping { None, Groups, Depthwise };

constexpr float requantScale = 0.0423f;

struct ConvCase {
  int64_t batches, groups, channels, filters; ///< channels and filters of one group
  int64_t kernel[2], stride[2], dilation[2], low[2], high[2], out[2], in[2];
  int64_t padValue;
  bool isChannelFirst;
  Grouping grouping;
  ElementType input, sum; ///< `sum`: of the convolution's result
  Tail tail;

  explicit ConvCase(Random &random);

  bool isPadded() const { return low[0] + low[1] + high[0] + high[1] != 0; }
  ElementType getResult() const { return tail == Tail::Requantize ? ElementType::I8 : sum; }

  std::vector<int64_t> getInputShape(int64_t height, int64_t width) const;
  std::vector<int64_t> getFilterShape() const;
  std::vector<int64_t> getOutputShape() const;
  std::vector<int64_t> getBiasShape() const;
  std::string getText() const;
};

ConvCase::ConvCase(Random &random) {
  bool isLarge = random.chance(10);
  batches = random.chance(75) ? 1 : random.in(2, 3);
  grouping = random.of({Grouping::None, Grouping::None, Grouping::Groups, Grouping::Depthwise});
  groups = grouping == Grouping::None ? 1 : grouping == Grouping::Groups ? 2 : 0;
  channels = random.of<int64_t>({1, 2, 3, 5, 8, 17, 31, 32, 33});
  filters = random.of<int64_t>({1, 2, 4, 7, 16, 31, 32, 33, 65});
  if (grouping == Grouping::Depthwise) {
    groups = random.of<int64_t>({1, 3, 8, 31, 32, 33, 70});
    channels = filters = 1;
  }
  int64_t sharedKernel = random.of<int64_t>({1, 3, 5, 7});
  for (unsigned dim : {0, 1}) {
    kernel[dim] = random.chance(80) ? sharedKernel : random.of<int64_t>({1, 3, 5, 7});
    stride[dim] = random.of<int64_t>({1, 1, 2, 3});
    dilation[dim] = random.of<int64_t>({1, 1, 2});
    out[dim] = isLarge ? random.in(20, 60) : random.in(1, 13);
    int64_t padded = (out[dim] - 1) * stride[dim] + (kernel[dim] - 1) * dilation[dim] + 1 +
                     random.in(0, stride[dim] - 1);
    int64_t reach = std::min((kernel[dim] - 1) * dilation[dim], (padded - 1) / 2);
    bool hasPadding = random.chance(60);
    low[dim] = hasPadding ? random.in(0, reach) : 0;
    high[dim] = hasPadding ? random.in(0, reach) : 0;
    in[dim] = padded - low[dim] - high[dim];
  }
  padValue = random.chance(50) ? 0 : random.in(-4, 4);
  isChannelFirst = random.chance(50);
  input = random.of({ElementType::I8, ElementType::F16, ElementType::F32});
  sum = input == ElementType::I8                         ? ElementType::I32
        : input == ElementType::F16 && random.chance(50) ? ElementType::F16
                                                         : ElementType::F32;
  tail = random.of({Tail::None, Tail::BiasRelu, Tail::BiasRelu});
  if (input == ElementType::I8 && random.chance(50))
    tail = Tail::Requantize;
}

std::vector<int64_t> ConvCase::getInputShape(int64_t height, int64_t width) const {
  switch (grouping) {
  case Grouping::None:
    return isChannelFirst ? std::vector{batches, channels, height, width}
                          : std::vector{batches, height, width, channels};
  case Grouping::Groups:
    return isChannelFirst ? std::vector{batches, groups, channels, height, width}
                          : std::vector{batches, height, width, groups, channels};
  case Grouping::Depthwise:
    return isChannelFirst ? std::vector{batches, groups, height, width}
                          : std::vector{batches, height, width, groups};
  }
  llvm_unreachable("covered");
}

std::vector<int64_t> ConvCase::getOutputShape() const {
  ConvCase output = *this;
  output.channels = filters;
  return output.getInputShape(out[0], out[1]);
}

std::vector<int64_t> ConvCase::getFilterShape() const {
  int64_t y = kernel[0], x = kernel[1];
  switch (grouping) {
  case Grouping::None:
    return isChannelFirst ? std::vector{filters, channels, y, x}
                          : std::vector{y, x, channels, filters};
  case Grouping::Groups:
    return isChannelFirst ? std::vector{groups, filters, channels, y, x}
                          : std::vector{groups, filters, y, x, channels};
  case Grouping::Depthwise:
    return isChannelFirst ? std::vector{groups, y, x} : std::vector{y, x, groups};
  }
  llvm_unreachable("covered");
}

std::vector<int64_t> ConvCase::getBiasShape() const {
  switch (grouping) {
  case Grouping::None:
    return {filters};
  case Grouping::Groups:
    return {groups, filters};
  case Grouping::Depthwise:
    return {groups};
  }
  llvm_unreachable("covered");
}

std::string ConvCase::getText() const {
  StringRef sumName = getElementTypeName(sum);
  std::vector<int64_t> image = getInputShape(in[0], in[1]);
  std::string inputType = getTensorType(image, input);
  std::string filterType = getTensorType(getFilterShape(), input);
  std::string sumType = getTensorType(getOutputShape(), sum);
  std::string biasType = getTensorType(getBiasShape(), sum);
  std::string resultType = getTensorType(getOutputShape(), getResult());

  std::string text =
      llvm::formatv("func.func @conv(%input: {0}, %filter: {1}", inputType, filterType);
  if (tail != Tail::None)
    text += ", %bias: " + biasType;
  text += ") -> " + resultType + " {\n";
  StringRef source = "%input";
  if (isPadded()) {
    // The height and width stand where an input of these sizes has them.
    std::vector<int64_t> lows = getInputShape(-1, -2), highs = lows;
    for (unsigned dim = 0; dim < lows.size(); ++dim) {
      int64_t size = lows[dim];
      lows[dim] = size < 0 ? low[-size - 1] : 0;
      highs[dim] = size < 0 ? high[-size - 1] : 0;
    }
    text += getPad("%padded", "%input", image, lows, highs, padValue, input);
    source = "%padded";
    inputType = getTensorType(getPadded(image, lows, highs), input);
  }
  StringRef opName;
  switch (grouping) {
  case Grouping::None:
    opName = isChannelFirst ? "conv_2d_nchw_fchw" : "conv_2d_nhwc_hwcf";
    break;
  case Grouping::Groups:
    opName = isChannelFirst ? "conv_2d_ngchw_gfchw" : "conv_2d_nhwgc_gfhwc";
    break;
  case Grouping::Depthwise:
    opName = isChannelFirst ? "depthwise_conv_2d_nchw_chw" : "depthwise_conv_2d_nhwc_hwc";
    break;
  }
  text += llvm::formatv(R"(  %zero = arith.constant {0}
  %empty = tensor.empty() : {2}
  %init = linalg.fill ins(%zero : {1}) outs(%empty : {2}) -> {2}
  %sum = linalg.{3} {{strides = dense<[{4}, {5}]> : tensor<2xi64>, dilations = dense<[{6}, {7}]> : tensor<2xi64>}
      ins({8}, %filter : {9}, {10}) outs(%init : {2}) -> {2}
)",
                        getConstant(0, sum), sumName, sumType, opName, stride[0], stride[1],
                        dilation[0], dilation[1], source, inputType, filterType);
  if (tail == Tail::None)
    return text + "  return %sum : " + resultType + "\n}\n";

  // The bias follows the output's channel dimensions.
  StringRef dims, biasDims, iterators = "\"parallel\", \"parallel\", \"parallel\", \"parallel\"";
  if (grouping == Grouping::Groups) {
    dims = isChannelFirst ? "n, g, f, h, w" : "n, h, w, g, f";
    biasDims = "g, f";
    iterators = "\"parallel\", \"parallel\", \"parallel\", \"parallel\", \"parallel\"";
  } else {
    dims = isChannelFirst ? "n, f, h, w" : "n, h, w, f";
    biasDims = "f";
  }
  StringRef resultName = getElementTypeName(getResult());
  text += llvm::formatv(R"(  %destination = tensor.empty() : {0}
  %scale = arith.constant {1} : f32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %result = linalg.generic {{indexing_maps = [affine_map<({2}) -> ({2})>, affine_map<({2}) -> ({3})>,
        affine_map<({2}) -> ({2})>], iterator_types = [{4}]}
      ins(%sum, %bias : {5}, {6}) outs(%destination : {0}) {{
  ^bb0(%x: {7}, %b: {7}, %o: {8}):
)",
                        resultType, llvm::formatv("{0:E}", requantScale).str(), dims, biasDims,
                        iterators, sumType, biasType, sumName, resultName);
  if (tail == Tail::Requantize)
    text += R"(    %1 = arith.addi %x, %b : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maximumf %4, %lo : f32
    %6 = arith.minimumf %5, %hi : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
)";
  else
    text += llvm::formatv("    %1 = arith.add{0} %x, %b : {1}\n"
                          "    %2 = arith.max{2} %1, %zero : {1}\n    linalg.yield %2 : {1}\n",
                          isFloat(sum) ? "f" : "i", sumName, isFloat(sum) ? "imumf" : "si");
  return text + "  } -> " + resultType + "\n  return %result : " + resultType + "\n}\n";
}

/// Row-major strides of `shape`; entry i is that of dimension i.
std::vector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

/// `value` as an element of `type` holds it.
double roundTo(double value, ElementType type) {
  HostTensor element(type, {});
  element.setFloat(0, value);
  return element.getFloat(0);
}

/// Strides of the letters of a layout, 0 for absent ones.
struct Layout {
  Layout(StringRef letters, ArrayRef<int64_t> shape) {
    for (auto [letter, stride] : llvm::zip_equal(letters, getStrides(shape)))
      strides[unsigned(letter)] = stride;
  }
  int64_t operator[](char letter) const { return strides[unsigned(letter)]; }
  std::array<int64_t, 128> strides = {};
};

HostTensor convolve(const ConvCase &test, const HostTensor &input, const HostTensor &filter,
                    const HostTensor &bias) {
  bool isFirst = test.isChannelFirst;
  StringRef in, taps, out, biases;
  switch (test.grouping) {
  case Grouping::None:
    in = isFirst ? "nchw" : "nhwc", taps = isFirst ? "fcyx" : "yxcf";
    out = isFirst ? "nfhw" : "nhwf", biases = "f";
    break;
  case Grouping::Groups:
    in = isFirst ? "ngchw" : "nhwgc", taps = isFirst ? "gfcyx" : "gfyxc";
    out = isFirst ? "ngfhw" : "nhwgf", biases = "gf";
    break;
  case Grouping::Depthwise:
    in = isFirst ? "nghw" : "nhwg", taps = isFirst ? "gyx" : "yxg";
    out = isFirst ? "nghw" : "nhwg", biases = "g";
    break;
  }
  Layout i(in, input.getShape()), t(taps, filter.getShape());
  Layout o(out, test.getOutputShape()), s(biases, test.getBiasShape());
  std::vector<int32_t> values(input.getNumElements()), weights(filter.getNumElements());
  for (size_t index = 0; index < values.size(); ++index)
    values[index] = input.getInt(index);
  for (size_t index = 0; index < weights.size(); ++index)
    weights[index] = filter.getInt(index);

  auto sumAt = [&](int64_t n, int64_t h, int64_t w, int64_t g, int64_t f) {
    int64_t sum = 0;
    for (int64_t y = 0; y < test.kernel[0]; ++y)
      for (int64_t x = 0; x < test.kernel[1]; ++x) {
        int64_t row = h * test.stride[0] + y * test.dilation[0] - test.low[0];
        int64_t col = w * test.stride[1] + x * test.dilation[1] - test.low[1];
        bool isInside = row >= 0 && row < test.in[0] && col >= 0 && col < test.in[1];
        for (int64_t c = 0; c < test.channels; ++c) {
          int64_t value =
              isInside ? values[n * i['n'] + row * i['h'] + col * i['w'] + g * i['g'] + c * i['c']]
                       : test.padValue;
          sum += value * weights[y * t['y'] + x * t['x'] + g * t['g'] + c * t['c'] + f * t['f']];
        }
      }
    return sum;
  };

  HostTensor result(test.getResult(), test.getOutputShape());
  for (int64_t n = 0; n < test.batches; ++n)
    for (int64_t h = 0; h < test.out[0]; ++h)
      for (int64_t w = 0; w < test.out[1]; ++w)
        for (int64_t g = 0; g < test.groups; ++g)
          for (int64_t f = 0; f < test.filters; ++f) {
            double value = roundTo(sumAt(n, h, w, g, f), test.sum);
            if (test.tail != Tail::None)
              value = roundTo(value + bias.getFloat(g * s['g'] + f * s['f']), test.sum);
            if (test.tail == Tail::BiasRelu)
              value = std::max(value, 0.0);
            if (test.tail == Tail::Requantize)
              value = std::clamp(std::nearbyint(float(value) * requantScale), -128.0f, 127.0f);
            result.setFloat(n * o['n'] + h * o['h'] + w * o['w'] + g * o['g'] + f * o['f'], value);
          }
  return result;
}

/// Compiles, runs and compares. Returns what was wrong.
std::string runCase(Harness &harness, const ConvCase &test, StringRef target, uint64_t seed) {
  Tensors inputs = {HostTensor(test.input, test.getInputShape(test.in[0], test.in[1])),
                    HostTensor(test.input, test.getFilterShape())};
  HostTensor bias(test.sum, test.getBiasShape());
  if (test.tail != Tail::None)
    inputs.push_back(bias);
  for (HostTensor &tensor : inputs)
    tensor.fillSmallInts(seed++);
  return harness.findFault(test.getText(), target, inputs,
                           convolve(test, inputs[0], inputs[1], inputs.back()));
}

/// Shards of 40 seeds, on the reference and on chips that need many tiles.
class AnyShapeConv : public ::testing::TestWithParam<int> {};

TEST_P(AnyShapeConv, IsExact) {
  Harness harness;
  for (uint64_t seed = GetParam() * 40; seed < uint64_t(GetParam() + 1) * 40; ++seed) {
    Random random(seed);
    ConvCase test(random);
    EXPECT_EQ(runCase(harness, test, "npu-v1", seed), "")
        << describeCase(seed, "npu-v1", test.getText());
    if (seed % 3 != 0)
      continue;
    std::string target = makeRandomTarget(random, ChipRange{1, 16, 13, 15, 10, 12});
    EXPECT_EQ(runCase(harness, test, target, seed), "")
        << describeCase(seed, target, test.getText());
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, AnyShapeConv, ::testing::Range(0, 10));

} // namespace
