//===- KeepResident.cpp - values between kernels in the clusters' SRAM ----===//
//
// Kernels that were put into one hand tensors on through DRAM. Where each cluster loads of such a
// tensor no more than what it has stored itself, it can as well keep that in its SRAM: the tile
// that was stored becomes a part of a buffer of the whole share, and so does the tile that was
// loaded, if the ops that read it can do so in place. Memory decides how many tensors stay.
//
//===----------------------------------------------------------------------===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "TransferBox.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Limits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

namespace npu {
#define GEN_PASS_DEF_NPUKEEPRESIDENT
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

namespace {
/// What each cluster stores of a tensor: a box of `counts` elements from `first` + cluster *
/// `steps` on. No two have an element in common. The buffer for it begins `before` elements earlier
/// and has `sizes`: whole tiles, and those of iterations that do nothing.
struct Share {
  int64_t clusters = 1;
  SmallVector<int64_t> first, steps, counts, before, sizes;

  int64_t getFirst(unsigned dim, int64_t cluster) const {
    return first[dim] + cluster * steps[dim];
  }
  int64_t getLow(unsigned dim, int64_t cluster) const {
    return getFirst(dim, cluster) - before[dim];
  }
  int64_t countElements(ArrayRef<int64_t> box) const {
    int64_t product = 1;
    for (int64_t size : box)
      product *= size;
    return product;
  }
  /// Makes the buffer hold `places`, too.
  void include(const IndexRanges &places, int64_t cluster);
};

/// A tensor in DRAM that kernels hand on.
struct HandedOn {
  Value memory;
  MemRefType tensor; ///< as all of them see it
  SmallVector<DmaStoreOp> stores;
  SmallVector<DmaLoadOp> loads, ownLoads;
  bool isOutput = false, isSeenInShapes = false;

  Share share;
  /// The tensor's dimensions in the order that they have on chip, the last ones as the stored tile.
  SmallVector<unsigned> order;

  int64_t bytes = 0, savedBytes = 0;
  int64_t first = 0, last = 0; ///< ops of the nest during which it is in SRAM

