//===- TimingTest.cpp - cycles of whole programs --------------------------===//

#include "SimulatorTest.h"

#include "NPU/Target/ISA/Timing.h"

using namespace llvm;
using namespace npu;
using namespace npu::sim;

static Simulation make(const std::string &text, const std::string &target = "npu-v1") {
  return Simulation(".kernel \"timing\"\n.target \"" + target + "\"\n" + text);
}

TEST(Timing, MatmulIsTheFormula) {
  Simulation simulation = make(R"(
.stream 0 mxu
  sync wait(s1 >= 1)
  mxu.matmul accumulate=i8 never, a=sram[0], a_pitch={row_bytes=100}, b=sram[16384], b_panel={panel_bytes=3200}, out=acc[0], out_pitch={row_bytes=280}, m=50, n=70, k=100
  halt
.stream 0 vpu
  vpu.fill shape=[1, 1, 1, 5000], dst=i8 sram[0] strides(0, 0, 0, 1)
  vpu.fill signal(s1) shape=[1, 1, 1, 9600], dst=i8 sram[16384] strides(0, 0, 0, 1)
  halt
)");
  TargetDesc target = cantFail(parseTarget("npu-v1"));
  Options options;
  options.recordEvents = true;
  Result result = simulation.mustRun(options);
  int64_t fills = 16 + 79 + 16 + 150,
          matmul = isa::getMatmulCycles(target, isa::MacType::I8, 50, 70, 100);
  EXPECT_EQ(matmul, 4 * 3 * 50 + 64);
  EXPECT_EQ(result.cycles, fills + 16 + matmul);
  EXPECT_EQ(result.macs, 50 * 70 * 100);
  EXPECT_EQ(result.vpuElements, 14600);

  const StreamStats &mxu = result.streams[0];
  EXPECT_EQ(mxu.instructions, 2);
  EXPECT_EQ(mxu.issue, 32);
  EXPECT_EQ(mxu.busy, matmul);
  EXPECT_EQ(mxu.waits, (std::map<int64_t, int64_t>{{1, fills - 16}}));
  EXPECT_EQ(mxu.issue + mxu.busy + mxu.contention + mxu.getWaitCycles(), mxu.end);

  ASSERT_EQ(result.events.size(), 4u);
  const Event &last = result.events.back();
  EXPECT_EQ(last.stream, 0u);
  EXPECT_EQ(last.instruction, 1u);
  EXPECT_EQ(last.issue, fills);
  EXPECT_EQ(last.start, fills + 16);
  EXPECT_EQ(last.end, result.cycles);
}

/// `count` streams that each load 3200 bytes, 100 cycles' worth.
static std::string makeLoads(int count) {
  std::string text = ".region 0 input \"x\" 3200\n";
  for (int c = 0; c < count; ++c)
    text += formatv(".stream {0} dmai\ndma.load from={{}, to=sram[0], dims=[{{extent=3200, "
                    "dram_stride=1, chip_stride=1, high=3200}]\nhalt\n",
                    c);
  return text;
}

TEST(Timing, LoadsShareTheBandwidth) {
  auto run = [](int count) {
    return make(makeLoads(count), "npu-v1:clusters=4,dmaElementsPerCycle=64").mustRun();
  };
  EXPECT_EQ(run(1).cycles, 16 + 100 + 100);
  EXPECT_EQ(run(2).cycles, 16 + 100 + 200);
  Result three = run(3);
  EXPECT_EQ(three.cycles, 16 + 100 + 300);
  EXPECT_EQ(three.streams[0].busy, 200);
  EXPECT_EQ(three.streams[0].contention, 200);
  EXPECT_EQ(three.dramBytesRead, 9600);
  EXPECT_EQ(three.dramChargedBytes, 9600);
}

TEST(Timing, ALateTransferSlowsDownTheRest) {
  // The second starts 50 cycles later: 50 alone, 100 shared, 50 alone.
  Result result = make(R"(
.region 0 input "x" 3200
.stream 0 dmai
  dma.load from={}, to=sram[0], dims=[{extent=3200, dram_stride=1, chip_stride=1, high=3200}]
  halt
.stream 1 dmai
  sync wait(s1 >= 1)
  dma.load from={}, to=sram[0], dims=[{extent=3200, dram_stride=1, chip_stride=1, high=3200}]
  halt
.stream 1 vpu
  vpu.fill signal(s1) shape=[1, 1, 1, 2176], dst=i8 acc[0] strides(0, 0, 0, 1)
  halt
)",
                       "npu-v1:clusters=2,dmaElementsPerCycle=64")
                      .mustRun();
  EXPECT_EQ(result.streams[0].end, 116 + 50 + 100);
  EXPECT_EQ(result.streams[1].end, 116 + 50 + 100 + 50);
}

