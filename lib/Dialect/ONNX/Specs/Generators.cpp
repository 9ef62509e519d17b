//===- Generators.cpp - what is known of shapes, and constants of them ----===//

#include "DataType.h"
#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

static Type getI64(Node &node) { return IntegerType::get(node.getOp().getContext(), 64); }

/// The part of the input's shape that Shape asks for.
static ArrayRef<int64_t> getShapeSlice(Node &node) {
  int64_t rank = node.getRank(0);
  auto clampBound = [&](int64_t bound) {
    return std::clamp<int64_t>(bound < 0 ? bound + rank : bound, 0, rank);
  };
  int64_t start = clampBound(node.getInt("start", 0)), end = clampBound(node.getInt("end", rank));
  return node.getShape(0).slice(start, std::max<int64_t>(end - start, 0));
}

LogicalResult npu::onnx_ir::inferShape(Node &node) {
  return node.setOutput(0, int64_t(getShapeSlice(node).size()), getI64(node));
}

SmallVector<ElementsAttr> npu::onnx_ir::foldShape(Node &node) {
  return {DenseElementsAttr::get(node.getOutputType(0), getShapeSlice(node))};
}

LogicalResult npu::onnx_ir::inferSize(Node &node) { return node.setOutput(0, {}, getI64(node)); }

SmallVector<ElementsAttr> npu::onnx_ir::foldSize(Node &node) {
  return {DenseElementsAttr::get(node.getOutputType(0), node.getInputType(0).getNumElements())};
}

LogicalResult npu::onnx_ir::inferConstantOfShape(Node &node) {
  auto shape = node.getIntsParameter("shape", 0);
  if (failed(shape))
    return failure();
  Type type = Float32Type::get(node.getOp().getContext());
  if (node.hasAttribute("value")) {
    auto value = dyn_cast<DenseElementsAttr>(node.getAttribute("value"));
    if (!value || value.getNumElements() != 1 || !value.getElementType().isIntOrFloat())
      return node.reject() << "expected a value of one number";
    type = value.getElementType();
  }
  return node.setOutput(0, **shape, type);
}

SmallVector<ElementsAttr> npu::onnx_ir::foldConstantOfShape(Node &node) {
  RankedTensorType type = node.getOutputType(0);
  if (auto value = dyn_cast_or_null<DenseElementsAttr>(node.getAttribute("value")))
    return {DenseElementsAttr::get(type, *value.value_begin<Attribute>())};
  return {DenseElementsAttr::get(type, 0.0f)};
}

/// Numbers from `start` until `limit`.
static FailureOr<int64_t> countRange(Node &node) {
  SmallVector<SmallVector<int64_t>> ints;
  SmallVector<SmallVector<double>> floats;
  for (unsigned input = 0; input < 3; ++input) {
    if (node.getElementType(input) != node.getElementType(0) ||
        node.getInputType(input).getNumElements() != 1)
      return node.reject() << "expected three numbers of one type, found input " << input
                           << " to be " << node.getInputType(input);
    if (std::optional<SmallVector<int64_t>> values = node.getConstantInts(input))
      ints.push_back(*values);
    else if (std::optional<SmallVector<double>> values = node.getConstantFloats(input))
      floats.push_back(*values);
  }
  constexpr int64_t tooMany = int64_t(1) << 60; // for any output
  if (floats.size() == 3) {
    double count = std::ceil((floats[1][0] - floats[0][0]) / floats[2][0]);
    if (floats[2][0] == 0 || std::isnan(count))
      return node.reject() << "expected finite numbers and a delta other than 0";
    return int64_t(std::clamp<double>(count, 0, tooMany));
  }
  if (ints.size() != 3)
    return node.reject() << "expected three numbers, found " << node.getInputType(0);
  int64_t start = ints[0][0], limit = ints[1][0], delta = ints[2][0];
  if (delta == 0)
    return node.reject() << "expected finite numbers and a delta other than 0";
  if (delta > 0 ? limit <= start : limit >= start)
    return 0;
  // In unsigned numbers, which the distance and the absolute value fit into.
  uint64_t distance = delta > 0 ? uint64_t(limit) - start : uint64_t(start) - limit;
  uint64_t step = delta > 0 ? uint64_t(delta) : 0 - uint64_t(delta);
  return int64_t(std::min<uint64_t>((distance - 1) / step + 1, tooMany));
}

LogicalResult npu::onnx_ir::inferRange(Node &node) {
  FailureOr<int64_t> count = countRange(node);
  if (failed(count))
    return failure();
  return node.setOutput(0, *count, node.getElementType(0));
}

/// Indices of the elements that are not zero, one row per dimension.
static std::optional<SmallVector<int64_t>> findNonZeros(Node &node) {
  SmallVector<int64_t> found;
  auto collect = [&](const auto &values) {
    for (auto [index, value] : llvm::enumerate(values))
      if (value != 0)
        found.push_back(index);
  };
  if (std::optional<SmallVector<int64_t>> values = node.getConstantInts(0))
    collect(*values);
  else if (std::optional<SmallVector<double>> values = node.getConstantFloats(0))
    collect(*values);
  else
    return std::nullopt;
  SmallVector<int64_t> indices;
  for (int64_t stride : computeSuffixProduct(node.getShape(0)))
    for (int64_t index : found)
      indices.push_back(index / stride);
  int64_t count = found.size();
  for (auto [i, index] : llvm::enumerate(indices))
    index %= node.getShape(0)[i / count];
  return indices;
}

LogicalResult npu::onnx_ir::inferNonZero(Node &node) {
  if (node.getRank(0) == 0)
    return node.reject() << "expected at least one dimension, found none";
  std::optional<SmallVector<int64_t>> indices = findNonZeros(node);
  if (!indices)
    return node.reject() << "expected a constant of integers, f32 or f64, found "
                         << node.getInputType(0);
  if (failed(node.spendOrReject(node.getInputType(0).getNumElements() + indices->size())))
    return failure();
  return node.setOutput(0, {node.getRank(0), int64_t(indices->size()) / node.getRank(0)},
                        getI64(node));
}

SmallVector<ElementsAttr> npu::onnx_ir::foldNonZero(Node &node) {
  return {DenseElementsAttr::get(node.getOutputType(0), ArrayRef<int64_t>(*findNonZeros(node)))};
}

LogicalResult npu::onnx_ir::inferEyeLike(Node &node) {
  FailureOr<Type> type = node.getElementType(0);
  if (node.hasAttribute("dtype") && failed(type = getDataType(node, "dtype")))
    return failure();
  if (node.getRank(0) != 2)
    return node.reject() << "expected a matrix, found " << node.getInputType(0);
  return node.setOutput(0, node.getShape(0), *type);
}

LogicalResult npu::onnx_ir::inferTrilu(Node &node) {
  if (node.getRank(0) < 2)
    return node.reject() << "expected matrices, found " << node.getInputType(0);
  if (node.hasInput(1) &&
      (node.getInputType(1).getNumElements() != 1 || !node.getElementType(1).isInteger(64)))
    return node.reject() << "expected one i64 as diagonal, found " << node.getInputType(1);
  return node.setOutput(0, node.getShape(0), node.getElementType(0));
}
