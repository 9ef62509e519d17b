//===- RegionUtils.cpp - what regions of iree_linalg_ext ops compute ------===//

#include "RegionUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

Value npu::linalg_ext::inlineRegion(OpBuilder &builder, Region &region, ValueRange arguments) {
  Block &body = region.front();
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &nested : body.without_terminator())
    builder.clone(nested, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

Value npu::linalg_ext::isSet(OpBuilder &builder, Location loc, Value element) {
  if (element.getType().isInteger(1))
    return element;
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, element, zero);
}
