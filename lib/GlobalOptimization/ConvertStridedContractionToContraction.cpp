//===- ConvertStridedContractionToContraction.cpp - slice strided inputs --===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_CONVERTSTRIDEDCONTRACTIONTOCONTRACTION
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

/// Whether `op` adds up products of its two inputs.
static bool addsProducts(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  return linalg::detail::isContractionBody(*op.getBody(), [](Operation *product, Operation *sum) {
    return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) ||
           (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
  });
}

/// The stride of a loop that an index is a multiple of; 0 if the index is something else.
static int64_t getStride(AffineExpr index) {
  if (isa<AffineDimExpr>(index))
    return 1;
  auto product = dyn_cast<AffineBinaryOpExpr>(index);
  if (!product || product.getKind() != AffineExprKind::Mul || !isa<AffineDimExpr>(product.getLHS()))
    return 0;
  auto stride = dyn_cast<AffineConstantExpr>(product.getRHS());
  return stride ? stride.getValue() : 0;
}

namespace {
struct SliceStridedInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !addsProducts(op))
      return rewriter.notifyMatchFailure(op, "adds no products");
    OpOperand *input = op.getDpsInputOperand(0);
    AffineMap map = op.getMatchingIndexingMap(input);
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SmallVector<int64_t> strides = llvm::map_to_vector(map.getResults(), getStride);
    if (llvm::any_of(strides, [](int64_t stride) { return stride < 1; }) ||
        llvm::all_of(strides, [](int64_t stride) { return stride == 1; }))
      return rewriter.notifyMatchFailure(op, "input is not read with constant strides");
    if (ShapedType::isDynamicShape(ranges))
      return rewriter.notifyMatchFailure(op, "dynamic shape");

    SmallVector<AffineExpr> loops;
    SmallVector<int64_t> sizes;
    for (AffineExpr index : map.getResults()) {
      auto product = dyn_cast<AffineBinaryOpExpr>(index);
      auto loop = cast<AffineDimExpr>(product ? product.getLHS() : index);
      loops.push_back(loop);
      sizes.push_back(ranges[loop.getPosition()]);
    }
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps[input->getOperandNumber()] = AffineMap::get(map.getNumDims(), 0, loops, op.getContext());
    SmallVector<OpFoldResult> offsets(sizes.size(), rewriter.getIndexAttr(0));
    Value slice = tensor::ExtractSliceOp::create(rewriter, op.getLoc(), input->get(), offsets,
                                                 getAsIndexOpFoldResult(op.getContext(), sizes),
                                                 getAsIndexOpFoldResult(op.getContext(), strides));
    rewriter.modifyOpInPlace(op, [&] {
      input->set(slice);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

struct ConvertStridedContractionToContraction
    : npu::global_opt::impl::ConvertStridedContractionToContractionBase<
          ConvertStridedContractionToContraction> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SliceStridedInput>(&getContext());
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
