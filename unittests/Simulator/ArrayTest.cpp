//===- ArrayTest.cpp - systolic array instructions ------------------------===//

#include "RandomFloats.h"
#include "SimulatorTest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace llvm;
using namespace npu;
using namespace npu::sim;

template <typename T>
static std::vector<T> makeRandom(size_t count, int low, int high, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> values(count);
  for (T &value : values)
    value = T(low + int(generator() % unsigned(high - low + 1)));
  return values;
}

/// Packs a row-major [k][n] matrix into panels of `cols` columns.
template <typename T>
static std::vector<T> pack(const std::vector<T> &matrix, int k, int n, int cols) {
  int panels = (n + cols - 1) / cols;
  std::vector<T> packed(size_t(panels) * k * cols);
  for (int row = 0; row < k; ++row)
    for (int column = 0; column < n; ++column)
      packed[(column / cols * k + row) * cols + column % cols] = matrix[row * n + column];
  return packed;
}

template <typename Left, typename Right, typename Sum>
static void testMatmul(StringRef type, int m, int n, int k, const std::vector<Left> &a,
                       const std::vector<Right> &b, const std::vector<Sum> &expected) {
  std::string operands = formatv(
      "accumulate={0} never, a=sram[0], a_pitch={{row_bytes={1}}, b=sram[16384], "
      "b_panel={{panel_bytes={2}}, out=acc[0], out_pitch={{row_bytes={3}}, m={4}, n={5}, k={6}",
      type, k * sizeof(Left), 32 * k * sizeof(Right), n * 4, m, n, k);
  std::vector<uint8_t> out = runInstruction({toBytes(a), toBytes(pack(b, k, n, 32))}, "mxu",
                                            "mxu.matmul", operands, "acc[0]", m * n * 4);
  EXPECT_EQ(fromBytes<Sum>(out), expected) << type.str();
}

template <typename Left, typename Right>
static std::vector<int32_t> multiplyIntegers(int m, int n, int k, const std::vector<Left> &a,
                                             const std::vector<Right> &b) {
  std::vector<int32_t> c(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      uint32_t sum = 0;
      for (int p = 0; p < k; ++p)
        sum += uint32_t(int32_t(a[i * k + p]) * int32_t(b[p * n + j]));
      c[i * n + j] = int32_t(sum);
    }
  return c;
}

TEST(Array, MatmulOfIntegers) {
  // More than one k block of the kernel, a ragged panel and ragged rows; the extremes included.
  int m = 7, n = 45, k = 300;
  auto a = makeRandom<int8_t>(m * k, -128, 127, 1), b = makeRandom<int8_t>(k * n, -128, 127, 2);
  testMatmul("i8", m, n, k, a, b, multiplyIntegers(m, n, k, a, b));
  std::fill(a.begin(), a.end(), -128);
  std::fill(b.begin(), b.end(), -128);
  testMatmul("i8", m, n, k, a, b, multiplyIntegers(m, n, k, a, b));

  k = 150;
  auto wide = makeRandom<int16_t>(m * k, -32768, 32767, 3);
  auto narrow = makeRandom<int8_t>(k * n, -128, 127, 4);
  testMatmul("i16i8", m, n, k, wide, narrow, multiplyIntegers(m, n, k, wide, narrow));
}

TEST(Array, MatmulOfFloatsAddsInOrder) {
  int m = 6, n = 33, k = 61;
  auto a = makeFloats(m * k, 5), b = makeFloats(k * n, 6);
  std::vector<float> expected(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p)
        sum = std::fma(a[i * k + p], b[p * n + j], sum);
      expected[i * n + j] = sum;
    }
  testMatmul("f32", m, n, k, a, b, expected);
}

TEST(Array, WholeTilesAreUsedWhereTheyLie) {
  // Rows of `a` overlap, so that sums that are longer than a block of the kernel fit; an infinity
  // and a zero make NaNs, which are written as the quiet one.
  int m = 16, n = 96, k = 1100, step = 20;
  auto a = makeFloats((m - 1) * step + k, 5), b = makeFloats(k * n, 6);
  a[3] = std::numeric_limits<float>::infinity();
  b[3 * n + 7] = 0;
  std::vector<uint32_t> expected(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p)
        sum = std::fma(a[i * step + p], b[p * n + j], sum);
      std::memcpy(&expected[i * n + j], &sum, 4);
      if (sum != sum)
        expected[i * n + j] = 0x7fc00000;
    }
  EXPECT_EQ(expected[7], 0x7fc00000u);
  // The second time there is something else in ACC.
  std::string multiply =
      formatv("mxu.matmul accumulate=f32 never, a=sram[0], a_pitch={{row_bytes={0}}, "
              "b=sram[16384], b_panel={{panel_bytes={1}}, out=acc[0], out_pitch={{row_bytes={2}}, "
              "m={3}, n={4}, k={5}\n",
              step * 4, 32 * k * 4, n * 4, m, n, k);
  Simulation simulation(makeProgram(
      {toBytes(a), toBytes(pack(b, k, n, 32))}, "mxu",
      "sync wait(s1 >= 1)\n" + multiply + multiply + "sync signal(s2)", "acc[0]", m * n * 4));
  simulation.set(0, a);
  simulation.set(1, pack(b, k, n, 32));
  simulation.mustRun();
  EXPECT_EQ(simulation.get<uint32_t>(2), expected);
}

