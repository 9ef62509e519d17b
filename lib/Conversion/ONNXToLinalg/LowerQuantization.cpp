//===- LowerQuantization.cpp - from floats to integers and back -----------===//

#include "Arithmetic.h"
#include "Quantization.h"

#include "NPU/Dialect/ONNX/Specs/Quantization.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// How the elements, and the scales and zero points, of a QuantizeLinear or DequantizeLinear are
/// seen, so that these broadcast.
struct Shapes {
  SmallVector<int64_t> elements, parameters;
};
} // namespace

static Shapes getShapes(Node &node) {
  ArrayRef<int64_t> shape = node.getShape(1);
  int64_t rank = node.getRank(0);
  if (int64_t size = node.getInt("block_size", 0)) {
    // A dimension of blocks, and one of the elements in each.
    int64_t axis = *node.normalizeAxis(node.getInt("axis", 1), rank);
    Shapes shapes{SmallVector<int64_t>(node.getShape(0)), SmallVector<int64_t>(shape)};
    shapes.elements[axis] = size;
    shapes.elements.insert(shapes.elements.begin() + axis, shape[axis]);
    shapes.parameters.insert(shapes.parameters.begin() + axis + 1, 1);
    return shapes;
  }
  int64_t axis = ShapedType::getNumElements(shape) == 1
                     ? 0
                     : *node.normalizeAxis(node.getInt("axis", 1), rank);
  return {SmallVector<int64_t>(node.getShape(0)), alignParameter(shape, rank, axis)};
}

void npu::onnx_ir::lowerQuantizeLinear(Lowering &b) {
  Node &node = b.getNode();
  auto type = cast<IntegerType>(node.getOutputType(0).getElementType());
  auto [shape, parameters] = getShapes(node);
  QuantizationParameter scale(b, 1, parameters, 1),
      zeroPoint(b, 2, parameters, -double(getMiddle(type)));
  SmallVector<Value> operands{b.reshape(b.getInput(0), shape)};
  scale.addTo(operands);
  zeroPoint.addTo(operands);
  Value result = b.elementwise(
      shape, b.getResultType().getElementType(), operands, [&](Lowering &b, ValueRange x) {
        Value element = isa<FloatType>(x[0].getType())
                            ? castFloat(b, x[0], b.getF32Type())
                            : arith::SIToFPOp::create(b, b.getF32Type(), x[0]).getResult();
        Value point = zeroPoint.getNumber() == 0.0 ? Value() : zeroPoint.get(b, x);
        return quantize(b, divide(b, element, scale.get(b, x)), point, type);
      });
  b.setResult(b.reshape(result, node.getShape(0)));
}

void npu::onnx_ir::lowerDequantizeLinear(Lowering &b) {
  Node &node = b.getNode();
  Type type = b.getResultType().getElementType();
  auto [shape, parameters] = getShapes(node);
  QuantizationParameter scale(b, 1, parameters, 1);
  SmallVector<Value> operands{b.reshape(b.getInput(0), shape)};
  scale.addTo(operands);
  // A zero point that is 0 is often left in.
  std::optional<SmallVector<int64_t>> zeroPoints = node.getConstantInts(2);
  bool hasZeroPoint =
      node.hasInput(2) &&
      !(zeroPoints && llvm::all_of(*zeroPoints, [](int64_t value) { return value == 0; }));
  if (hasZeroPoint)
    operands.push_back(b.reshape(b.getInput(2), parameters));
  Value result = b.elementwise(shape, type, operands, [&](Lowering &b, ValueRange x) {
    Value element = extendToI32(b, x[0], b.isUnsigned(0));
    if (hasZeroPoint)
      element = subtract(b, element, extendToI32(b, x.back(), b.isUnsigned(0)));
    Value number = arith::SIToFPOp::create(b, b.getF32Type(), element);
    return castFloat(b, multiply(b, number, scale.get(b, x)), type);
  });
  b.setResult(b.reshape(result, node.getShape(0)));
}

/// The largest element, or the smallest, together with 0, as a scalar.
static Value findExtreme(Lowering &b, Value flat, bool isMaximum) {
  Value zero = b.scalar(b.getElementType(flat), 0.0);
  return b.reduce(flat, 0, zero, [&](Lowering &b, Value x, Value y) -> Value {
    if (isMaximum)
      return arith::MaximumFOp::create(b, x, y);
    return arith::MinimumFOp::create(b, x, y);
  });
}

void npu::onnx_ir::lowerDynamicQuantizeLinear(Lowering &b) {
  Node &node = b.getNode();
  Type floatType = b.getF32Type(), byte = b.getI8Type();
  auto type = cast<IntegerType>(node.getOutputType(0).getElementType());
  Value flat = b.reshape(b.getInput(0), node.getInputType(0).getNumElements());
  Value largest = findExtreme(b, flat, true), smallest = findExtreme(b, flat, false);
  Value scale =
      b.elementwise({}, floatType, {largest, smallest}, [&](Lowering &b, ValueRange x) -> Value {
        Value scale = divide(b, subtract(b, x[0], x[1]), b.scalar(floatType, 255.0));
        // Zeros only: any scale will do.
        Value isZero =
            arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, scale, b.scalar(floatType, 0.0));
        return arith::SelectOp::create(b, isZero, b.scalar(floatType, 1.0), scale);
      });
  Value middle = b.scalar(floatType, double(getMiddle(type)));
  Value zeroPoint =
      b.elementwise({}, byte, {smallest, scale}, [&](Lowering &b, ValueRange x) -> Value {
        Value shifted = divide(b, subtract(b, b.scalar(floatType, 0.0), x[0]), x[1]);
        return quantize(b, shifted, b.scalar(floatType, -double(getMiddle(type))), type);
      });
  b.setResult(0, b.elementwise(node.getShape(0), byte, {b.getInput(0), scale, zeroPoint},
                               [&](Lowering &b, ValueRange x) {
                                 Value point = arith::SIToFPOp::create(b, floatType,
                                                                       extendToI32(b, x[2], true));
                                 return quantize(b, divide(b, x[0], x[1]),
                                                 subtract(b, point, middle), type);
                               }));
  b.setResult(1, scale);
  b.setResult(2, zeroPoint);
}
