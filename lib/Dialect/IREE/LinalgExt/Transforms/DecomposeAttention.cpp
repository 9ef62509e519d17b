//===- DecomposeAttention.cpp - attention becomes linalg ops --------------===//
//
// Whole attention, and online attention, which is one step of it: part of the keys and values, with
// the maximum, sum and product of the parts before.
//
//===----------------------------------------------------------------------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"

#include "RegionUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::linalg_ext {
#define GEN_PASS_DEF_DECOMPOSEATTENTION
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h.inc"
} // namespace npu::linalg_ext

using namespace mlir;
using namespace npu::linalg_ext;

namespace {
/// What both kinds of attention have.
struct AttentionParts {
  template <typename Op>
  explicit AttentionParts(Op op)
      : op(op), query(op.getQuery()), key(op.getKey()), value(op.getValue()), scale(op.getScale()),
        mask(op.getMask()), output(op.getOutput()), region(&op.getRegion()),
        maps(llvm::to_vector(op.getIndexingMaps().template getAsValueRange<AffineMapAttr>())) {}

  Operation *op;
  Value query, key, value, scale, mask, output;
  Region *region;
  SmallVector<AffineMap> maps; ///< one for each operand
};

/// Builds the linalg ops of one attention. Tensors are described by the dimensions of the op's
/// iteration space that they have, in increasing order.
class Decomposition {
public:
  Decomposition(const AttentionParts &op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.op->getLoc()), maps(op.maps) {
    bool isDouble = llvm::any_of(ValueRange{op.query, op.key, op.value},
                                 [](Value v) { return getElementTypeOrSelf(v).isF64(); });
    computeType = isDouble ? builder.getF64Type() : builder.getF32Type();
    for (unsigned dim = 0; dim < getNumDims(); ++dim) {
      bool inQuery = has(getQueryMap(), dim), inKey = has(getKeyMap(), dim);
      bool inValue = has(getValueMap(), dim), inOutput = has(getOutputMap(), dim);
      bool isContractedFirst = inQuery && inKey && !inValue && !inOutput;
      bool isRow = inKey && inValue && !inQuery && !inOutput;
      if ((inQuery || inKey) && !isContractedFirst)
        scoreDims.push_back(dim);
      if ((inQuery || inKey) && !isContractedFirst && !isRow)
        rowDims.push_back(dim);
      if (isContractedFirst || isRow || inOutput)
        continue;
      unknownDim = dim;
    }
  }

  /// A dimension that is neither contracted nor the output's; the op then is no attention.
  std::optional<unsigned> getUnknownDim() const { return unknownDim; }

  /// Whether the mask has dimensions of the scores only.
  bool hasScoreMask() const {
    return llvm::all_of(getDims(maps[4]),
                        [&](unsigned dim) { return llvm::is_contained(scoreDims, dim); });
  }

  /// Whether `map` has the dimensions of the rows.
  bool isOfRows(AffineMap map) const {
    SmallVector<unsigned> dims = getDims(map);
    llvm::sort(dims);
    return dims == rowDims;
  }

  Value build() {
    Value scaled = buildScaled(buildScores());
    Value maximum = buildMaximum(scaled);
    Value weights = buildWeights(scaled, maximum);
    Value sum = buildSum(weights);
    return buildQuotient(buildProduct(weights), sum);
  }

  /// The output, maximum and sum after one step.
  SmallVector<Value> buildStep(OnlineAttentionOp online) {
    auto config = online.getDecompositionConfigAttr();
    auto useExp2 = config ? config.getAs<BoolAttr>("use_exp2") : BoolAttr();
    isBinary = !useExp2 || useExp2.getValue();
    AffineMap row = getMap(rowDims), maxMap = maps[maps.size() - 2], sumMap = maps.back();

    Value scaled = buildScaled(buildScores());
    Value before = online.getMax();
    Value maximum = buildElementwise({buildMaximum(scaled), before}, {row, maxMap}, rowDims,
                                     [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                       Value old = convert(b, loc, args[1], computeType);
                                       return arith::MaximumFOp::create(b, loc, args[0], old);
                                     });
    // What was computed with the maximum before is too large by this factor.
    Value repair = buildElementwise({before, maximum}, {maxMap, row}, rowDims,
                                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                                      Value old = convert(b, loc, args[0], computeType);
                                      return createPower(b, loc, old, args[1]);
                                    });
    Value weights = buildWeights(scaled, maximum);
    Value sum = buildRepaired(buildSum(weights), row, online.getSum(), sumMap, repair);
    Value output = buildRepaired(buildProduct(weights), getMap(getOutputDims()), op.output,
                                 getOutputMap(), repair);
    maximum = buildGeneric(maximum, {row, maxMap}, before,
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             return convert(b, loc, args[0], args[1].getType());
                           });
    return {output, maximum, sum};
  }

