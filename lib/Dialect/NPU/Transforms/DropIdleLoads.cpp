//===- DropIdleLoads.cpp - loads of the first iteration leave the others --===//
//
// A load that brings nothing signals all the same, no more than the signal before it did. Waits
// count signals: where they can count without that one it goes, too, and elsewhere nobody waits for
// it.
//
//===----------------------------------------------------------------------===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "StreamParts.h"
#include "TransferBox.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace npu {
#define GEN_PASS_DEF_NPUDROPIDLELOADS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// On the loads that bring something in the first iteration alone, and their copies.
static constexpr StringRef kAtFirstAttrName = "npu.at_first";

//===----------------------------------------------------------------------===//
// Signals of loads that bring nothing
//===----------------------------------------------------------------------===//

/// Whether nothing is done in a loop but to signal.
static bool onlySignals(scf::ForOp loop) {
  return llvm::all_of(*loop.getBody(), [](Operation &op) {
    auto inner = dyn_cast<scf::ForOp>(op);
    return inner ? onlySignals(inner) : !llvm::isa<WaitOp>(op) && !getExecutingEngine(&op);
  });
}

namespace {
/// The signals of a stream in the order in which they are given. Those of a semaphore that follow
/// each other with nothing between them are given at once: the first one is enough.
class SignalTimes {
public:
  explicit SignalTimes(StreamOp stream);

  bool knows(int64_t semaphore) const { return signals.contains(semaphore); }
  /// The first signal of the semaphore that is given no earlier than number `signal` is; 0: it is
  /// given before all work.
  int64_t getFirst(int64_t semaphore, int64_t signal) const;
  /// How many signals there are up to that one when those that say nothing have gone.
  int64_t getFirstLeft(int64_t semaphore, int64_t signal) const;
  /// Whether the op only ever signals what has been signalled.
  bool isIdle(SignalOp signal) const { return !working.contains(signal); }

private:
  using Limits = SmallVector<LinearIndex, 4>;
  struct Signal {
    Operation *op;
    int64_t first;
    bool isRepeat;    ///< in a later iteration of a loop that only signals
    int64_t left = 0; ///< signals up to this one, without those that say nothing
  };

  void run(Block &block, bool isRepeat);
  int64_t evaluate(const LinearIndex &index) const;
  bool isIdle(DmaLoadOp load);
  /// Whether the stream has waited for as much before.
  bool isOver(WaitOp wait);

  DenseMap<Value, int64_t> counters;
  DenseMap<Operation *, Limits> limits; ///< of extents and waits
  int64_t numSteps = 0;                 ///< ops that work or wait so far
  DenseMap<int64_t, int64_t> passed;    ///< by semaphore, for what the stream has waited
  DenseMap<int64_t, int64_t> stepOf;    ///< number of the last step before the last signal
  DenseMap<int64_t, std::vector<Signal>> signals; ///< by semaphore
  llvm::DenseSet<Operation *> working;            ///< signals that are not idle
};
} // namespace

int64_t SignalTimes::evaluate(const LinearIndex &index) const {
  int64_t value = index.constant;
  for (auto [counter, factor] : index.factors)
    value += factor * counters.lookup(counter);
  return value;
}

bool SignalTimes::isIdle(DmaLoadOp load) {
  auto [known, isNew] = limits.try_emplace(load);
  if (isNew)
    for (Value extent : load.getExtents())
      llvm::append_range(known->second, getLinearLimits(extent));
  return llvm::any_of(known->second,
                      [&](const LinearIndex &limit) { return evaluate(limit) <= 0; });
}

bool SignalTimes::isOver(WaitOp wait) {
  auto [known, isNew] = limits.try_emplace(wait);
  if (isNew)
    if (std::optional<LinearIndex> value = getLinearIndex(wait.getValue()))
      known->second.push_back(std::move(*value));
  if (known->second.empty())
    return false;
  int64_t value = evaluate(known->second.front());
  int64_t &before = passed[wait.getSem()];
  bool isOver = value <= before;
  before = std::max(before, value);
  return isOver;
}

