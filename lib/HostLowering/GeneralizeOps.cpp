//===- GeneralizeOps.cpp - named linalg ops become linalg.generic --------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::host {
#define GEN_PASS_DEF_GENERALIZEOPS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct GeneralizeOps : npu::host::impl::GeneralizeOpsBase<GeneralizeOps> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      // Fails for what has no body, which then is no loop either; the next pass that needs one says
      // so.
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
  }
};
} // namespace
