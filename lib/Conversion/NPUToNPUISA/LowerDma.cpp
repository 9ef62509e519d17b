//===- LowerDma.cpp - DMA ops to instructions -----------------------------===//

#include "Operands.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using isa::Affine;
using isa::BoxDim;

namespace {
/// A DMA op's transfer, whichever way it goes.
struct Transfer {
  Operation *op;
  Value dram, chip;
  OperandRange origin, extents;
  AffineMap map; ///< chip coordinates to DRAM coordinates relative to the origin
};

/// One coordinate of the DRAM tensor: `constant + sum(factor * chip dimension)`.
struct Coordinate {
  SmallVector<std::pair<unsigned, int64_t>, 2> terms;
  int64_t constant = 0;
};

/// The two sides of a transfer and its box.
struct Box {
  isa::DramSide dram;   ///< of a tensor in SRAM, the region says nothing
  bool isLocal = false; ///< the tensor is in SRAM
  isa::Address chip;
  SmallVector<BoxDim, 0> dims;
  /// Of a gather, bytes between the indices along the dimensions; 0 from the end on.
  SmallVector<int64_t> indexStrides;
};

class BoxBuilder {
public:
  BoxBuilder(const Transfer &transfer, const LoweringContext &context)
      : transfer(transfer), context(context) {}

  FailureOr<Box> build();
  /// Says how the box's dimensions move through `indices`.
  void setIndices(const ChipView &indices, AffineMap map);

private:
  LogicalResult placeTensor();
  LogicalResult addChipDims();
  LogicalResult addCoordinate(unsigned index, int64_t size, int64_t stride);
  LogicalResult addFixedCoordinate(const Affine &origin, int64_t size, int64_t stride);
  LogicalResult addMovingCoordinate(const Coordinate &coordinate, const Affine &origin,
                                    int64_t size, int64_t stride);
  FailureOr<Coordinate> getCoordinate(AffineExpr expr) const;

  const Transfer &transfer;
  const LoweringContext &context;
  Box box;
  SmallVector<int64_t> strides; ///< of the tensor, bytes
  /// Chip dimensions that already move a coordinate.
  llvm::SmallBitVector used;
};
} // namespace

FailureOr<Coordinate> BoxBuilder::getCoordinate(AffineExpr expr) const {
  bool linear = expr.isPureAffine();
  expr.walk([&](AffineExpr part) {
    linear &= part.getKind() != AffineExprKind::FloorDiv &&
              part.getKind() != AffineExprKind::CeilDiv && part.getKind() != AffineExprKind::Mod;
  });
  if (!linear)
    return transfer.op->emitOpError("expected linear coordinates in the map but found ")
           << AffineMapAttr::get(transfer.map);
  // Constant term and factors come from evaluating at the unit vectors.
  unsigned numDims = transfer.map.getNumDims();
  MLIRContext *mlirContext = expr.getContext();
  auto evaluateAt = [&](std::optional<unsigned> one) {
    SmallVector<AffineExpr> values;
    for (unsigned d = 0; d < numDims; ++d)
      values.push_back(getAffineConstantExpr(one == d, mlirContext));
    return llvm::cast<AffineConstantExpr>(simplifyAffineExpr(expr.replaceDims(values), 0, 0))
        .getValue();
  };
  Coordinate coordinate;
  coordinate.constant = evaluateAt(std::nullopt);
  for (unsigned d = 0; d < numDims; ++d)
    if (int64_t factor = evaluateAt(d) - coordinate.constant)
      coordinate.terms.push_back({d, factor});
  return coordinate;
}

/// One box dimension per chip dimension, which repeats the same data until a coordinate claims it.
LogicalResult BoxBuilder::addChipDims() {
  FailureOr<ChipView> chip = convertChipView(transfer.op, transfer.chip, context.scope);
  if (failed(chip))
    return failure();
  box.chip = chip->address;
  for (auto [d, size] : llvm::enumerate(chip->shape)) {
    FailureOr<isa::Extent> extent =
        convertExtent(transfer.op, transfer.extents, d, size, context.scope);
    if (failed(extent))
      return failure();
    BoxDim &dim = box.dims.emplace_back();
    dim.extent = *extent;
    dim.chip_stride = chip->strides[d];
    dim.high = extent->full;
  }
  used.resize(chip->shape.size());
  return success();
}

/// A coordinate that no chip dimension moves. It contributes to the base, or, where it may lie
/// outside the tensor, becomes a dimension of extent 1 so that its window is checked.
LogicalResult BoxBuilder::addFixedCoordinate(const Affine &origin, int64_t size, int64_t stride) {
  if (context.scope.getMin(origin) >= 0 && context.scope.getMax(origin) < size) {
    box.dram.base = box.dram.base + origin * stride;
    return success();
  }
  BoxDim &dim = box.dims.emplace_back();
  dim.extent = isa::fixedExtent(1);
  dim.dram_stride = stride;
  dim.origin = origin;
  dim.high = size;
  return success();
}

