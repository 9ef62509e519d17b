//===- DecomposeConcat.cpp - concatenations become insertions -------------===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_DECOMPOSECONCAT
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

namespace {
struct DecomposeConcat : npu::global_opt::impl::DecomposeConcatBase<DecomposeConcat> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAny<tensor::ConcatOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
