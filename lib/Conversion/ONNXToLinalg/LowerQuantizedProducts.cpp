//===- LowerQuantizedProducts.cpp - convolutions and matmuls of integers --===//
//
// The array multiplies signed bytes. Unsigned bytes are shifted by half their range. The zero point
// of a constant right side is subtracted at compile time if the differences fit in bytes. The zero
// point of the left side becomes a term added to each column: sum((a - za) * b) = sum(a * b) - za *
// sum(b). If the right side is not constant, sum(b) is computed at run time. The input of a
// convolution is padded by its zero point, so that these sums are the same for all windows.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "Quantization.h"
#include "Windows.h"

#include "NPU/Dialect/ONNX/Specs/Quantization.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
class QuantizedProduct {
public:
  QuantizedProduct(Lowering &b)
      : b(b), node(b.getNode()), inputs(getQuantizedInputs(node)),
        rank(node.getOutputType(0).getRank()) {}

  /// Sums of products in i32, without zero points.
  Value compute();
  /// The sums with scales applied, as elements of the result's type.
  Value requantize(Value sums);

private:
  /// Bytes of a constant right side without its zero points, if that is possible.
  std::optional<SmallVector<int8_t>> foldRightZeroPoint();
  /// Bytes of a constant right side as they are, from the middle of their range.
  std::optional<SmallVector<int8_t>> getRightBytes();
  /// The zero point of the left side if it is known and only one, from the middle of its range.
  std::optional<int64_t> getLeftZeroPoint();
  Value multiply(Value lhs, Value rhs, Value padding, Value bias);
  /// The sums where the right side or a zero point is not known.
  Value multiplyComputed();
  /// Sums of the bytes that make one element of the result, as it broadcasts to the result: of
  /// `lhs`, which `padding` surrounds, and of the right side.
  Value sumLeft(Value lhs, Value padding);
  Value sumRight(Value rhs);
  Value sumRight(ArrayRef<int8_t> bytes);
  Window getInputWindow() {
    return *getWindow(node, node.getShape(inputs.lhs).drop_front(2),
                      node.getShape(inputs.rhs).drop_front(2));
  }
  /// An input in i32, without its zero point, which lies along `axis`.
  Value subtractZeroPoint(int input, int zeroPoint, int64_t axis);
  /// Shape of a parameter of one side in the result.
  SmallVector<int64_t> alignToResult(int parameter, bool isRight);
  Value getBias() { return inputs.bias >= 0 ? b.getInput(inputs.bias) : Value(); }

  Lowering &b;
  Node &node;
  QuantizedInputs inputs;
  int64_t rank;
};
} // namespace

/// Whether an input that may not be there is one.
static bool isThere(Node &node, int index) { return index >= 0 && node.hasInput(index); }

SmallVector<int64_t> QuantizedProduct::alignToResult(int parameter, bool isRight) {
  if (!isThere(node, parameter))
    return {};
  // Channels of a convolution; rows and columns of a matrix.
  int64_t axis = inputs.isConvolution ? 1 : isRight ? rank - 1 : rank - 2;
  return alignParameter(node.getShape(parameter), rank, axis);
}

std::optional<SmallVector<int8_t>> QuantizedProduct::foldRightZeroPoint() {
  std::optional<SmallVector<int64_t>> elements = node.getConstantInts(inputs.rhs);
  SmallVector<int64_t> zeroPoints{0};
  if (isThere(node, inputs.rhsZeroPoint)) {
    std::optional<SmallVector<int64_t>> values = node.getConstantInts(inputs.rhsZeroPoint);
    if (!values)
      return std::nullopt;
    zeroPoints = *values;
  }
  ArrayRef<int64_t> shape = node.getShape(inputs.rhs);
  bool isList = zeroPoints.size() > 1;
  if (!elements || (isList && node.getRank(inputs.rhsZeroPoint) != 1))
    return std::nullopt;
  // Filters of a convolution, columns of a matrix.
  int64_t inner = inputs.isConvolution ? ShapedType::getNumElements(shape.drop_front()) : 1;
  SmallVector<int8_t> folded;
  for (auto [index, element] : llvm::enumerate(*elements)) {
    int64_t difference = element - zeroPoints[isList ? index / inner % zeroPoints.size() : 0];
    if (!llvm::isInt<8>(difference))
      return std::nullopt;
    folded.push_back(difference);
  }
  return folded;
}