  /// Elements of a share along a dimension that are elements of the tensor.
  int64_t getWindow(unsigned dim) const {
    return share.steps[dim] == 0
               ? std::min(share.counts[dim], tensor.getDimSize(dim) - share.first[dim])
               : share.counts[dim];
  }
  bool staysInDram() const { return isOutput || ownLoads.size() != loads.size(); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Which tensors could stay
//===----------------------------------------------------------------------===//

/// Lets an `npu.dma_load` or `npu.dma_store` see its tensor through `view`, which lacks dimensions
/// of one index.
template <typename TransferOp>
static void squeeze(TransferOp transfer, OpOperand &tensor, Value view) {
  SmallVector<Value> origin;
  SmallVector<AffineExpr> coordinates;
  AffineMap map = transfer.getEffectiveMap();
  for (auto [dim, size] : llvm::enumerate(cast<MemRefType>(tensor.get().getType()).getShape()))
    if (size != 1) {
      origin.push_back(transfer.getOrigin()[dim]);
      coordinates.push_back(map.getResult(dim));
    }
  tensor.set(view);
  transfer.getOriginMutable().assign(origin);
  transfer.setMapAttr(
      AffineMapAttr::get(AffineMap::get(map.getNumDims(), 0, coordinates, map.getContext())));
}

/// Lets transfers see the memory of a tensor in one shape where they see it in shapes that differ
/// in dimensions of one index.
static void unifyShapes(KernelOp kernel) {
  llvm::MapVector<Value, SmallVector<OpOperand *>> tensors; // operands of transfers, by memory
  kernel.walk([&](Operation *op) {
    if (auto load = dyn_cast<DmaLoadOp>(op))
      tensors[getRootBuffer(load.getSrc())].push_back(&load.getSrcMutable());
    else if (auto store = dyn_cast<DmaStoreOp>(op))
      tensors[getRootBuffer(store.getDst())].push_back(&store.getDstMutable());
  });
  for (auto &[memory, operands] : tensors) {
    auto getType = [](OpOperand *operand) { return cast<MemRefType>(operand->get().getType()); };
    auto getSqueezed = [&](OpOperand *operand) {
      SmallVector<int64_t> shape;
      llvm::copy_if(getType(operand).getShape(), std::back_inserter(shape),
                    [](int64_t size) { return size != 1; });
      return MemRefType::get(shape, getType(operand).getElementType(), MemRefLayoutAttrInterface(),
                             getType(operand).getMemorySpace());
    };
    // Where another index than the one there is can be meant, it is padding.
    auto canBeSqueezed = [&](OpOperand *operand) {
      Operation *op = operand->getOwner();
      auto load = dyn_cast<DmaLoadOp>(op);
      AffineMap map = load ? load.getEffectiveMap() : cast<DmaStoreOp>(op).getEffectiveMap();
      OperandRange origin = load ? load.getOrigin() : cast<DmaStoreOp>(op).getOrigin();
      return operand->get().getDefiningOp<memref::ViewOp>() &&
             llvm::all_of(llvm::enumerate(getType(operand).getShape()), [&](auto dim) {
               return dim.value() != 1 || (map.getResult(dim.index()) == 0 &&
                                           getConstantIntValue(origin[dim.index()]) == 0);
             });
    };
    OpOperand *first = operands.front();
    bool differ = llvm::any_of(
        operands, [&](OpOperand *operand) { return getType(operand) != getType(first); });
    bool areAlike = llvm::all_of(operands, [&](OpOperand *operand) {
      return getSqueezed(operand) == getSqueezed(first) && canBeSqueezed(operand);
    });
    if (getMemorySpace(getType(first)) != MemorySpace::Dram || !differ || !areAlike)
      continue;
    for (OpOperand *operand : operands) {
      auto view = operand->get().getDefiningOp<memref::ViewOp>();
      OpBuilder builder(view);
      Value squeezed =
          memref::ViewOp::create(builder, view.getLoc(), getSqueezed(operand), view.getSource(),
                                 view.getByteShift(), /*sizes=*/ValueRange());
      if (auto load = dyn_cast<DmaLoadOp>(operand->getOwner()))
        squeeze(load, *operand, squeezed);
      else
        squeeze(cast<DmaStoreOp>(operand->getOwner()), *operand, squeezed);
      if (view->use_empty())
        view->erase();
    }
  }
}

/// The tensors that are stored and loaded, by what holds them, in the order of their first use.
static std::vector<HandedOn> collectTensors(KernelOp kernel) {
  llvm::MapVector<Value, HandedOn> tensors;
  kernel.walk([&](Operation *op) {
    if (!getExecutingEngine(op))
      return;
    for (const BufferAccess &access : getBufferAccesses(op)) {
      if (getMemorySpace(cast<MemRefType>(access.buffer.getType())) != MemorySpace::Dram)
        continue;
      HandedOn &tensor = tensors[access.buffer];
      tensor.memory = access.buffer;
      auto load = dyn_cast<DmaLoadOp>(op);
      auto store = dyn_cast<DmaStoreOp>(op);
      MemRefType seen = load    ? load.getSrc().getType()
                        : store ? store.getDst().getType()
                                : MemRefType();
      tensor.isSeenInShapes |= !seen || (tensor.tensor && tensor.tensor != seen);
      tensor.tensor = seen;
      if (load)
        tensor.loads.push_back(load);
      else if (store)
        tensor.stores.push_back(store);
    }
  });
  std::vector<HandedOn> result;
  for (auto &[memory, tensor] : tensors) {
    if (auto argument = dyn_cast<BlockArgument>(memory)) {
      tensor.isOutput = kernel.isOutput(argument.getArgNumber());
      if (!tensor.isOutput || kernel.isInOut(argument.getArgNumber()))
        continue;
    }
    if (!tensor.stores.empty() && !tensor.loads.empty())
      result.push_back(std::move(tensor));
  }
  return result;
}

void Share::include(const IndexRanges &places, int64_t cluster) {
  for (auto [dim, range] : llvm::enumerate(places)) {
    int64_t missing = std::max<int64_t>(0, getLow(dim, cluster) - range.first);
    before[dim] += missing;
    sizes[dim] += missing;
    sizes[dim] = std::max(sizes[dim], range.second - getLow(dim, cluster) + 1);
  }
}

/// What clusters store; nothing if two store the same, or boxes that are not equally far apart.
static std::optional<Share> getShare(ArrayRef<DmaStoreOp> stores) {
  Share share;
  share.clusters = getClusterCount(stores.front());
  for (int64_t cluster = 0; cluster < share.clusters; ++cluster) {
    IndexRanges box;
    for (DmaStoreOp store : stores) {
      std::optional<IndexRanges> ranges = getTransferRanges(store, cluster);
      if (!ranges || getClusterCount(store) != share.clusters)
        return std::nullopt;
      if (box.empty())
        box = *ranges;
      for (auto [whole, part] : llvm::zip_equal(box, *ranges))
        whole = {std::min(whole.first, part.first), std::max(whole.second, part.second)};
    }
    for (auto [dim, range] : llvm::enumerate(box)) {
      int64_t count = range.second - range.first + 1;
      if (cluster == 0) {
        share.first.push_back(range.first);
        share.steps.push_back(0);
        share.counts.push_back(count);
      } else if (cluster == 1) {
        share.steps[dim] = range.first - share.first[dim];
      }
      if (range.first < 0 || range.first != share.getFirst(dim, cluster) ||
          count != share.counts[dim])
        return std::nullopt;
    }
  }
  bool areApart = llvm::any_of(llvm::zip_equal(share.steps, share.counts), [](auto dim) {
    auto [step, count] = dim;
    return step >= count;
  });
  if (!areApart && share.clusters > 1)
    return std::nullopt;
  share.before.assign(share.first.size(), 0);
  share.sizes = share.counts;
  return share;
}

/// The tensor's dimensions in the order of a tile: those that the tile lacks come first. Nothing if
/// a dimension of the tile is not one of the tensor.
static std::optional<SmallVector<unsigned>> getOrder(AffineMap map) {
  SmallVector<unsigned> order;
  SmallVector<std::optional<unsigned>> ofTile(map.getNumDims());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (expr == 0)
      order.push_back(dim);
    else if (auto moved = dyn_cast<AffineDimExpr>(expr); moved && !ofTile[moved.getPosition()])
      ofTile[moved.getPosition()] = dim;
    else
      return std::nullopt;
  }
  for (std::optional<unsigned> dim : ofTile) {
    if (!dim)
      return std::nullopt;
    order.push_back(*dim);
  }
  return order;
}

/// The counters that move the place of a transfer; nothing if it is not linear in them.
static std::optional<SmallVector<LinearIndex>> getLinear(OperandRange origin) {
  SmallVector<LinearIndex> result;
  for (Value index : origin) {
    std::optional<LinearIndex> linear = getLinearIndex(index);
    if (!linear)
      return std::nullopt;
    result.push_back(std::move(*linear));
  }
  return result;
}

/// Whether all counters are those of loops around `op`.
static bool areAround(ArrayRef<LinearIndex> indices, Operation *op) {
  return llvm::all_of(indices, [&](const LinearIndex &index) {
    return llvm::all_of(index.factors, [&](const auto &factor) {
      return cast<BlockArgument>(factor.first).getOwner()->getParentOp()->isProperAncestor(op);
    });
  });
}

/// The buffer of a tile in SRAM.
static memref::AllocOp getTileBuffer(Value tile) {
  auto alloc = tile.getDefiningOp<memref::AllocOp>();
  return alloc && getMemorySpace(alloc.getType()) == MemorySpace::Sram ? alloc : memref::AllocOp();
}

/// Whether `op` writes to the buffer, and whether to the instance of an earlier iteration.
static bool writes(Operation *op, Value buffer, bool isEarlier) {
  return getExecutingEngine(op) &&
         llvm::any_of(getBufferAccesses(op), [&](const BufferAccess &access) {
           return access.buffer == buffer && access.writes && (access.shift > 0) == isEarlier;
         });
}

/// The ops that touch a buffer, through views as well.
static SmallVector<Operation *> getEngineUsers(Value buffer) {
  SmallVector<Operation *> users;
  for (Operation *user : buffer.getUsers()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      llvm::append_range(users, getEngineUsers(view.getViewDest()));
    else
      users.push_back(user);
  }
  return users;
}

/// Where the tile of a transfer would be in the tensor in all iterations, and that of an iteration
/// earlier, if something uses it.
static std::optional<IndexRanges> getPlaces(Operation *transfer, memref::AllocOp tile,
                                            ArrayRef<LinearIndex> origin, int64_t cluster) {
  std::optional<IndexRanges> places = getTransferRanges(transfer, cluster, /*withIdle=*/true);
  auto loop = dyn_cast<scf::ForOp>(tile->getParentOp());
  if (places && loop && llvm::any_of(tile->getUsers(), llvm::IsaPred<PreviousOp>))
    for (auto [place, index] : llvm::zip_equal(*places, origin)) {
      int64_t step = index.factors.lookup(loop.getInductionVar());
      place.first -= std::max<int64_t>(0, step);
      place.second -= std::min<int64_t>(0, step);
    }
  return places;
}

/// Whether the tile that is stored may lie in the share instead: nothing changes it afterwards, it
/// never overlaps another one, and its place is known where it is allocated.
static bool canBeStoredInPlace(DmaStoreOp store) {
  memref::AllocOp alloc = getTileBuffer(store.getSrc());
  std::optional<SmallVector<LinearIndex>> origin = getLinear(store.getOrigin());
  std::optional<SmallVector<unsigned>> order = getOrder(store.getEffectiveMap());
  if (!alloc || !origin || !order || !areAround(*origin, alloc))
    return false;
  SmallVector<int64_t> sizes(origin->size(), 1);
  size_t numMissing = sizes.size() - alloc.getType().getRank();
  for (auto [position, size] : llvm::enumerate(alloc.getType().getShape()))
    sizes[(*order)[numMissing + position]] = size;
  if (!areApart(*origin, sizes, getLoopsAround(store)))
    return false;
  return llvm::all_of(getEngineUsers(alloc), [&](Operation *user) {
    Operation *inBlock = store->getBlock()->findAncestorOpInBlock(*user);
    return !writes(user, alloc, /*isEarlier=*/true) &&
           (!writes(user, alloc, /*isEarlier=*/false) ||
            (inBlock && inBlock->isBeforeInBlock(store)));
  });
}

/// The last index along a dimension of the tensor that a load touches within its extents, if they
/// end where the tensor does.
static std::optional<int64_t> getLastByExtent(DmaLoadOp load, unsigned dim) {
  auto moved = dyn_cast<AffineDimExpr>(load.getEffectiveMap().getResult(dim));
  if (!moved || load.getExtents().empty())
    return std::nullopt;
  std::optional<LinearIndex> origin = getLinearIndex(OpFoldResult(load.getOrigin()[dim]));
  if (!origin)
    return std::nullopt;
  for (LinearIndex &limit : getLinearLimits(load.getExtents()[moved.getPosition()])) {
    // origin + extent - 1, where counters cancel out.
    for (auto [counter, factor] : origin->factors)
      limit.factors[counter] += factor;
    if (llvm::all_of(limit.factors, [](const auto &factor) { return factor.second == 0; }))
      return origin->constant + limit.constant - 1;
  }
  return std::nullopt;
}

/// The last index that a load touches along a dimension, of which its tiles reach up to `reach`.
static int64_t getLast(DmaLoadOp load, unsigned dim, int64_t reach) {
  return std::min(reach, getLastByExtent(load, dim).value_or(reach));
}

/// Whether each cluster loads only what is in its share, and what lies outside of the tensor where
/// the share ends, too.
static bool isOwn(DmaLoadOp load, const HandedOn &tensor) {
  const Share &share = tensor.share;
  int64_t clusters = getClusterCount(load);
  if (load.getClusters() || clusters > share.clusters)
    return false;
  for (int64_t cluster = 0; cluster < clusters; ++cluster) {
    std::optional<IndexRanges> ranges = getTransferRanges(load, cluster);
    if (!ranges)
      return false;
    for (auto [dim, range] : llvm::enumerate(*ranges)) {
      int64_t extent = tensor.tensor.getDimSize(dim), first = share.getFirst(dim, cluster),
              end = first + share.counts[dim];
      int64_t last = getLast(load, dim, range.second);
      // What lies behind the tensor lies behind the share.
      if (last >= extent && first + tensor.getWindow(dim) != extent)
        return false;
      if (std::max<int64_t>(0, range.first) < first || std::min(last, extent - 1) >= end)
        return false;
    }
  }
  return true;
}

/// Bytes that all executions of a transfer move.
static int64_t getMovedBytes(Operation *op, MemRefType tile) {
  int64_t bytes = getByteSize(tile) * getClusterCount(op);
  for (scf::ForOp loop : getLoopsAround(op))
    bytes *= *getTripCount(loop);
  return bytes;
}

/// By dimension on chip: how far an index of the tile goes in the tensor. Nothing if the tile's
/// dimensions have another order, or the last one does not go index by index.
static std::optional<SmallVector<int64_t>> getStrides(AffineMap map, ArrayRef<unsigned> order) {
  SmallVector<int64_t> strides;
  unsigned next = 0; // dimension of the tile
  for (unsigned dim : order) {
    AffineExpr expr = map.getResult(dim);
    int64_t stride = 1;
    if (auto product = dyn_cast<AffineBinaryOpExpr>(expr);
        product && product.getKind() == AffineExprKind::Mul)
      if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS())) {
        stride = factor.getValue();
        expr = product.getLHS();
      }
    if (expr == 0) {
      strides.push_back(1);
      continue;
    }
    auto moved = dyn_cast<AffineDimExpr>(expr);
    if (!moved || moved.getPosition() != next || stride < 1)
      return std::nullopt;
    strides.push_back(stride);
    ++next;
  }
  if (next != map.getNumDims() || strides.back() != 1)
    return std::nullopt;
  return strides;
}

/// Whether the tile of a load could be a part of the share: nothing pads it or writes to it.
static bool canBePart(DmaLoadOp load, const HandedOn &tensor) {
  memref::AllocOp tile = getTileBuffer(load.getDst());
  std::optional<SmallVector<LinearIndex>> origin = getLinear(load.getOrigin());
  if (!tile || !origin || !areAround(*origin, tile) ||
      !getStrides(load.getEffectiveMap(), tensor.order))
    return false;
  for (int64_t cluster = 0; cluster < getClusterCount(load); ++cluster)
    for (auto [dim, range] : llvm::enumerate(*getTransferRanges(load, cluster)))
      if (range.first < tensor.share.getFirst(dim, cluster) ||
          getLast(load, dim, range.second) >= tensor.tensor.getDimSize(dim))
        return false;
  return llvm::none_of(getEngineUsers(tile), [&](Operation *user) {
    return writes(user, tile, /*isEarlier=*/true) ||
           (user != load.getOperation() && writes(user, tile, /*isEarlier=*/false));
  });
}

/// Whether the buffer of the share has room for all places of such a tile.
static bool isInShare(DmaLoadOp load, const Share &share) {
  SmallVector<LinearIndex> origin = *getLinear(load.getOrigin());
  for (int64_t cluster = 0; cluster < getClusterCount(load); ++cluster)
    for (auto [dim, range] :
         llvm::enumerate(*getPlaces(load, getTileBuffer(load.getDst()), origin, cluster))) {
      int64_t low = share.getLow(dim, cluster);
      if (range.first < low || range.second >= low + share.sizes[dim])
        return false;
    }
  return true;
}

/// Makes room for tiles that are loaded: those of the last iteration may reach beyond the tensor.
static void includeLoads(HandedOn &tensor) {
  for (DmaLoadOp load : tensor.ownLoads) {
    if (!canBePart(load, tensor))
      continue;
    Share larger = tensor.share;
    SmallVector<LinearIndex> origin = *getLinear(load.getOrigin());
    for (int64_t cluster = 0; cluster < getClusterCount(load); ++cluster)
      larger.include(*getPlaces(load, getTileBuffer(load.getDst()), origin, cluster), cluster);
    // A quarter more is worth a copy less.
    if (larger.countElements(larger.sizes) * 4 <= larger.countElements(larger.counts) * 5)
      tensor.share = std::move(larger);
  }
}

/// Completes what is known of the tensor. Returns why it cannot stay, or nothing.
static StringRef analyze(HandedOn &tensor, const DenseMap<Operation *, int64_t> &positions) {
  if (tensor.isSeenInShapes)
    return "kernels see it in several shapes, or other ops than loads and stores touch it";
  std::optional<Share> share = getShare(tensor.stores);
  if (!share)
    return "clusters do not store boxes that are apart and alike";
  tensor.share = std::move(*share);
  llvm::SmallDenseSet<Value> tiles;
  for (DmaStoreOp store : tensor.stores) {
    if (!tiles.insert(store.getSrc()).second)
      return "a tile is stored twice";
    std::optional<SmallVector<unsigned>> order = getOrder(store.getEffectiveMap());
    if (!order || (!tensor.order.empty() && tensor.order != *order) || !canBeStoredInPlace(store))
      return "a tile that is stored cannot be a part of a larger buffer";
    tensor.order = std::move(*order);
  }
  for (DmaStoreOp store : tensor.stores)
    for (int64_t cluster = 0; cluster < tensor.share.clusters; ++cluster)
      tensor.share.include(
          *getPlaces(store, getTileBuffer(store.getSrc()), *getLinear(store.getOrigin()), cluster),
          cluster);
  llvm::copy_if(tensor.loads, std::back_inserter(tensor.ownLoads),
                [&](DmaLoadOp load) { return isOwn(load, tensor); });
  if (tensor.ownLoads.empty())
    return "every load takes what other clusters store";
  includeLoads(tensor);

  auto getPosition = [&](Operation *op) { return positions.lookup(getNestOp(op)); };
  tensor.first = getPosition(tensor.stores.front());
  for (DmaStoreOp store : tensor.stores) {
    tensor.first = std::min(tensor.first, getPosition(store));
    if (!tensor.staysInDram())
      tensor.savedBytes += getMovedBytes(store, store.getSrc().getType());
  }
  for (DmaLoadOp load : tensor.ownLoads) {
    tensor.last = std::max(tensor.last, getPosition(load));
    tensor.savedBytes += getMovedBytes(load, load.getDst().getType());
  }
  tensor.bytes = getElementBytes(tensor.tensor) * tensor.share.countElements(tensor.share.sizes);
  return "";
}

//===----------------------------------------------------------------------===//
// The rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Replaces the transfers of a tensor by views of its share.
class Keeper {
public:
  Keeper(KernelOp kernel, const HandedOn &tensor) : kernel(kernel), tensor(tensor) {}

