//===- InferMatMul.cpp - types of products of matrices and of tensors -----===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Einsum.h"
#include "NPU/Dialect/ONNX/Specs/MatMul.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getMatMulShape(Node &node, unsigned lhs,
                                                             unsigned rhs) {
  SmallVector<int64_t> left(node.getShape(lhs)), right(node.getShape(rhs));
  bool isLeftVector = left.size() == 1, isRightVector = right.size() == 1;
  if (isLeftVector)
    left.insert(left.begin(), 1);
  if (isRightVector)
    right.push_back(1);
  std::optional<SmallVector<int64_t>> shape;
  if (left.size() >= 2 && right.size() >= 2 && left.back() == right[right.size() - 2])
    shape = broadcastShapes(ArrayRef(left).drop_back(2), ArrayRef(right).drop_back(2));
  if (!shape)
    return node.reject() << "expected matrices whose inner extents are equal and whose batches "
                            "broadcast, found "
                         << node.getInputType(lhs) << " and " << node.getInputType(rhs);
  if (!isLeftVector)
    shape->push_back(left[left.size() - 2]);
  if (!isRightVector)
    shape->push_back(right.back());
  return *shape;
}

/// All inputs are numbers of the first one's type.
static LogicalResult checkNumbers(Node &node) {
  for (unsigned index = 0; index < node.getNumInputs(); ++index) {
    Type type = node.getElementType(index);
    if (type != node.getElementType(0) || type.isInteger(1))
      return node.reject() << "expected numbers of one type, found " << node.getElementType(0)
                           << " and " << type;
  }
  return success();
}

LogicalResult npu::onnx_ir::inferMatMul(Node &node) {
  if (failed(checkNumbers(node)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = getMatMulShape(node, 0, 1);
  if (failed(shape))
    return failure();
  return node.setOutput(0, *shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferGemm(Node &node) {
  if (failed(checkNumbers(node)))
    return failure();
  if (node.getRank(0) != 2 || node.getRank(1) != 2)
    return node.reject() << "expected two matrices, found " << node.getInputType(0) << " and "
                         << node.getInputType(1);
  bool isLeftTransposed = node.getInt("transA", 0), isRightTransposed = node.getInt("transB", 0);
  ArrayRef<int64_t> left = node.getShape(0), right = node.getShape(1);
  SmallVector<int64_t> shape{left[isLeftTransposed], right[!isRightTransposed]};
  if (left[!isLeftTransposed] != right[isRightTransposed])
    return node.reject() << "expected equal inner extents, found " << left[!isLeftTransposed]
                         << " and " << right[isRightTransposed];
  if (node.hasInput(2) && broadcastShapes(shape, node.getShape(2)) != shape)
    return node.reject() << "expected input 2 to broadcast to the shape [" << shape << "], found "
                         << node.getInputType(2);
  if (node.hasInput(2) && node.getOpset() < 7 && node.getInt("broadcast", 0) == 0 &&
      node.getShape(2) != ArrayRef(shape))
    return node.reject() << "expected input 2 to have the shape [" << shape
                         << "], as this opset does not broadcast by itself, found "
                         << node.getInputType(2) << "; convert the model to opset 7";
  if (isa<IntegerType>(node.getElementType(0)))
    for (StringRef name : {"alpha", "beta"}) {
      double factor = node.getFloat(name, 1);
      if (!(std::abs(factor) <= INT32_MAX) || factor != std::trunc(factor))
        return node.reject() << "expected " << name
                             << " to be a whole number, as the inputs are integers, found "
                             << factor;
    }
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferEinsum(Node &node) {
  if (failed(checkNumbers(node)))
    return failure();
  FailureOr<EinsumEquation> equation = parseEinsum(node);
  if (failed(equation))
    return failure();
  // All loops together, so that no step on the way becomes too large.
  SmallVector<int64_t> loops =
      llvm::filter_to_vector(equation->extents, [](int64_t extent) { return extent != 1; });
  if (!isAddressable(loops))
    return node.reject() << "expected fewer elements along all letters together, found the extents "
                         << "[" << loops << "]";
  SmallVector<int64_t> shape =
      llvm::map_to_vector(equation->output, [&](int64_t name) { return equation->extents[name]; });
  return node.setOutput(0, shape, node.getElementType(0));
}
