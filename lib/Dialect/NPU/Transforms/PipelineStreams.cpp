//===- PipelineStreams.cpp - one synchronized stream per engine -----------===//

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "NeededExecutions.h"
#include "StreamIndices.h"
#include "TransferBox.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"
#include "NPU/Dialect/NPU/Transforms/Passes.h"
#include "NPU/Dialect/NPU/Transforms/Synchronization.h"
#include "NPU/Target/ISA/Instructions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

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
/// What synchronization adds around an op.
struct OpPlan {
  struct Wait {
    unsigned signaller; ///< number of the op waited for
    unsigned level;
    int64_t distance;
    uint32_t onceIn; ///< levels of loops of which the first iteration counts
    std::optional<SyncLead> lead;
    bool isForHalo;
  };
  SmallVector<Wait> waits;
  /// Semaphore that the op signals, 0 = none; semaphores start at 1.
  int64_t semaphore = 0;
  int64_t spare = 0; ///< signals behind its loops
};

/// The loop nest in tile form with all that cloning it needs to know. What clusters share is in it
/// once for each of them, in the same loops: all of them run the same trip counts.
class StreamPlan {
public:
  static StreamPlan analyze(KernelOp kernel);

  int64_t getNumClusters() const { return numClusters; }
  bool hasWork(Engine engine, int64_t cluster) const {
    return llvm::any_of(problem.ops, [&](const SyncProblem::Op &op) {
      return op.engine == getEngineNumber(engine, cluster);
    });
  }
  /// The number of the op on one of the clusters that run it, or nothing.
  std::optional<unsigned> findOp(Operation *op, int64_t cluster) const {
    auto known = opNumbers.find({op, cluster});
    return known == opNumbers.end() ? std::nullopt : std::optional(known->second);
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
  DenseMap<Operation *, unsigned> loopNumbers;
  /// Numbers of the on-chip buffers alone, from 0, and their ring depths and levels.
  DenseMap<Operation *, int64_t> ringIds;
  DenseMap<Operation *, SyncProblem::Buffer> rings;
  SmallVector<OpPlan> plans;

private:
  static unsigned getEngineNumber(Engine engine, int64_t cluster) {
    return cluster * std::size(isa::EnumTraits<isa::EngineKind>::cases) +
           static_cast<unsigned>(engine);
  }
  void addOp(Operation *op, SmallVectorImpl<unsigned> &loops);
  void addMulticast(DmaLoadOp load, ArrayRef<unsigned> loops);
  void addWork(Operation *op, Engine engine, int64_t cluster, ArrayRef<unsigned> loops);
  void addAccess(unsigned number, const BufferAccess &access, int64_t cluster, uint32_t onceIn);
  unsigned getBufferNumber(Value buffer, int64_t cluster);
  void findAliases();
  void plan();

  llvm::MapVector<std::pair<Operation *, int64_t>, unsigned> opNumbers; ///< by cluster
  /// By cluster; buffers in DRAM are those of the first.
  llvm::MapVector<std::pair<Value, int64_t>, unsigned> bufferNumbers;
  DenseMap<unsigned, TransferBox> boxes; ///< what accesses to DRAM touch, as far as it is known
  DenseMap<unsigned, IndexRanges> views; ///< the same of parts of buffers on chip
  /// The same of accesses to what all loops share, in an iteration, and the op.
  DenseMap<unsigned, std::pair<MovingBox, Operation *>> movingBoxes;
  DenseMap<Value, unsigned> parts; ///< numbers of views that move, from 1
  int64_t numClusters = 1;
  unsigned phase = 0;
};

/// Clones the ops of one engine of one cluster into a stream.
class StreamCloner {
public:
  StreamCloner(const StreamPlan &streamPlan, Engine engine, int64_t cluster, OpBuilder &builder)
      : streamPlan(streamPlan), engine(engine), cluster(cluster), builder(builder) {}

