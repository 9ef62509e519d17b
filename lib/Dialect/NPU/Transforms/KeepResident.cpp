//===- KeepResident.cpp - values between kernels in the clusters' SRAM ----===//
//
// Kernels that were put into one hand tensors on through DRAM. Where each cluster loads of such a
// tensor what it has stored itself, and little beside it, it can as well keep that in its SRAM: the
// tile that was stored becomes a part of a buffer of the whole share, and so does the tile that was
// loaded, if the ops that read it can do so in place. Memory decides how many tensors stay.
//
//===----------------------------------------------------------------------===//

#include "BufferUsage.h"
#include "HaloExchange.h"
#include "HandedOnTensor.h"
#include "InPlaceTile.h"
#include "ResultTiles.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Limits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"

namespace npu {
#define GEN_PASS_DEF_NPUKEEPRESIDENT
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// The rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Replaces the transfers of a tensor by views of its share.
class Keeper {
public:
  Keeper(KernelOp kernel, const HandedOnTensor &tensor) : kernel(kernel), tensor(tensor) {}

  /// The share lies in `buffer`, or in one of its own if that is null; returns it.
  memref::AllocOp run(memref::AllocOp buffer);

private:
  OpFoldResult getOffset(OpBuilder &builder, Operation *at, OpFoldResult index, unsigned dim,
                         int64_t shift = 0) const;
  Value createView(Operation *transfer, memref::AllocOp tile, ArrayRef<OpFoldResult> origin,
                   AffineMap map);
  void copyFromShare(DmaLoadOp load);

  KernelOp kernel;
  const HandedOnTensor &tensor;
  memref::AllocOp buffer;
};
} // namespace

/// The index in the share of an index of the tensor, at `at`, and so much further on.
OpFoldResult Keeper::getOffset(OpBuilder &builder, Operation *at, OpFoldResult index, unsigned dim,
                               int64_t shift) const {
  AffineExpr expr = builder.getAffineDimExpr(0) + (shift - tensor.share.getLow(dim, 0));
  SmallVector<OpFoldResult> operands = {index};
  // Outside of loops over clusters it is the first one.
  auto clusters = at->getParentOfType<scf::ForallOp>();
  if (int64_t step = tensor.share.steps[dim]; step != 0 && clusters) {
    expr = expr - builder.getAffineDimExpr(1) * step;
    operands.push_back(clusters.getInductionVar(tensor.share.movedBy[dim]));
  }
  return affine::makeComposedFoldedAffineApply(
      builder, at->getLoc(), AffineMap::get(operands.size(), 0, expr, builder.getContext()),
      operands);
}

/// The part of the share that a tile is.
Value Keeper::createView(Operation *transfer, memref::AllocOp tile, ArrayRef<OpFoldResult> origin,
                         AffineMap map) {
  OpBuilder builder(tile);
  SmallVector<int64_t> strides = *getStrides(map, tensor.order);
  SmallVector<OpFoldResult> offsets, sizes, steps;
  unsigned next = 0;
  for (auto [dim, stride] : llvm::zip_equal(tensor.order, strides)) {
    offsets.push_back(getOffset(builder, tile, origin[dim], dim));
    bool isInTile = map.getResult(dim) != 0;
    sizes.push_back(builder.getIndexAttr(isInTile ? tile.getType().getDimSize(next) : 1));
    steps.push_back(builder.getIndexAttr(stride));
    next += isInTile;
  }
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      tile.getType().getShape(), buffer.getType(), offsets, sizes, steps));
  return memref::SubViewOp::create(builder, transfer->getLoc(), type, buffer, offsets, sizes,
                                   steps);
}

static bool isLoadFromDram(Operation *op) {
  auto load = dyn_cast<DmaLoadOp>(op);
  return load && getMemorySpace(load.getSrc().getType()) == MemorySpace::Dram;
}

/// Behind the loads from DRAM that are next to `load`: the copy waits for what makes the share, and
/// these need not.
static Operation *findLastLoadBeside(DmaLoadOp load) {
  Operation *last = load;
  for (Operation *next = load->getNextNode(); next; next = next->getNextNode()) {
    // Two that fill the same tile stay in order.
    if (isLoadFromDram(next) &&
        getRootBuffer(cast<DmaLoadOp>(next).getDst()) != getRootBuffer(load.getDst()))
      last = next;
    else if (getExecutingEngine(next) || next->getNumRegions() > 0)
      break;
  }
  return last;
}