std::optional<SmallVector<int8_t>> QuantizedProduct::getRightBytes() {
  std::optional<SmallVector<int64_t>> elements = node.getConstantInts(inputs.rhs);
  if (!elements)
    return std::nullopt;
  int64_t middle = getMiddle(node.getElementType(inputs.rhs));
  SmallVector<int8_t> bytes;
  for (int64_t element : *elements)
    bytes.push_back(element - middle);
  return bytes;
}

std::optional<int64_t> QuantizedProduct::getLeftZeroPoint() {
  int64_t middle = getMiddle(node.getElementType(inputs.lhs));
  if (!isThere(node, inputs.lhsZeroPoint))
    return -middle;
  std::optional<SmallVector<int64_t>> values = node.getConstantInts(inputs.lhsZeroPoint);
  if (!values || values->empty() || !llvm::all_equal(*values))
    return std::nullopt;
  return values->front() - middle;
}

Value QuantizedProduct::multiply(Value lhs, Value rhs, Value padding, Value bias) {
  ArrayRef<int64_t> shape = node.getOutputType(0).getShape();
  if (!inputs.isConvolution) {
    Value sums = createMatMul(b, lhs, rhs, b.getI32Type());
    return bias ? combine(b, sums, bias, add) : sums;
  }
  Window window = getInputWindow();
  return createConvolution(b, padForWindow(b, lhs, window, padding), rhs, bias, shape,
                           b.getI32Type(), window, node.getInt("group", 1));
}

Value QuantizedProduct::subtractZeroPoint(int input, int zeroPoint, int64_t axis) {
  SmallVector<Value> operands{b.getInput(input)};
  if (isThere(node, zeroPoint))
    operands.push_back(b.reshape(b.getInput(zeroPoint), alignParameter(node.getShape(zeroPoint),
                                                                       node.getRank(input), axis)));
  bool isUnsigned = b.isUnsigned(input);
  return b.elementwise(node.getShape(input), b.getI32Type(), operands,
                       [&](Lowering &b, ValueRange x) {
                         Value element = extendToI32(b, x[0], isUnsigned);
                         if (x.size() == 1)
                           return element;
                         return subtract(b, element, extendToI32(b, x[1], isUnsigned));
                       });
}

/// `elements` as signed bytes: unsigned ones are moved by half their range.
static Value toSigned(Lowering &b, unsigned index) {
  Value input = b.getInput(index);
  if (!b.isUnsigned(index))
    return input;
  return b.elementwise(b.getShape(input), b.getI8Type(), input,
                       [](Lowering &b, ValueRange x) -> Value {
                         Value half = b.scalar(b.getI8Type(), int64_t(-128));
                         return arith::XOrIOp::create(b, x[0], half);
                       });
}

namespace {
/// A zero point in the body of an element-wise op, an i32 from the middle of its range.
struct ZeroPoint {
  std::optional<int64_t> number; ///< if it is known and only one
  Value tensor = {};
  bool isUnsigned = false;
  unsigned position = 0;

  ZeroPoint(Lowering &b, int index, Type elementType, ArrayRef<int64_t> shape) {
    Node &node = b.getNode();
    if (!isThere(node, index)) {
      number = -getMiddle(elementType);
      return;
    }
    isUnsigned = b.isUnsigned(index);
    std::optional<SmallVector<int64_t>> values = node.getConstantInts(index);
    if (values && !values->empty() && llvm::all_equal(*values))
      number = values->front() - getMiddle(elementType);
    else
      tensor = b.reshape(b.getInput(index), shape);
  }

  bool isZero() const { return number == 0; }

