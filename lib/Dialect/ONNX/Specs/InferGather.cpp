//===- InferGather.cpp - types of operators that index with data ----------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Movement.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Indices may be of i32 and i64, and there must be something to index.
static LogicalResult checkIndexType(Node &node, unsigned input) {
  Type type = node.getElementType(input);
  if (!type.isSignlessInteger(32) && !type.isSignlessInteger(64))
    return node.reject() << "expected indices of i32 or i64, found " << type;
  if (node.getInputType(0).getNumElements() == 0 && node.getInputType(input).getNumElements() != 0)
    return node.reject() << "expected elements to index, found " << node.getInputType(0);
  return success();
}

/// Indices that are known are within `extent`.
static LogicalResult checkIndexRange(Node &node, ArrayRef<int64_t> indices, int64_t extent) {
  for (int64_t index : indices)
    if (index < -extent || index >= extent)
      return node.reject() << "expected indices from " << -extent << " to " << extent - 1
                           << ", found " << index;
  return success();
}

static LogicalResult checkIndices(Node &node, unsigned input, int64_t extent) {
  if (failed(checkIndexType(node, input)))
    return failure();
  std::optional<SmallVector<int64_t>> indices = node.getConstantInts(input);
  return indices ? checkIndexRange(node, *indices, extent) : success();
}

/// Rows of indices, one index for each of the dimensions from `first` on.
static LogicalResult checkIndexRows(Node &node, unsigned input, int64_t first) {
  if (failed(checkIndexType(node, input)))
    return failure();
  std::optional<SmallVector<int64_t>> indices = node.getConstantInts(input);
  if (!indices)
    return success();
  int64_t columns = node.getShape(input).back();
  for (int64_t column = 0; column < columns; ++column) {
    SmallVector<int64_t> ofColumn;
    for (size_t i = column; i < indices->size(); i += columns)
      ofColumn.push_back((*indices)[i]);
    if (failed(checkIndexRange(node, ofColumn, node.getShape(0)[first + column])))
      return failure();
  }
  return success();
}

LogicalResult npu::onnx_ir::inferGather(Node &node) {
  ArrayRef<int64_t> data = node.getShape(0);
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 0), data.size());
  if (failed(axis) || failed(checkIndices(node, 1, data[*axis])))
    return failure();
  SmallVector<int64_t> shape(data.take_front(*axis));
  llvm::append_range(shape, node.getShape(1));
  llvm::append_range(shape, data.drop_front(*axis + 1));
  return node.setOutput(0, shape, node.getElementType(0));
}

/// Indices (input 1) have the rank of the data and nowhere but along the axis more elements.
static LogicalResult checkElementIndices(Node &node) {
  ArrayRef<int64_t> data = node.getShape(0), indices = node.getShape(1);
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 0), data.size());
  if (failed(axis))
    return failure();
  bool fits = data.size() == indices.size();
  for (size_t dim = 0; fits && dim < data.size(); ++dim)
    fits = int64_t(dim) == *axis || indices[dim] <= data[dim];
  if (!fits)
    return node.reject() << "expected indices that are no larger than " << node.getInputType(0)
                         << " but along axis " << *axis << ", found " << node.getInputType(1);
  return checkIndices(node, 1, data[*axis]);
}

