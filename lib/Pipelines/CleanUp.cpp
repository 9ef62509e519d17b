//===- CleanUp.cpp - canonicalization and CSE of what changed -------------===//

#include "NPU/Pipelines/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace npu {
#define GEN_PASS_DEF_CLEANUP
#include "NPU/Pipelines/Passes.h.inc"
} // namespace npu

using namespace mlir;

static bool hasControlFlow(Operation *op) {
  auto hasBlocks = [](Region &region) { return !region.empty() && !region.hasOneBlock(); };
  auto result = op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (isa<linalg::LinalgOp>(nested))
      return WalkResult::skip();
    return llvm::any_of(nested->getRegions(), hasBlocks) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {
/// The fact that an op has been cleaned up; known until a pass changes the op.
struct IsClean {
  explicit IsClean(Operation *) {}
};

struct CleanUp : npu::impl::CleanUpBase<CleanUp> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet owned(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(owned);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(owned, context);
    patterns = std::move(owned);
    return success();
  }

  void runOnOperation() override {
    if (getCachedAnalysis<IsClean>())
      return markAllAnalysesPreserved();

    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    // That takes long, and without control flow all dead code is found without it.
    if (!hasControlFlow(getOperation()))
      config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    IRRewriter rewriter(&getContext());
    bool changed = false, canonicalized = false, merged = false;
    do {
      // Canonicalization is best effort: to stop before the end is not a failure.
      (void)applyPatternsGreedily(getOperation(), patterns, config, &canonicalized);
      changed |= canonicalized;
      // What was merged before stays so.
      if (merged && !canonicalized)
        break;
      DominanceInfo dominance(getOperation());
      eliminateCommonSubExpressions(rewriter, dominance, getOperation(), &merged);
      changed |= merged;
    } while (merged);

    if (!changed)
      markAllAnalysesPreserved();
    (void)getAnalysis<IsClean>();
    markAnalysesPreserved<IsClean>();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
