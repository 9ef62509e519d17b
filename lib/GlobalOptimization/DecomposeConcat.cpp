//===- DecomposeConcat.cpp - concatenations become insertions -------------===//

#include "NPU/GlobalOptimization/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_DECOMPOSECONCAT
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;

namespace {
struct DecomposeConcat : npu::global_opt::impl::DecomposeConcatBase<DecomposeConcat> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    bool changed = false;
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), GreedyRewriteConfig(),
                                     &changed)))
      signalPassFailure();
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
