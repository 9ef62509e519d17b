//===- LowerConv.cpp - convolutions ---------------------------------------===//

#include "Lowering.h"

#include "NPU/Dialect/ONNX/Specs/Window.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// The named op for a convolution of `input` (NCHW) with `filter` (FCHW), whose result starts as
/// `init`. One spatial dimension becomes two.
static Value createConv(Lowering &b, Value input, Value filter, Value init, const Window &window,
                        int64_t groups) {
  auto strides = b.getI64TensorAttr(window.strides);
  auto dilations = b.getI64TensorAttr(window.dilations);
  ArrayRef<int64_t> filterShape = b.getShape(filter);
  int64_t outputs = filterShape[0];
  if (window.getRank() == 3)
    return linalg::Conv3DNcdhwFcdhwOp::create(b, init.getType(), ValueRange{input, filter}, init,
                                              strides, dilations)
        .getResult(0);
  if (groups == 1)
    return linalg::Conv2DNchwFchwOp::create(b, init.getType(), ValueRange{input, filter}, init,
                                            strides, dilations)
        .getResult(0);
  // Each channel on its own.
  if (filterShape[1] == 1 && outputs == groups) {
    Value kernel = b.reshape(filter, {outputs, filterShape[2], filterShape[3]});
    return linalg::DepthwiseConv2DNchwChwOp::create(b, init.getType(), ValueRange{input, kernel},
                                                    init, strides, dilations)
        .getResult(0);
  }
  ArrayRef<int64_t> inputShape = b.getShape(input), initShape = b.getShape(init);
  Value groupedInput = b.reshape(
      input, {inputShape[0], groups, inputShape[1] / groups, inputShape[2], inputShape[3]});
  Value groupedFilter =
      b.reshape(filter, {groups, outputs / groups, filterShape[1], filterShape[2], filterShape[3]});
  Value groupedInit =
      b.reshape(init, {initShape[0], groups, outputs / groups, initShape[2], initShape[3]});
  Value result = linalg::Conv2DNgchwGfchwOp::create(b, groupedInit.getType(),
                                                    ValueRange{groupedInput, groupedFilter},
                                                    groupedInit, strides, dilations)
                     .getResult(0);
  return b.reshape(result, initShape);
}

void npu::onnx_ir::lowerConv(Lowering &b) {
  Node &node = b.getNode();
  Window window = *getWindow(node, node.getShape(0).drop_front(2), node.getShape(1).drop_front(2));
  RankedTensorType type = b.getResultType();
  Value zero = b.scalar(type.getElementType(), 0.0);
  SmallVector<int64_t> low{0, 0}, high{0, 0};
  low.append(window.padsBegin);
  high.append(window.padsEnd);
  Value input = b.pad(b.getInput(0), low, high, zero);
  Value filter = b.getInput(1);
  SmallVector<int64_t> shape(type.getShape());
  if (window.getRank() == 1) {
    auto addUnit = [&](Value tensor) {
      SmallVector<int64_t> extents(b.getShape(tensor));
      extents.insert(extents.begin() + 2, 1);
      return b.reshape(tensor, extents);
    };
    input = addUnit(input);
    filter = addUnit(filter);
    shape.insert(shape.begin() + 2, 1);
    window.strides.insert(window.strides.begin(), 1);
    window.dilations.insert(window.dilations.begin(), 1);
  }
  window.kernel.assign(b.getShape(filter).begin() + 2, b.getShape(filter).end());
  Value init = linalg::FillOp::create(b, zero, b.empty(shape, type.getElementType())).getResult(0);
  Value result = createConv(b, input, filter, init, window, node.getInt("group", 1));
  if (Value bias = b.getInput(2)) {
    SmallVector<int64_t> extents(shape.size() - 1, 1);
    extents[0] = shape[1];
    result = b.elementwise(
        shape, type.getElementType(), {result, b.reshape(bias, extents)},
        [](Lowering &b, ValueRange x) -> Value { return arith::AddFOp::create(b, x[0], x[1]); });
  }
  b.setResult(b.reshape(result, type.getShape()));
}
