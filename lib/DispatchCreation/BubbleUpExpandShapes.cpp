//===- BubbleUpExpandShapes.cpp - move reshapes over elementwise generics -===//

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
#define GEN_PASS_DEF_BUBBLEUPEXPANDSHAPES
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Whether every use of `value` is an operand of a linalg op.
static bool isReadByLinalgOnly(Value value) {
  return llvm::all_of(value.getUsers(), llvm::IsaPred<linalg::LinalgOp>);
}

/// Upstream asks about the operand that a reshape makes, or the operand of a reshape.
static bool shouldMove(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  Operation *consumer = operand->getOwner();
  if (auto collapse = dyn_cast_if_present<tensor::CollapseShapeOp>(producer)) {
    auto generic = dyn_cast<linalg::GenericOp>(consumer);
    return generic && isAllParallel(generic) &&
           isa_and_nonnull<linalg::LinalgOp>(collapse.getSrc().getDefiningOp());
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(consumer)) {
    auto generic = dyn_cast_if_present<linalg::GenericOp>(producer);
    return generic && isAllParallel(generic) && generic->hasOneUse() &&
           isReadByLinalgOnly(expand.getResult());
  }
  return false;
}

namespace {
struct BubbleUpExpandShapes
    : dispatch_creation::impl::BubbleUpExpandShapesBase<BubbleUpExpandShapes> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>()
             .holdsAny<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, shouldMove);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::FillOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    FailureOr<bool> changed = applyPatterns(getOperation(), std::move(patterns));
    if (failed(changed))
      return signalPassFailure();
    if (!*changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
