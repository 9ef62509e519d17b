//===- ConvertElementwise.cpp - element-wise ops to npu ops ---------------===//

#include "ElementwiseLowering.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace npu;

ElementwiseLowering::ElementwiseLowering(linalg::LinalgOp op, ArrayRef<Value> operands,
                                         OpBuilder &builder)
    : op(op), operands(operands), builder(builder), loc(op.getLoc()),
      ranges(op.getStaticLoopRanges()), maps(op.getIndexingMapsArray()),
      domain(builder.getMultiDimIdentityMap(ranges.size())) {}

/// The maps of an op from those over the loops: of the dimensions that its destination, the last
/// one, has. Identities are the default and are left out.
static SmallVector<AffineMap> simplifyMaps(SmallVector<AffineMap> maps) {
  maps = compressUnusedDims(maps);
  if (llvm::all_of(maps, [](AffineMap map) { return map.isIdentity(); }))
    return {};
  return maps;
}

Value ElementwiseLowering::createEmpty(Type elementType, AffineMap outputMap) {
  return tensor::EmptyOp::create(builder, loc, applyPermutationMap(outputMap, ArrayRef(ranges)),
                                 elementType);
}

TensorOperand ElementwiseLowering::getValue(Value value) {
  if (auto result = results.find(value); result != results.end())
    return result->second;
  if (TypedAttr constant = getBodyConstant(op, value))
    return {Value(), AffineMap::get(ranges.size(), 0, builder.getContext()), constant};
  unsigned index = cast<BlockArgument>(value).getArgNumber();
  return {operands[index], maps[index]};
}

TensorOperand ElementwiseLowering::materialize(TensorOperand operand) {
  if (operand.tensor)
    return operand;
  auto type = RankedTensorType::get({}, operand.constant.getType());
  operand.tensor = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, Attribute(operand.constant)));
  return operand;
}

AffineMap ElementwiseLowering::selectLoops(function_ref<bool(unsigned)> isSelected) {
  auto loops = llvm::filter_to_vector(llvm::seq<unsigned>(0, ranges.size()), isSelected);
  return builder.getMultiDimIdentityMap(ranges.size()).getSubMap(loops);
}

/// The loops that the operands of a step depend on; all if none does.
AffineMap ElementwiseLowering::getDomain(const ElementwiseStep &step) {
  AffineMap loops = selectLoops([&](unsigned loop) {
    return (step.sourceMap && step.sourceMap.isFunctionOfDim(loop)) ||
           llvm::any_of(step.operands,
                        [&](Value value) { return getValue(value).map.isFunctionOfDim(loop); });
  });
  return loops.getNumResults() == 0 ? builder.getMultiDimIdentityMap(ranges.size()) : loops;
}

Value ElementwiseLowering::createBroadcast(TensorOperand operand) {
  operand = materialize(operand);
  AffineMap all = builder.getMultiDimIdentityMap(ranges.size());
  if (operand.map == all)
    return operand.tensor;
  return CopyOp::create(builder, loc, operand.tensor,
                        createEmpty(getElementTypeOrSelf(operand.tensor), all),
                        simplifyMaps({operand.map, all}))
      ->getResult(0);
}

TensorOperand ElementwiseLowering::createResult(BinaryKind kind, TensorOperand lhs,
                                                TensorOperand rhs, Destination destination) {
  auto [output, outputMap] = destination;
  if (rhs.constant)
    return {
        createImmediate(kind, materialize(lhs), rhs.constant, /*isFirst=*/false, output, outputMap),
        outputMap};
  if (lhs.constant)
    return {createImmediate(kind, rhs, lhs.constant, /*isFirst=*/true, output, outputMap),
            outputMap};
  auto binary = BinaryOp::create(builder, loc, kind, lhs.tensor, rhs.tensor, output,
                                 simplifyMaps({lhs.map, rhs.map, outputMap}));
  return {binary->getResult(0), outputMap};
}

