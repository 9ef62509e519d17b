//===- SoftmaxRowsTest.cpp - rows of a softmax sum to one -----------------===//
//
// What the NPU gives, summed up by a plain loop in f64: no reference is needed. Rows are short and
// longer than the memory, their elements near each other and far apart.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;

namespace {

/// A softmax of rows, of f32 inside. Results and operands of f16 are rounded and extended.
std::string getText(int64_t rows, int64_t length, ElementType type) {
  std::string result = llvm::formatv("tensor<{0}x{1}x{2}>", rows, length, getElementTypeName(type));
  if (type == ElementType::F32)
    return llvm::formatv(R"(func.func @f(%x: {0}) -> {0} {{
  %e = tensor.empty() : {0}
  %r = linalg.softmax dimension(1) ins(%x : {0}) outs(%e : {0}) -> {0}
  return %r : {0}
})",
                         result);
  return llvm::formatv(R"(func.func @f(%x: {0}) -> {0} {{
  %e = tensor.empty() : {1}
  %w = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : {0}) outs(%e : {1}) {{
  ^bb0(%a: {2}, %o: f32):
    %v = arith.extf %a : {2} to f32
    linalg.yield %v : f32
  } -> {1}
  %s = linalg.softmax dimension(1) ins(%w : {1}) outs(%e : {1}) -> {1}
  %d = tensor.empty() : {0}
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : {1}) outs(%d : {0}) {{
  ^bb0(%a: f32, %o: {2}):
    %v = arith.truncf %a : f32 to {2}
    linalg.yield %v : {2}
  } -> {0}
  return %r : {0}
})",
                       result, llvm::formatv("tensor<{0}x{1}xf32>", rows, length).str(),
                       getElementTypeName(type));
}

/// How far the sum of a row may be from one: the quotients' and the sum's roundings in f32, and for
/// f16 half a unit of each result, which is relative, or absolute for the smallest.
double getBound(int64_t length, ElementType type) {
  double bound = length * 0x1p-23;
  return type == ElementType::F16 ? bound + 0x1p-11 + length * 0x1p-25 : bound;
}

class SoftmaxRows : public ::testing::TestWithParam<std::tuple<const char *, ElementType, int>> {};

TEST_P(SoftmaxRows, SumToOne) {
  auto [target, type, length] = GetParam();
  // The elements of a row are random within the scale of the row; those of the last are equal.
  std::vector<double> scales = {0x1p-20, 1, 30, 1e4, type == ElementType::F16 ? 6e4 : 3e38, 0};
  int64_t rows = scales.size();
  HostTensor x(type, {rows, length});
  Random random(length);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < length; ++i)
      x.setFloat(row * length + i, scales[row] * (double(random.in(0, 1 << 24)) / (1 << 23) - 1) +
                                       (row == 5 ? -7 : 0));
  Harness harness;
  llvm::Expected<KernelRun> run =
      harness.run(getText(rows, length, type), target, x, HostTensor(type, {rows, length}));
  ASSERT_TRUE(bool(run)) << llvm::toString(run.takeError());
  for (int64_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      double value = run->outputs[0].getFloat(row * length + i);
      ASSERT_TRUE(value >= 0 && value <= 1) << "row " << row << ", element " << i << ": " << value;
      sum += value;
    }
    EXPECT_NEAR(sum, 1, getBound(length, type)) << "row " << row << ", scale " << scales[row];
  }
}

std::string getName(const ::testing::TestParamInfo<SoftmaxRows::ParamType> &info) {
  auto [target, type, length] = info.param;
  return getElementTypeName(type).str() + "x" + std::to_string(length) +
         (llvm::StringRef(target).contains(':') ? "OnSmall" : "");
}

INSTANTIATE_TEST_SUITE_P(Lengths, SoftmaxRows,
                         ::testing::Combine(::testing::Values("npu-v1", "npu-v1:sramBytes=65536"),
                                            ::testing::Values(ElementType::F32, ElementType::F16),
                                            ::testing::Values(7, 64, 333, 1000, 4097, 32000)),
                         getName);

} // namespace