  void clone(Block &block);

private:
  void cloneLoop(scf::ForOp loop);
  void cloneShare(scf::ForallOp clusters);
  void cloneAllocation(memref::AllocOp alloc, Value of, int64_t shift);
  void clonePreviousPart(memref::SubViewOp part, PreviousOp previous);
  void cloneWork(Operation *op, unsigned number);
  void signalSpare(scf::ForOp loop);
  bool hasWork(Operation *op) const;

  const StreamPlan &streamPlan;
  Engine engine;
  int64_t cluster;
  OpBuilder &builder;
  /// Values of the kernel that stand for something else in the stream.
  IRMapping mapping;
  /// Numbers and counters of the loops around the insertion point.
  SmallVector<unsigned> loops;
  SmallVector<Value> counters;
};
} // namespace

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

StreamPlan StreamPlan::analyze(KernelOp kernel) {
  StreamPlan streamPlan;
  SmallVector<unsigned> loops;
  for (Operation &op : kernel.getBody().front())
    streamPlan.addOp(&op, loops);
  streamPlan.plan();
  return streamPlan;
}

void StreamPlan::addOp(Operation *op, SmallVectorImpl<unsigned> &loops) {
  if (auto clusters = dyn_cast<scf::ForallOp>(op)) {
    ++phase;
    for (Operation &inner : clusters.getBody()->without_terminator())
      addOp(&inner, loops);
    ++phase;
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    loopNumbers[loop] = problem.trips.size();
    loops.push_back(problem.trips.size());
    problem.trips.push_back(*getTripCount(loop));
    for (Operation &inner : *loop.getBody())
      addOp(&inner, loops);
    loops.pop_back();
  } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    if (isDramAllocation(alloc))
      return;
    SyncProblem::Buffer ring{static_cast<unsigned>(loops.size()), getRingDepth(alloc)};
    ringIds.insert({alloc, ringIds.size()});
    rings.insert({alloc, ring});
    for (int64_t cluster = 0, e = getOwners(alloc); cluster < e; ++cluster) {
      bufferNumbers.insert({{alloc, cluster}, unsigned(problem.buffers.size())});
      problem.buffers.push_back(ring);
    }
  } else if (std::optional<Engine> engine = getExecutingEngine(op)) {
    if (auto load = dyn_cast<DmaLoadOp>(op); load && load.getClusters())
      return addMulticast(load, loops);
    for (int64_t cluster = 0, e = getClusterCount(op); cluster < e; ++cluster)
      addWork(op, *engine, cluster, loops);
  }
}

/// Whether the op is a transfer that moves nothing on the cluster. One for several clusters is what
/// the others wait for.
static bool isIdle(Operation *op, int64_t cluster) {
  if (auto store = dyn_cast<DmaStoreOp>(op))
    return npu::isIdle(store.getExtents(), cluster);
  auto load = dyn_cast<DmaLoadOp>(op);
  return load && !load.getClusters() && npu::isIdle(load.getExtents(), cluster);
}

/// What an access touches of a buffer on chip, where it is a part of this iteration's instance.
static std::optional<IndexRanges> getPart(const BufferAccess &access, int64_t cluster) {
  bool isPart = access.shift == 0 && access.memref.getDefiningOp<memref::SubViewOp>() &&
                getMemorySpace(cast<MemRefType>(access.memref.getType())) != MemorySpace::Dram;
  return isPart ? getViewRanges(access.memref, cluster) : std::nullopt;
}

/// What the leader loads for others is in their buffers.
void StreamPlan::addMulticast(DmaLoadOp load, ArrayRef<unsigned> loops) {
  int64_t leader = load.getLeader(), receivers = *load.getClusters();
  addWork(load, Engine::Dmai, leader, loops);
  unsigned number = opNumbers.lookup({load, leader});
  SyncProblem::Op &entry = problem.ops[number];
  bool isInFirst = loadsAtFirst(load);
  for (int64_t cluster = 0; cluster < receivers; ++cluster) {
    unsigned buffer = getBufferNumber(getRootBuffer(load.getDst()), cluster);
    if (isInFirst && bringsPart(load, cluster))
      entry.bringsHalos.push_back(buffer);
    if (cluster == leader)
      continue;
    for (const BufferAccess &access : getBufferAccesses(load))
      if (access.writes)
        addAccess(number, access, cluster, getOnceLoops(load));
  }
  // What the leader gets itself though it does not need it, a load of its own overwrites.
  if (leader >= receivers)
    entry.bringsHalos.push_back(getBufferNumber(getRootBuffer(load.getDst()), leader));
}

