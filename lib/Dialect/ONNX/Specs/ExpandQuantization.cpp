//===- ExpandQuantization.cpp - operators on quantized tensors ------------===//
//
// They are what they compute between DequantizeLinear and QuantizeLinear, as far as that gives the
// bits of ONNX Runtime; where it rounds otherwise, the steps are its own (onnxruntime/core/mlas and
// contrib_ops of version 1.30).
//
//===----------------------------------------------------------------------===//

#include "OpSpecFunctions.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// Input `index` with its scale and its zero point, which may be left out, behind it.
static Value dequantize(Expansion &b, unsigned index) {
  return b.op("DequantizeLinear", {b.input(index), b.input(index + 1), b.input(index + 2)});
}

/// `value` with the scale and the zero point that are inputs from `index` on. Without a zero point
/// the elements are as those of input `like`.
static void setQuantized(Expansion &b, Value value, unsigned index, unsigned like) {
  Value zero = b.input(index + 1);
  if (!zero)
    zero = b.constant(b.getNode().getElementType(like), {}, 0);
  b.setResult(0, b.op("QuantizeLinear", {value, b.input(index), zero}));
}

/// Input `index` less the zero point two behind it, as floats, and as floats only.
static Value subtractZero(Expansion &b, unsigned index) {
  Value one = b.constant(b.getF32Type(), {}, 1);
  return b.op("DequantizeLinear", {b.input(index), one, b.input(index + 2)});
}
static Value toFloat(Expansion &b, Value value) { return b.cast(value, b.getF32Type()); }

/// Rounds `value`, to which the zero point has been added, to the nearest element of type `like`.
static void setRounded(Expansion &b, Value value, Type like) {
  auto type = cast<IntegerType>(like);
  bool isUnsigned = type.isUnsigned();
  double least = isUnsigned ? 0 : -double(int64_t(1) << (type.getWidth() - 1));
  double largest = double(int64_t(1) << (type.getWidth() - (isUnsigned ? 0 : 1))) - 1;
  Value rounded = b.op("Clip", {b.op("Round", {value}), b.constant(b.getF32Type(), {}, least),
                                b.constant(b.getF32Type(), {}, largest)});
  b.setResult(0, b.cast(rounded, type));
}

/// Tensors are of integers of at most 16 bits.
static LogicalResult checkQuantized(Node &node, ArrayRef<unsigned> indices) {
  for (unsigned index : indices) {
    auto type = dyn_cast<IntegerType>(node.getElementType(index));
    if (!type || (type.getWidth() != 8 && type.getWidth() != 16))
      return node.reject() << "expected input " << index
                           << " to be integers of 8 or 16 bits, found "
                           << node.getElementType(index);
  }
  return success();
}

/// Input `index`, a zero point that may be left out, as a float.
static Value getZero(Expansion &b, unsigned index) {
  Value zero = b.input(index);
  return zero ? toFloat(b, zero) : b.constant(b.getF32Type(), {}, 0);
}

/// A, its scale and zero point, the same of B, and a scale and zero point of the result.
LogicalResult npu::onnx_ir::expandQLinearMul(Expansion &b) {
  if (failed(checkQuantized(b.getNode(), {0, 3})))
    return failure();
  Value ratio = b.op("Div", {b.op("Mul", {b.input(1), b.input(4)}), b.input(6)});
  Value product = b.op("Mul", {subtractZero(b, 0), subtractZero(b, 3)});
  Value scaled = b.op("Add", {b.op("Mul", {product, ratio}), getZero(b, 7)});
  setRounded(b, scaled, b.getNode().getElementType(0));
  return success();
}

LogicalResult npu::onnx_ir::expandQLinearAdd(Expansion &b) {
  if (failed(checkQuantized(b.getNode(), {0, 3})))
    return failure();
  Value lhsRatio = b.op("Div", {b.input(1), b.input(6)});
  Value rhsRatio = b.op("Div", {b.input(4), b.input(6)});
  Value zeros =
      b.op("Add", {b.op("Mul", {lhsRatio, getZero(b, 2)}), b.op("Mul", {rhsRatio, getZero(b, 5)})});
  Value fixed = b.op("Sub", {getZero(b, 7), zeros});
  Value lhs = b.op("Add", {b.op("Mul", {toFloat(b, b.input(0)), lhsRatio}), fixed});
  Value sum = b.op("Add", {lhs, b.op("Mul", {toFloat(b, b.input(3)), rhsRatio})});
  setRounded(b, sum, b.getNode().getElementType(0));
  return success();
}

LogicalResult npu::onnx_ir::expandQLinearUnary(Expansion &b) {
  StringRef name = b.getNode().getOpType().drop_front(StringRef("QLinear").size());
  SmallVector<NamedAttribute> attributes = b.copied({"alpha"});
  setQuantized(b, b.op(name, {dequantize(b, 0)}, attributes), 3, 0);
  return success();
}

