//===- SplitSlices.cpp - strided slices of lower rank in two steps --------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::host {
#define GEN_PASS_DEF_SPLITSLICES
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// Whether `op` steps over elements and leaves out dimensions of size 1.
static bool needsSplit(OffsetSizeAndStrideOpInterface op, const llvm::SmallBitVector &droppedDims) {
  return droppedDims.any() && llvm::any_of(op.getMixedStrides(), [](OpFoldResult stride) {
           return !isConstantIntValue(stride, 1);
         });
}

/// Which dimensions of the slice become one when `droppedDims` are left out; no group if all are.
static SmallVector<ReassociationIndices> getGroups(const llvm::SmallBitVector &droppedDims) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (unsigned dim = 0; dim < droppedDims.size(); ++dim) {
    if (!droppedDims.test(dim))
      groups.push_back(std::exchange(leading, {}));
    (groups.empty() ? leading : groups.back()).push_back(dim);
  }
  return groups;
}

namespace {
struct SplitExtraction : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SmallBitVector droppedDims = op.getDroppedDims();
    if (!needsSplit(op, droppedDims))
      return rewriter.notifyMatchFailure(op, "without strides or of the same rank");
    Value slice =
        tensor::ExtractSliceOp::create(rewriter, op.getLoc(), op.getSource(), op.getMixedOffsets(),
                                       op.getMixedSizes(), op.getMixedStrides());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, op.getType(), slice,
                                                         getGroups(droppedDims));
    return success();
  }
};

struct SplitInsertion : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SmallBitVector droppedDims = op.getDroppedDims();
    if (!needsSplit(op, droppedDims))
      return rewriter.notifyMatchFailure(op, "without strides or of the same rank");
    Value slice = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), op.getSourceType().clone(op.getStaticSizes()), op.getSource(),
        getGroups(droppedDims), op.getMixedSizes());
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, slice, op.getDest(), op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides());
    return success();
  }
};

struct SplitSlices : npu::host::impl::SplitSlicesBase<SplitSlices> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitExtraction, SplitInsertion>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
