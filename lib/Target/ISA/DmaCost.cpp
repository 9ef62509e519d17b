//===- DmaCost.cpp - the bytes a transfer is charged ----------------------===//

#include "NPU/Target/ISA/Timing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace npu;
using namespace npu::isa;

namespace {
/// `count` steps of `stride` bytes, both positive.
struct Axis {
  int64_t stride, count;
};

/// A regular part of a transfer: `first + sum(j_a * stride_a)` are the addresses of its elements.
/// Only the place of the first in its beat matters.
struct Piece {
  int64_t first = 0; ///< in 0..beatBytes-1
  SmallVector<Axis, 5> axes;
};

/// Adds up the charge of a transfer.
class ChargeCounter {
public:
  ChargeCounter(ArrayRef<BoxDimValue> dims, int64_t elementBytes, int64_t beatBytes, DmaCost &cost)
      : dims(dims), elementBytes(elementBytes), beatBytes(beatBytes), cost(cost) {}

  void run(int64_t dramBase);

private:
  void addSteps(Piece &piece, int64_t stride, int64_t count) const;
  /// Moves the piece by `coordinate` strides.
  void move(Piece &piece, int64_t coordinate, int64_t stride) const;
  void collectPieces(unsigned outer, ArrayRef<unsigned> joined, SmallVectorImpl<Piece> &pieces);
  void combine(Piece piece, ArrayRef<SmallVector<Piece, 1>> groups);
  void charge(Piece piece);
  int64_t countStraddling(int64_t first, ArrayRef<Axis> axes, int64_t overhang) const;

  ArrayRef<BoxDimValue> dims;
  int64_t elementBytes, beatBytes;
  DmaCost &cost;
};

/// Indices [begin, end).
struct Interval {
  int64_t begin, end;
  bool isEmpty() const { return begin >= end; }
};
} // namespace

/// Indices of `dim` whose coordinates, from `origin`, lie inside its window.
static Interval clip(const BoxDimValue &dim, int64_t origin) {
  return {std::max<int64_t>(0, dim.low - origin), std::min(dim.extent, dim.high - origin)};
}

