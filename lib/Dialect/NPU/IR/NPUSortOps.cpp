//===- NPUSortOps.cpp - sorts on the vector unit --------------------------===//

#include "NPU/Dialect/NPU/IR/SortNetwork.h"

#include "NPU/Dialect/NPU/IR/ISATypes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npu;

unsigned npu::detail::findLackedDim(AffineMap map) {
  unsigned dim = 0;
  while (dim < map.getNumDims() && map.isFunctionOfDim(dim))
    ++dim;
  return dim;
}

template <typename OpTy>
static SortForm makeForm(OpTy op, bool findsPositions) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SortForm form;
  form.length = ranges[op.getRowDim()];
  form.count = ranges[op.getPlaceDim()];
  form.type = *getISAType(op.getInput().getType().getElementType());
  form.isDescending = op.getKind() == SortOrder::Descending;
  form.findsPositions = findsPositions;
  return form;
}

SortForm npu::getSortForm(SortOp op) { return makeForm(op, /*findsPositions=*/false); }
SortForm npu::getSortForm(ArgSortOp op) { return makeForm(op, /*findsPositions=*/true); }

/// The dimensions that count rows.
template <typename OpTy>
static SmallVector<unsigned> getRowsDims(OpTy op) {
  SmallVector<unsigned> dims;
  for (unsigned dim = 0, e = op.getIteratorTypes().size(); dim < e; ++dim)
    if (dim != op.getRowDim() && dim != op.getPlaceDim())
      dims.push_back(dim);
  return dims;
}

SmallVector<tile::Dim> npu::detail::getSortTileDims(NPUComputeOpInterface op, unsigned rowDim,
                                                    unsigned placeDim, const TargetDesc &target) {
  SmallVector<tile::Dim> dims = getElementwiseTileDims(op, target);
  for (unsigned dim : {rowDim, placeDim}) {
    dims[dim].isWhole = dims[dim].mustBeInTile = true;
    dims[dim].fixedTile = dims[dim].extent;
  }
  dims[rowDim].isReduction = true;
  return dims;
}

TileWork npu::detail::getSortWork(SortOp op) { return SortNetwork(getSortForm(op)).getWork(); }
TileWork npu::detail::getSortWork(ArgSortOp op) { return SortNetwork(getSortForm(op)).getWork(); }

template <typename OpTy>
static TileScratch makeScratch(OpTy op) {
  return {getScratchBytes(getSortForm(op)), getRowsDims(op)};
}
TileScratch npu::detail::getSortScratch(SortOp op) { return makeScratch(op); }
TileScratch npu::detail::getSortScratch(ArgSortOp op) { return makeScratch(op); }

/// A block of a row takes two dimensions of an instruction.
LogicalResult npu::detail::verifySortOnTile(NPUComputeOpInterface op) {
  size_t numRows = op.getIteratorTypes().size() - 2;
  if (numRows + 2 <= isa::maxVectorDims)
    return success();
  return op->emitOpError("expected at most ")
         << isa::maxVectorDims - 2 << " dimensions that count rows but found " << numRows;
}

template <typename OpTy>
static LogicalResult verifyScratch(OpTy op) {
  if (!op.hasBufferForm()) {
    if (op.getScratch())
      return op.emitOpError("expected no 'scratch' on tensors");
    return success();
  }
  TileScratch needed = op.getTileScratch();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), shape;
  for (unsigned dim : needed.dims)
    shape.push_back(ranges[dim]);
  shape.push_back(needed.bytes);
  auto type = op.getScratch() ? cast<MemRefType>(op.getScratch().getType()) : MemRefType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type && type.getElementType().isInteger(8) && type.hasStaticShape() &&
      type.getRank() == static_cast<int64_t>(shape.size()) &&
      type.getShape().drop_back() == ArrayRef(shape).drop_back() &&
      type.getShape().back() >= shape.back() &&
      succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1)
    return success();
  InFlightDiagnostic diagnostic = op.emitOpError("expected 'scratch' of i8, at least ");
  llvm::interleave(shape, diagnostic, "x");
  diagnostic << ", but found ";
  if (type)
    return diagnostic << type;
  return diagnostic << "none";
}

/// What both require; `givesPositions` decides about types.
template <typename OpTy>
static LogicalResult verifySort(OpTy op, bool givesPositions) {
  Type from = op.getInput().getType().getElementType(),
       to = op.getOutput().getType().getElementType();
  bool isOrdered = getISAType(from) && !from.isInteger(1);
  bool isResult =
      givesPositions ? to.isInteger(8) || to.isInteger(16) || to.isInteger(32) : from == to;
  if (!isOrdered || !isResult)
    return op.emitOpError("does not take elements of type ") << from << " to " << to;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  size_t rank = maps.empty() ? 0 : maps[0].getNumDims();
  auto lacksOne = [&](AffineMap map) {
    return map.getNumDims() == rank && map.isProjectedPermutation() &&
           map.getNumResults() + 1 == rank;
  };
  if (maps.size() != 2 || !llvm::all_of(maps, lacksOne) || op.getRowDim() == op.getPlaceDim())
    return op.emitOpError("expected projected permutations of the same dimensions as maps of input "
                          "and output, each of which lacks one that the other has, but found ")
           << op.getIndexingMaps();
  if (std::optional<ArrayRef<int64_t>> tile = op.getTile())
    if (tile->size() != rank || llvm::any_of(*tile, [](int64_t size) { return size < 0; }))
      return op.emitOpError("expected ")
             << rank << " tile sizes that are not negative but found " << op.getTileAttr();
  if (failed(npu::detail::verifyComputeOp(op)))
    return failure();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t length = ranges[op.getRowDim()], count = ranges[op.getPlaceDim()];
  if (ShapedType::isDynamic(length) || ShapedType::isDynamic(count))
    return success(); // no kernel has them
  if (count > length || length == 0)
    return op.emitOpError("expected at most as many places as elements in a row, that is ")
           << length << ", but found " << count;
  return verifyScratch(op);
}

LogicalResult SortOp::verify() { return verifySort(*this, /*givesPositions=*/false); }
LogicalResult ArgSortOp::verify() { return verifySort(*this, /*givesPositions=*/true); }

template <typename OpTy>
static Operation *createSortOnTile(OpTy op, OpBuilder &builder, const TileOperands &operands) {
  // In the op's order, which is that of the scratch memory's dimensions as well.
  SmallVector<unsigned> domain;
  for (auto [dim, extent] : llvm::enumerate(operands.extents))
    if (extent)
      domain.push_back(dim);
  auto tiled = cast<OpTy>(npu::detail::cloneOnTile(op, builder, operands.buffers));
  tiled.getScratchMutable().assign(operands.scratch);
  tiled.getExtentsMutable().assign(npu::detail::getTileExtents(operands, domain));
  tiled.setIndexingMapsAttr(npu::detail::getTileMaps(builder, operands.dims, domain));
  tiled.removeTileAttr();
  tiled.removeStageAttr();
  return tiled;
}

Operation *SortOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  return createSortOnTile(*this, builder, operands);
}
Operation *ArgSortOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  return createSortOnTile(*this, builder, operands);
}
