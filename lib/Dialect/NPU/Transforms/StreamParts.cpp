//===- StreamParts.cpp - taking iterations out of a stream's loops --------===//

#include "StreamParts.h"

#include "BufferUsage.h"
#include "IterationBoxes.h"
#include "StreamIndices.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu;

StreamOp npu::findStream(KernelOp kernel, Engine engine, int64_t cluster) {
  for (auto stream : kernel.getBody().getOps<StreamOp>())
    if (stream.getEngine() == engine && static_cast<int64_t>(stream.getCluster()) == cluster)
      return stream;
  return {};
}

std::optional<int64_t> npu::getRingId(Value memref) {
  auto ring = getRootBuffer(memref).getDefiningOp<RingOp>();
  return ring ? std::optional(static_cast<int64_t>(ring.getId())) : std::nullopt;
}

bool npu::overlap(RingOp a, RingOp b) {
  auto getEnd = [](RingOp ring) {
    return *ring.getOffset() + ring.getDepth() * ring.getSlotBytes();
  };
  return getMemorySpace(a.getType()) == getMemorySpace(b.getType()) && *a.getOffset() < getEnd(b) &&
         *b.getOffset() < getEnd(a);
}

std::optional<int64_t> npu::evaluate(Value value) {
  std::optional<int64_t> least;
  for (const LinearIndex &limit : getLinearLimits(value)) {
    if (!limit.factors.empty())
      return std::nullopt;
    least = std::min(least.value_or(limit.constant), limit.constant);
  }
  return least;
}

SmallVector<WaitOp> npu::getWaits(Operation *op) {
  SmallVector<WaitOp> waits;
  for (Operation *before = op->getPrevNode();
       before && !getExecutingEngine(before) && !llvm::isa<SignalOp, scf::ForOp>(before);
       before = before->getPrevNode())
    if (auto wait = dyn_cast<WaitOp>(before))
      waits.push_back(wait);
  return llvm::to_vector(llvm::reverse(waits));
}

SmallVector<SignalOp> npu::getSignals(Operation *op) {
  SmallVector<SignalOp> signals;
  while (auto signal = dyn_cast_or_null<SignalOp>(op->getNextNode())) {
    signals.push_back(signal);
    op = signal;
  }
  return signals;
}

int64_t npu::getFreeSemaphore(KernelOp kernel) {
  int64_t last = 0;
  kernel.walk(
      [&](SignalOp signal) { last = std::max(last, static_cast<int64_t>(signal.getSem())); });
  return last + 1;
}

/// Sets the counter of a loop off by `first`.
static void shiftCounter(scf::ForOp loop, int64_t first) {
  if (first == 0)
    return;
  auto builder = OpBuilder::atBlockBegin(loop.getBody());
  Value counter = loop.getInductionVar();
  auto shifted = affine::AffineApplyOp::create(
      builder, loop.getLoc(), AffineMap::get(1, 0, builder.getAffineDimExpr(0) + first), counter);
  counter.replaceAllUsesExcept(shifted, shifted);
}

void npu::inlineLoop(scf::ForOp loop) {
  OpBuilder builder(loop);
  loop.getInductionVar().replaceAllUsesWith(
      arith::ConstantIndexOp::create(builder, loop.getLoc(), 0));
  for (Operation &inner : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
    inner.moveBefore(loop);
  loop.erase();
}

void npu::splitLoop(scf::ForOp loop, int64_t count, ArrayRef<Operation **> tracked) {
  int64_t trips = *getTripCount(loop);
  if (trips == 1)
    return inlineLoop(loop);
  OpBuilder builder(loop);
  IRMapping mapping;
  auto first = cast<scf::ForOp>(builder.clone(*loop, mapping));
  for (Operation **op : tracked)
    if (Operation *copy = mapping.lookupOrNull(*op))
      *op = copy;
  auto bound = [&](scf::ForOp part, int64_t iterations) {
    part.setUpperBound(arith::ConstantIndexOp::create(builder, loop.getLoc(), iterations));
  };
  builder.setInsertionPoint(first);
  if (count == 1)
    inlineLoop(first);
  else
    bound(first, count);
  builder.setInsertionPoint(loop);
  bound(loop, trips - count);
  shiftCounter(loop, count);
}

void npu::peelFirst(Operation *&op, ArrayRef<Operation **> tracked) {
  while (auto loop = op->getParentOfType<scf::ForOp>()) {
    while (auto outer = loop->getParentOfType<scf::ForOp>())
      loop = outer;
    splitLoop(loop, 1, tracked);
  }
}

Value npu::createPart(OpBuilder &builder, Value memref, unsigned dim, int64_t offset,
                      int64_t size) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)), sizes,
      strides(shape.size(), builder.getIndexAttr(1));
  for (int64_t extent : shape)
    sizes.push_back(builder.getIndexAttr(extent));
  offsets[dim] = builder.getIndexAttr(offset);
  sizes[dim] = builder.getIndexAttr(size);
  return memref::SubViewOp::create(builder, memref.getLoc(), memref, offsets, sizes, strides);
}

