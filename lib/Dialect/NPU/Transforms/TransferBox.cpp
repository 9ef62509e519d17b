//===- TransferBox.cpp - what of a tensor in DRAM a transfer touches ------===//

#include "TransferBox.h"

#include "BufferUsage.h"
#include "IterationBoxes.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace npu;

std::optional<IndexRange> npu::getRange(AffineExpr expr, ArrayRef<IndexRange> dims) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant: {
    int64_t value = cast<AffineConstantExpr>(expr).getValue();
    return IndexRange{value, value};
  }
  case AffineExprKind::DimId:
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::Add:
  case AffineExprKind::Mul: {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    std::optional<IndexRange> a = getRange(binary.getLHS(), dims),
                              b = getRange(binary.getRHS(), dims);
    if (!a || !b)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Add)
      return IndexRange{a->low + b->low, a->high + b->high};
    auto [low, high] =
        std::minmax({a->low * b->low, a->low * b->high, a->high * b->low, a->high * b->high});
    return IndexRange{low, high};
  }
  default:
    return std::nullopt;
  }
}

std::optional<IndexRange> npu::getRangeInTile(AffineExpr expr, ArrayRef<int64_t> shape) {
  return getRange(expr,
                  llvm::map_to_vector(shape, [](int64_t size) { return IndexRange{0, size - 1}; }));
}

int64_t npu::getPlannedOffset(Value memory) {
  Operation *alloc = getRootBuffer(memory).getDefiningOp();
  auto offset = alloc ? alloc->getAttrOfType<IntegerAttr>(kOffsetAttrName) : IntegerAttr();
  return offset ? offset.getInt() : 0;
}

namespace {
/// The iterations of loops that count.
class Iterations {
public:
  explicit Iterations(int64_t cluster) : cluster(cluster) {}

  /// Leaves out the first and the last iteration of each loop around `op` in which one of
  /// `extents` is never positive.
  void dropIdle(Operation *op, OperandRange extents);
  std::optional<IndexRange> getRange(Value index) const;
  /// Whether the largest value of `index`, where `counter` has a value, is at most zero.
  bool isIdle(const LinearIndex &index, Value counter = {}, int64_t value = 0) const;

private:
  std::optional<IndexRange> getCounterRange(BlockArgument counter) const;

  int64_t cluster;
  llvm::SmallDenseSet<Operation *> idleFirst, idleLast;
};
} // namespace

std::optional<IndexRange> Iterations::getCounterRange(BlockArgument counter) const {
  Operation *loop = counter.getOwner()->getParentOp();
  if (llvm::isa<scf::ForallOp>(loop)) {
    int64_t index = getClusterIndex(counter, cluster);
    return IndexRange{index, index};
  }
  auto counted = dyn_cast<scf::ForOp>(loop);
  std::optional<int64_t> trips = counted ? getTripCount(counted) : std::nullopt;
  if (!trips)
    return std::nullopt;
  return IndexRange{idleFirst.contains(loop), *trips - 1 - idleLast.contains(loop)};
}

bool Iterations::isIdle(const LinearIndex &index, Value counter, int64_t value) const {
  std::optional<int64_t> most =
      getMost(index, [&](BlockArgument moving) -> std::optional<std::pair<int64_t, int64_t>> {
        if (moving == counter)
          return std::pair(value, value);
        std::optional<IndexRange> range = getCounterRange(moving);
        return range ? std::optional(std::pair(range->low, range->high)) : std::nullopt;
      });
  return most && *most <= 0;
}

void Iterations::dropIdle(Operation *op, OperandRange extents) {
  llvm::SmallDenseSet<Operation *> first, last;
  for (Value extent : extents)
    for (const LinearIndex &limit : getLinearLimits(extent))
      for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
           loop = loop->getParentOfType<scf::ForOp>()) {
        std::optional<int64_t> trips = getTripCount(loop);
        if (!trips || *trips < 2)
          continue;
        if (isIdle(limit, loop.getInductionVar(), 0))
          first.insert(loop);
        if (isIdle(limit, loop.getInductionVar(), *trips - 1))
          last.insert(loop);
      }
  idleFirst = std::move(first);
  idleLast = std::move(last);
}

std::optional<IndexRange> Iterations::getRange(Value index) const {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return IndexRange{*constant, *constant};
  if (auto argument = dyn_cast<BlockArgument>(index))
    return getCounterRange(argument);
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (!apply || apply.getAffineMap().getNumSymbols() > 0)
    return std::nullopt;
  SmallVector<IndexRange> operands;
  for (Value operand : apply.getOperands()) {
    std::optional<IndexRange> range = getRange(operand);
    if (!range)
      return std::nullopt;
    operands.push_back(*range);
  }
  return npu::getRange(apply.getAffineMap().getResult(0), operands);
}

bool npu::isIdle(ValueRange extents, int64_t cluster) {
  Iterations iterations(cluster);
  return llvm::any_of(extents, [&](Value extent) {
    return llvm::any_of(getLinearLimits(extent),
                        [&](const LinearIndex &limit) { return iterations.isIdle(limit); });
  });
}

