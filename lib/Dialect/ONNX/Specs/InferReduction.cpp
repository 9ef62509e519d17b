//===- InferReduction.cpp - types of reductions and scans -----------------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Reduction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace npu::onnx_ir;

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getReducedAxes(Node &node) {
  FailureOr<std::optional<SmallVector<int64_t>>> axes = node.getIntsParameter("axes", 1);
  if (failed(axes))
    return failure();
  int64_t rank = node.getRank(0);
  if (!*axes || (*axes)->empty())
    return node.getInt("noop_with_empty_axes", 0) != 0
               ? SmallVector<int64_t>()
               : llvm::to_vector(llvm::seq<int64_t>(0, rank));
  FailureOr<SmallVector<int64_t>> normalized = node.normalizeAxes(**axes, rank);
  if (succeeded(normalized))
    llvm::sort(*normalized);
  return normalized;
}

/// Shape of the first input without `axes`, which become 1 with `keepdims`.
static SmallVector<int64_t> getReducedShape(Node &node, ArrayRef<int64_t> axes) {
  bool keepsDims = node.getInt("keepdims", 1) != 0;
  SmallVector<int64_t> shape;
  for (auto [axis, extent] : llvm::enumerate(node.getShape(0))) {
    bool isReduced = llvm::is_contained(axes, int64_t(axis));
    if (!isReduced || keepsDims)
      shape.push_back(isReduced ? 1 : extent);
  }
  return shape;
}

static LogicalResult inferReduced(Node &node) {
  FailureOr<SmallVector<int64_t>> axes = getReducedAxes(node);
  if (failed(axes))
    return failure();
  return node.setOutput(0, getReducedShape(node, *axes), node.getElementType(0));
}

static LogicalResult rejectBooleans(Node &node) {
  if (!node.getElementType(0).isInteger(1))
    return success();
  return node.reject() << "expected numbers, found " << node.getInputType(0);
}

LogicalResult npu::onnx_ir::inferReduce(Node &node) {
  if (failed(rejectBooleans(node)))
    return failure();
  return inferReduced(node);
}

LogicalResult npu::onnx_ir::inferReduceExtremum(Node &node) { return inferReduced(node); }

LogicalResult npu::onnx_ir::inferArgExtremum(Node &node) {
  if (failed(rejectBooleans(node)))
    return failure();
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 0), node.getRank(0));
  if (failed(axis))
    return failure();
  if (node.getShape(0)[*axis] == 0)
    return node.reject() << "expected at least one element along axis " << *axis << ", found "
                         << node.getInputType(0);
  return node.setOutput(0, getReducedShape(node, *axis),
                        IntegerType::get(node.getOp().getContext(), 64));
}

LogicalResult npu::onnx_ir::inferCumSum(Node &node) {
  if (failed(rejectBooleans(node)))
    return failure();
  std::optional<SmallVector<int64_t>> axis = node.getConstantInts(1);
  if (!axis || axis->size() != 1)
    return node.reject() << "expected an axis that is one integer, found " << node.getInputType(1);
  if (failed(node.normalizeAxis(axis->front(), node.getRank(0))))
    return failure();
  return node.setOutput(0, node.getShape(0), node.getElementType(0));
}
