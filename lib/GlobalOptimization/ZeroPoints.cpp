//===- ZeroPoints.cpp - sums of products without zero points --------------===//

#include "ZeroPoints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu;

static bool isZero(Value value) { return matchPattern(value, m_Zero()); }

/// `value` as an integer of `type`.
static Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value
                                 : arith::ExtSIOp::create(builder, loc, type, value).getResult();
}

static SmallVector<utils::IteratorType> getLoops(unsigned parallel, unsigned reduction = 0) {
  SmallVector<utils::IteratorType> loops(parallel, utils::IteratorType::parallel);
  loops.append(reduction, utils::IteratorType::reduction);
  return loops;
}

namespace {
/// The sums of an operand over the loops that reduce.
struct OperandSums {
  Value value;
  SmallVector<unsigned> loops; ///< of the op: one for each dimension of `value`
};

class ZeroPointSplitter {
public:
  ZeroPointSplitter(linalg::LinalgOp op, PatternRewriter &rewriter)
      : op(op), rewriter(rewriter), loc(op.getLoc()), init(op.getDpsInits().front()),
        type(cast<RankedTensorType>(init.getType()).getElementType()) {}

  Value split(function_ref<Value(Value init)> createProducts, int64_t numProducts);

private:
  bool reduces(AffineExpr expr);
  OperandSums sum(unsigned input);
  Value sumCoordinates(Value tensor, ArrayRef<unsigned> kept, ArrayRef<unsigned> summed);
  Value sumWindows(Value tensor, ArrayRef<AffineExpr> coordinates, OperandSums &sums);
  Value createSum(Value empty, ValueRange inputs, ArrayRef<AffineMap> maps, unsigned numKept);
  AffineMap getMap(ArrayRef<unsigned> loops);
  Value addToInit(const OperandSums &sums, Value zeroPoint);

  linalg::LinalgOp op;
  PatternRewriter &rewriter;
  Location loc;
  Value init;
  Type type; ///< of sums
};
} // namespace

/// Whether a coordinate is a loop that reduces, and nothing else.
bool ZeroPointSplitter::reduces(AffineExpr expr) {
  auto dim = dyn_cast<AffineDimExpr>(expr);
  return dim && op.getIteratorTypesArray()[dim.getPosition()] == utils::IteratorType::reduction;
}

/// From the loops of the result to a value with a dimension for each of `loops`.
AffineMap ZeroPointSplitter::getMap(ArrayRef<unsigned> loops) {
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<AffineExpr> positions;
  for (unsigned loop : loops)
    positions.push_back(
        rewriter.getAffineDimExpr(*output.getResultPosition(rewriter.getAffineDimExpr(loop))));
  return AffineMap::get(output.getNumResults(), 0, positions, rewriter.getContext());
}

/// Adds up the first of `inputs`; the last of `maps` is that of the sums.
Value ZeroPointSplitter::createSum(Value empty, ValueRange inputs, ArrayRef<AffineMap> maps,
                                   unsigned numKept) {
  Value zero = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  Value fill = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  return linalg::GenericOp::create(rewriter, loc, fill.getType(), inputs, fill, maps,
                                   getLoops(numKept, maps.front().getNumDims() - numKept),
                                   [&](OpBuilder &builder, Location loc, ValueRange values) {
                                     Value element = extend(builder, loc, values.front(), type);
                                     Value sum = arith::AddIOp::create(builder, loc, element,
                                                                       values.back());
                                     linalg::YieldOp::create(builder, loc, sum);
                                   })
      .getResult(0);
}

/// The sums of a constant over the dimensions that are not kept.
static DenseElementsAttr sumConstant(DenseElementsAttr constant, ArrayRef<unsigned> kept,
                                     IntegerType type) {
  ArrayRef<int64_t> shape = constant.getType().getShape();
  SmallVector<int64_t> keptShape, strides(shape.size());
  for (unsigned dim : kept)
    keptShape.push_back(shape[dim]);
  int64_t stride = 1;
  for (unsigned dim : llvm::reverse(kept)) {
    strides[dim] = stride;
    stride *= shape[dim];
  }
  unsigned width = type.getWidth();
  SmallVector<APInt> sums(stride, APInt(width, 0));
  SmallVector<int64_t> index(shape.size());
  int64_t at = 0;
  for (const APInt &value : constant.getValues<APInt>()) {
    sums[at] += value.sext(width);
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      at += strides[dim];
      if (++index[dim] < shape[dim])
        break;
      at -= strides[dim] * shape[dim];
      index[dim] = 0;
    }
  }
  return DenseElementsAttr::get(RankedTensorType::get(keptShape, type), sums);
}

