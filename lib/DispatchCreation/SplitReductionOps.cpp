//===- SplitReductionOps.cpp - long reductions become two -----------------===//

#include "NPU/DispatchCreation/Passes.h"

#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_SPLITREDUCTIONOPS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

namespace {
struct SplitReductionOps : dispatch_creation::impl::SplitReductionOpsBase<SplitReductionOps> {
  using SplitReductionOpsBase::SplitReductionOpsBase;

  void runOnOperation() override {
    if (splitMatmulReduction < 1) {
      getOperation()->emitError("expected split-matmul-reduction to be at least 1, found ")
          << splitMatmulReduction.getValue();
      return signalPassFailure();
    }
    if (splitMatmulReduction == 1)
      return markAllAnalysesPreserved();
    SmallVector<linalg::MatmulOp> matmuls;
    getOperation()->walk([&](linalg::MatmulOp op) {
      // Upstream makes partial sums of static shape only.
      if (!isInDispatch(op) && !op.hasDynamicShape())
        matmuls.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::MatmulOp matmul : matmuls) {
      rewriter.setInsertionPoint(matmul);
      // The new loop is the outermost one. What does not divide stays as it is.
      (void)linalg::splitReduction(rewriter, matmul, [&](linalg::LinalgOp) {
        return linalg::SplitReductionOptions{splitMatmulReduction, /*index=*/0,
                                             /*innerParallel=*/false};
      });
    }
  }
};
} // namespace