/// What is not allocated in the nest lives in DRAM for the whole kernel.
unsigned StreamPlan::getBufferNumber(Value buffer, int64_t cluster) {
  auto type = cast<MemRefType>(buffer.getType());
  bool isShared = getMemorySpace(type) == MemorySpace::Dram;
  auto [it, inserted] =
      bufferNumbers.insert({{buffer, isShared ? 0 : cluster}, unsigned(problem.buffers.size())});
  if (inserted)
    problem.buffers.push_back({0, 0, isShared});
  return it->second;
}

void StreamPlan::addWork(Operation *op, Engine engine, int64_t cluster, ArrayRef<unsigned> loops) {
  numClusters = std::max(numClusters, cluster + 1);
  if (isIdle(op, cluster))
    return;
  unsigned number = problem.ops.size();
  opNumbers.insert({{op, cluster}, number});
  SyncProblem::Op &entry = problem.ops.emplace_back();
  entry.engine = getEngineNumber(engine, cluster);
  entry.phase = phase;
  entry.cluster = cluster;
  entry.loops.assign(loops.begin(), loops.end());
  entry.endsInParts =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<MatmulOp, ConvOp>([](auto contraction) { return contraction.getEnd().has_value(); })
          .Default(false);
  auto load = dyn_cast<DmaLoadOp>(op);
  bool isInFirst = load && loadsAtFirst(load);
  uint32_t onceIn = load ? getOnceLoops(load) : 0;
  std::optional<TransferBox> box = getTransferBox(op, cluster);
  if (isInFirst && !load.getClusters() && bringsPart(load, cluster))
    entry.bringsHalos = {getBufferNumber(getRootBuffer(load.getDst()), cluster)};
  if (auto conv = dyn_cast<ConvOp>(op); conv && engine == Engine::Mxu)
    entry.readsHalo = getBufferNumber(getRootBuffer(conv.getInput()), cluster);
  for (const BufferAccess &access : getBufferAccesses(op)) {
    if (box && getMemorySpace(cast<MemRefType>(access.buffer.getType())) == MemorySpace::Dram)
      boxes.insert({problem.accesses.size(), *box});
    if (!loops.empty())
      if (std::optional<MovingBox> moving = getMovingBox(op, access, cluster))
        movingBoxes.try_emplace(problem.accesses.size(), std::move(*moving), op);
    addAccess(number, access, cluster, onceIn);
  }
}

/// Op `number` touches the buffer of a cluster, or one that all of them share.
void StreamPlan::addAccess(unsigned number, const BufferAccess &access, int64_t cluster,
                           uint32_t onceIn) {
  if (std::optional<IndexRanges> view = getPart(access, cluster))
    views.insert({problem.accesses.size(), std::move(*view)});
  SyncProblem::Access &entry = problem.accesses.emplace_back(SyncProblem::Access{
      number, getBufferNumber(access.buffer, cluster), access.writes, access.shift});
  entry.onceIn = onceIn;
  std::optional<MovingPart> moving = getMovingPart(access.memref);
  if (!moving)
    return;
  // A part that is another one in each iteration is like a buffer of that iteration.
  Value part = moving->view;
  entry.shift = 0;
  entry.part = parts.try_emplace(part, parts.size() + 1).first->second;
  auto [known, isNew] = bufferNumbers.insert({{part, cluster}, unsigned(problem.buffers.size())});
  if (isNew)
    problem.buffers.push_back(
        {unsigned(getLoopsAround(part.getDefiningOp()).size()), moving->reuse});
  problem.accesses.push_back(
      {number, known->second, access.writes, access.shift, /*part=*/0, onceIn});
}

