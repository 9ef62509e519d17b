//===- SpreadLoads.cpp - the first cluster leaves small loads to others ---===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "NestWork.h"
#include "TransferBox.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace npu {
#define GEN_PASS_DEF_NPUSPREADLOADS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Small loads for all
//===----------------------------------------------------------------------===//

/// Whether a load for all clusters, outside of loops, is over sooner than it has begun.
static bool isSmall(DmaLoadOp load, const TargetDesc &target) {
  int64_t bytes = getByteSize(load.getDst().getType());
  return getLoopsAround(load).empty() &&
         bytes <= target.dramLatencyCycles * target.dramBytesPerCycle;
}

//===----------------------------------------------------------------------===//
// Halos of the first cluster
//===----------------------------------------------------------------------===//

/// What an index is on `cluster` in the first iteration of all loops; nothing if it is not known.
static std::optional<int64_t> getAtFirst(Value index, int64_t cluster) {
  if (auto counter = dyn_cast<BlockArgument>(index)) {
    Operation *loop = counter.getOwner()->getParentOp();
    if (llvm::isa<scf::ForallOp>(loop))
      return getClusterIndex(counter, cluster);
    return llvm::isa<scf::ForOp>(loop) ? std::optional<int64_t>(0) : std::nullopt;
  }
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return constant;
  AffineMap map;
  Operation *op = index.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getMap();
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getMap();
  else
    return std::nullopt;
  SmallVector<Attribute> operands, results;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> value = getAtFirst(operand, cluster);
    if (!value)
      return std::nullopt;
    operands.push_back(Builder(op).getIndexAttr(*value));
  }
  if (failed(map.constantFold(operands, results)))
    return std::nullopt;
  int64_t least = cast<IntegerAttr>(results.front()).getInt();
  for (Attribute result : results)
    least = std::min(least, cast<IntegerAttr>(result).getInt());
  return least;
}

/// Whether a load brings something in the first iteration of all loops alone, each cluster's own.
static bool isOwnAtFirst(DmaLoadOp load) {
  return !load.getClusters() && getIterations(load) > 1 && loadsAtFirst(load) &&
         !load.getExtents().empty();
}

/// What a view shows on `cluster` in the first iteration of all loops.
static std::optional<IndexRanges> getBoxAtFirst(Value memref, int64_t cluster) {
  return getViewRanges(memref, [&](OpFoldResult offset) -> std::optional<IndexRange> {
    std::optional<int64_t> begin = getConstantIntValue(offset);
    if (auto value = dyn_cast<Value>(offset); value && !begin)
      begin = getAtFirst(value, cluster);
    return begin ? std::optional(IndexRange{*begin, *begin}) : std::nullopt;
  });
}

/// The load that brings cluster `last` something else to where `halo` brings the first one its
/// part: to all of that.
static DmaLoadOp findOverwriting(DmaLoadOp halo, int64_t last) {
  std::optional<IndexRanges> box = getBoxAtFirst(halo.getDst(), 0);
  auto bringsAsMuch = [&](DmaLoadOp load) {
    return llvm::all_of(llvm::zip_equal(load.getExtents(), halo.getExtents()), [&](auto extents) {
      auto [own, other] = extents;
      std::optional<int64_t> most = getAtFirst(own, last), needed = getAtFirst(other, 0);
      return most && needed && *most >= *needed;
    });
  };
  for (auto load : halo->getBlock()->getOps<DmaLoadOp>())
    if (box && isOwnAtFirst(load) && getRootBuffer(load.getDst()) == getRootBuffer(halo.getDst()) &&
        box == getBoxAtFirst(load.getDst(), last) && bringsAsMuch(load))
      return load;
  return {};
}

/// Whether the first cluster may have its halo when it comes to `place`, which is no later: between
/// the two are loads alone, and none of them brings it anything there.
static bool mayComeBefore(DmaLoadOp halo, Operation *place) {
  std::optional<IndexRanges> box = getBoxAtFirst(halo.getDst(), 0);
  for (Operation *op = place; op != halo; op = op->getNextNode()) {
    auto load = dyn_cast<DmaLoadOp>(op);
    if (!load && !isPure(op))
      return false;
    if (!load || getRootBuffer(load.getDst()) != getRootBuffer(halo.getDst()) ||
        isIdle(load.getExtents(), 0))
      continue;
    std::optional<IndexRanges> other = getBoxAtFirst(load.getDst(), 0);
    if (!box || !other || mayMeet(*box, *other))
      return false;
  }
  return true;
}

