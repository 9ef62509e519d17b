//===- LowerElementwise.cpp - element-wise operators ----------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace npu::onnx_ir;

void npu::onnx_ir::lowerIdentity(Lowering &b) { b.setResult(b.getInput(0)); }

/// For what is folded whatever its inputs are.
void npu::onnx_ir::lowerNothing(Lowering &) {}

/// Applies `body` to the elements of all inputs, which broadcast to the result's shape. Before
/// opset 7, the second input is aligned at the attribute `axis`.
static void lowerBroadcast(Lowering &b, Lowering::Body body) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < b.getNode().getNumInputs(); ++i)
    operands.push_back(b.getInput(i));
  RankedTensorType type = b.getResultType();
  if (b.getNode().hasAttribute("axis")) {
    int64_t axis = b.getNode().getInt("axis", 0);
    axis = axis < 0 ? axis + type.getRank() : axis;
    SmallVector<int64_t> shape(b.getShape(operands[1]));
    shape.append(type.getRank() - axis - shape.size(), 1);
    operands[1] = b.reshape(operands[1], shape);
  }
  b.setResult(b.elementwise(type.getShape(), type.getElementType(), operands, body));
}

void npu::onnx_ir::lowerAdd(Lowering &b) {
  lowerBroadcast(b, [](Lowering &b, ValueRange x) -> Value {
    if (isa<FloatType>(x[0].getType()))
      return arith::AddFOp::create(b, x[0], x[1]);
    return arith::AddIOp::create(b, x[0], x[1]);
  });
}

void npu::onnx_ir::lowerRelu(Lowering &b) {
  lowerBroadcast(b, [](Lowering &b, ValueRange x) -> Value {
    Value zero = b.scalar(x[0].getType(), int64_t(0));
    if (isa<FloatType>(x[0].getType()))
      return arith::MaximumFOp::create(b, x[0], zero);
    return arith::MaxSIOp::create(b, x[0], zero);
  });
}