/// Buffers whose planned bytes overlap.
void StreamPlan::findAliases() {
  struct Range {
    unsigned buffer;
    MemorySpace space;
    int64_t cluster, begin, end;
  };
  SmallVector<Range> ranges;
  for (auto [place, number] : bufferNumbers)
    if (auto alloc = place.first.getDefiningOp<memref::AllocOp>())
      if (auto offset = alloc->getAttrOfType<IntegerAttr>(kOffsetAttrName)) {
        int64_t bytes = getSlotBytes(alloc.getType()) * getRingDepth(alloc);
        ranges.push_back({number, *getMemorySpace(alloc.getType()), place.second, offset.getInt(),
                          offset.getInt() + bytes});
      }
  for (auto [index, a] : llvm::enumerate(ranges))
    for (const Range &b : ArrayRef(ranges).drop_front(index + 1))
      if (a.space == b.space && a.cluster == b.cluster && a.begin < b.end && b.begin < a.end)
        problem.aliases.push_back({a.buffer, b.buffer});
}

/// Numbers semaphores by the cluster that signals them.
void StreamPlan::plan() {
  findAliases();
  plans.resize(problem.ops.size());
  problem.mayMeet = [&](unsigned first, unsigned second) {
    if (problem.accesses[first].buffer == problem.accesses[second].buffer) {
      auto a = views.find(first), b = views.find(second);
      if (a != views.end() && b != views.end())
        return mayMeet(a->second, b->second);
    }
    auto a = boxes.find(first), b = boxes.find(second);
    return a == boxes.end() || b == boxes.end() || a->second.mayMeet(b->second);
  };
  problem.getLead = [&](unsigned first, unsigned second) -> std::optional<SyncLead> {
    auto a = movingBoxes.find(first), b = movingBoxes.find(second);
    if (a == movingBoxes.end() || b == movingBoxes.end())
      return std::nullopt;
    auto getLoops = [](Operation *op) {
      return llvm::to_vector(llvm::reverse(getLoopsAround(op)));
    };
    return getNeededExecutions(a->second.first, getLoops(a->second.second), b->second.first,
                               getLoops(b->second.second));
  };
  SmallVector<SyncEdge> edges = computeSynchronization(problem);
  problem.mayMeet = nullptr;
  problem.getLead = nullptr;
  for (const SyncEdge &edge : edges) {
    plans[edge.to].waits.push_back(
        {edge.from, edge.level, edge.distance, edge.onceIn, edge.lead, isForHalo(problem, edge)});
    if (edge.lead)
      plans[edge.from].spare = std::max(plans[edge.from].spare, edge.lead->spare);
  }
  int64_t numSemaphores = 0;
  for (int64_t cluster = 0; cluster < numClusters; ++cluster)
    for (const SyncEdge &edge : edges)
      if (problem.ops[edge.from].cluster == cluster && plans[edge.from].semaphore == 0)
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
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      cloneLoop(loop);
      if (loops.empty())
        signalSpare(loop);
    } else if (auto clusters = dyn_cast<scf::ForallOp>(op)) {
      cloneShare(clusters);
    } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      cloneAllocation(alloc, alloc, /*shift=*/0);
    } else if (auto previous = dyn_cast<PreviousOp>(op)) {
      if (auto part = previous.getBuffer().getDefiningOp<memref::SubViewOp>())
        clonePreviousPart(part, previous);
      else
        cloneAllocation(previous.getBuffer().getDefiningOp<memref::AllocOp>(), previous,
                        /*shift=*/1);
    } else if (std::optional<Engine> executing = getExecutingEngine(&op)) {
      if (std::optional<unsigned> number = streamPlan.findOp(&op, cluster);
          executing == engine && number)
        cloneWork(&op, *number);
    } else {
      builder.clone(op, mapping);
    }
  }
}

