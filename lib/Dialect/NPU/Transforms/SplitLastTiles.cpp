//===- SplitLastTiles.cpp - contractions end with little left to do -------===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "StreamParts.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace npu {
#define GEN_PASS_DEF_NPUSPLITLASTTILES
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// How often a cluster comes to `signal`.
static int64_t countSignals(SignalOp signal) {
  int64_t count = 1;
  for (auto loop = signal->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    count *= *getTripCount(loop);
  return count;
}

/// What is done in parts first is no longer `op`.
static void removeBegin(Operation *op) {
  llvm::TypeSwitch<Operation *>(op).Case<MatmulOp, ConvOp>(
      [](auto contraction) { contraction.removeBeginAttr(); });
}

/// Does the last iteration of all loops around `op` behind them.
static void peelLast(Operation *op) {
  auto getOutermost = [&] {
    scf::ForOp outermost;
    for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      outermost = loop;
    return outermost;
  };
  while (scf::ForOp loop = getOutermost()) {
    if (int64_t trips = *getTripCount(loop); trips > 1) {
      splitLoop(loop, trips - 1);
      removeBegin(op);
    }
    inlineLoop(loop);
  }
}

/// Whether a convolution adds up the channels of a part in all windows before those of the next
/// one. A part behind it, which is done when all are there, would do so in another order.
static bool sumsWindowsInParts(NPUComputeOpInterface op) {
  auto conv = dyn_cast<ConvOp>(*op);
  if (!conv || !conv.getBegin())
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::string letters = op.getDimLetters();
  return llvm::any_of(conv.getKernelLetters(), [&](char letter) {
    size_t dim = letters.find(letter);
    return dim != std::string::npos && ranges[dim] > 1;
  });
}

namespace {
/// A contraction whose last tile is done in two parts.
struct EndedTile {
  NPUComputeOpInterface op;
  unsigned dim; ///< of its iteration domain, along which the parts are
};

/// What reads a tile part by part: a loop in which each part has `size` indices.
struct Reader {
  scf::ForOp loop;
  int64_t size, trips;
  llvm::SmallDenseSet<int64_t> semaphores; ///< that it alone signals, once per part
};

struct SplitLastTiles : npu::impl::NPUSplitLastTilesBase<SplitLastTiles> {
  void runOnOperation() override {
    kernel = getOperation();
    if (failed(verifyPlannedOps(kernel)))
      return signalPassFailure();
    changed.clear();
    streamsOfRing.clear();
    for (auto stream : kernel.getBody().getOps<StreamOp>())
      stream.walk([&](RingOp ring) { streamsOfRing[ring.getId()].insert(stream); });
    freeSemaphore = getFreeSemaphore(kernel);
    for (auto array : llvm::to_vector(kernel.getBody().getOps<StreamOp>()))
      if (array.getEngine() == Engine::Mxu)
        for (const EndedTile &tile : takeTiles(array))
          if (std::optional<StringRef> reason = split(array, tile))
            reportMissed(tile.op, *reason);
    for (StreamOp stream : changed)
      tidy(stream);
  }

private:
  static SmallVector<EndedTile> takeTiles(StreamOp array);
  FailureOr<Reader> findReader(StreamOp array, const EndedTile &tile);
  std::optional<StringRef> split(StreamOp array, const EndedTile &tile);
  SmallVector<Operation *> findWaits(StreamOp array, const EndedTile &tile, scf::ForOp loop);
  static void waitByPart(Operation *first, Operation *last, const Reader &reader, int64_t numFirst);
  static void waitForOwnParts(NPUComputeOpInterface op, const EndedTile &tile,
                              const Reader &reader);

  void reportMissed(Operation *op, StringRef reason) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name("LastTileWhole")
                                     .category("npu-split-last-tiles")
                                     .function(kernel.getSymName()))
        << remark::reason("{0}", reason);
  }

  KernelOp kernel;
  llvm::SetVector<StreamOp> changed;
  DenseMap<int64_t, llvm::SmallSetVector<StreamOp, 4>> streamsOfRing;
  int64_t freeSemaphore = 0; ///< and all behind it
};
} // namespace

/// The ops that say so, in the order of the stream; they say it no longer.
SmallVector<EndedTile> SplitLastTiles::takeTiles(StreamOp array) {
  SmallVector<EndedTile> tiles;
  array.walk([&](NPUComputeOpInterface op) {
    llvm::TypeSwitch<Operation *>(op).Case<MatmulOp, ConvOp>([&](auto contraction) {
      if (std::optional<StringRef> letter = contraction.getEnd()) {
        tiles.push_back({op, static_cast<unsigned>(op.getDimLetters().find(*letter))});
        contraction.removeEndAttr();
      }
    });
  });
  return tiles;
}

