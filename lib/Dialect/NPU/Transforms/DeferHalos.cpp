//===- DeferHalos.cpp - convolutions begin with what is on chip -----------===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "NestWork.h"
#include "StreamParts.h"
#include "TransferBox.h"

#include "NPU/Dialect/NPU/IR/Tile.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Target/ISA/Timing.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace npu {
#define GEN_PASS_DEF_NPUDEFERHALOS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Waits right before `op` that are for its halo.
static SmallVector<WaitOp> getHaloWaits(Operation *op) {
  SmallVector<WaitOp> waits = getWaits(op);
  llvm::erase_if(waits, [](WaitOp wait) { return !wait.getHalo(); });
  return waits;
}

/// What a view shows of the ring behind it when all counters are zero.
static std::optional<IndexRanges> getFirstBox(Value memref) {
  if (!getRingId(memref))
    return std::nullopt;
  return getViewRanges(memref, [](OpFoldResult offset) -> std::optional<IndexRange> {
    std::optional<LinearIndex> begin = getLinearIndex(offset);
    return begin ? std::optional(IndexRange{begin->constant, begin->constant}) : std::nullopt;
  });
}

/// Whether a load brings something when all counters are zero.
static bool bringsAtFirst(DmaLoadOp load) {
  return llvm::none_of(load.getExtents(), [](Value extent) {
    return llvm::any_of(getLinearLimits(extent),
                        [](const LinearIndex &limit) { return limit.constant <= 0; });
  });
}

namespace {
/// What is brought of a ring in the first iteration.
struct Halo {
  SmallVector<IndexRanges> boxes; ///< in the order of the loads
  int64_t cycles = 0; ///< until it is there, while each cluster stores and loads as much
};
} // namespace

/// What the loads before `signal` bring of a ring; nothing if it is not known.
static std::optional<Halo> findHalo(SignalOp signal, int64_t ring, const TargetDesc &target,
                                    int64_t numClusters) {
  Halo halo;
  int64_t cluster = signal->getParentOfType<StreamOp>().getCluster();
  for (auto load : signal->getBlock()->getOps<DmaLoadOp>()) {
    if (!load->isBeforeInBlock(signal) || getRingId(load.getDst()) != ring ||
        !bringsAtFirst(load) || !bringsPart(load, cluster))
      continue;
    std::optional<IndexRanges> box = getFirstBox(load.getDst());
    if (!box)
      return std::nullopt;
    halo.boxes.push_back(*box);
    MemRefType type = load.getDst().getType();
    isa::DmaCost cost;
    cost.chipElements = type.getNumElements();
    cost.dramBytes = numClusters * cost.chipElements * getElementBytes(type);
    cost.chargedBytes = cost.dramBytes;
    halo.cycles += 2 * isa::getDmaCycles(target, cost);
  }
  return halo;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
/// Indices of a dimension of a convolution, those of `input` along which it moves.
struct Span {
  unsigned dim, input;
  int64_t begin, end;   ///< what is left; exclusive
  int64_t stride, size; ///< of the window's places, and of a window

  int64_t getLength() const { return end - begin; }
};
} // namespace

/// The dimensions along which windows move, all of their indices.
static std::optional<SmallVector<Span>> getSpans(ConvOp conv) {
  auto op = cast<NPUComputeOpInterface>(*conv);
  AffineMap map = op.getIndexingMapsArray().front();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<Span> spans;
  for (auto [input, expr] : llvm::enumerate(map.getResults()))
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim) {
      // Along the others the window itself extends.
      bool isMoving = expr.isFunctionOfDim(dim) && !llvm::isa<AffineDimExpr>(expr) &&
                      op.getIndexingMapsArray().back().isFunctionOfDim(dim);
      if (!isMoving)
        continue;
      int64_t stride = getStride(map, input, dim);
      int64_t length = ranges[dim];
      if (OperandRange extents = op.getTileExtents(); !extents.empty()) {
        std::optional<int64_t> valid = evaluate(extents[dim]);
        if (!valid)
          return std::nullopt;
        length = std::min(length, *valid);
      }
      int64_t whole = cast<MemRefType>(conv.getInput().getType()).getDimSize(input);
      spans.push_back({dim, static_cast<unsigned>(input), 0, length, stride,
                       whole - (ranges[dim] - 1) * stride});
    }
  return spans;
}

