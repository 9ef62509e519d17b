//===- HandedOnTensor.cpp - tensors in DRAM between kernels ---------------===//

#include "HandedOnTensor.h"

#include "BufferUsage.h"
#include "InPlaceTile.h"
#include "IterationBoxes.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace npu;

template <typename TransferOp>
static void viewThrough(TransferOp transfer, ArrayRef<unsigned> dims) {
  AffineMap map = transfer.getEffectiveMap();
  SmallVector<Value> origin =
      llvm::map_to_vector(dims, [&](unsigned dim) { return transfer.getOrigin()[dim]; });
  SmallVector<AffineExpr> coordinates =
      llvm::map_to_vector(dims, [&](unsigned dim) { return map.getResult(dim); });
  map = AffineMap::get(map.getNumDims(), 0, coordinates, map.getContext());
  transfer.getOriginMutable().assign(origin);
  transfer.setMapAttr(map.isIdentity() ? AffineMapAttr() : AffineMapAttr::get(map));
}

void npu::viewThrough(OpOperand &tensor, Value view, ArrayRef<unsigned> dims) {
  tensor.set(view);
  if (auto load = dyn_cast<DmaLoadOp>(tensor.getOwner()))
    ::viewThrough(load, dims);
  else
    ::viewThrough(cast<DmaStoreOp>(tensor.getOwner()), dims);
}

/// Lets transfers see the memory of a tensor in one shape where they see it in shapes that differ
/// in dimensions of one index.
void npu::unifyShapes(KernelOp kernel) {
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
      SmallVector<unsigned> dims;
      for (auto [dim, size] : llvm::enumerate(getType(operand).getShape()))
        if (size != 1)
          dims.push_back(dim);
      viewThrough(*operand, squeezed, dims);
      if (view->use_empty())
        view->erase();
    }
  }
}

