//===- DecomposeAggregates.cpp - linalg.softmax and the like to simpler ops ===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::host {
#define GEN_PASS_DEF_DECOMPOSEAGGREGATES
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

namespace {
struct DecomposeAggregates : npu::host::impl::DecomposeAggregatesBase<DecomposeAggregates> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::AggregatedOpInterface> aggregates;
    getOperation()->walk([&](linalg::AggregatedOpInterface op) { aggregates.push_back(op); });
    for (linalg::AggregatedOpInterface op : aggregates) {
      // Upstream takes a softmax of anything apart, and knows the least element of floats only.
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op.getOperation());
          softmax && !isa<FloatType>(softmax.getInputOperandType().getElementType())) {
        op.emitError("expected a softmax of floats, found elements of type ")
            << softmax.getInputOperandType().getElementType() << "; convert them to floats before";
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
      // No op of upstream has a case that fails.
      if (failed(values))
        return signalPassFailure();
      rewriter.replaceOp(op, *values);
    }
  }
};
} // namespace
