//===- InferQuantization.cpp - types of operators on quantized tensors ----===//

#include "OpSpecFunctions.h"

#include "NPU/Dialect/ONNX/Specs/Convolution.h"
#include "NPU/Dialect/ONNX/Specs/MatMul.h"
#include "NPU/Dialect/ONNX/Specs/Quantization.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace npu::onnx_ir;

static bool isInteger(Type type, unsigned maxWidth) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() >= 8 && integer.getWidth() <= maxWidth;
}

//===----------------------------------------------------------------------===//
// QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear
//===----------------------------------------------------------------------===//

/// Scales for blocks of `size` elements along an axis, which they divide.
static LogicalResult checkBlocks(Node &node, int64_t size) {
  FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 1), node.getRank(0));
  if (failed(axis))
    return failure();
  SmallVector<int64_t> expected(node.getShape(0));
  int64_t &extent = expected[*axis];
  if (size < 0 || extent % size != 0)
    return node.reject() << "expected blocks that divide the " << extent << " elements along axis "
                         << *axis << ", found block_size " << size;
  extent /= size;
  if (node.getShape(1) != ArrayRef(expected))
    return node.reject() << "expected a scale for each block of " << size << " elements along axis "
                         << *axis << ", found " << node.getInputType(1) << " for "
                         << node.getInputType(0);
  return success();
}

/// Scale and zero point are single numbers, or one for each place or block along an axis.
static LogicalResult checkGranularity(Node &node) {
  if (!isa<FloatType>(node.getElementType(1)) ||
      node.getElementType(1).getIntOrFloatBitWidth() > 32)
    return node.reject() << "expected scales that are f32, f16 or bf16, found "
                         << node.getElementType(1);
  ArrayRef<int64_t> shape = node.getShape(1);
  if (int64_t size = node.getInt("block_size", 0)) {
    if (failed(checkBlocks(node, size)))
      return failure();
  } else if (ShapedType::getNumElements(shape) != 1) {
    FailureOr<int64_t> axis = node.normalizeAxis(node.getInt("axis", 1), node.getRank(0));
    if (failed(axis))
      return failure();
    if (shape != ArrayRef(node.getShape(0)[*axis]))
      return node.reject() << "expected one scale or " << node.getShape(0)[*axis]
                           << ", one for each place along axis " << *axis << ", found "
                           << node.getInputType(1);
  }
  if (node.hasInput(2) &&
      node.getInputType(2).getNumElements() != ShapedType::getNumElements(shape))
    return node.reject() << "expected as many zero points as scales, found " << node.getInputType(2)
                         << " and " << node.getInputType(1);
  return success();
}

