//===- FoldUnitExtentDims.cpp - drop dimensions of size 1 -----------------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/DispatchCreation/Passes.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::dispatch_creation {
#define GEN_PASS_DEF_FOLDUNITEXTENTDIMS
#include "NPU/DispatchCreation/Passes.h.inc"
} // namespace npu::dispatch_creation

using namespace mlir;
using namespace npu;
using namespace npu::dispatch_creation;

/// All loops but a convolution's only output channel: without it, it would be no convolution that
/// a matrix engine knows, unless each channel is a group of its own.
static SmallVector<unsigned> getFoldableLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops = llvm::to_vector(llvm::seq<unsigned>(0, op.getNumLoops()));
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputChannel.size() != 1)
    return loops;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto isUnit = [&](unsigned dim) { return extents[dim] == 1; };
  bool isDepthwise = !llvm::all_of(dims->depth, isUnit) && llvm::all_of(dims->inputChannel, isUnit);
  if (!isDepthwise)
    llvm::erase(loops, dims->outputChannel.front());
  return loops;
}

namespace {
struct FoldUnitExtentDims : dispatch_creation::impl::FoldUnitExtentDimsBase<FoldUnitExtentDims> {
  void runOnOperation() override {
    linalg::ControlDropUnitDims options;
    options.controlFn = [](Operation *op) {
      auto generic = dyn_cast<linalg::GenericOp>(op);
      return generic ? getFoldableLoops(generic) : linalg::ControlDropUnitDims().controlFn(op);
    };
    ChangeListener listener;
    {
      // Upstream: not for the greedy driver.
      RewritePatternSet patterns(&getContext());
      linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
      linalg::populateMoveInitOperandsToInputPattern(patterns);
      walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns, options);
    FailureOr<bool> changed = applyPatterns(getOperation(), std::move(patterns));
    if (failed(changed))
      return signalPassFailure();
    if (!*changed && !listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