std::optional<IndexRanges> npu::getViewRanges(Value memref, int64_t cluster) {
  Iterations iterations(cluster);
  return getViewRanges(memref, [&](OpFoldResult offset) {
    std::optional<int64_t> constant = getConstantIntValue(offset);
    return constant ? IndexRange{*constant, *constant} : iterations.getRange(cast<Value>(offset));
  });
}

std::optional<IndexRanges>
npu::getViewRanges(Value memref,
                   llvm::function_ref<std::optional<IndexRange>(OpFoldResult)> getOffset) {
  IndexRanges ranges;
  for (int64_t size : cast<MemRefType>(memref.getType()).getShape())
    ranges.push_back({0, size - 1});
  while (auto view = memref.getDefiningOp<memref::SubViewOp>()) {
    if (!view.hasUnitStride() || view.getType().getRank() != view.getSourceType().getRank() ||
        !view.getType().hasStaticShape())
      return std::nullopt;
    for (auto [range, offset] : llvm::zip_equal(ranges, view.getMixedOffsets())) {
      std::optional<IndexRange> begin = getOffset(offset);
      if (!begin)
        return std::nullopt;
      range.first += begin->low;
      range.second += begin->high;
    }
    memref = view.getSource();
  }
  return memref == getRootBuffer(memref) ? std::optional(ranges) : std::nullopt;
}

bool npu::mayMeet(const IndexRanges &a, const IndexRanges &b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto both) {
    auto [first, second] = both;
    return first.first <= second.second && second.first <= first.second;
  });
}

std::optional<IndexRanges> npu::getTransferRanges(Operation *op, int64_t cluster, bool withIdle) {
  auto load = dyn_cast<DmaLoadOp>(op);
  auto store = dyn_cast<DmaStoreOp>(op);
  if (!load && !store)
    return std::nullopt;
  MemRefType chip = load ? load.getDst().getType() : store.getSrc().getType();
  AffineMap map = load ? load.getEffectiveMap() : store.getEffectiveMap();
  OperandRange origin = load ? load.getOrigin() : store.getOrigin();
  Iterations iterations(cluster);
  if (!withIdle)
    iterations.dropIdle(op, load ? load.getExtents() : store.getExtents());
  IndexRanges ranges;
  for (auto [start, expr] : llvm::zip_equal(origin, map.getResults())) {
    std::optional<IndexRange> first = iterations.getRange(start),
                              moved = getRangeInTile(expr, chip.getShape());
    if (!first || !moved)
      return std::nullopt;
    ranges.push_back({first->low + moved->low, first->high + moved->high});
  }
  return ranges;
}

std::optional<TransferBox> npu::getTransferBox(Operation *op, int64_t cluster) {
  std::optional<IndexRanges> ranges = getTransferRanges(op, cluster);
  if (!ranges)
    return std::nullopt;
  auto load = dyn_cast<DmaLoadOp>(op);
  Value memory = load ? load.getSrc() : cast<DmaStoreOp>(op).getDst();
  TransferBox box{cast<MemRefType>(memory.getType()), getPlannedOffset(memory), std::move(*ranges)};
  if (getMemorySpace(box.tensor) != MemorySpace::Dram || !box.tensor.hasStaticShape())
    return std::nullopt;
  for (auto [range, size] : llvm::zip_equal(box.ranges, box.tensor.getShape()))
    range = {std::max<int64_t>(0, range.first), std::min(size - 1, range.second)};
  return box;
}

/// The first byte of the box in its memory, and the one after its last.
static std::pair<int64_t, int64_t> getBytes(const TransferBox &box) {
  int64_t first = 0, last = 0;
  for (auto [range, size] : llvm::zip_equal(box.ranges, box.tensor.getShape())) {
    first = first * size + range.first;
    last = last * size + range.second;
  }
  int64_t bytes = getElementBytes(box.tensor);
  return {box.offset + first * bytes, box.offset + (last + 1) * bytes};
}

bool TransferBox::mayMeet(const TransferBox &other) const {
  auto isEmpty = [](std::pair<int64_t, int64_t> range) { return range.first > range.second; };
  if (llvm::any_of(ranges, isEmpty) || llvm::any_of(other.ranges, isEmpty))
    return false;
  if (tensor == other.tensor && offset == other.offset)
    return npu::mayMeet(ranges, other.ranges);
  auto [begin, end] = getBytes(*this);
  auto [otherBegin, otherEnd] = getBytes(other);
  return begin < otherEnd && otherBegin < end;
}

bool npu::bringsPart(DmaLoadOp load, int64_t cluster) {
  std::optional<TransferBox> box = getTransferBox(load, cluster);
  return load.getDst().getDefiningOp<memref::SubViewOp>() && box &&
         llvm::all_of(box->ranges, [](auto range) { return range.first <= range.second; });
}