/// Leaves windows that do not meet `halo`, as many as can be, of those on `input`. False if there
/// are none.
static bool leaveOut(const IndexRanges &halo, const IndexRanges &input,
                     MutableArrayRef<Span> spans) {
  IndexRanges read = input;
  for (const Span &span : spans) {
    int64_t origin = input[span.input].first;
    read[span.input] = {origin + span.begin * span.stride,
                        origin + (span.end - 1) * span.stride + span.size - 1};
  }
  if (!mayMeet(halo, read))
    return true;
  Span *best = nullptr;
  Span cut{};
  auto consider = [&](Span &span, int64_t begin, int64_t end) {
    bool isBetter = begin < end && (!best || (end - begin) * best->getLength() >
                                                 cut.getLength() * span.getLength());
    if (!isBetter)
      return;
    best = &span;
    cut = span;
    cut.begin = begin;
    cut.end = end;
  };
  for (Span &span : spans) {
    int64_t first = halo[span.input].first - input[span.input].first,
            last = halo[span.input].second - input[span.input].first;
    consider(span, std::max(span.begin, llvm::divideCeilSigned(last + 1, span.stride)), span.end);
    consider(span, span.begin,
             std::min(span.end, llvm::divideFloorSigned(first - span.size, span.stride) + 1));
  }
  if (best)
    *best = cut;
  return best != nullptr;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Cycles of the array for the parts, beyond those for all of it at once.
static double getExcessCycles(NPUComputeOpInterface op, const TargetDesc &target,
                              ArrayRef<Span> all, ArrayRef<Span> inside) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<double> sizes(ranges.begin(), ranges.end());
  auto getPartCycles = [&] { return target.issueCycles + getCycles(op, sizes, target); };
  for (const Span &span : all)
    sizes[span.dim] = span.getLength();
  double cycles = -getPartCycles();
  for (const auto &[whole, kept] : llvm::zip_equal(all, inside)) {
    for (int64_t size : {kept.begin - whole.begin, whole.end - kept.end}) {
      sizes[kept.dim] = size;
      cycles += size > 0 ? getPartCycles() : 0;
    }
    sizes[kept.dim] = kept.getLength();
  }
  return cycles + getPartCycles();
}

/// Does what is inside first, and the rest after the waits for the halo; returns the former.
static Operation *createParts(Operation *op, ArrayRef<Span> all, ArrayRef<Span> inside) {
  SmallVector<WaitOp> waits = getHaloWaits(op);
  SmallVector<Operation *> borders;
  Operation *rest = op;
  auto take = [&](unsigned dim, int64_t begin, int64_t end) {
    return createPart(cast<NPUComputeOpInterface>(rest), dim, begin, end - begin);
  };
  for (const auto &[whole, kept] : llvm::zip_equal(all, inside)) {
    if (kept.getLength() == whole.getLength())
      continue;
    if (kept.begin > whole.begin)
      borders.push_back(take(kept.dim, whole.begin, kept.begin));
    if (kept.end < whole.end)
      borders.push_back(take(kept.dim, kept.end, whole.end));
    Operation *next = take(kept.dim, kept.begin, kept.end);
    if (rest != op)
      rest->erase();
    rest = next;
  }
  if (rest == op) // it reads nothing of the halo; what waits for it may rely on that
    rest = OpBuilder(op).clone(*op);
  for (WaitOp wait : waits)
    wait->moveBefore(op);
  for (Operation *border : borders)
    border->moveBefore(op);
  op->erase();
  return rest;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct DeferHalos : npu::impl::NPUDeferHalosBase<DeferHalos> {
  void runOnOperation() override {
    kernel = getOperation();
    FailureOr<TargetDesc> known = getTarget(kernel);
    if (failed(known) || failed(verifyPlannedOps(kernel)))
      return signalPassFailure();
    target = *known;
    SmallVector<StreamOp> arrays;
    for (auto stream : kernel.getBody().getOps<StreamOp>())
      if (stream.getEngine() == Engine::Mxu)
        arrays.push_back(stream);
    numClusters = arrays.size();
    for (StreamOp array : arrays)
      defer(array);
  }

private:
  void defer(StreamOp array);
  SignalOp findSignal(WaitOp wait);
  std::optional<StringRef> split(Operation *&op, ArrayRef<Operation **> tracked);

  KernelOp kernel;
  TargetDesc target;
  int64_t numClusters = 0;
};
} // namespace

