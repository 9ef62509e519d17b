//===- ContractionBody.cpp - recognises multiply-and-add bodies -----------===//

#include "NPU/Dialect/NPU/Transforms/ContractionBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// The block argument that `value` is, seen through one extension that keeps its value.
static BlockArgument getExtendedArgument(Value value, std::string &reason) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument;
  Operation *op = value.getDefiningOp();
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op)) {
    reason = "unsigned inputs ('" + op->getName().getStringRef().str() +
             "') have no npu equivalent; use signed inputs";
    return {};
  }
  if (isa<arith::ExtSIOp, arith::ExtFOp>(op))
    if (auto argument = dyn_cast<BlockArgument>(op->getOperand(0)))
      return argument;
  reason = "the product's operand '" + op->getName().getStringRef().str() +
           "' is not an extended input; run this dispatch on the host";
  return {};
}

static LogicalResult rejectSum(Operation *add, std::string &reason) {
  reason = "reduction by '" + add->getName().getStringRef().str() +
           "' of anything but products of two inputs has no npu equivalent; run this dispatch on "
           "the host";
  return failure();
}

LogicalResult npu::matchMultiplyAddBody(linalg::LinalgOp op, std::string &reason) {
  if (op.getNumReductionLoops() == 0) {
    reason = "no reduction";
    return failure();
  }
  if (op.getNumDpsInits() != 1 || op.getBlock()->empty()) {
    reason =
        "a reduction with several results has no npu equivalent; run this dispatch on the host";
    return failure();
  }
  Block &body = *op.getBlock();
  Value yielded = body.getTerminator()->getOperand(0);
  Operation *add = yielded.getDefiningOp();
  if (!add || !isa<arith::AddFOp, arith::AddIOp>(add)) {
    std::string name = add ? add->getName().getStringRef().str() : "a copy";
    reason = "reduction by '" + name + "' has no npu equivalent; run this dispatch on the host";
    return failure();
  }
  BlockArgument accumulator = body.getArgument(body.getNumArguments() - 1);
  unsigned position = add->getOperand(0) == accumulator ? 0 : 1;
  Operation *product = add->getOperand(1 - position).getDefiningOp();
  if (add->getOperand(position) != accumulator || op.getNumDpsInputs() != 2 || !product ||
      !isa<arith::MulFOp, arith::MulIOp>(product))
    return rejectSum(add, reason);
  BlockArgument left = getExtendedArgument(product->getOperand(0), reason);
  BlockArgument right = left ? getExtendedArgument(product->getOperand(1), reason) : left;
  if (!left || !right)
    return failure();
  if (left == right || left == accumulator || right == accumulator)
    return rejectSum(add, reason);
  return success();
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
