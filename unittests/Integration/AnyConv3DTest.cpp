//===- AnyConv3DTest.cpp - every convolution of volumes is exact ----------===//
//
// Random kernels, strides, dilations and paddings in three dimensions on random chips, bit for bit
// against the loop nest below.
//
//===----------------------------------------------------------------------===//

#include "RandomText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;
using llvm::ArrayRef;

namespace {

struct Conv3D {
  int64_t batches, channels, filters;
  int64_t kernel[3], stride[3], dilation[3], low[3], high[3], out[3], in[3];
  int64_t padValue;
  bool isChannelFirst;
  ElementType input, sum;

  explicit Conv3D(Random &random);

  std::vector<int64_t> getImage(int64_t count, ArrayRef<int64_t> space) const {
    if (isChannelFirst)
      return {batches, count, space[0], space[1], space[2]};
    return {batches, space[0], space[1], space[2], count};
  }
  std::vector<int64_t> getFilter() const {
    if (isChannelFirst)
      return {filters, channels, kernel[0], kernel[1], kernel[2]};
    return {kernel[0], kernel[1], kernel[2], channels, filters};
  }
  std::string getText() const;
};

Conv3D::Conv3D(Random &random) {
  batches = random.of<int64_t>({1, 1, 2});
  channels = random.of<int64_t>({1, 2, 5, 17, 32});
  filters = random.of<int64_t>({1, 3, 16, 33});
  for (unsigned dim : {0, 1, 2}) {
    kernel[dim] = random.of<int64_t>({1, 2, 3, 3});
    stride[dim] = random.of<int64_t>({1, 1, 2});
    dilation[dim] = random.of<int64_t>({1, 1, 2});
    out[dim] = random.in(1, 6);
    int64_t padded = (out[dim] - 1) * stride[dim] + (kernel[dim] - 1) * dilation[dim] + 1 +
                     random.in(0, stride[dim] - 1);
    int64_t reach = std::min((kernel[dim] - 1) * dilation[dim], (padded - 1) / 2);
    low[dim] = random.in(0, reach);
    high[dim] = random.in(0, reach);
    in[dim] = padded - low[dim] - high[dim];
  }
  padValue = random.chance(70) ? 0 : random.in(-4, 4);
  isChannelFirst = random.chance(50);
  input = random.of({ElementType::I8, ElementType::F16, ElementType::F32});
  sum = input == ElementType::I8 ? ElementType::I32 : ElementType::F32;
}

std::string Conv3D::getText() const {
  // No padding of the batch and the channels.
  Conv3D none = *this;
  none.batches = 0;
  std::vector<int64_t> image = getImage(channels, in), before = none.getImage(0, low),
                       after = none.getImage(0, high);
  return llvm::formatv(
      R"(func.func @conv(%x: {0}, %w: {1}) -> {2} {{
{3}  %zero = arith.constant {4}
  %empty = tensor.empty() : {2}
  %init = linalg.fill ins(%zero : {5}) outs(%empty : {2}) -> {2}
  %r = linalg.{6} {{strides = dense<[{7}]> : tensor<3xi64>, dilations = dense<[{8}]> : tensor<3xi64>}
      ins(%p, %w : {9}, {1}) outs(%init : {2}) -> {2}
  return %r : {2}
})",
      getTensorType(image, input), getTensorType(getFilter(), input),
      getTensorType(getImage(filters, out), sum),
      getPad("%p", "%x", image, before, after, padValue, input), getConstant(0, sum),
      getElementTypeName(sum), isChannelFirst ? "conv_3d_ncdhw_fcdhw" : "conv_3d_ndhwc_dhwcf",
      joinNumbers(stride), joinNumbers(dilation),
      getTensorType(getPadded(image, before, after), input));
}

/// The offset of an element; `position` is batch, channel, depth, height, width.
int64_t getImageOffset(const Conv3D &test, ArrayRef<int64_t> shape, ArrayRef<int64_t> position) {
  return getOffset(shape, select(position, test.isChannelFirst ? ArrayRef{0, 1, 2, 3, 4}
                                                               : ArrayRef{0, 2, 3, 4, 1}));
}

HostTensor convolve(const Conv3D &test, const HostTensor &x, const HostTensor &w) {
  HostTensor result(test.sum, test.getImage(test.filters, test.out));
  auto sumAt = [&](int64_t n, int64_t f, ArrayRef<int64_t> at) {
    int64_t sum = 0;
    for (int64_t tap = 0; tap < test.kernel[0] * test.kernel[1] * test.kernel[2]; ++tap) {
      int64_t taps[] = {tap / test.kernel[2] / test.kernel[1],
                        tap / test.kernel[2] % test.kernel[1], tap % test.kernel[2]};
      int64_t place[3];
      bool isInside = true;
      for (unsigned dim : {0, 1, 2}) {
        place[dim] = at[dim] * test.stride[dim] + taps[dim] * test.dilation[dim] - test.low[dim];
        isInside &= place[dim] >= 0 && place[dim] < test.in[dim];
      }
      for (int64_t c = 0; c < test.channels; ++c) {
        int64_t value = test.padValue;
        if (isInside)
          value =
              x.getInt(getImageOffset(test, x.getShape(), {n, c, place[0], place[1], place[2]}));
        // The filter's dimensions are those of an image, or turned round.
        int64_t weight =
            test.isChannelFirst
                ? (((f * test.channels + c) * test.kernel[0] + taps[0]) * test.kernel[1] +
                   taps[1]) *
                          test.kernel[2] +
                      taps[2]
                : (tap * test.channels + c) * test.filters + f;
        sum += value * w.getInt(weight);
      }
    }
    return sum;
  };
  for (int64_t n = 0; n < test.batches; ++n)
    for (int64_t f = 0; f < test.filters; ++f)
      for (int64_t d = 0; d < test.out[0]; ++d)
        for (int64_t h = 0; h < test.out[1]; ++h)
          for (int64_t v = 0; v < test.out[2]; ++v)
            result.setInt(getImageOffset(test, result.getShape(), {n, f, d, h, v}),
                          sumAt(n, f, {d, h, v}));
  return result;
}

void checkConv3D(uint64_t seed) {
  Random random(seed);
  Harness harness;
  std::string target = makeRandomTarget(random, ChipRange());
  Conv3D test(random);
  HostTensor x(test.input, test.getImage(test.channels, test.in)), w(test.input, test.getFilter());
  x.fillSmallInts(seed);
  w.fillSmallInts(seed + 1);
  harness.expectExact(seed, target, test.getText(), {x, w}, convolve(test, x, w));
}

class AnyConv3D : public ::testing::TestWithParam<int> {};

TEST_P(AnyConv3D, IsExact) {
  for (uint64_t seed = GetParam() * 25; seed < GetParam() * 25u + 25; ++seed)
    checkConv3D(seed);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyConv3D, ::testing::Range(0, 6));

} // namespace
