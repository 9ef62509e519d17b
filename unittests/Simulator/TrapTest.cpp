//===- TrapTest.cpp - what the simulator refuses --------------------------===//

#include "SimulatorTest.h"

using namespace llvm;
using namespace npu;
using namespace npu::sim;

static const char *loadX = "from={}, to=sram[0], dims=[{extent=64, dram_stride=1, chip_stride=1, "
                           "high=64}]";

/// Streams after a header with an input of 64 bytes, an output of 64, and constants of 4.
static Simulation simulate(const std::string &streams, const std::string &target = "npu-v1") {
  return Simulation(".kernel \"trap\"\n.target \"" + target +
                    "\"\n.region 0 input \"x\" 64\n.region 1 output \"y\" 64\n"
                    ".region 2 constants \"c\" 4\n.data 2 \"01020304\"\n"
                    ".source 1 \"model.mlir:3:5\"\n" +
                    streams);
}

static std::string getVpu(const std::string &code, const std::string &load = loadX) {
  return ".stream 0 dmai\ndma.load signal(s1) " + load + "\nhalt\n.stream 0 vpu\n" + code +
         "\nhalt\n";
}

TEST(Trap, OutOfBoundsOnChip) {
  simulate(".stream 0 vpu\nloop 3\nvpu.fill shape=[1, 1, 1, 8], dst=i32 sram[1048512 + 16*i0] "
           "strides(0, "
           "0, 0, 4), source=1\nendloop\nhalt\n")
      .mustRun();
  EXPECT_EQ(simulate(".stream 0 vpu\nloop 4\nvpu.fill shape=[1, 1, 1, 8], dst=i32 sram[1048512 + "
                     "16*i0] strides(0, 0, 0, 4), source=1\nendloop\nhalt\n")
                .mustTrap(TrapKind::OutOfBounds),
            "out of bounds: cluster 0 vpu, instruction 1 (vpu.fill at i0 = 3) of model.mlir:3:5: "
            "accesses bytes 1048560 to 1048591 of cluster 0 sram, which has 1048576");
}

TEST(Trap, OutOfBoundsInDram) {
  EXPECT_EQ(simulate(".stream 0 dmai\ndma.load from={base=1}, to=sram[0], dims=[{extent=64, "
                     "dram_stride=1, chip_stride=1, high=64}]\nhalt\n")
                .mustTrap(TrapKind::OutOfBounds),
            "out of bounds: cluster 0 dmai, instruction 0 (dma.load): accesses bytes 1 to 64 of "
            "input region 'x', which has 64");
  simulate(".stream 0 dmai\ndma.load from={base=-1}, to=sram[0], dims=[{extent=1, dram_stride=1, "
           "chip_stride=1, high=1}]\nhalt\n")
      .mustTrap(TrapKind::OutOfBounds);
}

TEST(Trap, HugeOperandsAreRefused) {
  // Coordinates, strides and extents whose products leave 64 bits.
  simulate(
      ".stream 0 dmai\ndma.load from={}, to=sram[0], dims=[{extent=1, dram_stride=549755813887, "
      "chip_stride=1, origin=2147483646, high=2147483647}]\nhalt\n")
      .mustTrap(TrapKind::OutOfBounds);
  simulate(".stream 0 dmai\ndma.load from={}, to=sram[0], dims=[{extent=2, chip_stride=1, high=2}, "
           "{extent=1, dram_stride=549755813887, chip_stride=1, block=2147483646, high=2147483647}]"
           "\nhalt\n")
      .mustTrap(TrapKind::OutOfBounds);
  // What lies outside its window is no access, however far away.
  simulate(".stream 0 dmai\ndma.load from={}, to=sram[0], dims=[{extent=2, chip_stride=1, high=2}, "
           "{extent=1, dram_stride=549755813887, chip_stride=1, block=4294967295, high=1}]\nhalt\n")
      .mustRun();
  simulate(
      ".stream 0 dmai\ndma.load from={}, to=sram[0], dims=[{extent=1, dram_stride=549755813887, "
      "chip_stride=1, origin=2147483646, high=2147483647}, {extent=1, origin=1, high=1}]\nhalt\n")
      .mustRun();
  simulate(
      ".stream 0 dmai\ndma.load from={}, to=sram[0], dims=[{extent=268435455}, "
      "{extent=268435455}, {extent=268435455}, {extent=268435455}, {extent=268435455}]\nhalt\n")
      .mustTrap(TrapKind::CycleLimit);
  simulate(".stream 0 vpu\nvpu.fill shape=[268435455, 268435455, 268435455, 268435455], dst=i8 "
           "sram[0] strides(0, 0, 0, 0)\nhalt\n")
      .mustTrap(TrapKind::CycleLimit);
  simulate(".stream 0 mxu\nmxu.matmul accumulate=i8 never, a=sram[0], b=sram[0], out=acc[0], "
           "m=268435455, n=268435455, k=268435455\nhalt\n")
      .mustTrap(TrapKind::CycleLimit);
  simulate(".stream 0 mxu\nmxu.conv accumulate=i8 never, in=sram[0], weights=sram[0], out=acc[0], "
           "h=268435455, w=268435455, f=268435455, c=268435455, y=268435455, x=268435455\nhalt\n")
      .mustTrap(TrapKind::CycleLimit);
  EXPECT_EQ(simulate(".stream 0 vpu\nloop 4294967295\nvpu.fill shape=[1, 1, 1, 1], dst=i8 "
                     "sram[549755813887*i0] strides(0, 0, 0, 0)\nendloop\nhalt\n")
                .mustTrap(TrapKind::BadOperand),
            "bad operand: cluster 0 vpu, instruction 1 (vpu.fill): has a field whose base and loop "
            "terms exceed 2^56 in some iteration");
}

