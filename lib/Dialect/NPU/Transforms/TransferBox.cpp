//===- TransferBox.cpp - what of a tensor in DRAM a transfer touches ------===//

#include "TransferBox.h"

#include "BufferUsage.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace npu;

namespace {
/// The least and the largest of some values.
struct IndexRange {
  int64_t low, high;
};
} // namespace

static std::optional<IndexRange> getRange(AffineExpr expr, ArrayRef<IndexRange> dims) {
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

/// The values of an index in all iterations on `cluster`.
static std::optional<IndexRange> getRange(Value index, int64_t cluster) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return IndexRange{*constant, *constant};
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    Operation *loop = argument.getOwner()->getParentOp();
    if (llvm::isa<scf::ForallOp>(loop))
      return IndexRange{cluster, cluster};
    auto counted = dyn_cast<scf::ForOp>(loop);
    std::optional<int64_t> trips = counted ? getTripCount(counted) : std::nullopt;
    return trips ? std::optional(IndexRange{0, *trips - 1}) : std::nullopt;
  }
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  if (!apply || apply.getAffineMap().getNumSymbols() > 0)
    return std::nullopt;
  SmallVector<IndexRange> operands;
  for (Value operand : apply.getOperands()) {
    std::optional<IndexRange> range = getRange(operand, cluster);
    if (!range)
      return std::nullopt;
    operands.push_back(*range);
  }
  return getRange(apply.getAffineMap().getResult(0), operands);
}

std::optional<TransferBox> npu::getTransferBox(Operation *op, int64_t cluster) {
  auto load = dyn_cast<DmaLoadOp>(op);
  auto store = dyn_cast<DmaStoreOp>(op);
  if (!load && !store)
    return std::nullopt;
  Value memory = load ? load.getSrc() : store.getDst();
  TransferBox box{cast<MemRefType>(memory.getType()), 0, {}};
  if (Operation *alloc = getRootBuffer(memory).getDefiningOp())
    if (auto offset = alloc->getAttrOfType<IntegerAttr>(kOffsetAttrName))
      box.offset = offset.getInt();
  MemRefType chip = load ? load.getDst().getType() : store.getSrc().getType();
  AffineMap map = load ? load.getEffectiveMap() : store.getEffectiveMap();
  OperandRange origin = load ? load.getOrigin() : store.getOrigin();
  if (getMemorySpace(box.tensor) != MemorySpace::Dram || !box.tensor.hasStaticShape())
    return std::nullopt;
  SmallVector<IndexRange> positions;
  for (int64_t size : chip.getShape())
    positions.push_back({0, size - 1});
  for (auto [start, expr, size] :
       llvm::zip_equal(origin, map.getResults(), box.tensor.getShape())) {
    std::optional<IndexRange> first = getRange(start, cluster), moved = getRange(expr, positions);
    if (!first || !moved)
      return std::nullopt;
    box.ranges.push_back({std::max<int64_t>(0, first->low + moved->low),
                          std::min(size - 1, first->high + moved->high)});
  }
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
    return llvm::all_of(llvm::zip_equal(ranges, other.ranges), [](auto both) {
      auto [a, b] = both;
      return a.first <= b.second && b.first <= a.second;
    });
  auto [begin, end] = getBytes(*this);
  auto [otherBegin, otherEnd] = getBytes(other);
  return begin < otherEnd && otherBegin < end;
}