TensorOperand ElementwiseLowering::createChoice(TensorOperand condition, TensorOperand onTrue,
                                                TensorOperand onFalse, Destination destination) {
  condition = materialize(condition);
  onTrue = materialize(onTrue);
  onFalse = materialize(onFalse);
  auto [output, outputMap] = destination;
  auto select =
      SelectOp::create(builder, loc, condition.tensor, onTrue.tensor, onFalse.tensor, output,
                       simplifyMaps({condition.map, onTrue.map, onFalse.map, outputMap}));
  return {select->getResult(0), outputMap};
}

Value ElementwiseLowering::createBinary(const ElementwiseStep &step, Value output,
                                        AffineMap outputMap) {
  Type type = step.operands[0].getType();
  if (step.binary == BinaryKind::Shru && !type.isInteger(32))
    return createUnsignedShift(step, output, outputMap);
  return createResult(step.binary, getValue(step.operands[0]), getValue(step.operands[1]),
                      {output, outputMap})
      .tensor;
}

TensorOperand ElementwiseLowering::turnSign(TensorOperand operand) {
  Type type = operand.constant ? operand.constant.getType() : getElementTypeOrSelf(operand.tensor);
  APInt sign = APInt::getSignMask(type.getIntOrFloatBitWidth());
  if (auto constant = cast_if_present<IntegerAttr>(operand.constant)) {
    operand.constant = builder.getIntegerAttr(type, constant.getValue() ^ sign);
    return operand;
  }
  TensorOperand mask{Value(), AffineMap(), builder.getIntegerAttr(type, sign)};
  return createResult(BinaryKind::Xor, operand, mask, createDestination(type));
}

TensorOperand ElementwiseLowering::createComparison(Comparison comparison, TensorOperand lhs,
                                                    TensorOperand rhs, Destination destination) {
  Type boolean = builder.getI1Type();
  TensorOperand always{Value(), AffineMap(), builder.getBoolAttr(true)};
  switch (comparison.form) {
  case Comparison::Plain:
    break;
  case Comparison::LessOrGreater: {
    TensorOperand less = createResult(BinaryKind::CmpLt, lhs, rhs, createDestination(boolean));
    TensorOperand greater = createResult(BinaryKind::CmpGt, lhs, rhs, createDestination(boolean));
    return createResult(BinaryKind::Or, less, greater, destination);
  }
  case Comparison::EachItself: {
    // A constant that is a number leaves the other one to ask.
    auto isNumber = [](const TensorOperand &operand) {
      return operand.constant && !cast<FloatAttr>(operand.constant).getValue().isNaN();
    };
    if (isNumber(lhs) || isNumber(rhs)) {
      TensorOperand other = isNumber(lhs) ? rhs : lhs;
      return createResult(comparison.kind, other, other, destination);
    }
    TensorOperand left = createResult(comparison.kind, lhs, lhs, createDestination(boolean));
    TensorOperand right = createResult(comparison.kind, rhs, rhs, createDestination(boolean));
    bool isOrdered = comparison.kind == BinaryKind::CmpEq;
    return createResult(isOrdered ? BinaryKind::And : BinaryKind::Or, left, right, destination);
  }
  case Comparison::Always: {
    TensorOperand zero{Value(), AffineMap::get(ranges.size(), 0, builder.getContext()),
                       builder.getI32IntegerAttr(0)};
    return createResult(comparison.kind, zero, zero, destination);
  }
  case Comparison::NegatedLeft:
    lhs = createResult(BinaryKind::Xor, lhs, always, createDestination(boolean));
    break;
  case Comparison::NegatedRight:
    rhs = createResult(BinaryKind::Xor, rhs, always, createDestination(boolean));
    break;
  }
  return createResult(comparison.kind, lhs, rhs, destination);
}

TensorOperand ElementwiseLowering::createCompare(const ElementwiseStep &step, Destination last) {
  TensorOperand lhs = getValue(step.operands[0]), rhs = getValue(step.operands[1]);
  if (step.comparison.isUnsigned) {
    lhs = turnSign(lhs);
    rhs = turnSign(rhs);
  }
  if (!step.comparison.isNegated)
    return createComparison(step.comparison, lhs, rhs, last);
  TensorOperand opposite =
      createComparison(step.comparison, lhs, rhs, createDestination(builder.getI1Type()));
  return createResult(BinaryKind::Xor, opposite, {Value(), AffineMap(), builder.getBoolAttr(true)},
                      last);
}

