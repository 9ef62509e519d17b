//===- DecomposeAttentionTest.cpp - attention against its formula ---------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/HostReference/HostReference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

namespace {

constexpr int64_t kB = 2, kM = 3, kK1 = 5, kK2 = 7, kN = 4;
constexpr double kScale = 0.5;

// Keys and output are stored transposed, so that the maps matter.
constexpr const char *kAttention = R"(
#q = affine_map<(b, m, k1, k2, n) -> (b, m, k1)>
#k = affine_map<(b, m, k1, k2, n) -> (b, k1, k2)>
#v = affine_map<(b, m, k1, k2, n) -> (b, k2, n)>
#s = affine_map<(b, m, k1, k2, n) -> ()>
#mask = affine_map<(b, m, k1, k2, n) -> (m, k2)>
#o = affine_map<(b, m, k1, k2, n) -> (b, n, m)>
func.func @main(%q: tensor<2x3x5xf32>, %k: tensor<2x5x7xf32>, %v: tensor<2x7x4xf32>,
                %mask: tensor<3x7xf32>, %o: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %scale = arith.constant 0.5 : f32
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #mask, #o]}
      ins(%q, %k, %v, %scale, %mask : tensor<2x3x5xf32>, tensor<2x5x7xf32>, tensor<2x7x4xf32>, f32,
          tensor<3x7xf32>) outs(%o : tensor<2x4x3xf32>) {
  ^bb0(%score: f32):
    %1 = math.tanh %score : f32
    iree_linalg_ext.yield %1 : f32
  } -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
})";

