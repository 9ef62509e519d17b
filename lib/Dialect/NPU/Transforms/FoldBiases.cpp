//===- FoldBiases.cpp - sums that start from a bias -----------------------===//
//
// The array starts its sums from a bias at no cost, where the vector unit takes a pass over the
// result to add one. Of floats that would change the order of the sum: behind a large bias, small
// products are lost.
//
//===----------------------------------------------------------------------===//

#include "FoldBiases.h"

#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace npu;

namespace npu {
#define GEN_PASS_DEF_NPUFOLDBIASES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

namespace {
/// A tensor and its coordinates in the domain of an element-wise op.
struct Addend {
  Value tensor;
  AffineMap map;
};

template <typename OpTy>
struct FoldBias : OpRewritePattern<BinaryOp> {
  using OpRewritePattern<BinaryOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(BinaryOp add, PatternRewriter &rewriter) const override;
};
} // namespace

/// Looks through a copy that broadcasts.
static Addend getAddend(Value tensor, AffineMap map) {
  auto copy = tensor.getDefiningOp<CopyOp>();
  if (!copy)
    return {tensor, map};
  SmallVector<AffineMap> maps = copy.getIndexingMapsArray();
  if (!maps.back().isIdentity())
    return {tensor, map};
  return {copy.getInput(), maps.front().compose(map)};
}

/// What is there before the kernel starts, or a view of it.
static bool isGiven(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  return !op || llvm::isa<arith::ConstantOp, tensor::ExtractSliceOp>(op);
}

template <typename OpTy>
static StringRef getOutputLayout(OpTy op) {
  if constexpr (std::is_same_v<OpTy, MatmulOp>)
    return op.getLayoutC();
  else
    return op.getLayoutOutput();
}

template <typename OpTy>
LogicalResult FoldBias<OpTy>::matchAndRewrite(BinaryOp add, PatternRewriter &rewriter) const {
  if (add.getKind() != BinaryKind::Add || !add.getRhs() || add.hasBufferForm())
    return rewriter.notifyMatchFailure(add, "not an addition of two tensors");
  SmallVector<AffineMap> maps = add.getIndexingMapsArray();
  Value operands[] = {add.getLhs(), add.getRhs()};
  for (unsigned index : {0, 1}) {
    auto op = operands[index].getDefiningOp<OpTy>();
    if (!op || !op->hasOneUse() || op.getAccumulate() || op.getBias() ||
        !getElementTypeOrSelf(op.getOutput()).isInteger() ||
        op.getOutput().getType() != add.getOutput().getType() || maps[index] != maps.back())
      continue;
    Addend addend = getAddend(operands[1 - index], maps[1 - index]);
    if (!isGiven(addend.tensor) ||
        getElementTypeOrSelf(addend.tensor) != getElementTypeOrSelf(op.getOutput()))
      continue;
    std::string letters;
    for (AffineExpr coordinate : addend.map.getResults())
      if (std::optional<unsigned> position = maps.back().getResultPosition(coordinate))
        letters += getOutputLayout(op)[*position];
    if (letters.empty() || letters != op.getBiasLayout() ||
        letters.size() != addend.map.getNumResults())
      continue;
    if (Operation *source = addend.tensor.getDefiningOp(); source && !source->isBeforeInBlock(op))
      rewriter.moveOpBefore(source, op);
    rewriter.modifyOpInPlace(op, [&] { op.getBiasMutable().assign(addend.tensor); });
    rewriter.replaceOp(add, op);
    return success();
  }
  return rewriter.notifyMatchFailure(add, "expected a contraction of integers that nothing else "
                                          "reads and one number for each of its columns");
}

static void fold(KernelOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  patterns.add<FoldBias<MatmulOp>, FoldBias<ConvOp>>(kernel.getContext());
  walkAndApplyPatterns(kernel, std::move(patterns));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(kernel.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

static bool hasBias(KernelOp kernel) {
  return llvm::any_of(kernel.getBody().getOps<MatmulOp>(),
                      [](MatmulOp op) { return bool(op.getBias()); }) ||
         llvm::any_of(kernel.getBody().getOps<ConvOp>(),
                      [](ConvOp op) { return bool(op.getBias()); });
}

OwningOpRef<KernelOp> npu::foldBiases(KernelOp kernel) {
  if (hasBias(kernel)) // has been decided
    return {};
  OwningOpRef<KernelOp> folded = kernel.clone();
  fold(*folded);
  return hasBias(*folded) ? std::move(folded) : OwningOpRef<KernelOp>();
}

namespace {
struct FoldBiases : npu::impl::NPUFoldBiasesBase<FoldBiases> {
  void runOnOperation() override { fold(getOperation()); }
};
} // namespace
