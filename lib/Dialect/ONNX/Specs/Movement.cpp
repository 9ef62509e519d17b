//===- Movement.cpp - what operators that move data are told --------------===//

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace npu::onnx_ir;

int64_t npu::onnx_ir::getAxis(const Node &node, int64_t defaultValue) {
  int64_t axis = node.getInt("axis", defaultValue);
  return axis < 0 ? axis + node.getRank(0) : axis;
}

FailureOr<int64_t> npu::onnx_ir::getIntParameter(Node &node, StringRef name, unsigned index,
                                                 int64_t defaultValue) {
  if (node.hasAttribute(name) || !node.hasInput(index))
    return node.getInt(name, defaultValue);
  FailureOr<std::optional<SmallVector<int64_t>>> values = node.getIntsParameter(name, index);
  if (failed(values))
    return failure();
  if ((*values)->size() != 1)
    return node.reject() << "expected '" << name << "' (input " << index
                         << ") to be one number, found " << (*values)->size();
  return (*values)->front();
}

/// A dimension of `extent` elements that is sliced as NumPy does: bounds count from the end if they
/// are negative, and are clamped.
static void sliceDimension(int64_t extent, int64_t start, int64_t end, int64_t step,
                           int64_t &offset, int64_t &size, int64_t &usedStep) {
  // Longer steps reach no further element either, and the sums below cannot overflow.
  int64_t longest = std::max<int64_t>(extent, 1);
  step = std::clamp(step, -longest, longest);
  int64_t first = step > 0 ? 0 : -1;
  int64_t last = step > 0 ? extent : extent - 1;
  auto clampBound = [&](int64_t bound, int64_t lowest) {
    return std::clamp(bound < 0 ? bound + extent : bound, lowest, std::max(lowest, last));
  };
  start = clampBound(start, 0);
  end = clampBound(end, first);
  int64_t distance = step > 0 ? end - start : start - end;
  size = distance > 0 && extent > 0 ? llvm::divideCeil(distance, std::abs(step)) : 0;
  offset = size > 0 ? start : 0;
  usedStep = size > 1 ? step : 1;
}

FailureOr<Slice> npu::onnx_ir::getSlice(Node &node) {
  auto starts = node.getIntsParameter("starts", 1);
  auto ends = node.getIntsParameter("ends", 2);
  auto axes = node.getIntsParameter("axes", 3);
  auto steps = node.getIntsParameter("steps", 4);
  if (failed(starts) || failed(ends) || failed(axes) || failed(steps))
    return failure();
  if (!*starts || !*ends)
    return node.reject() << "expected starts and ends, found none";
  size_t count = (*starts)->size();
  if ((*ends)->size() != count || (*axes && (*axes)->size() != count) ||
      (*steps && (*steps)->size() != count))
    return node.reject() << "expected as many ends, axes and steps as starts (" << count
                         << "), found lists of other lengths";
  SmallVector<int64_t> dims(*axes ? **axes : SmallVector<int64_t>(count));
  if (!*axes)
    std::iota(dims.begin(), dims.end(), 0);
  FailureOr<SmallVector<int64_t>> normalized = node.normalizeAxes(dims, node.getRank(0));
  if (failed(normalized))
    return failure();
  Slice slice{SmallVector<int64_t>(node.getRank(0), 0), SmallVector<int64_t>(node.getShape(0)),
              SmallVector<int64_t>(node.getRank(0), 1)};
  for (auto [i, dim] : llvm::enumerate(*normalized)) {
    int64_t step = *steps ? (**steps)[i] : 1;
    if (step == 0)
      return node.reject() << "expected steps other than 0";
    sliceDimension(node.getShape(0)[dim], (**starts)[i], (**ends)[i], step, slice.offsets[dim],
                   slice.sizes[dim], slice.steps[dim]);
  }
  return slice;
}

