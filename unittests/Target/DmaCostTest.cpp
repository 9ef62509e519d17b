//===- DmaCostTest.cpp - what transfers are charged -----------------------===//
//
// Random boxes against an element-by-element count that shares nothing with getDmaCost.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/ISA/Timing.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace npu;
using namespace npu::isa;

namespace {
struct Transfer {
  std::vector<BoxDimValue> dims;
  int64_t base = 0, elementBytes = 1, beatBytes = 32;

  DmaCost getCost() const { return getDmaCost(dims, base, elementBytes, beatBytes); }
};

/// What a transfer touches, by the definition of the instruction.
struct Touched {
  std::set<int64_t> beats, bytes;
  int64_t elements = 0; ///< inside the windows
};
} // namespace

static int64_t divideDown(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static Touched touch(const Transfer &transfer) {
  Touched touched;
  std::vector<int64_t> index(transfer.dims.size(), 0);
  if (llvm::any_of(transfer.dims, [](const BoxDimValue &dim) { return dim.extent == 0; }))
    return touched;
  while (true) {
    int64_t address = transfer.base;
    bool isInside = true;
    for (auto [j, dim] : llvm::zip(index, transfer.dims)) {
      int64_t coordinate = dim.origin + j + (dim.block ? dim.block * index[dim.outer] : 0);
      isInside &= coordinate >= dim.low && coordinate < dim.high;
      address += coordinate * dim.dramStride;
    }
    touched.elements += isInside;
    for (int64_t b = 0; isInside && b < transfer.elementBytes; ++b) {
      touched.bytes.insert(address + b);
      touched.beats.insert(divideDown(address + b, transfer.beatBytes));
    }
    size_t d = 0;
    while (d < index.size() && ++index[d] == transfer.dims[d].extent)
      index[d++] = 0;
    if (d == index.size())
      return touched;
  }
}

static BoxDimValue makeDim(int64_t stride, int64_t extent, int64_t high) {
  return {stride, 1, extent, 0, 0, high, 0, 0};
}

static BoxDimValue makeJoined(int64_t stride, int64_t extent, int64_t high, int64_t block) {
  return {stride, 1, extent, 0, 0, high, block, 0};
}

TEST(DmaCost, RunsTouchWholeBeats) {
  // 33 bytes from the start of a beat of 32.
  DmaCost cost = Transfer{{makeDim(64, 10000, 10000), makeDim(1, 33, 33)}}.getCost();
  EXPECT_EQ(cost.dramBytes, 10000 * 33);
  EXPECT_EQ(cost.chargedBytes, 10000 * 64);
  // From byte 31 on, 34 bytes are in 3 beats.
  cost = Transfer{{makeDim(64, 100, 100), makeDim(1, 34, 34)}, 31}.getCost();
  EXPECT_EQ(cost.chargedBytes, 100 * 96);
  // 2 bytes in beats of 32: one of 32 rows, 33 bytes apart, lies across a boundary.
  cost = Transfer{{makeDim(33, 320, 320), makeDim(1, 2, 2)}}.getCost();
  EXPECT_EQ(cost.chargedBytes, (320 + 10) * 32);
  // A contiguous transfer that begins inside a beat.
  EXPECT_EQ((Transfer{{makeDim(1, 64, 64)}, 0}.getCost().chargedBytes), 64);
  EXPECT_EQ((Transfer{{makeDim(1, 64, 64)}, 1}.getCost().chargedBytes), 96);
  EXPECT_EQ((Transfer{{makeDim(-1, 64, 64)}, 63}.getCost().chargedBytes), 64);
}

TEST(DmaCost, JoinedDimensionsMoveTheirOuterOneTogether) {
  // The strides of two joined dimensions and of the outer one add up to 4 bytes per index.
  DmaCost cost =
      Transfer{
          {makeDim(-4, 65536, 65536), makeJoined(4, 1, 65536, 1), makeJoined(4, 1, 65536, 1)}, 0, 4}
          .getCost();
  EXPECT_EQ(cost.dramBytes, 262144);
  EXPECT_EQ(cost.chargedBytes, 262144);
  // ... and here to a page, so that every element is in a beat of its own.
  cost = Transfer{{makeDim(-4092, 1024, 1 << 20), makeJoined(4092, 1, 1 << 20, 1),
                   makeJoined(4096, 1, 1 << 20, 1)},
                  0,
                  4}
             .getCost();
  EXPECT_EQ(cost.dramBytes, 4096);
  EXPECT_EQ(cost.chargedBytes, 32768);
}

TEST(DmaCost, WindowsCutBlocksOneByOne) {
  // Blocks of 4 that begin 3 apart, 5 of them from -2 on, inside [0, 11): 2, 4, 4, 4 and 1 of them.
  BoxDimValue outer = makeDim(0, 5, 5), inner = makeJoined(64, 4, 11, 3);
  inner.origin = -2;
  DmaCost cost = Transfer{{outer, inner}}.getCost();
  EXPECT_EQ(cost.dramBytes, 2 + 4 + 4 + 4 + 1);
  EXPECT_EQ(cost.chargedBytes, 15 * 32);
}

TEST(DmaCost, WorkDoesNotGrowWithTheElements) {
  int64_t most = int64_t(1) << 28;
  DmaCost cost = Transfer{{makeDim(3, most, most), makeDim(0, 1 << 20, 1 << 20)}}.getCost();
  EXPECT_EQ(cost.dramBytes, most);
  EXPECT_EQ(cost.chargedBytes, most * 32);
  BoxDimValue inner = makeJoined(1, 2, most, 3);
  cost = Transfer{{makeDim(0, most, most), inner}}.getCost();
  int64_t blocks = (most + 2) / 3, last = most - 3 * (blocks - 1);
  EXPECT_EQ(cost.dramBytes, 2 * blocks - (last < 2));
}

/// The charge of a transfer without joined dimensions, run by run.
static int64_t countRunByRun(const Transfer &transfer) {
  std::vector<std::pair<int64_t, int64_t>> steps; // stride, count
  int64_t first = transfer.base, runBytes = transfer.elementBytes;
  for (const BoxDimValue &dim : transfer.dims) {
    int64_t low = std::max(dim.origin, dim.low), high = std::min(dim.origin + dim.extent, dim.high);
    if (low >= high)
      return 0;
    first += (dim.dramStride < 0 ? high - 1 : low) * dim.dramStride;
    if (dim.dramStride != 0)
      steps.push_back({std::abs(dim.dramStride), high - low});
  }
  llvm::erase_if(steps, [](auto step) { return step.second == 1; });
  llvm::sort(steps);
  while (!steps.empty() && steps.front().first == runBytes) {
    runBytes *= steps.front().second;
    steps.erase(steps.begin());
  }
  std::vector<int64_t> starts = {first};
  for (auto [stride, count] : steps)
    for (size_t i = 0, e = starts.size(); i < e; ++i)
      for (int64_t j = 1; j < count; ++j)
        starts.push_back(starts[i] + j * stride);
  int64_t beats = 0;
  for (int64_t start : starts)
    beats += divideDown(start + runBytes - 1, transfer.beatBytes) -
             divideDown(start, transfer.beatBytes) + 1;
  return beats * transfer.beatBytes;
}

static Transfer makeRandom(std::mt19937_64 &random) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  };
  Transfer transfer;
  transfer.elementBytes = int64_t(1) << pick(0, 2);
  const int64_t beats[] = {1, 4, 8, 12, 16, 32, 32, 64};
  transfer.beatBytes = beats[pick(0, 7)];
  transfer.base = pick(0, 1) ? pick(-100, 100) : transfer.elementBytes * pick(0, 16);
  int64_t packed = transfer.elementBytes;
  unsigned count = pick(0, 5);
  for (unsigned d = 0; d < count; ++d) {
    BoxDimValue dim = {};
    dim.extent = pick(0, 30) ? pick(1, 6) : 0;
    // Often contiguous with what is there, or the opposite of another stride.
    int64_t odd = pick(-80, 80);
    const int64_t strides[] = {packed, -packed, packed, transfer.elementBytes * odd, odd, 0};
    dim.dramStride = strides[pick(0, 5)];
    if (d && !pick(0, 3))
      dim.dramStride = -transfer.dims[pick(0, d - 1)].dramStride + odd % 2;
    dim.origin = pick(0, 1) ? 0 : pick(-3, 3);
    dim.low = pick(0, 2) ? -100 : pick(-1, 2);
    dim.high = pick(0, 2) ? 100 : dim.low + pick(0, 8);
    packed *= std::max<int64_t>(dim.extent, 1);
    transfer.dims.push_back(dim);
  }
  for (unsigned d = 0; d < count; ++d) {
    unsigned outer = pick(0, count - 1);
    bool isOuter = llvm::any_of(
        transfer.dims, [&](const BoxDimValue &dim) { return dim.block && dim.outer == d; });
    if (outer == d || transfer.dims[outer].block || isOuter || pick(0, 1))
      continue;
    transfer.dims[d].outer = outer;
    transfer.dims[d].block =
        pick(0, 1) ? std::max<int64_t>(1, transfer.dims[d].extent) : pick(1, 4);
  }
  return transfer;
}