TEST(Trap, Misaligned) {
  EXPECT_EQ(simulate(".stream 0 vpu\nvpu.fill shape=[1, 1, 1, 2], dst=i32 sram[2] strides(0, 0, 0, "
                     "4)\nhalt\n")
                .mustTrap(TrapKind::Misaligned),
            "misaligned: cluster 0 vpu, instruction 0 (vpu.fill): accesses 4-byte elements of "
            "cluster 0 sram at byte 2 with a base or stride that is no multiple of 4");
}

TEST(Trap, UninitializedRead) {
  EXPECT_EQ(
      simulate(".stream 0 vpu\nvpu.fill shape=[1, 1, 1, 4], dst=i8 sram[0] strides(0, 0, 0, 1)\n"
               "vpu.unary shape=[1, 1, 1, 5], dst=i8 sram[64] strides(0, 0, 0, 1), a=i8 sram[0] "
               "strides(0, 0, 0, 1), op={kind=copy}\nhalt\n")
          .mustTrap(TrapKind::UninitializedRead),
      "uninitialized read: cluster 0 vpu, instruction 1 (vpu.unary): reads byte 4 of cluster "
      "0 sram, which nothing has written");
  Options withoutRaces;
  withoutRaces.checkRaces = false;
  simulate(".stream 0 dmai\ndma.load from={region=1}, to=sram[0], dims=[{extent=1, dram_stride=1, "
           "chip_stride=1, high=1}]\nhalt\n")
      .mustTrap(TrapKind::UninitializedRead, withoutRaces);
}

static const char *incrementX = "shape=[1, 1, 1, 64], dst=i8 sram[0] strides(0, 0, 0, 1), a=i8 "
                                "sram[0] strides(0, 0, 0, 1), op={kind=add, immediate=1}";

TEST(Trap, DataRaces) {
  std::string increment = std::string("vpu.binary_imm wait(s1 >= 1) signal(s2) ") + incrementX;
  simulate(getVpu(increment)).mustRun();
  // Write after write: the wait holds in time, but not for what the program says.
  EXPECT_EQ(simulate(".stream 0 dmai\nloop 2\ndma.load signal(s1) " + std::string(loadX) +
                     "\nendloop\nhalt\n.stream 0 vpu\n" + increment + "\nhalt\n")
                .mustTrap(TrapKind::DataRace),
            "data race: cluster 0 dmai, instruction 1 (dma.load at i0 = 1): writes byte 0 of "
            "cluster 0 sram without waiting for cluster 0 vpu, instruction 0 (vpu.binary_imm), "
            "which writes it");
  // Read without waiting for the second write, which is long visible by then.
  std::string order = ".stream 0 dmai\ndma.load signal(s1) " + std::string(loadX) +
                      "\nsync wait(s3 >= 1)\nhalt\n.stream 0 dmao\n" +
                      "dma.store wait(s2 >= 1) to={region=1}, from=sram[0], dims=[{extent=64, "
                      "dram_stride=1, chip_stride=1, high=64}]\nhalt\n.stream 0 vpu\n"
                      "sync wait(s1 >= 1) signal(s2)\nvpu.fill signal(s3) shape=[1, 1, 1, 64], "
                      "dst=i8 sram[0] strides(0, 0, 0, 1)\nhalt\n";
  simulate(order).mustTrap(TrapKind::DataRace);
}

