//===- InferMovement.cpp - types of operators that move data --------------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

using namespace mlir;
using namespace npu::onnx_ir;

static int64_t countElements(ArrayRef<int64_t> shape) {
  return llvm::product_of(shape, int64_t(1));
}

LogicalResult npu::onnx_ir::inferReshape(Node &node) {
  auto requested = node.getIntsParameter("shape", 1);
  if (failed(requested))
    return failure();
  if (!*requested)
    return node.reject() << "expected a shape, found none";
  ArrayRef<int64_t> input = node.getShape(0);
  SmallVector<int64_t> shape(**requested);
  bool keepsZeros = node.getInt("allowzero", 0) != 0;
  int64_t *rest = nullptr;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent == 0 && !keepsZeros) {
      if (dim >= input.size())
        return node.reject() << "expected 0 to stand for a dimension of the input, found it as "
                             << "dimension " << dim << " of " << input.size();
      extent = input[dim];
    } else if (extent == -1) {
      if (rest)
        return node.reject() << "expected one dimension to be -1, found two";
      rest = &extent;
      extent = 1;
    }
  }
  if (!isAddressable(shape))
    return node.reject() << "expected a shape for " << countElements(input) << " elements, found ["
                         << **requested << "]";
  int64_t found = countElements(shape), expected = countElements(input);
  if (rest && found > 0 && expected % found == 0) {
    *rest = expected / found;
    found = expected;
    rest = nullptr;
  }
  if (rest || found != expected)
    return node.reject() << "expected a shape for " << expected << " elements, found ["
                         << **requested << "]";
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferFlatten(Node &node) {
  ArrayRef<int64_t> input = node.getShape(0);
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 1), input.size(), true);
  if (failed(axis))
    return failure();
  return node.setOutput(
      0, {countElements(input.take_front(*axis)), countElements(input.drop_front(*axis))},
      node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferSqueeze(Node &node) {
  auto axes = node.getIntsParameter("axes", 1);
  if (failed(axes))
    return failure();
  SmallVector<int64_t> removed;
  if (*axes) {
    FailureOr<SmallVector<int64_t>> normalized = node.normalizeAxes(**axes, node.getRank(0));
    if (failed(normalized))
      return failure();
    removed = *normalized;
  }
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(node.getShape(0))) {
    bool isRemoved = *axes ? llvm::is_contained(removed, int64_t(dim)) : extent == 1;
    if (isRemoved && extent != 1)
      return node.reject() << "expected dimension " << dim << " to have one element, found "
                           << extent;
    if (!isRemoved)
      shape.push_back(extent);
  }
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferUnsqueeze(Node &node) {
  auto axes = node.getIntsParameter("axes", 1);
  if (failed(axes))
    return failure();
  if (!*axes)
    return node.reject() << "expected axes, found none";
  int64_t rank = node.getRank(0) + (*axes)->size();
  if (!isAddressable(SmallVector<int64_t>(rank, 1)))
    return node.reject() << "expected fewer axes, found " << (*axes)->size();
  FailureOr<SmallVector<int64_t>> added = node.normalizeAxes(**axes, rank);
  if (failed(added))
    return failure();
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> rest = node.getShape(0);
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isAdded = llvm::is_contained(*added, dim);
    shape.push_back(isAdded ? 1 : rest.front());
    rest = isAdded ? rest : rest.drop_front();
  }
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferTranspose(Node &node) {
  FailureOr<SmallVector<int64_t>> permutation = getPermutation(node);
  if (failed(permutation))
    return failure();
  SmallVector<int64_t> shape =
      llvm::map_to_vector(*permutation, [&](int64_t dim) { return node.getShape(0)[dim]; });
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferConcat(Node &node) {
  if (node.getOpset() >= 4 && !node.hasAttribute("axis"))
    return node.reject() << "expected an axis, found none";
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 1), node.getRank(0));
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0));
  for (unsigned index = 1; index < node.getNumInputs(); ++index) {
    if (!node.hasInput(index))
      return node.reject() << "expected input " << index << ", found none";
    SmallVector<int64_t> other(node.getShape(index));
    if (other.size() == shape.size()) {
      int64_t extent = std::exchange(other[*axis], shape[*axis]);
      bool matches = other == shape;
      shape[*axis] += extent;
      if (matches && node.getElementType(index) == node.getElementType(0))
        continue;
    }
    return node.reject() << "expected inputs that differ in dimension " << *axis << " only, found "
                         << node.getInputType(0) << " and " << node.getInputType(index);
  }
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferSplit(Node &node) {
  FailureOr<Split> split = getSplit(node);
  if (failed(split))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0));
  for (auto [index, size] : llvm::enumerate(split->sizes)) {
    shape[split->axis] = size;
    if (failed(node.setOutput(index, shape, node.getElementType(0))))
      return failure();
  }
  return success();
}

