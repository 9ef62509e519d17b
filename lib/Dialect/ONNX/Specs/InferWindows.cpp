//===- InferWindows.cpp - types of convolutions and pools -----------------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Convolution.h"
#include "NPU/Dialect/ONNX/Specs/Pool.h"

#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

/// Input and filter have the same one to three spatial dimensions, and the kernel is as declared.
static LogicalResult checkFilter(Node &node, unsigned inputIndex, unsigned filterIndex) {
  ArrayRef<int64_t> input = node.getShape(inputIndex), filter = node.getShape(filterIndex);
  if (input.size() < 3 || input.size() > 5 || filter.size() != input.size())
    return node.reject() << "expected input and filter with one to three spatial dimensions, found "
                         << node.getInputType(inputIndex) << " and "
                         << node.getInputType(filterIndex);
  if (std::optional<SmallVector<int64_t>> kernel = node.getInts("kernel_shape"))
    if (ArrayRef<int64_t>(*kernel) != filter.drop_front(2))
      return node.reject() << "expected kernel_shape [" << filter.drop_front(2)
                           << "], as the filter has, found [" << *kernel << "]";
  return success();
}

FailureOr<SmallVector<int64_t>> npu::onnx_ir::getConvolutionShape(Node &node, unsigned inputIndex,
                                                                  unsigned filterIndex) {
  if (failed(checkFilter(node, inputIndex, filterIndex)))
    return failure();
  ArrayRef<int64_t> input = node.getShape(inputIndex), filter = node.getShape(filterIndex);
  int64_t groups = node.getInt("group", 1);
  if (groups < 1 || filter[0] % groups != 0 || filter[1] > input[1] || input[1] % groups != 0 ||
      filter[1] != input[1] / groups)
    return node.reject() << "expected " << input[1] << " input channels and " << filter[0]
                         << " output channels to be split into groups of " << filter[1]
                         << " input channels, found group " << groups;
  FailureOr<Window> window = getWindow(node, input.drop_front(2), filter.drop_front(2));
  if (failed(window))
    return failure();
  SmallVector<int64_t> shape{input[0], filter[0]};
  shape.append(window->output);
  return shape;
}

/// Input, filter and bias are floats of one type.
static LogicalResult checkFloats(Node &node) {
  if (!isa<FloatType>(node.getElementType(0)) || node.getElementType(0) != node.getElementType(1))
    return node.reject() << "expected floats of one type, found " << node.getElementType(0)
                         << " and " << node.getElementType(1);
  return success();
}

static LogicalResult checkBias(Node &node, int64_t channels) {
  if (node.hasInput(2) && (node.getShape(2) != ArrayRef<int64_t>(channels) ||
                           node.getElementType(2) != node.getElementType(0)))
    return node.reject() << "expected a bias of " << channels << " " << node.getElementType(0)
                         << ", found " << node.getInputType(2);
  return success();
}

LogicalResult npu::onnx_ir::inferConv(Node &node) {
  if (failed(checkFloats(node)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = getConvolutionShape(node, 0, 1);
  if (failed(shape) || failed(checkBias(node, (*shape)[1])))
    return failure();
  return node.setOutput(0, *shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferConvTranspose(Node &node) {
  if (failed(checkFloats(node)) || failed(checkFilter(node, 0, 1)))
    return failure();
  ArrayRef<int64_t> input = node.getShape(0), filter = node.getShape(1);
  int64_t groups = node.getInt("group", 1);
  int64_t channels;
  if (groups < 1 || filter[0] != input[1] || input[1] % groups != 0 ||
      llvm::MulOverflow(filter[1], groups, channels))
    return node.reject() << "expected a filter for " << input[1]
                         << " input channels that split into groups, found " << filter[0]
                         << " and group " << groups;
  FailureOr<Window> window = getTransposedWindow(node, input.drop_front(2), filter.drop_front(2));
  if (failed(window) || failed(checkBias(node, channels)))
    return failure();
  SmallVector<int64_t> shape{input[0], channels};
  shape.append(window->output);
  return node.setOutput(0, shape, node.getElementType(0));
}

/// The type of the results of pools of windows; integers if `allowsIntegers`.
static FailureOr<SmallVector<int64_t>> inferPool(Node &node, bool allowsIntegers) {
  Type type = node.getElementType(0);
  if (!isa<FloatType>(type) && !(allowsIntegers && type.getIntOrFloatBitWidth() > 1))
    return node.reject() << "expected " << (allowsIntegers ? "numbers" : "floats") << ", found "
                         << type;
  if (node.getRank(0) < 3)
    return node.reject() << "expected at least one spatial dimension, found "
                         << node.getInputType(0);
  std::optional<SmallVector<int64_t>> kernel = node.getInts("kernel_shape");
  if (!kernel)
    return node.reject() << "expected kernel_shape, found none";
  FailureOr<Window> window = getWindow(node, node.getShape(0).drop_front(2), *kernel);
  if (failed(window))
    return failure();
  SmallVector<int64_t> shape(node.getShape(0).take_front(2));
  shape.append(window->output);
  return shape;
}

LogicalResult npu::onnx_ir::inferAveragePool(Node &node) {
  FailureOr<SmallVector<int64_t>> shape = inferPool(node, /*allowsIntegers=*/false);
  if (failed(shape))
    return failure();
  return node.setOutput(0, *shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferMaxPool(Node &node) {
  FailureOr<SmallVector<int64_t>> shape = inferPool(node, /*allowsIntegers=*/true);
  if (failed(shape) || failed(node.setOutput(0, *shape, node.getElementType(0))))
    return failure();
  return node.setOutput(1, *shape, IntegerType::get(node.getOp().getContext(), 64));
}

double npu::onnx_ir::getNormOrder(const Node &node) {
  return node.getFloat("p", double(node.getInt("p", 2)));
}

static LogicalResult checkNormOrder(Node &node) {
  double p = getNormOrder(node);
  if (!(p >= 1 && std::isfinite(p)))
    return node.reject() << "expected p to be at least 1, found " << p;
  return success();
}

LogicalResult npu::onnx_ir::inferLpPool(Node &node) {
  if (failed(checkNormOrder(node)))
    return failure();
  return inferAveragePool(node);
}

LogicalResult npu::onnx_ir::inferGlobalPool(Node &node) {
  if (!isa<FloatType>(node.getElementType(0)))
    return node.reject() << "expected floats, found " << node.getElementType(0);
  if (node.getRank(0) < 3)
    return node.reject() << "expected at least one spatial dimension, found "
                         << node.getInputType(0);
  SmallVector<int64_t> shape(node.getShape(0).take_front(2));
  shape.append(node.getRank(0) - 2, 1);
  return node.setOutput(0, shape, node.getElementType(0));
}

LogicalResult npu::onnx_ir::inferGlobalLpPool(Node &node) {
  if (failed(checkNormOrder(node)))
    return failure();
  return inferGlobalPool(node);
}
