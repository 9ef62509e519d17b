//===- ConvertReductions.cpp - reductions to npu.reduce -------------------===//
//
// What an op combines is computed element by element; then one dimension after the other is
// reduced, since a vector instruction walks one.
//
//===----------------------------------------------------------------------===//

#include "ElementwiseLowering.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace npu;

static BinaryKind getBinaryKind(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return BinaryKind::Add;
  case ReduceKind::Max:
    return BinaryKind::Max;
  case ReduceKind::Min:
    return BinaryKind::Min;
  case ReduceKind::Prod:
    return BinaryKind::Mul;
  case ReduceKind::And:
    return BinaryKind::And;
  case ReduceKind::Or:
    return BinaryKind::Or;
  case ReduceKind::Xor:
    return BinaryKind::Xor;
  }
  llvm_unreachable("all kinds of reductions are handled");
}

namespace {
class ReductionLowering {
public:
  /// `source` is what a padding that becomes part of windows is of.
  ReductionLowering(linalg::LinalgOp op, ArrayRef<Value> operands, Value source, OpBuilder &builder)
      : op(op), operands(operands), source(source), builder(builder), loc(op.getLoc()),
        lowering(op, operands, builder) {}

  SmallVector<Value> run(const ReductionPlan &plan);

private:
  TensorOperand createTerm(const ReductionTerm &term);
  Value createPool(const ReductionPlan &plan, AffineMap outputMap, Type elementType);
  Value createReductions(const ReductionTerm &term, TensorOperand operand, AffineMap outputMap,
                         Type elementType);
  Value createScan(const ReductionTerm &term, AffineMap outputMap, Type elementType);
  TensorOperand createNumber(TensorOperand operand, TypedAttr otherwise);
  Value prepareWindows(const ReductionTerm &term, Value input, TypedAttr &padValue);
  TensorOperand combineWithInit(const ReductionTerm &term, TensorOperand init,
                                TensorOperand result);

  linalg::LinalgOp op;
  ArrayRef<Value> operands;
  Value source;
  OpBuilder &builder;
  Location loc;
  ElementwiseLowering lowering;
};
} // namespace

/// The extreme that takes no part in a maximum or minimum of numbers.
static TypedAttr getLeast(const ReductionTerm &term, FloatType type) {
  bool isMax = term.kind == ReduceKind::Max;
  return FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/isMax));
}

/// `operand` with `otherwise` in place of NaNs.
TensorOperand ReductionLowering::createNumber(TensorOperand operand, TypedAttr otherwise) {
  TensorOperand isNaN = lowering.createResult(BinaryKind::CmpNe, operand, operand,
                                              lowering.createDestination(builder.getI1Type()));
  TensorOperand other{Value(), AffineMap::get(op.getNumLoops(), 0, builder.getContext()),
                      otherwise};
  return lowering.createChoice(isNaN, other, operand,
                               lowering.createDestination(otherwise.getType()));
}

/// What is reduced, as the vector unit orders it.
TensorOperand ReductionLowering::createTerm(const ReductionTerm &term) {
  TensorOperand operand = lowering.materialize(lowering.getValue(term.value));
  lowering.setDomain(operand.map.isProjectedPermutation() && operand.map.getNumResults() > 0
                         ? operand.map
                         : builder.getMultiDimIdentityMap(op.getNumLoops()));
  if (term.form == ReductionTerm::Unsigned)
    operand = lowering.turnSign(operand);
  if (term.form == ReductionTerm::Number) {
    auto type = cast<FloatType>(getElementTypeOrSelf(operand.tensor));
    operand = createNumber(operand, getLeast(term, type));
  }
  // Every loop counts, also those that nothing depends on.
  if (!operand.map.isPermutation())
    operand = {lowering.createBroadcast(operand), builder.getMultiDimIdentityMap(op.getNumLoops())};
  return operand;
}

