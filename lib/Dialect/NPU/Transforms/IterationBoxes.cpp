//===- IterationBoxes.cpp - what moves with the counters of loops ---------===//

#include "IterationBoxes.h"

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace npu;

static bool addTerms(Value value, int64_t factor, LinearIndex &sum);

/// Adds `factor * expr` to the sum; whether `expr` is made of sums and products alone.
static bool addTerms(AffineExpr expr, unsigned numDims, ValueRange operands, int64_t factor,
                     LinearIndex &sum) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return addTerms(operands[dim.getPosition()], factor, sum);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return addTerms(operands[numDims + symbol.getPosition()], factor, sum);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (binary.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), numDims, operands, factor, sum) &&
           addTerms(binary.getRHS(), numDims, operands, factor, sum);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && scale &&
         addTerms(binary.getLHS(), numDims, operands, factor * scale.getValue(), sum);
}

static bool addTerms(Value value, int64_t factor, LinearIndex &sum) {
  if (isa<BlockArgument>(value)) {
    sum.factors[value] += factor;
    return true;
  }
  if (auto constant = value.getDefiningOp<arith::ConstantIndexOp>()) {
    sum.constant += factor * constant.value();
    return true;
  }
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return false;
  AffineMap map = apply.getAffineMap();
  return addTerms(map.getResult(0), map.getNumDims(), apply.getMapOperands(), factor, sum);
}

static std::optional<LinearIndex> getLinear(AffineMap map, ValueRange of) {
  // Nearly all are sums of products, which are added up without building any affine expression.
  LinearIndex sum;
  if (addTerms(map.getResult(0), map.getNumDims(), of, 1, sum)) {
    sum.factors.remove_if([](const auto &term) { return term.second == 0; });
    return sum;
  }
  SmallVector<Value> operands(of);
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  SmallVector<int64_t> factors; // of the operands, of divisions, and the constant
  if (map.getNumSymbols() != 0 || !llvm::all_of(operands, llvm::IsaPred<BlockArgument>) ||
      failed(
          getFlattenedAffineExpr(map.getResult(0), operands.size(), /*numSymbols=*/0, &factors)) ||
      factors.size() != operands.size() + 1)
    return std::nullopt;
  LinearIndex linear;
  linear.constant = factors.pop_back_val();
  for (auto [operand, factor] : llvm::zip_equal(operands, factors))
    if (factor != 0)
      linear.factors[operand] = factor;
  return linear;
}

std::optional<LinearIndex> npu::getLinearIndex(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return LinearIndex{*constant, {}};
  return getLinear(AffineMap::getMultiDimIdentityMap(1, index.getContext()), cast<Value>(index));
}

SmallVector<LinearIndex> npu::getLinearLimits(Value index) {
  SmallVector<LinearIndex> limits;
  auto add = [&](std::optional<LinearIndex> linear) {
    if (linear)
      limits.push_back(std::move(*linear));
  };
  auto min = index.getDefiningOp<affine::AffineMinOp>();
  if (!min) {
    add(getLinearIndex(index));
    return limits;
  }
  for (unsigned result = 0; result < min.getMap().getNumResults(); ++result)
    add(getLinear(min.getMap().getSubMap(result), min.getOperands()));
  return limits;
}

bool npu::areApart(ArrayRef<LinearIndex> origin, ArrayRef<int64_t> sizes,
                   ArrayRef<scf::ForOp> loops) {
  // Each counter moves one dimension, by more than what the box and the faster counters of that
  // dimension reach.
  llvm::SmallDenseSet<Value> moving;
  for (auto [index, size] : llvm::zip_equal(origin, sizes)) {
    SmallVector<std::pair<int64_t, int64_t>> steps; // factors and trips
    for (scf::ForOp loop : loops) {
      Value counter = loop.getInductionVar();
      int64_t factor = index.factors.lookup(counter);
      std::optional<int64_t> trips = getTripCount(loop);
      if (factor == 0 || trips == 1)
        continue;
      if (!trips || factor < 0 || !moving.insert(counter).second)
        return false;
      steps.push_back({factor, *trips});
    }
    llvm::sort(steps);
    int64_t reach = size;
    for (auto [factor, trips] : steps) {
      if (factor < reach)
        return false;
      reach += factor * (trips - 1);
    }
  }
  return true;
}

std::optional<int64_t>
npu::getMost(const LinearIndex &index,
             llvm::function_ref<std::optional<std::pair<int64_t, int64_t>>(BlockArgument counter)>
                 getRange) {
  int64_t most = index.constant;
  for (auto [counter, factor] : index.factors) {
    auto argument = cast<BlockArgument>(counter);
    std::optional<std::pair<int64_t, int64_t>> range = getRange(argument);
    if (!range) {
      Operation *parent = argument.getOwner()->getParentOp();
      auto loop = dyn_cast<scf::ForOp>(parent);
      std::optional<int64_t> trips = loop ? getTripCount(loop) : std::nullopt;
      if (auto clusters = dyn_cast<scf::ForallOp>(parent))
        trips = getClusterShape(clusters)[argument.getArgNumber()];
      if (!trips)
        return std::nullopt;
      range = {0, *trips - 1};
    }
    most += std::max(factor * range->first, factor * range->second);
  }
  return most;
}

