//===- ConvertElementwise.cpp - element-wise ops to npu ops ---------------===//

#include "Matching.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace npu;

namespace {
/// A body value as a tensor operand with its map over the loops.
struct TensorOperand {
  Value tensor;
  AffineMap map;
};

/// Executes the plan of one op.
class ElementwiseLowering {
public:
  ElementwiseLowering(linalg::LinalgOp op, ArrayRef<Value> operands, OpBuilder &builder)
      : op(op), operands(operands), builder(builder), loc(op.getLoc()),
        ranges(op.getStaticLoopRanges()), maps(op.getIndexingMapsArray()) {}

  SmallVector<Value> run(ArrayRef<ElementwiseStep> plan);

private:
  TensorOperand getOperand(Value value);
  Value createStep(const ElementwiseStep &step, AffineMap outputMap);
  Value createBinary(const ElementwiseStep &step, Value output, AffineMap outputMap);
  Value createImmediate(BinaryKind kind, TensorOperand operand, TypedAttr constant, bool isFirst,
                        Value output, AffineMap outputMap);
  Value createUnsignedShift(const ElementwiseStep &step, Value output, AffineMap outputMap);
  Value createScaling(const ElementwiseStep &step, Value output, AffineMap outputMap);
  Value createCopy(Value value, AffineMap outputMap);
  Value createEmpty(Type elementType, AffineMap outputMap);

  linalg::LinalgOp op;
  ArrayRef<Value> operands;
  OpBuilder &builder;
  Location loc;
  SmallVector<int64_t> ranges;
  SmallVector<AffineMap> maps;
  DenseMap<Value, Value> results; // of earlier steps, in loop order
};
} // namespace

/// Identities are the default and are left out.
static SmallVector<AffineMap> simplifyMaps(SmallVector<AffineMap> maps) {
  if (llvm::all_of(maps, [](AffineMap map) { return map.isIdentity(); }))
    return {};
  return maps;
}

Value ElementwiseLowering::createEmpty(Type elementType, AffineMap outputMap) {
  return tensor::EmptyOp::create(builder, loc, applyPermutationMap(outputMap, ArrayRef(ranges)),
                                 elementType);
}

TensorOperand ElementwiseLowering::getOperand(Value value) {
  MLIRContext *context = builder.getContext();
  if (Value result = results.lookup(value))
    return {result, builder.getMultiDimIdentityMap(ranges.size())};
  if (TypedAttr constant = getBodyConstant(op, value)) {
    auto type = RankedTensorType::get({}, constant.getType());
    Value tensor =
        arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, Attribute(constant)));
    return {tensor, AffineMap::get(ranges.size(), 0, context)};
  }
  unsigned index = cast<BlockArgument>(value).getArgNumber();
  return {operands[index], maps[index]};
}

