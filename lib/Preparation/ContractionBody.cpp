//===- ContractionBody.cpp - recognizes multiply-and-add bodies -----------===//

#include "NPU/Preparation/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

static std::string getName(Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; }

/// The block argument that `value` is, seen through one extension that keeps its value.
static BlockArgument getExtendedArgument(Value value, Rejection &reason) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument;
  Operation *op = value.getDefiningOp();
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op)) {
    reason = Rejection(RejectionKind::UnsignedInputs, getName(op));
    return {};
  }
  if (isa<arith::ExtSIOp, arith::ExtFOp>(op))
    if (auto argument = dyn_cast<BlockArgument>(op->getOperand(0)))
      return argument;
  reason = Rejection(RejectionKind::ProductOperand, getName(op));
  return {};
}

LogicalResult npu::matchMultiplyAddBody(linalg::LinalgOp op, Rejection &reason) {
  if (op.getNumReductionLoops() == 0)
    return failure(); // element-wise: no user sees a reason
  if (op.getNumDpsInits() != 1 || op.getBlock()->empty())
    return reject(reason, RejectionKind::SeveralResults, Twine(op.getNumDpsInits()));
  Block &body = *op.getBlock();
  Value yielded = body.getTerminator()->getOperand(0);
  Operation *add = yielded.getDefiningOp();
  if (!add || !isa<arith::AddFOp, arith::AddIOp>(add))
    return reject(reason, RejectionKind::Reduction, "by " + (add ? getName(add) : "a copy"));
  BlockArgument accumulator = body.getArgument(body.getNumArguments() - 1);
  unsigned position = add->getOperand(0) == accumulator ? 0 : 1;
  Operation *product = add->getOperand(1 - position).getDefiningOp();
  if (add->getOperand(position) != accumulator || op.getNumDpsInputs() != 2 || !product ||
      !isa<arith::MulFOp, arith::MulIOp>(product))
    return reject(reason, RejectionKind::Reduction, "by " + getName(add));
  BlockArgument left = getExtendedArgument(product->getOperand(0), reason);
  BlockArgument right = left ? getExtendedArgument(product->getOperand(1), reason) : left;
  if (!left || !right)
    return failure();
  if (left == right || left == accumulator || right == accumulator)
    return reject(reason, RejectionKind::Reduction, "by " + getName(add));
  return success();
}

OpOperand *npu::matchSumBody(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || op.getBlock()->empty() ||
      op.hasIndexSemantics())
    return nullptr;
  Block &body = *op.getBlock();
  Operation *add = body.getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument accumulator = body.getArguments().back();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) ||
      !llvm::is_contained(add->getOperands(), accumulator))
    return nullptr;
  Rejection reason;
  Value term = add->getOperand(add->getOperand(0) == accumulator ? 1 : 0);
  BlockArgument argument = getExtendedArgument(term, reason);
  if (!argument || argument == accumulator || argument.getOwner() != &body)
    return nullptr;
  return op.getMatchingOpOperand(argument);
}

TypedAttr npu::getSplatConstant(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    TypedAttr constant;
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
    return constant;
  }
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return {};
  return elements.getSplatValue<TypedAttr>();
}

bool npu::isZero(TypedAttr constant) {
  if (auto value = dyn_cast<FloatAttr>(constant))
    return value.getValue().isZero();
  auto value = dyn_cast<IntegerAttr>(constant);
  return value && value.getValue().isZero();
}