FailureOr<Split> npu::onnx_ir::getSplit(Node &node) {
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 0), node.getRank(0));
  if (failed(axis))
    return failure();
  auto sizes = node.getIntsParameter("split", 1);
  if (failed(sizes))
    return failure();
  int64_t extent = node.getShape(0)[*axis], count = node.getNumOutputs();
  Split split{*axis, {}};
  if (*sizes) {
    split.sizes = **sizes;
  } else if (node.hasAttribute("num_outputs")) {
    if (node.getInt("num_outputs", 0) != count)
      return node.reject() << "expected num_outputs to be " << count << ", found "
                           << node.getInt("num_outputs", 0);
    int64_t part = llvm::divideCeil(extent, count), rest = extent;
    for (int64_t i = 0; i < count; ++i, rest -= split.sizes.back())
      split.sizes.push_back(std::min(part, rest));
  } else {
    if (extent % count != 0)
      return node.reject() << "expected " << extent << " elements along axis " << *axis
                           << " to split into " << count << " equal parts";
    split.sizes.assign(count, extent / count);
  }
  int64_t rest = extent;
  for (int64_t size : split.sizes) {
    if (size < 0 || size > rest)
      return node.reject() << "expected parts of " << extent << " elements along axis " << *axis
                           << ", found [" << split.sizes << "]";
    rest -= size;
  }
  if (rest != 0 || int64_t(split.sizes.size()) != count)
    return node.reject() << "expected " << count << " parts of together " << extent
                         << " elements, found [" << split.sizes << "]";
  return split;
}

FailureOr<Pads> npu::onnx_ir::getPads(Node &node) {
  int64_t rank = node.getRank(0);
  auto amounts = node.getIntsParameter(node.hasAttribute("paddings") ? "paddings" : "pads", 1);
  auto axes = node.getIntsParameter("axes", 3);
  if (failed(amounts) || failed(axes))
    return failure();
  if (!*amounts)
    return node.reject() << "expected pads, found none";
  SmallVector<int64_t> dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  if (*axes) {
    FailureOr<SmallVector<int64_t>> normalized = node.normalizeAxes(**axes, rank);
    if (failed(normalized))
      return failure();
    dims = *normalized;
  }
  if ((*amounts)->size() != 2 * dims.size())
    return node.reject() << "expected " << 2 * dims.size() << " pads, found " << (*amounts)->size();
  Pads pads{SmallVector<int64_t>(rank, 0), SmallVector<int64_t>(rank, 0)};
  for (auto [i, dim] : llvm::enumerate(dims)) {
    int64_t low = (**amounts)[i], high = (**amounts)[i + dims.size()];
    if (std::max(low, high) > INT32_MAX || std::min(low, high) < -INT32_MAX)
      return node.reject() << "expected pads from " << -INT32_MAX << " to " << INT32_MAX
                           << ", found " << low << " and " << high;
    int64_t extent = node.getShape(0)[dim];
    if (extent + std::min<int64_t>(low, 0) + std::min<int64_t>(high, 0) < 0)
      return node.reject() << "expected at most " << extent
                           << " elements to be taken away in dimension " << dim << ", found pads "
                           << low << " and " << high;
    pads.low[dim] = low;
    pads.high[dim] = high;
  }
  return pads;
}

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getPermutation(Node &node) {
  std::optional<SmallVector<int64_t>> permutation = node.getInts("perm");
  if (!permutation) {
    SmallVector<int64_t> reversed(node.getRank(0));
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    return reversed;
  }
  SmallVector<int64_t> sorted(*permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq(node.getRank(0))))
    return node.reject() << "expected perm to have each of " << node.getRank(0)
                         << " dimensions once, found [" << *permutation << "]";
  return *permutation;
}

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getRepeats(Node &node) {
  int64_t rank = node.getRank(0);
  SmallVector<int64_t> repeats;
  if (node.getOpset() < 6) {
    // One number of copies, along one axis.
    FailureOr<int64_t> count = getIntParameter(node, "tiles", 1, 1);
    FailureOr<int64_t> axis = getIntParameter(node, "axis", 2, 0);
    if (failed(count) || failed(axis) || failed(axis = node.normalizeAxis(*axis, rank)))
      return failure();
    repeats.assign(rank, 1);
    repeats[*axis] = *count;
  } else {
    auto values = node.getIntsParameter("repeats", 1);
    if (failed(values))
      return failure();
    repeats = **values;
  }
  if (int64_t(repeats.size()) != rank)
    return node.reject() << "expected " << rank << " repeats, found " << repeats.size();
  for (int64_t count : repeats)
    if (count < 0 || count > INT32_MAX)
      return node.reject() << "expected repeats from 0 to " << INT32_MAX << ", found " << count;
  return repeats;
}
