//===- PipelineStreams.cpp - one synchronised stream per engine -----------===//

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Synchronization.h"
#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/MapVector.h"

namespace npu {
#define GEN_PASS_DEF_NPUPIPELINESTREAMS
#include "NPU/Dialect/NPU/Transforms/Passes.h.inc"
} // namespace npu

using namespace mlir;
using namespace npu;

/// `base + sum(factors[k] * counters[k])` as an affine.apply, or the plain value where that
/// suffices.
static Value createAffine(OpBuilder &builder, Location loc, ArrayRef<int64_t> factors, int64_t base,
                          ValueRange counters) {
  AffineExpr expr = builder.getAffineConstantExpr(base);
  for (auto [k, factor] : llvm::enumerate(factors))
    expr = expr + builder.getAffineDimExpr(k) * factor;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return counters[dim.getPosition()];
  AffineMap map = AffineMap::get(factors.size(), 0, expr);
  SmallVector<Value> operands(counters);
  affine::canonicalizeMapAndOperands(&map, &operands);
  return affine::AffineApplyOp::create(builder, loc, map, operands);
}

namespace {
/// What synchronisation adds around an op.
struct OpPlan {
  struct Wait {
    unsigned signaller; ///< number of the op waited for
    unsigned level;
    int64_t distance;
  };
  SmallVector<Wait> waits;
  /// Semaphore of cluster 0 that the op signals, 0 = none; semaphores start at 1.
  int64_t semaphore = 0;
};

/// The nest in tile form with all that cloning it needs to know.
class Nest {
public:
  static Nest analyze(Block &body);

  int64_t getNumSemaphores() const { return numSemaphores; }
  bool hasWork(Engine engine) const {
    return llvm::any_of(problem.ops, [&](const SyncProblem::Op &op) {
      return op.engine == static_cast<unsigned>(engine);
    });
  }

  /// Factors of the linear iteration number of the first `level` loops around `loops`. The counter
  /// of a loop of one iteration is zero and left out.
  SmallVector<int64_t> getLinearFactors(ArrayRef<unsigned> loops, unsigned level) const {
    SmallVector<int64_t> factors(level, 0);
    int64_t factor = 1;
    for (unsigned k = level; k-- > 0; factor *= problem.trips[loops[k]])
      if (problem.trips[loops[k]] > 1)
        factors[k] = factor;
    return factors;
  }

  SyncProblem problem;
  llvm::MapVector<Operation *, unsigned> opNumbers;
  DenseMap<Operation *, unsigned> loopNumbers;
  llvm::MapVector<Value, unsigned> bufferNumbers;
  /// Numbers of the on-chip buffers alone, from 0.
  DenseMap<Operation *, int64_t> ringIds;
  SmallVector<OpPlan> plans;

private:
  void addBlock(Block &block, SmallVectorImpl<unsigned> &loops);
  void addOp(Operation *op, Engine engine, ArrayRef<unsigned> loops);
  void findAliases();
  void plan();

  int64_t numSemaphores = 0;
};

/// Clones the ops of one engine of one cluster into a stream.
class StreamCloner {
public:
  StreamCloner(const Nest &nest, Engine engine, int64_t cluster, OpBuilder &builder)
      : nest(nest), engine(engine), cluster(cluster), builder(builder) {}

  /// Values of the kernel that stand for something else in the stream.
  IRMapping mapping;

  void clone(Block &block);

private:
  void cloneLoop(scf::ForOp loop);
  void cloneAllocation(memref::AllocOp alloc, Value of, int64_t shift);
  void cloneWork(Operation *op, unsigned number);
  bool hasWork(Operation *op) const;

  const Nest &nest;
  Engine engine;
  int64_t cluster;
  OpBuilder &builder;
  /// Numbers and counters of the loops around the insertion point.
  SmallVector<unsigned> loops;
  SmallVector<Value> counters;
};
} // namespace

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

Nest Nest::analyze(Block &body) {
  Nest nest;
  SmallVector<unsigned> loops;
  nest.addBlock(body, loops);
  nest.plan();
  return nest;
}