/// A tile of its own, copied within SRAM.
void Keeper::copyFromShare(DmaLoadOp load) {
  OpBuilder builder(load);
  SmallVector<Value> origin;
  SmallVector<AffineExpr> coordinates;
  SmallVector<OpFoldResult> before, window;
  bool readsHalo = llvm::is_contained(tensor.haloLoads, load);
  for (unsigned dim : tensor.order) {
    int64_t start = tensor.share.before[dim], size = tensor.getWindow(dim);
    if (readsHalo) {
      start -= tensor.halo->before[dim];
      size += tensor.halo->before[dim] + tensor.halo->after[dim];
    }
    before.push_back(builder.getIndexAttr(start));
    window.push_back(builder.getIndexAttr(size));
    origin.push_back(getValueOrCreateConstantIndexOp(
        builder, load.getLoc(), getOffset(builder, load, load.getOrigin()[dim], dim, -start)));
    coordinates.push_back(load.getEffectiveMap().getResult(dim));
  }
  // Beside what is of the tensor it is filled.
  Value source = buffer;
  SmallVector<OpFoldResult> strides(window.size(), builder.getIndexAttr(1));
  if (getConstantIntValues(window) != llvm::to_vector(buffer.getType().getShape()))
    source = memref::SubViewOp::create(builder, load.getLoc(), buffer, before, window, strides);
  AffineMap map =
      AffineMap::get(load.getDst().getType().getRank(), 0, coordinates, builder.getContext());
  DmaLoadOp::create(builder, load.getLoc(), source, origin, load.getDst(), load.getExtents(),
                    map.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(map),
                    load.getFillAttr(), IntegerAttr());
  load.erase();
}

/// The op that reads what `load` brings before all others do.
static Operation *findFirstReader(DmaLoadOp load) {
  SmallVector<Operation *> users = getEngineUsers(getLoadedBuffer(load));
  Operation *first = nullptr;
  getNestOp(load)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == load || !llvm::is_contained(users, op))
      return WalkResult::advance();
    first = op;
    return WalkResult::interrupt();
  });
  return first;
}

/// Whether the engine op before it in its block loads from DRAM; `own` does so no longer.
static bool isBehindLoad(Operation *op, DmaLoadOp own) {
  do
    op = op->getPrevNode();
  while (op && (op == own || !getExecutingEngine(op)) && op->getNumRegions() == 0);
  return op && isLoadFromDram(op);
}

/// Whether `load` alone reads the share in its nest.
static bool isOnlyReaderInNest(DmaLoadOp load, const HandedOnTensor &tensor) {
  return llvm::all_of(tensor.ownLoads, [&](DmaLoadOp other) {
    return other == load || getNestOp(other) != getNestOp(load);
  });
}

