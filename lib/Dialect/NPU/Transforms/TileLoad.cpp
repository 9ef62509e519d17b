//===- TileLoad.cpp - loads that need not be done where they are ----------===//

#include "TileLoad.h"

#include "BufferUsage.h"
#include "IterationBoxes.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Which loads
//===----------------------------------------------------------------------===//

static bool isInput(Value memory) {
  auto argument = dyn_cast<BlockArgument>(memory);
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  return kernel && !kernel.isOutput(argument.getArgNumber()) &&
         getMemorySpace(cast<MemRefType>(memory.getType())) == MemorySpace::Dram;
}

/// Whether `load` alone writes to the tile that `memref` sees, and all that reads it reads that of
/// its iteration.
static bool isFilledBy(Value memref, DmaLoadOp load) {
  return llvm::all_of(memref.getUsers(), [&](Operation *user) {
    if (user == load)
      return true;
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      return !llvm::isa<PreviousOp>(user) && isFilledBy(view.getViewDest(), load);
    return llvm::none_of(getBufferAccesses(user), [&](const BufferAccess &access) {
      return access.memref == memref && access.writes;
    });
  });
}

std::optional<TileLoad> TileLoad::get(DmaLoadOp load) {
  TileLoad result;
  result.load = load;
  memref::AllocOp tile = result.getTile();
  if (!tile || tile->getBlock() != load->getBlock() || !isFilledBy(tile, load) ||
      !isInput(getRootBuffer(load.getSrc())))
    return std::nullopt;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  if (failed(getBackwardSlice(load.getOperation(), &result.slice, options)))
    return std::nullopt;
  result.slice.remove(tile);
  if (!llvm::all_of(result.slice, isPure))
    return std::nullopt;

  llvm::SmallDenseSet<Operation *> moving;
  auto collect = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand))
        moving.insert(argument.getOwner()->getParentOp());
  };
  collect(load);
  llvm::for_each(result.slice, collect);
  SmallVector<scf::ForOp> around = getLoopsAround(load);
  for (scf::ForOp loop : llvm::reverse(around)) {
    if (*getTripCount(loop) == 1)
      continue;
    if (!moving.contains(loop))
      return std::nullopt;
    result.loops.push_back(loop);
  }
  if (result.loops.empty())
    return std::nullopt;
  return result;
}

int64_t TileLoad::getCount(size_t numOuter) const {
  int64_t count = 1;
  for (scf::ForOp loop : ArrayRef(loops).drop_front(numOuter))
    count *= *getTripCount(loop);
  return count;
}

bool TileLoad::canBeSplit() const {
  scf::ForOp first = loops.front();
  // Of contractions it is known what to do where they ask for the first iteration.
  if (llvm::any_of(first.getInductionVar().getUsers(), [](Operation *user) {
        return llvm::isa<NPUComputeOpInterface>(user) && !llvm::isa<MatmulOp, ConvOp>(user);
      }))
    return false;
  // An iteration would miss what the one before has left; and two loops in a nest need accumulators
  // of their own.
  bool isNest = getNestOp(first) == first;
  return !first
              ->walk([&](Operation *op) {
                auto alloc = dyn_cast<memref::AllocOp>(op);
                bool isAcc = alloc && getMemorySpace(alloc.getType()) == MemorySpace::Acc;
                return llvm::isa<PreviousOp>(op) || (isAcc && !isNest) ? WalkResult::interrupt()
                                                                       : WalkResult::advance();
              })
              .wasInterrupted();
}

int64_t TileLoad::getSplitBytes() const {
  scf::ForOp first = loops.front();
  int64_t bytes = 0;
  // Of two nests one after the other the buffers share memory.
  if (getNestOp(first) != first)
    first.walk([&](memref::AllocOp alloc) {
      if (alloc != getTile() && getMemorySpace(alloc.getType()) == MemorySpace::Sram)
        bytes += getSlotBytes(alloc.getType()) * getRingDepth(alloc);
    });
  return bytes;
}

//===----------------------------------------------------------------------===//
// The loads elsewhere
//===----------------------------------------------------------------------===//