/// What the cluster does of a loop over clusters, if it takes part.
void StreamCloner::cloneShare(scf::ForallOp clusters) {
  if (cluster >= computeProduct(getClusterShape(clusters)))
    return;
  for (BlockArgument counter : clusters.getBody()->getArguments())
    mapping.map(counter, arith::ConstantIndexOp::create(builder, clusters.getLoc(),
                                                        getClusterIndex(counter, cluster)));
  clone(*clusters.getBody());
}

void StreamCloner::cloneLoop(scf::ForOp loop) {
  if (!hasWork(loop) || cluster >= getClusterCount(loop))
    return;
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value trips = arith::ConstantIndexOp::create(builder, loc, *getTripCount(loop));
  auto copy = scf::ForOp::create(builder, loc, zero, trips, one);
  mapping.map(loop.getInductionVar(), copy.getInductionVar());
  loops.push_back(streamPlan.loopNumbers.lookup(loop));
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
  SyncProblem::Buffer buffer = streamPlan.rings.lookup(alloc);
  // A ring of one slot has no position. That of an earlier instance is never negative.
  SmallVector<int64_t> factors =
      streamPlan.getLinearFactors(loops, buffer.depth == 1 ? 0 : buffer.level);
  Value position =
      createAffine(builder, of.getLoc(), factors, shift == 0 ? 0 : buffer.depth - shift,
                   ValueRange(counters).take_front(factors.size()));
  MemRefType type = alloc.getType();
  auto ring = RingOp::create(builder, of.getLoc(), type, position, streamPlan.ringIds.lookup(alloc),
                             buffer.depth, getSlotBytes(type),
                             alloc->getAttrOfType<IntegerAttr>(kOffsetAttrName));
  mapping.map(of, ring.getResult());
}

/// The part that `part` was when the counter of the innermost loop was one less.
void StreamCloner::clonePreviousPart(memref::SubViewOp part, PreviousOp previous) {
  Value counter = part->getParentOfType<scf::ForOp>().getInductionVar();
  SmallVector<OpFoldResult> offsets;
  for (OpFoldResult offset : part.getMixedOffsets()) {
    int64_t factor = getLinearIndex(offset)->factors.lookup(counter);
    if (auto value = dyn_cast<Value>(offset); value && factor != 0)
      offsets.push_back(
          createAffine(builder, part.getLoc(), {1}, -factor, mapping.lookupOrDefault(value)));
    else if (value)
      offsets.push_back(mapping.lookupOrDefault(value));
    else
      offsets.push_back(offset);
  }
  auto copy = memref::SubViewOp::create(builder, part.getLoc(), part.getType(),
                                        mapping.lookupOrDefault(part.getSource()), offsets,
                                        part.getMixedSizes(), part.getMixedStrides());
  mapping.map(previous.getResult(), copy.getResult());
}

void StreamCloner::cloneWork(Operation *op, unsigned number) {
  Location loc = op->getLoc();
  const OpPlan &plan = streamPlan.plans[number];
  for (const OpPlan::Wait &wait : plan.waits) {
    int64_t semaphore = streamPlan.plans[wait.signaller].semaphore;
    if (wait.lead) {
      Value value = createAffine(builder, loc, wait.lead->factors, wait.lead->constant, counters);
      WaitOp::create(builder, loc, semaphore, value, wait.isForHalo);
      continue;
    }
    // The executions waited for are whole iterations of the common loops, each with this many
    // signals.
    int64_t signalsPerIteration = 1;
    for (unsigned loop :
         ArrayRef(streamPlan.problem.ops[wait.signaller].loops).drop_front(wait.level))
      signalsPerIteration *= streamPlan.problem.trips[loop];
    SmallVector<int64_t> factors = streamPlan.getLinearFactors(loops, wait.level);
    for (auto [level, factor] : llvm::enumerate(factors))
      factor *= level < 32 && wait.onceIn >> level & 1 ? 0 : signalsPerIteration;
    Value value = createAffine(builder, loc, factors, (1 - wait.distance) * signalsPerIteration,
                               ValueRange(counters).take_front(wait.level));
    WaitOp::create(builder, loc, semaphore, value, wait.isForHalo);
  }
  builder.clone(*op, mapping);
  if (plan.semaphore != 0)
    SignalOp::create(builder, loc, plan.semaphore);
}

