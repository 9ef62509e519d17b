//===- CheckMaps.cpp - maps of linalg ops stay inside of their operands ---===//
//
// Upstream's verifier looks at the first and the last iteration only. Between these, an index may
// be anywhere: `d0 - d1` and `d0 mod 10` are 0 in both.
//
//===----------------------------------------------------------------------===//

#include "CheckMaps.h"
#include "Regions.h"

#include "NPU/HostLowering/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::host;

namespace {
struct Interval {
  int64_t least, most;
};

/// The values of an expression when each dimension takes all indices of its loop, or more; nothing
/// if they are not known or may overflow.
class Evaluator {
public:
  explicit Evaluator(ArrayRef<int64_t> ranges) : ranges(ranges) {}

  std::optional<Interval> evaluate(AffineExpr expr) const {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return Interval{constant.getValue(), constant.getValue()};
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      int64_t range = ranges[dim.getPosition()];
      return ShapedType::isDynamic(range) ? std::nullopt : std::optional(Interval{0, range - 1});
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return std::nullopt;
    std::optional<Interval> left = evaluate(binary.getLHS()), right = evaluate(binary.getRHS());
    if (!left || !right)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Add) {
      Interval sum;
      if (llvm::AddOverflow(left->least, right->least, sum.least) ||
          llvm::AddOverflow(left->most, right->most, sum.most))
        return std::nullopt;
      return sum;
    }
    if (right->least != right->most)
      return std::nullopt;
    return combine(expr.getKind(), *left, right->least);
  }

private:
  static std::optional<Interval> combine(AffineExprKind kind, Interval left, int64_t constant) {
    if (kind == AffineExprKind::Mul) {
      int64_t first, second;
      if (llvm::MulOverflow(left.least, constant, first) ||
          llvm::MulOverflow(left.most, constant, second))
        return std::nullopt;
      return Interval{std::min(first, second), std::max(first, second)};
    }
    if (constant <= 0)
      return std::nullopt;
    auto floor = [&](int64_t value) { return llvm::divideFloorSigned(value, constant); };
    auto ceil = [&](int64_t value) { return llvm::divideCeilSigned(value, constant); };
    if (kind == AffineExprKind::FloorDiv)
      return Interval{floor(left.least), floor(left.most)};
    if (kind == AffineExprKind::CeilDiv)
      return Interval{ceil(left.least), ceil(left.most)};
    if (floor(left.least) == floor(left.most))
      return Interval{llvm::mod(left.least, constant), llvm::mod(left.most, constant)};
    return Interval{0, constant - 1};
  }

  ArrayRef<int64_t> ranges;
};
} // namespace

/// Adds `factor` times `expr` to a constant and a coefficient per dimension; false if it is no such
/// sum.
static bool addTo(AffineExpr expr, int64_t factor, int64_t &constant,
                  MutableArrayRef<int64_t> coefficients) {
  auto add = [&](int64_t &to, int64_t value) {
    return !llvm::MulOverflow(factor, value, value) && !llvm::AddOverflow(to, value, to);
  };
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return add(constant, number.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return add(coefficients[dim.getPosition()], 1);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add)
    return addTo(binary.getLHS(), factor, constant, coefficients) &&
           addTo(binary.getRHS(), factor, constant, coefficients);
  if (binary && expr.getKind() == AffineExprKind::Mul)
    if (auto number = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return !llvm::MulOverflow(factor, number.getValue(), factor) &&
             addTo(binary.getLHS(), factor, constant, coefficients);
  return false;
}

/// Checks at run time that `constant` plus the products of `coefficients` and indices of loops with
/// `ranges` are in [0, length). Divides rather than multiplies what has not been checked: products
/// may overflow.
static void checkSum(OpBuilder &builder, Operation *op, int64_t constant,
                     ArrayRef<int64_t> coefficients, ArrayRef<Value> ranges, Value length) {
  Location loc = op->getLoc();
  IndexBuilder index(builder, loc);
  // Loops that do not run read nothing.
  Value isEmpty, isInside;
  for (Value range : ranges) {
    Value isNone = index.compare(arith::CmpIPredicate::sle, range, index.get(0));
    isEmpty = isEmpty ? index.make<arith::OrIOp>(isEmpty, isNone) : isNone;
  }
  for (bool isBackwards : {false, true}) {
    // How far the indices may go.
    Value room = index.get(constant);
    if (!isBackwards)
      room = index.subtract(index.subtract(length, index.get(1)), room);
    auto require = [&](Value least, Value value) {
      isInside = index.both(isInside, index.compare(arith::CmpIPredicate::sge, value, least));
    };
    require(index.get(0), room);
    for (auto [coefficient, range] : llvm::zip_equal(coefficients, ranges)) {
      if (coefficient == 0 || isBackwards != (coefficient < 0))
        continue;
      Value factor = index.get(isBackwards ? -coefficient : coefficient);
      Value most = index.subtract(range, index.get(1));
      require(most, index.make<arith::DivSIOp>(room, factor));
      room = index.subtract(room, index.make<arith::MulIOp>(most, factor));
    }
  }
  if (isEmpty)
    isInside = index.make<arith::OrIOp>(isInside, isEmpty);
  cf::AssertOp::create(builder, loc, isInside,
                       npu::host::describe(op, "expected indices inside of the operands, but data "
                                               "gives shapes with which a map leaves one; give "
                                               "inputs that the model can take"));
}

/// The length of a dimension of `operand`.
static Value getLength(OpBuilder &builder, Location loc, OpOperand *operand, int64_t dim) {
  return builder.createOrFold<memref::DimOp>(loc, operand->get(), dim);
}

/// How often each loop runs.
static SmallVector<Value> getRanges(OpBuilder &builder, linalg::LinalgOp op) {
  SmallVector<Value> ranges(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr); loop && !ranges[loop.getPosition()])
        ranges[loop.getPosition()] = getLength(builder, op.getLoc(), &operand, dim);
  return ranges;
}

LogicalResult npu::host::checkMaps(OpBuilder &builder, linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (llvm::is_contained(ranges, 0))
    return success();
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      // That extents of plain loops fit is checked elsewhere.
      if (!type || isa<AffineDimExpr>(result))
        continue;
      int64_t length = type.getDimSize(dim);
      AffineExpr expr = simplifyAffineExpr(result, map.getNumDims(), /*numSymbols=*/0);
      std::optional<Interval> values = Evaluator(ranges).evaluate(expr);
      bool isInside = values && values->least >= 0 && values->most < length;
      if (isInside)
        continue;
      int64_t constant = 0;
      SmallVector<int64_t> coefficients(map.getNumDims(), 0);
      if (values && ShapedType::isDynamic(length) && values->least >= 0) {
        constant = values->most;
      } else if (!ShapedType::isDynamicShape(ranges) || !addTo(expr, 1, constant, coefficients)) {
        InFlightDiagnostic error = op->emitError("expected indices inside of ");
        error << RankedTensorType::get(type.getShape(), type.getElementType()) << ", operand "
              << operand.getOperandNumber() << ", found ";
        if (values)
          error << values->least << " to " << values->most << " in dimension " << dim;
        else
          error << "those of " << AffineMapAttr::get(AffineMap::get(map.getNumDims(), 0, result))
                << ", which are not known to be";
        return error << "; change the map, or strides and dilations, or read by tensor.extract";
      }
      checkSum(builder, op, constant, coefficients, getRanges(builder, op),
               getLength(builder, op.getLoc(), &operand, dim));
    }
  }
  return success();
}
