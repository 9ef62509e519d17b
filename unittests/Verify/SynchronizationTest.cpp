//===- SynchronizationTest.cpp - races, deadlocks, signallers -------------===//

#include "Oracle.h"

#include "NPU/Target/Verify/Mutate.h"
#include "NPU/Target/Verify/Verify.h"

using namespace npu;
using namespace npu::test;

static const char *header = R"(.kernel "k"
.target "npu-v1-x4"
.region 0 input "x" 65536
.region 1 output "y" 65536
.region 2 scratch "t" 65536
.source 1 "npu.tanh at model.mlir:7"
)";

static std::string verifyStreams(const std::string &streams) {
  return getMessage(verifyProgram(parse(header + streams)));
}

/// Load, compute, store in a nest of 4 x 4 with rings of two slots; `full` semaphores 1 and 3,
/// `free` semaphores 2 and 4.
static const char *pipeline = R"(
.stream 0 dmai
  loop 4
    loop 4
      dma.load wait(s2 >= -1 + 4*i0 + i1) signal(s1) from={region=0, type=i8, base=256*i0 + 64*i1}, to=sram[0, ring(4*i0 + i1, depth=2, slot=64)], dims=[{extent=64, dram_stride=1, chip_stride=1, high=64}]
    endloop
  endloop
  halt
.stream 0 dmao
  loop 4
    loop 4
      dma.store wait(s3 >= 1 + 4*i0 + i1) signal(s4) to={region=1, type=i8, base=256*i0 + 64*i1}, from=sram[128, ring(4*i0 + i1, depth=2, slot=64)], dims=[{extent=64, dram_stride=1, chip_stride=1, high=64}]
    endloop
  endloop
  halt
.stream 0 vpu
  loop 4
    loop 4
      vpu.unary wait(s1 >= 1 + 4*i0 + i1, s4 >= -1 + 4*i0 + i1) signal(s2, s3) shape=[1, 1, 1, 64], dst=i8 sram[128, ring(4*i0 + i1, depth=2, slot=64)] strides(0, 0, 0, 1), a=i8 sram[0, ring(4*i0 + i1, depth=2, slot=64)] strides(0, 0, 0, 1), op={kind=copy}, source=1
    endloop
  endloop
  halt
)";

TEST(Synchronization, PipelineIsSafe) { EXPECT_EQ(verifyStreams(pipeline), ""); }

TEST(Synchronization, EveryMistakeInThePipelineIsFound) {
  isa::Program program = parse(header + std::string(pipeline));
  for (const Mutation &mutation : enumerateMutations(program)) {
    isa::Program mutant = applyMutation(program, mutation);
    Verdict found = classify(getMessage(verifyProgram(mutant)));
    std::string what = mutation.describe(program);
    const isa::Sync &sync = *isa::getSync(program.streams[mutation.stream].code[mutation.index]);
    int64_t semaphore = mutation.slot ? sync.wait1 : sync.wait0;
    bool isFree = semaphore == 2 || semaphore == 4;
    switch (mutation.kind) {
    case MutationKind::DeleteWait:
    case MutationKind::DecrementWait:
      EXPECT_EQ(found, Verdict::Race) << what;
      break;
    case MutationKind::DeleteSignal:
      EXPECT_EQ(found, Verdict::Deadlock) << what;
      break;
    case MutationKind::IncrementWait: // a later free slot is only slower
      EXPECT_EQ(found, isFree ? Verdict::Safe : Verdict::Deadlock) << what;
      EXPECT_FALSE(sameHappensBefore(program, mutant)) << what;
      break;
    case MutationKind::ShiftAddress:
      break;
    }
  }
}