/// Behind a loop: signals for waits that ask for more than there is, when all of it is done.
void StreamCloner::signalSpare(scf::ForOp loop) {
  loop->walk([&](Operation *op) {
    std::optional<unsigned> number = streamPlan.findOp(op, cluster);
    if (!number || getExecutingEngine(op) != engine)
      return;
    for (int64_t count = streamPlan.plans[*number].spare; count > 0; --count)
      SignalOp::create(builder, op->getLoc(), streamPlan.plans[*number].semaphore);
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
    for (auto clusters : kernel.getBody().getOps<scf::ForallOp>())
      if (failed(checkSharedMemory(clusters)))
        return failure();
    StreamPlan streamPlan = StreamPlan::analyze(kernel);
    Block &body = kernel.getBody().front();
    SmallVector<Operation *> replaced;
    for (Operation &op : body.without_terminator())
      if (!isDramAllocation(&op))
        replaced.push_back(&op);
    OpBuilder builder(body.getTerminator());
    for (int64_t cluster = 0; cluster < streamPlan.getNumClusters(); ++cluster)
      for (const auto &engine : isa::EnumTraits<isa::EngineKind>::cases)
        if (streamPlan.hasWork(Engine(engine.value), cluster))
          createStream(streamPlan, Engine(engine.value), cluster, body, builder);
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
    // Equal positions and constants of the clones become one.
    IRRewriter rewriter(kernel.getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
    return success();
  }

  static void createStream(const StreamPlan &streamPlan, Engine engine, int64_t cluster,
                           Block &body, OpBuilder &builder) {
    OpBuilder::InsertionGuard guard(builder);
    auto stream = StreamOp::create(builder, body.getParentOp()->getLoc(), engine, cluster);
    builder.setInsertionPointToStart(&stream.getBody().front());
    StreamCloner(streamPlan, engine, cluster, builder).clone(body);
    composeIndexValues(stream);
  }

  /// A dimension of DRAM of which a transfer touches one index, how many consecutive indices each
  /// cluster has, and the dimension of the loop over clusters along which no two have the same.
  using Share = std::tuple<unsigned, int64_t, unsigned>;
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
        shares.push_back({dim, *share, cluster.getArgNumber()});
    }
    return shares;
  }

  /// Within a loop over clusters none of them waits for another: through DRAM, each may only
  /// communicate with itself.
  static LogicalResult checkSharedMemory(scf::ForallOp clusters) {
    auto isOwn = [&](DmaLoadOp load, DmaStoreOp store) {
      SmallVector<Share> written = getShares(store.getOrigin(), store.getEffectiveMap()),
                         read = getShares(load.getOrigin(), load.getEffectiveMap());
      return llvm::all_of(llvm::seq<size_t>(0, clusters.getRank()), [&](size_t dim) {
        return llvm::any_of(read, [&](Share share) {
          return std::get<2>(share) == dim && llvm::is_contained(written, share);
        });
      });
    };
    DenseMap<Value, SmallVector<DmaStoreOp>> storesTo;
    clusters.walk(
        [&](DmaStoreOp store) { storesTo[getRootBuffer(store.getDst())].push_back(store); });
    WalkResult result = clusters.walk([&](Operation *op) {
      auto load = dyn_cast<DmaLoadOp>(op);
      auto gather = dyn_cast<DmaGatherOp>(op);
      if (!load && !gather)
        return WalkResult::advance();
      for (DmaStoreOp store :
           storesTo.lookup(getRootBuffer(load ? load.getSrc() : gather.getSrc())))
        if (!load || !isOwn(load, store))
          return WalkResult(op->emitOpError(
              "reads DRAM that another cluster may write in the same loop over clusters, where "
              "none waits for another; split the same dimensions of both, or put them in two "
              "loops"));
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
