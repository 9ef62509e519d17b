//===- NPUReductionOps.cpp - reductions of the vector unit ----------------===//

#include "NPU/Dialect/NPU/IR/ISATypes.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// What reductions share
//===----------------------------------------------------------------------===//

/// Whether the vector unit reduces elements of `type` so.
static bool acceptsType(ReduceKind kind, Type type) {
  bool isBitwise = isa::getCase(getISAKind(kind)).domain == isa::Domain::Integers;
  if (type.isSignlessInteger())
    return isBitwise || !type.isSignlessInteger(1); // a bit is a byte of 0 or 1
  return llvm::isa<FloatType>(type) && !isBitwise;
}

/// Whether results that are computed of elements of `from` can be written as `to`.
static bool convertsTypes(Type from, Type to) {
  if (from.isSignlessInteger(1) || to.isSignlessInteger(1))
    return from == to;
  return from.isSignlessInteger() == to.isSignlessInteger();
}

/// What all reductions require of types, destination and tile sizes; the rest may rely on it.
template <typename OpTy>
static LogicalResult verifyReduction(OpTy op) {
  Type from = getElementTypeOrSelf(op.getInput()), to = getElementTypeOrSelf(op.getOutput());
  if (!acceptsType(op.getKind(), from))
    return op.emitOpError("does not take elements of type ") << from;
  if (!convertsTypes(from, to))
    return op.emitOpError("expected input and output of integers, of floats or of i1 but found ")
           << from << " and " << to;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps.size() != 2)
    return op.emitOpError("expected one indexing map per data operand, that is 2, but found ")
           << maps.size();
  size_t rank = maps[0].getNumDims();
  if (maps[1].getNumDims() != rank || !maps[1].isProjectedPermutation())
    return op.emitOpError("expected the map of the destination to be a projected permutation of ")
           << rank << " dimensions but found " << AffineMapAttr::get(maps[1]);
  if (!op.getInit().empty() && !op.hasBufferForm())
    return op.emitOpError("expected no 'init' on tensors but found ")
           << op.getInit().size() << " values; use 'accumulate'";
  if (std::optional<ArrayRef<int64_t>> tile = op.getTile())
    if (tile->size() != rank || llvm::any_of(*tile, [](int64_t size) { return size < 0; }))
      return op.emitOpError("expected ")
             << rank << " tile sizes that are not negative but found " << op.getTileAttr();
  return success();
}

SmallVector<utils::IteratorType> npu::detail::getReductionIteratorTypes(AffineMap output) {
  SmallVector<utils::IteratorType> types;
  for (unsigned dim = 0; dim < output.getNumDims(); ++dim)
    types.push_back(output.isFunctionOfDim(dim) ? utils::IteratorType::parallel
                                                : utils::IteratorType::reduction);
  return types;
}

TileWork npu::detail::getReductionTileWork(ReduceKind kind, Type type) {
  TileWork work;
  work.passes = isa::VpuReduce::passes * isa::getCost(getISAKind(kind));
  std::optional<isa::ElementType> elementType = getISAType(type);
  work.isSerial = elementType && isa::isSerial(getISAKind(kind), *elementType);
  return work;
}

LogicalResult npu::detail::verifyReductionOnTile(NPUComputeOpInterface op) {
  // What is reduced takes one dimension of the instruction.
  size_t numKept = llvm::count(op.getIteratorTypes(), utils::IteratorType::parallel);
  if (numKept < isa::maxVectorDims)
    return success();
  return op->emitOpError("expected at most ")
         << isa::maxVectorDims - 1 << " dimensions that are kept but found " << numKept;
}

/// The op on the buffers of a tile, whose dimensions `domain` are its own.
template <typename OpTy>
static OpTy createTiled(OpTy op, OpBuilder &builder, const TileOperands &operands,
                        ArrayRef<unsigned> domain) {
  auto tiled = cast<OpTy>(npu::detail::cloneOnTile(op, builder, operands.buffers));
  tiled.getExtentsMutable().assign(npu::detail::getTileExtents(operands, domain));
  if (!operands.accumulates)
    tiled.getInitMutable().assign(operands.init);
  tiled.setAccumulate(operands.accumulates);
  tiled.removeTileAttr();
  tiled.removeStageAttr();
  return tiled;
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  if (failed(verifyReduction(*this)))
    return failure();
  AffineMap input = getIndexingMapsArray().front();
  if (!input.isPermutation())
    return emitOpError("expected the map of the input to be a permutation but found ")
           << AffineMapAttr::get(input);
  return npu::detail::verifyComputeOp(*this);
}