  void run();
  /// Whether what is loaded is read in place.
  static bool canBeReadInPlace(DmaLoadOp load, const HandedOn &tensor);

private:
  OpFoldResult getOffset(OpBuilder &builder, Operation *at, Value index, unsigned dim,
                         int64_t shift = 0) const;
  Value createView(Operation *transfer, memref::AllocOp tile, OperandRange origin, AffineMap map);
  void copyFromShare(DmaLoadOp load);

  KernelOp kernel;
  const HandedOn &tensor;
  memref::AllocOp buffer;
};
} // namespace

bool Keeper::canBeReadInPlace(DmaLoadOp load, const HandedOn &tensor) {
  return canBePart(load, tensor) && isInShare(load, tensor.share);
}

/// The index in the share of an index of the tensor, at `at`, and so much further on.
OpFoldResult Keeper::getOffset(OpBuilder &builder, Operation *at, Value index, unsigned dim,
                               int64_t shift) const {
  AffineExpr expr = builder.getAffineDimExpr(0) + (shift - tensor.share.getLow(dim, 0));
  SmallVector<OpFoldResult> operands = {index};
  // Outside of loops over clusters it is the first one.
  auto clusters = at->getParentOfType<scf::ForallOp>();
  if (int64_t step = tensor.share.steps[dim]; step != 0 && clusters) {
    expr = expr - builder.getAffineDimExpr(1) * step;
    operands.push_back(clusters.getInductionVar(0));
  }
  return affine::makeComposedFoldedAffineApply(
      builder, at->getLoc(), AffineMap::get(operands.size(), 0, expr, builder.getContext()),
      operands);
}

