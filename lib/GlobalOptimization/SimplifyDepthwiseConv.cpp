//===- SimplifyDepthwiseConv.cpp - drop channel multipliers of 1 -----------===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_SIMPLIFYDEPTHWISECONV
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

namespace {
struct SimplifyDepthwiseConv
    : npu::global_opt::impl::SimplifyDepthwiseConvBase<SimplifyDepthwiseConv> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>()
             .holdsAny<linalg::DepthwiseConv2DNhwcHwcmOp, linalg::DepthwiseConv2DNhwcHwcmQOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    linalg::populateSimplifyDepthwiseConvPatterns(patterns);
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