static int64_t wrap(int64_t value, int64_t modulus) {
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

void ChargeCounter::move(Piece &piece, int64_t coordinate, int64_t stride) const {
  piece.first =
      wrap(piece.first + wrap(coordinate, beatBytes) * wrap(stride, beatBytes), beatBytes);
}

void ChargeCounter::addSteps(Piece &piece, int64_t stride, int64_t count) const {
  if (count == 1 || stride == 0)
    return;
  if (stride < 0)
    move(piece, count - 1, stride); // the same addresses, upwards
  piece.axes.push_back({std::abs(stride), count});
}

/// The pieces of a dimension and of those that its index moves: blocks that no window cuts make
/// one, each other block is one of its own. There are at most about the square root of the
/// transfer's elements, since only as many blocks are cut as overlap.
void ChargeCounter::collectPieces(unsigned outer, ArrayRef<unsigned> joined,
                                  SmallVectorImpl<Piece> &pieces) {
  const BoxDimValue &outerDim = dims[outer];
  Interval live = clip(outerDim, outerDim.origin);
  // Blocks that touch make one dimension.
  if (joined.size() == 1 && outerDim.dramStride == 0 &&
      dims[joined[0]].block == dims[joined[0]].extent) {
    const BoxDimValue &dim = dims[joined[0]];
    Interval inside = {std::max(dim.low, dim.origin + dim.block * live.begin),
                       std::min(dim.high, dim.origin + dim.block * live.end)};
    if (live.isEmpty() || inside.isEmpty())
      return;
    Piece &piece = pieces.emplace_back();
    move(piece, inside.begin, dim.dramStride);
    addSteps(piece, dim.dramStride, inside.end - inside.begin);
    return;
  }

  Interval whole = live;
  for (unsigned d : joined) {
    const BoxDimValue &dim = dims[d];
    auto atLeast = [&](int64_t coordinates) {
      return divideCeilSigned(coordinates - dim.origin, dim.block);
    };
    live.begin = std::max(live.begin, atLeast(dim.low - dim.extent + 1));
    live.end = std::min(live.end, atLeast(dim.high));
    whole.begin = std::max(whole.begin, atLeast(dim.low));
    whole.end = std::min(whole.end, atLeast(dim.high - dim.extent + 1));
  }
  auto add = [&](int64_t begin, int64_t end) {
    Piece &piece = pieces.emplace_back();
    move(piece, outerDim.origin + begin, outerDim.dramStride);
    int64_t step = outerDim.dramStride;
    for (unsigned d : joined) {
      int64_t origin = dims[d].origin + dims[d].block * begin;
      Interval inside = clip(dims[d], origin);
      if (inside.isEmpty())
        return pieces.pop_back();
      move(piece, origin + inside.begin, dims[d].dramStride);
      addSteps(piece, dims[d].dramStride, inside.end - inside.begin);
      if (end - begin > 1) // or else the product may not fit
        step += dims[d].block * dims[d].dramStride;
    }
    addSteps(piece, step, end - begin);
  };
  for (int64_t j = live.begin; j < live.end;) {
    int64_t end = j == whole.begin && !whole.isEmpty() ? whole.end : j + 1;
    add(j, end);
    j = end;
  }
}

/// Charges `piece` with one piece of every group.
void ChargeCounter::combine(Piece piece, ArrayRef<SmallVector<Piece, 1>> groups) {
  if (groups.empty())
    return charge(std::move(piece));
  for (const Piece &part : groups.front()) {
    Piece both = piece;
    both.first = wrap(both.first + part.first, beatBytes);
    both.axes.append(part.axes);
    combine(std::move(both), groups.drop_front());
  }
}

/// Runs that begin less than `overhang` bytes before the end of a beat.
int64_t ChargeCounter::countStraddling(int64_t first, ArrayRef<Axis> axes, int64_t overhang) const {
  if (overhang == 0)
    return 0;
  // Steps of whole beats repeat what the others do.
  int64_t repeats = 1, unit = beatBytes;
  SmallVector<Axis, 5> moving;
  for (Axis axis : axes) {
    axis.stride %= beatBytes;
    unit = std::gcd(unit, axis.stride);
    if (axis.stride == 0)
      repeats *= axis.count;
    else
      moving.push_back(axis);
  }
  // All runs begin at the same place in a unit. Does none leave it?
  if (first % unit + overhang < unit)
    return 0;
  if (moving.empty())
    return repeats;

  // How many runs begin at each place of a beat.
  SmallVector<int64_t, 64> runs(beatBytes, 0), next;
  runs[first] = 1;
  for (Axis axis : moving) {
    next.assign(beatBytes, 0);
    int64_t period = beatBytes / std::gcd(beatBytes, axis.stride);
    int64_t rounds = axis.count / period, rest = axis.count % period;
    // Along the cycle of the stride: a window of the last `rest` places, and the whole cycle.
    for (int64_t start = 0; start < beatBytes / period; ++start) {
      int64_t all = 0, recent = 0;
      for (int64_t t = 0, at = start; t < period; ++t, at = (at + axis.stride) % beatBytes) {
        all += runs[at];
        recent += t >= period - rest ? runs[at] : 0;
      }
      int64_t oldest = wrap(start - rest * axis.stride, beatBytes);
      for (int64_t t = 0, at = start; t < period; ++t) {
        recent += runs[at] - runs[oldest];
        next[at] = rounds * all + recent;
        at = (at + axis.stride) % beatBytes;
        oldest = (oldest + axis.stride) % beatBytes;
      }
    }
    std::swap(runs, next);
  }
  return repeats * std::accumulate(runs.end() - overhang, runs.end(), int64_t(0));
}

void ChargeCounter::charge(Piece piece) {
  SmallVector<Axis, 5> &axes = piece.axes;
  llvm::sort(axes, [](const Axis &a, const Axis &b) {
    return std::make_pair(a.stride, a.count) < std::make_pair(b.stride, b.count);
  });
  int64_t runBytes = elementBytes, runs = 1;
  size_t joined = 0;
  for (; joined < axes.size() && axes[joined].stride == runBytes; ++joined)
    runBytes *= axes[joined].count;
  ArrayRef<Axis> steps = ArrayRef(axes).drop_front(joined);
  for (const Axis &axis : steps)
    runs *= axis.count;
  int64_t beats = runs * divideCeil(runBytes, beatBytes) +
                  countStraddling(piece.first, steps, (runBytes - 1) % beatBytes);
  cost.dramBytes += runs * runBytes;
  cost.chargedBytes += beats * beatBytes;
}

void ChargeCounter::run(int64_t dramBase) {
  Piece piece;
  piece.first = wrap(dramBase, beatBytes);
  SmallVector<SmallVector<Piece, 1>, 2> groups;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim.block != 0)
      continue;
    SmallVector<unsigned, 4> joined;
    for (auto [other, candidate] : llvm::enumerate(dims))
      if (candidate.block != 0 && candidate.outer == index)
        joined.push_back(other);
    if (!joined.empty()) {
      collectPieces(index, joined, groups.emplace_back());
      continue;
    }
    Interval inside = clip(dim, dim.origin);
    if (inside.isEmpty())
      return; // all fill: nothing moves on the DRAM side
    move(piece, dim.origin + inside.begin, dim.dramStride);
    addSteps(piece, dim.dramStride, inside.end - inside.begin);
  }
  combine(std::move(piece), groups);
}

DmaCost npu::isa::getDmaCost(ArrayRef<BoxDimValue> dims, int64_t dramBase, int64_t elementBytes,
                             int64_t beatBytes) {
  DmaCost cost;
  cost.chipElements = 1;
  for (const BoxDimValue &dim : dims)
    cost.chipElements *= dim.extent;
  if (cost.chipElements != 0)
    ChargeCounter(dims, elementBytes, beatBytes, cost).run(dramBase);
  return cost;
}

DmaCost npu::isa::getGatherCost(ArrayRef<BoxDimValue> dims, const IndexStrides &chosen,
                                int64_t dramBase, int64_t elementBytes, int64_t beatBytes) {
  DmaCost cost;
  cost.chipElements = 1;
  SmallVector<BoxDimValue, maxDmaDims> row;
  int64_t rows = 1, step = std::gcd(chosen.row_bytes, beatBytes);
  for (auto [dim, stride] : llvm::zip(dims, getIndexStrides(chosen))) {
    cost.chipElements *= dim.extent;
    if (stride == 0) {
      row.push_back(dim);
      continue;
    }
    Interval inside = clip(dim, dim.origin);
    rows *= inside.isEmpty() ? 0 : inside.end - inside.begin;
    step = std::gcd(step, std::abs(dim.dramStride));
  }
  if (rows == 0 || cost.chipElements == 0)
    return cost;
  DmaCost most;
  for (int64_t place = 0; place < beatBytes; place += step) {
    DmaCost one = getDmaCost(row, dramBase + place, elementBytes, beatBytes);
    if (one.chargedBytes >= most.chargedBytes)
      most = one;
  }
  cost.dramBytes = rows * most.dramBytes;
  cost.chargedBytes = rows * most.chargedBytes;
  return cost;
}
