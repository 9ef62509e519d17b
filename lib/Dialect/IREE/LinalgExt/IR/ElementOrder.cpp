//===- ElementOrder.cpp - the order that a comparator makes ---------------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/ElementOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace npu::linalg_ext;

/// The order in which the operands of the comparison are.
static std::optional<ElementOrder> getOrder(Operation *compare) {
  using Float = arith::CmpFPredicate;
  using Integer = arith::CmpIPredicate;
  if (auto real = dyn_cast<arith::CmpFOp>(compare)) {
    Float predicate = real.getPredicate();
    bool isStrict = predicate == Float::OLT || predicate == Float::OGT;
    if (isStrict || predicate == Float::OLE || predicate == Float::OGE)
      return ElementOrder{0, predicate == Float::OGT || predicate == Float::OGE, isStrict};
  }
  if (auto integer = dyn_cast<arith::CmpIOp>(compare)) {
    Integer predicate = integer.getPredicate();
    bool isStrict = predicate == Integer::slt || predicate == Integer::sgt;
    if (isStrict || predicate == Integer::sle || predicate == Integer::sge)
      return ElementOrder{0, predicate == Integer::sgt || predicate == Integer::sge, isStrict};
  }
  return std::nullopt;
}

std::optional<ElementOrder> ElementOrder::match(Region &region) {
  Block &body = region.front();
  Operation *compare = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!llvm::hasNItems(body, 2) || !compare || compare->getBlock() != &body ||
      compare->getNumOperands() != 2)
    return std::nullopt;
  auto left = dyn_cast<BlockArgument>(compare->getOperand(0)),
       right = dyn_cast<BlockArgument>(compare->getOperand(1));
  if (!left || !right || left.getOwner() != &body || right.getOwner() != &body)
    return std::nullopt;
  // Two arguments for each tensor, of the first and the second element.
  unsigned first = left.getArgNumber(), second = right.getArgNumber();
  std::optional<ElementOrder> order = getOrder(compare);
  if (!order || first / 2 != second / 2 || first == second)
    return std::nullopt;
  order->tensor = first / 2;
  if (first > second)
    order->isDescending = !order->isDescending;
  return order;
}

Value ElementOrder::createIsBefore(OpBuilder &builder, Location loc, Value left,
                                   Value right) const {
  if (!isa<FloatType>(left.getType()))
    return arith::CmpIOp::create(
        builder, loc, isDescending ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, left,
        right);
  Value isBefore = arith::CmpFOp::create(
      builder, loc, isDescending ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, left,
      right);
  Value isNumber = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, left, left);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, right, right);
  Value isLast = arith::AndIOp::create(builder, loc, isNumber, isNaN);
  return arith::OrIOp::create(builder, loc, isBefore, isLast);
}

TypedAttr npu::linalg_ext::getExtreme(Builder &builder, Type type, bool isLargest) {
  if (auto real = dyn_cast<FloatType>(type))
    return builder.getFloatAttr(type, APFloat::getInf(real.getFloatSemantics(), !isLargest));
  unsigned width = type.getIntOrFloatBitWidth();
  return builder.getIntegerAttr(type, isLargest ? APInt::getSignedMaxValue(width)
                                                : APInt::getSignedMinValue(width));
}