  Value get(Lowering &b, ValueRange x) const {
    if (number)
      return b.scalar(b.getI32Type(), *number);
    Value value = extendToI32(b, x[position], isUnsigned);
    return isUnsigned ? subtract(b, value, b.scalar(b.getI32Type(), int64_t(128))) : value;
  }
};
} // namespace

static Value sumBytes(Lowering &b, Value bytes, ArrayRef<int64_t> axes) {
  return reduceKept(b, bytes, axes, b.scalar(b.getI32Type(), int64_t(0)),
                    [](Lowering &b, Value byte, Value sum) {
                      return add(b, extendToI32(b, byte, /*isUnsigned=*/false), sum);
                    });
}

Value QuantizedProduct::sumLeft(Value lhs, Value padding) {
  if (!inputs.isConvolution)
    return sumBytes(b, lhs, node.getRank(inputs.lhs) - 1);
  // One filter of ones for each group.
  int64_t groups = node.getInt("group", 1);
  SmallVector<int64_t> filter(node.getShape(inputs.rhs)), result(node.getOutputType(0).getShape());
  int64_t filters = std::exchange(filter[0], groups), channels = std::exchange(result[1], groups);
  Value ones = b.splat(filter, b.scalar(b.getI8Type(), int64_t(1)));
  Window window = getInputWindow();
  Value sums = createConvolution(b, padForWindow(b, lhs, window, padding), ones, {}, result,
                                 b.getI32Type(), window, groups);
  if (groups == 1 || groups == filters)
    return sums;
  SmallVector<int64_t> split(result);
  split.insert(split.begin() + 2, 1);
  sums = b.reshape(sums, split);
  split[2] = filters / groups;
  result[1] = channels;
  return b.reshape(b.broadcast(sums, split), result);
}

Value QuantizedProduct::sumRight(Value rhs) {
  if (!inputs.isConvolution)
    return sumBytes(b, rhs, node.getRank(inputs.rhs) - 2);
  ArrayRef<int64_t> shape = node.getShape(inputs.rhs);
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(1, shape.size()));
  SmallVector<int64_t> sums(shape.size() - 1, 1);
  sums[0] = shape[0];
  return b.reshape(sumBytes(b, rhs, axes), sums);
}

Value QuantizedProduct::sumRight(ArrayRef<int8_t> bytes) {
  ArrayRef<int64_t> shape = node.getShape(inputs.rhs);
  // Filters of a convolution; columns of matrices, which batches have in front of them.
  SmallVector<int64_t> sumShape(shape);
  int64_t inner = 1, count = 1;
  if (inputs.isConvolution) {
    sumShape.assign(shape.size() - 1, 1);
    sumShape[0] = shape[0];
    count = ShapedType::getNumElements(shape.drop_front());
  } else {
    inner = shape.back();
    count = std::exchange(sumShape[shape.size() - 2], 1);
  }
  SmallVector<int32_t> sums(ShapedType::getNumElements(sumShape), 0);
  for (auto [index, byte] : llvm::enumerate(bytes)) {
    int32_t &sum = sums[index / (count * inner) * inner + index % inner];
    sum = uint32_t(sum) + uint32_t(int32_t(byte));
  }
  auto type = RankedTensorType::get(sumShape, b.getI32Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int32_t>(sums)));
}