/// The type that QuantizeLinear's zero point or attribute asks for; null if it is none of the
/// integers that are implemented.
static Type getQuantizedType(Node &node) {
  MLIRContext *context = node.getOp().getContext();
  auto get = [&](unsigned width, bool isUnsigned) {
    return IntegerType::get(context, width,
                            isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  if (node.hasInput(2))
    return isInteger(node.getElementType(2), 16) ? node.getElementType(2) : Type();
  // The numbers of TensorProto.DataType.
  switch (node.getInt("output_dtype", 0)) {
  case 0:
  case 2:
    return get(8, true);
  case 3:
    return get(8, false);
  case 4:
    return get(16, true);
  case 5:
    return get(16, false);
  default:
    return {};
  }
}

LogicalResult npu::onnx_ir::inferQuantizeLinear(Node &node) {
  Type input = node.getElementType(0);
  if (!input.isSignlessInteger(32) &&
      !(isa<FloatType>(input) && input.getIntOrFloatBitWidth() <= 32))
    return node.reject() << "expected elements that are f32, f16, bf16 or i32, found " << input;
  Type type = getQuantizedType(node);
  if (!type) {
    InFlightDiagnostic error = node.reject();
    error << "expected a result of i8, ui8, i16 or ui16, found ";
    if (node.hasInput(2))
      return error << "zero points " << node.getInputType(2);
    return error << "output_dtype " << node.getInt("output_dtype", 0);
  }
  if (failed(checkGranularity(node)))
    return failure();
  return node.setOutput(0, node.getShape(0), type);
}

LogicalResult npu::onnx_ir::inferDequantizeLinear(Node &node) {
  Type type = node.getElementType(0);
  if (!isInteger(type, 16) && !type.isSignlessInteger(32))
    return node.reject() << "expected elements that are i8, ui8, i16, ui16 or i32, found " << type;
  if (node.hasInput(2) && node.getElementType(2) != type)
    return node.reject() << "expected zero points of type " << type << ", found "
                         << node.getInputType(2);
  if (failed(checkGranularity(node)))
    return failure();
  // The numbers of TensorProto.DataType.
  MLIRContext *context = node.getOp().getContext();
  Type result;
  switch (int64_t number = node.getInt("output_dtype", 0)) {
  case 0:
    result = node.getElementType(1);
    break;
  case 1:
    result = Float32Type::get(context);
    break;
  case 10:
    result = Float16Type::get(context);
    break;
  case 16:
    result = BFloat16Type::get(context);
    break;
  default:
    return node.reject() << "expected output_dtype 1 (f32), 10 (f16) or 16 (bf16), found "
                         << number;
  }
  return node.setOutput(0, node.getShape(0), result);
}

LogicalResult npu::onnx_ir::inferDynamicQuantizeLinear(Node &node) {
  if (!node.getElementType(0).isF32())
    return node.reject() << "expected elements of f32, found " << node.getElementType(0);
  Type byte = IntegerType::get(node.getOp().getContext(), 8, IntegerType::Unsigned);
  if (failed(node.setOutput(1, {}, node.getElementType(0))) || failed(node.setOutput(2, {}, byte)))
    return failure();
  return node.setOutput(0, node.getShape(0), byte);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

QuantizedInputs npu::onnx_ir::getQuantizedInputs(const Node &node) {
  if (node.getOpType() == "QLinearConv")
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, true};
  if (node.getOpType() == "QLinearMatMul")
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, false}; // the bias is from npu-onnx-fold-qdq
  return {0, -1, 2, 1, -1, 3, -1, -1, -1, node.getOpType() == "ConvInteger"};
}

/// Zero points have their tensor's type.
static LogicalResult checkZeroPoint(Node &node, int index, Type type) {
  if (index >= 0 && node.hasInput(index) && node.getElementType(index) != type)
    return node.reject() << "expected zero points of type " << type << ", found "
                         << node.getInputType(index);
  return success();
}

/// A scale or zero point has one element, or broadcasts to the result: those of the left side one
/// for each row, those of the right one for each column or channel.
static LogicalResult checkParameter(Node &node, int index, bool isRight, bool isConvolution,
                                    ArrayRef<int64_t> result) {
  if (index < 0 || !node.hasInput(index) || node.getInputType(index).getNumElements() == 1)
    return success();
  SmallVector<int64_t> shape(node.getShape(index));
  int64_t rank = result.size();
  bool fits;
  if (isConvolution) {
    fits = isRight && shape == result.slice(1, 1);
  } else {
    int64_t axis = isRight ? rank - 1 : rank - 2;
    QuantizedInputs inputs = getQuantizedInputs(node);
    bool areMatrices = node.getRank(inputs.lhs) > 1 && node.getRank(inputs.rhs) > 1;
    // Of tensors with more dimensions, all but the row or the column may have a number each.
    bool isAligned = shape.size() == 1 ||
                     (int64_t(shape.size()) == rank && shape[isRight ? rank - 2 : rank - 1] == 1);
    if (shape.size() == 1)
      shape.append(std::max<int64_t>(0, rank - 1 - axis), 1);
    fits =
        areMatrices && isAligned && broadcastShapes(result, shape) == SmallVector<int64_t>(result);
    // The same numbers belong to the side's own elements.
    ArrayRef<int64_t> own = node.getShape(isRight ? inputs.rhs : inputs.lhs);
    std::optional<SmallVector<int64_t>> ownShape = broadcastShapes(own, shape);
    fits = fits && ownShape == SmallVector<int64_t>(own);
  }
  if (!fits)
    return node.reject() << "expected input " << index
                         << " to be one number, or one for each row of the left side or column or "
                            "channel of the right, found "
                         << node.getInputType(index);
  return success();
}

/// The shape of the result; checks all inputs but the bias.
static FailureOr<SmallVector<int64_t>> inferProduct(Node &node) {
  QuantizedInputs inputs = getQuantizedInputs(node);
  for (int index : {inputs.lhs, inputs.rhs}) {
    if (!isInteger(node.getElementType(index), 8))
      return node.reject() << "expected input " << index << " to be i8 or ui8, found "
                           << node.getInputType(index);
    int zeroPoint = index == inputs.lhs ? inputs.lhsZeroPoint : inputs.rhsZeroPoint;
    if (failed(checkZeroPoint(node, zeroPoint, node.getElementType(index))))
      return failure();
  }
  FailureOr<SmallVector<int64_t>> shape = inputs.isConvolution
                                              ? getConvolutionShape(node, inputs.lhs, inputs.rhs)
                                              : getMatMulShape(node, inputs.lhs, inputs.rhs);
  if (failed(shape))
    return failure();
  auto check = [&](int index, bool isRight) {
    return checkParameter(node, index, isRight, inputs.isConvolution, *shape);
  };
  if (failed(check(inputs.lhsScale, false)) || failed(check(inputs.lhsZeroPoint, false)) ||
      failed(check(inputs.rhsScale, true)) || failed(check(inputs.rhsZeroPoint, true)))
    return failure();
  return shape;
}

LogicalResult npu::onnx_ir::inferQuantizedProduct(Node &node) {
  FailureOr<SmallVector<int64_t>> shape = inferProduct(node);
  if (failed(shape))
    return failure();
  QuantizedInputs inputs = getQuantizedInputs(node);
  for (int index : {inputs.lhsScale, inputs.rhsScale, inputs.scale})
    if (!isa<FloatType>(node.getElementType(index)) ||
        node.getElementType(index).getIntOrFloatBitWidth() > 32)
      return node.reject() << "expected scales that are f32, f16 or bf16, found "
                           << node.getElementType(index);
  for (int index : {inputs.scale, inputs.zeroPoint})
    if (node.getInputType(index).getNumElements() != 1)
      return node.reject() << "expected one scale and zero point of the result, found "
                           << node.getInputType(index);
  Type type = node.getElementType(inputs.zeroPoint);
  if (!isInteger(type, 8))
    return node.reject() << "expected a result of i8 or ui8, found zero points of type " << type;
  // For each channel of a convolution or column of a matrix.
  int64_t channels = shape->empty() ? 1 : inputs.isConvolution ? (*shape)[1] : shape->back();
  if (node.hasInput(inputs.bias) &&
      (node.getShape(inputs.bias) != ArrayRef(channels) || node.getRank(inputs.rhs) < 2 ||
       !node.getElementType(inputs.bias).isSignlessInteger(32)))
    return node.reject() << "expected a bias of " << channels << " i32, found "
                         << node.getInputType(inputs.bias);
  return node.setOutput(0, *shape, type);
}

LogicalResult npu::onnx_ir::inferIntegerProduct(Node &node) {
  FailureOr<SmallVector<int64_t>> shape = inferProduct(node);
  if (failed(shape))
    return failure();
  return node.setOutput(0, *shape, IntegerType::get(node.getOp().getContext(), 32));
}