TEST(Synchronization, RaceMessage) {
  std::string text = pipeline;
  text.replace(text.find("s1 >= 1 + 4"), 11, "s1 >= 0 + 4");
  EXPECT_EQ(verifyStreams(text),
            "data race: bytes [0, 64) of cluster 0 sram: stream cluster 0 dmai, instruction 2 "
            "'dma.load' at i0 = 0, i1 = 0 writes 'to', and stream cluster 0 vpu, instruction 2 "
            "'vpu.unary' (source 'npu.tanh at model.mlir:7') at i0 = 0, i1 = 0 reads 'a'; no wait "
            "of stream cluster 0 dmai or of stream cluster 0 vpu orders them");
}

TEST(Synchronization, DeadlockMessage) {
  EXPECT_EQ(verifyStreams(R"(
.stream 0 mxu
  sync wait(s1 >= 1) signal(s2)
  halt
.stream 0 vpu
  loop 3
    sync wait(s2 >= 1 + i0) signal(s1)
  endloop
  halt
)"),
            "deadlock: stream cluster 0 mxu, instruction 0 'sync' waits for semaphore 1 >= 1, "
            "which stays at 0: its signaller, stream cluster 0 vpu, waits itself; stream cluster 0 "
            "vpu, instruction 1 'sync' at i0 = 0 waits for semaphore 2 >= 1, which stays at 0: its "
            "signaller, stream cluster 0 mxu, waits itself");
  EXPECT_EQ(verifyStreams(".stream 0 mxu\n sync wait(s1 >= 1)\n halt\n"),
            "deadlock: stream cluster 0 mxu, instruction 0 'sync' waits for semaphore 1 >= 1, "
            "which stays at 0: no stream signals it");
  EXPECT_EQ(verifyStreams(".stream 0 mxu\n sync wait(s1 >= 2)\n halt\n"
                          ".stream 0 vpu\n sync signal(s1)\n halt\n"),
            "deadlock: stream cluster 0 mxu, instruction 0 'sync' waits for semaphore 1 >= 2, "
            "which stays at 1: its signaller, stream cluster 0 vpu, has ended");
}

TEST(Synchronization, TwoSignallers) {
  EXPECT_EQ(verifyStreams(".stream 0 mxu\n sync signal(s7)\n halt\n"
                          ".stream 0 vpu\n sync signal(s1, s7)\n halt\n"),
            "semaphore: stream cluster 0 vpu, instruction 0 'sync' signals semaphore 7, which "
            "stream cluster 0 mxu, instruction 0 'sync' signals as well; one stream may signal a "
            "semaphore");
}

TEST(Synchronization, WaitsForNothingAlwaysHold) {
  EXPECT_EQ(verifyStreams(".stream 0 mxu\n sync wait(s1 >= 0, s2 >= -5)\n halt\n"), "");
}

/// A column tile of 64 bytes in rows of 256 bytes, stored by each of two clusters.
static std::string storeColumns(int64_t cluster, int64_t column) {
  return ".stream " + std::to_string(cluster) +
         " dmao\n  loop 8\n dma.store to={region=1, type=i8}, from=sram[0], "
         "dims=[{extent=16, dram_stride=256, chip_stride=64, origin=16*i0, high=128}, "
         "{extent=64, dram_stride=1, chip_stride=1, origin=" +
         std::to_string(column) + ", high=256}]\n  endloop\n  halt\n";
}

TEST(Synchronization, InterleavedColumnsOfTwoClusters) {
  VerifyStats stats;
  EXPECT_EQ(
      getMessage(verifyProgram(parse(header + storeColumns(0, 0) + storeColumns(1, 64)), &stats)),
      "");
  EXPECT_EQ(stats.conflictPairs, 0); // decided without running
  std::string message = verifyStreams(storeColumns(0, 0) + storeColumns(1, 63));
  EXPECT_EQ(message,
            "data race: bytes [63, 64) of region 'y': stream cluster 0 dmao, instruction 1 "
            "'dma.store' at i0 = 0 writes 'to', and stream cluster 1 dmao, instruction 1 "
            "'dma.store' at i0 = 0 writes 'to'; no wait of stream cluster 0 dmao or of stream "
            "cluster 1 dmao orders them");
  // The window keeps what lies past it from being written.
  EXPECT_EQ(verifyStreams(storeColumns(0, 224) + storeColumns(1, 64)), "");
}