LogicalResult npu::onnx_ir::inferGatherElements(Node &node) {
  if (failed(checkElementIndices(node)))
    return failure();
  return node.setOutput(0, node.getShape(1), node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferGatherND(Node &node) {
  ArrayRef<int64_t> data = node.getShape(0), indices = node.getShape(1);
  int64_t batches = node.getInt("batch_dims", 0);
  if (batches < 0 || batches >= int64_t(std::min(data.size(), indices.size())) ||
      data.take_front(batches) != indices.take_front(batches))
    return node.reject() << "expected inputs with the same " << batches
                         << " batch dimensions and more, found " << node.getInputType(0) << " and "
                         << node.getInputType(1);
  int64_t columns = indices.back();
  if (columns < 1 || columns > int64_t(data.size()) - batches)
    return node.reject() << "expected rows of 1 to " << data.size() - batches << " indices, found "
                         << columns;
  if (failed(checkIndexRows(node, 1, batches)))
    return failure();
  SmallVector<int64_t> shape(indices.drop_back());
  llvm::append_range(shape, data.drop_front(batches + columns));
  return node.setOutput(0, shape, node.getElementType(0));
}

/// Updates (input 2) of `shape` with a known way to combine them.
static LogicalResult checkUpdates(Node &node, ArrayRef<int64_t> shape) {
  if (node.getShape(2) != shape || node.getElementType(2) != node.getElementType(0))
    return node.reject() << "expected updates of shape [" << shape << "] and type "
                         << node.getElementType(0) << ", found " << node.getInputType(2);
  StringRef reduction = node.getString("reduction", "none");
  if (!llvm::is_contained({"none", "add", "mul", "min", "max"}, reduction))
    return node.reject() << "expected reduction to be none, add, mul, min or max, found '"
                         << reduction << "'";
  return success();
}

LogicalResult npu::onnx_ir::inferScatterElements(Node &node) {
  if (failed(checkElementIndices(node)) || failed(checkUpdates(node, node.getShape(1))))
    return failure();
  return node.setOutput(0, node.getShape(0), node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferScatterND(Node &node) {
  ArrayRef<int64_t> data = node.getShape(0), indices = node.getShape(1);
  if (data.empty() || indices.empty() || indices.back() < 1 ||
      indices.back() > int64_t(data.size()))
    return node.reject() << "expected rows of 1 to " << data.size() << " indices, found "
                         << node.getInputType(1);
  SmallVector<int64_t> updates(indices.drop_back());
  llvm::append_range(updates, data.drop_front(indices.back()));
  if (failed(checkIndexRows(node, 1, 0)) || failed(checkUpdates(node, updates)))
    return failure();
  return node.setOutput(0, data, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferOneHot(Node &node) {
  std::optional<double> depth;
  if (auto ints = node.getConstantInts(1); ints && ints->size() == 1)
    depth = ints->front();
  if (auto floats = node.getConstantFloats(1); floats && floats->size() == 1)
    depth = floats->front();
  if (!depth)
    return node.reject() << "expected one number as depth, found " << node.getInputType(1);
  if (!(*depth >= 1 && *depth <= INT32_MAX))
    return node.reject() << "expected a depth from 1 to " << INT32_MAX << ", found " << *depth;
  if (node.getShape(2) != ArrayRef<int64_t>{2})
    return node.reject() << "expected the values off and on, found " << node.getInputType(2);
  SmallVector<int64_t> shape(node.getShape(0));
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", -1), shape.size() + 1);
  if (failed(axis))
    return failure();
  shape.insert(shape.begin() + *axis, int64_t(*depth));
  return node.setOutput(0, shape, node.getElementType(2));
}

LogicalResult npu::onnx_ir::inferCompress(Node &node) {
  SmallVector<int64_t> shape(1, node.getInputType(0).getNumElements());
  int64_t axis = 0;
  if (node.hasAttribute("axis")) {
    FailureOr<int64_t> normalized = node.normalizeAxis(node.getInt("axis", 0), node.getRank(0));
    if (failed(normalized))
      return failure();
    axis = *normalized;
    shape.assign(node.getShape(0).begin(), node.getShape(0).end());
  }
  std::optional<SmallVector<int64_t>> condition = node.getConstantInts(1);
  if (!condition || !node.getElementType(1).isInteger(1) ||
      int64_t(condition->size()) > shape[axis])
    return node.reject() << "expected at most " << shape[axis] << " conditions of i1, found "
                         << node.getInputType(1);
  shape[axis] = llvm::count(*condition, 1);
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferReverseSequence(Node &node) {
  int64_t batchAxis = node.getInt("batch_axis", 1), timeAxis = node.getInt("time_axis", 0);
  if (node.getRank(0) < 2 || std::min(batchAxis, timeAxis) != 0 ||
      std::max(batchAxis, timeAxis) != 1)
    return node.reject() << "expected 0 and 1 as batch_axis and time_axis of at least two "
                            "dimensions, found "
                         << batchAxis << " and " << timeAxis << " of " << node.getInputType(0);
  if (node.getShape(1) != node.getShape(0).slice(batchAxis, 1) ||
      !node.getElementType(1).isInteger(64))
    return node.reject() << "expected " << node.getShape(0)[batchAxis] << " lengths of i64, found "
                         << node.getInputType(1);
  return node.setOutput(0, node.getShape(0), node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferTopK(Node &node) {
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", -1), node.getRank(0));
  if (failed(axis))
    return failure();
  FailureOr<int64_t> count = getIntParameter(node, "k", 1, -1);
  if (failed(count))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0));
  if (*count < 0 || *count > shape[*axis])
    return node.reject() << "expected k from 0 to " << shape[*axis] << ", found " << *count;
  shape[*axis] = *count;
  if (failed(node.setOutput(0, shape, node.getElementType(0))))
    return failure();
  return node.setOutput(1, shape, IntegerType::get(node.getOp().getContext(), 64));
}