/// A comparison with a NaN is false, which chooses the right operand; where that is the NaN, the
/// left one is chosen by another comparison.
TensorOperand ElementwiseLowering::createNumberLimit(const ElementwiseStep &step,
                                                     Destination last) {
  TensorOperand lhs = getValue(step.operands[0]), rhs = getValue(step.operands[1]);
  auto isNumber = [](const TensorOperand &operand) {
    return operand.constant && !cast<FloatAttr>(operand.constant).getValue().isNaN();
  };
  if (isNumber(lhs))
    std::swap(lhs, rhs);
  Type type = step.result.getType(), boolean = builder.getI1Type();
  BinaryKind order = step.binary == BinaryKind::Max ? BinaryKind::CmpGt : BinaryKind::CmpLt;
  TensorOperand isLeft = createResult(order, lhs, rhs, createDestination(boolean));
  if (isNumber(rhs))
    return createChoice(isLeft, lhs, rhs, last);
  TensorOperand chosen = createChoice(isLeft, lhs, rhs, createDestination(type));
  TensorOperand isNaN = createResult(BinaryKind::CmpNe, rhs, rhs, createDestination(boolean));
  return createChoice(isNaN, lhs, chosen, last);
}

TensorOperand ElementwiseLowering::createUnsignedLimit(const ElementwiseStep &step,
                                                       Destination last) {
  Type type = step.result.getType();
  TensorOperand lhs = turnSign(getValue(step.operands[0]));
  TensorOperand rhs = turnSign(getValue(step.operands[1]));
  TensorOperand limit = createResult(step.binary, lhs, rhs, createDestination(type));
  APInt sign = APInt::getSignMask(type.getIntOrFloatBitWidth());
  return createResult(BinaryKind::Xor, limit,
                      {Value(), AffineMap(), builder.getIntegerAttr(type, sign)}, last);
}

Value ElementwiseLowering::createImmediate(BinaryKind kind, TensorOperand operand,
                                           TypedAttr constant, bool isFirst, Value output,
                                           AffineMap outputMap) {
  auto binary = BinaryOp::create(builder, loc, kind, operand.tensor, constant, output,
                                 simplifyMaps({operand.map, outputMap}));
  binary.setImmFirst(isFirst);
  return binary->getResult(0);
}

/// The vector unit sign-extends what it reads, so a narrow operand is zero-extended to i32 first.
Value ElementwiseLowering::createUnsignedShift(const ElementwiseStep &step, Value output,
                                               AffineMap outputMap) {
  Type wide = builder.getI32Type();
  auto widenConstant = [&](Value value) -> TypedAttr {
    auto constant = dyn_cast_or_null<IntegerAttr>(getBodyConstant(op, value));
    return constant ? builder.getIntegerAttr(wide, constant.getValue().zext(32)) : TypedAttr();
  };
  auto widen = [&](Value value) -> TensorOperand {
    TensorOperand narrow = getOperand(value);
    auto cast = CastOp::create(builder, loc, CastKind::ExtUI, narrow.tensor,
                               createEmpty(wide, domain), simplifyMaps({narrow.map, domain}));
    return {cast->getResult(0), domain};
  };
  Value left = step.operands[0], right = step.operands[1], shifted;
  Value wideOutput = createEmpty(wide, domain);
  if (TypedAttr amount = widenConstant(right)) {
    shifted =
        createImmediate(step.binary, widen(left), amount, /*isFirst=*/false, wideOutput, domain);
  } else if (TypedAttr constant = widenConstant(left)) {
    shifted =
        createImmediate(step.binary, widen(right), constant, /*isFirst=*/true, wideOutput, domain);
  } else {
    TensorOperand lhs = widen(left), rhs = widen(right);
    shifted = BinaryOp::create(builder, loc, step.binary, lhs.tensor, rhs.tensor, wideOutput,
                               simplifyMaps({lhs.map, rhs.map, domain}))
                  ->getResult(0);
  }
  return CastOp::create(builder, loc, CastKind::TruncI, shifted, output,
                        simplifyMaps({domain, outputMap}))
      ->getResult(0);
}