void ReduceOp::build(OpBuilder &builder, OperationState &state, ReduceKind kind, Value input,
                     Value output, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), kind, input, output, ValueRange(),
        ValueRange(), builder.getAffineMapArrayAttr(maps), /*accumulate=*/false,
        /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr());
}

SmallVector<tile::Dim> ReduceOp::getTileDims(const TargetDesc &target) {
  SmallVector<tile::Dim> dims = npu::detail::getElementwiseTileDims(*this, target);
  for (auto [dim, iterator] : llvm::zip_equal(dims, getIteratorTypes()))
    dim.isReduction = iterator == utils::IteratorType::reduction;
  return dims;
}

Operation *ReduceOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  // The dimensions of the input's buffer; those that no tile spans are loops around it.
  ArrayRef<unsigned> domain = operands.dims.front();
  ReduceOp tiled = createTiled(*this, builder, operands, domain);
  tiled.setIndexingMapsAttr(npu::detail::getTileMaps(builder, operands.dims, domain));
  return tiled;
}

//===----------------------------------------------------------------------===//
// PoolOp
//===----------------------------------------------------------------------===//

/// Whether `expr` is a sum of dimensions with positive factors, which it adds to `counts`, and a
/// constant.
static bool isWindowCoordinate(AffineExpr expr, SmallVectorImpl<unsigned> &counts) {
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr); sum && sum.getKind() == AffineExprKind::Add)
    return isWindowCoordinate(sum.getLHS(), counts) && isWindowCoordinate(sum.getRHS(), counts);
  if (::mlir::isa<AffineConstantExpr>(expr))
    return true;
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (product && product.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!factor || factor.getValue() <= 0)
      return false;
    expr = product.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (dim)
    ++counts[dim.getPosition()];
  return static_cast<bool>(dim);
}

/// The constant of a coordinate over `numDims` dimensions: its value where all of them are 0.
static AffineExpr getConstantPart(AffineExpr expr, unsigned numDims) {
  SmallVector<AffineExpr> zeros(numDims, getAffineConstantExpr(0, expr.getContext()));
  return simplifyAffineExpr(expr.replaceDims(zeros), 0, 0);
}

LogicalResult PoolOp::verify() {
  if (failed(verifyReduction(*this)))
    return failure();
  AffineMap input = getIndexingMapsArray().front();
  SmallVector<unsigned> counts(input.getNumDims());
  bool isWindow = llvm::all_of(input.getResults(),
                               [&](AffineExpr expr) { return isWindowCoordinate(expr, counts); });
  if (!isWindow || llvm::any_of(counts, [](unsigned count) { return count != 1; }))
    return emitOpError("expected coordinates of the input to be sums of dimensions with positive "
                       "factors and a constant, each dimension in one of them, but found ")
           << AffineMapAttr::get(input);
  auto hasConstant = [&](AffineExpr expr) {
    return getConstantPart(expr, input.getNumDims()) != 0;
  };
  if (hasBufferForm() && llvm::any_of(input.getResults(), hasConstant))
    return emitOpError(
               "expected no constants in the coordinates of a buffer, which begins with the "
               "first window, but found ")
           << AffineMapAttr::get(input);
  size_t numReduced = llvm::count(getIteratorTypes(), utils::IteratorType::reduction);
  if (getWindow().size() != numReduced ||
      llvm::any_of(getWindow(), [](int64_t extent) { return extent < 1; }))
    return emitOpError("expected ")
           << numReduced << " positive extents of the window but found " << getWindowAttr();
  Type elementType = getElementTypeOrSelf(getInput());
  if (getPadValue() && getPadValue()->getType() != elementType)
    return emitOpError("expected 'pad_value' of type ")
           << elementType << " but found " << *getPadValue();
  return npu::detail::verifyComputeOp(*this);
}

void PoolOp::build(OpBuilder &builder, OperationState &state, ReduceKind kind, Value input,
                   Value output, ArrayRef<AffineMap> maps, ArrayRef<int64_t> window,
                   TypedAttr padValue) {
  build(builder, state, getDestinationResultTypes(output), kind, input, output, ValueRange(),
        ValueRange(), builder.getAffineMapArrayAttr(maps), /*accumulate=*/false,
        /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr(), builder.getDenseI64ArrayAttr(window),
        padValue);
}

SmallVector<int64_t> PoolOp::getStaticLoopRanges() {
  SmallVector<int64_t> ranges = npu::detail::getStaticLoopRanges(*this);
  ArrayRef<int64_t> window = getWindow();
  for (auto [range, iterator] : llvm::zip_equal(ranges, getIteratorTypes()))
    if (iterator == utils::IteratorType::reduction) {
      range = window.front();
      window = window.drop_front();
    }
  return ranges;
}