/// A 1 x 1 convolution without strides has its pixels at one distance, a 3 x 2 one has not.
TEST(Array, ConvOfFloatsInWholeTiles) {
  for (auto [y, x] : {std::pair(1, 1), std::pair(3, 2)}) {
    int h = 4, w = 4, c = 6, f = 64, columns = w + x - 1;
    auto in = makeFloats((h + y - 1) * columns * c, 9), weights = makeFloats(y * x * c * f, 10);
    std::vector<float> expected(h * w * f);
    for (int i = 0; i < h; ++i)
      for (int j = 0; j < w; ++j)
        for (int o = 0; o < f; ++o)
          for (int v = 0; v < y; ++v)
            for (int u = 0; u < x; ++u)
              for (int p = 0; p < c; ++p)
                expected[(i * w + j) * f + o] =
                    std::fma(in[((i + v) * columns + j + u) * c + p],
                             weights[((v * x + u) * c + p) * f + o], expected[(i * w + j) * f + o]);
    std::string operands = formatv(
        "accumulate=f32 never, in=sram[0], in_pitch={{row_bytes={0}, pixel_bytes={1}}, "
        "weights=sram[16384], weights_panel={{panel_bytes={2}}, out=acc[0], "
        "out_pitch={{row_bytes={3}, pixel_bytes={4}}, window={{stride_h=1, stride_w=1, "
        "dilation_h=1, dilation_w=1, tap_row_bytes={5}, tap_bytes={6}}, h=4, w=4, f={7}, c={8}, "
        "y={9}, x={10}",
        columns * c * 4, c * 4, y * x * c * 128, w * f * 4, f * 4, x * c * 128, c * 128, f, c, y,
        x);
    std::vector<uint8_t> out =
        runInstruction({toBytes(in), toBytes(pack(weights, y * x * c, f, 32))}, "mxu", "mxu.conv",
                       operands, "acc[0]", h * w * f * 4);
    EXPECT_EQ(fromBytes<float>(out), expected) << y << " x " << x;
  }
}