void Nest::addBlock(Block &block, SmallVectorImpl<unsigned> &loops) {
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      loopNumbers[loop] = problem.trips.size();
      loops.push_back(problem.trips.size());
      problem.trips.push_back(*getTripCount(loop));
      addBlock(*loop.getBody(), loops);
      loops.pop_back();
    } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      if (isDramAllocation(alloc))
        continue;
      bufferNumbers.insert({alloc, problem.buffers.size()});
      ringIds.insert({alloc, ringIds.size()});
      problem.buffers.push_back({static_cast<unsigned>(loops.size()), getRingDepth(alloc)});
    } else if (std::optional<Engine> engine = getExecutingEngine(&op)) {
      addOp(&op, *engine, loops);
    }
  }
}

void Nest::addOp(Operation *op, Engine engine, ArrayRef<unsigned> loops) {
  unsigned number = problem.ops.size();
  opNumbers.insert({op, number});
  SyncProblem::Op &entry = problem.ops.emplace_back();
  entry.engine = static_cast<unsigned>(engine);
  entry.loops.assign(loops.begin(), loops.end());
  for (const BufferAccess &access : getBufferAccesses(op)) {
    auto [it, inserted] = bufferNumbers.insert({access.buffer, problem.buffers.size()});
    // Not allocated in the nest: lives in DRAM for the whole kernel.
    if (inserted)
      problem.buffers.push_back({0, 0});
    problem.accesses.push_back({number, it->second, access.writes, access.shift});
  }
}

/// Buffers whose planned bytes overlap.
void Nest::findAliases() {
  struct Range {
    unsigned buffer;
    MemorySpace space;
    int64_t begin, end;
  };
  SmallVector<Range> ranges;
  for (auto [value, number] : bufferNumbers)
    if (auto alloc = value.getDefiningOp<memref::AllocOp>())
      if (auto offset = alloc->getAttrOfType<IntegerAttr>(kOffsetAttrName)) {
        int64_t bytes = getSlotBytes(alloc.getType()) * getRingDepth(alloc);
        ranges.push_back(
            {number, *getMemorySpace(alloc.getType()), offset.getInt(), offset.getInt() + bytes});
      }
  for (auto [index, a] : llvm::enumerate(ranges))
    for (const Range &b : ArrayRef(ranges).drop_front(index + 1))
      if (a.space == b.space && a.begin < b.end && b.begin < a.end)
        problem.aliases.push_back({a.buffer, b.buffer});
}

void Nest::plan() {
  findAliases();
  plans.resize(problem.ops.size());
  SmallVector<SyncEdge> edges = computeSynchronization(problem);
  for (const SyncEdge &edge : edges)
    plans[edge.to].waits.push_back({edge.from, edge.level, edge.distance});
  for (const SyncEdge &edge : edges)
    if (plans[edge.from].semaphore == 0)
      plans[edge.from].semaphore = ++numSemaphores;
}

//===----------------------------------------------------------------------===//
// Cloning
//===----------------------------------------------------------------------===//

