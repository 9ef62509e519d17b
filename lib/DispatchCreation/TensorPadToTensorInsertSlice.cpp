//===- TensorPadToTensorInsertSlice.cpp - pads become fills and insertions -===//

#include "NPU/DispatchCreation/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "FusionLog.h"
#include "FusionUtils.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_TENSORPADTOTENSORINSERTSLICE
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// Whether `use` is the input of a sliding window: there padding costs nothing.
static bool isReadByWindow(OpOperand &use) {
  return use.getOperandNumber() == 0 && readsWindows(use.getOwner());
}

static bool isReadByWindowsOnly(tensor::PadOp pad) {
  return llvm::all_of(pad->getUses(), isReadByWindow);
}

/// Tells each reader why the padding is not part of its dispatch.
static void emitRemarks(tensor::PadOp pad, bool keepWindows) {
  for (OpOperand &use : pad->getUses()) {
    if (!isReadByWindow(use))
      emitNotFused(pad, use.getOwner(), "the consumer does not read windows of the padded tensor");
    else
      emitNotFused(pad, use.getOwner(),
                   keepWindows ? "others read the padded tensor as well"
                               : "IREE writes padded tensors before windows of them are read");
  }
}

namespace {
struct PadToInsertSlice : OpRewritePattern<tensor::PadOp> {
  PadToInsertSlice(MLIRContext *context, bool keepWindows)
      : OpRewritePattern(context), keepWindows(keepWindows) {}

  LogicalResult matchAndRewrite(tensor::PadOp pad, PatternRewriter &rewriter) const override {
    if (isInDispatch(pad))
      return rewriter.notifyMatchFailure(pad, "in a dispatch");
    Value value = pad.getConstantPaddingValue();
    if (!value)
      return rewriter.notifyMatchFailure(pad, "value depends on the position");
    if (keepWindows && isReadByWindowsOnly(pad))
      return rewriter.notifyMatchFailure(pad, "only windows read it");
    emitRemarks(pad, keepWindows);
    Location loc = pad.getLoc();
    SmallVector<OpFoldResult> sourceSizes = tensor::getMixedSizes(rewriter, loc, pad.getSource());
    SmallVector<OpFoldResult> sizes;
    MLIRContext *context = rewriter.getContext();
    AffineExpr sum = getAffineSymbolExpr(0, context) + getAffineSymbolExpr(1, context) +
                     getAffineSymbolExpr(2, context);
    for (auto [low, size, high] :
         llvm::zip_equal(pad.getMixedLowPad(), sourceSizes, pad.getMixedHighPad()))
      sizes.push_back(affine::makeComposedFoldedAffineApply(rewriter, loc, sum, {low, size, high}));
    RankedTensorType type = pad.getResultType();
    auto empty = tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    Value fill = linalg::FillOp::create(rewriter, loc, value, empty.getResult()).getResult(0);
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    Value inserted = tensor::InsertSliceOp::create(rewriter, loc, pad.getSource(), fill,
                                                   pad.getMixedLowPad(), sourceSizes, strides);
    if (inserted.getType() != type)
      inserted = tensor::CastOp::create(rewriter, loc, type, inserted);
    rewriter.replaceOp(pad, inserted);
    return success();
  }

private:
  bool keepWindows;
};

struct TensorPadToTensorInsertSlice
    : dispatch_creation::impl::TensorPadToTensorInsertSliceBase<TensorPadToTensorInsertSlice> {
  using TensorPadToTensorInsertSliceBase::TensorPadToTensorInsertSliceBase;

  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAny<tensor::PadOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<PadToInsertSlice>(&getContext(), keepWindows);
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