/// Requantizations and rescalings: constants are attributes if all factors are constant.
Value ElementwiseLowering::createScaling(const ElementwiseStep &step, Value output,
                                         AffineMap outputMap) {
  bool isRescale = step.kind == ElementwiseStep::Rescale;
  TypedAttr multiplier, shift;
  if (isRescale) {
    multiplier = getBodyConstant(op, step.operands[1]);
    shift = getBodyConstant(op, step.operands[2]);
  }
  // A negative multiplier, which TOSA's products have, is an operand.
  bool isNegative = multiplier && cast<IntegerAttr>(multiplier).getInt() < 0;
  bool hasAttributes =
      isRescale ? multiplier && shift && !isNegative : static_cast<bool>(step.scale);
  SmallVector<Value> tensors;
  SmallVector<AffineMap> stepMaps;
  for (Value value : ArrayRef(step.operands).take_front(hasAttributes ? 1 : 3)) {
    TensorOperand operand = getOperand(value);
    tensors.push_back(operand.tensor);
    stepMaps.push_back(operand.map);
  }
  stepMaps.push_back(outputMap);
  stepMaps = simplifyMaps(stepMaps);
  ArrayAttr mapsAttr = stepMaps.empty() ? ArrayAttr() : builder.getAffineMapArrayAttr(stepMaps);
  auto getI64 = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  tensors.resize(3);
  if (!isRescale)
    return RequantizeOp::create(builder, loc, output.getType(), tensors[0], tensors[1], output,
                                ValueRange(), mapsAttr, DenseI64ArrayAttr(), StringAttr(),
                                step.scale, getI64(step.zeroPoint), getI64(step.min),
                                getI64(step.max))
        ->getResult(0);
  IntegerAttr multiplierAttr, shiftAttr;
  if (hasAttributes) {
    multiplierAttr = getI64(cast<IntegerAttr>(multiplier).getInt());
    shiftAttr = getI64(cast<IntegerAttr>(shift).getInt());
  }
  unsigned width = getElementTypeOrSelf(output).getIntOrFloatBitWidth();
  bool hasLimits = step.min > llvm::minIntN(width) || step.max < llvm::maxIntN(width);
  return RescaleOp::create(builder, loc, output.getType(), tensors[0], tensors[1], tensors[2],
                           output, ValueRange(), mapsAttr, DenseI64ArrayAttr(), StringAttr(),
                           multiplierAttr, shiftAttr, getI64(step.inputZeroPoint),
                           getI64(step.zeroPoint), hasLimits ? getI64(step.min) : IntegerAttr(),
                           hasLimits ? getI64(step.max) : IntegerAttr(),
                           step.doubleRound ? builder.getUnitAttr() : UnitAttr())
      ->getResult(0);
}

Value ElementwiseLowering::createCopy(Value value, AffineMap outputMap) {
  TensorOperand operand = getOperand(value);
  return CopyOp::create(builder, loc, operand.tensor,
                        createEmpty(getElementTypeOrSelf(operand.tensor), outputMap),
                        simplifyMaps({operand.map, outputMap}))
      ->getResult(0);
}