private:
  Value buildScores() {
    return buildContraction(op.query, getQueryMap(), op.key, getKeyMap(), scoreDims);
  }

  Value buildMaximum(Value scaled) {
    return buildReduction(scaled, buildFilled(rowDims, getMinusInfinity()),
                          [](OpBuilder &b, Location loc, Value x, Value acc) -> Value {
                            return arith::MaximumFOp::create(b, loc, x, acc);
                          });
  }

  Value buildSum(Value weights) {
    return buildReduction(weights, buildFilled(rowDims, builder.getFloatAttr(computeType, 0)),
                          [](OpBuilder &b, Location loc, Value x, Value acc) -> Value {
                            return arith::AddFOp::create(b, loc, x, acc);
                          });
  }

  /// Weights times value, over the dimensions of the output.
  Value buildProduct(Value weights) {
    Type valueType = getElementTypeOrSelf(op.value);
    if (valueType != computeType)
      weights = buildRounded(weights, valueType);
    return buildContraction(weights, getMap(scoreDims), op.value, getValueMap(), getOutputDims());
  }

  SmallVector<unsigned> getOutputDims() const {
    SmallVector<unsigned> dims = getDims(getOutputMap());
    llvm::sort(dims);
    return dims;
  }

  /// `part`, and what `before` is after its repair, in the form of the latter.
  Value buildRepaired(Value part, AffineMap partMap, Value before, AffineMap map, Value repair) {
    return buildGeneric({part, repair, before}, {partMap, getMap(rowDims), map, map},
                        buildEmptyLike(before), [&](OpBuilder &b, Location loc, ValueRange args) {
                          Value old = convert(b, loc, args[2], computeType);
                          old = arith::MulFOp::create(b, loc, old, args[1]);
                          Value sum = arith::AddFOp::create(b, loc, args[0], old);
                          return convert(b, loc, sum, args[2].getType());
                        });
  }

  Value buildEmptyLike(Value tensor) {
    return tensor::EmptyOp::create(builder, loc, tensor::getMixedSizes(builder, loc, tensor),
                                   getElementTypeOrSelf(tensor));
  }

  /// The power by which softmax weighs: of e, or of 2 where the scores are scaled for that.
  Value createPower(OpBuilder &b, Location loc, Value score, Value maximum) {
    Value difference = arith::SubFOp::create(b, loc, score, maximum);
    if (isBinary)
      return math::Exp2Op::create(b, loc, difference);
    return math::ExpOp::create(b, loc, difference);
  }

  /// `value` times the logarithm that makes powers of 2 of those of e.
  Value scaleForPower(OpBuilder &b, Location loc, Value value) {
    if (!isBinary)
      return value;
    Value factor =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(value.getType(), llvm::numbers::log2e));
    return arith::MulFOp::create(b, loc, value, factor);
  }

  AffineMap getQueryMap() const { return maps[0]; }
  AffineMap getKeyMap() const { return maps[1]; }
  AffineMap getValueMap() const { return maps[2]; }
  AffineMap getOutputMap() const { return maps[op.mask ? 5 : 4]; }
  unsigned getNumDims() const { return maps.front().getNumDims(); }

  static bool has(AffineMap map, unsigned dim) { return map.isFunctionOfDim(dim); }

  static SmallVector<unsigned> getDims(AffineMap map) {
    return llvm::map_to_vector(llvm::seq<unsigned>(0, map.getNumResults()),
                               [&](unsigned result) { return map.getDimPosition(result); });
  }

  /// The map from the iteration space to `dims`.
  AffineMap getMap(ArrayRef<unsigned> dims) const {
    return AffineMap::getMultiDimMapWithTargets(getNumDims(), dims, builder.getContext());
  }

  FloatAttr getMinusInfinity() {
    return builder.getFloatAttr(
        computeType, APFloat::getInf(computeType.getFloatSemantics(), /*Negative=*/true));
  }

  /// The size of a dimension, from the first operand that has it.
  OpFoldResult getSize(unsigned dim) {
    for (auto [operand, map] : llvm::zip(op.op->getOperands(), maps))
      if (auto position = map.getResultPosition(builder.getAffineDimExpr(dim)))
        return tensor::getMixedSize(builder, loc, operand, *position);
    llvm_unreachable("every dimension is in the map of some operand");
  }

  Value buildEmpty(ArrayRef<unsigned> dims, Type type) {
    SmallVector<OpFoldResult> sizes =
        llvm::map_to_vector(dims, [&](unsigned dim) { return getSize(dim); });
    return tensor::EmptyOp::create(builder, loc, sizes, type);
  }

  Value buildFilled(ArrayRef<unsigned> dims, FloatAttr value) {
    Value scalar = arith::ConstantOp::create(builder, loc, value);
    return linalg::FillOp::create(builder, loc, scalar, buildEmpty(dims, computeType)).getResult(0);
  }

  using BodyBuilder = function_ref<Value(OpBuilder &, Location, ValueRange)>;

  /// Builds a generic over the dimensions that the maps name. Those that the last map does not
  /// have are reduced.
  Value buildGeneric(ValueRange inputs, ArrayRef<AffineMap> genericMaps, Value init,
                     BodyBuilder body) {
    llvm::SmallBitVector used(getNumDims());
    for (AffineMap map : genericMaps)
      for (unsigned dim : getDims(map))
        used.set(dim);
    SmallVector<AffineMap> compressed =
        llvm::map_to_vector(genericMaps, [&](AffineMap map) { return compressDims(map, ~used); });
    SmallVector<utils::IteratorType> iterators;
    for (unsigned dim : used.set_bits())
      iterators.push_back(has(genericMaps.back(), dim) ? utils::IteratorType::parallel
                                                       : utils::IteratorType::reduction);
    return linalg::GenericOp::create(builder, loc, init.getType(), inputs, init, compressed,
                                     iterators,
                                     [&](OpBuilder &b, Location loc, ValueRange args) {
                                       linalg::YieldOp::create(b, loc, body(b, loc, args));
                                     })
        .getResult(0);
  }

  /// Computes elements of the compute type over `dims`.
  Value buildElementwise(ValueRange inputs, ArrayRef<AffineMap> inputMaps, ArrayRef<unsigned> dims,
                         BodyBuilder body) {
    SmallVector<AffineMap> genericMaps(inputMaps);
    genericMaps.push_back(getMap(dims));
    return buildGeneric(inputs, genericMaps, buildEmpty(dims, computeType), body);
  }

  Value extend(OpBuilder &b, Location loc, Value value) const {
    return value.getType() == computeType ? value
                                          : arith::ExtFOp::create(b, loc, computeType, value);
  }

  Value convert(OpBuilder &b, Location loc, Value value, Type type) const {
    unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
    if (value.getType() == type)
      return value;
    if (from < to)
      return arith::ExtFOp::create(b, loc, type, value);
    return arith::TruncFOp::create(b, loc, type, value);
  }

  /// The sum of products over the dimensions that `dims` does not have.
  Value buildContraction(Value lhs, AffineMap lhsMap, Value rhs, AffineMap rhsMap,
                         ArrayRef<unsigned> dims) {
    Value zeros = buildFilled(dims, builder.getFloatAttr(computeType, 0));
    return buildGeneric({lhs, rhs}, {lhsMap, rhsMap, getMap(dims)}, zeros,
                        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                          Value product = arith::MulFOp::create(b, loc, extend(b, loc, args[0]),
                                                                extend(b, loc, args[1]));
                          return arith::AddFOp::create(b, loc, args[2], product);
                        });
  }

  /// Scale, region and mask.
  Value buildScaled(Value scores) {
    AffineMap map = getMap(scoreDims);
    SmallVector<Value> inputs = {scores};
    SmallVector<AffineMap> genericMaps = {map};
    if (op.mask) {
      inputs.push_back(op.mask);
      genericMaps.push_back(maps[4]);
    }
    genericMaps.push_back(map);
    Value init = buildEmpty(scoreDims, computeType);
    return buildGeneric(
        inputs, genericMaps, init, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          // Inside, as only the body of a generic computes on scalars.
          Value scale = scaleForPower(b, loc, convert(b, loc, op.scale, computeType));
          Value score = arith::MulFOp::create(b, loc, args[0], scale);
          score = mapScore(b, loc, score);
          return op.mask ? buildMasked(b, loc, score, args[1]) : score;
        });
  }

  Value mapScore(OpBuilder &b, Location loc, Value score) {
    Type type = op.region->front().getArgument(0).getType();
    Value result = inlineRegion(b, *op.region, convert(b, loc, score, type));
    return convert(b, loc, result, computeType);
  }

  Value buildMasked(OpBuilder &b, Location loc, Value score, Value mask) {
    if (isa<FloatType>(mask.getType()))
      return arith::AddFOp::create(b, loc, score,
                                   scaleForPower(b, loc, convert(b, loc, mask, computeType)));
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(mask.getType()));
    Value keep = mask.getType().isInteger(1)
                     ? mask
                     : arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, mask, zero);
    Value none = arith::ConstantOp::create(b, loc, getMinusInfinity());
    return arith::SelectOp::create(b, loc, keep, score, none);
  }

  Value buildReduction(Value input, Value init,
                       function_ref<Value(OpBuilder &, Location, Value, Value)> combine) {
    return buildGeneric(input, {getMap(scoreDims), getMap(rowDims)}, init,
                        [&](OpBuilder &b, Location loc, ValueRange args) {
                          return combine(b, loc, args[0], args[1]);
                        });
  }

  Value buildWeights(Value scaled, Value maximum) {
    AffineMap map = getMap(scoreDims);
    return buildGeneric({scaled, maximum}, {map, getMap(rowDims), map},
                        buildEmpty(scoreDims, computeType),
                        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                          return createPower(b, loc, args[0], args[1]);
                        });
  }

  Value buildRounded(Value weights, Type type) {
    AffineMap map = getMap(scoreDims);
    return buildGeneric(weights, {map, map}, buildEmpty(scoreDims, type),
                        [&](OpBuilder &b, Location loc, ValueRange args) {
                          return convert(b, loc, args[0], type);
                        });
  }

  Value buildQuotient(Value product, Value sum) {
    return buildGeneric({product, sum}, {getMap(getOutputDims()), getMap(rowDims), getOutputMap()},
                        op.output, [&](OpBuilder &b, Location loc, ValueRange args) {
                          Value quotient = arith::DivFOp::create(b, loc, args[0], args[1]);
                          return convert(b, loc, quotient, args[2].getType());
                        });
  }

  const AttentionParts &op;
  OpBuilder &builder;
  Location loc;
  ArrayRef<AffineMap> maps;
  FloatType computeType;
  bool isBinary = false; ///< weights are powers of 2
  /// The dimensions of the scores, and those of them that are not the row of the softmax.
  SmallVector<unsigned> scoreDims, rowDims;
  std::optional<unsigned> unknownDim;
};