/// Windows move in loops, except along their last dimension, which an instruction walks.
SmallVector<tile::Dim> PoolOp::getTileDims(const TargetDesc &target) {
  SmallVector<tile::Dim> dims = npu::detail::getElementwiseTileDims(*this, target);
  tile::Dim *last = nullptr;
  for (auto [dim, iterator] : llvm::zip_equal(dims, getIteratorTypes())) {
    if (iterator == utils::IteratorType::parallel)
      continue;
    dim.isReduction = dim.isReluctant = true;
    dim.granule = 1;
    dim.fixedTile = 1;
    last = &dim;
  }
  if (last)
    last->fixedTile = last->extent;
  return dims;
}

/// What changes no result of the reduction.
static TypedAttr getNeutral(ReduceKind kind, Type type) {
  Builder builder(type.getContext());
  if (auto real = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    switch (kind) {
    case ReduceKind::Prod:
      return builder.getFloatAttr(type, APFloat::getOne(semantics));
    case ReduceKind::Max:
    case ReduceKind::Min:
      return builder.getFloatAttr(type, APFloat::getInf(semantics, kind == ReduceKind::Max));
    default:
      return builder.getZeroAttr(type);
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::Prod:
    return builder.getIntegerAttr(type, APInt(width, 1));
  case ReduceKind::And:
    return builder.getIntegerAttr(type, APInt::getAllOnes(width));
  case ReduceKind::Max:
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case ReduceKind::Min:
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  default:
    return builder.getZeroAttr(type);
  }
}

bool PoolOp::mayReadOutside(unsigned index) { return index == 0 && !hasBufferForm(); }

TileLayout PoolOp::getTileLayout(unsigned index, const TargetDesc &) {
  TileLayout layout;
  if (index == 0)
    layout.fill =
        getPadValue() ? *getPadValue() : getNeutral(getKind(), getElementTypeOrSelf(getInput()));
  return layout;
}

/// Dimensions that no tile spans are loops around the op. The buffer begins with the first window.
Operation *PoolOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  SmallVector<unsigned> domain;
  SmallVector<int64_t> window;
  ArrayRef<int64_t> full = getWindow();
  AffineMap input = getIndexingMapsArray().front();
  // A window of one element along a dimension that the buffer does not have is no window.
  auto isInBuffer = [&](unsigned dim) {
    return llvm::any_of(input.getResults(), [&](AffineExpr expr) {
      return expr.isFunctionOfDim(dim) && llvm::any_of(operands.dims.front(), [&](unsigned other) {
               return expr.isFunctionOfDim(other);
             });
    });
  };
  for (auto [dim, iterator] : llvm::enumerate(getIteratorTypes())) {
    bool isReduction = iterator == utils::IteratorType::reduction;
    if (operands.extents[dim] && (!isReduction || isInBuffer(dim))) {
      domain.push_back(dim);
      APInt extent;
      if (isReduction)
        window.push_back(matchPattern(operands.extents[dim], m_ConstantInt(&extent))
                             ? extent.getSExtValue()
                             : full.front());
    }
    if (isReduction)
      full = full.drop_front();
  }
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> replacements(operands.extents.size(), getAffineConstantExpr(0, context));
  for (auto [position, dim] : llvm::enumerate(domain))
    replacements[dim] = getAffineDimExpr(position, context);
  // Coordinates of the buffer, in its order, from its first element.
  SmallVector<AffineExpr> coordinates;
  for (unsigned dim : operands.dims.front())
    for (AffineExpr expr : input.getResults())
      if (expr.isFunctionOfDim(dim)) {
        AffineExpr offset = getConstantPart(expr, input.getNumDims());
        coordinates.push_back(
            simplifyAffineExpr((expr - offset).replaceDims(replacements), domain.size(), 0));
      }
  SmallVector<AffineMap> maps = {
      AffineMap::get(domain.size(), 0, coordinates, context),
      cast<AffineMapAttr>(npu::detail::getTileMaps(builder, operands.dims, domain)[1]).getValue()};
  PoolOp tiled = createTiled(*this, builder, operands, domain);
  tiled.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  tiled.setWindow(window);
  tiled.removePadValueAttr();
  return tiled;
}

//===----------------------------------------------------------------------===//
// What goes along whole rows
//===----------------------------------------------------------------------===//

SmallVector<tile::Dim> npu::detail::getWholeRowTileDims(NPUComputeOpInterface op,
                                                        unsigned dimension,
                                                        const TargetDesc &target) {
  SmallVector<tile::Dim> dims = getElementwiseTileDims(op, target);
  tile::Dim &whole = dims[dimension];
  whole.isReduction = whole.isWhole = true;
  whole.fixedTile = whole.extent;
  return dims;
}

