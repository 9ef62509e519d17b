//===- FoldMovement.cpp - constants that are moved or renamed -------------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Larger results are left to the lowering: these are shapes and lists of indices, not weights.
static constexpr int64_t maxMovedElements = 4096;

/// `value` with its elements in the attribute; null for resources that are large or not in memory.
static DenseElementsAttr getDense(ElementsAttr value) {
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value))
    return dense;
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
  if (!resource || resource.getNumElements() > maxMovedElements)
    return {};
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  [[maybe_unused]] bool isSplat;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(), blob->getData(), isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(resource.getType(), blob->getData());
}

/// The same elements under the type of the output. Weights are not copied.
SmallVector<ElementsAttr> npu::onnx_ir::foldReshape(Node &node) {
  ElementsAttr value = node.getConstant(0);
  RankedTensorType type = node.getOutputType(0);
  // Elements in the IR are written again under another type.
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(value))
    return dense.isSplat() || dense.getType() == type || node.spend(dense.getNumElements())
               ? SmallVector<ElementsAttr>{dense.reshape(type)}
               : SmallVector<ElementsAttr>();
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value))
    return {DenseResourceElementsAttr::get(type, resource.getRawHandle())};
  return {};
}

using Index = SmallVector<int64_t>;

/// A constant whose element at an index is that of `value` at `getSource` of the index. Null if it
/// is too large to be written down element by element.
static ElementsAttr move(Node &node, DenseElementsAttr value, RankedTensorType type,
                         function_ref<Index(const Index &)> getSource) {
  if (!value)
    return {};
  if (value.isSplat() && value.getNumElements() > 0)
    return DenseElementsAttr::get(type, value.getSplatValue<Attribute>());
  if (type.getNumElements() > maxMovedElements || value.getNumElements() > maxMovedElements ||
      !node.spend(type.getNumElements()))
    return {};
  auto elements = value.getValues<Attribute>();
  SmallVector<int64_t> strides = computeSuffixProduct(type.getShape());
  SmallVector<int64_t> sourceStrides = computeSuffixProduct(value.getType().getShape());
  SmallVector<Attribute> moved;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    moved.push_back(elements[linearize(getSource(delinearize(i, strides)), sourceStrides)]);
  return DenseElementsAttr::get(type, moved);
}

/// A folder's result, which is nothing if there is no value.
static SmallVector<ElementsAttr> getFolded(ElementsAttr value) {
  return value ? SmallVector<ElementsAttr>{value} : SmallVector<ElementsAttr>();
}

static SmallVector<ElementsAttr> fold(Node &node, function_ref<Index(const Index &)> getSource) {
  return getFolded(move(node, getDense(node.getConstant(0)), node.getOutputType(0), getSource));
}

SmallVector<ElementsAttr> npu::onnx_ir::foldTranspose(Node &node) {
  SmallVector<int64_t> permutation = *getPermutation(node);
  return fold(node, [&](const Index &index) {
    return applyPermutation(index, invertPermutationVector(permutation));
  });
}

SmallVector<ElementsAttr> npu::onnx_ir::foldSlice(Node &node) {
  Slice slice = *getSlice(node);
  return fold(node, [&](const Index &index) {
    Index source(index);
    for (auto [i, offset, step] : llvm::zip(source, slice.offsets, slice.steps))
      i = offset + i * step;
    return source;
  });
}

SmallVector<ElementsAttr> npu::onnx_ir::foldSplit(Node &node) {
  Split split = *getSplit(node);
  DenseElementsAttr value = getDense(node.getConstant(0));
  SmallVector<ElementsAttr> results;
  int64_t offset = 0;
  for (auto [output, size] : llvm::enumerate(split.sizes)) {
    SmallVector<int64_t> shape(node.getShape(0));
    shape[split.axis] = size;
    results.push_back(move(node, value, node.getInputType(0).clone(shape), [&](const Index &index) {
      Index source(index);
      source[split.axis] += offset;
      return source;
    }));
    if (!results.back())
      return {};
    offset += size;
  }
  return results;
}

/// The element that is read for `index` of a result that `shape` was broadcast to.
static Index getBroadcastSource(const Index &index, ArrayRef<int64_t> shape) {
  Index source(ArrayRef<int64_t>(index).take_back(shape.size()));
  for (auto [i, extent] : llvm::zip(source, shape))
    i = extent == 1 ? 0 : i;
  return source;
}

SmallVector<ElementsAttr> npu::onnx_ir::foldExpand(Node &node) {
  return fold(node,
              [&](const Index &index) { return getBroadcastSource(index, node.getShape(0)); });
}

SmallVector<ElementsAttr> npu::onnx_ir::foldTile(Node &node) {
  return fold(node, [&](const Index &index) {
    Index source(index);
    for (auto [i, extent] : llvm::zip(source, node.getShape(0)))
      i %= extent;
    return source;
  });
}

SmallVector<ElementsAttr> npu::onnx_ir::foldGather(Node &node) {
  std::optional<SmallVector<int64_t>> indices = node.getConstantInts(1);
  if (!indices || !node.getConstant(0))
    return {};
  int64_t axis = getAxis(node, 0), rank = node.getRank(1);
  SmallVector<int64_t> strides = computeSuffixProduct(node.getShape(1));
  return fold(node, [&](const Index &index) {
    ArrayRef<int64_t> all(index);
    int64_t gathered = (*indices)[linearize(all.slice(axis, rank), strides)];
    Index source(all.take_front(axis));
    source.push_back(gathered < 0 ? gathered + node.getShape(0)[axis] : gathered);
    source.append(all.begin() + axis + rank, all.end());
    return source;
  });
}

SmallVector<ElementsAttr> npu::onnx_ir::foldConcat(Node &node) {
  int64_t axis = getAxis(node, 1), offset = 0;
  RankedTensorType type = node.getOutputType(0);
  if (type.getNumElements() > maxMovedElements || !node.spend(type.getNumElements()))
    return {};
  SmallVector<Attribute> elements(type.getNumElements());
  SmallVector<int64_t> strides = computeSuffixProduct(type.getShape());
  for (unsigned input = 0; input < node.getNumInputs(); ++input) {
    DenseElementsAttr value = getDense(node.getConstant(input));
    if (!value)
      return {};
    SmallVector<int64_t> sourceStrides = computeSuffixProduct(node.getShape(input));
    for (auto [i, element] : llvm::enumerate(value.getValues<Attribute>())) {
      Index index = delinearize(i, sourceStrides);
      index[axis] += offset;
      elements[linearize(index, strides)] = element;
    }
    offset += node.getShape(input)[axis];
  }
  return {DenseElementsAttr::get(type, elements)};
}