TEST(Trap, TimeDoesNotOrderAccesses) {
  // The reader runs a long time after the writer, but no semaphore says so.
  std::string text = ".stream 0 dmai\ndma.load " + std::string(loadX) +
                     "\nhalt\n.stream 0 vpu\nvpu.fill shape=[1, 1, 1000, 64], dst=i8 sram[64] "
                     "strides(0, 0, 64, 1)\nvpu.unary shape=[1, 1, 1, 64], dst=i8 sram[131072] "
                     "strides(0, 0, 0, 1), a=i8 sram[0] strides(0, 0, 0, 1)\nhalt\n";
  std::string message = simulate(text).mustTrap(TrapKind::DataRace);
  EXPECT_NE(message.find("reads byte 0 of cluster 0 sram without waiting for cluster 0 dmai, "
                         "instruction 0 (dma.load), which writes it"),
            std::string::npos)
      << message;
  Options withoutRaces;
  withoutRaces.checkRaces = false;
  simulate(text).mustRun(withoutRaces);
}

TEST(Trap, TransitiveOrderIsNoRace) {
  simulate(".stream 0 dmai\ndma.load signal(s1) " + std::string(loadX) +
           "\nhalt\n.stream 0 vpu\nvpu.binary_imm wait(s2 >= 1) " + incrementX +
           "\nhalt\n.stream 0 ctl\nsync wait(s1 >= 1) signal(s2)\nhalt\n")
      .mustRun();
}

TEST(Trap, Overlap) {
  EXPECT_EQ(
      simulate(".stream 0 vpu\nvpu.fill shape=[1, 1, 2, 4], dst=i32 sram[0] strides(0, 0, 8, "
               "4)\nhalt\n")
          .mustTrap(TrapKind::Overlap),
      "overlap: cluster 0 vpu, instruction 0 (vpu.fill): writes elements of cluster 0 sram at "
      "byte 0 that overlap");
  simulate(".stream 0 vpu\nvpu.fill shape=[1, 2, 2, 4], dst=i8 sram[0] strides(0, 8, 8, 1)\nhalt\n")
      .mustTrap(TrapKind::Overlap);
  EXPECT_EQ(
      simulate(getVpu("vpu.unary wait(s1 >= 1) shape=[1, 1, 1, 32], dst=i8 sram[16] strides(0, "
                      "0, 0, 1), a=i8 sram[0] strides(0, 0, 0, 1)"))
          .mustTrap(TrapKind::Overlap),
      "overlap: cluster 0 vpu, instruction 0 (vpu.unary): writes byte 16 of cluster 0 sram, "
      "which it also reads for another element");
}

TEST(Trap, ReadOnlyRegions) {
  for (const char *region : {"0", "2"})
    simulate(".stream 0 dmao\ndma.store to={region=" + std::string(region) +
             "}, from=sram[0], dims=[{extent=4, dram_stride=1, chip_stride=1, high=4}]\nhalt\n")
        .mustTrap(TrapKind::ReadOnlyRegion);
}

TEST(Trap, UnsupportedTypes) {
  EXPECT_EQ(simulate(".stream 0 mxu\nmxu.matmul accumulate=f32 never, a=sram[0], b=sram[0], "
                     "out=acc[0], m=1, n=1, k=1\nhalt\n",
                     "npu-tiny")
                .mustTrap(TrapKind::UnsupportedType),
            "unsupported type: cluster 0 mxu, instruction 0 (mxu.matmul): the array of target "
            "'npu-tiny' does not multiply f32");
  simulate(
      ".stream 0 vpu\nvpu.fill shape=[1, 1, 1, 1], dst=f16 sram[0] strides(0, 0, 0, 2)\nhalt\n",
      "npu-tiny")
      .mustTrap(TrapKind::UnsupportedType);
  simulate(".stream 0 vpu\nvpu.fill shape=[1, 1, 1, 1], dst=i32 acc[0] strides(0, 0, 0, 4)\n"
           "vpu.requant_imm shape=[1, 1, 1, 1], dst=i8 sram[0] strides(0, 0, 0, 1), a=i32 acc[0] "
           "strides(0, 0, 0, 4), op={low=-128, high=127}, scale={value=0.5}\nhalt\n",
           "npu-tiny")
      .mustRun();
}