/// What both require of dimension and tile sizes.
template <typename OpTy>
static LogicalResult verifyWholeRow(OpTy op) {
  size_t rank = op.getIndexingMapsArray().front().getNumDims();
  if (op.getDimension() >= rank)
    return op.emitOpError("expected 'dimension' to be one of ")
           << rank << " but found " << op.getDimension();
  if (std::optional<ArrayRef<int64_t>> tile = op.getTile())
    if (tile->size() != rank || llvm::any_of(*tile, [](int64_t size) { return size < 0; }))
      return op.emitOpError("expected ")
             << rank << " tile sizes that are not negative but found " << op.getTileAttr();
  return success();
}

template <typename OpTy>
static Operation *createWholeRowOnTile(OpTy op, OpBuilder &builder, const TileOperands &operands) {
  ArrayRef<unsigned> domain = operands.dims.front();
  auto tiled = cast<OpTy>(npu::detail::cloneOnTile(op, builder, operands.buffers));
  tiled.getExtentsMutable().assign(npu::detail::getTileExtents(operands, domain));
  tiled.setIndexingMapsAttr(npu::detail::getTileMaps(builder, operands.dims, domain));
  tiled.setDimension(llvm::find(domain, op.getDimension()) - domain.begin());
  tiled.removeTileAttr();
  tiled.removeStageAttr();
  return tiled;
}

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  Type from = getElementTypeOrSelf(getInput()), to = getElementTypeOrSelf(getOutput());
  if (!acceptsType(getKind(), from) || !convertsTypes(from, to))
    return emitOpError("does not take elements of type ") << from << " to " << to;
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  size_t rank = maps.empty() ? 0 : maps[0].getNumDims();
  if (maps.size() != 2 || maps[1].getNumDims() != rank || !maps[0].isPermutation() ||
      !maps[1].isPermutation())
    return emitOpError("expected permutations of the same dimensions as maps of input and output "
                       "but found ")
           << getIndexingMaps();
  if (failed(verifyWholeRow(*this)))
    return failure();
  return npu::detail::verifyComputeOp(*this);
}

void ScanOp::build(OpBuilder &builder, OperationState &state, ReduceKind kind, Value input,
                   Value output, ArrayRef<AffineMap> maps, int64_t dimension) {
  build(builder, state, getDestinationResultTypes(output), kind, input, output, ValueRange(),
        builder.getAffineMapArrayAttr(maps), dimension, /*tile=*/DenseI64ArrayAttr(),
        /*stage=*/StringAttr());
}

TileWork ScanOp::getTileWork() {
  TileWork work;
  work.passes = isa::VpuScan::passes * isa::getCost(getISAKind(getKind()));
  work.isSerial = true;
  return work;
}

Operation *ScanOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  return createWholeRowOnTile(*this, builder, operands);
}

//===----------------------------------------------------------------------===//
// ArgReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ArgReduceOp::verify() {
  Type from = getElementTypeOrSelf(getInput()), to = getElementTypeOrSelf(getOutput());
  auto isInteger = [](Type type) { return type.isSignlessInteger() && !type.isSignlessInteger(1); };
  if (!(isInteger(from) || llvm::isa<FloatType>(from)) || !isInteger(to))
    return emitOpError("does not take elements of type ") << from << " to positions of type " << to;
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  size_t rank = maps.empty() ? 0 : maps[0].getNumDims();
  if (maps.size() != 2 || maps[1].getNumDims() != rank || !maps[0].isPermutation() ||
      !maps[1].isProjectedPermutation())
    return emitOpError("expected a permutation of the dimensions as map of the input and a "
                       "projected one as map of the output but found ")
           << getIndexingMaps();
  if (failed(verifyWholeRow(*this)))
    return failure();
  if (maps[1].getNumResults() + 1 != rank || maps[1].isFunctionOfDim(getDimension()))
    return emitOpError("expected the map of the output to lack dimension d")
           << getDimension() << " and no other but found " << AffineMapAttr::get(maps[1]);
  return npu::detail::verifyComputeOp(*this);
}

void ArgReduceOp::build(OpBuilder &builder, OperationState &state, ArgReduceKind kind, Value input,
                        Value output, ArrayRef<AffineMap> maps, int64_t dimension) {
  build(builder, state, getDestinationResultTypes(output), kind, input, output, ValueRange(),
        builder.getAffineMapArrayAttr(maps), dimension, /*tile=*/DenseI64ArrayAttr(),
        /*stage=*/StringAttr());
}

TileWork ArgReduceOp::getTileWork() {
  TileWork work;
  work.passes = isa::VpuArgReduce::passes;
  return work;
}

Operation *ArgReduceOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  return createWholeRowOnTile(*this, builder, operands);
}
