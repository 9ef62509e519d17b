//===- InferElementwise.cpp - types of element-wise operators -------------===//

#include "OpSpecFunctions.h"

using namespace mlir;
using namespace npu::onnx_ir;

LogicalResult npu::onnx_ir::inferSameType(Node &node) {
  return node.setOutput(0, node.getShape(0), node.getElementType(0));
}

/// Shape of the two inputs combined. Before opset 7, the second one is aligned at `axis` if
/// `broadcast` is set.
static FailureOr<SmallVector<int64_t>> inferBroadcast(Node &node) {
  if (node.getElementType(0) != node.getElementType(1))
    return node.reject() << "expected inputs of one element type, found " << node.getElementType(0)
                         << " and " << node.getElementType(1);
  SmallVector<int64_t> rhs(node.getShape(1));
  if (node.hasAttribute("axis")) {
    FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 0), node.getRank(0), true);
    if (failed(axis))
      return failure();
    if (*axis + node.getRank(1) > node.getRank(0))
      return node.reject() << "expected input 1 to have at most " << node.getRank(0) - *axis
                           << " dimensions behind axis " << *axis << ", found " << node.getRank(1);
    rhs.append(node.getRank(0) - *axis - node.getRank(1), 1);
  }
  std::optional<SmallVector<int64_t>> shape = broadcastShapes(node.getShape(0), rhs);
  if (!shape)
    return node.reject() << "expected shapes that broadcast, found " << node.getInputType(0)
                         << " and " << node.getInputType(1);
  return *shape;
}

LogicalResult npu::onnx_ir::inferArithmetic(Node &node) {
  FailureOr<SmallVector<int64_t>> shape = inferBroadcast(node);
  if (failed(shape))
    return failure();
  return node.setOutput(0, *shape, node.getElementType(0));
}