/// The lesser of two sizes, which both follow from counters of loops.
static Value createMin(OpBuilder &builder, Value size, Value limit) {
  SmallVector<Value> operands = {limit};
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, builder.getContext());
  auto min = size.getDefiningOp<affine::AffineMinOp>();
  AffineMap limits = min ? min.getMap() : map;
  llvm::append_range(operands, min ? ValueRange(min.getOperands()) : ValueRange(size));
  map = AffineMap::get(1 + limits.getNumDims(), limits.getNumSymbols(),
                       llvm::to_vector(llvm::concat<const AffineExpr>(
                           map.getResults(), limits.shiftDims(1).getResults())),
                       builder.getContext());
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  return affine::AffineMinOp::create(builder, limit.getLoc(), map, operands);
}

/// A copy for the first cluster of what the loop over clusters works out.
static Value cloneForFirst(OpBuilder &builder, Value value, scf::ForallOp clusters,
                           IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || !clusters->isProperAncestor(op) || !isPure(op))
    return value;
  for (Value operand : op->getOperands())
    mapping.map(operand, cloneForFirst(builder, operand, clusters, mapping));
  return builder.clone(*op, mapping)->getResult(0);
}

/// Lets the last cluster bring the first one's halo, in front of `place`.
static void takeOver(DmaLoadOp halo, Operation *place, scf::ForallOp clusters) {
  OpBuilder builder(place);
  IRMapping mapping;
  Value zero = arith::ConstantIndexOp::create(builder, halo.getLoc(), 0);
  for (Value counter : clusters.getInductionVars())
    mapping.map(counter, zero);
  for (Value operand : halo->getOperands())
    mapping.map(operand, cloneForFirst(builder, operand, clusters, mapping));
  auto copy = cast<DmaLoadOp>(builder.clone(*halo, mapping));
  copy.setClusters(1);
  copy.setLeader(getClusterCount(halo) - 1);
  // On the first cluster the load itself brings nothing any more.
  builder.setInsertionPoint(halo);
  AffineExpr number = builder.getAffineConstantExpr(0);
  for (auto [dim, count] : llvm::enumerate(getClusterShape(clusters)))
    number = number * count + builder.getAffineDimExpr(dim);
  auto limit = affine::AffineApplyOp::create(
      builder, halo.getLoc(),
      AffineMap::get(clusters.getRank(), 0, number * halo.getDst().getType().getDimSize(0)),
      clusters.getInductionVars());
  Value size = halo.getExtents().front();
  halo.getExtentsMutable()[0].assign(createMin(builder, size, limit));
  for (Value composed : {Value(limit), size})
    if (Operation *op = composed.getDefiningOp(); op && isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct SpreadLoads : npu::impl::NPUSpreadLoadsBase<SpreadLoads> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> known = getTarget(kernel);
    if (failed(expectTileForm(kernel)) || failed(known))
      return signalPassFailure();
    target = *known;
    kernel.walk([&](DmaLoadOp load) {
      if (std::optional<uint64_t> clusters = load.getClusters())
        if (isSmall(load, target))
          load.setLeader(*clusters - 1);
    });
    kernel.walk([&](scf::ForallOp clusters) {
      for (auto nest : clusters.getBody()->getOps<scf::ForOp>())
        if (waitsForFirst(nest))
          spreadHalos(nest, clusters);
    });
  }

private:
  /// Whether a nest waits for what the first cluster loads for all, and the last one has time for
  /// halos of both while the first tile of that is on its way.
  bool waitsForFirst(scf::ForOp nest) const {
    Work work;
    double forAll = 0, firstTile = 0; // cycles of DRAM
    int64_t halos = 0;
    nest.walk([&](Operation *op) {
      Work ofOp = getWork(op, target);
      work += ofOp;
      auto load = dyn_cast<DmaLoadOp>(op);
      if (load && load.getClusters() && load.getLeader() == 0) {
        forAll += ofOp.dram;
        firstTile = std::max(firstTile, ofOp.dram / double(getIterations(load)));
      }
      halos += load && isOwnAtFirst(load);
    });
    return forAll > std::max(work.array, work.vector) &&
           firstTile >= double(halos * target.dramLatencyCycles);
  }

  static void spreadHalos(scf::ForOp nest, scf::ForallOp clusters) {
    SmallVector<DmaLoadOp> halos;
    nest.walk([&](DmaLoadOp load) {
      if (isOwnAtFirst(load) && !isIdle(load.getExtents(), 0))
        halos.push_back(load);
    });
    for (DmaLoadOp halo : halos) {
      Operation *place = findOverwriting(halo, getClusterCount(halo) - 1);
      if (place && halo->isBeforeInBlock(place))
        place = halo;
      if (place && mayComeBefore(halo, place))
        takeOver(halo, place, clusters);
    }
  }

  TargetDesc target;
};
} // namespace
