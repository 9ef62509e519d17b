//===- InferNormalization.cpp - types of operators that normalize ---------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Normalization.h"
#include "NPU/Dialect/ONNX/Specs/Pool.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Floats with at least `rank` dimensions.
static LogicalResult checkInput(Node &node, int64_t rank) {
  if (!isa<FloatType>(node.getElementType(0)))
    return node.reject() << "expected floats, found " << node.getElementType(0);
  if (node.getRank(0) < rank)
    return node.reject() << "expected at least " << rank << " dimensions, found "
                         << node.getInputType(0);
  return success();
}

/// Inputs from 1 on are floats of one of these shapes.
static LogicalResult checkParameters(Node &node, ArrayRef<int64_t> shape) {
  for (unsigned index = 1; index < node.getNumInputs(); ++index)
    if (node.hasInput(index) &&
        (node.getShape(index) != shape || !isa<FloatType>(node.getElementType(index))))
      return node.reject() << "expected input " << index << " to be floats of shape [" << shape
                           << "], found " << node.getInputType(index);
  return success();
}

static LogicalResult setSameType(Node &node) {
  return node.setOutput(0, node.getShape(0), node.getElementType(0));
}

bool npu::onnx_ir::isTrainingBatchNormalization(Node &node) {
  if (node.getOpset() >= 14)
    return node.getInt("training_mode", 0) != 0;
  if (node.getOpset() < 7)
    return node.getInt("is_test", 0) == 0;
  return llvm::any_of(llvm::seq(1u, node.getNumOutputs()),
                      [&](unsigned index) { return node.hasOutput(index); });
}

LogicalResult npu::onnx_ir::inferBatchNormalization(Node &node) {
  if (failed(checkInput(node, 1)))
    return failure();
  ArrayRef<int64_t> shape = node.getShape(0);
  SmallVector<int64_t> parameters{1};
  if (node.getInt("spatial", 1) == 0)
    parameters.assign(shape.begin() + 1, shape.end());
  else if (shape.size() > 1)
    parameters = {shape[1]};
  if (failed(checkParameters(node, parameters)))
    return failure();
  if (!isTrainingBatchNormalization(node))
    for (unsigned index = 1; index < node.getNumOutputs(); ++index)
      if (node.hasOutput(index))
        return node.reject() << "expected one output outside training, found output " << index;
  for (unsigned index : {1, 2, 3, 4})
    if (failed(node.setOutput(index, parameters, node.getElementType(index % 2 ? 3 : 4))))
      return failure();
  return setSameType(node);
}

LogicalResult npu::onnx_ir::inferInstanceNormalization(Node &node) {
  if (failed(checkInput(node, 3)) || failed(checkParameters(node, node.getShape(0)[1])))
    return failure();
  return setSameType(node);
}

Type npu::onnx_ir::getStashType(Node &node) {
  MLIRContext *context = node.getOp().getContext();
  // The numbers of TensorProto.DataType.
  switch (node.getInt("stash_type", 1)) {
  case 1:
    return Float32Type::get(context);
  case 10:
    return Float16Type::get(context);
  case 11:
    return Float64Type::get(context);
  case 16:
    return BFloat16Type::get(context);
  default:
    return {};
  }
}

static LogicalResult checkStashType(Node &node) {
  if (!getStashType(node))
    return node.reject() << "expected stash_type 1 (f32), 10 (f16), 11 (f64) or 16 (bf16), found "
                         << node.getInt("stash_type", 1);
  return success();
}

LogicalResult npu::onnx_ir::inferGroupNormalization(Node &node) {
  if (failed(checkInput(node, 2)) || failed(checkStashType(node)))
    return failure();
  int64_t channels = node.getShape(0)[1], groups = node.getInt("num_groups", 0);
  if (groups < 1 || channels % groups != 0)
    return node.reject() << "expected num_groups to divide " << channels << " channels, found "
                         << groups;
  if (failed(checkParameters(node, node.getOpset() >= 21 ? channels : groups)))
    return failure();
  return setSameType(node);
}

