//===- CodecTest.cpp - instructions, words and text -----------------------===//

#include "PrintText.h"
#include "RandomProgram.h"

#include "NPU/Target/Assembly/Assembly.h"
#include "NPU/Target/ISA/Codec.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace npu::isa;

static std::string print(const Instruction &instruction) {
  std::string text;
  raw_string_ostream os(text);
  printInstruction(instruction, os);
  return text;
}

TEST(Codec, HundredThousandRandomInstructionsSurviveWords) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    Instruction instruction = makeRandomInstruction(random);
    std::vector<uint64_t> words, again;
    ASSERT_FALSE(errorToBool(encode(instruction, words))) << print(instruction);
    ArrayRef<uint64_t> rest = words;
    Expected<Instruction> decoded = decode(rest);
    ASSERT_TRUE(bool(decoded)) << print(instruction) << toString(decoded.takeError());
    EXPECT_TRUE(rest.empty());
    ASSERT_TRUE(*decoded == instruction) << print(instruction) << "\n" << print(*decoded);
    ASSERT_FALSE(errorToBool(encode(*decoded, again)));
    ASSERT_EQ(words, again);
  }
}

TEST(Codec, HundredThousandRandomInstructionsSurviveText) {
  std::mt19937_64 random(2);
  size_t instructions = 0;
  while (instructions < 100000) {
    Program program = makeRandomProgram(random, 1000);
    std::string text = printText(program);
    Expected<Program> parsed = parseAssembly(text, "random");
    ASSERT_TRUE(bool(parsed)) << toString(parsed.takeError());
    ASSERT_TRUE(*parsed == program);
    ASSERT_EQ(printText(*parsed), text);
    for (const Stream &stream : program.streams)
      instructions += stream.code.size();
  }
}

TEST(Codec, EveryFlippedBitIsRefusedOrDecodesToOtherCanonicalWords) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint64_t> words;
    ASSERT_FALSE(errorToBool(encode(makeRandomInstruction(random), words)));
    words[random() % words.size()] ^= uint64_t(1) << random() % 64;
    ArrayRef<uint64_t> rest = words;
    Expected<Instruction> decoded = decode(rest);
    if (!decoded) {
      consumeError(decoded.takeError());
      continue;
    }
    std::vector<uint64_t> again;
    ASSERT_FALSE(errorToBool(encode(*decoded, again)));
    ASSERT_EQ(ArrayRef(words).drop_back(rest.size()), ArrayRef(again));
  }
}

TEST(Codec, TruncatedInstructionsAreRefused) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    std::vector<uint64_t> words;
    ASSERT_FALSE(errorToBool(encode(makeRandomInstruction(random), words)));
    words.pop_back();
    ArrayRef<uint64_t> rest = words;
    EXPECT_TRUE(errorToBool(decode(rest).takeError()));
  }
}

static std::string getMessage(const Instruction &instruction) {
  return toString(checkInstruction(instruction));
}

TEST(Codec, RangesNameTheField) {
  DmaLoad load;
  load.to.depth = 1;
  load.from.region = 256;
  EXPECT_EQ(getMessage(load), "'dma.load': field 'from.region' must lie in 0..255, found 256");
  load.from.region = 0;
  load.to.depth = 2;
  load.to.slot_bytes = 40;
  EXPECT_EQ(getMessage(load),
            "'dma.load': field 'to.slot_bytes' must be a multiple of 16, found 40");
  load.to = Address();
  EXPECT_EQ(getMessage(load), "'dma.load': field 'to.depth' must be at least 1");
  load.to.depth = 1;
  load.dims.resize(6);
  EXPECT_EQ(getMessage(load), "'dma.load': field 'dims' has 6 entries, at most 5 are allowed");
  load.dims.resize(2);
  load.dims[1].block = 4;
  load.dims[1].outer = 1;
  EXPECT_EQ(getMessage(load), "'dma.load': field 'dims[1].outer' must name another dimension that "
                              "has no block, found 1");
  VpuReduce reduce;
  reduce.dst.at.depth = reduce.a.at.depth = 1;
  reduce.dst.stride3 = 4;
  EXPECT_EQ(getMessage(reduce), "'vpu.reduce': field 'dst.stride3' must be 0, found 4");
}

/// Accepts a field's least and largest value and refuses the next ones.
template <typename T, typename Set>
static void expectLimits(T instruction, const FieldInfo &info, Set set) {
  for (int64_t value : {info.getMin(), info.getMax()}) {
    set(instruction, value);
    EXPECT_EQ(getMessage(instruction), "") << info.name.str();
  }
  for (int64_t value : {info.getMin() - info.scale, info.getMax() + info.scale}) {
    set(instruction, value);
    EXPECT_NE(getMessage(instruction), "") << info.name.str();
  }
}

TEST(Codec, LimitsAreThoseThatFieldsHold) {
  MxuConv conv;
  conv.accumulate.start = conv.in = conv.weights = conv.out = makeAddress();
  expectLimits(conv, Window::Fields::stride_h,
               [](MxuConv &op, int64_t value) { op.window.stride_h = value; });
  DmaLoad load;
  load.to.depth = 1;
  load.dims.resize(maxDmaDims);
  expectLimits(load, DramSide::Fields::region,
               [](DmaLoad &op, int64_t value) { op.from.region = value; });
  expectLimits(load, BoxDim::Fields::high,
               [](DmaLoad &op, int64_t value) { op.dims[0].high = value; });
  expectLimits(load, DramSide::Fields::base,
               [](DmaLoad &op, int64_t value) { op.from.base = value; });
  load.to.depth = 2;
  expectLimits(load, Address::Fields::slot_bytes,
               [](DmaLoad &op, int64_t value) { op.to.slot_bytes = value; });
  load.dims.resize(maxDmaDims + 1);
  EXPECT_NE(getMessage(load), "");
  EXPECT_EQ(bufferAlignment % Address::Fields::slot_bytes.scale, 0);
  EXPECT_EQ(Accumulate::Fields::counters.width, maxLoopDepth);
}

TEST(Codec, CanonicalFormsAreChecked) {
  Synchronize sync;
  sync.sync.value0 = 3;
  EXPECT_EQ(getMessage(sync), "'sync': field 'sync.wait0' must name a semaphore when a value or a "
                              "second wait is given");
  sync.sync.value0 = 0;
  sync.sync.signal1 = 3;
  EXPECT_EQ(getMessage(sync),
            "'sync': field 'sync.signal0' must name a semaphore when a second signal is given");
  Loop loop;
  EXPECT_EQ(getMessage(loop), "'loop': field 'count.trips' must be at least 1");
}