memref::AllocOp Keeper::run(memref::AllocOp place) {
  // Before all that uses it.
  Operation *first = &kernel.getBody().front().front();
  OpBuilder builder(first);
  buffer = place ? place
                 : memref::AllocOp::create(builder, tensor.memory.getLoc(), tensor.getBufferType());
  auto replace = [&](Operation *transfer, memref::AllocOp tile, ArrayRef<OpFoldResult> origin,
                     AffineMap map) {
    if (!tile)
      return; // by another transfer already
    Value view = createView(transfer, tile, origin, map);
    tile.replaceAllUsesWith(view);
    tile.erase();
    updateViews(view);
  };
  if (tensor.halo && !tensor.staysInDram())
    storeBorders(tensor, buffer);
  DmaLoadOp firstOfHalo = tensor.halo ? tensor.haloLoads.front() : DmaLoadOp();
  bool isAlone = firstOfHalo && isOnlyReaderInNest(firstOfHalo, tensor);
  for (DmaLoadOp load : tensor.ownLoads) {
    bool isCopied = !canBeReadInPlace(load, tensor);
    // It waits for other clusters, which the loads in front of a copy need not.
    if (isCopied)
      load->moveAfter(findLastLoadBeside(load));
    if (load == firstOfHalo) {
      Operation *reader = isCopied ? load : findFirstReader(load);
      bool isBehindLoads = isAlone && reader && isBehindLoad(reader, load);
      OpBuilder builder(isBehindLoads ? reader : getNestOp(load));
      loadHalo(builder, tensor, buffer);
    }
    if (isCopied) {
      copyFromShare(load);
      continue;
    }
    replace(load, getLoadedBuffer(load), *getLoadedOrigin(load), load.getEffectiveMap());
    load.erase();
  }
  for (DmaStoreOp store : tensor.stores) {
    replace(store, store.getSrc().getDefiningOp<memref::AllocOp>(),
            getAsOpFoldResult(store.getOrigin()), store.getEffectiveMap());
    if (!tensor.staysInDram())
      store.erase();
  }
  if (tensor.staysInDram() || tensor.halo)
    return buffer;
  for (Operation *view : llvm::make_early_inc_range(tensor.memory.getUsers()))
    view->erase();
  tensor.memory.getDefiningOp()->erase();
  return buffer;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
/// Bytes of SRAM in use at each op of the nest.
class Occupancy {
public:
  /// `moved` take up memory only where they become parts of a share.
  Occupancy(KernelOp kernel, int64_t capacity, ArrayRef<ResultTile> moved);

  /// Takes the tensor's share in and drops the tiles that become parts of it. It lies where the one
  /// is whose place it can take, if that is there to its end; tiles that are written before that
  /// one is read stay. Rings of little bytes lose a slot if that makes room. Returns why not, or
  /// nothing.
  StringRef take(HandedOnTensor &tensor);
  /// Which tensors that were taken in lie in the same place, by what holds them in DRAM: their
  /// numbers.
  DenseMap<Value, size_t> getPlaces() const;
  /// Whether the buffers have a placement, those that were taken in as well.
  bool hasPlacement() const;
  /// Gives the rings their depths, and what comes before sums in their place tiles of its own.
  void apply() const;

private:
  struct Taken {
    AllocationRequest share;
    SmallVector<Operation *> tiles;
    std::vector<HandedOnTensor> tensors; ///< in the order of their lives; none: moved to another
  };
  SmallVector<size_t, 2> findNeighbors(const HandedOnTensor &tensor) const;
  SmallVector<Operation *, 2> findOwnTiles(const HandedOnTensor &tensor,
                                           ArrayRef<size_t> neighbors) const;
  void join(size_t place, Taken other);
  void occupy(int64_t lower, int64_t upper, int64_t bytes) {
    for (int64_t position = lower; position < upper; ++position)
      live[position] += bytes;
  }
  void occupy(const PlannedBuffer &buffer, int64_t sign) {
    occupy(buffer.lower, buffer.upper, sign * buffer.getBytes());
  }
  bool shorten(int64_t limit);

  int64_t capacity;
  DenseMap<Operation *, int64_t> positions;
  SmallVector<PlannedBuffer> buffers;
  DenseMap<Operation *, size_t> numbers;      ///< of buffers
  llvm::SmallDenseSet<Operation *> remaining; ///< those that are no parts of shares
  llvm::SmallDenseSet<Operation *> stored;    ///< those that hold a tensor that was taken in
  std::vector<int64_t> live;
  std::vector<Taken> taken;
};
} // namespace

Occupancy::Occupancy(KernelOp kernel, int64_t capacity, ArrayRef<ResultTile> moved)
    : capacity(capacity), buffers(collectBuffers(kernel, MemorySpace::Sram)) {
  for (PlannedBuffer &buffer : buffers)
    if (llvm::any_of(moved, [&](const ResultTile &tile) { return tile.inSram == buffer.alloc; }))
      buffer.slotBytes = 0;
  for (auto [position, op] : llvm::enumerate(getNest(kernel)))
    positions[op] = position;
  live = getLiveBytes(kernel, buffers);
  for (auto [number, buffer] : llvm::enumerate(buffers))
    numbers[buffer.alloc] = number;
  remaining.insert_range(llvm::make_first_range(numbers));
}

/// Bytes that pass through a ring: with one slot less, each of them waits for what uses the last.
static int64_t getPassing(const PlannedBuffer &ring) {
  return ring.slotBytes * getIterations(ring.alloc);
}

