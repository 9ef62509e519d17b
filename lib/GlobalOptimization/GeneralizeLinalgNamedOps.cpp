//===- GeneralizeLinalgNamedOps.cpp - named ops become generics -----------===//

#include "NPU/GlobalOptimization/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_GENERALIZELINALGNAMEDOPS
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;

static bool shouldGeneralize(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || isa<linalg::GenericOp, linalg::FillOp>(op))
    return false;
  if (linalg::isaConvolutionOpInterface(op))
    return llvm::is_contained(op.getStaticLoopRanges(), 1);
  return isa<linalg::ReduceOp>(op) || op.getNumLoops() == op.getNumParallelLoops();
}

namespace {
struct GeneralizeLinalgNamedOps
    : npu::global_opt::impl::GeneralizeLinalgNamedOpsBase<GeneralizeLinalgNamedOps> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (shouldGeneralize(op))
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      // An op that has no generic form stays as it is.
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
  }
};
} // namespace