Value ReductionLowering::createReductions(const ReductionTerm &term, TensorOperand operand,
                                          AffineMap outputMap, Type elementType) {
  // Loops of the dimensions of what is left.
  SmallVector<AffineExpr> dims(operand.map.getResults());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  Value tensor = operand.tensor;
  Type type = getElementTypeOrSelf(tensor);
  bool addsUp = term.kind == ReduceKind::Sum || term.kind == ReduceKind::Prod;
  while (dims.size() > outputMap.getNumResults()) {
    SmallVector<AffineExpr> kept = dims;
    // The innermost one first.
    auto isReduced = [&](AffineExpr dim) { return !outputMap.getResultPosition(dim); };
    auto reduced = llvm::find_if(llvm::reverse(kept), isReduced);
    kept.erase(std::next(reduced).base());
    bool isLast = kept.size() == outputMap.getNumResults();
    if (isLast) {
      kept.assign(outputMap.getResults().begin(), outputMap.getResults().end());
      type = elementType;
    } else if (addsUp) {
      // Rounded once, at the end; integers wrap.
      type = isa<FloatType>(type) ? Type(builder.getF32Type()) : elementType;
    }
    unsigned numLoops = outputMap.getNumDims();
    SmallVector<AffineMap> maps =
        compressUnusedDims({AffineMap::get(numLoops, 0, dims, builder.getContext()),
                            AffineMap::get(numLoops, 0, kept, builder.getContext())});
    auto shape = llvm::map_to_vector(
        kept, [&](AffineExpr dim) { return ranges[cast<AffineDimExpr>(dim).getPosition()]; });
    Value empty = tensor::EmptyOp::create(builder, loc, shape, type);
    tensor = ReduceOp::create(builder, loc, term.kind, tensor, empty, maps)->getResult(0);
    dims = kept;
  }
  return tensor;
}

/// What windows are reduced over, as the vector unit orders it: numbers without a sign have theirs
/// turned round, NaNs do not count.
Value ReductionLowering::prepareWindows(const ReductionTerm &term, Value input,
                                        TypedAttr &padValue) {
  if (term.form == ReductionTerm::Plain)
    return input;
  auto type = cast<RankedTensorType>(input.getType());
  Type element = type.getElementType();
  auto createEmpty = [&](Type elementType) -> Value {
    return tensor::EmptyOp::create(builder, loc, type.getShape(), elementType);
  };
  if (term.form == ReductionTerm::Unsigned) {
    APInt sign = APInt::getSignMask(element.getIntOrFloatBitWidth());
    if (padValue)
      padValue = builder.getIntegerAttr(element, cast<IntegerAttr>(padValue).getValue() ^ sign);
    return BinaryOp::create(builder, loc, BinaryKind::Xor, input,
                            builder.getIntegerAttr(element, sign), createEmpty(element))
        ->getResult(0);
  }
  TypedAttr least = getLeast(term, cast<FloatType>(element));
  if (padValue && cast<FloatAttr>(padValue).getValue().isNaN())
    padValue = least;
  Value isNaN = BinaryOp::create(builder, loc, BinaryKind::CmpNe, input, input,
                                 createEmpty(builder.getI1Type()))
                    ->getResult(0);
  Value constant = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(RankedTensorType::get({}, element), Attribute(least)));
  AffineMap all = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap none = AffineMap::get(type.getRank(), 0, builder.getContext());
  return SelectOp::create(builder, loc, isNaN, constant, input, createEmpty(element),
                          ArrayRef<AffineMap>{all, none, all, all})
      ->getResult(0);
}

Value ReductionLowering::createPool(const ReductionPlan &plan, AffineMap outputMap,
                                    Type elementType) {
  const ReductionTerm &term = plan.terms.front();
  Value input = lowering.getValue(term.value).tensor;
  AffineMap window = plan.window;
  TypedAttr padValue;
  if (tensor::PadOp padding = plan.padding) {
    // Windows begin where the padding does.
    input = source;
    padValue = getConstantPadding(padding);
    SmallVector<AffineExpr> coordinates;
    for (auto [expr, low] : llvm::zip_equal(window.getResults(), padding.getStaticLow()))
      coordinates.push_back(expr - low);
    window = AffineMap::get(window.getNumDims(), 0, coordinates, builder.getContext());
  }
  input = prepareWindows(term, input, padValue);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), extents;
  for (auto [range, iterator] : llvm::zip_equal(ranges, op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction)
      extents.push_back(range);
  Value empty = tensor::EmptyOp::create(
      builder, loc, applyPermutationMap(outputMap, ArrayRef(ranges)), elementType);
  return PoolOp::create(builder, loc, term.kind, input, empty,
                        ArrayRef<AffineMap>{window, outputMap}, extents, padValue)
      ->getResult(0);
}

