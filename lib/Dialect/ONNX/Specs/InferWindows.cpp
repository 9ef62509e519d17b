//===- InferWindows.cpp - types of convolutions and pools -----------------===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Window.h"

using namespace mlir;
using namespace npu::onnx_ir;

LogicalResult npu::onnx_ir::inferConv(Node &node) {
  ArrayRef<int64_t> input = node.getShape(0), filter = node.getShape(1);
  if (!isa<FloatType>(node.getElementType(0)) || node.getElementType(0) != node.getElementType(1))
    return node.reject() << "expected floats of one type, found " << node.getElementType(0)
                         << " and " << node.getElementType(1);
  if (input.size() < 3 || input.size() > 5 || filter.size() != input.size())
    return node.reject() << "expected input and filter with one to three spatial dimensions, found "
                         << node.getInputType(0) << " and " << node.getInputType(1);
  int64_t groups = node.getInt("group", 1);
  if (groups < 1 || filter[0] % groups != 0 || filter[1] > input[1] ||
      filter[1] * groups != input[1])
    return node.reject() << "expected " << input[1] << " input channels and " << filter[0]
                         << " output channels to be split into groups of " << filter[1]
                         << " input channels, found group " << groups;
  if (std::optional<SmallVector<int64_t>> kernel = node.getInts("kernel_shape"))
    if (ArrayRef<int64_t>(*kernel) != filter.drop_front(2))
      return node.reject() << "expected kernel_shape [" << filter.drop_front(2)
                           << "], as the filter has, found [" << *kernel << "]";
  if (node.hasInput(2) && (node.getShape(2) != filter.take_front(1) ||
                           node.getElementType(2) != node.getElementType(0)))
    return node.reject() << "expected a bias of " << filter[0] << " " << node.getElementType(0)
                         << ", found " << node.getInputType(2);
  FailureOr<Window> window = getWindow(node, input.drop_front(2), filter.drop_front(2));
  if (failed(window))
    return failure();
  SmallVector<int64_t> output{input[0], filter[0]};
  output.append(window->output);
  return node.setOutput(0, output, node.getElementType(0));
}
