//===- QuantizedMatmulToMatmul.cpp - take zero points out of matmuls ------===//

#include "NPU/GlobalOptimization/Passes.h"
#include "NPU/Support/PresentOps.h"
#include "NPU/Support/Rewrite.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::global_opt {
#define GEN_PASS_DEF_QUANTIZEDMATMULTOMATMUL
#include "NPU/GlobalOptimization/Passes.h.inc"
} // namespace npu::global_opt

using namespace mlir;
using namespace npu;

static bool isZero(Value value) { return matchPattern(value, m_Zero()); }

/// `value` as an integer of `type`.
static Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value
                                 : arith::ExtSIOp::create(builder, loc, type, value).getResult();
}

/// The sums of a matrix along dimension `dim`.
static Value sumAlong(OpBuilder &builder, Location loc, Value matrix, unsigned dim, Type type) {
  OpFoldResult size = tensor::getMixedSize(builder, loc, matrix, 1 - dim);
  Value empty = tensor::EmptyOp::create(builder, loc, {size}, type);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value fill = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  MLIRContext *context = builder.getContext();
  AffineExpr kept = getAffineDimExpr(0, context), summed = getAffineDimExpr(1, context);
  SmallVector<AffineExpr> indices = {kept, summed};
  if (dim == 0)
    std::swap(indices[0], indices[1]);
  return linalg::GenericOp::create(builder, loc, fill.getType(), matrix, fill,
                                   ArrayRef<AffineMap>{AffineMap::get(2, 0, indices, context),
                                                       AffineMap::get(2, 0, kept, context)},
                                   ArrayRef<utils::IteratorType>{utils::IteratorType::parallel,
                                                                 utils::IteratorType::reduction},
                                   [&](OpBuilder &builder, Location loc, ValueRange values) {
                                     Value element = extend(builder, loc, values[0], type);
                                     Value sum =
                                         arith::AddIOp::create(builder, loc, element, values[1]);
                                     linalg::YieldOp::create(builder, loc, sum);
                                   })
      .getResult(0);
}

namespace {
struct SplitZeroPoints : OpRewritePattern<linalg::QuantizedMatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::QuantizedMatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Location loc = op.getLoc();
    Value lhs = op.getInputs()[0], rhs = op.getInputs()[1];
    Value lhsZero = op.getInputs()[2], rhsZero = op.getInputs()[3];
    Value init = op.getOutputs().front();
    auto type = cast<RankedTensorType>(init.getType());
    Type element = type.getElementType();
    int64_t depth = cast<RankedTensorType>(lhs.getType()).getDimSize(1);
    if (ShapedType::isDynamic(depth))
      return rewriter.notifyMatchFailure(op, "dynamic number of products");

    Value result =
        linalg::MatmulOp::create(rewriter, loc, type, ValueRange{lhs, rhs}, init).getResult(0);
    bool lhsHasZeroPoint = !isZero(lhsZero), rhsHasZeroPoint = !isZero(rhsZero);
    if (!lhsHasZeroPoint && !rhsHasZeroPoint) {
      rewriter.replaceOp(op, result);
      return success();
    }
    MLIRContext *context = rewriter.getContext();
    AffineExpr row = getAffineDimExpr(0, context), column = getAffineDimExpr(1, context);
    AffineMap identity = rewriter.getMultiDimIdentityMap(2), scalar = AffineMap::get(2, 0, context);
    SmallVector<Value> inputs = {result};
    SmallVector<AffineMap> maps = {identity};
    Value lhsWide = extend(rewriter, loc, lhsZero, element);
    Value rhsWide = extend(rewriter, loc, rhsZero, element);
    if (rhsHasZeroPoint) {
      llvm::append_values(inputs, sumAlong(rewriter, loc, lhs, 1, element), rhsWide);
      llvm::append_values(maps, AffineMap::get(2, 0, row, context), scalar);
    }
    if (lhsHasZeroPoint) {
      llvm::append_values(inputs, sumAlong(rewriter, loc, rhs, 0, element), lhsWide);
      llvm::append_values(maps, AffineMap::get(2, 0, column, context), scalar);
    }
    bool hasBoth = lhsHasZeroPoint && rhsHasZeroPoint;
    if (hasBoth) {
      Value both = arith::MulIOp::create(rewriter, loc, lhsWide, rhsWide);
      Value times =
          arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(element, depth));
      inputs.push_back(arith::MulIOp::create(rewriter, loc, both, times));
      maps.push_back(scalar);
    }
    maps.push_back(identity);
    Value empty = tensor::EmptyOp::create(rewriter, loc,
                                          tensor::getMixedSizes(rewriter, loc, result), element);
    auto corrected = linalg::GenericOp::create(
        rewriter, loc, type, inputs, empty, maps,
        ArrayRef<utils::IteratorType>(
            SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel)),
        [&](OpBuilder &builder, Location loc, ValueRange values) {
          Value sum = values[0];
          for (unsigned i = 1; i + 1 < values.size() - hasBoth; i += 2) {
            Value term = arith::MulIOp::create(builder, loc, values[i], values[i + 1]);
            sum = arith::SubIOp::create(builder, loc, sum, term);
          }
          if (hasBoth)
            sum = arith::AddIOp::create(builder, loc, sum, values[values.size() - 2]);
          linalg::YieldOp::create(builder, loc, sum);
        });
    rewriter.replaceOp(op, corrected);
    return success();
  }
};

struct QuantizedMatmulToMatmul
    : npu::global_opt::impl::QuantizedMatmulToMatmulBase<QuantizedMatmulToMatmul> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOps>().holdsAny<linalg::QuantizedMatmulOp>())
      return markAllAnalysesPreserved();
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitZeroPoints>(&getContext());
    ChangeListener listener;
    walkAndApplyPatterns(getOperation(), std::move(patterns), &listener);
    if (!listener.changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
