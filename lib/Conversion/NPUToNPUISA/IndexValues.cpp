//===- IndexValues.cpp - index values as functions of the loop counters ---===//

#include "IndexValues.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using isa::Affine;

Affine npu::operator+(Affine a, const Affine &b) {
  a.base += b.base;
  for (auto [x, y] : llvm::zip_equal(a.coefficients, b.coefficients))
    x += y;
  return a;
}

Affine npu::operator*(Affine a, int64_t factor) {
  a.base *= factor;
  for (int64_t &coefficient : a.coefficients)
    coefficient *= factor;
  return a;
}

void LoopScope::push(Value counter, int64_t count) {
  depths[counter] = trips.size();
  counters.push_back(counter);
  trips.push_back(count);
}

void LoopScope::pop() {
  depths.erase(counters.pop_back_val());
  trips.pop_back();
}

int64_t LoopScope::getMin(const Affine &value) const {
  int64_t result = value.base;
  for (auto [count, coefficient] : llvm::zip(trips, value.coefficients))
    result += std::min<int64_t>(coefficient * (count - 1), 0);
  return result;
}

int64_t LoopScope::getMax(const Affine &value) const { return -getMin(value * -1); }

/// Drops alternatives that another one never exceeds.
void LoopScope::prune(IndexValue &value) const {
  for (size_t i = 0; i < value.size();) {
    bool needless = false;
    for (size_t j = 0; j < value.size() && !needless; ++j)
      needless = i != j && getMax(value[j] - value[i]) <= 0 && (value[i] != value[j] || j < i);
    if (needless)
      value.erase(value.begin() + i);
    else
      ++i;
  }
}

FailureOr<IndexValue> LoopScope::divide(const IndexValue &value, int64_t divisor, bool up) const {
  if (divisor <= 0)
    return failure();
  IndexValue result;
  for (const Affine &alternative : value) {
    Affine quotient;
    for (auto [from, to] : llvm::zip_equal(alternative.coefficients, quotient.coefficients)) {
      if (from % divisor != 0)
        return failure();
      to = from / divisor;
    }
    quotient.base = up ? llvm::divideCeilSigned(alternative.base, divisor)
                       : llvm::divideFloorSigned(alternative.base, divisor);
    result.push_back(quotient);
  }
  return result;
}

FailureOr<IndexValue> LoopScope::evaluate(AffineExpr expr, ArrayRef<IndexValue> operands) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexValue{constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  FailureOr<IndexValue> lhs = evaluate(binary.getLHS(), operands);
  FailureOr<IndexValue> rhs = evaluate(binary.getRHS(), operands);
  if (failed(lhs) || failed(rhs))
    return failure();
  if (binary.getKind() == AffineExprKind::Add) {
    IndexValue sums;
    for (const Affine &a : *lhs)
      for (const Affine &b : *rhs)
        sums.push_back(a + b);
    prune(sums);
    return sums;
  }
  if (rhs->size() != 1 || !rhs->front().isConstant())
    return failure();
  int64_t constant = rhs->front().base;
  switch (binary.getKind()) {
  case AffineExprKind::Mul:
    // A negative factor turns the smallest into the largest.
    if (constant < 0 && lhs->size() != 1)
      return failure();
    for (Affine &alternative : *lhs)
      alternative = alternative * constant;
    return lhs;
  case AffineExprKind::FloorDiv:
    return divide(*lhs, constant, /*up=*/false);
  case AffineExprKind::CeilDiv:
    return divide(*lhs, constant, /*up=*/true);
  case AffineExprKind::Mod: {
    if (lhs->size() != 1)
      return failure();
    FailureOr<IndexValue> quotient = divide(*lhs, constant, /*up=*/false);
    if (failed(quotient))
      return failure();
    return IndexValue{lhs->front() - quotient->front() * constant};
  }
  default:
    return failure();
  }
}

FailureOr<IndexValue> LoopScope::evaluate(Value value) const {
  if (auto it = depths.find(value); it != depths.end()) {
    Affine counter;
    if (it->second >= counter.coefficients.size())
      return failure();
    counter.coefficients[it->second] = 1;
    return IndexValue{counter};
  }
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return IndexValue{constant.getInt()};

  Operation *op = value.getDefiningOp();
  if (!op || !llvm::isa<affine::AffineApplyOp, affine::AffineMinOp>(op))
    return failure();
  SmallVector<IndexValue> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<IndexValue> resolved = evaluate(operand);
    if (failed(resolved))
      return failure();
    operands.push_back(*resolved);
  }
  AffineMap map = llvm::isa<affine::AffineApplyOp>(op)
                      ? llvm::cast<affine::AffineApplyOp>(op).getAffineMap()
                      : llvm::cast<affine::AffineMinOp>(op).getAffineMap();
  // Symbols are operands like others here.
  SmallVector<AffineExpr> symbols;
  for (unsigned s = 0; s < map.getNumSymbols(); ++s)
    symbols.push_back(getAffineDimExpr(map.getNumDims() + s, map.getContext()));
  IndexValue result;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<IndexValue> alternatives = evaluate(expr.replaceSymbols(symbols), operands);
    if (failed(alternatives))
      return failure();
    result.append(*alternatives);
  }
  prune(result);
  return result;
}

FailureOr<Affine> LoopScope::evaluateAffine(Value value) const {
  FailureOr<IndexValue> result = evaluate(value);
  if (failed(result) || result->size() != 1)
    return failure();
  return result->front();
}

FailureOr<isa::Extent> LoopScope::evaluateExtent(Value value, int64_t full) const {
  FailureOr<IndexValue> result = evaluate(value);
  if (failed(result))
    return failure();
  result->push_back(full);
  prune(*result);
  isa::Extent extent;
  extent.full = full;
  extent.limit = full;
  bool ragged = false;
  for (const Affine &alternative : *result) {
    if (alternative.isConstant()) {
      extent.full = std::clamp<int64_t>(alternative.base, 0, extent.full);
      continue;
    }
    if (ragged)
      return failure();
    ragged = true;
    extent.limit = alternative;
  }
  if (!ragged)
    extent.limit = extent.full;
  return extent;
}
