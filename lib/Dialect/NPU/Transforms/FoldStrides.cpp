//===- FoldStrides.cpp - every other element, chosen on chip --------------===//
//
// DRAM gives whole beats. Of a row of which only every other element is wanted, a transfer of those
// alone takes a beat each; one of the whole row takes no more beats than it has.
//
//===----------------------------------------------------------------------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace npu;

namespace npu {
#define GEN_PASS_DEF_NPUFOLDSTRIDES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

namespace {
struct FoldStride : OpRewritePattern<ConvOp> {
  FoldStride(MLIRContext *context, const TargetDesc &target)
      : OpRewritePattern(context), target(target) {}

  LogicalResult matchAndRewrite(ConvOp conv, PatternRewriter &rewriter) const override;

  const TargetDesc &target;
};
} // namespace

LogicalResult FoldStride::matchAndRewrite(ConvOp conv, PatternRewriter &rewriter) const {
  auto slice = conv.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getType().getRank() == 0)
    return rewriter.notifyMatchFailure(conv, "the input is no slice");
  // Elements that follow each other in DRAM.
  unsigned last = slice.getSourceType().getRank() - 1;
  int64_t step = slice.getStaticStride(last);
  if (slice.getDroppedDims().test(last) || step <= 1)
    return rewriter.notifyMatchFailure(conv, "the slice has the elements of a row that it spans");
  if (step * getElementBytes(slice.getType()) > target.dramBytesPerCycle)
    return rewriter.notifyMatchFailure(conv, "the elements of a row are further apart than a beat");
  size_t space = conv.getSpaceLetters().find(conv.getLayoutInput().back());
  if (space == StringRef::npos)
    return rewriter.notifyMatchFailure(conv, "the rows are not along a dimension of space");

  size_t taps = conv.getLayoutFilter().find(conv.getKernelLetters()[space]);
  if (cast<ShapedType>(conv.getFilter().getType()).getDimSize(taps) > 1)
    return rewriter.notifyMatchFailure(conv, "taps would be further apart, and tiles larger");
  auto scale = [&](SmallVector<int64_t> values) {
    values[space] *= step;
    return values;
  };
  SmallVector<int64_t> stride = scale(conv.getStrideValues()), low = scale(conv.getPadLowValues()),
                       high = scale(conv.getPadHighValues());
  if (stride[space] > isa::Window::Fields::stride_w.getMax())
    return rewriter.notifyMatchFailure(conv, "the array cannot stride so far");

  SmallVector<int64_t> sizes(slice.getStaticSizes()), steps(slice.getStaticStrides()),
      shape(slice.getType().getShape());
  shape.back() = sizes[last] = (sizes[last] - 1) * step + 1;
  steps[last] = 1;
  auto toOps = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(rewriter.getContext(), values);
  };
  rewriter.setInsertionPoint(conv);
  Value whole = tensor::ExtractSliceOp::create(rewriter, slice.getLoc(),
                                               slice.getType().clone(shape), slice.getSource(),
                                               slice.getMixedOffsets(), toOps(sizes), toOps(steps));
  rewriter.modifyOpInPlace(conv, [&] {
    conv.getInputMutable().assign(whole);
    conv.setStride(stride);
    if (conv.hasPadding()) {
      conv.setPadLow(low);
      conv.setPadHigh(high);
    }
  });
  return success();
}

namespace {
struct FoldStrides : npu::impl::NPUFoldStridesBase<FoldStrides> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(target))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldStride>(&getContext(), *target);
    walkAndApplyPatterns(kernel, std::move(patterns));
    for (auto slice :
         llvm::make_early_inc_range(kernel.getBody().front().getOps<tensor::ExtractSliceOp>()))
      if (slice.use_empty())
        slice.erase();
  }
};
} // namespace