/// The part of the share that a tile is.
Value Keeper::createView(Operation *transfer, memref::AllocOp tile, OperandRange origin,
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

/// A tile of its own, copied within SRAM.
void Keeper::copyFromShare(DmaLoadOp load) {
  OpBuilder builder(load);
  SmallVector<Value> origin;
  SmallVector<AffineExpr> coordinates;
  SmallVector<OpFoldResult> before, window;
  for (unsigned dim : tensor.order) {
    int64_t start = tensor.share.before[dim];
    before.push_back(builder.getIndexAttr(start));
    window.push_back(builder.getIndexAttr(tensor.getWindow(dim)));
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

/// Gives the views of a buffer, whose type has changed, the types that follow from it.
static void updateViews(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    Type type;
    if (auto view = dyn_cast<memref::SubViewOp>(user))
      type = memref::SubViewOp::inferRankReducedResultType(
          view.getType().getShape(), view.getSourceType(), view.getMixedOffsets(),
          view.getMixedSizes(), view.getMixedStrides());
    else if (llvm::isa<PreviousOp>(user))
      type = buffer.getType();
    else
      continue;
    user->getResult(0).setType(type);
    updateViews(user->getResult(0));
  }
}

void Keeper::run() {
  // Before all that uses it.
  Operation *first = &kernel.getBody().front().front();
  OpBuilder builder(first);
  SmallVector<int64_t> shape =
      llvm::map_to_vector(tensor.order, [&](unsigned dim) { return tensor.share.sizes[dim]; });
  auto space = MemorySpaceAttr::get(kernel.getContext(), MemorySpace::Sram);
  buffer = memref::AllocOp::create(
      builder, tensor.memory.getLoc(),
      MemRefType::get(shape, tensor.tensor.getElementType(), MemRefLayoutAttrInterface(), space));
  auto replace = [&](Operation *transfer, Value tile, OperandRange origin, AffineMap map) {
    auto alloc = tile.getDefiningOp<memref::AllocOp>();
    if (!alloc)
      return; // by another transfer already
    Value view = createView(transfer, alloc, origin, map);
    alloc.replaceAllUsesWith(view);
    alloc.erase();
    updateViews(view);
  };
  for (DmaLoadOp load : tensor.ownLoads) {
    if (!canBeReadInPlace(load, tensor)) {
      copyFromShare(load);
      continue;
    }
    Value tile = load.getDst();
    replace(load, tile, load.getOrigin(), load.getEffectiveMap());
    load.erase();
  }
  for (DmaStoreOp store : tensor.stores) {
    replace(store, store.getSrc(), store.getOrigin(), store.getEffectiveMap());
    if (!tensor.staysInDram())
      store.erase();
  }
  if (tensor.staysInDram())
    return;
  for (Operation *view : llvm::make_early_inc_range(tensor.memory.getUsers()))
    view->erase();
  tensor.memory.getDefiningOp()->erase();
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

namespace {
struct KeepResident : npu::impl::NPUKeepResidentBase<KeepResident> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    FailureOr<TargetDesc> target = getTarget(kernel);
    if (failed(expectTileForm(kernel)) || failed(target))
      return signalPassFailure();
    std::vector<HandedOn> tensors = choose(kernel, *target);
    for (const HandedOn &tensor : tensors) {
      remark::passed(tensor.memory.getLoc(), remark::RemarkOpts::name("KeptResident")
                                                 .category("npu-keep-resident")
                                                 .function(kernel.getSymName()))
          << remark::metric("bytes", tensor.bytes)
          << remark::metric("savedBytes", tensor.savedBytes);
      Keeper(kernel, tensor).run();
    }
  }

private:
  /// The tensors that stay: those first that save the most for the memory that they need, as long
  /// as all fits.
  static std::vector<HandedOn> choose(KernelOp kernel, const TargetDesc &target) {
    unifyShapes(kernel);
    DenseMap<Operation *, int64_t> positions;
    for (auto [position, op] : llvm::enumerate(getNest(kernel)))
      positions[op] = position;
    std::vector<HandedOn> tensors = collectTensors(kernel);
    llvm::erase_if(tensors, [&](HandedOn &tensor) {
      StringRef reason = analyze(tensor, positions);
      if (!reason.empty())
        reportMissed(kernel, tensor, reason);
      return !reason.empty();
    });
    if (tensors.empty())
      return {};
    SmallVector<std::pair<double, size_t>> order;
    for (auto [number, tensor] : llvm::enumerate(tensors))
      order.push_back(
          {-double(tensor.savedBytes) / double(tensor.bytes * (tensor.last - tensor.first + 1)),
           number});
    llvm::sort(order);

    SmallVector<PlannedBuffer> buffers = collectBuffers(kernel, MemorySpace::Sram);
    std::vector<int64_t> live(positions.size(), 0); // bytes
    auto occupy = [&](int64_t lower, int64_t upper, int64_t bytes) {
      for (int64_t position = lower; position < upper; ++position)
        live[position] += bytes;
    };
    DenseMap<Operation *, const PlannedBuffer *> planned;
    for (const PlannedBuffer &buffer : buffers) {
      planned[buffer.alloc] = &buffer;
      occupy(buffer.lower, buffer.upper, buffer.getBytes());
    }
    std::vector<HandedOn> chosen;
    for (auto [gain, number] : order) {
      HandedOn &tensor = tensors[number];
      // Tiles that become a part of it need no memory of their own, and can be part of one alone.
      if (llvm::any_of(tensor.stores, [&](DmaStoreOp store) {
            return !planned.contains(store.getSrc().getDefiningOp());
          })) {
        reportMissed(kernel, tensor, "a tile of it is a part of another tensor");
        continue;
      }
      SmallVector<Operation *> replaced = getReplacedTiles(tensor);
      for (Operation *tile : replaced)
        if (const PlannedBuffer *buffer = planned.lookup(tile)) {
          tensor.first = std::min(tensor.first, buffer->lower);
          tensor.last = std::max(tensor.last, buffer->upper - 1);
        }
      auto apply = [&](int64_t sign) {
        occupy(tensor.first, tensor.last + 1, sign * getSlotBytes(getBufferType(tensor)));
        for (Operation *op : replaced)
          if (const PlannedBuffer *buffer = planned.lookup(op))
            occupy(buffer->lower, buffer->upper, -sign * buffer->getBytes());
      };
      apply(1);
      if (*llvm::max_element(live) > target.sramBytes) {
        apply(-1);
        reportMissed(kernel, tensor, "it does not fit beside what is on chip");
        continue;
      }
      for (Operation *op : replaced)
        planned.erase(op);
      chosen.push_back(std::move(tensor));
    }
    // What fits at every moment may have no placement.
    while (!chosen.empty() && !hasPlacement(buffers, chosen, target)) {
      reportMissed(kernel, chosen.back(), "it has no place beside what is on chip");
      chosen.pop_back();
    }
    return chosen;
  }

  static void reportMissed(KernelOp kernel, const HandedOn &tensor, StringRef reason) {
    remark::missed(tensor.memory.getLoc(), remark::RemarkOpts::name("StaysInDram")
                                               .category("npu-keep-resident")
                                               .function(kernel.getSymName()))
        << remark::reason("{0}", reason);
  }

  static bool hasPlacement(ArrayRef<PlannedBuffer> buffers, ArrayRef<HandedOn> chosen,
                           const TargetDesc &target) {
    llvm::SmallDenseSet<Operation *> replaced;
    std::vector<AllocationRequest> requests;
    for (const HandedOn &tensor : chosen) {
      requests.push_back({tensor.first, tensor.last + 1, getSlotBytes(getBufferType(tensor))});
      for (Operation *tile : getReplacedTiles(tensor))
        replaced.insert(tile);
    }
    SmallVector<PlannedBuffer> others;
    llvm::copy_if(buffers, std::back_inserter(others),
                  [&](const PlannedBuffer &buffer) { return !replaced.contains(buffer.alloc); });
    llvm::append_range(requests, getRequests(others));
    return allocate(requests, isa::bufferAlignment, target.sramBytes).peakBytes <= target.sramBytes;
  }

  /// The buffers of the tiles that become a part of the tensor's share.
  static SmallVector<Operation *> getReplacedTiles(const HandedOn &tensor) {
    SmallVector<Operation *> tiles;
    for (DmaStoreOp store : tensor.stores)
      tiles.push_back(store.getSrc().getDefiningOp());
    for (DmaLoadOp load : tensor.ownLoads)
      if (Keeper::canBeReadInPlace(load, tensor))
        tiles.push_back(load.getDst().getDefiningOp());
    return tiles;
  }

  static MemRefType getBufferType(const HandedOn &tensor) {
    return MemRefType::get(tensor.share.sizes, tensor.tensor.getElementType(),
                           MemRefLayoutAttrInterface(), tensor.tensor.getMemorySpace());
  }
};
} // namespace