void DeferHalos::defer(StreamOp array) {
  // The first op that waits for a halo is the first one that reads it.
  SmallVector<Operation *> ops;
  llvm::SmallDenseSet<int64_t> semaphores;
  array.walk([&](ConvOp conv) {
    bool isFirst = false;
    for (WaitOp wait : getHaloWaits(conv))
      isFirst |= semaphores.insert(wait.getSem()).second;
    if (isFirst)
      ops.push_back(conv);
  });
  for (size_t index = 0; index < ops.size(); ++index) {
    SmallVector<Operation **> tracked;
    for (Operation *&op : MutableArrayRef(ops).drop_front(index))
      tracked.push_back(&op);
    if (std::optional<StringRef> reason = split(ops[index], tracked))
      remark::missed(ops[index]->getLoc(), remark::RemarkOpts::name("HaloFirst")
                                               .category("npu-defer-halos")
                                               .function(kernel.getSymName()))
          << remark::reason("{0}", *reason);
  }
  array.walk([](WaitOp wait) { wait.setHalo(false); });
  if (!ops.empty())
    tidy(array);
}

/// The first signal of a load that is waited for, of whatever cluster.
SignalOp DeferHalos::findSignal(WaitOp wait) {
  SignalOp found;
  for (auto stream : kernel.getBody().getOps<StreamOp>())
    if (!found && stream.getEngine() == Engine::Dmai)
      stream.walk([&](SignalOp signal) {
        if (signal.getSem() != wait.getSem())
          return WalkResult::advance();
        found = signal;
        return WalkResult::interrupt();
      });
  return found;
}

/// Returns why it does not, if so.
std::optional<StringRef> DeferHalos::split(Operation *&op, ArrayRef<Operation **> tracked) {
  auto conv = cast<ConvOp>(op);
  if (conv.getBegin())
    return "its first tile begins in parts as it is";
  std::optional<int64_t> ring = getRingId(conv.getInput());
  std::optional<IndexRanges> input = getFirstBox(conv.getInput());
  std::optional<SmallVector<Span>> all = getSpans(conv);
  if (!ring || !input || !all)
    return "what it reads in its first iteration is not known";
  SmallVector<Span> inside = *all;
  int64_t cycles = 0;
  for (WaitOp wait : getHaloWaits(op)) {
    std::optional<LinearIndex> value = getLinearIndex(wait.getValue());
    SignalOp signal = findSignal(wait);
    std::optional<Halo> halo = signal && value && value->constant == 1
                                   ? findHalo(signal, *ring, target, numClusters)
                                   : std::nullopt;
    if (!halo)
      return "what its halo is in its first iteration is not known";
    for (const IndexRanges &box : halo->boxes)
      if (!leaveOut(box, *input, inside))
        return "all of its windows reach into the halo";
    cycles += halo->cycles;
  }
  if (getExcessCycles(cast<NPUComputeOpInterface>(op), target, *all, inside) > cycles)
    return "the array would take longer for parts of its first tile than its halo takes";
  peelFirst(op, tracked);
  op = createParts(op, *all, inside);
  return std::nullopt;
}
