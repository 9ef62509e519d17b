//===- MatchReductions.cpp - recognizes reductions of the vector unit -----===//

#include "Matching.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace npu;

static std::string getName(Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; }

static std::optional<ReduceKind> getReduceKind(BinaryKind kind) {
  switch (kind) {
  case BinaryKind::Add:
    return ReduceKind::Sum;
  case BinaryKind::Mul:
    return ReduceKind::Prod;
  case BinaryKind::Min:
    return ReduceKind::Min;
  case BinaryKind::Max:
    return ReduceKind::Max;
  case BinaryKind::And:
    return ReduceKind::And;
  case BinaryKind::Or:
    return ReduceKind::Or;
  case BinaryKind::Xor:
    return ReduceKind::Xor;
  default:
    return std::nullopt;
  }
}

/// `value` without the extension to the type in which the vector unit combines elements anyway.
static Value skipExtension(Value value) {
  Operation *op = value.getDefiningOp();
  bool isFloat = isa_and_nonnull<arith::ExtFOp>(op) && value.getType().isF32();
  bool isSigned = isa_and_nonnull<arith::ExtSIOp>(op) && value.getType().isSignlessInteger(32) &&
                  !op->getOperand(0).getType().isSignlessInteger(1);
  return isFloat || isSigned ? op->getOperand(0) : value;
}

/// The op of the body that combines `accumulator` with a term, as a binary step of the two.
static FailureOr<ElementwiseStep> matchCombination(linalg::LinalgOp op, Value yielded,
                                                   Rejection &reason) {
  Operation *combination = yielded.getDefiningOp();
  if (!combination || combination->getBlock() != op.getBlock())
    return reject(reason, RejectionKind::Reduction, "by a copy");
  // In a reduction the order is free, and with it which NaN or zero is chosen.
  if (auto select = dyn_cast<arith::SelectOp>(combination))
    if (std::optional<Limit> extreme = matchExtreme(select)) {
      ElementwiseStep step{ElementwiseStep::Binary, yielded, {extreme->value, extreme->bound}};
      step.binary = extreme->kind;
      return step;
    }
  return matchBodyOp(op, combination, reason);
}

/// What result `index` is a reduction of.
static FailureOr<ReductionTerm> matchTerm(linalg::LinalgOp op, unsigned index, Rejection &reason) {
  Block *body = op.getBlock();
  Value yielded = body->getTerminator()->getOperand(index);
  BlockArgument accumulator = body->getArgument(op.getNumDpsInputs() + index);
  FailureOr<ElementwiseStep> step = matchCombination(op, yielded, reason);
  if (failed(step))
    return failure();
  ReductionTerm term;
  switch (step->kind) {
  case ElementwiseStep::Binary:
    break;
  case ElementwiseStep::NumberLimit:
    term.form = ReductionTerm::Number;
    break;
  case ElementwiseStep::UnsignedLimit:
    term.form = ReductionTerm::Unsigned;
    break;
  default:
    return reject(reason, RejectionKind::Reduction, "by " + getName(yielded.getDefiningOp()));
  }
  std::optional<ReduceKind> kind = getReduceKind(step->binary);
  bool isFirst = step->operands[0] == accumulator;
  if (!kind || (!isFirst && step->operands[1] != accumulator))
    return reject(reason, RejectionKind::Reduction, "by " + getName(yielded.getDefiningOp()));
  term.kind = *kind;
  term.value = step->operands[isFirst ? 1 : 0];
  if (term.form == ReductionTerm::Plain)
    term.value = skipExtension(term.value);
  term.accumulator = index;
  term.constantInit = getBodyConstant(op, accumulator);
  // Beside a NaN every number counts, so there would be none to start with.
  auto constant = dyn_cast_if_present<FloatAttr>(term.constantInit);
  if (term.form == ReductionTerm::Number && constant && constant.getValue().isNaN())
    return reject(reason, RejectionKind::Reduction, "that starts with NaN");
  return term;
}

TypedAttr npu::getConstantPadding(tensor::PadOp pad) {
  auto isAmount = [](int64_t amount) { return amount >= 0; }; // static
  if (!pad.getSourceType().hasStaticShape() || !llvm::all_of(pad.getStaticLow(), isAmount) ||
      !llvm::all_of(pad.getStaticHigh(), isAmount))
    return {};
  TypedAttr constant;
  if (Value value = pad.getConstantPaddingValue())
    matchPattern(value, m_Constant(&constant));
  return constant;
}

bool npu::isAtEdges(tensor::PadOp pad, tensor::ExtractSliceOp slice) {
  ArrayRef<int64_t> shape = slice.getSourceType().getShape();
  if (!slice.getSourceType().hasStaticShape() || !pad.getSourceType().hasStaticShape())
    return false;
  // Nothing pads what the slice drops.
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  unsigned padded = 0;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t offset = slice.getStaticOffsets()[dim], end = offset + slice.getStaticSizes()[dim];
    if (ShapedType::isDynamic(offset) || slice.getStaticStrides()[dim] != 1)
      return false;
    if (dropped[dim])
      continue;
    if ((pad.getStaticLow()[padded] != 0 && offset != 0) ||
        (pad.getStaticHigh()[padded] != 0 && end != size))
      return false;
    ++padded;
  }
  return true;
}

bool npu::mayPadAtLoads(tensor::PadOp pad) {
  auto slice = pad.getSource().getDefiningOp<tensor::ExtractSliceOp>();
  return !slice || isAtEdges(pad, slice);
}

