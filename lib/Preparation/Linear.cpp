//===- Linear.cpp - coordinates that loops move ---------------------------===//

#include "Linear.h"

#include "NPU/Support/ElementBits.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;

std::optional<Linear> npu::getLinear(AffineExpr expr, unsigned numLoops) {
  SmallVector<int64_t> flat;
  if (!expr.isPureAffine() ||
      failed(getFlattenedAffineExpr(expr, numLoops, /*numSymbols=*/0, &flat)) ||
      flat.size() != numLoops + 1)
    return std::nullopt;
  Linear linear;
  linear.constant = flat.pop_back_val();
  linear.coefficients = std::move(flat);
  return linear;
}

std::optional<SmallVector<Linear>> npu::getLinear(AffineMap map) {
  SmallVector<Linear> results;
  for (AffineExpr expr : map.getResults()) {
    std::optional<Linear> linear = getLinear(expr, map.getNumDims());
    if (!linear)
      return std::nullopt;
    results.push_back(std::move(*linear));
  }
  return results;
}

bool npu::isInside(const Linear &coordinate, ArrayRef<int64_t> ranges, int64_t size) {
  int64_t low = coordinate.constant, high = coordinate.constant;
  for (auto [coefficient, range] : llvm::zip_equal(coordinate.coefficients, ranges)) {
    int64_t last;
    if (coefficient != 0 && (range > size || llvm::MulOverflow(coefficient, range - 1, last)))
      return false;
    (coefficient < 0 ? low : high) += coefficient == 0 ? 0 : last;
  }
  return low >= 0 && high < size;
}

AffineExpr npu::getCounterExpr(Value value) {
  MLIRContext *context = value.getContext();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 32
               ? getAffineConstantExpr(constant.getSExtValue(), context)
               : AffineExpr();
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast_if_present<linalg::IndexOp>(op))
    return getAffineDimExpr(index.getDim(), context);
  if (auto cast = dyn_cast_if_present<arith::IndexCastOp>(op)) {
    // Narrower integers wrap.
    bool isWide =
        llvm::all_of(ArrayRef<Type>{cast.getIn().getType(), cast.getType()}, [](Type type) {
          return type.isIndex() || findElementBits(type).value_or(0) >= 32;
        });
    return isWide ? getCounterExpr(cast.getIn()) : AffineExpr();
  }
  if (auto apply = dyn_cast_if_present<affine::AffineApplyOp>(op)) {
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(getCounterExpr(operand));
    unsigned dims = apply.getAffineMap().getNumDims();
    if (!llvm::all_of(operands, [](AffineExpr expr) { return bool(expr); }))
      return {};
    return apply.getAffineMap().getResult(0).replaceDimsAndSymbols(
        ArrayRef(operands).take_front(dims), ArrayRef(operands).drop_front(dims));
  }
  if (!isa_and_present<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return {};
  AffineExpr lhs = getCounterExpr(op->getOperand(0)), rhs = getCounterExpr(op->getOperand(1));
  if (!lhs || !rhs)
    return {};
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  if (!isa<AffineConstantExpr>(lhs) && !isa<AffineConstantExpr>(rhs))
    return {};
  return lhs * rhs;
}
