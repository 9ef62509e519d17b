//===- TensorFolders.cpp - folds of the flow.tensor ops -------------------===//

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace npu;
using namespace npu::flow;

/// Whether the op's result is its source, type and sizes.
template <typename OpTy>
static bool isIdentity(OpTy op) {
  return op.getSource().getType() == op.getType() && op.getSourceDims() == op.getResultDims();
}

Operation *FlowDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  auto typed = dyn_cast<TypedAttr>(value);
  if (!typed || typed.getType() != type || !isa<TensorType>(type))
    return nullptr;
  return TensorConstantOp::create(builder, loc, type, typed);
}

OpFoldResult TensorConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

OpFoldResult TensorReshapeOp::fold(FoldAdaptor) {
  return isIdentity(*this) ? getSource() : OpFoldResult();
}

OpFoldResult TensorBitCastOp::fold(FoldAdaptor) {
  return isIdentity(*this) ? getSource() : OpFoldResult();
}

OpFoldResult TensorTieShapeOp::fold(FoldAdaptor) {
  return getDynamicDims().empty() ? getOperand() : OpFoldResult();
}

static bool areZero(ValueRange values) {
  return llvm::all_of(values, [](Value value) { return matchPattern(value, m_Zero()); });
}

OpFoldResult TensorSliceOp::fold(FoldAdaptor) {
  if (cast<ShapedType>(getType()).hasStaticShape() && getSource().getType() == getType() &&
      areZero(getStartIndices()))
    return getSource();
  return {};
}

OpFoldResult TensorUpdateOp::fold(FoldAdaptor) {
  if (cast<ShapedType>(getType()).hasStaticShape() && getUpdate().getType() == getType() &&
      areZero(getStartIndices()))
    return getUpdate();
  return {};
}

namespace {
/// `op(op(x))` is `op(x)`.
template <typename OpTy>
struct MergeCasts : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto source = op.getSource().template getDefiningOp<OpTy>();
    if (!source)
      return rewriter.notifyMatchFailure(op, "the source is not an op of the same kind");
    rewriter.modifyOpInPlace(op, [&] {
      op.getSourceMutable().assign(source.getSource());
      op.getSourceDimsMutable().assign(source.getSourceDims());
    });
    return success();
  }
};

/// A part or another shape of a tensor of one value, or of no value, is such a tensor.
template <typename OpTy>
struct FoldIntoSource : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    if (auto splat = op.getSource().template getDefiningOp<TensorSplatOp>()) {
      rewriter.replaceOpWithNewOp<TensorSplatOp>(op, op.getType(), splat.getValue(),
                                                 op.getResultDims());
      return success();
    }
    if (op.getSource().template getDefiningOp<TensorEmptyOp>()) {
      rewriter.replaceOpWithNewOp<TensorEmptyOp>(op, op.getType(), op.getResultDims());
      return success();
    }
    return rewriter.notifyMatchFailure(op, "the source is neither a splat nor empty");
  }
};
} // namespace

void TensorReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<MergeCasts<TensorReshapeOp>, FoldIntoSource<TensorReshapeOp>>(context);
}

void TensorBitCastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<MergeCasts<TensorBitCastOp>>(context);
}

void TensorSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldIntoSource<TensorSliceOp>>(context);
}