/// What LayerNormalization and RMSNormalization have in common; gives the shape of statistics.
static FailureOr<SmallVector<int64_t>> inferLayer(Node &node) {
  if (failed(checkInput(node, 1)) || failed(checkStashType(node)))
    return failure();
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", -1), node.getRank(0));
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0));
  for (unsigned index = 1; index < node.getNumInputs(); ++index)
    if (node.hasInput(index) && (broadcastShapes(shape, node.getShape(index)) != shape ||
                                 !isa<FloatType>(node.getElementType(index))))
      return node.reject() << "expected input " << index
                           << " to be floats that broadcast to the shape [" << shape << "], found "
                           << node.getInputType(index);
  std::fill(shape.begin() + *axis, shape.end(), 1);
  return shape;
}

LogicalResult npu::onnx_ir::inferLayerNormalization(Node &node) {
  FailureOr<SmallVector<int64_t>> statistics = inferLayer(node);
  if (failed(statistics) || failed(node.setOutput(1, *statistics, getStashType(node))) ||
      failed(node.setOutput(2, *statistics, getStashType(node))))
    return failure();
  return setSameType(node);
}

LogicalResult npu::onnx_ir::inferRMSNormalization(Node &node) {
  if (failed(inferLayer(node)))
    return failure();
  // Of the scale's type, which may be another.
  return node.setOutput(0, node.getShape(0), node.getElementType(1));
}

SmallVector<int64_t> npu::onnx_ir::getMeanVarianceAxes(Node &node) {
  return *node.normalizeAxes(node.getInts("axes").value_or(SmallVector<int64_t>{0, 2, 3}),
                             node.getRank(0));
}

LogicalResult npu::onnx_ir::inferMeanVarianceNormalization(Node &node) {
  SmallVector<int64_t> axes = node.getInts("axes").value_or(SmallVector<int64_t>{0, 2, 3});
  if (failed(checkInput(node, 1)) || failed(node.normalizeAxes(axes, node.getRank(0))))
    return failure();
  if (axes.empty())
    return node.reject() << "expected axes, found none";
  return setSameType(node);
}

LogicalResult npu::onnx_ir::inferLpNormalization(Node &node) {
  if (failed(checkInput(node, 1)) ||
      failed(node.normalizeAxis(node.getInt("axis", -1), node.getRank(0))))
    return failure();
  if (double p = getNormOrder(node); p != 1 && p != 2)
    return node.reject() << "expected p to be 1 or 2, found " << p;
  return setSameType(node);
}

LogicalResult npu::onnx_ir::inferLRN(Node &node) {
  if (failed(checkInput(node, 2)))
    return failure();
  int64_t size = node.getInt("size", 0);
  if (size < 1 || size > INT32_MAX)
    return node.reject() << "expected a size from 1 to " << INT32_MAX << ", found " << size;
  SmallVector<int64_t> padded(node.getShape(0));
  padded[1] += size - 1;
  if (!isAddressable(padded))
    return node.reject() << "expected less padding, found an input that becomes [" << padded << "]";
  return setSameType(node);
}

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getSoftmaxAxes(Node &node) {
  bool isFlat = node.getOpset() < 13;
  FailureOr<int64_t> axis =
      node.normalizeAxis(node.getInt("axis", isFlat ? 1 : -1), node.getRank(0));
  if (failed(axis))
    return failure();
  if (!isFlat)
    return SmallVector<int64_t>{*axis};
  return llvm::to_vector(llvm::seq<int64_t>(*axis, node.getRank(0)));
}

LogicalResult npu::onnx_ir::inferSoftmax(Node &node) {
  if (failed(checkInput(node, 1)) || failed(getSoftmaxAxes(node)))
    return failure();
  return setSameType(node);
}
