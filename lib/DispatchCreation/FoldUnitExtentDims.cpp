//===- FoldUnitExtentDims.cpp - drop dimensions of size 1 -----------------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_FOLDUNITEXTENTDIMS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

namespace {
struct FoldUnitExtentDims : dispatch_creation::impl::FoldUnitExtentDimsBase<FoldUnitExtentDims> {
  void runOnOperation() override {
    linalg::ControlDropUnitDims options;
    ChangeListener listener;
    {
      // Upstream: not for the greedy driver.
      RewritePatternSet patterns(&getContext());
      linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
      linalg::populateMoveInitOperandsToInputPattern(patterns);
      walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    }
    // Those patterns are on what was rewritten, and on reshapes.
    if (!listener.changed && !getAnalysis<PresentOps>()
                                  .holdsAny<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                                            tensor::ExtractSliceOp, tensor::InsertSliceOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns, options);
    FailureOr<bool> changed = applyPatterns(getOperation(), std::move(patterns));
    if (failed(changed))
      return signalPassFailure();
    if (!*changed && !listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