TEST(Trap, BadOperands) {
  auto refuse = [](const std::string &engine, const std::string &instruction,
                   const std::string &message) {
    std::string found = simulate(".stream 0 " + engine + "\n" + instruction + "\nhalt\n")
                            .mustTrap(TrapKind::BadOperand);
    EXPECT_NE(found.find(message), std::string::npos) << found;
  };
  refuse("dmai", "dma.load from={}, to=acc[0], dims=[{extent=1, high=1}]",
         "operand 'to' must be in sram, found it in acc");
  refuse("dmai", "dma.load from={}, to=sram[0], flags={clusters=2}, dims=[{extent=1, high=1}]",
         "sends to clusters 0x2, but the target has 1");
  refuse("mxu", "mxu.matmul accumulate=i8 never, a=acc[0], b=sram[0], out=acc[0], m=1, n=1, k=1",
         "operand 'a' must be in sram");
  refuse("mxu", "mxu.matmul accumulate=i8 never, a=sram[0], b=sram[0], out=sram[0], m=1, n=1, k=1",
         "operand 'out' must be in acc");
  refuse("vpu",
         "vpu.unary shape=[1, 1, 1, 1], dst=i8 sram[0] strides(0, 0, 0, 1), a=f32 sram[0] "
         "strides(0, 0, 0, 4)",
         "operand 'dst' must be a float type, found i8");
  refuse("vpu",
         "vpu.unary shape=[1, 1, 1, 1], dst=i8 sram[0] strides(0, 0, 0, 1), a=i8 sram[0] "
         "strides(0, 0, 0, 1), op={kind=exp}",
         "function 'exp' has no integer form");
  refuse("vpu",
         "vpu.table8 shape=[1, 1, 1, 1], dst=i8 sram[0] strides(0, 0, 0, 1), a=i8 sram[0] "
         "strides(0, 0, 0, 1), table=acc[0]",
         "operand 'table' must be in sram");
  refuse("vpu",
         "vpu.fill shape=[1, 1, 1, 1], dst=i32 sram[0] strides(0, 0, 0, 4)\n"
         "vpu.fill shape=[1, 1, 1, 1], dst=i8 sram[4] strides(0, 0, 0, 1), value={bits=63}\n"
         "vpu.rescale shape=[1, 1, 1, 1], dst=i8 sram[8] strides(0, 0, 0, 1), a=i32 sram[0] "
         "strides(0, 0, 0, 4), multiplier=i32 sram[0] strides(0, 0, 0, 4), shift=i8 sram[4] "
         "strides(0, 0, 0, 1)",
         "operand 'shift' must lie in 2..62, found 63");
}

TEST(Trap, SemaphoreWithTwoSignallers) {
  EXPECT_EQ(simulate(".stream 0 mxu\nsync signal(s7)\nhalt\n.stream 0 vpu\nsync signal(s7)\nhalt\n")
                .mustTrap(TrapKind::SemaphoreConflict),
            "semaphore conflict: semaphore 7 is signalled by cluster 0 mxu and by cluster 0 vpu, "
            "but only one stream may signal it");
}

TEST(Trap, Deadlock) {
  EXPECT_EQ(
      simulate(".stream 0 mxu\nloop 2\nsync wait(s1 >= i0 + 1) signal(s2)\nendloop\nhalt\n"
               ".stream 0 vpu\nsync signal(s1)\nsync wait(s2 >= 2, s9 >= 1)\nhalt\n")
          .mustTrap(TrapKind::Deadlock),
      "deadlock: no stream can go on; cluster 0 mxu, instruction 1 (sync at i0 = 1) waits for "
      "semaphore 1 >= 2, which is 1 and signalled by cluster 0 vpu; cluster 0 vpu, "
      "instruction 1 (sync) waits for semaphore 2 >= 2, which is 1 and signalled by cluster 0 "
      "mxu");
  EXPECT_EQ(
      simulate(".stream 0 vpu\nsync wait(s9 >= 1)\nhalt\n").mustTrap(TrapKind::Deadlock),
      "deadlock: no stream can go on; cluster 0 vpu, instruction 0 (sync) waits for semaphore "
      "9 >= 1, which is 0 and signalled by no stream");
}

TEST(Trap, Limits) {
  Options options;
  options.cycleLimit = 1000;
  options.stepLimit = 100000;
  simulate(".stream 0 vpu\nloop 1000\nsync\nendloop\nhalt\n")
      .mustTrap(TrapKind::CycleLimit, options);
  simulate(".stream 0 vpu\nloop 4294967295\nloop 4294967295\nendloop\nendloop\nhalt\n")
      .mustTrap(TrapKind::StepLimit, options);
  simulate(".stream 0 vpu\nloop 4294967295\nsync\nendloop\nhalt\n", "npu-v1:issueCycles=0")
      .mustTrap(TrapKind::StepLimit, options);
}

TEST(Trap, RegionsOfTheWrongSize) {
  Simulation simulation = simulate("");
  simulation.data[0].resize(63);
  Expected<Result> result = simulation.run();
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()), "expected 64 bytes for region 'x', found 63");
}