/// From opset 13 on, as `opset` says, a softmax is along one axis.
LogicalResult npu::onnx_ir::expandQLinearSoftmax(Expansion &b) {
  Node &node = b.getNode();
  int64_t rank = node.getRank(0), axis = node.getInt("axis", -1);
  if (node.getInt("opset", 13) < 13 && axis != -1 && axis != rank - 1)
    return node.reject() << "expected the last axis before opset 13, found " << axis;
  Value softmax = b.op("Softmax", {dequantize(b, 0)}, {b.integer("axis", axis)});
  setQuantized(b, softmax, 3, 0);
  return success();
}

LogicalResult npu::onnx_ir::expandQLinearConcat(Expansion &b) {
  Node &node = b.getNode();
  if (node.getNumInputs() % 3 != 2)
    return node.reject() << "expected a scale and a zero point of the result, and three inputs for "
                            "each part, found "
                         << node.getNumInputs() << " inputs";
  SmallVector<Value> parts;
  for (unsigned index = 2; index < node.getNumInputs(); index += 3)
    parts.push_back(dequantize(b, index));
  setQuantized(b, b.concat(parts, node.getInt("axis", 0)), 0, 2);
  return success();
}

/// Channels last are brought to the second place, and back.
static Value moveChannels(Expansion &b, Value value, int64_t rank, bool toFront) {
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (toFront)
    std::rotate(permutation.begin() + 1, permutation.end() - 1, permutation.end());
  else
    std::rotate(permutation.begin() + 1, permutation.begin() + 2, permutation.end());
  return b.transpose(value, permutation);
}

LogicalResult npu::onnx_ir::expandQLinearAveragePool(Expansion &b) {
  Node &node = b.getNode();
  if (failed(checkQuantized(node, 0)))
    return failure();
  int64_t rank = node.getRank(0);
  if (rank < 3)
    return node.reject() << "expected at least 3 dimensions, found " << node.getInputType(0);
  bool isLast = node.getInt("channels_last", 0) != 0;
  Value x = dequantize(b, 0);
  if (isLast)
    x = moveChannels(b, x, rank, /*toFront=*/true);
  Value y = b.op(
      "AveragePool", {x},
      b.copied({"auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides"}));
  if (isLast)
    y = moveChannels(b, y, rank, /*toFront=*/false);
  y = b.op("Add", {b.op("Div", {y, b.input(3)}), getZero(b, 4)});
  setRounded(b, y, node.getElementType(0));
  return success();
}

LogicalResult npu::onnx_ir::expandQLinearGlobalAveragePool(Expansion &b) {
  Node &node = b.getNode();
  if (failed(checkQuantized(node, 0)))
    return failure();
  int64_t rank = node.getRank(0);
  if (rank < 3)
    return node.reject() << "expected at least 3 dimensions, found " << node.getInputType(0);
  bool isLast = node.getInt("channels_last", 0) != 0;
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(isLast ? 1 : 2, isLast ? rank - 1 : rank));
  double count = 1;
  for (int64_t axis : axes)
    count *= node.getShape(0)[axis];
  // In integers, as ONNX Runtime's kernel.
  Type i32 = IntegerType::get(b.getContext(), 32);
  Value x = b.cast(b.input(0), i32);
  if (Value zero = b.input(2))
    x = b.op("Sub", {x, b.cast(zero, i32)});
  Value sum = toFloat(b, b.op("ReduceSum", {x, b.ints(axes)}));
  Value ratio =
      b.op("Div", {b.input(1), b.op("Mul", {b.input(3), b.constant(b.getF32Type(), {}, count)})});
  Value one = b.constant(b.getF32Type(), {}, 1);
  b.setResult(0, b.op("QuantizeLinear", {b.op("Mul", {sum, ratio}), one, b.input(4)}));
  return success();
}

LogicalResult npu::onnx_ir::expandNhwcMaxPool(Expansion &b) {
  Node &node = b.getNode();
  int64_t rank = node.getRank(0);
  if (rank < 3)
    return node.reject() << "expected at least 3 dimensions, found " << node.getInputType(0);
  Value x = moveChannels(b, b.input(0), rank, /*toFront=*/true);
  SmallVector<NamedAttribute> attributes =
      b.copied({"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides"});
  b.setResult(0, moveChannels(b, b.op("MaxPool", {x}, attributes), rank, /*toFront=*/false));
  return success();
}

LogicalResult npu::onnx_ir::expandDequantizeLinear(Expansion &b) {
  b.setResult(0,
              b.op("DequantizeLinear", {b.input(0), b.input(1), b.input(2)}, b.copied({"axis"})));
  return success();
}

LogicalResult npu::onnx_ir::expandQuantizeLinear(Expansion &b) {
  b.setResult(0, b.op("QuantizeLinear", {b.input(0), b.input(1), b.input(2)}, b.copied({"axis"})));
  return success();
}