/// The sums over whole dimensions.
Value ZeroPointSplitter::sumCoordinates(Value tensor, ArrayRef<unsigned> kept,
                                        ArrayRef<unsigned> summed) {
  DenseElementsAttr constant;
  auto elementType = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (matchPattern(tensor, m_Constant(&constant)) &&
      elementType.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ConstantOp::create(rewriter, loc,
                                     sumConstant(constant, kept, cast<IntegerType>(type)));
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> indices(kept.size() + summed.size());
  for (auto [loop, dim] : llvm::enumerate(kept)) {
    sizes.push_back(tensor::getMixedSize(rewriter, loc, tensor, dim));
    indices[dim] = rewriter.getAffineDimExpr(loop);
  }
  for (auto [loop, dim] : llvm::enumerate(summed))
    indices[dim] = rewriter.getAffineDimExpr(kept.size() + loop);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, type);
  MLIRContext *context = rewriter.getContext();
  auto results = ArrayRef(indices);
  AffineMap identity = rewriter.getMultiDimIdentityMap(indices.size());
  return createSum(
      empty, tensor,
      {AffineMap::get(indices.size(), 0, results, context), identity.getMajorSubMap(kept.size())},
      kept.size());
}

/// The sums over windows, which `coordinates` slide by loops of the op.
Value ZeroPointSplitter::sumWindows(Value tensor, ArrayRef<AffineExpr> coordinates,
                                    OperandSums &sums) {
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> windowLoops;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (llvm::any_of(coordinates, [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); }))
      (reduces(rewriter.getAffineDimExpr(loop)) ? windowLoops : sums.loops).push_back(loop);
  SmallVector<AffineExpr> renamed(op.getNumLoops(), rewriter.getAffineConstantExpr(0)), window;
  SmallVector<OpFoldResult> sizes;
  SmallVector<int64_t> windowShape;
  unsigned numLoops = 0;
  for (unsigned loop : sums.loops) {
    renamed[loop] = rewriter.getAffineDimExpr(numLoops++);
    unsigned position = *output.getResultPosition(rewriter.getAffineDimExpr(loop));
    sizes.push_back(tensor::getMixedSize(rewriter, loc, init, position));
  }
  for (unsigned loop : windowLoops) {
    window.push_back(renamed[loop] = rewriter.getAffineDimExpr(numLoops++));
    windowShape.push_back(op.getStaticLoopRanges()[loop]);
  }
  MLIRContext *context = rewriter.getContext();
  AffineMap map = AffineMap::get(op.getNumLoops(), 0, coordinates, context)
                      .replaceDimsAndSymbols(renamed, {}, numLoops, 0);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, type);
  Value shape = tensor::EmptyOp::create(rewriter, loc, windowShape, type);
  AffineMap identity = rewriter.getMultiDimIdentityMap(numLoops);
  return createSum(
      empty, {tensor, shape},
      {map, AffineMap::get(numLoops, 0, window, context), identity.getMajorSubMap(sizes.size())},
      sizes.size());
}

OperandSums ZeroPointSplitter::sum(unsigned input) {
  AffineMap map = op.getIndexingMapsArray()[input];
  OperandSums result{op.getDpsInputs()[input], {}};
  SmallVector<unsigned> kept, summed;
  SmallVector<AffineExpr> coordinates;
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (reduces(expr)) {
      summed.push_back(dim);
    } else {
      kept.push_back(dim);
      coordinates.push_back(expr);
    }
  if (!summed.empty())
    result.value = sumCoordinates(result.value, kept, summed);
  if (llvm::all_of(coordinates, llvm::IsaPred<AffineDimExpr>))
    for (AffineExpr expr : coordinates)
      result.loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  else
    result.value = sumWindows(result.value, coordinates, result);
  return result;
}

/// What the sums start from with the constant `sums` times the constant `zeroPoint` taken off; null
/// where one of them is none, or where they start from something else than a constant or a vector.
Value ZeroPointSplitter::addToInit(const OperandSums &sums, Value zeroPoint) {
  DenseElementsAttr constant;
  APInt zero, start;
  if (!matchPattern(sums.value, m_Constant(&constant)) ||
      !matchPattern(zeroPoint, m_ConstantInt(&zero)))
    return {};
  ArrayRef<int64_t> sumsShape = constant.getType().getShape();
  unsigned width = type.getIntOrFloatBitWidth();
  auto offsets = constant.mapValues(
      type, [&](const APInt &value) -> APInt { return -(value * zero.sextOrTrunc(width)); });
  Value vector;
  auto fill = init.getDefiningOp<linalg::FillOp>();
  auto broadcast = init.getDefiningOp<linalg::GenericOp>();
  AffineMap map = getMap(sums.loops), identity = rewriter.getMultiDimIdentityMap(map.getNumDims());
  if (fill && matchPattern(fill.getInputs().front(), m_ConstantInt(&start))) {
    auto moved = offsets.mapValues(type, [&](const APInt &value) { return value + start; });
    vector = arith::ConstantOp::create(rewriter, loc, moved);
  } else if (broadcast && broadcast.getNumDpsInputs() == 1 && broadcast->getNumResults() == 1 &&
             broadcast.getIndexingMapsArray() == ArrayRef<AffineMap>({map, identity}) &&
             broadcast.getNumReductionLoops() == 0 &&
             broadcast.getBody()->getTerminator()->getOperand(0) ==
                 broadcast.getBody()->getArgument(0)) {
    Value bias = broadcast.getDpsInputs().front();
    Value offset = arith::ConstantOp::create(rewriter, loc, offsets);
    if (matchPattern(bias, m_Constant())) {
      vector = rewriter.createOrFold<arith::AddIOp>(loc, bias, offset);
    } else {
      Value empty = tensor::EmptyOp::create(rewriter, loc, sumsShape, type);
      vector = linalg::AddOp::create(rewriter, loc, ValueRange{bias, offset}, empty).getResult(0);
    }
  } else {
    return {};
  }
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), type);
  return linalg::GenericOp::create(rewriter, loc, empty.getType(), vector, empty,
                                   ArrayRef<AffineMap>{map, identity}, getLoops(map.getNumDims()),
                                   [&](OpBuilder &builder, Location loc, ValueRange values) {
                                     linalg::YieldOp::create(builder, loc, values.front());
                                   })
      .getResult(0);
}