memref::AllocOp TileLoad::createShare(int64_t count) const {
  MemRefType tile = getTile().getType();
  SmallVector<int64_t> shape = {count};
  for (scf::ForOp loop : ArrayRef(loops).drop_front())
    shape.push_back(*getTripCount(loop));
  llvm::append_range(shape, tile.getShape());
  auto kernel = getLoad()->getParentOfType<KernelOp>();
  OpBuilder builder(&kernel.getBody().front().front());
  auto type = MemRefType::get(shape, tile.getElementType(), MemRefLayoutAttrInterface(),
                              tile.getMemorySpace());
  return memref::AllocOp::create(builder, getLoad().getLoc(), type);
}

std::optional<unsigned> TileLoad::findPartDim(int64_t parts) const {
  DmaLoadOp op = load;
  ArrayRef<int64_t> tensor = op.getSrc().getType().getShape(),
                    tile = getTile().getType().getShape();
  auto last = llvm::find_if(llvm::reverse(tensor), [](int64_t size) { return size > 1; });
  if (last == tensor.rend())
    return std::nullopt;
  AffineExpr alongRuns = op.getEffectiveMap().getResult(tensor.rend() - last - 1);
  for (unsigned dim = 0; dim < tile.size(); ++dim) {
    bool isFull = op.getExtents().empty() || getConstantIntValue(op.getExtents()[dim]) == tile[dim];
    if (isFull && tile[dim] % parts == 0 && !alongRuns.isFunctionOfDim(dim))
      return dim;
  }
  return std::nullopt;
}

int64_t TileLoad::getParts(int64_t most) const {
  for (int64_t parts = most; parts > 1; --parts)
    if (findPartDim(parts))
      return parts;
  return 1;
}

/// The tile of the iteration in its share, or indices `begin` to `end` of it along `dim`.
static Value createView(OpBuilder &builder, Location loc, MemRefType tile, Value share,
                        ArrayRef<OpFoldResult> counters, std::optional<unsigned> dim = {},
                        int64_t begin = 0, int64_t end = 0) {
  SmallVector<int64_t> shape(tile.getShape());
  SmallVector<OpFoldResult> offsets(counters), sizes(counters.size(), builder.getIndexAttr(1));
  offsets.append(shape.size(), builder.getIndexAttr(0));
  if (dim) {
    shape[*dim] = end - begin;
    offsets[counters.size() + *dim] = builder.getIndexAttr(begin);
  }
  for (int64_t size : shape)
    sizes.push_back(builder.getIndexAttr(size));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(share.getType()), offsets, sizes, strides));
  return memref::SubViewOp::create(builder, loc, type, share, offsets, sizes, strides);
}

/// Lets the load bring indices `begin` to `end` of its tile along `dim` alone.
static void narrow(DmaLoadOp load, unsigned dim, int64_t begin, int64_t end) {
  OpBuilder builder(load);
  SmallVector<AffineExpr> none(load.getEffectiveMap().getNumDims(),
                               builder.getAffineConstantExpr(0));
  SmallVector<AffineExpr> moved = none;
  moved[dim] = builder.getAffineConstantExpr(begin);
  for (auto [coordinate, expr] : llvm::enumerate(load.getEffectiveMap().getResults())) {
    AffineExpr by = expr.replaceDims(moved) - expr.replaceDims(none);
    if (by != 0)
      load.getOriginMutable()[coordinate].assign(getValueOrCreateConstantIndexOp(
          builder, load.getLoc(),
          affine::makeComposedFoldedAffineApply(builder, load.getLoc(),
                                                by + builder.getAffineDimExpr(0),
                                                {OpFoldResult(load.getOrigin()[coordinate])})));
  }
  if (!load.getExtents().empty())
    load.getExtentsMutable()[dim].assign(
        arith::ConstantIndexOp::create(builder, load.getLoc(), end - begin));
}

bool TileLoad::canBeBehind(Operation *place) const {
  auto own = DmaLoadOp(load)->getParentOfType<scf::ForallOp>(),
       other = place->getParentOfType<scf::ForallOp>();
  if (!own || !other)
    return !own && !other;
  // A cluster's number does not become two counters without divisions.
  bool canBeMapped = own.getRank() == 1 || DmaLoadOp(load).getClusters() ||
                     getClusterShape(own) == getClusterShape(other);
  return canBeMapped && getClusterCount(load) == getClusterCount(place);
}

