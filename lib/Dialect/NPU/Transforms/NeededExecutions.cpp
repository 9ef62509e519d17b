//===- NeededExecutions.cpp - how far another op must have come -----------===//

#include "NeededExecutions.h"

#include "TransferBox.h"

#include "NPU/Dialect/NPU/Transforms/KernelForm.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;

/// Signals that a stream gives without work so that a wait may ask for more than there is.
static constexpr int64_t maxSpareSignals = 8;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// `index` in counters of loops of one cluster.
static std::optional<LinearIndex> getIndexOn(OpFoldResult index, int64_t cluster) {
  std::optional<LinearIndex> linear = getLinearIndex(index);
  if (!linear)
    return std::nullopt;
  linear->factors.remove_if([&](const auto &term) {
    auto argument = cast<BlockArgument>(term.first);
    if (!llvm::isa<scf::ForallOp>(argument.getOwner()->getParentOp()))
      return false;
    linear->constant += term.second * getClusterIndex(argument, cluster);
    return true;
  });
  return linear;
}

static std::optional<MovingBox> getTransferBoxOf(Value memory, AffineMap map, OperandRange origin,
                                                 MemRefType chip, int64_t cluster) {
  MovingBox box{cast<MemRefType>(memory.getType()), getPlannedOffset(memory), {}};
  for (auto [start, expr] : llvm::zip_equal(origin, map.getResults())) {
    std::optional<LinearIndex> begin = getIndexOn(start, cluster);
    std::optional<IndexRange> moved = getRangeInTile(expr, chip.getShape());
    if (!begin || !moved)
      return std::nullopt;
    begin->constant += moved->low;
    box.sides.push_back({std::move(*begin), moved->high - moved->low + 1});
  }
  return box;
}

/// What a view shows of the buffer behind it, where it is one of a part.
static std::optional<MovingBox> getViewBox(Value memref, int64_t cluster) {
  auto view = memref.getDefiningOp<memref::SubViewOp>();
  auto alloc = getRootBuffer(memref).getDefiningOp<memref::AllocOp>();
  if (!view || !alloc || !getLoopsAround(alloc).empty() || alloc->hasAttr(kBuffersAttrName) ||
      view.getSource() != getRootBuffer(memref) || !view.hasUnitStride() ||
      view.getType().getRank() != view.getSourceType().getRank())
    return std::nullopt;
  MovingBox box{view.getSourceType(), 0, {}};
  for (auto [offset, size] : llvm::zip_equal(view.getMixedOffsets(), view.getStaticSizes())) {
    std::optional<LinearIndex> begin = getIndexOn(offset, cluster);
    if (!begin || ShapedType::isDynamic(size))
      return std::nullopt;
    box.sides.push_back({std::move(*begin), size});
  }
  return box;
}

