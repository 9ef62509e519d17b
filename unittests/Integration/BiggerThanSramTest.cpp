//===- BiggerThanSramTest.cpp - programs do not grow with their tensors ---===//

#include "Harness.h"

#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::integration;
using llvm::StringRef;

namespace {

std::string makeMatmul(int64_t size, StringRef input, StringRef output) {
  return llvm::formatv(R"(
func.func @matmul(%a: tensor<{0}x{0}x{1}>, %b: tensor<{0}x{0}x{1}>) -> tensor<{0}x{0}x{2}> {{
  %zero = arith.constant {3} : {2}
  %empty = tensor.empty() : tensor<{0}x{0}x{2}>
  %init = linalg.fill ins(%zero : {2}) outs(%empty : tensor<{0}x{0}x{2}>) -> tensor<{0}x{0}x{2}>
  %c = linalg.matmul ins(%a, %b : tensor<{0}x{0}x{1}>, tensor<{0}x{0}x{1}>)
      outs(%init : tensor<{0}x{0}x{2}>) -> tensor<{0}x{0}x{2}>
  return %c : tensor<{0}x{0}x{2}>
})",
                       size, input, output, output.starts_with("f") ? "0.0" : "0");
}

constexpr StringRef bigConv = R"(
func.func @conv(%input: tensor<1x112x112x512xi8>, %filter: tensor<3x3x512x512xi8>)
    -> tensor<1x112x112x512xi32> {
  %pad = arith.constant 0 : i8
  %padded = tensor.pad %input low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %pad : i8
  } : tensor<1x112x112x512xi8> to tensor<1x114x114x512xi8>
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x112x112x512xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x112x112x512xi32>)
      -> tensor<1x112x112x512xi32>
  %sum = linalg.conv_2d_nhwc_hwcf
      ins(%padded, %filter : tensor<1x114x114x512xi8>, tensor<3x3x512x512xi8>)
      outs(%init : tensor<1x112x112x512xi32>) -> tensor<1x112x112x512xi32>
  return %sum : tensor<1x112x112x512xi32>
})";

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

  /// 4096 times the work takes as many instructions, within a tenth.
  void compareSizes(StringRef input, StringRef output, StringRef target) {
    int64_t large = countInstructions(makeMatmul(4096, input, output), target);
    for (int64_t size : {256, 1024, 8192}) {
      int64_t other = countInstructions(makeMatmul(size, input, output), target);
      EXPECT_LE(10 * std::abs(other - large), large) << size << ": " << other << " and " << large;
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
