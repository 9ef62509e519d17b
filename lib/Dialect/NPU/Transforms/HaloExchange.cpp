//===- HaloExchange.cpp - what clusters read of each other's shares -------===//

#include "HaloExchange.h"

#include "BufferUsage.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace npu;

namespace {
/// A part of a share and of what lies around it: along each dimension of the tensor, from so many
/// elements behind the first one of the share on.
struct Part {
  SmallVector<int64_t> first, counts;
};
} // namespace

/// What the share holds of the tensor.
static Part getWhole(const HandedOnTensor &tensor) {
  Part part;
  for (unsigned dim = 0; dim < tensor.order.size(); ++dim) {
    part.first.push_back(0);
    part.counts.push_back(tensor.getWindow(dim));
  }
  return part;
}

/// That part of the buffer.
static Value createView(OpBuilder &builder, Location loc, const HandedOnTensor &tensor,
                        Value buffer, const Part &part) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (unsigned dim : tensor.order) {
    offsets.push_back(builder.getIndexAttr(tensor.share.before[dim] + part.first[dim]));
    sizes.push_back(builder.getIndexAttr(part.counts[dim]));
  }
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes, strides);
}

/// Where in the tensor that is, by the counters of the loop over clusters.
static SmallVector<Value> getOrigin(OpBuilder &builder, Location loc, const HandedOnTensor &tensor,
                                    ValueRange counters, const Part &part) {
  const Share &share = tensor.share;
  SmallVector<Value> origin;
  for (auto [dim, first] : llvm::enumerate(part.first)) {
    if (share.steps[dim] == 0) {
      origin.push_back(arith::ConstantIndexOp::create(builder, loc, share.first[dim] + first));
      continue;
    }
    AffineExpr index = builder.getAffineDimExpr(0) * share.steps[dim] + (share.first[dim] + first);
    origin.push_back(
        affine::AffineApplyOp::create(builder, loc, index, counters[share.movedBy[dim]]));
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

/// Extents of that part of a share, empty along `dim` where one of `when` is not positive; none
/// where all are always one.
static SmallVector<Value> getExtents(OpBuilder &builder, Location loc, const HandedOnTensor &tensor,
                                     const Part &part, unsigned dim, ArrayRef<AffineExpr> when,
                                     ValueRange counters) {
  SmallVector<Value> extents;
  if (llvm::all_of(when, [](AffineExpr expr) { return expr == 1; }))
    return extents;
  for (unsigned shown : tensor.order) {
    int64_t size = part.counts[shown];
    if (shown != dim) {
      extents.push_back(arith::ConstantIndexOp::create(builder, loc, size));
      continue;
    }
    SmallVector<AffineExpr> limits;
    for (AffineExpr expr : when)
      if (expr != 1)
        limits.push_back(expr * size);
    limits.push_back(builder.getAffineConstantExpr(size));
    AffineMap map =
        simplifyAffineMap(AffineMap::get(counters.size(), 0, limits, builder.getContext()));
    extents.push_back(
        affine::makeComposedAffineMin(builder, loc, map, getAsOpFoldResult(counters)));
  }
  return extents;
}

void npu::storeBorders(const HandedOnTensor &tensor, Value buffer) {
  DmaStoreOp last = tensor.stores.back();
  OpBuilder builder(last);
  builder.setInsertionPointAfter(last->getParentOfType<scf::ForallOp>());
  SmallVector<OpFoldResult> shape =
      getAsIndexOpFoldResult(builder.getContext(), tensor.share.shape);
  auto clusters = scf::ForallOp::create(builder, last.getLoc(), shape, ValueRange(), std::nullopt);
  builder.setInsertionPoint(clusters.getBody()->getTerminator());
  SmallVector<Value> counters(clusters.getInductionVars());
  // Along `dim` as far as `when` is positive; what no other cluster reads stays.
  auto store = [&](const Part &part, unsigned dim, AffineExpr when) {
    Location loc = last.getLoc();
    SmallVector<Value> extents = getExtents(builder, loc, tensor, part, dim, when, counters);
    DmaStoreOp::create(builder, loc, createView(builder, loc, tensor, buffer, part), last.getDst(),
                       getOrigin(builder, loc, tensor, counters, part), extents, getMap(tensor));
  };
  for (auto [dim, before, after] : llvm::enumerate(tensor.halo->before, tensor.halo->after))
    if (before + after >= tensor.share.counts[dim])
      return store(getWhole(tensor), dim, builder.getAffineConstantExpr(1));
  for (auto [dim, before, after] : llvm::enumerate(tensor.halo->before, tensor.halo->after)) {
    Part part = getWhole(tensor);
    AffineExpr place = builder.getAffineDimExpr(tensor.share.movedBy[dim]);
    part.counts[dim] = after;
    if (after > 0)
      store(part, dim, place);
    part.first[dim] = tensor.share.counts[dim] - before;
    part.counts[dim] = before;
    if (before > 0)
      store(part, dim, tensor.share.getLength(dim) - 1 - place);
  }
}

void npu::loadHalo(OpBuilder &builder, const HandedOnTensor &tensor, Value buffer) {
  Operation *place = &*builder.getInsertionPoint();
  DmaLoadOp reader = tensor.haloLoads.front();
  Location loc = reader.getLoc();
  const Share &share = tensor.share;
  SmallVector<Value> counters(place->getParentOfType<scf::ForallOp>().getInductionVars());
  AffineExpr isFirst = getFirstIteration(place, counters);
  // Empty along `dim` where one of `when` is not positive.
  auto load = [&](Part part, unsigned dim, int64_t first, int64_t count,
                  ArrayRef<AffineExpr> when) {
    if (count == 0)
      return;
    part.first[dim] = first;
    part.counts[dim] = count;
    Value tile = createView(builder, loc, tensor, buffer, part);
    SmallVector<Value> extents = getExtents(builder, loc, tensor, part, dim, when, counters);
    DmaLoadOp::create(builder, loc, reader.getSrc(),
                      getOrigin(builder, loc, tensor, counters, part), tile, extents,
                      getMap(tensor), tensor.halo->fill, IntegerAttr());
  };
  // What is loaded along a dimension has the corners between it and those that follow.
  Part around = getWhole(tensor);
  for (auto [dim, before, after] : llvm::enumerate(tensor.halo->before, tensor.halo->after)) {
    around.first[dim] -= before;
    around.counts[dim] += before + after;
  }
  auto forEachSide = [&](llvm::function_ref<void(const Part &, unsigned, int64_t, int64_t)> apply) {
    Part part = around, whole = getWhole(tensor);
    for (auto [dim, before, after] : llvm::enumerate(tensor.halo->before, tensor.halo->after)) {
      if (share.steps[dim] == 0)
        continue;
      part.first[dim] = whole.first[dim];
      part.counts[dim] = whole.counts[dim];
      apply(part, dim, before, after);
    }
  };
  auto getPlace = [&](unsigned dim) { return builder.getAffineDimExpr(share.movedBy[dim]); };
  auto getRest = [&](unsigned dim) { return share.getLength(dim) - 1 - getPlace(dim); };
  // What lies beyond the tensor nobody has stored: a load from there fills it, and waits for no
  // other cluster. So does what the last share has behind the end of the tensor.
  forEachSide([&](const Part &part, unsigned dim, int64_t before, int64_t after) {
    int64_t count = share.counts[dim], excess = tensor.getExcess(dim);
    load(part, dim, -before, before, isFirst - getPlace(dim));
    load(part, dim, count - excess, excess + after, isFirst - getRest(dim));
  });
  forEachSide([&](const Part &part, unsigned dim, int64_t before, int64_t after) {
    load(part, dim, -before, before, {isFirst, getPlace(dim)});
    load(part, dim, share.counts[dim], after, {isFirst, getRest(dim)});
  });
}