/// Takes a slot from the rings where too much is live, those first through which the least passes,
/// at most `limit` bytes. Returns whether that makes room.
bool Occupancy::shorten(int64_t limit) {
  SmallVector<std::tuple<int64_t, int64_t, PlannedBuffer *>> rings; ///< passing bytes, start, ring
  for (PlannedBuffer &buffer : buffers)
    if (buffer.depth > 1 && remaining.contains(buffer.alloc) &&
        llvm::none_of(memref::AllocOp(buffer.alloc)->getUsers(), llvm::IsaPred<PreviousOp>))
      rings.emplace_back(getPassing(buffer), buffer.lower, &buffer);
  llvm::sort(rings);
  SmallVector<PlannedBuffer *> shortened;
  for (auto [passing, lower, ring] : rings) {
    auto during = ArrayRef(live).slice(lower, ring->upper - lower);
    if (*llvm::max_element(during) <= capacity || passing > limit)
      continue;
    occupy(lower, ring->upper, -ring->slotBytes);
    --ring->depth;
    limit -= passing;
    shortened.push_back(ring);
  }
  if (*llvm::max_element(live) <= capacity)
    return true;
  for (PlannedBuffer *ring : shortened) {
    occupy(ring->lower, ring->upper, ring->slotBytes);
    ++ring->depth;
  }
  return false;
}

StringRef Occupancy::take(HandedOnTensor &tensor) {
  SmallVector<Operation *> tiles;
  for (DmaStoreOp store : tensor.stores)
    tiles.push_back(store.getSrc().getDefiningOp());
  // What is made in the place of another tensor may need its tile for what comes before.
  if (!llvm::all_of(tiles, [&](Operation *tile) {
        return remaining.contains(tile) && !stored.contains(tile);
      }))
    return "a tile of it is a part of another tensor";
  for (DmaLoadOp load : tensor.ownLoads)
    if (memref::AllocOp tile = getLoadedBuffer(load);
        remaining.contains(tile) && canBeReadInPlace(load, tensor))
      tiles.push_back(tile);
  int64_t first = live.size(), last = 0;
  auto use = [&](int64_t lower, int64_t upper) {
    first = std::min(first, lower);
    last = std::max(last, upper);
  };
  for (DmaLoadOp load : tensor.ownLoads) {
    Operation *reader = canBeReadInPlace(load, tensor) ? load : findLastLoadBeside(load);
    use(positions.lookup(getNestOp(load)), positions.lookup(getNestOp(reader)) + 1);
  }
  for (Operation *tile : tiles)
    use(buffers[numbers[tile]].lower, buffers[numbers[tile]].upper);

  int64_t bytes = getSlotBytes(tensor.getBufferType());
  SmallVector<size_t, 2> neighbors = findNeighbors(tensor);
  SmallVector<Operation *, 2> own = findOwnTiles(tensor, neighbors), back;
  llvm::erase_if(tiles, [&](Operation *tile) { return llvm::is_contained(own, tile); });
  llvm::copy_if(own, std::back_inserter(back),
                [&](Operation *tile) { return !remaining.contains(tile); });
  auto add = [&](int64_t sign) {
    occupy(first, last, sign * bytes);
    // While both live they are the same.
    for (size_t neighbor : neighbors) {
      const AllocationRequest &other = taken[neighbor].share;
      occupy(std::max(first, other.lower), std::min(last, other.upper), -sign * bytes);
    }
    for (Operation *tile : tiles)
      occupy(buffers[numbers[tile]], -sign);
    for (Operation *tile : back)
      occupy(buffers[numbers[tile]], sign);
  };
  add(1);
  // An eighth of what is saved is little.
  if (*llvm::max_element(live) > capacity && !shorten(tensor.savedBytes / 8)) {
    add(-1);
    return "it does not fit beside what is on chip";
  }
  for (DmaStoreOp store : tensor.stores)
    stored.insert(store.getSrc().getDefiningOp());
  for (Operation *tile : tiles)
    remaining.erase(tile);
  remaining.insert_range(back);
  for (size_t neighbor : neighbors)
    llvm::erase_if(taken[neighbor].tiles,
                   [&](Operation *tile) { return llvm::is_contained(back, tile); });
  size_t place = neighbors.empty() ? taken.size() : neighbors.front();
  if (neighbors.empty())
    taken.push_back({{first, last, bytes}, {}, {}});
  join(place, Taken{{first, last, bytes}, std::move(tiles), {tensor}});
  if (neighbors.size() == 2)
    join(place, std::exchange(taken[neighbors.back()], Taken()));
  return "";
}