TEST(Synchronization, AcrossClusters) {
  auto text = [](std::string wait) {
    return R"(
.stream 0 dmao
  dma.store signal(s1) to={region=2, type=i8}, from=sram[0], dims=[{extent=64, dram_stride=1, chip_stride=1, high=64}]
  halt
.stream 3 dmai
  dma.load )" +
           wait +
           R"(from={region=2, type=i8, base=32}, to=sram[0], dims=[{extent=64, dram_stride=1, chip_stride=1, high=64}]
  halt
)";
  };
  EXPECT_EQ(verifyStreams(text("wait(s1 >= 1) ")), "");
  EXPECT_EQ(classify(verifyStreams(text(""))), Verdict::Race);
}

TEST(Synchronization, MulticastWritesOtherClusters) {
  auto text = [](int64_t clusters) {
    return R"(
.stream 0 dmai
  dma.load from={region=0, type=i8}, to=sram[0], flags={clusters=)" +
           std::to_string(clusters) +
           R"(}, dims=[{extent=64, dram_stride=1, chip_stride=1, high=64}]
  halt
.stream 2 vpu
  vpu.fill shape=[1, 1, 1, 1], dst=i8 sram[63] strides(0, 0, 0, 1), value={bits=1}
  halt
)";
  };
  EXPECT_EQ(verifyStreams(text(2)), "");
  EXPECT_EQ(classify(verifyStreams(text(4))), Verdict::Race);
}

TEST(Synchronization, EmptyInstructionsOnlySynchronize) {
  auto text = [](std::string limit) {
    return R"(
.stream 0 dmai
  loop 2
    dma.load signal(s1) from={region=0, type=i8}, to=sram[0], dims=[{extent=clamp()" +
           limit + R"(, 64), dram_stride=1, chip_stride=1, high=64}]
  endloop
  halt
.stream 0 vpu
  vpu.fill wait(s1 >= 1) shape=[1, 1, 1, 64], dst=i8 sram[0] strides(0, 0, 0, 1), value={bits=1}
  halt
)";
  };
  EXPECT_EQ(verifyStreams(text("64 - 64*i0")), "");
  EXPECT_EQ(classify(verifyStreams(text("65 - 64*i0"))), Verdict::Race);
}

TEST(Synchronization, NothingToDo) {
  EXPECT_EQ(verifyStreams(""), "");
  EXPECT_EQ(verifyStreams(".stream 0 ctl\n  halt\n"), "");
}

/// The consumer's loop is shorter than the producer's, and a third stream waits behind both for
/// signals of skipped iterations.
TEST(Synchronization, SignalsOfSkippedIterations) {
  auto text = [](std::string wait) {
    return R"(
.stream 0 dmai
  loop 1000
    dma.load wait(s2 >= -1 + i0) signal(s1) to=sram[0, ring(i0, depth=2, slot=64)], dims=[{extent=64, dram_stride=1, chip_stride=1, high=64}]
  endloop
  halt
.stream 0 dmao
  dma.store wait(s2 >= )" +
           wait +
           R"() to={region=1, type=i8}, from=sram[0], dims=[{extent=64, dram_stride=1, chip_stride=1, high=64}]
  halt
.stream 0 vpu
  loop 1000
    vpu.unary wait(s1 >= 1 + i0) signal(s2) shape=[1, 1, 1, 64], dst=i8 sram[128] strides(0, 0, 0, 1), a=i8 sram[0, ring(i0, depth=2, slot=64)] strides(0, 0, 0, 1), op={kind=copy}
  endloop
  halt
)";
  };
  VerifyStats stats;
  EXPECT_EQ(getMessage(verifyProgram(parse(header + text("1000")), &stats)), "");
  EXPECT_GT(stats.skipped, 1900);
  EXPECT_EQ(verifyStreams(text("999")), ""); // the last load fills the other slot
  EXPECT_EQ(verifyStreams(text("998")),
            "data race: bytes [0, 64) of cluster 0 sram: stream cluster 0 dmai, instruction 1 "
            "'dma.load' at i0 = 998 writes 'to', and stream cluster 0 dmao, instruction 0 "
            "'dma.store' reads 'from'; no wait of stream cluster 0 dmai or of stream cluster 0 "
            "dmao orders them");
  EXPECT_EQ(classify(verifyStreams(text("1001"))), Verdict::Deadlock);
}