Value QuantizedProduct::multiplyComputed() {
  Value lhs = toSigned(b, inputs.lhs), rhs;
  ZeroPoint left(b, inputs.lhsZeroPoint, node.getElementType(inputs.lhs),
                 alignToResult(inputs.lhsZeroPoint, false));
  ZeroPoint right(b, inputs.rhsZeroPoint, node.getElementType(inputs.rhs),
                  alignToResult(inputs.rhsZeroPoint, true));
  std::optional<SmallVector<int8_t>> bytes = foldRightZeroPoint();
  if (bytes)
    right.number = 0;
  else
    bytes = getRightBytes();
  if (bytes) {
    auto type = RankedTensorType::get(node.getShape(inputs.rhs), b.getI8Type());
    rhs = arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef<int8_t>(*bytes)));
  } else {
    rhs = toSigned(b, inputs.rhs);
  }
  Value padding;
  if (inputs.isConvolution)
    padding = left.number ? b.scalar(b.getI8Type(), *left.number)
                          : b.reshape(toSigned(b, inputs.lhsZeroPoint), {});
  SmallVector<Value> operands{multiply(lhs, rhs, padding, /*bias=*/{})};
  auto addOperand = [&](Value value) {
    operands.push_back(value);
    return operands.size() - 1;
  };
  ArrayRef<int64_t> rhsShape = node.getShape(inputs.rhs);
  int64_t inner = inputs.isConvolution ? ShapedType::getNumElements(rhsShape.drop_front())
                                       : node.getShape(inputs.lhs).back();
  unsigned rows = 0, columns = 0, bias = 0;
  if (!right.isZero())
    rows = addOperand(sumLeft(lhs, padding));
  if (!left.isZero())
    columns = addOperand(bytes ? sumRight(*bytes) : sumRight(rhs));
  for (ZeroPoint *zeroPoint : {&left, &right})
    if (!zeroPoint->number)
      zeroPoint->position = addOperand(zeroPoint->tensor);
  if (Value value = getBias()) {
    SmallVector<int64_t> channels(inputs.isConvolution ? rank - 1 : 1, 1);
    channels[0] = b.getShape(value).front();
    bias = addOperand(inputs.isConvolution ? b.reshape(value, channels) : value);
  }
  if (operands.size() == 1)
    return operands.front();
  return b.elementwise(
      node.getOutputType(0).getShape(), b.getI32Type(), operands, [&](Lowering &b, ValueRange x) {
        // sum((a - za) * (b - zb)) = sum(a * b) - zb * sum(a) - za * (sum(b) - n * zb).
        Value result = x[0];
        if (rows)
          result = subtract(b, result, npu::onnx_ir::multiply(b, x[rows], right.get(b, x)));
        if (columns) {
          Value sums = x[columns];
          if (!right.isZero()) {
            Value count = b.scalar(b.getI32Type(), inner);
            sums = subtract(b, sums, npu::onnx_ir::multiply(b, right.get(b, x), count));
          }
          result = subtract(b, result, npu::onnx_ir::multiply(b, sums, left.get(b, x)));
        }
        return bias ? add(b, result, x[bias]) : result;
      });
}

Value QuantizedProduct::compute() {
  std::optional<SmallVector<int8_t>> bytes = foldRightZeroPoint();
  std::optional<int64_t> leftZeroPoint = getLeftZeroPoint();
  bool areMatrices = node.getRank(inputs.lhs) > 1 && node.getRank(inputs.rhs) > 1;
  bool hasOnePadding = !inputs.isConvolution || !isThere(node, inputs.lhsZeroPoint) ||
                       node.getInputType(inputs.lhsZeroPoint).getNumElements() == 1;
  if ((!bytes || !leftZeroPoint) && areMatrices && hasOnePadding)
    return multiplyComputed();
  if (!bytes || !leftZeroPoint) {
    int64_t rowAxis = inputs.isConvolution ? 1 : std::max<int64_t>(0, node.getRank(inputs.lhs) - 2);
    int64_t columnAxis = inputs.isConvolution ? 0 : node.getRank(inputs.rhs) - 1;
    Value lhs = subtractZeroPoint(inputs.lhs, inputs.lhsZeroPoint, rowAxis);
    Value rhs = subtractZeroPoint(inputs.rhs, inputs.rhsZeroPoint, columnAxis);
    return multiply(lhs, rhs, b.scalar(b.getI32Type(), int64_t(0)), getBias());
  }
  ArrayRef<int64_t> shape = node.getShape(inputs.rhs);
  Value rhs = arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get(shape, b.getI8Type()),
                                ArrayRef<int8_t>(*bytes)));
  Value padding = b.scalar(b.getI8Type(), *leftZeroPoint), bias = getBias();
  if (*leftZeroPoint == 0)
    return multiply(toSigned(b, inputs.lhs), rhs, padding, bias);
  // Summands: sums over filters, or over columns of matrices, and the bias where it is known.
  bool isVector = shape.size() == 1;
  int64_t inner = inputs.isConvolution || isVector ? 1 : shape.back();
  int64_t count = inputs.isConvolution ? ShapedType::getNumElements(shape.drop_front())
                  : isVector           ? shape[0]
                                       : shape[shape.size() - 2];
  SmallVector<int64_t> summandShape(inputs.isConvolution || isVector ? shape.drop_back(shape.size())
                                                                     : shape.drop_back(2));
  if (inputs.isConvolution)
    summandShape = {shape[0]};
  else if (!isVector)
    summandShape.append({1, inner});
  SmallVector<int32_t> summands(ShapedType::getNumElements(summandShape));
  for (auto [index, byte] : llvm::enumerate(*bytes)) {
    int32_t &summand = summands[index / (count * inner) * inner + index % inner];
    summand = uint32_t(summand) - uint32_t(int32_t(*leftZeroPoint * byte));
  }
  std::optional<SmallVector<int64_t>> known;
  if (bias)
    known = node.getConstantInts(inputs.bias);
  if (known)
    for (auto [index, summand] : llvm::enumerate(summands))
      summand = uint32_t(summand) + uint32_t((*known)[index % known->size()]);
  Value constant = arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get(summandShape, b.getI32Type()),
                                ArrayRef<int32_t>(summands)));
  if (bias && !known)
    constant = combine(b, constant, bias, add);
  // A vector on the left leaves no rows.
  if (!inputs.isConvolution && !isVector && node.getRank(inputs.lhs) == 1) {
    summandShape.erase(summandShape.end() - 2);
    constant = b.reshape(constant, summandShape);
  }
  return multiply(toSigned(b, inputs.lhs), rhs, padding, constant);
}

