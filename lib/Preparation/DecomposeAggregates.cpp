//===- DecomposeAggregates.cpp - named ops as the ops they stand for ------===//

#include "DecomposeArgReductions.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace npu {
#define GEN_PASS_DEF_NPUDECOMPOSEAGGREGATES
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;

namespace {
/// What a decomposition creates.
struct CreatedOps : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    ops.push_back(op);
  }
  std::vector<Operation *> ops;
};
} // namespace

/// A NaN makes the whole row NaN, also where the maximum leaves it out: the sum has it. So the
/// maximum may be the one that the vector unit has, which starts with the least number.
static void useMaximum(ArrayRef<Operation *> ops, RewriterBase &rewriter) {
  for (Operation *op : ops) {
    auto maximum = dyn_cast<arith::MaxNumFOp>(op);
    auto reduction = maximum ? dyn_cast<linalg::GenericOp>(op->getParentOp()) : nullptr;
    auto fill = reduction ? reduction.getDpsInits()[0].getDefiningOp<linalg::FillOp>() : nullptr;
    auto type = maximum ? dyn_cast<FloatType>(maximum.getType()) : FloatType();
    if (!fill || !type)
      continue;
    rewriter.setInsertionPoint(fill);
    Value least = arith::ConstantOp::create(
        rewriter, fill.getLoc(),
        rewriter.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true)));
    fill.getInputsMutable().assign(least);
    rewriter.setInsertionPoint(maximum);
    rewriter.replaceOpWithNewOp<arith::MaximumFOp>(maximum, maximum.getLhs(), maximum.getRhs());
  }
}

namespace {
struct DecomposeAggregates : npu::impl::NPUDecomposeAggregatesBase<DecomposeAggregates> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::SoftmaxOp> ops;
    // Upstream takes one of anything apart, and knows the least element of floats only.
    getOperation()->walk([&](linalg::SoftmaxOp op) {
      if (isa<FloatType>(op.getInputOperandType().getElementType()))
        ops.push_back(op);
    });
    for (linalg::SoftmaxOp op : ops) {
      rewriter.setInsertionPoint(op);
      CreatedOps created;
      rewriter.setListener(&created);
      FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
      rewriter.setListener(nullptr);
      // Upstream has no case that fails.
      if (failed(values))
        return signalPassFailure();
      useMaximum(created.ops, rewriter);
      rewriter.replaceOp(op, *values);
    }
    npu::decomposeArgReductions(getOperation(), rewriter);
  }
};
} // namespace