Value ElementwiseLowering::createStep(const ElementwiseStep &step, AffineMap outputMap) {
  Value output = createEmpty(step.result.getType(), outputMap);
  switch (step.kind) {
  case ElementwiseStep::Binary:
    return createBinary(step, output, outputMap);
  case ElementwiseStep::Requantize:
  case ElementwiseStep::Rescale:
    return createScaling(step, output, outputMap);
  case ElementwiseStep::Unary: {
    TensorOperand input = getOperand(step.operands[0]);
    return UnaryOp::create(builder, loc, step.unary, input.tensor, output,
                           simplifyMaps({input.map, outputMap}))
        ->getResult(0);
  }
  case ElementwiseStep::Cast: {
    TensorOperand input = getOperand(step.operands[0]);
    return CastOp::create(builder, loc, step.cast, input.tensor, output,
                          simplifyMaps({input.map, outputMap}))
        ->getResult(0);
  }
  case ElementwiseStep::Clamp: {
    TensorOperand input = getOperand(step.operands[0]);
    return ClampOp::create(builder, loc, input.tensor, output, step.lo, step.hi,
                           simplifyMaps({input.map, outputMap}))
        ->getResult(0);
  }
  case ElementwiseStep::Compare:
    return createCompare(step, {output, outputMap}).tensor;
  case ElementwiseStep::Select:
    return createChoice(getValue(step.operands[0]), getValue(step.operands[1]),
                        getValue(step.operands[2]), {output, outputMap})
        .tensor;
  case ElementwiseStep::NumberLimit:
    return createNumberLimit(step, {output, outputMap}).tensor;
  case ElementwiseStep::UnsignedLimit:
    return createUnsignedLimit(step, {output, outputMap}).tensor;
  case ElementwiseStep::Gather:
    return createGather(step, output, outputMap);
  case ElementwiseStep::Table:
    return createTable(step, {output, outputMap});
  case ElementwiseStep::Positions:
    break; // a constant
  }
  llvm_unreachable("all kinds of steps are handled");
}

/// An index out of range reads the nearest element, as on the host; npu.gather wants it in range.
Value ElementwiseLowering::createGather(const ElementwiseStep &step, Value output,
                                        AffineMap outputMap) {
  TensorOperand indices = getOperand(step.operands[0]);
  int64_t rows = cast<ShapedType>(step.source.getType()).getDimSize(step.dimension);
  Type type = getElementTypeOrSelf(indices.tensor);
  AffineMap map = selectLoops([&](unsigned loop) { return indices.map.isFunctionOfDim(loop); });
  Value inRange =
      ClampOp::create(builder, loc, indices.tensor, createEmpty(type, map),
                      builder.getIntegerAttr(type, 0), builder.getIntegerAttr(type, rows - 1),
                      simplifyMaps({indices.map, map}))
          ->getResult(0);
  return GatherOp::create(builder, loc, step.source, inRange, output, step.dimension,
                          compressUnusedDims({step.sourceMap, map, outputMap}))
      ->getResult(0);
}

/// A table begins with what it has for the least signed number.
Value ElementwiseLowering::createTable(const ElementwiseStep &step, Destination destination) {
  TensorOperand input = getValue(step.operands[0]);
  if (step.isUnsigned)
    input = turnSign(input);
  input = materialize(input);
  SmallVector<AffineMap> maps = simplifyMaps({input.map, destination.map});
  if (!maps.empty()) {
    AffineMap first =
        AffineMap::get(maps[0].getNumDims(), /*symbolCount=*/0, builder.getAffineConstantExpr(0));
    maps.insert(maps.begin() + 1, first);
  }
  return TableOp::create(builder, loc, input.tensor, step.source, destination.tensor, maps)
      ->getResult(0);
}

TensorOperand ElementwiseLowering::createCounter(const ElementwiseStep &step) {
  Value positions =
      createPositions(builder, loc, ranges[step.loop], cast<IntegerType>(step.result.getType()));
  return {positions, builder.getMultiDimIdentityMap(ranges.size()).getSubMap({step.loop})};
}

void ElementwiseLowering::createSteps(ArrayRef<ElementwiseStep> plan) {
  for (const ElementwiseStep &step : plan) {
    if (step.kind == ElementwiseStep::Positions) {
      results[step.result] = createCounter(step);
      continue;
    }
    domain = getDomain(step);
    Value result = createStep(step, domain);
    results[step.result] = {result, domain};
  }
}

