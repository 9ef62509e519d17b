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
  struct Count {
    int64_t all = 0;
    int64_t repeated = 0; ///< of the streams that leave first and last tiles as they are
  };

  /// Instructions of the streams, with the ends of loops and streams.
  Count countInstructions(StringRef text, StringRef target) {
    Count count;
    llvm::Expected<isa::Program> program = harness.compile(text, target);
    if (!program) {
      ADD_FAILURE() << target.str() << ": " << llvm::toString(program.takeError());
      return count;
    }
    for (const isa::Stream &stream : program->streams) {
      count.all += stream.code.size();
      if (stream.engine == isa::EngineKind::Dmao)
        count.repeated += stream.code.size();
    }
    EXPECT_GT(count.repeated, 0);
    return count;
  }

  /// A first tile is in eight parts at most, each with two loads and a product, and a last one in
  /// two; what is left of up to four loops around them takes, in each of three streams, three
  /// instructions for each of them twice.
  static constexpr int64_t mostForTilesApart = 8 * 3 + 2 + 3 * 4 * 2 * 3;

  /// 4096 times the work takes as many instructions, but for loops over parts of a tile.
  void compareSizes(StringRef input, StringRef output, StringRef target) {
    Count large = countInstructions(makeMatmul(4096, input, output), target);
    for (int64_t size : {256, 1024, 8192}) {
      Count other = countInstructions(makeMatmul(size, input, output), target);
      EXPECT_LE(std::abs(other.repeated - large.repeated), 2)
          << size << ": " << other.repeated << " and " << large.repeated;
      EXPECT_LE(std::abs(other.all - large.all), mostForTilesApart)
          << size << ": " << other.all << " and " << large.all;
    }
  }

  Harness harness;
};

TEST_F(BiggerThanSram, MatmulF16) { compareSizes("f16", "f32", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulF16Rounded) { compareSizes("f16", "f16", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulI8) { compareSizes("i8", "i32", "npu-v1"); }
TEST_F(BiggerThanSram, MatmulI8SmallChip) { compareSizes("i8", "i32", "npu-tiny"); }

TEST_F(BiggerThanSram, Conv) {
  EXPECT_LT(countInstructions(bigConv, "npu-v1").all, 64 + mostForTilesApart);
  EXPECT_LT(countInstructions(bigConv, "npu-v1").repeated, 32);
}
TEST_F(BiggerThanSram, ConvSmallChip) {
  EXPECT_LT(countInstructions(bigConv, "npu-tiny").all, 64 + mostForTilesApart);
  EXPECT_LT(countInstructions(bigConv, "npu-tiny").repeated, 32);
}

} // namespace
