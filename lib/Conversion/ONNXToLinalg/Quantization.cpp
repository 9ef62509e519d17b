//===- Quantization.cpp - scales and zero points --------------------------===//

#include "Quantization.h"

#include "Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

int64_t npu::onnx_ir::getMiddle(Type type) {
  return type.isUnsignedInteger() ? int64_t(1) << (type.getIntOrFloatBitWidth() - 1) : 0;
}

QuantizationParameter::QuantizationParameter(Lowering &b, ArrayRef<double> numbers,
                                             ArrayRef<int64_t> shape) {
  if (!numbers.empty() && llvm::all_equal(numbers)) {
    number = numbers.front();
    return;
  }
  SmallVector<float> elements(numbers.begin(), numbers.end());
  auto type = RankedTensorType::get(shape, b.getF32Type());
  tensor = arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<float>(elements)));
}

QuantizationParameter::QuantizationParameter(Lowering &b, unsigned index, ArrayRef<int64_t> shape,
                                             double missing) {
  Node &node = b.getNode();
  if (!node.hasInput(index)) {
    number = missing;
    return;
  }
  isUnsigned = b.isUnsigned(index);
  std::optional<SmallVector<double>> numbers = node.getConstantFloats(index);
  if (std::optional<SmallVector<int64_t>> integers = node.getConstantInts(index))
    numbers = llvm::map_to_vector(*integers, [&](int64_t value) {
      return double(value - getMiddle(node.getElementType(index)));
    });
  if (numbers)
    *this = QuantizationParameter(b, *numbers, shape);
  else
    tensor = b.reshape(b.getInput(index), shape);
}

void QuantizationParameter::addTo(SmallVectorImpl<Value> &operands) {
  position = operands.size();
  if (!number)
    operands.push_back(tensor);
}

Value QuantizationParameter::get(Lowering &b, ValueRange elements) const {
  if (number)
    return b.scalar(b.getF32Type(), *number);
  Value element = elements[position];
  if (isa<FloatType>(element.getType()))
    return castFloat(b, element, b.getF32Type());
  int64_t middle = isUnsigned ? int64_t(1) << (element.getType().getIntOrFloatBitWidth() - 1) : 0;
  Value integer = extendToI32(b, element, isUnsigned);
  if (middle != 0)
    integer = subtract(b, integer, b.scalar(integer.getType(), middle));
  return arith::SIToFPOp::create(b, b.getF32Type(), integer);
}

SmallVector<int64_t> npu::onnx_ir::alignParameter(ArrayRef<int64_t> shape, int64_t rank,
                                                  int64_t axis) {
  if (ShapedType::getNumElements(shape) == 1)
    return {};
  SmallVector<int64_t> aligned(shape);
  if (shape.size() == 1)
    aligned.append(rank - 1 - axis, 1);
  return aligned;
}

Value npu::onnx_ir::quantize(Lowering &b, Value scaled, Value zeroPoint, IntegerType type) {
  unsigned width = type.getWidth();
  Type floatType = scaled.getType(), storage = b.getIntegerType(width);
  Value result = math::RoundEvenOp::create(b, scaled);
  if (zeroPoint)
    result = add(b, result, zeroPoint);
  // Unsigned numbers are in the signed type, from the middle of their range, until the end.
  result = arith::MaximumFOp::create(b, result, b.scalar(floatType, llvm::minIntN(width)));
  result = arith::MinimumFOp::create(b, result, b.scalar(floatType, llvm::maxIntN(width)));
  result = arith::FPToSIOp::create(b, storage, result);
  if (type.isUnsigned())
    result = arith::XOrIOp::create(b, result, b.scalar(storage, getMiddle(type)));
  return result;
}

Value npu::onnx_ir::extendToI32(Lowering &b, Value element, bool isUnsigned) {
  if (element.getType() == b.getI32Type())
    return element;
  if (isUnsigned)
    return arith::ExtUIOp::create(b, b.getI32Type(), element);
  return arith::ExtSIOp::create(b, b.getI32Type(), element);
}
