//===- CleanupTensorShapes.cpp - no shape is asked for any more -----------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::flow {
#define GEN_PASS_DEF_CLEANUPTENSORSHAPES
#include "NPU/Dialect/IREE/Flow/Transforms/Passes.h.inc"
} // namespace npu::flow

using namespace mlir;
using namespace npu;
using namespace npu::flow;

namespace {
struct CleanupTensorShapes : npu::flow::impl::CleanupTensorShapesBase<CleanupTensorShapes> {
  void runOnOperation() override {
    bool isClean = true;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<ExecutableOp>(op))
        return WalkResult::skip();
      if (auto tie = dyn_cast<TensorTieShapeOp>(op)) {
        tie.replaceAllUsesWith(tie.getOperand());
        tie.erase();
        return WalkResult::skip();
      }
      if (isa<tensor::DimOp, tensor::RankOp>(op)) {
        op->emitOpError("expected sizes to be known by now, found a tensor of type ")
            << op->getOperand(0).getType()
            << " that is asked for one; pass the size as an index or make the shape static";
        isClean = false;
      }
      return WalkResult::advance();
    });
    if (!isClean)
      signalPassFailure();
  }
};
} // namespace
