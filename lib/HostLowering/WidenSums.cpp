//===- WidenSums.cpp - long sums of f32 have an accumulator of f64 --------===//
//
// A single f32 accumulator loses about one unit in the last place for every few hundred terms,
// because it grows while the terms do not. A sum that reads each element once is limited by memory,
// so f64 costs little; contractions, which compute more than they read, stay as they are.
//
//===----------------------------------------------------------------------===//

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu::host {
#define GEN_PASS_DEF_WIDENSUMS
#include "NPU/HostLowering/Passes.h.inc"
} // namespace npu::host

using namespace mlir;

/// Whether enough terms make one element that their roundings count; an unknown number does.
static bool isLong(linalg::GenericOp op) {
  constexpr int64_t maxTerms = 128;
  int64_t terms = 1;
  for (auto [range, iterator] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return true;
    terms *= range;
    if (terms > maxTerms)
      return true;
  }
  return false;
}

/// Whether some element is read for several results, as a contraction does.
static bool readsRepeatedly(linalg::GenericOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    auto isVarying = [&](unsigned dim) { return map.isFunctionOfDim(dim); };
    // What is the same for all terms, such as their maximum, is no term.
    if (op.getMatchingBlockArgument(operand).use_empty() || llvm::none_of(reductions, isVarying))
      continue;
    if (!llvm::all_of(llvm::seq(op.getNumLoops()), isVarying))
      return true;
  }
  return false;
}

/// `tensor` with its elements converted to `type` by `Op`.
template <typename Op>
static Value convert(OpBuilder &builder, Location loc, Value tensor, Type type) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> parallel(rank, utils::IteratorType::parallel);
  Value empty =
      tensor::EmptyOp::create(builder, loc, tensor::getMixedSizes(builder, loc, tensor), type);
  return linalg::GenericOp::create(builder, loc, empty.getType(), tensor, empty,
                                   ArrayRef<AffineMap>{identity, identity}, parallel,
                                   [&](OpBuilder &b, Location loc, ValueRange x) {
                                     Value converted = Op::create(b, loc, type, x[0]);
                                     linalg::YieldOp::create(b, loc, converted);
                                   })
      .getResult(0);
}

namespace {
struct WidenSum : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not a reduction of tensors to one tensor");
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    if (!type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    BlockArgument accumulator = op.getRegionOutputArgs().front();
    auto add = op.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
    if (!add || !accumulator.hasOneUse() || *accumulator.user_begin() != add)
      return rewriter.notifyMatchFailure(op, "not a sum");
    if (!isLong(op))
      return rewriter.notifyMatchFailure(op, "has few terms");
    if (readsRepeatedly(op))
      return rewriter.notifyMatchFailure(op, "reads elements for several results");

    Location loc = op.getLoc();
    Type f64 = rewriter.getF64Type();
    Value init = convert<arith::ExtFOp>(rewriter, loc, op.getDpsInits().front(), f64);
    auto wide = linalg::GenericOp::create(
        rewriter, loc, init.getType(), op.getInputs(), init, op.getIndexingMapsArray(),
        op.getIteratorTypesArray(), [&](OpBuilder &b, Location loc, ValueRange x) {
          IRMapping mapping;
          mapping.map(op.getBody()->getArguments().drop_back(), x.drop_back());
          for (Operation &inner : op.getBody()->without_terminator())
            if (&inner != add)
              b.clone(inner, mapping);
          Value term = add.getLhs() == accumulator ? add.getRhs() : add.getLhs();
          term = arith::ExtFOp::create(b, loc, f64, mapping.lookupOrDefault(term));
          Value total = arith::AddFOp::create(b, loc, x.back(), term);
          linalg::YieldOp::create(b, loc, total);
        });
    rewriter.replaceOp(
        op, convert<arith::TruncFOp>(rewriter, loc, wide.getResult(0), type.getElementType()));
    return success();
  }
};

struct WidenSums : npu::host::impl::WidenSumsBase<WidenSums> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<WidenSum>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
