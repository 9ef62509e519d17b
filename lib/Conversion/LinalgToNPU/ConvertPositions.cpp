//===- ConvertPositions.cpp - positions of extremes to npu.arg_reduce -----===//
//
// The first position of what equals an extreme, in the form of npu-decompose-aggregates. Where
// nothing else reads the extreme, it is not computed.
//
//===----------------------------------------------------------------------===//

#include "Matching.h"
#include "Patterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

namespace {
struct ExtremePosition {
  ArgReduceKind kind = ArgReduceKind::Argmax;
  unsigned dimension = 0;
};
} // namespace

/// Calls `match` for the operands of a commutative op, in either order.
static bool matchEither(Operation *op, function_ref<bool(Value, Value)> match) {
  return match(op->getOperand(0), op->getOperand(1)) || match(op->getOperand(1), op->getOperand(0));
}

/// Whether `value` finds elements that are the extreme, and NaNs: where there is one, it is the
/// extreme, which equals nothing.
static bool isFound(Value value, Value element, Value extreme) {
  auto areCompared = [&](Value lhs, Value rhs) { return lhs == element && rhs == extreme; };
  if (auto compare = value.getDefiningOp<arith::CmpIOp>())
    return compare.getPredicate() == arith::CmpIPredicate::eq && matchEither(compare, areCompared);
  auto either = value.getDefiningOp<arith::OrIOp>();
  return either && matchEither(either, [&](Value equal, Value nan) {
           auto isEqual = equal.getDefiningOp<arith::CmpFOp>();
           auto isNaN = nan.getDefiningOp<arith::CmpFOp>();
           return isEqual && isNaN && isEqual.getPredicate() == arith::CmpFPredicate::OEQ &&
                  matchEither(isEqual, areCompared) &&
                  isNaN.getPredicate() == arith::CmpFPredicate::UNE && isNaN.getLhs() == element &&
                  isNaN.getRhs() == element;
         });
}

/// Whether `value` is nothing but the extreme of the same elements over the same loops.
static bool isExtreme(linalg::GenericOp op, ArgReduceKind &kind) {
  auto extreme = op.getInputs()[1].getDefiningOp<linalg::LinalgOp>();
  if (!extreme || !isReduction(extreme) || extreme.getNumDpsInputs() != 1 ||
      extreme->getNumResults() != 1 || extreme->getOperand(0) != op.getInputs()[0] ||
      ArrayRef(op.getIndexingMapsArray()).drop_back() != ArrayRef(extreme.getIndexingMapsArray()) ||
      extreme.getIteratorTypesArray() != op.getIteratorTypesArray())
    return false;
  Rejection ignored;
  FailureOr<ReductionPlan> plan = matchReduction(extreme, ignored);
  if (failed(plan))
    return false;
  const ReductionTerm &term = plan->terms.front();
  bool isMax = term.kind == ReduceKind::Max;
  kind = isMax ? ArgReduceKind::Argmax : ArgReduceKind::Argmin;
  return (isMax || term.kind == ReduceKind::Min) && term.form == ReductionTerm::Plain &&
         term.value == extreme.getBlock()->getArgument(0) && term.constantInit &&
         isNeutral(term, term.constantInit);
}

static std::optional<ExtremePosition> matchPosition(linalg::GenericOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (op.getNumDpsInputs() != 2 || op.getNumResults() != 1 || reduced.size() != 1 ||
      op.hasDynamicShape() || !maps[0].isPermutation() || maps[1] != maps[2] ||
      !maps[2].isProjectedPermutation() || maps[2].getNumResults() + 1 != maps[2].getNumDims())
    return std::nullopt;
  ExtremePosition match;
  match.dimension = reduced.front();
  int64_t length = op.getStaticLoopRanges()[match.dimension];
  Type type = getElementTypeOrSelf(op.getInputs()[0]);
  bool isOfVectorUnit = type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
                        type.isSignlessInteger(32) || type.isF16() || type.isBF16() || type.isF32();
  // Of one element there is nothing to find, and a tile may not have the dimension.
  if (!isOfVectorUnit || length == 1 || !getElementTypeOrSelf(op.getResult(0)).isInteger(32))
    return std::nullopt;

  // The least of the positions found; something is.
  auto isBeyondRow = [&](Value value) {
    auto constant = dyn_cast_if_present<IntegerAttr>(getBodyConstant(op, value));
    return constant && constant.getValue().sge(length);
  };
  Block *body = op.getBody();
  Value element = body->getArgument(0), extreme = body->getArgument(1),
        least = body->getArgument(2);
  auto smaller = body->getTerminator()->getOperand(0).getDefiningOp<arith::MinSIOp>();
  bool isPosition = smaller && matchEither(smaller, [&](Value position, Value accumulator) {
                      auto select = position.getDefiningOp<arith::SelectOp>();
                      auto cast = select ? select.getTrueValue().getDefiningOp<arith::IndexCastOp>()
                                         : arith::IndexCastOp();
                      auto index =
                          cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : linalg::IndexOp();
                      return accumulator == least && index && index.getDim() == match.dimension &&
                             isBeyondRow(select.getFalseValue()) &&
                             isFound(select.getCondition(), element, extreme);
                    });
  if (!isPosition || !isBeyondRow(least) || !isExtreme(op, match.kind))
    return std::nullopt;
  return match;
}

void npu::convertPositions(KernelOp kernel) {
  SmallVector<std::pair<linalg::GenericOp, ExtremePosition>> matches;
  for (auto op : kernel.getBody().front().getOps<linalg::GenericOp>())
    if (std::optional<ExtremePosition> match = matchPosition(op))
      matches.push_back({op, *match});
  for (auto &[op, match] : matches) {
    OpBuilder builder(op);
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    Value empty =
        tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType());
    auto position = ArgReduceOp::create(builder, op.getLoc(), match.kind, op.getInputs()[0], empty,
                                        ArrayRef<AffineMap>{maps[0], maps[2]}, match.dimension);
    op.getResult(0).replaceAllUsesWith(position->getResult(0));
    op.erase();
  }
}
