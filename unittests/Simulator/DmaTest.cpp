//===- DmaTest.cpp - boxes, windows and multicast -------------------------===//

#include "SimulatorTest.h"

#include <numeric>

using namespace llvm;
using namespace npu;
using namespace npu::sim;

static std::vector<int8_t> makeRamp(size_t count) {
  std::vector<int8_t> values(count);
  std::iota(values.begin(), values.end(), int8_t(1));
  return values;
}

/// Loads with the given operands, stores `bytes` contiguous bytes from sram[0].
static std::vector<int8_t> load(StringRef load, size_t inBytes, size_t outBytes,
                                StringRef rest = "") {
  Simulation simulation(formatv(R"(
.kernel "load"
.target "npu-v1"
.region 0 input "x" {0}
.region 1 output "y" {1}
.stream 0 dmai
  dma.load signal(s1) {2}
  halt
.stream 0 dmao
  dma.store wait(s1 >= 1) to={{region=1}, from=sram[0], dims=[
      {{extent={1}, dram_stride=1, chip_stride=1, high={1}}]
  halt
)",
                                inBytes, outBytes, load));
  simulation.set(0, makeRamp(inBytes));
  simulation.mustRun();
  return simulation.get<int8_t>(1);
}

TEST(Dma, PadsAtTheWindow) {
  // A 2 x 3 image with a border of one, filled with -1.
  EXPECT_EQ(load("from={}, to=sram[0], flags={fill=255}, dims=["
                 "{extent=4, dram_stride=3, chip_stride=5, origin=-1, high=2}, "
                 "{extent=5, dram_stride=1, chip_stride=1, origin=-1, high=3}]",
                 6, 20),
            std::vector<int8_t>(
                {-1, -1, -1, -1, -1, -1, 1, 2, 3, -1, -1, 4, 5, 6, -1, -1, -1, -1, -1, -1}));
}

TEST(Dma, TransposesByStrides) {
  EXPECT_EQ(load("from={}, to=sram[0], dims=["
                 "{extent=2, dram_stride=3, chip_stride=1, high=2}, "
                 "{extent=3, dram_stride=1, chip_stride=2, high=3}]",
                 6, 6),
            std::vector<int8_t>({1, 4, 2, 5, 3, 6}));
}

TEST(Dma, RepeatsWithStrideZero) {
  EXPECT_EQ(load("from={}, to=sram[0], dims=["
                 "{extent=3, dram_stride=0, chip_stride=2, high=3}, "
                 "{extent=2, dram_stride=1, chip_stride=1, high=2}]",
                 2, 6),
            std::vector<int8_t>({1, 2, 1, 2, 1, 2}));
}

TEST(Dma, PacksPanelsByJoinedDimensions) {
  // A 2 x 5 matrix into panels of 4 columns; the second panel is ragged and filled.
  EXPECT_EQ(load("from={}, to=sram[0], flags={fill=9}, dims=["
                 "{extent=2, chip_stride=8, high=2}, "
                 "{extent=2, dram_stride=5, chip_stride=4, high=2}, "
                 "{extent=4, dram_stride=1, chip_stride=1, block=4, high=5}]",
                 10, 16),
            std::vector<int8_t>({1, 2, 3, 4, 6, 7, 8, 9, 5, 9, 9, 9, 10, 9, 9, 9}));
}

TEST(Dma, StoreLeavesTheOutsideAlone) {
  Simulation simulation(R"(
.kernel "store"
.target "npu-v1"
.region 0 input "x" 6
.region 1 output "y" 6
.stream 0 dmai
  dma.load signal(s1) from={}, to=sram[0], dims=[{extent=6, dram_stride=1, chip_stride=1, high=6}]
  halt
.stream 0 dmao
  dma.store wait(s1 >= 1) to={region=1}, from=sram[0], dims=[
      {extent=2, dram_stride=3, chip_stride=3, high=2},
      {extent=3, dram_stride=1, chip_stride=1, high=2}]
  halt
)");
  simulation.set(0, makeRamp(6));
  Result result = simulation.mustRun();
  EXPECT_EQ(simulation.get<int8_t>(1), std::vector<int8_t>({1, 2, 0, 4, 5, 0}));
  EXPECT_EQ(result.unwrittenOutputBytes, 2);
  EXPECT_EQ(result.dramBytesRead, 6);
  EXPECT_EQ(result.dramBytesWritten, 4);
}

TEST(Dma, MulticastReachesOtherClusters) {
  Simulation simulation(R"(
.kernel "multicast"
.target "npu-v1:clusters=2"
.region 0 constants "x" 4
.data 0 "01020304"
.region 1 output "y" 4
.stream 0 dmai
  dma.load signal(s1) from={}, to=sram[8], flags={clusters=2}, dims=[
      {extent=4, dram_stride=1, chip_stride=1, high=4}]
  halt
.stream 1 dmao
  dma.store wait(s1 >= 1) to={region=1}, from=sram[8], dims=[
      {extent=4, dram_stride=1, chip_stride=1, high=4}]
  halt
)");
  simulation.mustRun();
  EXPECT_EQ(simulation.get<int8_t>(1), std::vector<int8_t>({1, 2, 3, 4}));
}

TEST(Dma, ScratchCarriesDataBetweenEngines) {
  Simulation simulation(R"(
.kernel "scratch"
.target "npu-v1"
.region 0 input "x" 4
.region 1 scratch "t" 4
.region 2 output "y" 4
.stream 0 dmai
  dma.load signal(s1) from={}, to=sram[0], dims=[{extent=4, dram_stride=1, chip_stride=1, high=4}]
  dma.load wait(s2 >= 1) signal(s3) from={region=1}, to=sram[64], dims=[
      {extent=4, dram_stride=1, chip_stride=1, high=4}]
  halt
.stream 0 dmao
  dma.store wait(s1 >= 1) signal(s2) to={region=1}, from=sram[0], dims=[
      {extent=4, dram_stride=1, chip_stride=1, high=4}]
  dma.store wait(s3 >= 1) to={region=2}, from=sram[64], dims=[
      {extent=4, dram_stride=1, chip_stride=1, high=4}]
  halt
)");
  simulation.set(0, makeRamp(4));
  simulation.mustRun();
  EXPECT_EQ(simulation.get<int8_t>(2), makeRamp(4));
}

/// A program that loads 6 bytes to sram[8], copies, and stores `outBytes` from sram[64].
static std::string makeCopy(StringRef copy, int64_t outBytes) {
  return formatv(R"(
.kernel "copy"
.target "npu-v1"
.region 0 input "x" 6
.region 1 output "y" {0}
.stream 0 dmai
  dma.load from={{}, to=sram[8], dims=[{{extent=6, dram_stride=1, chip_stride=1, high=6}]
  dma.copy signal(s1) {1}
  halt
.stream 0 dmao
  dma.store wait(s1 >= 1) to={{region=1}, from=sram[64], dims=[
      {{extent={0}, dram_stride=1, chip_stride=1, high={0}}]
  halt
)",
                 outBytes, copy);
}

TEST(Dma, CopiesWithinSram) {
  // A 2 x 3 image with a border of one, filled with -1.
  Simulation simulation(makeCopy("from={base=8}, to=sram[64], flags={fill=255}, dims=["
                                 "{extent=4, dram_stride=3, chip_stride=5, origin=-1, high=2}, "
                                 "{extent=5, dram_stride=1, chip_stride=1, origin=-1, high=3}]",
                                 20));
  simulation.set(0, makeRamp(6));
  Result result = simulation.mustRun();
  EXPECT_EQ(simulation.get<int8_t>(1),
            std::vector<int8_t>(
                {-1, -1, -1, -1, -1, -1, 1, 2, 3, -1, -1, 4, 5, 6, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(result.dramBytesRead, 6);
}

TEST(Dma, CopiesNothingOntoItself) {
  Simulation simulation(makeCopy("from={base=8}, to=sram[13], dims=["
                                 "{extent=6, dram_stride=1, chip_stride=1, high=6}]",
                                 6));
  simulation.set(0, makeRamp(6));
  EXPECT_EQ(simulation.mustTrap(TrapKind::Overlap),
            "overlap: cluster 0 dmai, instruction 1 (dma.copy): writes byte 13 of cluster 0 "
            "sram, which it also reads for another element");
}

TEST(Dma, CopiesWhatIsThere) {
  Simulation simulation(makeCopy("from={base=8}, to=sram[64], dims=["
                                 "{extent=7, dram_stride=1, chip_stride=1, high=7}]",
                                 7));
  simulation.set(0, makeRamp(6));
  Expected<Result> result = simulation.run();
  ASSERT_FALSE(bool(result));
  std::string message = toString(result.takeError());
  EXPECT_NE(message.find("instruction 1 (dma.copy)"), std::string::npos) << message;
  EXPECT_NE(message.find("uninitialized"), std::string::npos) << message;
}

/// A program that loads three indices to sram[0], gathers by them, and stores `bytes` from
/// sram[64].
static std::string makeGather(StringRef gather, int64_t tableBytes, int64_t outBytes) {
  return formatv(R"(
.kernel "gather"
.target "npu-v1"
.region 0 input "table" {0}
.region 1 input "indices" 12
.region 2 output "y" {1}
.stream 0 dmai
  dma.load from={{region=1, type=i32}, to=sram[0], dims=[
      {{extent=3, dram_stride=4, chip_stride=4, high=3}]
  dma.gather signal(s1) {2}
  halt
.stream 0 dmao
  dma.store wait(s1 >= 1) to={{region=2}, from=sram[64], dims=[
      {{extent={1}, dram_stride=1, chip_stride=1, high={1}}]
  halt
)",
                 tableBytes, outBytes, gather);
}

TEST(Dma, GathersRows) {
  // Rows of two bytes.
  Simulation simulation(makeGather("from={}, to=sram[64], indices=sram[0], "
                                   "chosen={stride0=4, rows=4, row_bytes=2}, dims=["
                                   "{extent=3, chip_stride=2, high=3}, "
                                   "{extent=2, dram_stride=1, chip_stride=1, high=2}]",
                                   8, 6));
  simulation.set(0, makeRamp(8));
  simulation.set<int32_t>(1, {3, 0, 3});
  Result result = simulation.mustRun();
  EXPECT_EQ(simulation.get<int8_t>(2), std::vector<int8_t>({7, 8, 1, 2, 7, 8}));
  EXPECT_EQ(result.dramBytesRead, 12 + 6);
}

TEST(Dma, GathersAnElementPerIndex) {
  // Element j of the result is in column j, of the row that index j names; the last is outside.
  Simulation simulation(makeGather("from={}, to=sram[64], flags={fill=9}, indices=sram[0], "
                                   "chosen={stride0=4, rows=2, row_bytes=3}, dims=["
                                   "{extent=3, dram_stride=1, chip_stride=1, high=2}]",
                                   6, 3));
  simulation.set(0, makeRamp(6));
  simulation.set<int32_t>(1, {1, 0, 77});
  simulation.mustRun();
  EXPECT_EQ(simulation.get<int8_t>(2), std::vector<int8_t>({4, 2, 9}));
}

TEST(Dma, GathersNothingOutOfRange) {
  for (int32_t index : {-1, 4, std::numeric_limits<int32_t>::min()}) {
    Simulation simulation(makeGather("from={}, to=sram[64], indices=sram[0], "
                                     "chosen={stride0=4, rows=4, row_bytes=2}, dims=["
                                     "{extent=3, chip_stride=2, high=3}, "
                                     "{extent=2, dram_stride=1, chip_stride=1, high=2}]",
                                     8, 6));
    simulation.set(0, makeRamp(8));
    simulation.set<int32_t>(1, {0, index, 0});
    Expected<Result> result = simulation.run();
    ASSERT_FALSE(bool(result));
    std::string message = toString(result.takeError());
    EXPECT_NE(message.find(
                  formatv("index {0} at byte 4 of cluster 0 sram chooses none of the 4 rows", index)
                      .str()),
              std::string::npos)
        << message;
  }
}

TEST(Dma, GathersNothingOverItsIndices) {
  // The last byte of the last index is the first of the result.
  Simulation simulation(makeGather("from={}, to=sram[11], indices=sram[0], "
                                   "chosen={stride0=4, rows=4, row_bytes=2}, dims=["
                                   "{extent=3, chip_stride=2, high=3}, "
                                   "{extent=2, dram_stride=1, chip_stride=1, high=2}]",
                                   8, 6));
  simulation.set(0, makeRamp(8));
  simulation.set<int32_t>(1, {3, 0, 3});
  EXPECT_EQ(simulation.mustTrap(TrapKind::Overlap),
            "overlap: cluster 0 dmai, instruction 1 (dma.gather): writes byte 11 of cluster 0 "
            "sram, which it also reads for another element");
}

TEST(Dma, GathersNothingOutsideOfTheTable) {
  Simulation simulation(makeGather("from={}, to=sram[64], indices=sram[0], "
                                   "chosen={stride0=4, rows=5, row_bytes=2}, dims=["
                                   "{extent=3, chip_stride=2, high=3}, "
                                   "{extent=2, dram_stride=1, chip_stride=1, high=2}]",
                                   8, 6));
  simulation.set(0, makeRamp(8));
  simulation.set<int32_t>(1, {0, 4, 0});
  Expected<Result> result = simulation.run();
  ASSERT_FALSE(bool(result));
  std::string message = toString(result.takeError());
  EXPECT_NE(message.find("out of bounds"), std::string::npos) << message;
}