// Two steps, each over a part of the keys and values, and the quotient at the end. The second one
// has maximum and sum in another order.
constexpr const char *kSteps = R"(
#q = affine_map<(b, m, k1, k2, n) -> (b, m, k1)>
#k = affine_map<(b, m, k1, k2, n) -> (b, k1, k2)>
#v = affine_map<(b, m, k1, k2, n) -> (b, k2, n)>
#s = affine_map<(b, m, k1, k2, n) -> ()>
#mask = affine_map<(b, m, k1, k2, n) -> (m, k2)>
#o = affine_map<(b, m, k1, k2, n) -> (b, n, m)>
#row = affine_map<(b, m, k1, k2, n) -> (b, m)>
#turned = affine_map<(b, m, k1, k2, n) -> (m, b)>
func.func @main(%q: tensor<2x3x5xf32>, %k: tensor<2x5x7xf32>, %v: tensor<2x7x4xf32>,
                %mask: tensor<3x7xf32>)
    -> (tensor<2x4x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %scale = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %oe = tensor.empty() : tensor<2x4x3xf32>
  %re = tensor.empty() : tensor<2x3xf32>
  %te = tensor.empty() : tensor<3x2xf32>
  %o = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %max = linalg.fill ins(%least : f32) outs(%re : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.fill ins(%zero : f32) outs(%re : tensor<2x3xf32>) -> tensor<2x3xf32>
  %k0 = tensor.extract_slice %k[0, 0, 0] [2, 5, 3] [1, 1, 1] : tensor<2x5x7xf32> to tensor<2x5x3xf32>
  %k1 = tensor.extract_slice %k[0, 0, 3] [2, 5, 4] [1, 1, 1] : tensor<2x5x7xf32> to tensor<2x5x4xf32>
  %v0 = tensor.extract_slice %v[0, 0, 0] [2, 3, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x3x4xf32>
  %v1 = tensor.extract_slice %v[0, 3, 0] [2, 4, 4] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x4x4xf32>
  %m0 = tensor.extract_slice %mask[0, 0] [3, 3] [1, 1] : tensor<3x7xf32> to tensor<3x3xf32>
  %m1 = tensor.extract_slice %mask[0, 3] [3, 4] [1, 1] : tensor<3x7xf32> to tensor<3x4xf32>
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #mask, #o, #row, #row]}
      ins(%q, %k0, %v0, %scale, %m0 : tensor<2x3x5xf32>, tensor<2x5x3xf32>, tensor<2x3x4xf32>, f32,
          tensor<3x3xf32>) outs(%o, %max, %sum : tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  %tmax = linalg.transpose ins(%0#1 : tensor<2x3xf32>) outs(%te : tensor<3x2xf32>) permutation = [1, 0]
  %tsum = linalg.transpose ins(%0#2 : tensor<2x3xf32>) outs(%te : tensor<3x2xf32>) permutation = [1, 0]
  %1:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #mask, #o, #turned, #turned]}
      ins(%q, %k1, %v1, %scale, %m1 : tensor<2x3x5xf32>, tensor<2x5x4xf32>, tensor<2x4x4xf32>, f32,
          tensor<3x4xf32>) outs(%0#0, %tmax, %tsum : tensor<2x4x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<2x4x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>
  return %1#0, %1#1, %1#2 : tensor<2x4x3xf32>, tensor<3x2xf32>, tensor<3x2xf32>
})";

HostTensor makeTensor(ArrayRef<int64_t> shape, unsigned seed) {
  HostTensor tensor(ElementType::F32, SmallVector<int64_t>(shape));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    tensor.setFloat(i, static_cast<int>(seed >> 24) / 64.0 - 2.0);
  }
  return tensor;
}

/// The results of the only function of `text` once its attention is linalg.
SmallVector<HostTensor> run(StringRef text, ArrayRef<HostTensor> inputs) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                      linalg_ext::LinalgExtDialect, math::MathDialect, tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  PassManager manager(&context);
  manager.addPass(linalg_ext::createDecomposeAttention());
  if (!module || failed(manager.run(*module))) {
    ADD_FAILURE() << "the test's IR is not decomposed";
    return {};
  }
  auto reference = HostReference::create(*module->getOps<func::FuncOp>().begin());
  if (!reference) {
    ADD_FAILURE() << llvm::toString(reference.takeError());
    return {};
  }
  auto results = (*reference)->run(inputs);
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }
  return std::move(*results);
}

TEST(DecomposeAttentionTest, ComputesTheFormula) {
  HostTensor q = makeTensor({kB, kM, kK1}, 1), k = makeTensor({kB, kK1, kK2}, 2);
  HostTensor v = makeTensor({kB, kK2, kN}, 3), mask = makeTensor({kM, kK2}, 4);
  SmallVector<HostTensor> results = run(kAttention, {q, k, v, mask, makeTensor({kB, kN, kM}, 5)});
  ASSERT_EQ(results.size(), 1u);

  for (int64_t b = 0; b < kB; ++b)
    for (int64_t m = 0; m < kM; ++m) {
      double weights[kK2], sum = 0;
      for (int64_t k2 = 0; k2 < kK2; ++k2) {
        double score = 0;
        for (int64_t k1 = 0; k1 < kK1; ++k1)
          score += q.getFloat((b * kM + m) * kK1 + k1) * k.getFloat((b * kK1 + k1) * kK2 + k2);
        sum += weights[k2] = std::exp(std::tanh(kScale * score) + mask.getFloat(m * kK2 + k2));
      }
      for (int64_t n = 0; n < kN; ++n) {
        double expected = 0;
        for (int64_t k2 = 0; k2 < kK2; ++k2)
          expected += weights[k2] / sum * v.getFloat((b * kK2 + k2) * kN + n);
        EXPECT_NEAR(results[0].getFloat((b * kN + n) * kM + m), expected, 1e-5);
      }
    }
}

// After all steps output / sum is the attention; maximum and sum are of powers of 2.
TEST(DecomposeAttentionTest, StepsComputeTheFormula) {
  HostTensor q = makeTensor({kB, kM, kK1}, 1), k = makeTensor({kB, kK1, kK2}, 2);
  HostTensor v = makeTensor({kB, kK2, kN}, 3), mask = makeTensor({kM, kK2}, 4);
  SmallVector<HostTensor> results = run(kSteps, {q, k, v, mask});
  ASSERT_EQ(results.size(), 3u);

  for (int64_t b = 0; b < kB; ++b)
    for (int64_t m = 0; m < kM; ++m) {
      double scores[kK2], maximum = -INFINITY, sum = 0;
      for (int64_t k2 = 0; k2 < kK2; ++k2) {
        scores[k2] = 0;
        for (int64_t k1 = 0; k1 < kK1; ++k1)
          scores[k2] += q.getFloat((b * kM + m) * kK1 + k1) * k.getFloat((b * kK1 + k1) * kK2 + k2);
        scores[k2] = (kScale * scores[k2] + mask.getFloat(m * kK2 + k2)) / std::log(2.0);
        maximum = std::max(maximum, scores[k2]);
      }
      for (double score : scores)
        sum += std::exp2(score - maximum);
      EXPECT_NEAR(results[1].getFloat(m * kB + b), maximum, 1e-5);
      EXPECT_NEAR(results[2].getFloat(m * kB + b), sum, 1e-5);
      for (int64_t n = 0; n < kN; ++n) {
        double expected = 0;
        for (int64_t k2 = 0; k2 < kK2; ++k2)
          expected += std::exp2(scores[k2] - maximum) * v.getFloat((b * kK2 + k2) * kN + n);
        EXPECT_NEAR(results[0].getFloat((b * kN + n) * kM + m), expected, 1e-5);
      }
    }
}

} // namespace
