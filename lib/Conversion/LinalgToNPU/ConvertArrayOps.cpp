//===- ConvertArrayOps.cpp - contractions and convolutions to npu ops -----===//

#include "Matching.h"
#include "Patterns.h"

#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace npu;

/// The groups of `operand`'s dimensions that become one dimension each, and the letters afterwards.
static std::pair<SmallVector<ReassociationIndices>, std::string>
getCollapsedGroups(const ArrayOperand &operand) {
  SmallVector<ReassociationIndices> groups;
  std::string letters;
  for (auto [index, letter] : llvm::enumerate(operand.letters)) {
    if (!letters.empty() && letters.back() == letter) {
      groups.back().push_back(index);
      continue;
    }
    groups.push_back({int64_t(index)});
    letters.push_back(letter);
  }
  return {groups, letters};
}

/// `value` with another shape of the same elements: a new constant, or a reshape that becomes part
/// of the kernel's signature.
static Value reshape(OpBuilder &builder, Location loc, Value value, RankedTensorType type,
                     ArrayRef<ReassociationIndices> groups) {
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return arith::ConstantOp::create(builder, loc, elements.reshape(type));
  if (type.getRank() > cast<RankedTensorType>(value.getType()).getRank())
    return tensor::ExpandShapeOp::create(builder, loc, type, value, groups);
  return tensor::CollapseShapeOp::create(builder, loc, type, value, groups);
}

/// Brings `operand` to one dimension per letter; afterwards its letters are its layout.
static void reshapeOperand(OpBuilder &builder, Location loc, ArrayOperand &operand) {
  auto [groups, letters] = getCollapsedGroups(operand);
  auto type = cast<RankedTensorType>(operand.value.getType());
  if (letters.size() != operand.letters.size()) {
    type = tensor::CollapseShapeOp::inferCollapsedType(type, groups);
    operand.value = reshape(builder, loc, operand.value, type, groups);
  }
  operand.letters = letters;
  if (operand.units.empty())
    return;
  SmallVector<int64_t> shape(type.getShape());
  groups.clear();
  for (int64_t index = 0, rank = type.getRank(); index < rank; ++index)
    groups.push_back({index});
  for (char unit : operand.units) {
    if (!groups.empty())
      groups.back().push_back(shape.size());
    shape.push_back(1);
    operand.letters.push_back(unit);
  }
  operand.value = reshape(builder, loc, operand.value, type.clone(shape), groups);
}

static Value createArrayOp(OpBuilder &builder, Location loc, ArrayOp &match, Value output) {
  if (match.padding)
    match.lhs.value = match.padding->source;
  reshapeOperand(builder, loc, match.lhs);
  reshapeOperand(builder, loc, match.rhs);
  if (!match.isConv)
    return MatmulOp::create(builder, loc, match.lhs.value, match.rhs.value, output,
                            match.lhs.letters, match.rhs.letters, match.outputLayout)
        ->getResult(0);
  auto conv =
      ConvOp::create(builder, loc, match.lhs.value, match.rhs.value, output, match.lhs.letters,
                     match.rhs.letters, match.outputLayout, match.strides, match.dilations);
  if (match.padding) {
    // The padding is in the order of the input's dimensions, as are d, h and w.
    conv.setPadLow(match.padding->low);
    conv.setPadHigh(match.padding->high);
    conv.setPadValueAttr(match.padding->value);
  }
  return conv->getResult(0);
}

namespace {
struct ConvertArrayOp : OpInterfaceConversionPattern<linalg::LinalgOp> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isReduction(op))
      return rewriter.notifyMatchFailure(op, "not a reduction");
    Rejection reason;
    if (failed(matchShapesAndTypes(op, reason)))
      return rewriter.notifyMatchFailure(op, reason.getReason());
    FailureOr<ArrayOp> match = matchArrayOp(op, reason);
    if (failed(match))
      return rewriter.notifyMatchFailure(op, reason.getReason());
    // What produces the operands may have been converted meanwhile.
    for (ArrayOperand *operand : {&match->lhs, &match->rhs})
      operand->value = rewriter.getRemappedValue(operand->value);
    if (match->padding)
      match->padding->source = rewriter.getRemappedValue(match->padding->source);
    Location loc = op.getLoc();
    Value init = op.getDpsInits()[0];
    auto type = cast<RankedTensorType>(init.getType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    Value result = createArrayOp(rewriter, loc, *match, empty);
    TypedAttr constant = getSplatConstant(init);
    if (constant && isZero(constant)) {
      rewriter.replaceOp(op, result);
      return success();
    }
    Value sumEmpty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    if (constant)
      rewriter.replaceOp(
          op, BinaryOp::create(rewriter, loc, BinaryKind::Add, result, constant, sumEmpty)
                  ->getResults());
    else
      rewriter.replaceOp(
          op, BinaryOp::create(rewriter, loc, BinaryKind::Add, result, operands.back(), sumEmpty)
                  ->getResults());
    return success();
  }
};
} // namespace

void npu::populateArrayPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertArrayOp>(patterns.getContext());
}
