//===- DetachElementwiseFromWindows.cpp - windows of what a body computes -===//
//
// A vector unit that reduces windows of an input computes nothing of its elements on the way, and
// an element is in several windows. So what a body computes of them becomes a tensor first.
//
//===----------------------------------------------------------------------===//

#include "BodyTerm.h"
#include "FoldBody.h"

#include "NPU/Preparation/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace npu {
#define GEN_PASS_DEF_NPUDETACHELEMENTWISEFROMWINDOWS
#include "NPU/Preparation/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// The only value of the body that is computed without the accumulator and combined with it.
static Value findTerm(linalg::GenericOp op) {
  SetVector<Operation *> combining;
  getForwardSlice(op.getRegionOutputArgs().front(), &combining);
  Value term;
  for (Operation *user : combining)
    for (Value operand : user->getOperands()) {
      bool isCombined = llvm::is_contained(op.getRegionOutputArgs(), operand) ||
                        combining.contains(operand.getDefiningOp());
      if (isCombined || matchPattern(operand, m_Constant()) || operand == term)
        continue;
      if (term)
        return {};
      term = operand;
    }
  return term;
}

/// Fails, with a reason, where the body computes nothing of its windows, or not of them alone.
static FailureOr<BodyTerm> matchTerm(linalg::GenericOp op, PatternRewriter &rewriter) {
  auto reject = [&](const Twine &reason) { return rewriter.notifyMatchFailure(op, reason); };
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 || op.getNumReductionLoops() == 0)
    return reject("no reduction of tensors to one");
  Value value = findTerm(op);
  if (!value)
    return reject("nothing is computed before it is combined");
  FailureOr<BodyTerm> term = findBodyTerm(op, value, reject);
  if (failed(term))
    return failure();
  // A load widens what it takes.
  Operation *root = value.getDefiningOp();
  if (isa<arith::ExtFOp, arith::ExtSIOp>(root) && isa<BlockArgument>(root->getOperand(0)))
    return reject("elements are extended only");
  if (term->inputs.empty() ||
      op.getMatchingIndexingMap(term->inputs.front()).isProjectedPermutation())
    return reject("no windows");
  for (OpOperand *input : term->inputs) {
    if (op.getMatchingIndexingMap(input) != op.getMatchingIndexingMap(term->inputs.front()))
      return reject("elements of different windows are combined");
    if (cast<ShapedType>(input->get().getType()).getShape() !=
        cast<ShapedType>(term->inputs.front()->get().getType()).getShape())
      return reject("windows end at different places of their inputs");
  }
  return term;
}

/// What the term is of constants.
static Attribute fold(linalg::GenericOp op, const BodyTerm &term, Attribute element) {
  DenseMap<Value, Attribute> known;
  for (OpOperand *input : term.inputs)
    known[op.getMatchingBlockArgument(input)] = element;
  for (Operation *body : term.ops)
    known[body->getResult(0)] = foldBodyOp(body, [&](Value value) {
      Attribute constant = known.lookup(value);
      return constant ? constant : findBodyConstant(op, value);
    });
  return known.lookup(term.value);
}

/// The term of all elements of `inputs`, which have the same shape.
static Value compute(linalg::GenericOp op, const BodyTerm &term, ValueRange inputs,
                     PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(inputs.front().getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(), tensor::getMixedSizes(rewriter, op.getLoc(), inputs.front()),
      term.value.getType());
  SmallVector<AffineMap> maps(inputs.size() + 1, rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, op.getLoc(), empty.getType(), inputs, empty, maps, loops,
             [&](OpBuilder &builder, Location, ValueRange arguments) {
               IRMapping mapping;
               for (auto [input, argument] : llvm::zip(term.inputs, arguments))
                 mapping.map(op.getMatchingBlockArgument(input), argument);
               yieldTerm(term, builder, mapping);
             })
      .getResult(0);
}

/// The term of all elements that windows have. What pads them stays a pad, which a load makes.
static Value computeWithPadding(linalg::GenericOp op, const BodyTerm &term,
                                PatternRewriter &rewriter) {
  SmallVector<Value> inputs =
      llvm::map_to_vector(term.inputs, [](OpOperand *input) { return input->get(); });
  auto pad = inputs.front().getDefiningOp<tensor::PadOp>();
  TypedAttr element, folded;
  if (inputs.size() == 1 && pad && pad.getConstantPaddingValue() &&
      matchPattern(pad.getConstantPaddingValue(), m_Constant(&element)))
    folded = dyn_cast_if_present<TypedAttr>(fold(op, term, element));
  if (!folded)
    return compute(op, term, inputs, rewriter);
  Value source = compute(op, term, pad.getSource(), rewriter);
  Value padding = arith::ConstantOp::create(rewriter, op.getLoc(), folded);
  return tensor::PadOp::create(
      rewriter, pad.getLoc(), pad.getResultType().clone(term.value.getType()), source,
      pad.getMixedLowPad(), pad.getMixedHighPad(), padding, pad.getNofold());
}

namespace {
struct DetachTerm : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    FailureOr<BodyTerm> term = matchTerm(op, rewriter);
    if (failed(term))
      return failure();
    // The term takes the place of the first input that it is computed of.
    SmallVector<Value> inputs, replaced;
    SmallVector<AffineMap> maps;
    for (OpOperand *input : op.getDpsInputOperands()) {
      bool isOfTerm = llvm::is_contained(term->inputs, input);
      if (isOfTerm && input != term->inputs.front())
        continue;
      inputs.push_back(isOfTerm ? computeWithPadding(op, *term, rewriter) : input->get());
      replaced.push_back(isOfTerm ? term->value : op.getMatchingBlockArgument(input));
      maps.push_back(op.getMatchingIndexingMap(input));
    }
    replaced.push_back(op.getRegionOutputArgs().front());
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op->getResultTypes(), inputs, op.getDpsInits(), maps, op.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location, ValueRange arguments) {
          IRMapping mapping;
          mapping.map(replaced, arguments);
          cloneWithoutTerm(op, *term, builder, mapping);
        });
    return success();
  }
};

struct DetachElementwiseFromWindows
    : npu::impl::NPUDetachElementwiseFromWindowsBase<DetachElementwiseFromWindows> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DetachTerm>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