/// Whether the index is at most zero after the first iteration of `loop`.
static bool isOverAfterFirst(const LinearIndex &index, scf::ForOp loop) {
  std::optional<int64_t> trips = getTripCount(loop);
  std::optional<int64_t> most =
      getMost(index, [&](BlockArgument counter) -> std::optional<std::pair<int64_t, int64_t>> {
        if (counter != loop.getInductionVar() || !trips)
          return std::nullopt;
        return std::pair(int64_t(1), *trips - 1);
      });
  return most && *most <= 0;
}

/// Whether a load brings nothing after the first iteration of `loop`.
static bool isOverAfterFirst(DmaLoadOp load, scf::ForOp loop) {
  return llvm::any_of(load.getExtents(), [&](Value extent) {
    return llvm::any_of(getLinearLimits(extent),
                        [&](const LinearIndex &limit) { return isOverAfterFirst(limit, loop); });
  });
}

bool npu::loadsAtFirst(DmaLoadOp load) {
  return llvm::all_of(getLoopsAround(load), [&](scf::ForOp loop) {
    return getTripCount(loop) == 1 || isOverAfterFirst(load, loop);
  });
}

uint32_t npu::getOnceLoops(DmaLoadOp load) {
  SmallVector<scf::ForOp> loops = getLoopsAround(load);
  uint32_t once = 0;
  for (auto [level, loop] : llvm::enumerate(llvm::reverse(loops)))
    if (level < 32 && getTripCount(loop) != 1 && isOverAfterFirst(load, loop))
      once |= 1u << level;
  return once;
}

/// Whether only loads write to the part, and those in the first iteration of `loop` alone.
static bool isFilledOnce(Value part, scf::ForOp loop) {
  return llvm::all_of(part.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user))
      return isFilledOnce(view.getViewDest(), loop);
    if (auto load = dyn_cast<DmaLoadOp>(user); load && load.getDst() == part)
      return isOverAfterFirst(load, loop);
    return llvm::none_of(getBufferAccesses(user), [&](const BufferAccess &access) {
      return access.memref == part && access.writes;
    });
  });
}

std::optional<MovingPart> npu::getMovingPart(Value memref) {
  memref::SubViewOp outermost;
  for (; auto view = memref.getDefiningOp<ViewLikeOpInterface>(); memref = view.getViewSource())
    if (!llvm::isa<PreviousOp>(*view)) {
      outermost = dyn_cast<memref::SubViewOp>(*view);
      if (!outermost)
        return std::nullopt;
    }
  if (!outermost || !outermost.hasUnitStride())
    return std::nullopt;
  SmallVector<LinearIndex> offsets;
  for (OpFoldResult offset : outermost.getMixedOffsets()) {
    std::optional<LinearIndex> linear = getLinearIndex(offset);
    if (!linear)
      return std::nullopt;
    offsets.push_back(std::move(*linear));
  }
  SmallVector<scf::ForOp> loops = getLoopsAround(outermost);
  if (loops.empty() || !areApart(offsets, outermost.getStaticSizes(), loops))
    return std::nullopt;
  llvm::erase_if(loops, [](scf::ForOp loop) { return getTripCount(loop) == 1; });
  auto moves = [&](scf::ForOp loop) {
    return llvm::any_of(offsets, [&](const LinearIndex &offset) {
      return offset.factors.contains(loop.getInductionVar());
    });
  };
  if (llvm::all_of(loops, moves))
    return MovingPart{outermost, 0};
  // The buffer is one for all iterations of the loops that it is outside of.
  auto buffer = getRootBuffer(memref).getDefiningOp<memref::AllocOp>();
  if (!buffer)
    return std::nullopt;
  // Loops are the innermost first. From one iteration to the next of those around the buffer there
  // are its slots, and of loops around all that move the part, which is filled again, one.
  int64_t depth = 0;
  for (; !loops.empty() && loops.back()->isProperAncestor(buffer); loops.pop_back())
    depth = getRingDepth(buffer);
  for (; !loops.empty() && !moves(loops.back()) && !isFilledOnce(outermost, loops.back());
       loops.pop_back())
    depth = 1;
  if (!llvm::all_of(loops,
                    [&](scf::ForOp loop) { return moves(loop) || isFilledOnce(outermost, loop); }))
    return std::nullopt;
  if (depth == 0)
    return MovingPart{outermost, 0};
  // Of loops that do not move it the part is filled in the first iteration, and read up to the
  // last.
  int64_t inner = 1, read = 0;
  for (scf::ForOp loop : loops) {
    int64_t trips = *getTripCount(loop);
    read += moves(loop) ? 0 : (trips - 1) * inner;
    inner *= trips;
  }
  return MovingPart{outermost, inner * depth - read};
}