Value ElementwiseLowering::createBinary(const ElementwiseStep &step, Value output,
                                        AffineMap outputMap) {
  Type type = step.operands[0].getType();
  if (step.binary == BinaryKind::ShrU && !type.isInteger(32))
    return createUnsignedShift(step, output, outputMap);
  Value left = step.operands[0], right = step.operands[1];
  TypedAttr constant = getBodyConstant(op, right);
  bool isFirst = !constant;
  if (isFirst)
    constant = getBodyConstant(op, left);
  if (constant)
    return createImmediate(step.binary, getOperand(isFirst ? right : left), constant, isFirst,
                           output, outputMap);
  TensorOperand lhs = getOperand(left), rhs = getOperand(right);
  return BinaryOp::create(builder, loc, step.binary, lhs.tensor, rhs.tensor, output,
                          simplifyMaps({lhs.map, rhs.map, outputMap}))
      ->getResult(0);
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
  AffineMap identity = builder.getMultiDimIdentityMap(ranges.size());
  Type wide = builder.getI32Type();
  auto widenConstant = [&](Value value) -> TypedAttr {
    auto constant = dyn_cast_or_null<IntegerAttr>(getBodyConstant(op, value));
    return constant ? builder.getIntegerAttr(wide, constant.getValue().zext(32)) : TypedAttr();
  };
  auto widen = [&](Value value) -> TensorOperand {
    TensorOperand narrow = getOperand(value);
    auto cast = CastOp::create(builder, loc, CastKind::ExtUI, narrow.tensor,
                               createEmpty(wide, identity), simplifyMaps({narrow.map, identity}));
    return {cast->getResult(0), identity};
  };
  Value left = step.operands[0], right = step.operands[1], shifted;
  Value wideOutput = createEmpty(wide, identity);
  if (TypedAttr amount = widenConstant(right)) {
    shifted =
        createImmediate(step.binary, widen(left), amount, /*isFirst=*/false, wideOutput, identity);
  } else if (TypedAttr constant = widenConstant(left)) {
    shifted = createImmediate(step.binary, widen(right), constant, /*isFirst=*/true, wideOutput,
                              identity);
  } else {
    TensorOperand lhs = widen(left), rhs = widen(right);
    shifted = BinaryOp::create(builder, loc, step.binary, lhs.tensor, rhs.tensor, wideOutput)
                  ->getResult(0);
  }
  return CastOp::create(builder, loc, CastKind::TruncI, shifted, output,
                        simplifyMaps({identity, outputMap}))
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
  bool hasAttributes = isRescale ? multiplier && shift : static_cast<bool>(step.scale);
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
                                ValueRange(), mapsAttr, DenseI64ArrayAttr(), step.scale,
                                getI64(step.zeroPoint), getI64(step.min), getI64(step.max))
        ->getResult(0);
  IntegerAttr multiplierAttr, shiftAttr;
  if (hasAttributes) {
    multiplierAttr = getI64(cast<IntegerAttr>(multiplier).getInt());
    shiftAttr = getI64(cast<IntegerAttr>(shift).getInt());
  }
  return RescaleOp::create(builder, loc, output.getType(), tensors[0], tensors[1], tensors[2],
                           output, ValueRange(), mapsAttr, DenseI64ArrayAttr(), multiplierAttr,
                           shiftAttr, getI64(step.inputZeroPoint), getI64(step.zeroPoint),
                           step.doubleRound ? builder.getUnitAttr() : UnitAttr())
      ->getResult(0);
}

/// There is no copy: a float is multiplied by one, an integer or-ed with zero. Both are exact.
Value ElementwiseLowering::createCopy(Value value, AffineMap outputMap) {
  TensorOperand operand = getOperand(value);
  Type type = getElementTypeOrSelf(operand.tensor);
  bool isFloat = isa<FloatType>(type);
  TypedAttr neutral = isFloat ? TypedAttr(builder.getFloatAttr(type, 1.0))
                              : TypedAttr(builder.getIntegerAttr(type, 0));
  return BinaryOp::create(builder, loc, isFloat ? BinaryKind::Mul : BinaryKind::Or, operand.tensor,
                          neutral, createEmpty(type, outputMap),
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
  case ElementwiseStep::Select: {
    TensorOperand condition = getOperand(step.operands[0]);
    TensorOperand onTrue = getOperand(step.operands[1]), onFalse = getOperand(step.operands[2]);
    return SelectOp::create(builder, loc, condition.tensor, onTrue.tensor, onFalse.tensor, output,
                            simplifyMaps({condition.map, onTrue.map, onFalse.map, outputMap}))
        ->getResult(0);
  }
  }
  llvm_unreachable("all kinds of steps are handled");
}

SmallVector<Value> ElementwiseLowering::run(ArrayRef<ElementwiseStep> plan) {
  OperandRange yielded = op.getBlock()->getTerminator()->getOperands();
  AffineMap identity = builder.getMultiDimIdentityMap(ranges.size());
  auto getOutputMap = [&](unsigned result) { return maps[op.getNumDpsInputs() + result]; };
  // The last step of a permuted result writes it directly if nothing else reads it.
  DenseMap<Value, unsigned> numReads;
  for (Value value : yielded)
    ++numReads[value];
  for (const ElementwiseStep &step : plan)
    for (Value value : step.operands)
      ++numReads[value];
  SmallVector<Value> replacements(yielded.size());
  for (const ElementwiseStep &step : plan) {
    auto position = llvm::find(yielded, step.result) - yielded.begin();
    bool isLast = size_t(position) < yielded.size() && numReads[step.result] == 1;
    Value result = createStep(step, isLast ? getOutputMap(position) : identity);
    results[step.result] = result;
    if (isLast)
      replacements[position] = result;
  }
  for (auto [index, value] : llvm::enumerate(yielded)) {
    if (replacements[index])
      continue;
    Value result = results.lookup(value);
    replacements[index] = result && getOutputMap(index).isIdentity()
                              ? result
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

void npu::populateElementwisePatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertElementwise>(patterns.getContext());
}