/// Lets a load of each cluster wait until the first one has come to it. That one may still have to
/// load for all, while the others, which have nothing else to do, would be there at once and take
/// the bandwidth. They wait for one that brings nothing to all of them.
static void letFirstGoAhead(DmaLoadOp load) {
  int64_t clusters = getClusterCount(load);
  if (clusters == 1 || load.getClusters() || load.getDst().getType().getRank() == 0)
    return;
  OpBuilder builder(load);
  Value zero = arith::ConstantIndexOp::create(builder, load.getLoc(), 0);
  SmallVector<Value> origin(load.getOrigin().size(), zero),
      extents(load.getDst().getType().getRank(), zero);
  DmaLoadOp::create(builder, load.getLoc(), load.getSrc(), origin, load.getDst(), extents,
                    load.getMapAttr(), load.getFillAttr(), builder.getI64IntegerAttr(clusters));
}

/// Gives the counters of a loop over clusters the values that they have for those of another one.
static void mapClusters(OpBuilder &builder, scf::ForallOp own, scf::ForallOp other,
                        IRMapping &mapping) {
  SmallVector<int64_t> shape = getClusterShape(other);
  if (shape == getClusterShape(own)) {
    mapping.map(own.getInductionVars(), other.getInductionVars());
  } else if (own.getRank() == 1) {
    AffineExpr number = builder.getAffineConstantExpr(0);
    for (auto [dim, length] : llvm::enumerate(shape))
      number = number * length + builder.getAffineDimExpr(dim);
    mapping.map(own.getInductionVar(0),
                affine::AffineApplyOp::create(builder, own.getLoc(),
                                              AffineMap::get(shape.size(), 0, number),
                                              other.getInductionVars())
                    .getResult());
  } // else nothing moves with them
}

void TileLoad::loadParts(OpBuilder builder, Value share, int64_t first, int64_t count,
                         std::pair<int64_t, int64_t> parts, int64_t ofParts,
                         bool waitsForFirst) const {
  DmaLoadOp op = load;
  Location loc = op.getLoc();
  auto getConstant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  IRMapping mapping;
  if (auto clusters = dyn_cast<scf::ForallOp>(builder.getInsertionBlock()->getParentOp()))
    mapClusters(builder, op->getParentOfType<scf::ForallOp>(), clusters, mapping);
  Value moving;
  if (count > 1) {
    auto loop =
        scf::ForOp::create(builder, loc, getConstant(0), getConstant(count), getConstant(1));
    builder.setInsertionPointToStart(loop.getBody());
    moving = affine::AffineApplyOp::create(builder, loc,
                                           builder.getAffineDimExpr(0) + first % getRowLength(),
                                           ValueRange(loop.getInductionVar()));
  }
  for (scf::ForOp loop : getLoopsAround(op))
    mapping.map(loop.getInductionVar(), getConstant(0)); // of one iteration, if not below
  SmallVector<OpFoldResult> counters;
  for (size_t depth = 0; depth < loops.size(); ++depth) {
    bool moves = moving && depth + 1 == loops.size();
    int64_t index = first / getCount(depth + 1) % *getTripCount(loops[depth]);
    mapping.map(scf::ForOp(loops[depth]).getInductionVar(), moves ? moving : getConstant(index));
    counters.push_back(moves ? OpFoldResult(moving) : OpFoldResult(builder.getIndexAttr(index)));
  }
  for (Operation *made : slice)
    builder.clone(*made, mapping);
  std::optional<unsigned> dim;
  int64_t begin = 0, end = 0;
  if (parts.second - parts.first < ofParts) {
    dim = findPartDim(ofParts);
    int64_t size = getTile().getType().getDimSize(*dim) / ofParts;
    begin = parts.first * size;
    end = parts.second * size;
  }
  mapping.map(getTile().getResult(),
              createView(builder, loc, getTile().getType(), share, counters, dim, begin, end));
  auto copy = cast<DmaLoadOp>(builder.clone(*op, mapping));
  if (waitsForFirst)
    letFirstGoAhead(copy);
  if (dim)
    narrow(copy, *dim, begin, end);
}