/// The windows that the term is reduced over, an input as it is. Other inputs, as a tensor that
/// says how large the windows are, are not read.
static FailureOr<AffineMap> matchWindow(linalg::LinalgOp op, const ReductionTerm &term,
                                        Rejection &reason) {
  auto argument = dyn_cast<BlockArgument>(term.value);
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (op->getNumResults() != 1 || !argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= unsigned(op.getNumDpsInputs()) || getBodyConstant(op, argument))
    return reject(reason, RejectionKind::Window, "of what the body computes",
                  "windows of an input");
  AffineMap map = op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
  SmallVector<unsigned> counts(map.getNumDims());
  for (AffineExpr expr : map.getResults()) {
    FailureOr<Coordinate> coordinate = parseCoordinate(expr, op.getIteratorTypesArray());
    if (failed(coordinate)) {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      return reject(reason, RejectionKind::Index, text);
    }
    for (int64_t dim : {coordinate->dim, coordinate->window})
      if (dim >= 0)
        ++counts[dim];
  }
  if (!output.isProjectedPermutation())
    return reject(reason, RejectionKind::OutputIndex, "operand " + Twine(op.getNumDpsInputs()));
  for (auto [dim, count] : llvm::enumerate(counts))
    if (count != 1)
      return reject(reason, RejectionKind::Loop, "d" + Twine(dim),
                    "loops that are in one coordinate of the input each");
  return map;
}

/// Result `index` as what another result is after each iteration: linalg has no other scan.
static FailureOr<ReductionTerm> matchScan(linalg::LinalgOp op, unsigned index, Rejection &reason) {
  OperandRange yielded = op.getBlock()->getTerminator()->getOperands();
  std::optional<unsigned> accumulator;
  for (unsigned other = 0; other < op->getNumResults(); ++other)
    if (!op.getMatchingIndexingMap(op.getDpsInitOperand(other)).isPermutation() &&
        yielded[other] == yielded[index])
      accumulator = other;
  if (!accumulator || op.getNumReductionLoops() != 1 ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(index)))
    return reject(reason, RejectionKind::SeveralResults,
                  "result " + Twine(index) + " is not reduced");
  FailureOr<ReductionTerm> term = matchTerm(op, *accumulator, reason);
  if (failed(term))
    return failure();
  term->isScan = true;
  // What goes on is not rounded to a narrow type, and sums depend on where they start.
  auto type = dyn_cast<FloatType>(yielded[index].getType());
  bool isAdded = term->kind == ReduceKind::Sum || term->kind == ReduceKind::Prod;
  bool isNeutralStart = term->constantInit && isNeutral(*term, term->constantInit);
  if (term->form != ReductionTerm::Plain || (type && isAdded && (!type.isF32() || !isNeutralStart)))
    return reject(reason, RejectionKind::SeveralResults,
                  "result " + Twine(index) + " is a scan of " +
                      debugString(yielded[index].getType()) +
                      (isNeutralStart ? "" : " that starts with a value"));
  return term;
}

FailureOr<ReductionPlan> npu::matchReduction(linalg::LinalgOp op, Rejection &reason) {
  bool hasWindows = false;
  for (OpOperand &operand : op->getOpOperands())
    hasWindows |= !op.getMatchingIndexingMap(&operand).isProjectedPermutation();
  ReductionPlan plan;
  SmallVector<Value> values;
  for (unsigned index = 0; index < op->getNumResults(); ++index) {
    bool isScan = op.getMatchingIndexingMap(op.getDpsInitOperand(index)).isPermutation();
    FailureOr<ReductionTerm> term =
        isScan ? matchScan(op, index, reason) : matchTerm(op, index, reason);
    if (failed(term))
      return failure();
    values.push_back(term->value);
    plan.terms.push_back(std::move(*term));
  }
  FailureOr<ElementwisePlan> steps = matchValues(op, values, reason);
  if (failed(steps))
    return failure();
  plan.steps = std::move(*steps);
  for (const ElementwiseStep &step : plan.steps)
    llvm::append_range(values, step.operands);
  for (Value value : values) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getArgNumber() >= unsigned(op.getNumDpsInputs()) &&
        !getBodyConstant(op, argument))
      return reject(reason, RejectionKind::Reduction, "of its own result");
  }
  if (hasWindows) {
    FailureOr<AffineMap> window = matchWindow(op, plan.terms.front(), reason);
    if (failed(window))
      return failure();
    plan.window = *window;
    unsigned input = cast<BlockArgument>(plan.terms.front().value).getArgNumber();
    auto padding = op->getOperand(input).getDefiningOp<tensor::PadOp>();
    if (padding && getConstantPadding(padding) && mayPadAtLoads(padding))
      plan.padding = padding;
  }
  return plan;
}

bool npu::isNeutral(const ReductionTerm &term, TypedAttr constant) {
  bool isMin = term.kind == ReduceKind::Min;
  if (auto real = dyn_cast<FloatAttr>(constant)) {
    APFloat value = real.getValue();
    switch (term.kind) {
    case ReduceKind::Sum:
      return value.isZero();
    case ReduceKind::Prod:
      return value.isExactlyValue(1.0);
    default:
      return value.isInfinity() && value.isNegative() != isMin;
    }
  }
  const APInt &value = cast<IntegerAttr>(constant).getValue();
  switch (term.kind) {
  case ReduceKind::Sum:
  case ReduceKind::Or:
  case ReduceKind::Xor:
    return value.isZero();
  case ReduceKind::Prod:
    return value.isOne();
  case ReduceKind::And:
    return value.isAllOnes();
  case ReduceKind::Min:
    return term.form == ReductionTerm::Unsigned ? value.isMaxValue() : value.isMaxSignedValue();
  case ReduceKind::Max:
    return term.form == ReductionTerm::Unsigned ? value.isMinValue() : value.isMinSignedValue();
  }
  llvm_unreachable("all kinds of reductions are handled");
}