SmallVector<Value> ElementwiseLowering::run(ArrayRef<ElementwiseStep> plan) {
  OperandRange yielded = op.getBlock()->getTerminator()->getOperands();
  auto getOutputMap = [&](unsigned result) { return maps[op.getNumDpsInputs() + result]; };
  // The last step of a result writes it directly if nothing else reads it.
  DenseMap<Value, unsigned> numReads;
  for (Value value : yielded)
    ++numReads[value];
  for (const ElementwiseStep &step : plan)
    for (Value value : step.operands)
      ++numReads[value];
  SmallVector<Value> replacements(yielded.size());
  for (const ElementwiseStep &step : plan) {
    auto position = llvm::find(yielded, step.result) - yielded.begin();
    if (size_t(position) == yielded.size() || numReads[step.result] > 1 ||
        step.kind == ElementwiseStep::Positions) {
      createSteps(step);
      continue;
    }
    domain = getDomain(step);
    replacements[position] = createStep(step, getOutputMap(position));
  }
  for (auto [index, value] : llvm::enumerate(yielded)) {
    if (replacements[index])
      continue;
    auto result = results.find(value);
    replacements[index] = result != results.end() && getOutputMap(index) == result->second.map
                              ? result->second.tensor
                              : createCopy(value, getOutputMap(index));
  }
  return replacements;
}

namespace {
struct ConvertElementwise : OpInterfaceConversionPattern<linalg::LinalgOp> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (isReduction(op) || isa<linalg::FillOp>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "not element-wise");
    Rejection reason;
    if (failed(matchShapesAndTypes(op, reason)))
      return rewriter.notifyMatchFailure(op, reason.getReason());
    std::optional<SmallVector<int64_t>> permutation = getPermutation(op);
    if (permutation && op.getDpsInputs()[0].hasOneUse())
      if (Value permuted = createPermuted(rewriter, operands[0], *permutation)) {
        rewriter.replaceOp(op, permuted);
        return success();
      }
    FailureOr<ElementwisePlan> plan = matchElementwise(op, reason);
    if (failed(plan))
      return rewriter.notifyMatchFailure(op, reason.getReason());
    rewriter.replaceOp(op, ElementwiseLowering(op, operands, rewriter).run(*plan));
    return success();
  }
};
} // namespace

namespace {
/// What no convolution and no window takes in is a copy that reads outside of its operand.
struct ConvertPad : OpConversionPattern<tensor::PadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tensor::PadOp pad, OpAdaptor operands,
                                ConversionPatternRewriter &rewriter) const override {
    TypedAttr value = getConstantPadding(pad);
    if (!value)
      return rewriter.notifyMatchFailure(pad, "not by static amounts of a constant");
    auto type = pad.getResultType();
    Value source = operands.getSource();
    SmallVector<AffineExpr> coordinates;
    for (auto [index, low] : llvm::enumerate(pad.getStaticLow()))
      coordinates.push_back(rewriter.getAffineDimExpr(index) - low);
    // Of a slice, all is read in the dimensions that it keeps: outside of it lies the padding.
    if (auto slice = pad.getSource().getDefiningOp<tensor::ExtractSliceOp>()) {
      source = slice.getSource();
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
      SmallVector<int64_t> keptShape;
      for (auto [dim, size] : llvm::enumerate(slice.getSourceType().getShape())) {
        if (dropped[dim])
          continue;
        AffineExpr &coordinate = coordinates[keptShape.size()];
        coordinate = coordinate + slice.getStaticOffsets()[dim];
        offsets[dim] = rewriter.getIndexAttr(0);
        sizes[dim] = rewriter.getIndexAttr(size);
        keptShape.push_back(size);
      }
      if (dropped.any())
        source = tensor::ExtractSliceOp::create(
            rewriter, slice.getLoc(), RankedTensorType::get(keptShape, type.getElementType()),
            source, offsets, sizes, slice.getMixedStrides());
    }
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    Value empty =
        tensor::EmptyOp::create(rewriter, pad.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<CopyOp>(
        pad, source, empty,
        ArrayRef<AffineMap>{AffineMap::get(type.getRank(), 0, coordinates, getContext()), identity},
        value);
    return success();
  }
};
} // namespace

void npu::populateElementwisePatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertElementwise, ConvertPad>(patterns.getContext());
}