LogicalResult BoxBuilder::addMovingCoordinate(const Coordinate &coordinate, const Affine &origin,
                                              int64_t size, int64_t stride) {
  for (auto [d, factor] : coordinate.terms) {
    if (used.test(d))
      return transfer.op->emitOpError("expected on-chip dimension ")
             << d << " to move one DRAM coordinate only";
    used.set(d);
  }
  if (coordinate.terms.size() > 2)
    return transfer.op->emitOpError("expected a DRAM coordinate to be moved by at most 2 on-chip "
                                    "dimensions but found ")
           << coordinate.terms.size();

  auto [inner, factor] = coordinate.terms.front();
  if (coordinate.terms.size() == 2) {
    // The dimension with the smaller factor is the inner one; the other counts blocks of it.
    auto [outer, block] = coordinate.terms.back();
    if (std::abs(factor) > std::abs(block)) {
      std::swap(inner, outer);
      std::swap(factor, block);
    }
    if (block % factor != 0 || block / factor < 1)
      return transfer.op->emitOpError("expected one of two factors of on-chip dimensions that move "
                                      "a DRAM coordinate to divide the other but found ")
             << factor << " and " << block;
    box.dims[inner].outer = outer;
    box.dims[inner].block = block / factor;
  }

  // With a factor, coordinates count steps of it, backwards where it is negative:
  // origin = factor * steps + rest.
  Affine steps = origin;
  int64_t rest = origin.base % factor;
  steps.base = (origin.base - rest) / factor;
  for (int64_t &coefficient : steps.coefficients) {
    if (coefficient % factor != 0)
      return transfer.op->emitOpError(
                 "expected the origin to move in multiples of the map's factor ")
             << factor;
    coefficient /= factor;
  }
  BoxDim &dim = box.dims[inner];
  dim.dram_stride = stride * factor;
  dim.origin = steps;
  if (factor > 0) {
    dim.low = llvm::divideCeilSigned(-rest, factor);
    dim.high = llvm::divideCeilSigned(size - rest, factor);
  } else {
    dim.low = llvm::divideFloorSigned(rest - size, -factor) + 1;
    dim.high = llvm::divideFloorSigned(rest, -factor) + 1;
  }
  box.dram.base = box.dram.base + Affine(rest * stride);
  return success();
}

LogicalResult BoxBuilder::addCoordinate(unsigned index, int64_t size, int64_t stride) {
  FailureOr<Coordinate> coordinate = getCoordinate(transfer.map.getResult(index));
  FailureOr<Affine> origin = convertOffset(transfer.op, transfer.origin[index], context.scope);
  if (failed(coordinate) || failed(origin))
    return failure();
  Affine start = *origin + Affine(coordinate->constant);
  if (coordinate->terms.empty())
    return addFixedCoordinate(start, size, stride);
  return addMovingCoordinate(*coordinate, start, size, stride);
}

/// Removes dimensions of one index inside the tensor while there are too many: they only move the
/// base.
static void dropUnitDims(Box &box, const LoopScope &scope) {
  for (size_t i = 0; i < box.dims.size() && box.dims.size() > isa::maxDmaDims;) {
    const BoxDim &dim = box.dims[i];
    bool inside = scope.getMin(dim.origin) >= dim.low && scope.getMax(dim.origin) < dim.high;
    if (!isFixedExtent(dim.extent, 1) || dim.block != 0 || !inside) {
      ++i;
      continue;
    }
    box.dram.base = box.dram.base + dim.origin * dim.dram_stride;
    for (BoxDim &other : box.dims) {
      if (other.block != 0 && other.outer == static_cast<int64_t>(i))
        other.outer = other.block = 0;
      else if (other.outer > static_cast<int64_t>(i))
        --other.outer;
    }
    box.dims.erase(box.dims.begin() + i);
    if (i < box.indexStrides.size())
      box.indexStrides.erase(box.indexStrides.begin() + i);
  }
}

void BoxBuilder::setIndices(const ChipView &indices, AffineMap map) {
  box.indexStrides.resize(map.getNumDims());
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), indices.strides))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      box.indexStrides[dim.getPosition()] += stride;
}