static std::string describe(const Transfer &transfer) {
  std::string text = "base " + std::to_string(transfer.base) + ", element " +
                     std::to_string(transfer.elementBytes) + ", beat " +
                     std::to_string(transfer.beatBytes);
  for (const BoxDimValue &dim : transfer.dims)
    for (auto [name, value] : {std::pair("\n stride ", dim.dramStride),
                               {" extent ", dim.extent},
                               {" origin ", dim.origin},
                               {" low ", dim.low},
                               {" high ", dim.high},
                               {" block ", dim.block},
                               {" outer ", int64_t(dim.outer)}})
      text += name + std::to_string(value);
  return text;
}

TEST(DmaCost, RandomBoxesAreChargedWhatTheyTouch) {
  std::mt19937_64 random(20);
  unsigned exact = 0, joined = 0, rounds = 100000;
  for (unsigned round = 0; round < rounds; ++round) {
    Transfer transfer = makeRandom(random);
    DmaCost cost = transfer.getCost();
    Touched touched = touch(transfer);
    int64_t beatBytes = int64_t(touched.beats.size()) * transfer.beatBytes;
    ASSERT_GE(cost.chargedBytes, beatBytes) << describe(transfer);
    ASSERT_GE(cost.chargedBytes, cost.dramBytes) << describe(transfer);
    ASSERT_EQ(cost.chargedBytes % transfer.beatBytes, 0) << describe(transfer);
    // Every element moves once, those that a stride of 0 repeats not even that.
    ASSERT_GE(cost.dramBytes, int64_t(touched.bytes.size())) << describe(transfer);
    ASSERT_LE(cost.dramBytes, touched.elements * transfer.elementBytes) << describe(transfer);
    // At most, each element is a run by itself.
    int64_t most = (transfer.elementBytes + transfer.beatBytes - 2) / transfer.beatBytes + 1;
    ASSERT_LE(cost.chargedBytes, touched.elements * most * transfer.beatBytes)
        << describe(transfer);
    exact += cost.chargedBytes == beatBytes;
    bool isJoined =
        llvm::any_of(transfer.dims, [](const BoxDimValue &dim) { return dim.block != 0; });
    joined += isJoined;
    if (!isJoined && touched.elements != 0) {
      ASSERT_EQ(cost.chargedBytes, countRunByRun(transfer)) << describe(transfer);
    }
  }
  // The bound is tight.
  EXPECT_GT(exact, rounds / 4);
  EXPECT_GT(joined, rounds / 4);
}

