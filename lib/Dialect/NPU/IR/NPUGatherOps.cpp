//===- NPUGatherOps.cpp - rows chosen by indices --------------------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace npu;

bool npu::hasPlainCoordinates(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return expr == 0;
    bool isNew = !seen.test(dim.getPosition());
    seen.set(dim.getPosition());
    return isNew;
  });
}

/// Whether `map`, to coordinates of `type`, is a projected permutation with a 0 as result number
/// `zero`, if there is one, and elsewhere at most along dimensions of one element.
static bool isGatherMap(AffineMap map, ShapedType type,
                        std::optional<uint64_t> zero = std::nullopt) {
  if (map.getNumSymbols() != 0 || map.getNumResults() != type.getRank() ||
      !hasPlainCoordinates(map))
    return false;
  return llvm::all_of(llvm::enumerate(map.getResults()), [&](auto result) {
    bool isZero = llvm::isa<AffineConstantExpr>(result.value());
    return result.index() == zero ? isZero : !isZero || type.getDimSize(result.index()) == 1;
  });
}

LogicalResult GatherOp::verify() {
  if (hasBufferForm())
    return emitOpError("expected tensors; on buffers it is npu.dma_gather");
  auto source = cast<ShapedType>(getSource().getType()),
       indices = cast<ShapedType>(getIndices().getType()),
       output = cast<ShapedType>(getOutput().getType());
  if (source.getElementType() != output.getElementType() || !indices.getElementType().isInteger(32))
    return emitOpError("expected elements of one type in source and output and indices of i32 but "
                       "found ")
           << source << ", " << output << " and " << indices;
  if (getDimension() >= static_cast<uint64_t>(source.getRank()))
    return emitOpError("expected 'dimension' to be one of the ")
           << source.getRank() << " of " << source << " but found " << getDimension();
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  unsigned rank = output.getRank();
  bool fits = maps.size() == 3 &&
              llvm::all_of(maps, [&](AffineMap map) { return map.getNumDims() == rank; }) &&
              isGatherMap(maps[0], source, getDimension()) && isGatherMap(maps[1], indices) &&
              maps[2].isPermutation();
  if (!fits)
    return emitOpError("expected projected permutations of the output's ")
           << rank << " dimensions for the source, with 0 as coordinate " << getDimension()
           << ", and the indices, and a permutation for the output, but found "
           << getIndexingMaps();
  if (std::optional<ArrayRef<int64_t>> tile = getTile())
    if (tile->size() != rank || llvm::any_of(*tile, [](int64_t size) { return size < 0; }))
      return emitOpError("expected ")
             << rank << " tile sizes that are not negative but found " << getTileAttr();
  return npu::detail::verifyComputeOp(*this);
}

void GatherOp::build(OpBuilder &builder, OperationState &state, Value source, Value indices,
                     Value output, int64_t dimension, ArrayRef<AffineMap> maps) {
  build(builder, state, getDestinationResultTypes(output), source, indices, output, dimension,
        builder.getAffineMapArrayAttr(maps), /*tile=*/DenseI64ArrayAttr(), /*stage=*/StringAttr());
}

SmallVector<utils::IteratorType> GatherOp::getIteratorTypes() {
  return npu::detail::getElementwiseIteratorTypes(*this);
}
SmallVector<AffineMap> GatherOp::getIndexingMapsArray() {
  return llvm::to_vector(getIndexingMaps().getAsValueRange<AffineMapAttr>());
}
Engine GatherOp::getEngine() { return Engine::Dmai; }
OperandRange GatherOp::getTileExtents() { return getOperands().take_front(0); }
bool GatherOp::staysInDram(unsigned index) { return index == 0; }
bool GatherOp::mayOverwriteOperand() { return false; }

SmallVector<int64_t> GatherOp::getTileSizes() {
  return npu::detail::getElementwiseTileSizes(*this, getTileAttr());
}
void GatherOp::setTileSizes(ArrayRef<int64_t> sizes) {
  setTileAttr(DenseI64ArrayAttr::get(getContext(), sizes));
}
SmallVector<tile::Dim> GatherOp::getTileDims(const TargetDesc &target) {
  return npu::detail::getElementwiseTileDims(*this, target);
}

TileWork GatherOp::getTileWork() {
  TileWork work;
  work.passes = 0;
  work.transferBytes = getElementBytes(getOutput().getType());
  return work;
}

/// The source's coordinates begin with the tile's; buffers begin with the tile.
Operation *GatherOp::createOnTile(OpBuilder &builder, const TileOperands &operands) {
  Value source = operands.buffers[0], indices = operands.buffers[1], output = operands.buffers[2];
  ArrayRef<unsigned> domain = operands.dims[2];
  SmallVector<Value> origin;
  SmallVector<AffineExpr> coordinates;
  for (AffineExpr expr : getIndexingMapsArray()[0].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    const unsigned *position = dim ? llvm::find(domain, dim.getPosition()) : domain.end();
    origin.push_back(operands.getOffset(dim ? std::optional(dim.getPosition()) : std::nullopt));
    coordinates.push_back(position == domain.end()
                              ? builder.getAffineConstantExpr(0)
                              : builder.getAffineDimExpr(position - domain.begin()));
  }
  auto indexMap =
      cast<AffineMapAttr>(npu::detail::getTileMaps(builder, operands.dims[1], domain)[0]);
  return DmaGatherOp::create(builder, getLoc(), source, origin, indices, output,
                             npu::detail::getTileExtents(operands, domain), getDimension(),
                             AffineMap::get(domain.size(), 0, coordinates, builder.getContext()),
                             indexMap.getValue());
}

LogicalResult GatherOp::verifyOnTile() { llvm_unreachable("there are none on buffers"); }

void GatherOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  npu::detail::getComputeEffects(*this, effects);
}