struct DecomposeAttention : npu::linalg_ext::impl::DecomposeAttentionBase<DecomposeAttention> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionOp, OnlineAttentionOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(decompose(op)))
        return signalPassFailure();
  }

private:
  static LogicalResult decompose(Operation *op) {
    auto online = dyn_cast<OnlineAttentionOp>(op);
    AttentionParts parts = online ? AttentionParts(online) : AttentionParts(cast<AttentionOp>(op));
    for (auto [index, map] : llvm::enumerate(parts.maps))
      if (!map.isProjectedPermutation())
        return op->emitOpError("expected indexing map ")
               << index << " to be a projected permutation, found " << AffineMapAttr::get(map);
    OpBuilder builder(op);
    Decomposition decomposition(parts, builder);
    if (parts.mask && !decomposition.hasScoreMask())
      return op->emitOpError("expected the mask to have dimensions of the scores only");
    if (std::optional<unsigned> dim = decomposition.getUnknownDim())
      return op->emitOpError("expected dimension d")
             << *dim << " to be contracted or to be in the output";
    if (online)
      for (AffineMap map : ArrayRef(parts.maps).take_back(2))
        if (!decomposition.isOfRows(map))
          return op->emitOpError("expected maximum and sum to have the dimensions of the query "
                                 "that are not contracted, found ")
                 << AffineMapAttr::get(map);
    if (online)
      op->replaceAllUsesWith(decomposition.buildStep(online));
    else
      op->replaceAllUsesWith(ValueRange(decomposition.build()));
    op->erase();
    return success();
  }
};
} // namespace