/// The only loop whose iterations each read one part of the tile after the other.
FailureOr<Reader> SplitLastTiles::findReader(StreamOp array, const EndedTile &tile) {
  NPUComputeOpInterface op = tile.op;
  Value output = op.getDestinationOperand().get();
  std::optional<int64_t> ring = getRingId(output);
  AffineMap map = op.getIndexingMapsArray().back();
  std::optional<unsigned> dim = map.getResultPosition(getAffineDimExpr(tile.dim, &getContext()));
  Reader reader = {{}, 0, 0, {}};
  bool isFit = ring && dim && output.getDefiningOp<RingOp>();
  auto lookAt = [&](Operation *other) {
    if (!isFit)
      return;
    for (const BufferAccess &access : getBufferAccesses(other)) {
      if (getRingId(access.buffer) != ring)
        continue;
      auto view = access.memref.getDefiningOp<memref::SubViewOp>();
      auto loop = other->getParentOfType<scf::ForOp>();
      isFit = view && loop && view.getSource().getDefiningOp<RingOp>() &&
              (!reader.loop || reader.loop == loop);
      if (!isFit)
        return;
      std::optional<LinearIndex> offset = getLinearIndex(view.getMixedOffsets()[*dim]);
      int64_t size = view.getStaticSizes()[*dim];
      isFit = offset && offset->constant == 0 && offset->factors.size() == 1 &&
              offset->factors.lookup(loop.getInductionVar()) == size &&
              (!reader.loop || reader.size == size);
      reader.loop = loop;
      reader.size = size;
    }
  };
  // Few streams have the ring at all.
  if (ring)
    for (StreamOp stream : streamsOfRing.lookup(*ring))
      if (stream != array && stream.getCluster() == array.getCluster())
        stream.walk(lookAt);
  if (!isFit || !reader.loop)
    return failure();
  reader.trips = *getTripCount(reader.loop);
  // No other stream signals what this one does.
  DenseMap<int64_t, unsigned> counts;
  reader.loop->getParentOfType<StreamOp>().walk(
      [&](SignalOp signal) { ++counts[signal.getSem()]; });
  for (auto signal : reader.loop.getBody()->getOps<SignalOp>())
    if (counts.lookup(signal.getSem()) == 1)
      reader.semaphores.insert(signal.getSem());
  return reader;
}

/// The waits in a loop of another stream that are over when the contraction has been done.
SmallVector<Operation *> SplitLastTiles::findWaits(StreamOp array, const EndedTile &tile,
                                                   scf::ForOp loop) {
  SmallVector<Operation *> waits;
  for (SignalOp signal : getSignals(tile.op)) {
    int64_t signalled = 0;
    array.walk([&](SignalOp other) {
      Operation *top = other;
      while (top->getParentOp() != array)
        top = top->getParentOp();
      if (other.getSem() == signal.getSem() && (top == signal || top->isBeforeInBlock(signal)))
        signalled += countSignals(other);
    });
    for (auto wait : loop.getBody()->getOps<WaitOp>())
      if (wait.getSem() == signal.getSem() && evaluate(wait.getValue()) == signalled)
        waits.push_back(wait);
  }
  return waits;
}

/// Whether what reads the tile part by part writes where the operands of the contraction are, while
/// it is not done with them. Others wait for all of the contraction
/// (`SyncProblem::Op::endsInParts`).
static bool isOverwritten(const EndedTile &tile, scf::ForOp reader) {
  NPUComputeOpInterface op = tile.op;
  SmallVector<OpOperand *> data = op.getDataOperands();
  SmallVector<RingOp> operands;
  for (OpOperand *operand : ArrayRef(data).drop_back())
    if (auto ring = getRootBuffer(operand->get()).getDefiningOp<RingOp>())
      operands.push_back(ring);
  for (Operation &other : *reader.getBody())
    for (const BufferAccess &access : getBufferAccesses(&other))
      if (auto ring = access.buffer.getDefiningOp<RingOp>(); ring && access.writes)
        for (RingOp operand : operands)
          if (ring.getId() != operand.getId() && overlap(ring, operand))
            return true;
  return false;
}