bool StreamCloner::hasWork(Operation *op) const {
  return op
      ->walk([&](Operation *inner) {
        return getExecutingEngine(inner) == engine ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void StreamCloner::clone(Block &block) {
  for (Operation &op : block) {
    // Streams are what earlier clones left at the end of the kernel.
    if (op.hasTrait<OpTrait::IsTerminator>() || isDramAllocation(&op) || llvm::isa<StreamOp>(op))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      cloneLoop(loop);
    else if (auto alloc = dyn_cast<memref::AllocOp>(op))
      cloneAllocation(alloc, alloc, /*shift=*/0);
    else if (auto previous = dyn_cast<PreviousOp>(op))
      cloneAllocation(previous.getBuffer().getDefiningOp<memref::AllocOp>(), previous, /*shift=*/1);
    else if (auto it = nest.opNumbers.find(&op); it == nest.opNumbers.end())
      builder.clone(op, mapping);
    else if (getExecutingEngine(&op) == engine)
      cloneWork(&op, it->second);
  }
}

void StreamCloner::cloneLoop(scf::ForOp loop) {
  if (!hasWork(loop))
    return;
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value trips = arith::ConstantIndexOp::create(builder, loc, *getTripCount(loop));
  auto copy = scf::ForOp::create(builder, loc, zero, trips, one);
  mapping.map(loop.getInductionVar(), copy.getInductionVar());
  loops.push_back(nest.loopNumbers.lookup(loop));
  counters.push_back(copy.getInductionVar());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy.getBody()->getTerminator());
    clone(*loop.getBody());
  }
  loops.pop_back();
  counters.pop_back();
}

/// Makes `of`, the instance of `shift` iterations ago, a slot of the ring.
void StreamCloner::cloneAllocation(memref::AllocOp alloc, Value of, int64_t shift) {
  const SyncProblem::Buffer &buffer = nest.problem.buffers[nest.bufferNumbers.lookup(alloc)];
  // A ring of one slot has no position. That of an earlier instance is never negative.
  SmallVector<int64_t> factors = nest.getLinearFactors(loops, buffer.depth == 1 ? 0 : buffer.level);
  Value position =
      createAffine(builder, of.getLoc(), factors, shift == 0 ? 0 : buffer.depth - shift,
                   ValueRange(counters).take_front(factors.size()));
  MemRefType type = alloc.getType();
  auto ring =
      RingOp::create(builder, of.getLoc(), type, position, nest.ringIds.lookup(alloc), buffer.depth,
                     getSlotBytes(type), alloc->getAttrOfType<IntegerAttr>(kOffsetAttrName));
  mapping.map(of, ring.getResult());
}

void StreamCloner::cloneWork(Operation *op, unsigned number) {
  Location loc = op->getLoc();
  int64_t firstSemaphore = cluster * nest.getNumSemaphores();
  const OpPlan &plan = nest.plans[number];
  for (const OpPlan::Wait &wait : plan.waits) {
    // The executions waited for are whole iterations of the common loops, each with this many
    // signals.
    int64_t signalsPerIteration = 1;
    for (unsigned loop : ArrayRef(nest.problem.ops[wait.signaller].loops).drop_front(wait.level))
      signalsPerIteration *= nest.problem.trips[loop];
    SmallVector<int64_t> factors = nest.getLinearFactors(loops, wait.level);
    for (int64_t &factor : factors)
      factor *= signalsPerIteration;
    Value value = createAffine(builder, loc, factors, (1 - wait.distance) * signalsPerIteration,
                               ValueRange(counters).take_front(wait.level));
    WaitOp::create(builder, loc, firstSemaphore + nest.plans[wait.signaller].semaphore, value);
  }
  builder.clone(*op, mapping);
  if (plan.semaphore != 0)
    SignalOp::create(builder, loc, firstSemaphore + plan.semaphore);
}

/// Rewrites index computations as functions of the loop counters alone.
static void composeIndexValues(StreamOp stream) {
  SmallVector<Operation *> computations;
  stream.walk([&](Operation *op) {
    if (llvm::isa<affine::AffineApplyOp, affine::AffineMinOp>(op))
      computations.push_back(op);
  });
  for (Operation *op : computations) {
    OpBuilder builder(op);
    SmallVector<OpFoldResult> operands = getAsOpFoldResult(op->getOperands());
    OpFoldResult composed =
        llvm::isa<affine::AffineApplyOp>(op)
            ? affine::makeComposedFoldedAffineApply(
                  builder, op->getLoc(), cast<affine::AffineApplyOp>(op).getAffineMap(), operands)
            : affine::makeComposedFoldedAffineMin(
                  builder, op->getLoc(), cast<affine::AffineMinOp>(op).getAffineMap(), operands);
    op->replaceAllUsesWith(
        ValueRange{getValueOrCreateConstantIndexOp(builder, op->getLoc(), composed)});
    op->erase();
  }
}

/// Removes computations that no op of the stream needs.
static void eraseUnused(StreamOp stream) {
  stream.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PipelineStreams : public npu::impl::NPUPipelineStreamsBase<PipelineStreams> {
  void runOnOperation() override {
    if (failed(expectTileForm(getOperation())) || failed(pipeline(getOperation())))
      signalPassFailure();
  }

private:
  static LogicalResult pipeline(KernelOp kernel) {
    Block &body = kernel.getBody().front();
    // The part that is cloned.
    Block &work = getNest(kernel);
    int64_t clusters = 1;
    if (scf::ForallOp loop = findClusterLoop(kernel))
      clusters = *getConstantIntValue(loop.getMixedUpperBound().front());
    Nest nest = Nest::analyze(work);
    if (clusters > 1 && failed(checkSharedMemory(nest)))
      return failure();

    SmallVector<Operation *> replaced;
    for (Operation &op : body.without_terminator())
      if (!isDramAllocation(&op))
        replaced.push_back(&op);
    OpBuilder builder(body.getTerminator());
    for (int64_t cluster = 0; cluster < clusters; ++cluster)
      for (const auto &engine : isa::EnumTraits<isa::EngineKind>::cases)
        if (nest.hasWork(Engine(engine.value)))
          createStream(nest, Engine(engine.value), cluster, body, work, builder);
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
    // Equal positions and constants of the clones become one.
    IRRewriter rewriter(kernel.getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
    return success();
  }

  static void createStream(const Nest &nest, Engine engine, int64_t cluster, Block &body,
                           Block &work, OpBuilder &builder) {
    OpBuilder::InsertionGuard guard(builder);
    auto stream = StreamOp::create(builder, body.getParentOp()->getLoc(), engine, cluster);
    builder.setInsertionPointToStart(&stream.getBody().front());
    StreamCloner cloner(nest, engine, cluster, builder);
    if (&work != &body) {
      for (Operation &op : body)
        if (op.hasTrait<OpTrait::ConstantLike>())
          builder.clone(op, cloner.mapping);
      auto forall = cast<scf::ForallOp>(work.getParentOp());
      cloner.mapping.map(forall.getInductionVar(0),
                         arith::ConstantIndexOp::create(builder, forall.getLoc(), cluster));
    }
    cloner.clone(work);
    composeIndexValues(stream);
    eraseUnused(stream);
  }

  /// A dimension of DRAM of which a transfer touches one index, and how many consecutive indices
  /// each cluster has: no two clusters have the same.
  using Share = std::pair<unsigned, int64_t>;
  static SmallVector<Share> getShares(OperandRange origin, AffineMap map) {
    SmallVector<Share> shares;
    for (auto [dim, position] : llvm::enumerate(origin)) {
      auto apply = position.getDefiningOp<affine::AffineApplyOp>();
      if (!apply || map.getResult(dim) != 0 || apply.getNumOperands() != 2)
        continue;
      auto cluster = dyn_cast<BlockArgument>(apply.getOperand(0)),
           counter = dyn_cast<BlockArgument>(apply.getOperand(1));
      if (!cluster || !counter || !llvm::isa<scf::ForallOp>(cluster.getOwner()->getParentOp()))
        continue;
      auto loop = dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp());
      std::optional<int64_t> share = loop ? getTripCount(loop) : std::nullopt;
      AffineExpr expected = getAffineDimExpr(0, apply.getContext()) * share.value_or(0) +
                            getAffineDimExpr(1, apply.getContext());
      if (share && apply.getAffineMap().getResult(0) == expected)
        shares.push_back({dim, *share});
    }
    return shares;
  }

  /// Clusters do not wait for each other: through DRAM, each may only communicate with itself.
  static LogicalResult checkSharedMemory(const Nest &nest) {
    auto isOwn = [&](DmaLoadOp load, DmaStoreOp store) {
      SmallVector<Share> written = getShares(store.getOrigin(), store.getEffectiveMap());
      return llvm::any_of(getShares(load.getOrigin(), load.getEffectiveMap()),
                          [&](Share share) { return llvm::is_contained(written, share); });
    };
    for (auto [op, number] : nest.opNumbers) {
      auto load = dyn_cast<DmaLoadOp>(op);
      auto gather = dyn_cast<DmaGatherOp>(op);
      if (!load && !gather)
        continue;
      Value buffer = getRootBuffer(load ? load.getSrc() : gather.getSrc());
      for (auto [other, otherNumber] : nest.opNumbers) {
        auto store = dyn_cast<DmaStoreOp>(other);
        if (store && getRootBuffer(store.getDst()) == buffer && !(load && isOwn(load, store)))
          return op->emitOpError(
              "reads DRAM that another cluster may write, which is not supported, as clusters do "
              "not wait for each other; split one dimension of both, or the kernel into two");
      }
    }
    return success();
  }
};
} // namespace
