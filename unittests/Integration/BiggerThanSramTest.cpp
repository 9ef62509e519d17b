//===- BiggerThanSramTest.cpp - programs do not grow with their tensors ---===//

#include "Harness.h"

#include "benchmarks/BenchmarkKernels.h"

using namespace npu;
using namespace npu::benchmarks;
using namespace npu::integration;
using llvm::StringRef;

namespace {

class BiggerThanSram : public ::testing::Test {
protected:
  /// Instructions of all streams, with the ends of loops and streams.
  int64_t countInstructions(StringRef text, StringRef target) {
    llvm::Expected<isa::Program> program = harness.compile(text, target);
    if (!program) {
      ADD_FAILURE() << target.str() << ": " << llvm::toString(program.takeError());
      return 0;
    }
    int64_t count = 0;
    for (const isa::Stream &stream : program->streams)
      count += stream.code.size();
    EXPECT_GT(count, 0);
    return count;
  }

  /// 4096 times the work takes as many instructions, within a fifth: how parts are cut differs.
  void compareSizes(StringRef input, StringRef output, StringRef target) {
    int64_t large = countInstructions(makeMatmul(4096, input, output), target);
    for (int64_t size : {256, 1024, 8192}) {
      int64_t other = countInstructions(makeMatmul(size, input, output), target);
      EXPECT_LE(5 * std::abs(other - large), large) << size << ": " << other << " and " << large;
    }
  }

  Harness harness;
};

TEST_F(BiggerThanSram, MatmulF16) { compareSizes("f16", "f32", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulF16Rounded) { compareSizes("f16", "f16", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulI8) { compareSizes("i8", "i32", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulI8SmallChip) { compareSizes("i8", "i32", "npu-tiny"); }

TEST_F(BiggerThanSram, Conv) { EXPECT_LT(countInstructions(bigConv, "npu-v1"), 64); }
TEST_F(BiggerThanSram, ConvSmallChip) { EXPECT_LT(countInstructions(bigConv, "npu-tiny"), 64); }

} // namespace