/// The tensors that are stored and loaded, by what holds them, in the order of their first use.
std::vector<HandedOnTensor> npu::collectTensors(KernelOp kernel) {
  DenseMap<Operation *, int64_t> positions;
  for (auto [position, op] : llvm::enumerate(getNest(kernel)))
    positions[op] = position;
  auto getPosition = [&](Operation *op) { return positions.lookup(getNestOp(op)); };
  llvm::MapVector<Value, HandedOnTensor> tensors;
  kernel.walk([&](Operation *op) {
    if (!getExecutingEngine(op))
      return;
    for (const BufferAccess &access : getBufferAccesses(op)) {
      if (getMemorySpace(cast<MemRefType>(access.buffer.getType())) != MemorySpace::Dram)
        continue;
      HandedOnTensor &tensor = tensors[access.buffer];
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
  std::vector<HandedOnTensor> result;
  for (auto &[memory, tensor] : tensors) {
    if (auto argument = dyn_cast<BlockArgument>(memory)) {
      tensor.isOutput = kernel.isOutput(argument.getArgNumber());
      if (!tensor.isOutput || kernel.isInOut(argument.getArgNumber()))
        continue;
    }
    if (tensor.stores.empty() || tensor.loads.empty())
      continue;
    int64_t lastStore = 0;
    for (DmaStoreOp store : tensor.stores)
      lastStore = std::max(lastStore, getPosition(store));
    llvm::copy_if(tensor.loads, std::back_inserter(tensor.laterLoads),
                  [&](DmaLoadOp load) { return getPosition(load) > lastStore; });
    result.push_back(std::move(tensor));
  }
  return result;
}

int64_t HandedOnTensor::getHaloBytes() const {
  int64_t bytes = 0;
  for (auto [dim, before, after] : llvm::enumerate(halo->before, halo->after))
    bytes +=
        (before + after) * share.getLength(dim) * (getByteSize(tensor) / tensor.getDimSize(dim));
  return bytes;
}

MemRefType HandedOnTensor::getBufferType() const {
  SmallVector<int64_t> shape =
      llvm::map_to_vector(order, [&](unsigned dim) { return share.sizes[dim]; });
  return MemRefType::get(shape, tensor.getElementType(), MemRefLayoutAttrInterface(),
                         MemorySpaceAttr::get(tensor.getContext(), MemorySpace::Sram));
}

std::optional<SmallVector<unsigned>> npu::getTileOrder(AffineMap map) {
  if (map.getNumResults() == 0 || map.getNumDims() == 0)
    return std::nullopt;
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
static std::optional<SmallVector<LinearIndex>> getLinear(ArrayRef<OpFoldResult> origin) {
  SmallVector<LinearIndex> result;
  for (OpFoldResult index : origin) {
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

static bool hasPrevious(memref::AllocOp alloc) {
  return llvm::any_of(alloc->getUsers(), llvm::IsaPred<PreviousOp>);
}

/// The buffer of a tile in SRAM.
static memref::AllocOp getTileBuffer(Value tile) {
  auto alloc = tile.getDefiningOp<memref::AllocOp>();
  if (!alloc || getMemorySpace(alloc.getType()) != MemorySpace::Sram ||
      (hasPrevious(alloc) && !llvm::isa<scf::ForOp>(alloc->getParentOp())))
    return {};
  return alloc;
}

/// Whether `op` writes to the buffer, and whether to the instance of an earlier iteration.
static bool writes(Operation *op, Value buffer, bool isEarlier) {
  return getExecutingEngine(op) &&
         llvm::any_of(getBufferAccesses(op), [&](const BufferAccess &access) {
           return access.buffer == buffer && access.writes && (access.shift > 0) == isEarlier;
         });
}

/// Where the tile of a transfer would be in the tensor in all iterations, and that of an iteration
/// earlier, if something uses it.
static std::optional<IndexRanges> getPlaces(Operation *transfer, memref::AllocOp tile,
                                            ArrayRef<LinearIndex> origin, int64_t cluster) {
  std::optional<IndexRanges> places = getTransferRanges(transfer, cluster, /*withIdle=*/true);
  auto loop = dyn_cast<scf::ForOp>(tile->getParentOp());
  if (places && loop && hasPrevious(tile))
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
  std::optional<SmallVector<LinearIndex>> origin = getLinear(getAsOpFoldResult(store.getOrigin()));
  std::optional<SmallVector<unsigned>> order = getTileOrder(store.getEffectiveMap());
  if (!alloc || !origin || !order || !areAround(*origin, alloc))
    return false;
  SmallVector<int64_t> sizes(origin->size(), 1);
  size_t numMissing = sizes.size() - alloc.getType().getRank();
  for (auto [position, size] : llvm::enumerate(alloc.getType().getShape()))
    sizes[(*order)[numMissing + position]] = size;
  if (!areApart(*origin, sizes, getLoopsAround(store)))
    return false;
  // Without moving it would overwrite what the iteration before had.
  if (hasPrevious(alloc) && llvm::none_of(*origin, [&](const LinearIndex &index) {
        return index.factors.contains(cast<scf::ForOp>(alloc->getParentOp()).getInductionVar());
      }))
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

/// Whether shares follow each other along each dimension that moves with the cluster, from the
/// first index of the tensor to its last one, and there is such a dimension.
static bool areInRows(const HandedOnTensor &tensor) {
  const Share &share = tensor.share;
  for (auto [dim, step] : llvm::enumerate(share.steps))
    if (step != 0 && (step != share.counts[dim] || share.first[dim] != 0 ||
                      step * share.getLength(dim) < tensor.tensor.getDimSize(dim)))
      return false;
  return llvm::any_of(share.steps, [](int64_t step) { return step != 0; });
}

/// How far the clusters load beyond their shares, inside of the tensor, along dimensions that move
/// with the cluster if that is allowed. Nothing if they do so elsewhere, or if the share does not
/// end where the tensor does but the loads go on.
static std::optional<Halo> getReach(DmaLoadOp load, const HandedOnTensor &tensor,
                                    bool mayHaveHalo) {
  const Share &share = tensor.share;
  int64_t clusters = getClusterCount(load);
  if (load.getClusters() || !share.isIndexedAlike(load) ||
      (mayHaveHalo && clusters != share.getClusters()))
    return std::nullopt;
  Halo halo;
  halo.before.assign(share.first.size(), 0);
  halo.after = halo.before;
  halo.fill = load.getFillAttr();
  for (int64_t cluster = 0; cluster < clusters; ++cluster) {
    std::optional<IndexRanges> ranges = getTransferRanges(load, cluster);
    if (!ranges)
      return std::nullopt;
    for (auto [dim, range] : llvm::enumerate(*ranges)) {
      int64_t extent = tensor.tensor.getDimSize(dim), first = share.getFirst(dim, cluster),
              end = first + share.counts[dim];
      int64_t last = getLast(load, dim, range.second);
      int64_t before = first - std::max<int64_t>(0, range.first),
              after = std::min(last, extent - 1) - end + 1;
      if (mayHaveHalo && share.steps[dim] != 0) {
        halo.before[dim] = std::max(halo.before[dim], before);
        halo.after[dim] = std::max(halo.after[dim], after);
        continue;
      }
      // What lies behind the tensor lies behind the share.
      if (before > 0 || after > 0 || (last >= extent && first + tensor.getWindow(dim) != extent))
        return std::nullopt;
    }
  }
  return halo;
}

/// Whether each cluster loads only what is in its share, and what lies outside of the tensor where
/// the share ends, too.
static bool isOwn(DmaLoadOp load, const HandedOnTensor &tensor) {
  return getReach(load, tensor, /*mayHaveHalo=*/false).has_value();
}

/// Whether all loops of the kernel can see the value.
static bool isOfKernel(Value value) {
  return llvm::isa<KernelOp>(value.getParentRegion()->getParentOp());
}

/// The loads of a cluster's own share, and of the indices next to it if there are fewer of these
/// than in the share: what neighbors store of them goes through DRAM.
static void collectOwnLoads(HandedOnTensor &tensor) {
  bool mayHaveHalo = areInRows(tensor);
  for (DmaLoadOp load : tensor.laterLoads) {
    if (isOwn(load, tensor)) {
      tensor.ownLoads.push_back(load);
      continue;
    }
    std::optional<Halo> reach;
    if (mayHaveHalo)
      reach = getReach(load, tensor, mayHaveHalo);
    if (!reach)
      continue;
    // Borders are stored behind the stores, and the halo is loaded in front of its readers.
    bool isBetween =
        isOfKernel(load.getSrc()) && llvm::all_of(tensor.stores, [&](DmaStoreOp store) {
          return isOfKernel(store.getDst()) &&
                 store->getParentOfType<scf::ForallOp>() != load->getParentOfType<scf::ForallOp>();
        });
    if (!isBetween)
      continue;
    Halo halo = tensor.halo.value_or(*reach);
    bool isSmall = true;
    for (auto [dim, count] : llvm::enumerate(tensor.share.counts)) {
      halo.before[dim] = std::max(halo.before[dim], reach->before[dim]);
      halo.after[dim] = std::max(halo.after[dim], reach->after[dim]);
      isSmall &= std::max(halo.before[dim], halo.after[dim]) <= count &&
                 (tensor.share.steps[dim] == 0 || tensor.getExcess(dim) < count);
    }
    if (halo.fill != reach->fill || !isSmall)
      continue;
    tensor.halo = halo;
    tensor.haloLoads.push_back(load);
    tensor.ownLoads.push_back(load);
  }
}

/// Makes room in the buffer for the halo.
static void includeHalo(HandedOnTensor &tensor) {
  const Halo &halo = *tensor.halo;
  IndexRanges places;
  for (unsigned dim = 0; dim < tensor.share.first.size(); ++dim) {
    int64_t first = tensor.share.getFirst(dim, 0);
    places.push_back(
        {first - halo.before[dim], first + tensor.share.counts[dim] - 1 + halo.after[dim]});
  }
  tensor.share.include(places, /*cluster=*/0);
}

/// Bytes that all executions of a transfer move.
static int64_t getMovedBytes(Operation *op, MemRefType tile) {
  return getByteSize(tile) * getClusterCount(op) * getIterations(op);
}

/// By dimension on chip: how far an index of the tile goes in the tensor. Nothing if the tile's
/// dimensions have another order, or the last one is missing or does not go index by index.
std::optional<SmallVector<int64_t>> npu::getStrides(AffineMap map, ArrayRef<unsigned> order) {
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
  // Ops want consecutive elements along the last dimension.
  if (next != map.getNumDims() || map.getResult(order.back()) == 0 || strides.back() != 1)
    return std::nullopt;
  return strides;
}

memref::AllocOp npu::getLoadedBuffer(DmaLoadOp load) {
  Value filled = load.getDst();
  auto part = filled.getDefiningOp<memref::SubViewOp>();
  if (part && part.getSourceType().getRank() == part.getType().getRank())
    filled = part.getSource();
  memref::AllocOp buffer = getTileBuffer(filled);
  return buffer && (!part || getLoopsAround(buffer).empty()) ? buffer : memref::AllocOp();
}

std::optional<SmallVector<OpFoldResult>> npu::getLoadedOrigin(DmaLoadOp load) {
  auto part = load.getDst().getDefiningOp<memref::SubViewOp>();
  if (!part)
    return getAsOpFoldResult(load.getOrigin());
  std::optional<SmallVector<LinearIndex>> origin = getLinear(getAsOpFoldResult(load.getOrigin())),
                                          offsets = getLinear(part.getMixedOffsets());
  if (!origin || !offsets || !part.hasUnitStride())
    return std::nullopt;
  SmallVector<OpFoldResult> result;
  AffineMap map = load.getEffectiveMap();
  for (auto [place, expr] : llvm::zip_equal(*origin, map.getResults())) {
    SmallVector<int64_t> steps; // per dimension of the part, and the constant
    if (failed(getFlattenedAffineExpr(expr, map.getNumDims(), /*numSymbols=*/0, &steps)) ||
        steps.size() != offsets->size() + 1)
      return std::nullopt;
    for (auto [step, offset] : llvm::zip(steps, *offsets)) {
      place.constant -= step * offset.constant;
      for (auto [counter, factor] : offset.factors)
        place.factors[counter] -= step * factor;
    }
    // The part moves as the place does.
    if (llvm::any_of(place.factors, [](const auto &factor) { return factor.second != 0; }))
      return std::nullopt;
    result.push_back(Builder(load).getIndexAttr(place.constant));
  }
  return result;
}

/// Where in the tensor what a load fills begins, by the counters that move it.
static std::optional<SmallVector<LinearIndex>> getLinearOrigin(DmaLoadOp load) {
  std::optional<SmallVector<OpFoldResult>> origin = getLoadedOrigin(load);
  return origin ? getLinear(*origin) : std::nullopt;
}

/// Whether the share has all indices of a tile along a dimension: what lies outside of the tensor
/// is there where a halo is, which is filled as the tile is.
static bool hasIndices(DmaLoadOp load, const HandedOnTensor &tensor, unsigned dim,
                       std::pair<int64_t, int64_t> range) {
  int64_t before = std::max<int64_t>(0, -range.first),
          after = std::max<int64_t>(0, range.second + 1 - tensor.tensor.getDimSize(dim));
  if (before == 0 && after == 0)
    return true;
  return llvm::is_contained(tensor.haloLoads, load) && tensor.share.steps[dim] != 0 &&
         before <= tensor.halo->before[dim] &&
         after <= tensor.getExcess(dim) + tensor.halo->after[dim];
}

/// Whether the tile of a load could be a part of the share: nothing else pads it or writes to it.
static bool canBePart(DmaLoadOp load, const HandedOnTensor &tensor) {
  memref::AllocOp tile = getLoadedBuffer(load);
  std::optional<SmallVector<LinearIndex>> origin = getLinearOrigin(load);
  if (!tile || !origin || !areAround(*origin, tile) ||
      !getStrides(load.getEffectiveMap(), tensor.order))
    return false;
  for (int64_t cluster = 0; cluster < getClusterCount(load); ++cluster)
    for (auto [dim, range] : llvm::enumerate(*getTransferRanges(load, cluster)))
      if (!hasIndices(load, tensor, dim, {range.first, getLast(load, dim, range.second)}))
        return false;
  return llvm::none_of(getEngineUsers(tile), [&](Operation *user) {
    return writes(user, tile, /*isEarlier=*/true) ||
           (user != load.getOperation() && writes(user, tile, /*isEarlier=*/false));
  });
}

/// Whether the buffer of the share has room for all places of such a tile.
static bool isInShare(DmaLoadOp load, const HandedOnTensor &tensor) {
  const Share &share = tensor.share;
  SmallVector<LinearIndex> origin = *getLinearOrigin(load);
  for (int64_t cluster = 0; cluster < getClusterCount(load); ++cluster)
    for (auto [dim, range] :
         llvm::enumerate(*getPlaces(load, getLoadedBuffer(load), origin, cluster))) {
      int64_t low = share.getLow(dim, cluster);
      if (range.first < low || range.second >= low + share.sizes[dim])
        return false;
    }
  return true;
}

/// A quarter more is worth a copy less.
static bool isLittleMore(ArrayRef<int64_t> sizes, ArrayRef<int64_t> counts) {
  return llvm::product_of(sizes) * 4 <= llvm::product_of(counts) * 5;
}

/// Makes room for tiles that are loaded: those of the last iteration may reach beyond the tensor.
static void includeLoads(HandedOnTensor &tensor) {
  for (DmaLoadOp load : tensor.ownLoads) {
    if (!canBePart(load, tensor))
      continue;
    Share larger = tensor.share;
    SmallVector<LinearIndex> origin = *getLinearOrigin(load);
    for (int64_t cluster = 0; cluster < getClusterCount(load); ++cluster)
      larger.include(*getPlaces(load, getLoadedBuffer(load), origin, cluster), cluster);
    if (isLittleMore(larger.sizes, larger.counts))
      tensor.share = std::move(larger);
  }
}

static bool overlap(const IndexRanges &a, const IndexRanges &b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto both) {
    auto [x, y] = both;
    return x.first <= y.second && y.first <= x.second;
  });
}

/// Whether what one store's tiles hold beside what is stored is no place of another's, unless that
/// one's are made later, in a nest of their own, and leave alone what is stored.
static bool areTilesApart(const HandedOnTensor &tensor) {
  std::vector<IndexRanges> places, stored;
  for (DmaStoreOp store : tensor.stores) {
    places.push_back(*getPlaces(store, getTileBuffer(store.getSrc()),
                                *getLinear(getAsOpFoldResult(store.getOrigin())),
                                /*cluster=*/0));
    stored.push_back(*getTransferRanges(store, /*cluster=*/0));
  }
  for (size_t a = 0; a < places.size(); ++a)
    for (size_t b = a + 1; b < places.size(); ++b) {
      bool areInOrder = getNestOp(tensor.stores[a]) != getNestOp(tensor.stores[b]);
      if (overlap(areInOrder ? stored[a] : places[a], places[b]))
        return false;
    }
  return true;
}

static int64_t getSavedBytes(const HandedOnTensor &tensor) {
  int64_t bytes = 0;
  if (tensor.halo)
    bytes -= (tensor.staysInDram() ? 1 : 2) * tensor.getHaloBytes();
  for (DmaStoreOp store : tensor.stores)
    if (!tensor.staysInDram())
      bytes += getMovedBytes(store, store.getSrc().getType());
  for (DmaLoadOp load : tensor.ownLoads)
    bytes += getMovedBytes(load, load.getDst().getType());
  return bytes;
}

/// Completes what is known of the tensor. Returns why it cannot stay, or nothing.
StringRef npu::analyze(HandedOnTensor &tensor) {
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
    std::optional<SmallVector<unsigned>> order = getTileOrder(store.getEffectiveMap());
    if (!order || (!tensor.order.empty() && tensor.order != *order) || !canBeStoredInPlace(store))
      return "a tile that is stored cannot be a part of a larger buffer";
    tensor.order = std::move(*order);
  }
  for (DmaStoreOp store : tensor.stores)
    for (int64_t cluster = 0; cluster < tensor.share.getClusters(); ++cluster)
      tensor.share.include(*getPlaces(store, getTileBuffer(store.getSrc()),
                                      *getLinear(getAsOpFoldResult(store.getOrigin())), cluster),
                           cluster);
  if (!areTilesApart(tensor))
    return "tiles of several stores overlap";
  collectOwnLoads(tensor);
  if (tensor.halo)
    includeHalo(tensor);
  if (tensor.ownLoads.empty())
    return "every load takes what other clusters store";
  includeLoads(tensor);
  tensor.savedBytes = getSavedBytes(tensor);
  return "";
}

bool npu::leaveEarlier(HandedOnTensor &tensor) {
  Operation *last = getNestOp(tensor.ownLoads.back());
  while (!tensor.ownLoads.empty() && getNestOp(tensor.ownLoads.back()) == last)
    tensor.ownLoads.pop_back();
  llvm::erase_if(tensor.haloLoads,
                 [&](DmaLoadOp load) { return !llvm::is_contained(tensor.ownLoads, load); });
  if (tensor.haloLoads.empty())
    tensor.halo.reset();
  tensor.savedBytes = getSavedBytes(tensor);
  return !tensor.ownLoads.empty();
}

bool npu::canBeReadInPlace(DmaLoadOp load, const HandedOnTensor &tensor) {
  return canBePart(load, tensor) && isInShare(load, tensor);
}

/// Whether clusters share both tensors alike, and see them with the same dimensions.
static bool areSharedAlike(const HandedOnTensor &a, const HandedOnTensor &b) {
  return a.tensor == b.tensor && a.order == b.order && !a.halo && !b.halo &&
         a.share.shape == b.share.shape && a.share.movedBy == b.share.movedBy &&
         a.share.steps == b.share.steps;
}

/// The part of the tensor that the first cluster's buffer holds.
static IndexRanges getBufferRanges(const Share &share) {
  IndexRanges ranges;
  for (auto [dim, size] : llvm::enumerate(share.sizes))
    ranges.push_back({share.getLow(dim, 0), share.getLow(dim, 0) + size - 1});
  return ranges;
}

/// Whether `a` is in an op of the nest before that of `b`.
static bool isInNestBefore(Operation *a, Operation *b) {
  Operation *first = getNestOp(a), *second = getNestOp(b);
  if (first->getBlock() != second->getBlock()) {
    // In loops over clusters of their own, at least one of them.
    Block *kernel = &a->getParentOfType<KernelOp>().getBody().front();
    first = kernel->findAncestorOpInBlock(*first);
    second = kernel->findAncestorOpInBlock(*second);
  }
  return first != second && first->isBeforeInBlock(second);
}

/// Whether a load, and all that reads what it loads, is in the nest before what writes the tile
/// that is stored. What it loads may be a part of the share.
static bool isOverBefore(DmaLoadOp load, DmaStoreOp store) {
  Value stored = getTileBuffer(store.getSrc());
  return llvm::all_of(getEngineUsers(stored), [&](Operation *writer) {
    return !writes(writer, stored, /*isEarlier=*/false) ||
           (isInNestBefore(load, writer) &&
            llvm::all_of(getEngineUsers(getRootBuffer(load.getDst())),
                         [&](Operation *reader) { return isInNestBefore(reader, writer); }));
  });
}

/// Whether the tiles of `later` are those that the last loads of `earlier` take, and made when
/// these have been read, or are being read.
static bool isMadeInPlace(const HandedOnTensor &later, const HandedOnTensor &earlier) {
  if (later.stores.size() != 1 || !areSharedAlike(later, earlier))
    return false;
  DmaStoreOp store = later.stores.front();
  // Loads are in the order of the kernel.
  DmaLoadOp last = earlier.ownLoads.back();
  if (last->getBlock() != store->getBlock() || !canBeReadInPlace(last, earlier) ||
      !llvm::all_of(ArrayRef(earlier.ownLoads).drop_back(),
                    [&](DmaLoadOp load) { return isOverBefore(load, store); }))
    return false;
  memref::AllocOp loaded = getLoadedBuffer(last), stored = getTileBuffer(store.getSrc());
  return last.getDst() == loaded.getResult() && loaded.getType() == stored.getType() &&
         !hasPrevious(loaded) && last.getOrigin() == store.getOrigin() &&
         last.getEffectiveMap() == store.getEffectiveMap() && findInPlaceTile(last, store);
}

bool npu::canTakePlace(const HandedOnTensor &later, const HandedOnTensor &earlier) {
  return getBufferRanges(later.share) == getBufferRanges(earlier.share) &&
         isMadeInPlace(later, earlier);
}

void npu::unifyBuffers(std::vector<HandedOnTensor> &tensors) {
  bool hasChanged = true;
  while (std::exchange(hasChanged, false))
    for (HandedOnTensor &later : tensors)
      for (HandedOnTensor &earlier : tensors) {
        IndexRanges ranges = getBufferRanges(later.share), others = getBufferRanges(earlier.share);
        if (ranges == others || !isMadeInPlace(later, earlier))
          continue;
        Share ofLater = later.share, ofEarlier = earlier.share;
        ofLater.include(others, /*cluster=*/0);
        ofEarlier.include(ranges, /*cluster=*/0);
        if (!isLittleMore(ofLater.sizes, ofLater.counts) ||
            !isLittleMore(ofEarlier.sizes, ofEarlier.counts))
          continue;
        later.share = std::move(ofLater);
        earlier.share = std::move(ofEarlier);
        hasChanged = true;
      }
}
