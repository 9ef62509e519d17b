//===- NPUMemoryOps.cpp - data movement and buffers -----------------------===//

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "NPU/Support/ElementBits.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace npu;

static AffineMap getMapOrIdentity(std::optional<AffineMap> map, MemRefType onChip) {
  if (map)
    return *map;
  return AffineMap::getMultiDimIdentityMap(onChip.getRank(), onChip.getContext());
}

static LogicalResult verifyInDram(Operation *op, MemRefType type) {
  if (getMemorySpace(type) == MemorySpace::Dram)
    return success();
  return op->emitOpError("expected the DRAM side in #npu.space<dram> but found ") << type;
}

/// What both directions require of the tile and the tensor, which is in DRAM as a rule.
static LogicalResult verifyDma(Operation *op, MemRefType dram, MemRefType onChip,
                               OperandRange origin, OperandRange extents, AffineMap map) {
  if (dram.getElementType() != onChip.getElementType())
    return op->emitOpError("expected the same element type on both sides but found ")
           << dram.getElementType() << " and " << onChip.getElementType()
           << "; convert with npu.cast";
  if (static_cast<int64_t>(origin.size()) != dram.getRank())
    return op->emitOpError("expected one origin per dimension of the DRAM side, that is ")
           << dram.getRank() << ", but found " << origin.size();
  if (map.getNumSymbols() != 0 || map.getNumDims() != onChip.getRank() ||
      map.getNumResults() != dram.getRank())
    return op->emitOpError("expected a map from the ")
           << onChip.getRank() << " on-chip dimensions to the " << dram.getRank()
           << " DRAM dimensions but found " << AffineMapAttr::get(map);
  if (!extents.empty() && static_cast<int64_t>(extents.size()) != onChip.getRank())
    return op->emitOpError("expected no extents or one per on-chip dimension, that is ")
           << onChip.getRank() << ", but found " << extents.size();
  return success();
}

/// The dimension along which indices choose is one of the tensor's.
static LogicalResult verifyDimension(Operation *op, uint64_t dimension, ShapedType type) {
  if (dimension < static_cast<uint64_t>(type.getRank()))
    return success();
  return op->emitOpError("expected 'dimension' to be one of the ")
         << type.getRank() << " of " << type << " but found " << dimension;
}

AffineMap DmaLoadOp::getEffectiveMap() { return getMapOrIdentity(getMap(), getDst().getType()); }

LogicalResult DmaLoadOp::verify() {
  if (getMemorySpace(getDst().getType()) != MemorySpace::Sram)
    return emitOpError("expected the destination in #npu.space<sram> but found ")
           << getDst().getType();
  std::optional<MemorySpace> space = getMemorySpace(getSrc().getType());
  if (space != MemorySpace::Dram && space != MemorySpace::Sram)
    return emitOpError("expected the source in #npu.space<dram> or #npu.space<sram> but found ")
           << getSrc().getType();
  if (failed(verifyDma(*this, getSrc().getType(), getDst().getType(), getOrigin(), getExtents(),
                       getEffectiveMap())))
    return failure();
  Type elementType = getSrc().getType().getElementType();
  if (getFill() && getFill()->getType() != elementType)
    return emitOpError("expected a fill value of type ")
           << elementType << " but found " << *getFill();
  if (getClusters() && space != MemorySpace::Dram)
    return emitOpError("expected the source in #npu.space<dram>, as 'clusters' receive the data, "
                       "but found ")
           << getSrc().getType();
  if (getLeader() != 0 && !getClusters())
    return emitOpError("expected 'clusters' that receive the data beside 'leader'");
  if (getClusters() == 1 && getLeader() == 0)
    return emitOpError("expected at least 2 clusters that receive the data but found the first "
                       "one alone; drop 'clusters'");
  return success();
}

AffineMap DmaStoreOp::getEffectiveMap() { return getMapOrIdentity(getMap(), getSrc().getType()); }