int64_t npu::getStride(AffineMap map, unsigned result, unsigned dim) {
  AffineExpr index = getAffineDimExpr(dim, map.getContext()), expr = map.getResult(result);
  AffineExpr step = simplifyAffineExpr(expr.replace(index, index + 1) - expr, map.getNumDims(),
                                       map.getNumSymbols());
  return cast<AffineConstantExpr>(step).getValue();
}

Operation *npu::createPart(NPUComputeOpInterface op, unsigned dim, int64_t offset, int64_t size) {
  OpBuilder builder(op);
  Operation *part = builder.clone(*op);
  int64_t whole = op.getStaticLoopRanges()[dim];
  for (auto [operand, map] : llvm::zip_equal(op.getDataOperands(), op.getIndexingMapsArray()))
    for (auto [position, expr] : llvm::enumerate(map.getResults())) {
      if (!expr.isFunctionOfDim(dim))
        continue;
      // A window moves by its stride; what it spans besides is the same.
      int64_t stride = getStride(map, position, dim);
      int64_t span = cast<MemRefType>(operand->get().getType()).getDimSize(position);
      part->setOperand(operand->getOperandNumber(),
                       createPart(builder, operand->get(), position, offset * stride,
                                  span - (whole - size) * stride));
    }
  Value extent = arith::ConstantIndexOp::create(builder, op->getLoc(), size);
  llvm::TypeSwitch<Operation *>(part).Case<MatmulOp, ConvOp>([&](auto contraction) {
    if (!contraction.getExtents().empty())
      contraction.getExtentsMutable()[dim].assign(extent);
  });
  // The views are before the part, which is before what it comes from.
  part->moveBefore(op);
  return part;
}

static void eraseIdleWaits(StreamOp stream, const DenseSet<Operation *> &over) {
  DenseMap<int64_t, int64_t> passed; // by semaphore
  auto pass = [&](int64_t semaphore, int64_t value) {
    int64_t &known = passed[semaphore];
    known = std::max(known, value);
  };
  for (Operation &top : llvm::make_early_inc_range(stream.getBody().front())) {
    // Waits that move with counters have come to their last value behind the loops.
    SmallVector<std::pair<int64_t, int64_t>> moving;
    top.walk([&](WaitOp wait) {
      std::optional<LinearIndex> value = getLinearIndex(wait.getValue());
      std::optional<int64_t> most =
          value ? getMost(*value, [](BlockArgument) { return std::nullopt; }) : std::nullopt;
      if (!most)
        return;
      int64_t semaphore = wait.getSem();
      bool isIdle = *most <= passed.lookup(semaphore) || over.contains(wait);
      if (value->factors.empty())
        pass(semaphore, *most);
      else
        moving.push_back({semaphore, *most});
      if (isIdle)
        wait.erase();
    });
    for (auto [semaphore, value] : moving)
      pass(semaphore, value);
  }
}

void npu::tidy(StreamOp stream, const DenseSet<Operation *> &over) {
  eraseIdleWaits(stream, over);
  composeIndexValues(stream);
  IRRewriter rewriter(stream.getContext());
  DominanceInfo dominance(stream);
  eliminateCommonSubExpressions(rewriter, dominance, stream);
}