std::optional<MovingBox> npu::getMovingBox(Operation *op, const BufferAccess &access,
                                           int64_t cluster) {
  auto type = cast<MemRefType>(access.memref.getType());
  if (getMemorySpace(type) != MemorySpace::Dram)
    return access.shift == 0 ? getViewBox(access.memref, cluster) : std::nullopt;
  if (!type.hasStaticShape())
    return std::nullopt;
  if (auto load = dyn_cast<DmaLoadOp>(op); load && load.getSrc() == access.memref)
    return getTransferBoxOf(load.getSrc(), load.getEffectiveMap(), load.getOrigin(),
                            load.getDst().getType(), cluster);
  if (auto store = dyn_cast<DmaStoreOp>(op); store && store.getDst() == access.memref)
    return getTransferBoxOf(store.getDst(), store.getEffectiveMap(), store.getOrigin(),
                            store.getSrc().getType(), cluster);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Executions
//===----------------------------------------------------------------------===//

namespace {
/// A line of indices or bytes: where what the first op touches begins, and where what the second
/// one touches ends. Where the end is before the begin, the two do not meet.
struct Line {
  LinearIndex begin, end;
};
} // namespace

/// The box's dimensions [first, end) as one: the first index that it touches, or the last.
static LinearIndex getIndex(const MovingBox &box, size_t first, size_t end, bool isLast) {
  LinearIndex index;
  int64_t stride = 1;
  for (size_t dim = end; dim-- > first; stride *= box.tensor.getDimSize(dim)) {
    const auto &[begin, size] = box.sides[dim];
    int64_t constant = begin.constant + (isLast ? size - 1 : 0);
    if (begin.factors.empty()) // what is padding is nowhere
      constant = std::clamp<int64_t>(constant, 0, box.tensor.getDimSize(dim) - 1);
    index.constant += constant * stride;
    for (auto [counter, factor] : begin.factors)
      index.factors[counter] += factor * stride;
  }
  return index;
}

/// The same of all dimensions in bytes of the memory.
static LinearIndex getByte(const MovingBox &box, bool isLast) {
  LinearIndex byte = getIndex(box, 0, box.sides.size(), isLast);
  int64_t size = getElementBytes(box.tensor);
  byte.constant = box.offset + byte.constant * size + (isLast ? size - 1 : 0);
  for (auto &[counter, factor] : byte.factors)
    factor *= size;
  return byte;
}

/// The lines of two boxes: dimensions of both, several as one where the tensors have different
/// shapes, and bytes.
static std::vector<Line> getLines(const MovingBox &first, const MovingBox &second) {
  std::vector<Line> lines;
  ArrayRef<int64_t> mine = first.tensor.getShape(), its = second.tensor.getShape();
  if (first.offset == second.offset &&
      first.tensor.getElementType() == second.tensor.getElementType()) {
    size_t endOfMine = mine.size(), endOfIts = its.size();
    size_t dim = endOfMine, other = endOfIts;
    int64_t size = 1, otherSize = 1;
    while (dim > 0 && other > 0) {
      // What is left of either has as many indices, those of one element included.
      if (size <= otherSize)
        size *= mine[--dim];
      if (otherSize < size)
        otherSize *= its[--other];
      if (size != otherSize)
        continue;
      lines.push_back({getIndex(first, dim, endOfMine, /*isLast=*/false),
                       getIndex(second, other, endOfIts, /*isLast=*/true)});
      endOfMine = dim;
      endOfIts = other;
      size = otherSize = 1;
    }
  }
  lines.push_back({getByte(first, /*isLast=*/false), getByte(second, /*isLast=*/true)});
  auto hasNegative = [](const LinearIndex &index) {
    return llvm::any_of(index.factors, [](const auto &term) { return term.second < 0; });
  };
  llvm::erase_if(
      lines, [&](const Line &line) { return hasNegative(line.begin) || hasNegative(line.end); });
  return lines;
}

/// Iterations of `loop` that the second op needs along `line`, where the loops around it are at
/// their last iterations: `constant + sum of factors * counters`, never too few.
static SyncLead getNeededAlong(const Line &line, scf::ForOp loop, int64_t begin,
                               ArrayRef<scf::ForOp> secondLoops) {
  int64_t step = line.begin.factors.lookup(loop.getInductionVar()), end = line.end.constant;
  SyncLead lead;
  int64_t beforeLast = 0;
  for (scf::ForOp counted : secondLoops) {
    int64_t factor = line.end.factors.lookup(counted.getInductionVar());
    int64_t last = *getTripCount(counted) - 1;
    end += factor * last;
    lead.factors.push_back(last == 0 ? 0 : factor / step);
    beforeLast += lead.factors.back() * last;
  }
  lead.constant = llvm::divideFloorSigned(end - begin, step) + 1 - beforeLast;
  return lead;
}

std::optional<SyncLead> npu::getNeededExecutions(const MovingBox &first,
                                                 ArrayRef<scf::ForOp> firstLoops,
                                                 const MovingBox &second,
                                                 ArrayRef<scf::ForOp> secondLoops) {
  std::vector<Line> lines = getLines(first, second);
  SmallVector<int64_t> begins =
      llvm::map_to_vector(ArrayRef(lines), [](const Line &line) { return line.begin.constant; });
  int64_t inner = 1, before = 0;
  for (scf::ForOp loop : firstLoops)
    inner *= *getTripCount(loop);
  for (scf::ForOp loop : firstLoops) {
    int64_t trips = *getTripCount(loop);
    inner /= trips;
    if (trips == 1)
      continue;
    // All of it, unless a line says less.
    std::optional<SyncLead> least;
    for (auto [line, begin] : llvm::zip_equal(lines, begins)) {
      if (line.begin.factors.lookup(loop.getInductionVar()) == 0)
        continue;
      SyncLead lead = getNeededAlong(line, loop, begin, secondLoops);
      int64_t last = lead.constant;
      for (auto [factor, counted] : llvm::zip_equal(lead.factors, secondLoops))
        last += factor * (*getTripCount(counted) - 1);
      lead.spare = std::max<int64_t>(0, last - trips) * inner;
      // What the loops around it wrote in earlier iterations counts as needed.
      if (lead.spare > maxSpareSignals || (before > 0 && lead.constant < 0) ||
          (lead.constant >= trips && last >= trips))
        continue;
      if (!least || lead.constant < least->constant)
        least = std::move(lead);
    }
    if (least) {
      least->constant = before + least->constant * inner;
      for (int64_t &factor : least->factors)
        factor *= inner;
      return least;
    }
    before += (trips - 1) * inner;
    for (auto [line, begin] : llvm::zip_equal(lines, begins))
      begin += line.begin.factors.lookup(loop.getInductionVar()) * (trips - 1);
  }
  return std::nullopt;
}
