//===- SinkReshapes.cpp - move reshapes below elementwise generics --------===//

#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_SINKRESHAPES
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Whether the generic that reads the expanded `operand` should work on the unexpanded tensor.
static bool shouldSink(OpOperand *operand) {
  auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!expand || !consumer || !isAllParallel(consumer) || !expand->hasOneUse())
    return false;
  Operation *producer = expand.getSrc().getDefiningOp();
  return producer && isRootLike(producer) && producer->hasOneUse();
}

namespace {
struct SinkReshapes : dispatch_creation::impl::SinkReshapesBase<SinkReshapes> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>()
             .holdsAny<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, shouldSink);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    FailureOr<bool> changed = applyPatterns(getOperation(), std::move(patterns));
    if (failed(changed))
      return signalPassFailure();
    if (!*changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
