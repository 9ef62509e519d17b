//===- BenchmarkKernels.h - the kernels that benchmarks and tests compile -===//

#ifndef NPU_BENCHMARKS_BENCHMARKKERNELS_H
#define NPU_BENCHMARKS_BENCHMARKKERNELS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <string>

namespace npu::benchmarks {

/// A square matrix product of `size` in linalg, from elements `input` to elements `output`.
inline std::string makeMatmul(int64_t size, llvm::StringRef input, llvm::StringRef output) {
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

/// A padded 3x3 convolution of i8, 512 to 512 channels of 112x112, whose operands no SRAM holds.
inline constexpr llvm::StringLiteral bigConv = R"(
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

/// A chain of `count` element-wise ops, each of which reads the result of the one before it.
inline std::string makeChain(int64_t count) {
  std::string body;
  for (int64_t i = 1; i < count; ++i)
    body += llvm::formatv("  %{0} = arith.{1} %{2}, %y : f32\n", i, i % 2 ? "mulf" : "addf", i - 1);
  return llvm::formatv(R"(
#id = affine_map<(i, j) -> (i, j)>
func.func @chain(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %empty = tensor.empty() : tensor<64x64xf32>
  %c = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) {{
  ^bb0(%x: f32, %y: f32, %old: f32):
  %0 = arith.addf %x, %y : f32
{0}  linalg.yield %{1} : f32
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
})",
                       body, count - 1);
}

} // namespace npu::benchmarks

#endif // NPU_BENCHMARKS_BENCHMARKKERNELS_H
