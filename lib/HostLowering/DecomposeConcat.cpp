//===- DecomposeConcat.cpp - concatenations become insertions ------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu::host {
#define GEN_PASS_DEF_DECOMPOSECONCAT
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct DecomposeConcat : npu::host::impl::DecomposeConcatBase<DecomposeConcat> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
