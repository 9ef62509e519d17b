//===- DecomposeAttentionTest.cpp - attention against its formula ---------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"
#include "NPU/HostReference/HostReference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

HostTensor makeTensor(ArrayRef<int64_t> shape, unsigned seed) {
  HostTensor tensor(ElementType::F32, SmallVector<int64_t>(shape));
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    tensor.setFloat(i, static_cast<int>(seed >> 24) / 64.0 - 2.0);
  }
  return tensor;
}

TEST(DecomposeAttentionTest, ComputesTheFormula) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, func::FuncDialect, linalg_ext::LinalgExtDialect,
                      math::MathDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kAttention, &context);
  ASSERT_TRUE(module);
  PassManager manager(&context);
  manager.addPass(linalg_ext::createDecomposeAttention());
  ASSERT_TRUE(succeeded(manager.run(*module)));

  HostTensor q = makeTensor({kB, kM, kK1}, 1), k = makeTensor({kB, kK1, kK2}, 2);
  HostTensor v = makeTensor({kB, kK2, kN}, 3), mask = makeTensor({kM, kK2}, 4);
  auto reference = HostReference::create(*module->getOps<func::FuncOp>().begin());
  ASSERT_TRUE(static_cast<bool>(reference)) << llvm::toString(reference.takeError());
  auto results = (*reference)->run({q, k, v, mask, makeTensor({kB, kN, kM}, 5)});
  ASSERT_TRUE(static_cast<bool>(results)) << llvm::toString(results.takeError());

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
        EXPECT_NEAR((*results)[0].getFloat((b * kN + n) * kM + m), expected, 1e-5);
      }
    }
}

} // namespace