LogicalResult DmaStoreOp::verify() {
  std::optional<MemorySpace> space = getMemorySpace(getSrc().getType());
  if (space != MemorySpace::Sram && space != MemorySpace::Acc)
    return emitOpError("expected the source in #npu.space<sram> or #npu.space<acc> but found ")
           << getSrc().getType();
  if (failed(verifyInDram(*this, getDst().getType())))
    return failure();
  return verifyDma(*this, getDst().getType(), getSrc().getType(), getOrigin(), getExtents(),
                   getEffectiveMap());
}

LogicalResult DmaGatherOp::verify() {
  if (getMemorySpace(getDst().getType()) != MemorySpace::Sram)
    return emitOpError("expected the destination in #npu.space<sram> but found ")
           << getDst().getType();
  auto indices = cast<MemRefType>(getIndices().getType());
  if (getMemorySpace(indices) != MemorySpace::Sram || !indices.getElementType().isInteger(32))
    return emitOpError("expected indices of i32 in #npu.space<sram> but found ") << indices;
  if (failed(verifyInDram(*this, getSrc().getType())) ||
      failed(verifyDma(*this, getSrc().getType(), getDst().getType(), getOrigin(), getExtents(),
                       getMap())))
    return failure();
  AffineMap indexMap = getIndexMap();
  if (indexMap.getNumSymbols() != 0 || indexMap.getNumDims() != getMap().getNumDims() ||
      indexMap.getNumResults() != indices.getRank())
    return emitOpError("expected a map from the ")
           << getMap().getNumDims() << " on-chip dimensions to the " << indices.getRank()
           << " of the indices but found " << getIndexMapAttr();
  return verifyDimension(*this, getDimension(), getSrc().getType());
}

LogicalResult FillOp::verify() {
  auto type = cast<MemRefType>(getDst().getType());
  std::optional<MemorySpace> space = getMemorySpace(type);
  if (space != MemorySpace::Sram && space != MemorySpace::Acc)
    return emitOpError("expected a buffer in #npu.space<sram> or #npu.space<acc> but found ")
           << type;
  if (!type.hasStaticShape())
    return emitOpError("expected a static buffer but found ") << type;
  if (getValue().getType() != type.getElementType())
    return emitOpError("expected a value of type ")
           << type.getElementType() << " but found " << getValue();
  return success();
}

LogicalResult RingOp::verify() {
  MemRefType type = getBuffer().getType();
  std::optional<MemorySpace> space = getMemorySpace(type);
  if (space != MemorySpace::Sram && space != MemorySpace::Acc)
    return emitOpError("expected a buffer in #npu.space<sram> or #npu.space<acc> but found ")
           << type;
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() || !findElementBytes(type))
    return emitOpError("expected a static buffer of numbers with identity layout but found ")
           << type;
  int64_t bytes = getByteSize(type);
  if (static_cast<int64_t>(getSlotBytes()) < bytes)
    return emitOpError("expected slots of at least ")
           << bytes << " bytes for " << type << " but found " << getSlotBytes();
  return success();
}

//===----------------------------------------------------------------------===//
// PreviousOp
//===----------------------------------------------------------------------===//

LogicalResult PreviousOp::verify() {
  Operation *source = getBuffer().getDefiningOp();
  if (isa_and_nonnull<memref::SubViewOp>(source)) {
    if (llvm::isa<scf::ForOp>(source->getParentOp()))
      return success();
    return emitOpError("expected a part of a buffer that is taken in a loop: outside there is no "
                       "iteration before");
  }
  auto depth = source ? source->getAttrOfType<IntegerAttr>(kBuffersAttrName) : IntegerAttr();
  if (!depth || depth.getInt() < 2)
    return emitOpError(
        "expected a buffer allocated with 'npu.buffers' of at least 2: the iteration "
        "before still needs its own");
  return success();
}