/// The places of a share whose place the tensor's takes, and of one that takes its place.
SmallVector<size_t, 2> Occupancy::findNeighbors(const HandedOnTensor &tensor) const {
  std::optional<size_t> before, after;
  for (auto [place, other] : llvm::enumerate(taken)) {
    if (other.tensors.empty())
      continue;
    if (!before && canTakePlace(tensor, other.tensors.back()))
      before = place;
    else if (!after && canTakePlace(other.tensors.front(), tensor))
      after = place;
  }
  SmallVector<size_t, 2> neighbors;
  for (std::optional<size_t> place : {before, after})
    if (place)
      neighbors.push_back(*place);
  return neighbors;
}

/// How the tiles of `later` are made in the place of those of `earlier`.
static InPlaceTile getInPlaceTile(const HandedOnTensor &later, const HandedOnTensor &earlier) {
  return *findInPlaceTile(earlier.ownLoads.back(), later.stores.front());
}

/// The tiles of the tensor, or of what takes its place, that stay beside the shares.
SmallVector<Operation *, 2> Occupancy::findOwnTiles(const HandedOnTensor &tensor,
                                                    ArrayRef<size_t> neighbors) const {
  SmallVector<Operation *, 2> tiles;
  for (auto [number, neighbor] : llvm::enumerate(neighbors)) {
    const std::vector<HandedOnTensor> &others = taken[neighbor].tensors;
    bool isBefore = number == 0 && canTakePlace(tensor, others.back());
    InPlaceTile tile =
        isBefore ? getInPlaceTile(tensor, others.back()) : getInPlaceTile(others.front(), tensor);
    if (!tile.before.empty())
      tiles.push_back(tile.stored);
  }
  return tiles;
}

/// Adds what lies in the same place.
void Occupancy::join(size_t place, Taken other) {
  Taken &own = taken[place];
  bool isLater = own.share.upper <= other.share.upper;
  own.share.lower = std::min(own.share.lower, other.share.lower);
  own.share.upper = std::max(own.share.upper, other.share.upper);
  llvm::append_range(own.tiles, other.tiles);
  own.tensors.insert(isLater ? own.tensors.end() : own.tensors.begin(), other.tensors.begin(),
                     other.tensors.end());
}

DenseMap<Value, size_t> Occupancy::getPlaces() const {
  DenseMap<Value, size_t> places;
  for (auto [place, share] : llvm::enumerate(taken))
    for (const HandedOnTensor &tensor : share.tensors)
      places[tensor.memory] = place;
  return places;
}

bool Occupancy::hasPlacement() const {
  llvm::SmallDenseSet<Operation *> replaced;
  std::vector<AllocationRequest> requests;
  for (const Taken &share : taken) {
    if (!share.tensors.empty())
      requests.push_back(share.share);
    replaced.insert(share.tiles.begin(), share.tiles.end());
  }
  SmallVector<PlannedBuffer> others;
  llvm::copy_if(buffers, std::back_inserter(others),
                [&](const PlannedBuffer &buffer) { return !replaced.contains(buffer.alloc); });
  llvm::append_range(requests, getRequests(others));
  return allocate(requests, isa::bufferAlignment, capacity).peakBytes <= capacity;
}

void Occupancy::apply() const {
  for (const PlannedBuffer &buffer : buffers)
    if (memref::AllocOp alloc = buffer.alloc; getRingDepth(alloc) != buffer.depth)
      alloc->setAttr(kBuffersAttrName, Builder(alloc).getI64IntegerAttr(buffer.depth));
  for (const Taken &share : taken)
    for (size_t later = 1; later < share.tensors.size(); ++later)
      if (InPlaceTile tile = getInPlaceTile(share.tensors[later], share.tensors[later - 1]);
          !tile.before.empty())
        giveOwnTile(tile);
}