TEST(Timing, TheChipSideBounds) {
  // 32 elements per cycle on chip: bytes in the tensor cost as much as fill.
  Result result = make(R"(
.region 0 input "x" 32
.stream 0 dmai
  dma.load from={}, to=sram[0], dims=[{extent=3200, dram_stride=1, chip_stride=1, high=32}]
  halt
)")
                      .mustRun();
  EXPECT_EQ(result.cycles, 16 + 100 + 100);
  EXPECT_EQ(result.dramBytesRead, 32);
}

TEST(Timing, AScanIsSerialAlongItsRows) {
  // The same 130 x 100 elements, as two rounds of 100 over 64 lanes and a third, and as one row.
  auto run = [](StringRef shape, StringRef strides) {
    return make(formatv(R"(
.stream 0 vpu
  vpu.fill shape=[1, 1, 1, 13000], dst=i32 sram[0] strides(0, 0, 0, 4)
  vpu.scan shape=[{0}], dst=i32 sram[65536] strides({1}), a=i32 sram[0] strides({1}), op={{kind=prod}
  halt
)",
                        shape, strides))
        .mustRun();
  };
  int64_t before = 16 + 204 + 16, passes = isa::getCost(isa::ReduceKind::Prod);
  EXPECT_EQ(run("5, 2, 13, 100", "10400, 5200, 400, 4").cycles, before + 3 * 100 * passes);
  EXPECT_EQ(run("1, 1, 100, 130", "0, 0, 520, 4").cycles, before + 2 * 130 * passes);
  Result result = run("1, 1, 1, 13000", "0, 0, 0, 4");
  EXPECT_EQ(result.cycles, before + 13000 * passes);
  EXPECT_EQ(result.vpuElements, 26000);
}

TEST(Timing, AFloatSumIsSerialAlongItsRows) {
  // 130 rows of 100: as three rounds, or all elements over 64 lanes.
  auto run = [](StringRef type, StringRef kind) {
    return make(formatv(R"(
.stream 0 vpu
  vpu.fill shape=[1, 1, 1, 13000], dst={0} sram[0] strides(0, 0, 0, 4)
  vpu.reduce shape=[5, 2, 13, 100], dst={0} sram[65536] strides(104, 52, 4, 0), a={0} sram[0] strides(10400, 5200, 400, 4), reduction={1} never
  halt
)",
                        type, kind))
               .mustRun()
               .cycles -
           (16 + 204 + 16);
  };
  int64_t sum = isa::getCost(isa::ReduceKind::Sum), prod = isa::getCost(isa::ReduceKind::Prod),
          max = isa::getCost(isa::ReduceKind::Max);
  EXPECT_EQ(run("f32", "sum"), 3 * 100 * sum);
  EXPECT_EQ(run("f32", "prod"), 3 * 100 * prod);
  EXPECT_EQ(run("f32", "max"), 204 * max);
  EXPECT_EQ(run("i32", "sum"), 204 * sum);
  EXPECT_EQ(run("i32", "prod"), 204 * prod);
}

TEST(Timing, ZeroExtentsOnlyIssue) {
  Result result = make(R"(
.stream 0 mxu
  loop 3
    mxu.matmul signal(s1) accumulate=i8 never, a=sram[0], b=sram[0], out=acc[0], m=clamp(0 - i0, 4), n=1, k=1
  endloop
  halt
.stream 0 vpu
  sync wait(s1 >= 3)
  halt
)")
                      .mustRun();
  EXPECT_EQ(result.streams[0].end, 48);
  EXPECT_EQ(result.streams[1].end, 48);
  EXPECT_EQ(result.streams[1].waits, (std::map<int64_t, int64_t>{{1, 32}}));
}

TEST(Timing, RunsAreReproducible) {
  auto run = [] {
    Options options;
    options.recordEvents = true;
    return make(makeLoads(3), "npu-v1-x4").mustRun(options);
  };
  Result first = run(), second = run();
  EXPECT_EQ(first.cycles, second.cycles);
  ASSERT_EQ(first.events.size(), second.events.size());
  for (size_t i = 0; i < first.events.size(); ++i) {
    EXPECT_EQ(first.events[i].stream, second.events[i].stream);
    EXPECT_EQ(first.events[i].end, second.events[i].end);
  }
}

/// `count` loads of 3200 bytes, 100 cycles' worth, by one engine, and what waits for them.
static Result runLoads(int count, int outstanding, StringRef last = "") {
  std::string text = ".region 0 input \"x\" 3200\n.stream 0 dmai\n";
  for (int i = 0; i < count; ++i)
    text += formatv("dma.load from={{}, to=sram[{0}], dims=[{{extent=3200, dram_stride=1, "
                    "chip_stride=1, high=3200}]\n",
                    3200 * i);
  text += last.str() + "halt\n";
  return make(text, formatv("npu-v1:dmaOutstanding={0}", outstanding)).mustRun();
}