void SignalTimes::run(Block &block, bool isRepeat) {
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      bool isIdle = onlySignals(loop);
      for (int64_t i = 0, trips = *getTripCount(loop); i < trips; ++i) {
        counters[loop.getInductionVar()] = i;
        run(*loop.getBody(), isRepeat || (isIdle && i > 0));
      }
    } else if (auto signal = dyn_cast<SignalOp>(op)) {
      std::vector<Signal> &known = signals[signal.getSem()];
      int64_t &step = stepOf[signal.getSem()];
      int64_t first = known.empty() ? 0 : known.back().first;
      if (numSteps > step) {
        first = known.size() + 1;
        working.insert(signal);
      }
      known.push_back({signal, first, isRepeat});
      step = numSteps;
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      numSteps += !isOver(wait);
    } else if (getExecutingEngine(&op)) {
      auto load = dyn_cast<DmaLoadOp>(op);
      numSteps += !load || !isIdle(load);
    }
  }
}

int64_t SignalTimes::getFirst(int64_t semaphore, int64_t signal) const {
  const std::vector<Signal> &known = signals.find(semaphore)->second;
  if (signal < 1)
    return 0;
  return known[std::min<int64_t>(signal, known.size()) - 1].first;
}

int64_t SignalTimes::getFirstLeft(int64_t semaphore, int64_t signal) const {
  int64_t first = getFirst(semaphore, signal);
  return first < 1 ? 0 : signals.find(semaphore)->second[first - 1].left;
}

SignalTimes::SignalTimes(StreamOp stream) {
  run(stream.getBody().front(), /*isRepeat=*/false);
  for (auto &[semaphore, known] : signals) {
    int64_t left = 0;
    for (Signal &signal : known)
      signal.left = left += !signal.isRepeat && working.contains(signal.op);
  }
}

namespace {
/// A number that is linear in the counters of the loops around an op.
struct LinearValue {
  SmallVector<Value> counters;
  SmallVector<int64_t> factors;
  int64_t constant = 0;
};
} // namespace

/// What the wait asks for if it asks for signal `get(n)` where it asks for signal n; nothing if
/// that is not linear. With `isExact`, it must not ask for more.
static std::optional<LinearValue> mapWait(WaitOp wait, bool isExact,
                                          llvm::function_ref<int64_t(int64_t)> get) {
  std::optional<LinearIndex> value = getLinearIndex(wait.getValue());
  if (!value)
    return std::nullopt;
  LinearValue mapped;
  SmallVector<int64_t> trips, factors;
  SmallVector<scf::ForOp> loops = getLoopsAround(wait);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    mapped.counters.push_back(loop.getInductionVar());
    trips.push_back(*getTripCount(loop));
    factors.push_back(value->factors.lookup(mapped.counters.back()));
  }
  SmallVector<int64_t> at(trips.size(), 0);
  auto evaluate = [&](ArrayRef<int64_t> slopes, int64_t constant) {
    for (auto [slope, counter] : llvm::zip_equal(slopes, at))
      constant += slope * counter;
    return constant;
  };
  auto getAt = [&] { return get(evaluate(factors, value->constant)); };
  mapped.constant = getAt();
  for (auto [index, count] : llvm::enumerate(trips)) {
    at[index] = count > 1;
    mapped.factors.push_back(getAt() - mapped.constant);
    at[index] = 0;
  }
  while (true) {
    int64_t asked = evaluate(mapped.factors, mapped.constant), needed = getAt();
    if (asked < needed || (isExact && asked > std::max<int64_t>(0, needed)))
      return std::nullopt;
    size_t index = trips.size();
    while (index > 0 && ++at[index - 1] == trips[index - 1])
      at[--index] = 0;
    if (index == 0)
      return mapped;
  }
}

static void setValue(WaitOp wait, const LinearValue &value) {
  OpBuilder builder(wait);
  AffineExpr expr = builder.getAffineConstantExpr(value.constant);
  for (auto [index, factor] : llvm::enumerate(value.factors))
    expr = expr + builder.getAffineDimExpr(index) * factor;
  wait.getValueMutable().assign(affine::AffineApplyOp::create(
      builder, wait.getLoc(), AffineMap::get(value.counters.size(), 0, expr), value.counters));
}

