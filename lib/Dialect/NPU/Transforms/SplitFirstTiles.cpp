//===- SplitFirstTiles.cpp - contractions begin with what is loaded -------===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "StreamParts.h"

#include "NPU/Dialect/NPU/IR/Tile.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

#include <array>
#include <numeric>

namespace npu {
#define GEN_PASS_DEF_NPUSPLITFIRSTTILES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

namespace {
/// A load that brings the operand of a contraction in parts.
struct BegunLoad {
  Operation *load;
  unsigned dim;        ///< of the buffer along which the parts are
  unsigned coordinate; ///< of the tensor

  DmaLoadOp get() const { return cast<DmaLoadOp>(load); }
};

/// A contraction whose first tile is done in parts.
struct BegunTile {
  Operation *op;
  SmallVector<int64_t> begin;   ///< sizes of the parts (`divide`)
  unsigned extent;              ///< of those of the op, the one that is divided
  std::array<unsigned, 2> dims; ///< of its operands, the ones that are
  SmallVector<BegunLoad, 2> loads;
};

/// The only load that fills a ring, if it does so for one cluster alone; null otherwise.
using OnlyLoads = DenseMap<int64_t, DmaLoadOp>;
} // namespace

static OnlyLoads findOnlyLoads(StreamOp stream) {
  OnlyLoads loads;
  stream.walk([&](Operation *op) {
    for (const BufferAccess &access : getBufferAccesses(op)) {
      std::optional<int64_t> ring = getRingId(access.buffer);
      if (!access.writes || !ring)
        continue;
      auto load = dyn_cast<DmaLoadOp>(op);
      auto [known, isNew] = loads.try_emplace(*ring, load);
      if (!isNew || !load || load.getClusters())
        known->second = {};
    }
  });
  return loads;
}

/// The coordinate of the tensor that moves one by one with dimension `dim` of the buffer, and no
/// other one does.
static std::optional<unsigned> findCoordinate(DmaLoadOp load, unsigned dim) {
  std::optional<unsigned> found;
  AffineMap map = load.getEffectiveMap();
  for (auto [coordinate, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (found || expr != getAffineDimExpr(dim, map.getContext()))
      return std::nullopt;
    found = coordinate;
  }
  return found;
}

/// The layout of the left operand has the sums anywhere; in panels they come before the columns.
template <typename OpTy>
static BegunTile describe(OpTy op, StringRef layout, char sum, OnlyLoads &loads) {
  auto getRank = [](Value memref) {
    return static_cast<unsigned>(cast<MemRefType>(memref.getType()).getRank());
  };
  BegunTile tile = {op,
                    SmallVector<int64_t>(*op.getBegin()),
                    static_cast<unsigned>(op.getDimLetters().find(sum)),
                    {static_cast<unsigned>(layout.find(sum)), getRank(op->getOperand(1)) - 2},
                    {}};
  for (auto [operand, dim] : llvm::enumerate(tile.dims)) {
    Value view = op->getOperand(operand);
    std::optional<int64_t> ring = getRingId(view);
    DmaLoadOp load = ring ? loads.lookup(*ring) : DmaLoadOp();
    if (!load || getRank(load.getDst()) != getRank(view))
      continue;
    if (std::optional<unsigned> coordinate = findCoordinate(load, dim))
      tile.loads.push_back({load, dim, *coordinate});
    loads[*ring] = {}; // it is divided once
  }
  return tile;
}

/// What the ops that say so begin with, in the order of the stream; they say it no longer.
static std::vector<BegunTile> takeTiles(StreamOp array, StreamOp loads) {
  std::vector<BegunTile> tiles;
  OnlyLoads onlyLoads;
  auto take = [&](auto op, StringRef layout, char sum) {
    if (!op.getBegin())
      return;
    if (tiles.empty() && loads)
      onlyLoads = findOnlyLoads(loads);
    tiles.push_back(describe(op, layout, sum, onlyLoads));
    op.removeBeginAttr();
  };
  array.walk([&](Operation *op) {
    if (auto matmul = dyn_cast<MatmulOp>(op))
      take(matmul, matmul.getLayoutA(), 'k');
    else if (auto conv = dyn_cast<ConvOp>(op))
      take(conv, conv.getLayoutInput(), 'c');
  });
  return tiles;
}

/// The last transfer, or signal, before what a contraction waits for is on chip: the last of its
/// loads, or another one that it waits for.
static Operation *findLast(const BegunTile &tile) {
  Operation *last = tile.loads.back().load;
  for (SignalOp signal : getSignals(last))
    last = signal;
  SmallVector<WaitOp> waits = getWaits(tile.op);
  for (Operation *next = last; next && !llvm::isa<scf::ForOp>(next); next = next->getNextNode())
    if (auto signal = dyn_cast<SignalOp>(next); signal && llvm::any_of(waits, [&](WaitOp wait) {
                                                  return wait.getSem() == signal.getSem();
                                                }))
      last = signal;
  return last;
}

/// Whether `load` copies within SRAM what later transfers, up to `last`, write over.
static bool isOverwritten(DmaLoadOp load, Operation *last) {
  auto source = getRootBuffer(load.getSrc()).getDefiningOp<RingOp>();
  auto overwrites = [&](Operation *op) {
    return llvm::any_of(getBufferAccesses(op), [&](const BufferAccess &access) {
      auto ring = access.buffer.getDefiningOp<RingOp>();
      return ring && access.writes && overlap(ring, source);
    });
  };
  for (Operation *op = load; source && op != last; op = op->getNextNode())
    if (op->getNextNode()
            ->walk([&](Operation *inner) {
              return overwrites(inner) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted())
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// Cuts a contraction in a stream of the array, and its loads, all of them outside of loops.
class TileSplitter {
public:
  /// The loads of `tile` are in their order. The parts are loaded behind `last`.
  TileSplitter(const BegunTile &tile, Operation *last, int64_t extent, int64_t semaphore)
      : op(tile.op), tile(tile), sizes(divide(extent, tile.begin)), semaphore(semaphore),
        block(last->getBlock()), place(std::next(last->getIterator())) {
    sortWaits(last);
  }

  /// Returns the waits of the first part that are over when it is loaded.
  SmallVector<WaitOp> run() {
    splitLoads();
    for (size_t part = 0; part < sizes.size(); ++part)
      createPart(part);
    op->erase();
    return over;
  }

private:
  bool isLast(size_t part) const { return part + 1 == sizes.size(); }
  int64_t getOffset(size_t part) const {
    return std::accumulate(sizes.begin(), sizes.begin() + part, int64_t(0));
  }
  /// Indices of a part of `whole` ones; the last one has the rest.
  int64_t getSize(size_t part, int64_t whole) const {
    return isLast(part) ? whole - getOffset(part) : sizes[part];
  }
  /// The last part has that of the loads, if the contraction waits for them.
  bool hasOwnSignal(size_t part) const { return !isLast(part) || late.empty(); }
  void sortWaits(Operation *last);
  void splitLoads();
  void createPart(size_t part);

  Operation *op;
  const BegunTile &tile;
  SmallVector<int64_t> sizes; ///< of the parts
  int64_t semaphore;
  Block *block;
  Block::iterator place;    ///< before which the parts are loaded
  SmallVector<WaitOp> late; ///< waits for the last part
  SmallVector<WaitOp> over; ///< waits that are over when the first part is loaded
};
} // namespace

/// Sorts the waits for what is done up to `last`: for the loads, or for something before them.
void TileSplitter::sortWaits(Operation *last) {
  llvm::SmallDenseSet<int64_t> ofLoads;
  for (const BegunLoad &begun : tile.loads)
    for (SignalOp signal : getSignals(begun.load))
      ofLoads.insert(signal.getSem());
  DenseMap<int64_t, int64_t> signalled;
  for (; last && !llvm::isa<scf::ForOp>(last); last = last->getPrevNode())
    if (auto signal = dyn_cast<SignalOp>(last))
      ++signalled[signal.getSem()];
  for (WaitOp wait : getWaits(op)) {
    std::optional<int64_t> value = evaluate(wait.getValue());
    if (value && signalled.contains(wait.getSem()) && *value <= signalled.lookup(wait.getSem()))
      (ofLoads.contains(wait.getSem()) ? late : over).push_back(wait);
  }
}

/// Creates the loads, one part after the other.
void TileSplitter::splitLoads() {
  Location loc = tile.loads.back().load->getLoc();
  OpBuilder builder(block, place);
  for (size_t part = 0; part < sizes.size(); ++part) {
    int64_t offset = getOffset(part);
    for (const BegunLoad &begun : tile.loads) {
      DmaLoadOp load = begun.get();
      int64_t whole = cast<MemRefType>(load.getDst().getType()).getDimSize(begun.dim);
      int64_t size = getSize(part, whole);
      auto copy = cast<DmaLoadOp>(builder.clone(*load));
      builder.setInsertionPoint(copy);
      copy.getDstMutable().assign(npu::createPart(builder, load.getDst(), begun.dim, offset, size));
      AffineExpr index = builder.getAffineDimExpr(0);
      copy.getOriginMutable()[begun.coordinate].assign(affine::AffineApplyOp::create(
          builder, loc, AffineMap::get(1, 0, index + offset), load.getOrigin()[begun.coordinate]));
      if (!load.getExtents().empty()) {
        AffineMap rest = AffineMap::get(1, 0, {index - offset, builder.getAffineConstantExpr(size)},
                                        builder.getContext());
        copy.getExtentsMutable()[begun.dim].assign(affine::AffineMinOp::create(
            builder, loc, rest, ValueRange(load.getExtents()[begun.dim])));
      }
      builder.setInsertionPointAfter(copy);
    }
    if (hasOwnSignal(part))
      SignalOp::create(builder, loc, semaphore);
  }
  for (const BegunLoad &begun : tile.loads) {
    for (SignalOp signal : getSignals(begun.load))
      signal->moveBefore(block, place);
    begun.load->erase();
  }
}

void TileSplitter::createPart(size_t part) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (hasOwnSignal(part))
    WaitOp::create(builder, loc, semaphore, arith::ConstantIndexOp::create(builder, loc, part + 1));
  else
    for (WaitOp wait : late)
      wait->moveBefore(op);
  SmallVector<Value> views;
  for (auto [operand, dim] : llvm::enumerate(tile.dims)) {
    Value view = op->getOperand(operand);
    int64_t whole = cast<MemRefType>(view.getType()).getDimSize(dim);
    views.push_back(npu::createPart(builder, view, dim, getOffset(part), getSize(part, whole)));
  }
  Value size = arith::ConstantIndexOp::create(builder, loc, sizes[part]);
  Operation *copy = builder.clone(*op);
  copy->setOperand(0, views[0]);
  copy->setOperand(1, views[1]);
  llvm::TypeSwitch<Operation *>(copy).Case<MatmulOp, ConvOp>([&](auto contraction) {
    if (!contraction.getExtents().empty())
      contraction.getExtentsMutable()[tile.extent].assign(size);
    if (part == 0)
      return;
    contraction.getInitMutable().clear();
    contraction.getBiasMutable().clear();
    contraction.setAccumulate(true);
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct SplitFirstTiles : npu::impl::NPUSplitFirstTilesBase<SplitFirstTiles> {
  void runOnOperation() override {
    kernel = getOperation();
    if (failed(verifyPlannedOps(kernel)))
      return signalPassFailure();
    for (auto array : llvm::to_vector(kernel.getBody().getOps<StreamOp>())) {
      if (array.getEngine() != Engine::Mxu)
        continue;
      StreamOp loads = findStream(kernel, Engine::Dmai, array.getCluster());
      std::vector<BegunTile> tiles = takeTiles(array, loads);
      bool hasSplit = false;
      DenseSet<Operation *> over;
      for (size_t index = 0; index < tiles.size(); ++index) {
        // What is left to do keeps pointing to the first iteration.
        SmallVector<Operation **> tracked;
        for (BegunTile &tile : MutableArrayRef(tiles).drop_front(index)) {
          tracked.push_back(&tile.op);
          for (BegunLoad &load : tile.loads)
            tracked.push_back(&load.load);
        }
        hasSplit |= split(tiles[index], tracked, over);
      }
      if (!hasSplit)
        continue;
      tidy(array, over);
      tidy(loads);
    }
  }

private:
  /// Adds the waits that are over to `over`. False if nothing has changed.
  bool split(BegunTile &tile, ArrayRef<Operation **> tracked, DenseSet<Operation *> &over) {
    if (tile.loads.empty()) {
      reportMissed(tile.op, "none of its operands is loaded by one transfer for it alone");
      return false;
    }
    peelFirst(tile.op, tracked);
    std::optional<int64_t> extent =
        cast<MemRefType>(tile.op->getOperand(0).getType()).getDimSize(tile.dims[0]);
    llvm::TypeSwitch<Operation *>(tile.op).Case<MatmulOp, ConvOp>([&](auto contraction) {
      if (!contraction.getExtents().empty())
        extent = evaluate(contraction.getExtents()[tile.extent]);
    });
    if (!extent || *extent <= tile.begin.front()) {
      reportMissed(tile.op, "its first tile is not larger than a part");
      return true;
    }
    for (BegunLoad &load : tile.loads)
      peelFirst(load.load, tracked);
    llvm::sort(tile.loads, [](const BegunLoad &a, const BegunLoad &b) {
      return a.load->isBeforeInBlock(b.load);
    });
    Operation *last = findLast(tile);
    llvm::erase_if(tile.loads,
                   [&](const BegunLoad &load) { return isOverwritten(load.get(), last); });
    if (tile.loads.empty()) {
      reportMissed(tile.op,
                   "what its operands are copied from is gone when the last one is loaded");
      return true;
    }
    for (WaitOp wait : TileSplitter(tile, last, *extent, getFreeSemaphore(kernel)).run())
      over.insert(wait);
    return true;
  }

  void reportMissed(Operation *op, StringRef reason) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("FirstTileWhole")
                                     .category("npu-split-first-tiles")
                                     .function(kernel.getSymName()))
        << remark::reason("{0}", reason);
  }

  KernelOp kernel;
};
} // namespace