Value QuantizedProduct::requantize(Value sums) {
  auto type = cast<IntegerType>(node.getOutputType(0).getElementType());
  // In f32, as the operators' reference computes it.
  SmallVector<int64_t> lhsShape = alignToResult(inputs.lhsScale, false);
  SmallVector<int64_t> rhsShape = alignToResult(inputs.rhsScale, true);
  QuantizationParameter lhs(b, inputs.lhsScale, lhsShape, 1);
  QuantizationParameter rhs(b, inputs.rhsScale, rhsShape, 1);
  QuantizationParameter result(b, inputs.scale, {}, 1);
  QuantizationParameter zeroPoint(b, inputs.zeroPoint, {}, -double(getMiddle(type)));
  std::optional<QuantizationParameter> factor;
  std::optional<SmallVector<double>> rhsNumbers = node.getConstantFloats(inputs.rhsScale);
  if (lhs.getNumber() && rhsNumbers && result.getNumber()) {
    for (double &number : *rhsNumbers)
      number = float(*lhs.getNumber()) * float(number) / float(*result.getNumber());
    factor.emplace(b, *rhsNumbers, rhsShape);
  }
  SmallVector<Value> operands{sums};
  if (factor) {
    factor->addTo(operands);
  } else {
    lhs.addTo(operands);
    rhs.addTo(operands);
    result.addTo(operands);
  }
  zeroPoint.addTo(operands);
  return b.elementwise(
      b.getShape(sums), b.getResultType().getElementType(), operands,
      [&](Lowering &b, ValueRange x) {
        Value scale = factor ? factor->get(b, x)
                             : divide(b, npu::onnx_ir::multiply(b, lhs.get(b, x), rhs.get(b, x)),
                                      result.get(b, x));
        Value sum = arith::SIToFPOp::create(b, b.getF32Type(), x[0]);
        Value point = zeroPoint.getNumber() == 0.0 ? Value() : zeroPoint.get(b, x);
        return quantize(b, npu::onnx_ir::multiply(b, sum, scale), point, type);
      });
}

void npu::onnx_ir::lowerQuantizedProduct(Lowering &b) {
  QuantizedProduct product(b);
  b.setResult(product.requantize(product.compute()));
}

void npu::onnx_ir::lowerIntegerProduct(Lowering &b) { b.setResult(QuantizedProduct(b).compute()); }