TEST(Timing, LatenciesOfOutstandingTransfersOverlap) {
  EXPECT_EQ(runLoads(3, 1).cycles, 3 * (16 + 100 + 100));
  // Two: the second waits for its first byte while the first moves; the third one is issued when
  // the first has ended.
  EXPECT_EQ(runLoads(2, 2).cycles, 16 + 100 + 2 * 100);
  EXPECT_EQ(runLoads(3, 2).cycles, 216 + 16 + 100 + 100);
  Result all = runLoads(3, 3);
  EXPECT_EQ(all.cycles, 16 + 100 + 3 * 100);
  const StreamStats &stream = all.streams[0];
  EXPECT_EQ(stream.issue, 16);
  EXPECT_EQ(stream.busy, 400);
  EXPECT_EQ(stream.issue + stream.busy + stream.contention + stream.getWaitCycles(), stream.end);
  EXPECT_EQ(stream.end, all.cycles);
  // More do not move at once.
  EXPECT_EQ(runLoads(3, 16).cycles, all.cycles);
}

TEST(Timing, WhatTransfersNothingEndsBehindTheTransfersBefore) {
  Result result = make(R"(
.region 0 input "x" 3200
.stream 0 dmai
  dma.load from={}, to=sram[0], dims=[{extent=3200, dram_stride=1, chip_stride=1, high=3200}]
  sync signal(s1)
  halt
.stream 0 vpu
  vpu.unary wait(s1 >= 1) shape=[1, 1, 1, 64], dst=i8 sram[0] strides(0, 0, 0, 1), a=i8 sram[0] strides(0, 0, 0, 1), op={kind=neg}
  halt
)",
                       "npu-v1:dmaOutstanding=4")
                      .mustRun();
  EXPECT_EQ(result.streams[0].end, 16 + 100 + 100);
  EXPECT_EQ(result.cycles, 216 + 1);
}

TEST(Timing, AGatherWaitsForItsIndices) {
  StringRef gather = "dma.gather from={}, to=sram[12800], indices=sram[0], chosen={stride0=4, "
                     "rows=3200, row_bytes=1}, dims=[{extent=1, chip_stride=32}, {extent=32, "
                     "dram_stride=1, chip_stride=1, high=32}]\n";
  int64_t alone = runLoads(1, 1, gather).cycles - runLoads(1, 1).cycles;
  EXPECT_GT(alone, 116);
  EXPECT_EQ(runLoads(3, 3, gather).cycles, runLoads(3, 3).cycles + alone - 16);
}

TEST(Timing, ACopyWaitsForItsSourceAndNotForMemory) {
  StringRef copy = "dma.copy from={}, to=sram[12800], dims=[{extent=3200, dram_stride=1, "
                   "chip_stride=1, high=3200}]\n";
  // 3200 elements, 32 of them in a cycle.
  EXPECT_EQ(runLoads(1, 1, copy).cycles, runLoads(1, 1).cycles + 16 + 100);
  EXPECT_EQ(runLoads(3, 3, copy).cycles, runLoads(3, 3).cycles + 100);
}

/// Two products with 4 * 3 passes of 50 rows; `isSerial`: the second one waits for the first.
static Result runProducts(StringRef target, bool isSerial = false) {
  std::string text = R"(
.stream 0 mxu
  sync wait(s1 >= 1)
)";
  for (int i = 0; i < 2; ++i)
    text +=
        formatv("mxu.matmul {0} {1} accumulate=i8 never, a=sram[0], a_pitch={{row_bytes=100}, "
                "b=sram[16384], b_panel={{panel_bytes=3200}, out=acc[{2}], "
                "out_pitch={{row_bytes=280}, m=50, n=70, k=100\n",
                i == 1 && isSerial ? "wait(s2 >= 1)" : "", i == 0 ? "signal(s2)" : "", 16384 * i);
  text += R"(  halt
.stream 0 vpu
  vpu.fill shape=[1, 1, 1, 5000], dst=i8 sram[0] strides(0, 0, 0, 1)
  vpu.fill signal(s1) shape=[1, 1, 1, 9600], dst=i8 sram[16384] strides(0, 0, 0, 1)
  halt
)";
  return make(text, target.str()).mustRun();
}

TEST(Timing, ThePipelinedArrayFillsWhileItDrains) {
  int64_t fills = 16 + 79 + 16 + 150, product = 4 * 3 * 50 + 64;
  EXPECT_EQ(runProducts("npu-v1").cycles, fills + 2 * (16 + product));
  Result pipelined = runProducts("npu-v1:macPipelined=1");
  EXPECT_EQ(pipelined.cycles, fills + 16 + 2 * product - 32);
  const StreamStats &mxu = pipelined.streams[0];
  EXPECT_EQ(mxu.busy, 2 * product - 32);
  EXPECT_EQ(mxu.issue + mxu.busy + mxu.contention + mxu.getWaitCycles(), mxu.end);
  // What waits for the first one's result has been issued.
  EXPECT_EQ(runProducts("npu-v1:macPipelined=1", /*isSerial=*/true).cycles,
            fills + 16 + 2 * product);
}