TEST(Array, MatmulOfSmallFloats) {
  // Integers up to 31 are exact in f16 and bf16: 1.0 is 0x3c00 and 0x3f80.
  int m = 5, n = 20, k = 9;
  auto a = makeRandom<int8_t>(m * k, -31, 31, 7), b = makeRandom<int8_t>(k * n, -31, 31, 8);
  auto toBrain = [](int8_t value) {
    float wide = value;
    uint32_t bits;
    std::memcpy(&bits, &wide, 4);
    return uint16_t(bits >> 16);
  };
  auto toHalf = [](int8_t value) {
    if (value == 0)
      return uint16_t(0);
    int magnitude = std::abs(value), exponent = 0;
    while (magnitude >> (exponent + 1))
      ++exponent;
    return uint16_t((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
                    ((magnitude << (10 - exponent)) & 0x3ff));
  };
  std::vector<int32_t> sums = multiplyIntegers(m, n, k, a, b);
  std::vector<float> expected(sums.begin(), sums.end());
  std::vector<uint16_t> left(a.size()), right(b.size());
  std::transform(a.begin(), a.end(), left.begin(), toHalf);
  std::transform(b.begin(), b.end(), right.begin(), toHalf);
  testMatmul("f16", m, n, k, left, right, expected);
  std::transform(a.begin(), a.end(), left.begin(), toBrain);
  std::transform(b.begin(), b.end(), right.begin(), toBrain);
  testMatmul("bf16", m, n, k, left, right, expected);
}

TEST(Array, AccumulateModes) {
  // 2 x 3 iterations; the sum restarts whenever i1 is 0, so the last run of i1 remains.
  auto run = [](StringRef mode) {
    std::string loop =
        formatv("sync wait(s1 >= 1)\n{0}loop 2\nloop 3\n"
                "mxu.matmul accumulate=i8 {1}, a=sram[i1], a_pitch={{row_bytes=4}, b=sram[16384], "
                "b_panel={{panel_bytes=32}, out=acc[0], out_pitch={{row_bytes=4}, m=1, n=1, k=1\n"
                "endloop\nendloop\nsync signal(s2)",
                mode == "always" ? "mxu.matmul accumulate=i8 never, a=sram[0], b=sram[16384], "
                                   "b_panel={panel_bytes=32}, out=acc[0], m=1, n=1, k=1\n"
                                 : "",
                mode);
    std::vector<int8_t> a = {1, 10, 100, 0}, b = {1};
    Simulation simulation(makeProgram({toBytes(a), toBytes(b)}, "mxu", loop, "acc[0]", 4));
    simulation.set(0, a);
    simulation.set(1, b);
    simulation.mustRun();
    return simulation.get<int32_t>(2)[0];
  };
  EXPECT_EQ(run("unless(i1)"), 111);
  EXPECT_EQ(run("unless(i0, i1)"), 222);
  EXPECT_EQ(run("never"), 100);
  EXPECT_EQ(run("always"), 223);
}

/// What instructions of the array leave of a, 3 x 3 weights that are packed and 3 biases.
static std::vector<int32_t> runBiased(const std::string &instructions, size_t count) {
  std::vector<int8_t> a = {1, 10, 100, 2, 20, 120}, weights(32 * 3);
  weights[0] = weights[32] = weights[64] = 1;
  weights[1] = 2;
  std::vector<int32_t> bias = {1000, -7, 2000000000};
  return fromBytes<int32_t>([&] {
    Simulation simulation(makeProgram({toBytes(a), toBytes(weights), toBytes(bias)}, "mxu",
                                      "sync wait(s1 >= 1)\n" + instructions + "sync signal(s2)",
                                      "acc[0]", 4 * count));
    simulation.set(0, a);
    simulation.set(1, weights);
    simulation.set(2, bias);
    simulation.mustRun();
    return simulation.data.back();
  }());
}

TEST(Array, SumsStartFromTheBias) {
  // Rows have the same one; where the old value goes on it is left out.
  auto multiply = [](StringRef mode) {
    return formatv("mxu.matmul accumulate=i8 {0} start(sram[32768]), a=sram[0], "
                   "a_pitch={{row_bytes=3}, b=sram[16384], b_panel={{panel_bytes=96}, out=acc[0], "
                   "out_pitch={{row_bytes=12}, m=2, n=3, k=3\n",
                   mode)
        .str();
  };
  std::vector<int32_t> once = {1111, -5, 2000000000, 1142, -3, 2000000000},
                       twice = {1222, -3, 2000000000, 1284, 1, 2000000000};
  EXPECT_EQ(runBiased(multiply("never"), 6), once);
  EXPECT_EQ(runBiased(multiply("never") + multiply("never"), 6), once);
  EXPECT_EQ(runBiased(multiply("never") + multiply("always"), 6), twice);
  EXPECT_EQ(runBiased("loop 2\n" + multiply("unless(i0)") + "endloop\n", 6), twice);
  // Pixels of a convolution, whose channels are the columns.
  EXPECT_EQ(runBiased("mxu.conv accumulate=i8 never start(sram[32768]), in=sram[0], "
                      "in_pitch={row_bytes=6, pixel_bytes=3}, weights=sram[16384], "
                      "weights_panel={panel_bytes=96}, out=acc[0], out_pitch={row_bytes=24, "
                      "pixel_bytes=12}, window={stride_h=1, stride_w=1, dilation_h=1, "
                      "dilation_w=1}, h=1, w=2, f=3, c=3, y=1, x=1\n",
                      6),
            once);
  EXPECT_EQ(runBiased("mxu.depthwise accumulate=i8 never start(sram[32768]), in=sram[0], "
                      "in_pitch={row_bytes=6, pixel_bytes=3}, weights=sram[16384], out=acc[0], "
                      "out_pitch={row_bytes=24, pixel_bytes=12}, window={stride_h=1, stride_w=1, "
                      "dilation_h=1, dilation_w=1}, h=1, w=2, g=3, y=1, x=1\n",
                      6),
            std::vector<int32_t>({1001, 13, 2000000000, 1002, 33, 2000000000}));
}

TEST(Array, TheBiasIsReadFromSram) {
  auto expectTrap = [](StringRef start, TrapKind kind) {
    Simulation simulation(formatv(R"(.kernel "bias"
.target "npu-v1"
.stream 0 mxu
mxu.matmul wait(s1 >= 1) accumulate=i8 never start({0}), a=sram[0], b=sram[0], b_panel={{panel_bytes=32}, out=acc[0], m=1, n=3, k=1
halt
.stream 0 vpu
vpu.fill signal(s1) shape=[1, 1, 1, 64], dst=i8 sram[0] strides(0, 0, 0, 1)
halt
)",
                                  start));
    std::string message = simulation.mustTrap(kind);
    EXPECT_NE(message.find(kind == TrapKind::BadOperand ? "'start'" : "cluster 0 sram"),
              std::string::npos)
        << message;
  };
  expectTrap("acc[64]", TrapKind::BadOperand);
  expectTrap("sram[56]", TrapKind::UninitializedRead);
  expectTrap("sram[2]", TrapKind::Misaligned);
  expectTrap("sram[1048572]", TrapKind::OutOfBounds);
}

TEST(Array, Conv) {
  // Stride 2 and dilation 2, ragged columns.
  int h = 3, w = 4, f = 37, c = 5, y = 3, x = 2, rows = 2 * (h - 1) + 2 * (y - 1) + 1,
      columns = 2 * (w - 1) + 2 * (x - 1) + 1;
  auto in = makeRandom<int8_t>(rows * columns * c, -128, 127, 9);
  auto weights = makeRandom<int8_t>(y * x * c * f, -128, 127, 10);
  std::vector<int32_t> expected(h * w * f);
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < w; ++j)
      for (int o = 0; o < f; ++o)
        for (int v = 0; v < y; ++v)
          for (int u = 0; u < x; ++u)
            for (int p = 0; p < c; ++p)
              expected[(i * w + j) * f + o] +=
                  in[((2 * i + 2 * v) * columns + 2 * j + 2 * u) * c + p] *
                  weights[((v * x + u) * c + p) * f + o];
  std::string operands = formatv(
      "accumulate=i8 never, in=sram[0], in_pitch={{row_bytes={0}, pixel_bytes={1}}, "
      "weights=sram[16384], weights_panel={{panel_bytes={2}}, out=acc[0], "
      "out_pitch={{row_bytes={3}, pixel_bytes={4}}, window={{stride_h=2, stride_w=2, dilation_h=2, "
      "dilation_w=2, tap_row_bytes={5}, tap_bytes={6}}, h=3, w=4, f={7}, c={1}, y=3, x=2",
      columns * c, c, y * x * c * 32, w * f * 4, f * 4, x * c * 32, c * 32, f);
  std::vector<uint8_t> out = runInstruction({toBytes(in), toBytes(pack(weights, y * x * c, f, 32))},
                                            "mxu", "mxu.conv", operands, "acc[0]", h * w * f * 4);
  EXPECT_EQ(fromBytes<int32_t>(out), expected);
}

