//===- HaloExchange.cpp - what clusters read of each other's shares -------===//

#include "HaloExchange.h"

#include "BufferUsage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace npu;

/// `count` indices along the halo's dimension of what the buffer holds of the tensor, from so many
/// behind the first one of the share on.
static Value createView(OpBuilder &builder, Location loc, const HandedOnTensor &tensor,
                        Value buffer, int64_t first, int64_t count) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (unsigned dim : tensor.order) {
    bool isHalo = dim == tensor.halo->dim;
    offsets.push_back(builder.getIndexAttr(tensor.share.before[dim] + (isHalo ? first : 0)));
    sizes.push_back(builder.getIndexAttr(isHalo ? count : tensor.getWindow(dim)));
  }
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes, strides);
}

/// Where in the tensor that is.
static SmallVector<Value> getOrigin(OpBuilder &builder, Location loc, const HandedOnTensor &tensor,
                                    Value cluster, int64_t first) {
  SmallVector<Value> origin;
  for (unsigned dim = 0; dim < tensor.order.size(); ++dim) {
    if (dim != tensor.halo->dim) {
      origin.push_back(arith::ConstantIndexOp::create(builder, loc, tensor.share.getFirst(dim, 0)));
      continue;
    }
    AffineExpr index = builder.getAffineDimExpr(0) * tensor.share.steps[dim] + first;
    origin.push_back(affine::AffineApplyOp::create(builder, loc, index, cluster));
  }
  return origin;
}

/// From the dimensions of such a view to those of the tensor; null for the identity.
static AffineMapAttr getMap(const HandedOnTensor &tensor) {
  MLIRContext *context = tensor.memory.getContext();
  SmallVector<AffineExpr> coordinates(tensor.order.size());
  for (auto [position, dim] : llvm::enumerate(tensor.order))
    coordinates[dim] = getAffineDimExpr(position, context);
  AffineMap map = AffineMap::get(tensor.order.size(), 0, coordinates, context);
  return map.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(map);
}

void npu::storeBorders(const HandedOnTensor &tensor, Value buffer) {
  DmaStoreOp last = tensor.stores.back();
  OpBuilder builder(last);
  builder.setInsertionPointAfter(last->getParentOfType<scf::ForallOp>());
  auto clusters = scf::ForallOp::create(
      builder, last.getLoc(), ArrayRef<OpFoldResult>{builder.getIndexAttr(tensor.share.clusters)},
      ValueRange(), std::nullopt);
  builder.setInsertionPoint(clusters.getBody()->getTerminator());
  auto store = [&](int64_t first, int64_t count) {
    if (count > 0)
      DmaStoreOp::create(
          builder, last.getLoc(), createView(builder, last.getLoc(), tensor, buffer, first, count),
          last.getDst(),
          getOrigin(builder, last.getLoc(), tensor, clusters.getInductionVar(0), first),
          ValueRange(), getMap(tensor));
  };
  const Halo &halo = *tensor.halo;
  int64_t count = tensor.share.counts[halo.dim];
  if (halo.before + halo.after >= count)
    return store(0, count);
  store(0, halo.after);
  store(count - halo.before, halo.before);
}

void npu::loadHalo(OpBuilder &builder, const HandedOnTensor &tensor, Value buffer) {
  Operation *place = &*builder.getInsertionPoint();
  DmaLoadOp reader = tensor.haloLoads.front();
  Location loc = reader.getLoc();
  const Halo &halo = *tensor.halo;
  SmallVector<Value> counters = {place->getParentOfType<scf::ForallOp>().getInductionVar(0)};
  AffineExpr cluster = builder.getAffineDimExpr(0), isFirst = builder.getAffineConstantExpr(1);
  for (scf::ForOp loop : getLoopsAround(place)) {
    isFirst = isFirst - builder.getAffineDimExpr(counters.size());
    counters.push_back(loop.getInductionVar());
  }
  // Empty where `when` is not positive.
  auto load = [&](int64_t first, int64_t count, AffineExpr when) {
    if (count == 0)
      return;
    Value tile = createView(builder, loc, tensor, buffer, first, count);
    SmallVector<Value> extents;
    for (auto [dim, size] :
         llvm::zip_equal(tensor.order, cast<MemRefType>(tile.getType()).getShape())) {
      if (when == 1)
        break; // always
      if (dim != halo.dim) {
        extents.push_back(arith::ConstantIndexOp::create(builder, loc, size));
        continue;
      }
      AffineMap limits =
          AffineMap::get(counters.size(), 0, {when * size, builder.getAffineConstantExpr(size)},
                         builder.getContext());
      extents.push_back(
          affine::makeComposedAffineMin(builder, loc, limits, getAsOpFoldResult(counters)));
    }
    DmaLoadOp::create(builder, loc, reader.getSrc(),
                      getOrigin(builder, loc, tensor, counters.front(), first), tile, extents,
                      getMap(tensor), halo.fill, IntegerAttr());
  };
  int64_t count = tensor.share.counts[halo.dim], excess = tensor.getExcess(halo.dim);
  load(-halo.before, halo.before, isFirst);
  load(count, halo.after, isFirst);
  // What the last share has behind the end of the tensor nobody has stored: a load from there fills
  // it.
  load(count - excess, excess, isFirst + cluster - (tensor.share.clusters - 1));
}