TEST(Synchronization, TooLongToRun) {
  std::string text = ".stream 0 ctl\n";
  for (unsigned k = 0; k < 6; ++k)
    text += "loop 4000000000\n";
  text += "sync\n";
  for (unsigned k = 0; k < 6; ++k)
    text += "endloop\n";
  VerifyOptions options;
  options.maxInstances = 1000;
  EXPECT_EQ(getMessage(verifyProgram(parse(header + text + "halt\n"), nullptr, options)),
            "budget: the program has more than 1000 instruction instances that must be run; split "
            "the kernel");
}

/// Eighty loads, and a stream that waits for each of them, for the sync of a third stream between
/// two of these waits, and reads the bytes of load 50 and of the third stream seven hundred
/// instructions later.
static std::string makeFarReader() {
  std::string loads = ".stream 0 dmai\n", waits = ".stream 0 dmao\n";
  auto getDims = [](int64_t origin) {
    return ", dims=[{extent=64, dram_stride=1, chip_stride=1, origin=" + std::to_string(origin) +
           ", high=65536}]\n";
  };
  for (int64_t load = 0; load < 80; ++load) {
    loads += "dma.load signal(s1) from={region=0, type=i8}, to=sram[" + std::to_string(64 * load) +
             "]" + getDims(64 * load);
    waits += "sync wait(s1 >= " + std::to_string(load + 1) + ")\n";
    if (load == 5)
      waits += "sync wait(s2 >= 1)\n";
  }
  std::string copy = ".stream 0 vpu\nvpu.unary signal(s2) shape=[1, 1, 1, 64], dst=i8 sram[8192] "
                     "strides(0, 0, 0, 1), a=i8 sram[9216] strides(0, 0, 0, 1), op={kind=copy}\n";
  return loads + "halt\n" + waits + "loop 1\nloop 700\nsync\nendloop\nendloop\n" +
         "dma.store to={region=1, type=i8}, from=sram[3200]" + getDims(0) +
         "dma.store to={region=1, type=i8}, from=sram[8192]" + getDims(64) + "halt\n" + copy +
         "halt\n";
}

/// Which waits are needed shows only behind more instances than a trial without one runs, and after
/// more trials than are proven at once.
TEST(Synchronization, WaitsThatAreNeededFarAway) {
  isa::Program program = parse(header + makeFarReader());
  llvm::Expected<std::vector<SlackWait>> lowered = tightenWaits(program);
  ASSERT_TRUE(bool(lowered));
  ASSERT_EQ(lowered->size(), 80u);
  for (const SlackWait &wait : llvm::drop_end(*lowered)) {
    EXPECT_FALSE(wait.isNeeded) << wait.instruction;
    EXPECT_EQ(wait.semaphore, 1);
  }
  EXPECT_TRUE(lowered->back().isNeeded);
  EXPECT_EQ(lowered->back().signals, 29);
  EXPECT_EQ(runOracle(program), Verdict::Safe);
  EXPECT_EQ(getMessage(verifyTightWaits(program)), "");

  program = parse(header + makeFarReader());
  *isa::getSync(program.streams[1].code[6]) = isa::Sync();
  EXPECT_EQ(getMessage(tightenWaits(program).takeError()), "data race: not described");
}