TEST(Array, Depthwise) {
  int h = 4, w = 3, g = 21, y = 3, x = 3, rows = h + y - 1, columns = 2 * (w - 1) + x;
  auto in = makeFloats(rows * columns * g, 11), weights = makeFloats(y * x * g, 12);
  std::vector<float> expected(h * w * g);
  for (int i = 0; i < h; ++i)
    for (int j = 0; j < w; ++j)
      for (int p = 0; p < g; ++p) {
        float sum = 0;
        for (int v = 0; v < y; ++v)
          for (int u = 0; u < x; ++u)
            sum = std::fma(in[((i + v) * columns + 2 * j + u) * g + p],
                           weights[(v * x + u) * g + p], sum);
        expected[(i * w + j) * g + p] = sum;
      }
  std::string operands =
      formatv("accumulate=f32 never, in=sram[0], in_pitch={{row_bytes={0}, pixel_bytes={1}}, "
              "weights=sram[16384], out=acc[0], out_pitch={{row_bytes={2}, pixel_bytes={1}}, "
              "window={{stride_h=1, stride_w=2, dilation_h=1, dilation_w=1, tap_row_bytes={3}, "
              "tap_bytes={1}}, h=4, w=3, g={4}, y=3, x=3",
              columns * g * 4, g * 4, w * g * 4, x * g * 4, g);
  std::vector<uint8_t> out = runInstruction({toBytes(in), toBytes(weights)}, "mxu", "mxu.depthwise",
                                            operands, "acc[0]", h * w * g * 4);
  EXPECT_EQ(fromBytes<float>(out), expected);
}

TEST(Array, NaNIsCanonical) {
  std::vector<uint32_t> a = {0xffc12345}, b = {0x3f800000};
  std::vector<uint8_t> out = runInstruction(
      {toBytes(a), toBytes(b)}, "mxu", "mxu.matmul",
      "accumulate=f32 never, a=sram[0], b=sram[16384], out=acc[0], m=1, n=1, k=1", "acc[0]", 4);
  EXPECT_EQ(fromBytes<uint32_t>(out)[0], 0x7fc00000u);
}