/// Leaves one signal of those that are given at once, if what waits can count them so. Otherwise
/// they stay, and nobody waits for a later one of them.
static void dropIdleSignals(KernelOp kernel, StreamOp stream) {
  SignalTimes times(stream);
  SmallVector<WaitOp> waits;
  kernel.walk([&](WaitOp wait) {
    if (times.knows(wait.getSem()))
      waits.push_back(wait);
  });
  SmallVector<std::optional<LinearValue>> values = llvm::map_to_vector(waits, [&](WaitOp wait) {
    return mapWait(wait, /*isExact=*/true,
                   [&](int64_t signal) { return times.getFirstLeft(wait.getSem(), signal); });
  });
  bool isCounted = llvm::all_of(values, [](const auto &value) { return value.has_value(); });
  if (!isCounted)
    values = llvm::map_to_vector(waits, [&](WaitOp wait) {
      return mapWait(wait, /*isExact=*/false,
                     [&](int64_t signal) { return times.getFirst(wait.getSem(), signal); });
    });
  llvm::SmallSetVector<StreamOp, 4> changed;
  for (auto [wait, value] : llvm::zip_equal(waits, values))
    if (value) {
      changed.insert(wait->getParentOfType<StreamOp>());
      setValue(wait, *value);
    }
  bool works =
      stream
          .walk([](Operation *op) {
            return getExecutingEngine(op) ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  if (isCounted && works) { // a stream stays one
    changed.insert(stream);
    SmallVector<scf::ForOp> loops;
    stream.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (onlySignals(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
        if (llvm::isa<SignalOp, scf::ForOp>(op))
          op.moveBefore(loop);
    // Inner ones, which are behind, may use values of those around them.
    for (scf::ForOp loop : llvm::reverse(loops))
      loop.erase();
    SmallVector<SignalOp> idle;
    stream.walk([&](SignalOp signal) {
      if (times.isIdle(signal))
        idle.push_back(signal);
    });
    for (SignalOp signal : idle)
      signal.erase();
  }
  for (StreamOp other : changed)
    tidy(other);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct DropIdleLoads : npu::impl::NPUDropIdleLoadsBase<DropIdleLoads> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyPlannedOps(kernel)))
      return signalPassFailure();
    for (auto stream : llvm::to_vector(kernel.getBody().getOps<StreamOp>()))
      if (stream.getEngine() == Engine::Dmai && drop(stream))
        dropIdleSignals(kernel, stream);
  }

private:
  /// Returns whether there may be signals of loads that bring nothing.
  static bool drop(StreamOp stream) {
    SmallVector<Operation *> loads;
    bool hasIdle = false;
    stream.walk([&](DmaLoadOp load) {
      hasIdle |= getOnceLoops(load) != 0;
      if (getIterations(load) > 1 && loadsAtFirst(load))
        loads.push_back(load);
    });
    SmallVector<Operation **> tracked;
    for (Operation *&load : loads) {
      load->setDiscardableAttr(kAtFirstAttrName, UnitAttr::get(stream.getContext()));
      tracked.push_back(&load);
    }
    for (Operation *&load : loads)
      peelFirst(load, tracked);
    // Other loads for several clusters that bring nothing are what those wait for.
    SmallVector<DmaLoadOp> idle;
    stream.walk([&](DmaLoadOp load) {
      bool isAtFirst = load->removeDiscardableAttr(kAtFirstAttrName) != nullptr;
      if ((isAtFirst || !load.getClusters()) && isIdle(load.getExtents(), stream.getCluster()))
        idle.push_back(load);
    });
    for (DmaLoadOp load : idle)
      load.erase();
    // Without one the stream may be empty, and gone.
    bool hasSignals =
        stream.walk([](SignalOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (!loads.empty() || !idle.empty())
      tidy(stream);
    return hasSignals && (hasIdle || !idle.empty());
  }
};
} // namespace