Operation *TileLoad::prefetch(Operation *place, Value share, int64_t first, int64_t last,
                              int64_t ofParts, bool waitsForFirst) const {
  OpBuilder builder(place);
  builder.setInsertionPointAfter(place);
  int64_t row = getRowLength();
  while (first < last) {
    int64_t tile = first / ofParts, part = first % ofParts;
    // Whole tiles of a row in a loop.
    int64_t tiles = std::min(last / ofParts, (tile / row + 1) * row) - tile;
    if (part > 0 || tiles <= 0) {
      int64_t end = std::min(ofParts, part + last - first);
      loadParts(builder, share, tile, 1, {part, end}, ofParts, waitsForFirst);
      first += end - part;
      continue;
    }
    loadParts(builder, share, tile, tiles, {0, ofParts}, ofParts, waitsForFirst);
    first += tiles * ofParts;
  }
  return &*std::prev(builder.getInsertionPoint());
}

//===----------------------------------------------------------------------===//
// The loop whose tiles are there
//===----------------------------------------------------------------------===//

/// Whether the load brings nothing in any iteration.
static bool isAlwaysEmpty(DmaLoadOp load) {
  return llvm::any_of(load.getExtents(), [](Value extent) {
    return llvm::any_of(getLinearLimits(extent), [](const LinearIndex &limit) {
      std::optional<int64_t> most = getMost(limit, [](BlockArgument) { return std::nullopt; });
      return most && *most <= 0;
    });
  });
}

/// The loop in two: its first `count` iterations stay, the others follow in a copy. Returns the
/// copy of `load`.
static DmaLoadOp split(scf::ForOp loop, int64_t count, DmaLoadOp load) {
  OpBuilder builder(loop);
  auto getConstant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loop.getLoc(), value);
  };
  Value first = getConstant(count), others = getConstant(*getTripCount(loop) - count);
  builder.setInsertionPointAfter(loop);
  IRMapping mapping;
  auto rest = cast<scf::ForOp>(builder.clone(*loop, mapping));
  auto ofRest = cast<DmaLoadOp>(mapping.lookup(load.getOperation()));
  loop.setUpperBound(first);
  rest.setUpperBound(others);
  auto divide = [&](auto op) {
    op.removeBeginAttr();
    // The destination has a sum already.
    if (!llvm::is_contained(op.getInit(), rest.getInductionVar()))
      return;
    op.getInitMutable().clear();
    op.getBiasMutable().clear();
    op.setAccumulate(true);
  };
  rest.walk([&](MatmulOp op) { divide(op); });
  rest.walk([&](ConvOp op) { divide(op); });
  loop.walk([](MatmulOp op) { op.removeEndAttr(); });
  loop.walk([](ConvOp op) { op.removeEndAttr(); });
  builder.setInsertionPointToStart(rest.getBody());
  Value counter =
      affine::AffineApplyOp::create(builder, rest.getLoc(), builder.getAffineDimExpr(0) + count,
                                    ValueRange(rest.getInductionVar()));
  rest.getInductionVar().replaceAllUsesExcept(counter, counter.getDefiningOp());
  // What the first iteration alone brings is there.
  rest.walk([](DmaLoadOp load) {
    if (isAlwaysEmpty(load))
      load.erase();
  });
  return ofRest;
}

void TileLoad::readShare(Value share, int64_t count) {
  if (count < *getTripCount(loops.front()))
    letFirstGoAhead(split(loops.front(), count, load));
  memref::AllocOp tile = getTile();
  OpBuilder builder(tile);
  SmallVector<OpFoldResult> counters;
  for (scf::ForOp loop : loops)
    counters.push_back(OpFoldResult(loop.getInductionVar()));
  Value view = createView(builder, load.getLoc(), tile.getType(), share, counters);
  load.erase();
  // There is no load any more that could bring the first tile in parts.
  for (Operation *user : llvm::make_early_inc_range(tile->getUsers()))
    llvm::TypeSwitch<Operation *>(user).Case<MatmulOp, ConvOp>(
        [](auto contraction) { contraction.removeBeginAttr(); });
  tile.replaceAllUsesWith(view);
  tile.erase();
  updateViews(view);
}
