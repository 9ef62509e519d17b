//===- PropagateLinalgTranspose.cpp - read transposed operands in place ---===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_PROPAGATELINALGTRANSPOSE
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

namespace {
template <typename ContractionOp>
struct FoldTransposedOperand : OpRewritePattern<ContractionOp> {
  using OpRewritePattern<ContractionOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractionOp op, PatternRewriter &rewriter) const override {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto transpose = operand->get().template getDefiningOp<linalg::TransposeOp>();
      if (!transpose || !op.hasPureTensorSemantics())
        continue;
      // Two transpositions become one before, which may not be one of an operand alone.
      if (transpose.getInput().template getDefiningOp<linalg::TransposeOp>())
        continue;
      ArrayRef<int64_t> permutation = transpose.getPermutation();
      // The named op wants its batch first.
      if (isa<linalg::BatchMatmulOp>(op.getOperation()) && permutation.front() != 0)
        continue;
      // Result dimension i is input dimension permutation[i].
      AffineMap map = op.getMatchingIndexingMap(operand);
      SmallVector<AffineExpr> results(map.getNumResults());
      for (auto [dim, source] : llvm::enumerate(permutation))
        results[source] = map.getResult(dim);
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[operand->getOperandNumber()] =
          AffineMap::get(map.getNumDims(), 0, results, op.getContext());
      rewriter.modifyOpInPlace(op, [&] {
        operand->set(transpose.getInput());
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no transposed operand");
  }
};

struct PropagateLinalgTranspose
    : npu::global_opt::impl::PropagateLinalgTransposeBase<PropagateLinalgTranspose> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAny<linalg::TransposeOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns
        .add<FoldTransposedOperand<linalg::MatmulOp>, FoldTransposedOperand<linalg::BatchMatmulOp>>(
            &getContext());
    linalg::TransposeOp::getCanonicalizationPatterns(patterns, &getContext());
    FailureOr<bool> changed = applyPatterns(getOperation(), std::move(patterns));
    if (failed(changed))
      return signalPassFailure();
    if (!*changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