LogicalResult npu::onnx_ir::inferSlice(Node &node) {
  FailureOr<Slice> slice = getSlice(node);
  if (failed(slice))
    return failure();
  // Backwards, elements are read at indices from a table.
  for (auto [size, step] : llvm::zip(slice->sizes, slice->steps))
    if (step < 0 && failed(node.spendOrReject(size)))
      return failure();
  return node.setOutput(0, slice->sizes, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferExpand(Node &node) {
  auto requested = node.getIntsParameter("shape", 1);
  if (failed(requested))
    return failure();
  std::optional<SmallVector<int64_t>> shape;
  if (isAddressable(**requested))
    shape = broadcastShapes(node.getShape(0), **requested);
  if (!shape)
    return node.reject() << "expected a shape that " << node.getInputType(0)
                         << " broadcasts to, found [" << **requested << "]";
  return node.setOutput(0, *shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferTile(Node &node) {
  FailureOr<SmallVector<int64_t>> repeats = getRepeats(node);
  if (failed(repeats))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0));
  for (auto [extent, count] : llvm::zip(shape, *repeats))
    if (llvm::MulOverflow(extent, count, extent))
      extent = -1; // which no output can have
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferPad(Node &node) {
  StringRef mode = node.getString("mode", "constant");
  if (!llvm::is_contained({"constant", "reflect", "edge", "wrap"}, mode))
    return node.reject() << "expected mode to be constant, reflect, edge or wrap, found '" << mode
                         << "'";
  FailureOr<Pads> pads = getPads(node);
  if (failed(pads))
    return failure();
  if (node.hasInput(2) && (node.getInputType(2).getNumElements() != 1 ||
                           node.getElementType(2) != node.getElementType(0)))
    return node.reject() << "expected one " << node.getElementType(0) << " to pad with, found "
                         << node.getInputType(2);
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(node.getShape(0))) {
    int64_t low = pads->low[dim], high = pads->high[dim];
    int64_t kept = extent + std::min<int64_t>(low, 0) + std::min<int64_t>(high, 0);
    shape.push_back(extent + low + high);
    if (mode != "constant" && kept == 0 && shape.back() != 0)
      return node.reject() << "expected elements to pad dimension " << dim
                           << " with, found none; pad with a constant";
    if (mode != "constant" && (low != 0 || high != 0) && failed(node.spendOrReject(shape.back())))
      return failure();
  }
  return node.setOutput(0, shape, node.getElementType(0));
}

/// Block size and channel order of DepthToSpace and SpaceToDepth.
static FailureOr<int64_t> getBlockSize(Node &node) {
  constexpr int64_t largest = 1 << 16;
  int64_t size = node.getInt("blocksize", 0);
  if (size < 1 || size > largest)
    return node.reject() << "expected a blocksize from 1 to " << largest << ", found " << size;
  if (node.getRank(0) != 4)
    return node.reject() << "expected an input of 4 dimensions, found " << node.getInputType(0);
  return size;
}

LogicalResult npu::onnx_ir::inferDepthToSpace(Node &node) {
  StringRef mode = node.getString("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return node.reject() << "expected mode to be DCR or CRD, found '" << mode << "'";
  FailureOr<int64_t> size = getBlockSize(node);
  if (failed(size))
    return failure();
  ArrayRef<int64_t> input = node.getShape(0);
  if (input[1] % (*size * *size) != 0)
    return node.reject() << "expected channels in blocks of " << *size * *size << ", found "
                         << input[1];
  return node.setOutput(0,
                        {input[0], input[1] / (*size * *size), input[2] * *size, input[3] * *size},
                        node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferSpaceToDepth(Node &node) {
  FailureOr<int64_t> size = getBlockSize(node);
  if (failed(size))
    return failure();
  ArrayRef<int64_t> input = node.getShape(0);
  if (input[2] % *size != 0 || input[3] % *size != 0)
    return node.reject() << "expected height and width in blocks of " << *size << ", found "
                         << input[2] << " and " << input[3];
  return node.setOutput(0, {input[0], input[1] * *size * *size, input[2] / *size, input[3] / *size},
                        node.getElementType(0));
}