Value ZeroPointSplitter::split(function_ref<Value(Value init)> createProducts,
                               int64_t numProducts) {
  Value lhsZero = op.getDpsInputs()[2], rhsZero = op.getDpsInputs()[3];
  bool lhsHasZeroPoint = !isZero(lhsZero), rhsHasZeroPoint = !isZero(rhsZero);
  if (!lhsHasZeroPoint && !rhsHasZeroPoint)
    return createProducts(init);
  Value lhsWide = extend(rewriter, loc, lhsZero, type);
  Value rhsWide = extend(rewriter, loc, rhsZero, type);
  std::optional<OperandSums> rhsSums;
  if (!rhsHasZeroPoint && matchPattern(op.getDpsInputs()[1], m_Constant())) {
    rhsSums = sum(1);
    if (Value moved = addToInit(*rhsSums, lhsZero))
      return createProducts(moved);
  }

  Value result = createProducts(init);
  AffineMap identity =
      rewriter.getMultiDimIdentityMap(cast<RankedTensorType>(init.getType()).getRank());
  AffineMap scalar = AffineMap::get(identity.getNumDims(), 0, rewriter.getContext());
  SmallVector<Value> inputs = {result};
  SmallVector<AffineMap> maps = {identity};
  if (rhsHasZeroPoint) {
    OperandSums lhsSums = sum(0);
    llvm::append_values(inputs, lhsSums.value, rhsWide);
    llvm::append_values(maps, getMap(lhsSums.loops), scalar);
  }
  if (lhsHasZeroPoint) {
    if (!rhsSums)
      rhsSums = sum(1);
    llvm::append_values(inputs, rhsSums->value, lhsWide);
    llvm::append_values(maps, getMap(rhsSums->loops), scalar);
  }
  bool hasBoth = lhsHasZeroPoint && rhsHasZeroPoint;
  if (hasBoth) {
    Value both = arith::MulIOp::create(rewriter, loc, lhsWide, rhsWide);
    Value times =
        arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, numProducts));
    inputs.push_back(arith::MulIOp::create(rewriter, loc, both, times));
    maps.push_back(scalar);
  }
  maps.push_back(identity);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, result), type);
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), inputs, empty, maps, getLoops(identity.getNumDims()),
             [&](OpBuilder &builder, Location loc, ValueRange values) {
               Value sum = values[0];
               for (unsigned i = 1; i + 1 < values.size() - hasBoth; i += 2) {
                 Value term = arith::MulIOp::create(builder, loc, values[i], values[i + 1]);
                 sum = arith::SubIOp::create(builder, loc, sum, term);
               }
               if (hasBoth)
                 sum = arith::AddIOp::create(builder, loc, sum, values[values.size() - 2]);
               linalg::YieldOp::create(builder, loc, sum);
             })
      .getResult(0);
}

LogicalResult npu::global_opt::splitZeroPoints(linalg::LinalgOp op,
                                               function_ref<Value(Value init)> createProducts,
                                               PatternRewriter &rewriter) {
  if (!op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "not on tensors");
  auto sumType = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getDpsInits().front()));
  for (Value input : op.getDpsInputs()) {
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(input));
    if (!sumType || !type || type.getWidth() > sumType.getWidth())
      return rewriter.notifyMatchFailure(op, "not of integers, or sums are narrower than those");
  }
  int64_t numProducts = 1;
  for (auto [loop, range] : llvm::zip_equal(op.getIteratorTypesArray(), op.getStaticLoopRanges())) {
    if (loop != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return rewriter.notifyMatchFailure(op, "dynamic number of products");
    numProducts *= range;
  }
  rewriter.replaceOp(op, ZeroPointSplitter(op, rewriter).split(createProducts, numProducts));
  return success();
}