/// Rows are charged for the worst place that any index leads to.
TEST(DmaCost, GathersChargeTheMostBeats) {
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 300; ++i) {
    int64_t elementBytes = int64_t(1) << random() % 3, beatBytes = 8 << random() % 4;
    int64_t extent = 1 + random() % 40, count = 1 + random() % 5;
    IndexStrides chosen;
    chosen.stride0 = 4;
    chosen.rows = 64;
    chosen.row_bytes = elementBytes * (1 + random() % 50);
    int64_t base = elementBytes * (random() % 16);
    std::vector<BoxDimValue> dims = {{0, 4, count, 0, 0, count, 0, 0},
                                     {elementBytes, elementBytes, extent, 0, 0, extent, 0, 0}};
    DmaCost cost = getGatherCost(dims, chosen, base, elementBytes, beatBytes);
    int64_t most = 0;
    for (int64_t row = 0; row < chosen.rows; ++row) {
      Transfer one{{dims[1]}, base + row * chosen.row_bytes, elementBytes, beatBytes};
      most = std::max(most, int64_t(touch(one).beats.size()));
    }
    EXPECT_EQ(cost.chargedBytes, count * most * beatBytes) << "case " << i;
    EXPECT_EQ(cost.dramBytes, count * extent * elementBytes) << "case " << i;
    EXPECT_EQ(cost.chipElements, count * extent) << "case " << i;
  }
}
