//===- RemoveTensorBarriers.cpp - what kept reshapes in their place -------===//

#include "NPU/DispatchCreation/Passes.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/TensorExt/IR/TensorExtOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_REMOVETENSORBARRIERS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;

namespace {
struct RemoveTensorBarriers
    : dispatch_creation::impl::RemoveTensorBarriersBase<RemoveTensorBarriers> {
  void runOnOperation() override {
    bool changed = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa<tensor_ext::ComputeBarrierStartOp, tensor_ext::ComputeBarrierEndOp>(op))
        return;
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
      changed = true;
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
