//===- DecomposeAttention.cpp - attention becomes linalg ops --------------===//

#include "NPU/Dialect/IREE/LinalgExt/IR/LinalgExtOps.h"
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace npu::linalg_ext {
#define GEN_PASS_DEF_DECOMPOSEATTENTION
#include "NPU/Dialect/IREE/LinalgExt/Transforms/Passes.h.inc"
} // namespace npu::linalg_ext

using namespace mlir;
using namespace npu::linalg_ext;

namespace {
/// Builds the linalg ops of one attention. Tensors are described by the dimensions of the op's
/// iteration space that they have, in increasing order.
class Decomposition {
public:
  Decomposition(AttentionOp op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.getLoc()),
        maps(llvm::to_vector(op.getIndexingMaps().getAsValueRange<AffineMapAttr>())) {
    bool isDouble = llvm::any_of(ValueRange{op.getQuery(), op.getKey(), op.getValue()},
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

  Value build() {
    Value scores =
        buildContraction(op.getQuery(), getQueryMap(), op.getKey(), getKeyMap(), scoreDims);
    Value scaled = buildScaled(scores);
    Value maximum = buildReduction(scaled, buildFilled(rowDims, getMinusInfinity()),
                                   [](OpBuilder &b, Location loc, Value x, Value acc) -> Value {
                                     return arith::MaximumFOp::create(b, loc, x, acc);
                                   });
    Value weights = buildWeights(scaled, maximum);
    Value sum = buildReduction(weights, buildFilled(rowDims, builder.getFloatAttr(computeType, 0)),
                               [](OpBuilder &b, Location loc, Value x, Value acc) -> Value {
                                 return arith::AddFOp::create(b, loc, x, acc);
                               });
    Type valueType = getElementTypeOrSelf(op.getValue());
    if (valueType != computeType)
      weights = buildRounded(weights, valueType);
    SmallVector<unsigned> outputDims = getDims(getOutputMap());
    llvm::sort(outputDims);
    Value product =
        buildContraction(weights, getMap(scoreDims), op.getValue(), getValueMap(), outputDims);
    return buildQuotient(product, outputDims, sum);
  }

private:
  AffineMap getQueryMap() const { return maps[0]; }
  AffineMap getKeyMap() const { return maps[1]; }
  AffineMap getValueMap() const { return maps[2]; }
  AffineMap getOutputMap() const { return maps.back(); }
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
    for (auto [operand, map] : llvm::zip(op.getOperands(), maps))
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
    if (op.getMask()) {
      inputs.push_back(op.getMask());
      genericMaps.push_back(maps[4]);
    }
    genericMaps.push_back(map);
    Value init = buildEmpty(scoreDims, computeType);
    return buildGeneric(inputs, genericMaps, init,
                        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                          // Inside, as only the body of a generic computes on scalars.
                          Value scale = convert(b, loc, op.getScale(), computeType);
                          Value score = arith::MulFOp::create(b, loc, args[0], scale);
                          score = inlineRegion(b, loc, score);
                          return op.getMask() ? buildMasked(b, loc, score, args[1]) : score;
                        });
  }

  Value inlineRegion(OpBuilder &b, Location loc, Value score) {
    Block &body = op.getRegion().front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), convert(b, loc, score, body.getArgument(0).getType()));
    for (Operation &nested : body.without_terminator())
      b.clone(nested, mapping);
    Value result = mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
    return convert(b, loc, result, computeType);
  }

  Value buildMasked(OpBuilder &b, Location loc, Value score, Value mask) {
    if (isa<FloatType>(mask.getType()))
      return arith::AddFOp::create(b, loc, score, convert(b, loc, mask, computeType));
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
                          Value difference = arith::SubFOp::create(b, loc, args[0], args[1]);
                          return math::ExpOp::create(b, loc, difference);
                        });
  }

  Value buildRounded(Value weights, Type type) {
    AffineMap map = getMap(scoreDims);
    return buildGeneric(weights, {map, map}, buildEmpty(scoreDims, type),
                        [&](OpBuilder &b, Location loc, ValueRange args) {
                          return convert(b, loc, args[0], type);
                        });
  }

  Value buildQuotient(Value product, ArrayRef<unsigned> outputDims, Value sum) {
    return buildGeneric({product, sum}, {getMap(outputDims), getMap(rowDims), getOutputMap()},
                        op.getOutput(), [&](OpBuilder &b, Location loc, ValueRange args) {
                          Value quotient = arith::DivFOp::create(b, loc, args[0], args[1]);
                          return convert(b, loc, quotient, args[2].getType());
                        });
  }

  AttentionOp op;
  OpBuilder &builder;
  Location loc;
  SmallVector<AffineMap> maps;
  FloatType computeType;
  /// The dimensions of the scores, and those of them that are not the row of the softmax.
  SmallVector<unsigned> scoreDims, rowDims;
  std::optional<unsigned> unknownDim;
};

struct DecomposeAttention : npu::linalg_ext::impl::DecomposeAttentionBase<DecomposeAttention> {
  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    for (AttentionOp op : ops)
      if (failed(decompose(op)))
        return signalPassFailure();
  }

private:
  static LogicalResult decompose(AttentionOp op) {
    for (auto [index, map] : llvm::enumerate(op.getIndexingMaps().getAsValueRange<AffineMapAttr>()))
      if (!map.isProjectedPermutation())
        return op.emitOpError("expected indexing map ")
               << index << " to be a projected permutation, found " << AffineMapAttr::get(map);
    OpBuilder builder(op);
    Decomposition decomposition(op, builder);
    if (op.getMask() && !decomposition.hasScoreMask())
      return op.emitOpError("expected the mask to have dimensions of the scores only");
    if (std::optional<unsigned> dim = decomposition.getUnknownDim())
      return op.emitOpError("expected dimension d")
             << *dim << " to be contracted or to be in the output";
    op.replaceAllUsesWith(decomposition.build());
    op.erase();
    return success();
  }
};
} // namespace
