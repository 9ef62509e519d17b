//===- PeriodTest.cpp - loops that repeat are not run in full -------------===//

#include "Oracle.h"

#include "NPU/Target/Verify/Mutate.h"
#include "NPU/Target/Verify/Verify.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::test;

/// The product of two square i8 matrices, tiled 64 x 64 x 64 (or less at the edge), requantized and
/// stored: rings of two slots everywhere, operands loaded for every step.
static std::string makeMatmul(int64_t size) {
  int64_t trips = (size + 63) / 64;
  auto clamp = [&](unsigned counter) {
    return llvm::formatv("clamp({0} - 64*i{1}, 64)", size, counter).str();
  };
  std::string step = llvm::formatv("{0}*i0 + {1}*i1 + i2", trips * trips, trips);
  std::string tile = llvm::formatv("{0}*i0 + i1", trips);
  auto minus = [](std::string text, int64_t shift) {
    return llvm::formatv("{0} + {1}", shift, text).str();
  };
  auto loops = [&](unsigned depth) {
    std::string text;
    for (unsigned k = 0; k < depth; ++k)
      text += llvm::formatv("loop {0}\n", trips);
    return text;
  };
  auto ends = [](unsigned depth) {
    std::string text;
    for (unsigned k = 0; k < depth; ++k)
      text += "endloop\n";
    return text + "halt\n";
  };
  auto origin = [](unsigned counter) { return llvm::formatv("64*i{0}", counter).str(); };
  std::string text;
  text += ".kernel \"matmul\"\n.target \"npu-tiny\"\n";
  for (auto [number, kind, name] :
       {std::tuple(0, "input", "a"), {1, "input", "b"}, {2, "output", "c"}})
    text += llvm::formatv(".region {0} {1} \"{2}\" {3}\n", number, kind, name, size * size);
  // s1: step loaded, s2: step computed, s3: tile computed, s4: tile requantized, s5: stored.
  text += ".stream 0 dmai\n" + loops(3);
  text += llvm::formatv(
      "dma.load wait(s2 >= {0}) from={{region=0, type=i8}, to=sram[0, ring({1}, depth=2, "
      "slot=4096)], dims=[{{extent={2}, dram_stride={6}, chip_stride=64, origin={3}, "
      "high={6}}, {{extent={4}, dram_stride=1, chip_stride=1, origin={5}, high={6}}]\n",
      minus(step, -1), step, clamp(0), origin(0), clamp(2), origin(2), size);
  text += llvm::formatv(
      "dma.load signal(s1) from={{region=1, type=i8}, to=sram[8192, ring({0}, depth=2, "
      "slot=4096)], dims=[{{extent=8, chip_stride=512, high=8}, {{extent={1}, dram_stride={5}, "
      "chip_stride=8, origin={2}, high={5}}, {{extent=8, dram_stride=1, chip_stride=1, block=8, "
      "origin={4}, high={5}}]\n",
      step, clamp(2), origin(2), clamp(1), origin(1), size);
  text += ends(3);
  text += ".stream 0 dmao\n" + loops(2);
  text += llvm::formatv(
      "dma.store wait(s4 >= {0}) signal(s5) to={{region=2, type=i8}, from=sram[16384, ring({1}, "
      "depth=2, slot=4096)], dims=[{{extent={2}, dram_stride={6}, chip_stride=64, origin={3}, "
      "high={6}}, {{extent={4}, dram_stride=1, chip_stride=1, origin={5}, high={6}}]\n",
      minus(tile, 1), tile, clamp(0), origin(0), clamp(1), origin(1), size);
  text += ends(2);
  text += ".stream 0 mxu\n" + loops(2);
  text += llvm::formatv("sync wait(s4 >= {0})\nloop {1}\n", tile, trips);
  text += llvm::formatv(
      "mxu.matmul wait(s1 >= {0}) signal(s2) accumulate=i8 unless(i2), a=sram[0, ring({1}, "
      "depth=2, slot=4096)], a_pitch={{row_bytes=64}, b=sram[8192, ring({1}, depth=2, slot=4096)], "
      "b_panel={{panel_bytes=512}, out=acc[0], out_pitch={{row_bytes=256}, m={2}, n={3}, k={4}\n",
      minus(step, 1), step, clamp(0), clamp(1), clamp(2));
  text += "endloop\nsync signal(s3)\n" + ends(2);
  text += ".stream 0 vpu\n" + loops(2);
  text += llvm::formatv(
      "vpu.requant_imm wait(s3 >= {0}, s5 >= {1}) signal(s4) shape=[1, 1, {2}, {3}], dst=i8 "
      "sram[16384, ring({4}, depth=2, slot=4096)] strides(0, 0, 64, 1), a=i32 acc[0] strides(0, 0, "
      "256, 4), op={{low=-128, high=127}, scale={{value=0.5}\n",
      minus(tile, 1), minus(tile, -1), clamp(0), clamp(1), tile);
  text += ends(2);
  return text;
}

TEST(Period, MatmulOf4096) {
  isa::Program program = parse(makeMatmul(4096));
  VerifyStats stats;
  EXPECT_EQ(getMessage(verifyProgram(program, &stats)), "");
  VerifyOptions full;
  full.skipPeriods = false;
  VerifyStats fullStats;
  EXPECT_EQ(getMessage(verifyProgram(program, &fullStats, full)), "");
  EXPECT_EQ(stats.instances + stats.skipped, fullStats.instances);
  EXPECT_GT(fullStats.instances, 780000);
  EXPECT_LT(stats.instances, fullStats.instances / 8);
}

TEST(Period, RaggedEdgesRunInFull) {
  for (int64_t size : {130, 511, 577}) {
    isa::Program program = parse(makeMatmul(size));
    VerifyStats stats;
    EXPECT_EQ(getMessage(verifyProgram(program, &stats)), "") << size;
    // 3 and 9 iterations: the last one differs and is run.
    EXPECT_EQ(stats.skipped > 0, size > 130) << size;
  }
}

// 65535^6 iterations of nothing: running them would not end.
TEST(Period, EmptyLoopsAreNotRun) {
  std::string text = ".kernel \"empty\"\n.target \"npu-tiny\"\n.stream 0 ctl\n";
  for (unsigned k = 0; k < isa::maxLoopDepth; ++k)
    text += "loop 65535\n";
  for (unsigned k = 0; k < isa::maxLoopDepth; ++k)
    text += "endloop\n";
  isa::Program program = parse(text + "halt\n");
  VerifyStats stats;
  EXPECT_EQ(getMessage(verifyProgram(program, &stats)), "");
  EXPECT_LE(stats.instances, 1);
}

TEST(Period, MistakesAreFoundWithAndWithoutSkipping) {
  isa::Program program = parse(makeMatmul(9 * 64 + 1));
  VerifyOptions full;
  full.skipPeriods = false;
  unsigned rejected = 0;
  for (const Mutation &mutation : enumerateMutations(program, 4096)) {
    isa::Program mutant = applyMutation(program, mutation);
    std::string skipping = getMessage(verifyProgram(mutant));
    std::string running = getMessage(verifyProgram(mutant, nullptr, full));
    EXPECT_EQ(classify(skipping), classify(running)) << mutation.describe(program);
    rejected += !skipping.empty();
  }
  EXPECT_GT(rejected, 20u);
}