/// Where the tensor lies, and how.
LogicalResult BoxBuilder::placeTensor() {
  auto type = llvm::cast<MemRefType>(transfer.dram.getType());
  if (getMemorySpace(type) == MemorySpace::Sram) {
    FailureOr<ChipView> view = convertChipView(transfer.op, transfer.dram, context.scope);
    if (failed(view))
      return failure();
    if (view->address.depth > 1)
      return transfer.op->emitOpError("expected a source in SRAM of one slot but found ")
             << view->address.depth;
    box.isLocal = true;
    box.dram.base = view->address.base;
    box.dram.type = view->type;
    strides = view->strides;
    return success();
  }
  // The same memory in another shape.
  Value memory = transfer.dram;
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  auto place = context.dram.find(memory);
  if (place == context.dram.end() || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return transfer.op->emitOpError(
               "expected its DRAM side to be a static buffer of the kernel with "
               "identity layout but found ")
           << type;
  FailureOr<isa::ElementType> elementType = convertElementType(transfer.op, type.getElementType());
  if (failed(elementType))
    return failure();
  box.dram.region = place->second.region;
  box.dram.base = Affine(place->second.offset);
  box.dram.type = *elementType;
  for (int64_t stride : type.getStridesAndOffset().first)
    strides.push_back(stride * isa::getByteSize(*elementType));
  return success();
}

FailureOr<Box> BoxBuilder::build() {
  auto type = llvm::cast<MemRefType>(transfer.dram.getType());
  if (failed(placeTensor()) || failed(addChipDims()))
    return failure();
  // Coordinates that move first: the others only take dimensions that are left.
  for (bool moving : {true, false})
    for (unsigned i = 0; i < transfer.map.getNumResults(); ++i)
      if (llvm::isa<AffineConstantExpr>(transfer.map.getResult(i)) != moving)
        if (failed(addCoordinate(i, type.getDimSize(i), strides[i])))
          return failure();
  dropUnitDims(box, context.scope);
  if (box.dims.size() > isa::maxDmaDims)
    return transfer.op->emitOpError("moves a box of ")
           << box.dims.size() << " dimensions, at most " << isa::maxDmaDims << " are possible";
  if (box.dims.empty()) { // a scalar
    box.dims.emplace_back().extent = isa::fixedExtent(1);
    box.dims.back().high = 1;
  }
  return std::move(box);
}

FailureOr<Code> npu::lowerDmaLoad(DmaLoadOp op, const LoweringContext &context) {
  Transfer transfer{
      op, op.getSrc(), op.getDst(), op.getOrigin(), op.getExtents(), op.getEffectiveMap()};
  FailureOr<Box> box = BoxBuilder(transfer, context).build();
  if (failed(box))
    return failure();
  isa::LoadFlags flags;
  if (std::optional<TypedAttr> fill = op.getFill())
    flags.fill = getStoredBits(*fill);
  // The others beside the leader.
  if (std::optional<uint64_t> clusters = op.getClusters())
    flags.clusters = llvm::maskTrailingOnes<uint64_t>(*clusters) & ~(uint64_t(1) << op.getLeader());
  auto addTo = [&](auto load) {
    load.to = box->chip;
    load.dims = box->dims;
    load.flags = flags;
    return Code{load};
  };
  if (!box->isLocal) {
    isa::DmaLoad load;
    load.from = box->dram;
    return addTo(load);
  }
  isa::DmaCopy copy;
  copy.from.base = box->dram.base;
  copy.from.type = box->dram.type;
  return addTo(copy);
}

FailureOr<Code> npu::lowerDmaStore(DmaStoreOp op, const LoweringContext &context) {
  Transfer transfer{
      op, op.getDst(), op.getSrc(), op.getOrigin(), op.getExtents(), op.getEffectiveMap()};
  FailureOr<Box> box = BoxBuilder(transfer, context).build();
  if (failed(box))
    return failure();
  isa::DmaStore store;
  store.to = box->dram;
  store.from = box->chip;
  store.dims = box->dims;
  return Code{store};
}

FailureOr<Code> npu::lowerDmaGather(DmaGatherOp op, const LoweringContext &context) {
  FailureOr<ChipView> indices = convertChipView(op, op.getIndices(), context.scope);
  if (failed(indices))
    return failure();
  Transfer transfer{op, op.getSrc(), op.getDst(), op.getOrigin(), op.getExtents(), op.getMap()};
  BoxBuilder builder(transfer, context);
  builder.setIndices(*indices, op.getIndexMap());
  FailureOr<Box> box = builder.build();
  if (failed(box))
    return failure();
  isa::DmaGather gather;
  gather.from = box->dram;
  gather.to = box->chip;
  gather.dims = box->dims;
  gather.indices = indices->address;
  auto source = cast<MemRefType>(op.getSrc().getType());
  gather.chosen.rows = source.getDimSize(op.getDimension());
  gather.chosen.row_bytes =
      source.getStridesAndOffset().first[op.getDimension()] * isa::getByteSize(gather.from.type);
  isa::setIndexStrides(gather.chosen, box->indexStrides);
  return Code{gather};
}