/// Where the tile's place is free when an earlier tile has been read, the first `numFirst` parts,
/// and the one behind them, need no more than that the same ones of that have been.
void SplitLastTiles::waitByPart(Operation *first, Operation *last, const Reader &reader,
                                int64_t numFirst) {
  for (WaitOp wait : getWaits(first)) {
    std::optional<int64_t> value = evaluate(wait.getValue());
    if (!value || !reader.semaphores.contains(wait.getSem()) || *value % reader.trips != 0)
      continue;
    for (auto [op, numParts] : {std::pair(first, numFirst), std::pair(last, numFirst + 1)}) {
      OpBuilder builder(op);
      Value needed =
          arith::ConstantIndexOp::create(builder, wait.getLoc(), *value - reader.trips + numParts);
      WaitOp::create(builder, wait.getLoc(), wait.getSem(), needed);
    }
    wait.erase();
  }
}

/// A tile at the edge, which is apart from the others now, has fewer parts than those that were in
/// its place before, and waits for as many of those.
void SplitLastTiles::waitForOwnParts(NPUComputeOpInterface op, const EndedTile &tile,
                                     const Reader &reader) {
  OperandRange extents = op.getTileExtents();
  std::optional<int64_t> extent = extents.empty() ? std::nullopt : evaluate(extents[tile.dim]);
  int64_t numParts = extent ? llvm::divideCeil(*extent, reader.size) : reader.trips;
  if (numParts < 1 || numParts >= reader.trips)
    return;
  auto isWhole = [&](int64_t signals) { return signals % reader.trips == 0; };
  for (WaitOp wait : getWaits(op)) {
    std::optional<LinearIndex> value = getLinearIndex(wait.getValue());
    if (!value || !reader.semaphores.contains(wait.getSem()) || !isWhole(value->constant) ||
        !llvm::all_of(value->factors, [&](const auto &term) { return isWhole(term.second); }))
      continue;
    OpBuilder builder(wait);
    AffineExpr less = builder.getAffineDimExpr(0) - (reader.trips - numParts);
    wait.getValueMutable().assign(affine::AffineApplyOp::create(
        builder, wait.getLoc(), AffineMap::get(1, 0, less), wait.getValue()));
  }
}

/// Returns why it does not, if so.
std::optional<StringRef> SplitLastTiles::split(StreamOp array, const EndedTile &tile) {
  NPUComputeOpInterface op = tile.op;
  FailureOr<Reader> reader = findReader(array, tile);
  if (failed(reader))
    return "what reads its tiles does not do so part by part";
  if (isOverwritten(tile, reader->loop))
    return "what reads its last tile writes where its operands are";
  changed.insert(array);
  peelLast(op);
  std::optional<int64_t> ring = getRingId(op.getDestinationOperand().get());
  array.walk([&](NPUComputeOpInterface other) {
    if (other != op && other->getName() == op->getName() &&
        getRingId(other.getDestinationOperand().get()) == ring)
      waitForOwnParts(other, tile, *reader);
  });
  auto leave = [&](StringRef reason) {
    waitForOwnParts(op, tile, *reader);
    return reason;
  };
  if (sumsWindowsInParts(op))
    return leave("it is the first one as well, whose windows are added up part by part");
  int64_t extent = op.getStaticLoopRanges()[tile.dim];
  if (OperandRange extents = op.getTileExtents(); !extents.empty()) {
    std::optional<int64_t> valid = evaluate(extents[tile.dim]);
    if (!valid)
      return leave("the size of its last tile is not known");
    extent = *valid;
  }
  if (extent <= reader->size)
    return leave("its last tile is not larger than a part");
  auto stream = reader->loop->getParentOfType<StreamOp>();
  changed.insert(stream);
  peelLast(reader->loop);
  SmallVector<Operation *> waits = findWaits(array, tile, reader->loop);
  if (waits.empty())
    return leave("what reads its last tile waits for something else as well");

  int64_t numParts = llvm::divideCeil(extent, reader->size), offset = (numParts - 1) * reader->size;
  SmallVector<Operation **> tracked;
  for (Operation *&wait : waits)
    tracked.push_back(&wait);
  splitLoop(reader->loop, numParts - 1, tracked);
  int64_t semaphore = freeSemaphore++;
  for (Operation *wait : waits) {
    OpBuilder builder(wait);
    cast<WaitOp>(wait).setSem(semaphore);
    cast<WaitOp>(wait).getValueMutable().assign(
        arith::ConstantIndexOp::create(builder, wait->getLoc(), 1));
  }
  OpBuilder builder(op);
  Operation *first = createPart(op, tile.dim, 0, offset);
  SignalOp::create(builder, op->getLoc(), semaphore);
  waitByPart(first, op, *reader, numParts - 1);
  removeBegin(createPart(op, tile.dim, offset, extent - offset));
  op->erase();
  return std::nullopt;
}