/// Over all loops, of which the only reduction is the one that it goes along.
Value ReductionLowering::createScan(const ReductionTerm &term, AffineMap outputMap,
                                    Type elementType) {
  TensorOperand operand = createTerm(term);
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  Value empty = tensor::EmptyOp::create(
      builder, loc, applyPermutationMap(outputMap, ArrayRef(ranges)), elementType);
  return ScanOp::create(builder, loc, term.kind, operand.tensor, empty,
                        ArrayRef<AffineMap>{operand.map, outputMap}, reduced.front())
      ->getResult(0);
}

TensorOperand ReductionLowering::combineWithInit(const ReductionTerm &term, TensorOperand init,
                                                 TensorOperand result) {
  Type type = getElementTypeOrSelf(result.tensor);
  if (term.form == ReductionTerm::Unsigned)
    init = lowering.turnSign(init);
  TensorOperand combined = lowering.createResult(getBinaryKind(term.kind), init, result,
                                                 lowering.createDestination(type));
  if (term.form != ReductionTerm::Number || init.constant)
    return combined;
  // A NaN to start with does not count.
  TensorOperand isNaN = lowering.createResult(BinaryKind::CmpNe, init, init,
                                              lowering.createDestination(builder.getI1Type()));
  return lowering.createChoice(isNaN, result, combined, lowering.createDestination(type));
}

SmallVector<Value> ReductionLowering::run(const ReductionPlan &plan) {
  lowering.createSteps(plan.steps);
  SmallVector<Value> results;
  for (auto [index, term] : llvm::enumerate(plan.terms)) {
    OpOperand *output = op.getDpsInitOperand(index);
    AffineMap outputMap = op.getMatchingIndexingMap(output);
    Type type = getElementTypeOrSelf(output->get());
    Value reduced = term.isScan   ? createScan(term, outputMap, type)
                    : plan.window ? createPool(plan, outputMap, type)
                                  : createReductions(term, createTerm(term), outputMap, type);
    TensorOperand result{reduced, outputMap};
    lowering.setDomain(outputMap);
    if (!term.constantInit || !isNeutral(term, term.constantInit)) {
      OpOperand *start = op.getDpsInitOperand(term.accumulator);
      TensorOperand init{operands[start->getOperandNumber()], op.getMatchingIndexingMap(start), {}};
      if (term.constantInit)
        init = {Value(), AffineMap::get(op.getNumLoops(), 0, builder.getContext()),
                term.constantInit};
      result = combineWithInit(term, init, result);
    }
    if (term.form == ReductionTerm::Unsigned)
      result = lowering.turnSign(result);
    results.push_back(result.tensor);
  }
  return results;
}

namespace {
struct ConvertReduction : OpInterfaceConversionPattern<linalg::LinalgOp> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isReduction(op))
      return rewriter.notifyMatchFailure(op, "not a reduction");
    Rejection reason;
    if (failed(matchShapesAndTypes(op, reason)))
      return rewriter.notifyMatchFailure(op, reason.getReason());
    if (succeeded(matchArrayOp(op, reason)))
      return rewriter.notifyMatchFailure(op, "of the matrix engine");
    FailureOr<ReductionPlan> plan = matchReduction(op, reason);
    if (failed(plan))
      return rewriter.notifyMatchFailure(op, reason.getReason());
    tensor::PadOp padding = plan->padding;
    Value source = padding ? rewriter.getRemappedValue(padding.getSource()) : Value();
    rewriter.replaceOp(op, ReductionLowering(op, operands, source, rewriter).run(*plan));
    return success();
  }
};
} // namespace

void npu::populateReductionPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertReduction>(patterns.getContext());
}
