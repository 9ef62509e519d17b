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

  /// Programs do not grow with the work. They differ by the parts of the first tile, eight at most,
  /// each of them with two loads, and by what is left of the loops around it.
  void compareSizes(StringRef input, StringRef output, StringRef target) {
    for (int64_t size : {256, 1024, 4096, 8192})
      EXPECT_LT(countInstructions(makeMatmul(size, input, output), target), 80) << size;
  }

  Harness harness;
};

TEST_F(BiggerThanSram, MatmulF16) { compareSizes("f16", "f32", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulF16Rounded) { compareSizes("f16", "f16", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulI8) { compareSizes("i8", "i32", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulI8SmallChip) { compareSizes("i8", "i32", "npu-tiny"); }

TEST_F(BiggerThanSram, Conv) { EXPECT_LT(countInstructions(bigConv, "npu-v1"), 100); }
TEST_F(BiggerThanSram, ConvSmallChip) { EXPECT_LT(countInstructions(bigConv, "npu-tiny"), 100); }

} // namespace