namespace {
struct KeepResident : npu::impl::NPUKeepResidentBase<KeepResident> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(expectTileForm(kernel)) || failed(target))
      return signalPassFailure();
    unifyShapes(kernel);
    SmallVector<ResultTile> moved = moveResultsToSram(kernel);
    DenseMap<Value, size_t> places;
    std::vector<HandedOnTensor> chosen = choose(kernel, *target, moved, places);
    for (const ResultTile &tile : moved)
      if (llvm::none_of(chosen, [&](const HandedOnTensor &tensor) {
            return llvm::is_contained(tensor.stores, tile.store);
          }))
        moveBack(tile);
    DenseMap<size_t, memref::AllocOp> buffers;
    for (const HandedOnTensor &tensor : chosen) {
      remark::passed(tensor.memory.getLoc(), getOptions("KeptResident", kernel))
          << remark::metric("bytes", getByteSize(tensor.getBufferType()))
          << remark::metric("savedBytes", tensor.savedBytes);
      memref::AllocOp &buffer = buffers[places.lookup(tensor.memory)];
      buffer = Keeper(kernel, tensor).run(buffer);
    }
  }

private:
  static remark::RemarkOpts getOptions(StringRef name, KernelOp kernel) {
    return remark::RemarkOpts::name(name)
        .category("npu-keep-resident")
        .function(kernel.getSymName());
  }
  static void reportMissed(KernelOp kernel, const HandedOnTensor &tensor, StringRef reason) {
    remark::missed(tensor.memory.getLoc(), getOptions("StaysInDram", kernel))
        << remark::reason("{0}", reason);
  }

  /// The tensors that stay: those first that save the most for their bytes, as long as all fits.
  /// Those of one place share memory.
  static std::vector<HandedOnTensor> choose(KernelOp kernel, const TargetDesc &target,
                                            ArrayRef<ResultTile> moved,
                                            DenseMap<Value, size_t> &places) {
    std::vector<HandedOnTensor> tensors = collectTensors(kernel);
    llvm::erase_if(tensors, [&](HandedOnTensor &tensor) {
      StringRef reason = analyze(tensor);
      if (!reason.empty())
        reportMissed(kernel, tensor, reason);
      return !reason.empty();
    });
    if (tensors.empty())
      return {};
    std::vector<HandedOnTensor> alike = tensors;
    unifyBuffers(alike);
    SmallVector<std::pair<double, size_t>> order;
    for (auto [number, tensor] : llvm::enumerate(tensors))
      order.push_back(
          {-double(tensor.savedBytes) / double(getByteSize(tensor.getBufferType())), number});
    llvm::sort(order);

    SmallVector<StringRef> reasons(tensors.size());
    std::vector<HandedOnTensor> staying;
    // What fits at every moment may have no placement. As a rule all have one.
    for (bool placesEach : {false, true}) {
      Occupancy occupancy(kernel, target.sramBytes, moved);
      auto take = [&](HandedOnTensor &tensor) -> StringRef {
        Occupancy before = occupancy;
        StringRef reason = occupancy.take(tensor);
        if (!reason.empty() || !placesEach || occupancy.hasPlacement())
          return reason;
        occupancy = std::move(before);
        return "it has no place beside what is on chip";
      };
      staying = alike;
      for (auto [gain, number] : order) {
        reasons[number] = take(staying[number]);
        // A share that is as large as those that it could lie with may be too large by itself.
        if (!reasons[number].empty() &&
            staying[number].share.sizes != tensors[number].share.sizes) {
          staying[number] = tensors[number];
          reasons[number] = take(staying[number]);
        }
      }
      // What finds no room until all have read it may be there for the first of them.
      for (auto [gain, number] : order) {
        HandedOnTensor shorter = staying[number];
        while (!reasons[number].empty() && leaveEarlier(shorter))
          if (take(shorter).empty()) {
            reasons[number] = "";
            staying[number] = shorter;
          }
      }
      if (!placesEach && !occupancy.hasPlacement())
        continue;
      occupancy.apply();
      places = occupancy.getPlaces();
      break;
    }
    std::vector<HandedOnTensor> chosen;
    for (auto [gain, number] : order) {
      if (reasons[number].empty())
        chosen.push_back(std::move(staying[number]));
      else
        reportMissed(kernel, tensors[number], reasons[number]);
    }
    return chosen;
  }
};
} // namespace
