//===- FoldQDQ.cpp - products between DequantizeLinear and QuantizeLinear -===//

#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace npu::onnx_ir {
#define GEN_PASS_DEF_ONNXFOLDQDQ
#include "NPU/Dialect/ONNX/Transforms/Passes.h.inc"
} // namespace npu::onnx_ir

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// A tensor of bytes with its constant scales and zero points.
struct QuantizedTensor {
  Value elements, scale, zeroPoint;
  SmallVector<double> scales;
  /// The axis along which there are several scales; -1 for one scale.
  int64_t axis = -1;
};
} // namespace

/// The node of type `name` that computes `value`, or null.
static NodeOp getNode(Value value, StringRef name) {
  auto op = value.getDefiningOp<NodeOp>();
  return op && op.getOpType() == name && lookupOpSpec(op) ? op : NodeOp();
}

static bool isByte(Type type) { return type.isSignlessInteger(8) || type.isUnsignedInteger(8); }

/// Input 2 of a DequantizeLinear or QuantizeLinear, or zeros for it; null if it is not constant.
static Value getZeroPoint(OpBuilder &builder, Node &node, Type type) {
  if (node.hasInput(2))
    return node.getConstant(2) ? node.getInput(2) : Value();
  RankedTensorType zeroType = node.getInputType(1).clone(type);
  return ConstantOp::create(
      builder, node.getOp().getLoc(),
      cast<ElementsAttr>(DenseElementsAttr::get(zeroType, builder.getIntegerAttr(type, 0))));
}

/// What a DequantizeLinear makes `value` of, if its scales and zero points are constants.
static std::optional<QuantizedTensor> getQuantized(OpBuilder &builder, Value value) {
  NodeOp op = getNode(value, "DequantizeLinear");
  if (!op)
    return std::nullopt;
  Node node(op, getOpset(op));
  std::optional<SmallVector<double>> scales = node.getConstantFloats(1);
  Type type = node.getElementType(0);
  if (!scales || scales->empty() || !isByte(type) || !node.getElementType(1).isF32() ||
      node.getInt("block_size", 0) != 0)
    return std::nullopt;
  QuantizedTensor tensor{node.getInput(0), node.getInput(1), getZeroPoint(builder, node, type),
                         *scales};
  if (!tensor.zeroPoint)
    return std::nullopt;
  if (scales->size() > 1)
    tensor.axis = *node.normalizeAxis(node.getInt("axis", 1), node.getRank(0));
  return tensor;
}

/// The numbers of a bias: a constant, or what a DequantizeLinear makes of one.
static std::optional<SmallVector<double>> getBias(Value value) {
  auto readFloatConstant = [](Value value) -> std::optional<SmallVector<double>> {
    auto constant = value.getDefiningOp<ConstantOp>();
    return constant ? readFloats(constant.getValue()) : std::nullopt;
  };
  NodeOp op = getNode(value, "DequantizeLinear");
  if (!op)
    return readFloatConstant(value);
  Node node(op, getOpset(op));
  std::optional<SmallVector<int64_t>> elements = node.getConstantInts(0);
  std::optional<SmallVector<double>> scales = node.getConstantFloats(1);
  std::optional<SmallVector<int64_t>> zeroPoints = node.getConstantInts(2);
  if (!elements || !scales || scales->empty() || (node.hasInput(2) && !zeroPoints) ||
      (zeroPoints && zeroPoints->empty()))
    return std::nullopt;
  SmallVector<double> bias;
  for (auto [index, element] : llvm::enumerate(*elements)) {
    int64_t zeroPoint = zeroPoints ? (*zeroPoints)[index % zeroPoints->size()] : 0;
    bias.push_back(double(element - zeroPoint) * (*scales)[index % scales->size()]);
  }
  return bias;
}

/// The bias with one i32 for each of `channels`, in units of both scales; null if one is too large.
static Value quantizeBias(OpBuilder &builder, Location loc, ArrayRef<double> bias,
                          const QuantizedTensor &lhs, const QuantizedTensor &rhs) {
  SmallVector<int32_t> elements;
  for (auto [index, number] : llvm::enumerate(bias)) {
    // The product in f32 is what the sums are multiplied by.
    double unit = float(lhs.scales[0]) * float(rhs.scales[index % rhs.scales.size()]);
    double quotient = std::nearbyint(number / unit);
    if (!(std::abs(quotient) <= INT32_MAX))
      return {};
    elements.push_back(quotient);
  }
  auto type = RankedTensorType::get(int64_t(bias.size()), builder.getI32Type());
  return ConstantOp::create(
      builder, loc, cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef<int32_t>(elements))));
}

/// The other way round for a constant matrix; null for what is computed.
static Value transposeConstant(OpBuilder &builder, Value matrix) {
  auto constant = matrix.getDefiningOp<ConstantOp>();
  if (!constant)
    return {};
  ArrayRef<int64_t> shape = constant.getType().getShape();
  TypedAttr transposed =
      gatherConstant(constant.getValue(), {shape[1], shape[0]}, {1, shape[1]}, 0);
  if (!transposed)
    return {};
  return ConstantOp::create(builder, constant.getLoc(), cast<ElementsAttr>(transposed));
}

/// Whether several scales of the right side lie along its columns or filters.
static bool hasScalesAlong(const QuantizedTensor &tensor, int64_t axis) {
  return tensor.axis < 0 || tensor.axis == axis;
}

namespace {
/// What a Conv, MatMul or Gemm becomes.
struct Product {
  StringRef name;
  QuantizedTensor lhs, rhs;
  Value bias;      ///< as i32, or null
  Value floatBias; ///< as the node has it
};
} // namespace

/// The MatMul to whose rows `op` adds a bias, and the bias; null if it does something else.
static std::pair<NodeOp, Value> matchBiasedMatMul(NodeOp op) {
  if (!getNode(op.getResult(0), "Add"))
    return {};
  for (unsigned index : {0, 1}) {
    NodeOp matmul = getNode(op.getInputs()[index], "MatMul");
    auto bias = dyn_cast<RankedTensorType>(op.getInputs()[1 - index].getType());
    if (matmul && matmul->hasOneUse() && bias && bias.getRank() == 1 &&
        matmul.getResult(0).getType() == op.getResult(0).getType())
      return {matmul, op.getInputs()[1 - index]};
  }
  return {};
}

/// The quantized form of `op` if it is a product of dequantized tensors.
static std::optional<Product> matchProduct(OpBuilder &builder, NodeOp op) {
  if (auto [matmul, bias] = matchBiasedMatMul(op); matmul) {
    std::optional<Product> product = matchProduct(builder, matmul);
    std::optional<SmallVector<double>> numbers = getBias(bias);
    int64_t columns = cast<RankedTensorType>(op.getResult(0).getType()).getShape().back();
    if (!product || !numbers || int64_t(numbers->size()) != columns)
      return std::nullopt;
    product->bias = quantizeBias(builder, op.getLoc(), *numbers, product->lhs, product->rhs);
    product->floatBias = bias;
    return product->bias ? product : std::nullopt;
  }
  bool isConv = op.getOpType() == "Conv", isGemm = op.getOpType() == "Gemm";
  if ((!isConv && !isGemm && op.getOpType() != "MatMul") || !lookupOpSpec(op))
    return std::nullopt;
  Node node(op, getOpset(op));
  std::optional<QuantizedTensor> lhs = getQuantized(builder, node.getInput(0));
  std::optional<QuantizedTensor> rhs = getQuantized(builder, node.getInput(1));
  if (!lhs || !rhs || lhs->axis >= 0)
    return std::nullopt;
  int64_t columns = isConv ? 0 : node.getRank(1) - 1;
  if (isGemm) {
    if (node.getFloat("alpha", 1) != 1 || node.getFloat("beta", 1) != 1 ||
        node.getInt("transA", 0) != 0)
      return std::nullopt;
    if (node.getInt("transB", 0) != 0) {
      columns = 0;
      if (hasScalesAlong(*rhs, columns))
        rhs->elements = transposeConstant(builder, rhs->elements);
    }
  }
  bool isVector = node.getRank(0) < 2 || node.getRank(1) < 2;
  bool isSupported = rhs->axis < 0 || (isConv || (!isVector && node.getRank(1) == 2));
  if (!hasScalesAlong(*rhs, columns) || !rhs->elements || !isSupported)
    return std::nullopt;
  Product product{isConv ? "QLinearConv" : "QLinearMatMul", *lhs, *rhs, {}, {}};
  if (node.hasInput(2)) {
    product.floatBias = node.getInput(2);
    int64_t channels = node.getOutputType(0).getShape()[1];
    std::optional<SmallVector<double>> bias = getBias(node.getInput(2));
    if (!bias || int64_t(bias->size()) != channels || node.getShape(2).back() != channels)
      return std::nullopt;
    product.bias = quantizeBias(builder, op.getLoc(), *bias, *lhs, *rhs);
    if (!product.bias)
      return std::nullopt;
  }
  return product;
}

/// A node of the newest operator set whose types are known.
static Value createNode(OpBuilder &builder, Location loc, StringRef name, RankedTensorType type,
                        ArrayRef<Value> inputs, DictionaryAttr attributes = {}) {
  auto op = NodeOp::create(builder, loc, type, builder.getStringAttr(name), StringAttr(), inputs,
                           attributes);
  op.setOpset(newestOpset);
  return op.getResult(0);
}

//===----------------------------------------------------------------------===//
// Quantizations of products
//===----------------------------------------------------------------------===//

/// The element that `quantize` makes of `number`, computed in f32 as the node does.
static int64_t quantizeNumber(Node &quantize, double number) {
  auto type = cast<IntegerType>(quantize.getOutputType(0).getElementType());
  float scale = quantize.getConstantFloats(1)->front();
  int64_t zeroPoint = quantize.hasInput(2) ? quantize.getConstantInts(2)->front() : 0;
  double rounded = std::nearbyint(float(number) / scale) + double(zeroPoint);
  return type.isUnsigned() ? int64_t(std::clamp(rounded, 0.0, 255.0))
                           : int64_t(std::clamp(rounded, -128.0, 127.0));
}

/// The limits of a Relu or of a Clip by constants; nothing for other nodes.
static std::optional<std::pair<double, double>> getLimits(NodeOp op) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Node node(op, getOpset(op));
  if (getNode(op.getResult(0), "Relu"))
    return std::pair(0.0, infinity);
  if (!getNode(op.getResult(0), "Clip"))
    return std::nullopt;
  std::pair<double, double> limits{node.getFloat("min", -infinity), node.getFloat("max", infinity)};
  for (auto [index, limit] : {std::pair(1u, &limits.first), {2u, &limits.second}}) {
    if (!node.hasInput(index))
      continue;
    std::optional<SmallVector<double>> value = node.getConstantFloats(index);
    if (!value || value->size() != 1)
      return std::nullopt;
    *limit = value->front();
  }
  return limits;
}

/// Whether what `op` does to numbers and to what they are quantized to is the same, since it only
/// moves elements or takes the largest.
static bool isSameOnIntegers(NodeOp op) {
  return op.getNumResults() == 1 && !op.getDomain() && lookupOpSpec(op) &&
         llvm::is_contained({"DepthToSpace", "Flatten", "Identity", "MaxPool", "Reshape", "Slice",
                             "SpaceToDepth", "Squeeze", "Transpose", "Unsqueeze"},
                            op.getOpType());
}

/// Whether two nodes have the same scale and zero point, which are constants.
static bool haveSameParameters(NodeOp lhs, NodeOp rhs) {
  Node a(lhs, getOpset(lhs)), b(rhs, getOpset(rhs));
  auto scale = a.getConstantFloats(1);
  return scale && scale->size() == 1 && scale == b.getConstantFloats(1) &&
         a.hasInput(2) == b.hasInput(2) &&
         (!a.hasInput(2) || (a.getConstantInts(2) && a.getConstantInts(2) == b.getConstantInts(2)));
}

/// Dequantizes after nodes that do the same to integers, so that these are between products.
static void sinkDequantize(NodeOp op) {
  auto dequantize =
      op.getInputs().empty() ? NodeOp() : getNode(op.getInputs().front(), "DequantizeLinear");
  if (!dequantize)
    return;
  Node node(dequantize, getOpset(dequantize));
  auto scales = node.getConstantFloats(1);
  Type element = node.getElementType(0);
  // A list of one scale belongs to a dimension, which may move.
  if (!scales || node.getRank(1) != 0 || !(scales->front() > 0) || !isByte(element))
    return;
  bool isConcat = op.getOpType() == "Concat" && !op.getDomain() && lookupOpSpec(op);
  if (!isConcat && !isSameOnIntegers(op))
    return;
  SmallVector<Value> operands(op.getInputs());
  for (Value &operand : MutableArrayRef(operands).take_front(isConcat ? operands.size() : 1)) {
    NodeOp other = getNode(operand, "DequantizeLinear");
    if (!other || !haveSameParameters(dequantize, other) ||
        Node(other, 1).getElementType(0) != element)
      return;
    operand = other.getInputs().front();
  }
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  auto moved = NodeOp::create(builder, op.getLoc(), type.clone(element), op.getOpTypeAttr(),
                              StringAttr(), operands, op.getNodeAttributesAttr());
  moved.setOpsetAttr(op.getOpsetAttr());
  SmallVector<Value> inputs(dequantize.getInputs());
  inputs.front() = moved.getResult(0);
  auto after =
      NodeOp::create(builder, dequantize.getLoc(), type, dequantize.getOpTypeAttr(),
                     dequantize.getDomainAttr(), inputs, dequantize.getNodeAttributesAttr());
  after.setOpsetAttr(dequantize.getOpsetAttr());
  op.getResult(0).replaceAllUsesWith(after.getResult(0));
  op.erase();
}

/// What is dequantized and quantized again with the same scale is what it was: the quotient of a
/// product and its factor is rounded to the other factor.
static bool cancelQuantize(NodeOp op) {
  NodeOp dequantize = getNode(op.getInputs().front(), "DequantizeLinear");
  if (!dequantize || !haveSameParameters(dequantize, op) ||
      dequantize.getInputs().front().getType() != op.getResult(0).getType() ||
      !isByte(cast<RankedTensorType>(op.getResult(0).getType()).getElementType()))
    return false;
  op.getResult(0).replaceAllUsesWith(dequantize.getInputs().front());
  op.erase();
  return true;
}

/// Moves the quantization of one scale before limits and before nodes that move elements, as far as
/// a product, whose result nothing else reads: rounding keeps the order of numbers. Returns the
/// node that quantizes then.
static NodeOp hoistQuantize(NodeOp op) {
  SmallVector<NodeOp> chain;
  Value value = op.getInputs().front();
  NodeOp producer = value.getDefiningOp<NodeOp>();
  while (producer && value.hasOneUse() && (isSameOnIntegers(producer) || getLimits(producer))) {
    chain.push_back(producer);
    value = producer.getInputs().front();
    producer = value.getDefiningOp<NodeOp>();
  }
  OpBuilder builder(op);
  Node quantize(op, getOpset(op));
  if (!producer || !value.hasOneUse() || chain.empty() || quantize.getRank(1) != 0 ||
      !matchProduct(builder, producer))
    return op;
  Type element = quantize.getOutputType(0).getElementType();
  auto getType = [&](Value of) { return cast<RankedTensorType>(of.getType()).clone(element); };
  SmallVector<Value> inputs(op.getInputs());
  inputs.front() = value;
  builder.setInsertionPointAfter(producer);
  // The scale and the zero point may be defined later.
  for (Value &input : MutableArrayRef(inputs).drop_front())
    if (Operation *constant = input.getDefiningOp(); constant && !isa<NodeOp>(constant))
      input = builder.clone(*constant)->getResult(0);
  auto first = NodeOp::create(builder, op.getLoc(), getType(value), op.getOpTypeAttr(),
                              op.getDomainAttr(), inputs, op.getNodeAttributesAttr());
  first.setOpsetAttr(op.getOpsetAttr());
  Value result = first.getResult(0);
  for (NodeOp link : llvm::reverse(chain)) {
    builder.setInsertionPoint(link);
    RankedTensorType type = getType(link.getResult(0));
    if (std::optional<std::pair<double, double>> limits = getLimits(link)) {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      int64_t low = quantizeNumber(quantize, limits->first);
      int64_t high = quantizeNumber(quantize, limits->second);
      // The type cuts off as much.
      if (low == quantizeNumber(quantize, -infinity) && high == quantizeNumber(quantize, infinity))
        continue;
      auto scalar = RankedTensorType::get({}, element);
      auto constant = [&](int64_t number) -> Value {
        return ConstantOp::create(builder, link.getLoc(),
                                  cast<ElementsAttr>(DenseElementsAttr::get(
                                      scalar, builder.getIntegerAttr(element, number))));
      };
      result =
          createNode(builder, link.getLoc(), "Clip", type, {result, constant(low), constant(high)});
      continue;
    }
    SmallVector<Value> operands(link.getInputs());
    operands.front() = result;
    auto moved = NodeOp::create(builder, link.getLoc(), type, link.getOpTypeAttr(), StringAttr(),
                                operands, link.getNodeAttributesAttr());
    moved.setOpsetAttr(link.getOpsetAttr());
    result = moved.getResult(0);
  }
  op.getResult(0).replaceAllUsesWith(result);
  op.erase();
  for (NodeOp link : chain)
    link.erase();
  return first;
}

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

/// The dimensions that a node averages over, all of them kept as ones; nothing for other nodes.
static std::optional<SmallVector<int64_t>> getAveragedAxes(NodeOp op) {
  Node node(op, getOpset(op));
  int64_t rank = op.getInputs().empty() ? 0 : node.getRank(0);
  auto spatial = [&] {
    return llvm::to_vector(llvm::seq<int64_t>(std::min<int64_t>(2, rank), rank));
  };
  if (getNode(op.getResult(0), "GlobalAveragePool"))
    return spatial();
  if (getNode(op.getResult(0), "AveragePool")) {
    // Windows of the whole image, so that there is one.
    SmallVector<int64_t> window = node.getInts("kernel_shape").value_or(SmallVector<int64_t>());
    bool isWhole = ArrayRef(window) == node.getShape(0).drop_front(std::min<int64_t>(2, rank)) &&
                   llvm::all_of(node.getOutputType(0).getShape().drop_front(2),
                                [](int64_t size) { return size == 1; }) &&
                   llvm::all_of(node.getInts("pads").value_or(SmallVector<int64_t>()),
                                [](int64_t size) { return size == 0; });
    return isWhole ? std::optional(spatial()) : std::nullopt;
  }
  if (!getNode(op.getResult(0), "ReduceMean") || node.getInt("keepdims", 1) == 0)
    return std::nullopt;
  SmallVector<int64_t> axes = node.getInts("axes").value_or(SmallVector<int64_t>());
  if (node.hasInput(1)) {
    std::optional<SmallVector<int64_t>> given = node.getConstantInts(1);
    if (!given)
      return std::nullopt;
    axes = *given;
  }
  for (int64_t &axis : axes)
    axis += axis < 0 ? rank : 0;
  return axes.empty() ? std::nullopt : std::optional(axes);
}

/// Whether a sum of `count` bytes, times `ratio`, is in the middle between two integers. What a sum
/// of rounded floats makes of it depends on their order then.
static bool hasTies(Type element, int64_t zeroPoint, int64_t count, double ratio) {
  int64_t first = (element.isUnsignedInteger() ? 0 : -128) - zeroPoint;
  for (int64_t sum = first * count, last = (first + 255) * count; sum <= last; ++sum) {
    double scaled = std::abs(double(sum) * ratio);
    if (std::abs(scaled - std::floor(scaled) - 0.5) < 1e-8 * std::max(scaled, 1.0))
      return true;
  }
  return false;
}

/// An average of bytes is their sum as integers, times one factor. Returns whether `op` is the
/// quantization of one.
static bool foldAverage(NodeOp op) {
  Node quantize(op, getOpset(op));
  Value input = quantize.getInput(0);
  auto average = input.getDefiningOp<NodeOp>();
  if (!average || !input.hasOneUse() || average.getNumResults() != 1 || average.getDomain())
    return false;
  std::optional<SmallVector<int64_t>> axes = getAveragedAxes(average);
  if (!axes)
    return false;
  OpBuilder builder(op);
  std::optional<QuantizedTensor> tensor = getQuantized(builder, average.getInputs().front());
  if (!tensor || tensor->axis >= 0)
    return false;
  auto elements = cast<RankedTensorType>(tensor->elements.getType());
  auto zero = tensor->zeroPoint.getDefiningOp<ConstantOp>();
  std::optional<SmallVector<int64_t>> zeroPoint = zero ? readInts(zero.getValue()) : std::nullopt;
  if (!zeroPoint || zeroPoint->size() != 1)
    return false;
  int64_t count = 1;
  for (int64_t axis : *axes)
    count *= elements.getDimSize(axis);
  float scale = quantize.getConstantFloats(1)->front();
  // Sums beyond that are no floats.
  constexpr int64_t maxCount = (1 << 24) / 256;
  float ratio = float(tensor->scales[0]) / (scale * float(count));
  if (count == 0 || count > maxCount ||
      hasTies(elements.getElementType(), zeroPoint->front(), count,
              tensor->scales[0] / (double(scale) * double(count))))
    return false;
  Location loc = op.getLoc();
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  auto cast = [&](Value value, RankedTensorType type, int64_t onnxType) {
    auto to = builder.getNamedAttr("to", builder.getI64IntegerAttr(onnxType));
    return createNode(builder, loc, "Cast", type, {value}, builder.getDictionaryAttr(to));
  };
  auto scalar = [&](Type type, Attribute number) -> Value {
    return ConstantOp::create(
        builder, loc,
        llvm::cast<ElementsAttr>(DenseElementsAttr::get(RankedTensorType::get({}, type), number)));
  };
  constexpr int64_t onnxFloat = 1, onnxInt32 = 6;
  auto result = llvm::cast<RankedTensorType>(input.getType());
  Value wide = createNode(builder, loc, "Sub", elements.clone(i32),
                          {cast(tensor->elements, elements.clone(i32), onnxInt32),
                           scalar(i32, builder.getI32IntegerAttr(zeroPoint->front()))});
  auto list = RankedTensorType::get(int64_t(axes->size()), builder.getI64Type());
  Value axisList = ConstantOp::create(
      builder, loc,
      llvm::cast<ElementsAttr>(DenseElementsAttr::get(list, ArrayRef<int64_t>(*axes))));
  Value sum = createNode(builder, loc, "ReduceSum", result.clone(i32), {wide, axisList});
  Value scaled =
      createNode(builder, loc, "Mul", result,
                 {cast(sum, result, onnxFloat), scalar(f32, builder.getF32FloatAttr(ratio))});
  SmallVector<Value> operands(op.getInputs());
  operands[0] = scaled;
  operands[1] = scalar(f32, builder.getF32FloatAttr(1));
  auto folded = NodeOp::create(builder, loc, op.getResultTypes(), op.getOpTypeAttr(), StringAttr(),
                               operands, DictionaryAttr());
  folded.setOpset(newestOpset);
  op.replaceAllUsesWith(folded.getResults());
  op.erase();
  return true;
}

static void foldQuantize(NodeOp op) {
  Node quantize(op, getOpset(op));
  std::optional<SmallVector<double>> scale = quantize.getConstantFloats(1);
  Type type = quantize.getOutputType(0).getElementType();
  if (!isByte(type) || !scale || scale->size() != 1 || !quantize.getElementType(1).isF32() ||
      (quantize.hasInput(2) && !quantize.getConstantInts(2)))
    return;
  if (foldAverage(op))
    return;
  op = hoistQuantize(op);
  quantize = Node(op, getOpset(op));
  Value input = quantize.getInput(0);
  auto producer = input.getDefiningOp<NodeOp>();
  if (!producer || !input.hasOneUse())
    return;
  OpBuilder builder(op);
  std::optional<Product> product = matchProduct(builder, producer);
  Value zeroPoint = product ? getZeroPoint(builder, quantize, type) : Value();
  if (!zeroPoint)
    return;
  const QuantizedTensor &lhs = product->lhs, &rhs = product->rhs;
  SmallVector<Value> operands{lhs.elements, lhs.scale,     lhs.zeroPoint,        rhs.elements,
                              rhs.scale,    rhs.zeroPoint, quantize.getInput(1), zeroPoint};
  if (product->bias)
    operands.push_back(product->bias);
  bool isConv = product->name == "QLinearConv";
  auto folded = NodeOp::create(builder, producer.getLoc(), op.getResultTypes(),
                               builder.getStringAttr(product->name), StringAttr(), operands,
                               isConv ? producer.getNodeAttributesAttr() : DictionaryAttr());
  folded.setOpset(newestOpset);
  if (product->bias && !isConv)
    folded->setAttr(foldedBiasAttrName, builder.getUnitAttr());
  op.replaceAllUsesWith(folded.getResults());
  op.erase();
}

//===----------------------------------------------------------------------===//
// Products whose result is not quantized
//===----------------------------------------------------------------------===//

/// Sums of integers times both scales, plus the bias.
static void foldProduct(NodeOp op) {
  OpBuilder builder(op);
  std::optional<Product> product = matchProduct(builder, op);
  auto isMatrix = [](const QuantizedTensor &side) {
    return cast<RankedTensorType>(side.elements.getType()).getRank() >= 2;
  };
  if (!product || !isMatrix(product->lhs) || !isMatrix(product->rhs))
    return;
  const QuantizedTensor &lhs = product->lhs, &rhs = product->rhs;
  Location loc = op.getLoc();
  bool isConv = product->name == "QLinearConv";
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  Value sums = createNode(builder, loc, isConv ? "ConvInteger" : "MatMulInteger",
                          type.clone(builder.getI32Type()),
                          {lhs.elements, rhs.elements, lhs.zeroPoint, rhs.zeroPoint},
                          isConv ? op.getNodeAttributesAttr() : DictionaryAttr());
  auto parameter = [&](Value value, int64_t count) {
    // Of a convolution, channels come before the spatial dimensions.
    SmallVector<int64_t> shape{count};
    if (isConv && count > 1)
      shape.append(type.getRank() - 2, 1);
    auto wanted = RankedTensorType::get(shape, builder.getF32Type());
    if (value.getType() == wanted)
      return value;
    auto list = RankedTensorType::get(int64_t(shape.size()), builder.getI64Type());
    Value sizes = ConstantOp::create(
        builder, loc, cast<ElementsAttr>(DenseElementsAttr::get(list, ArrayRef<int64_t>(shape))));
    return createNode(builder, loc, "Reshape", wanted, {value, sizes});
  };
  SmallVector<float> scales;
  for (double scale : rhs.scales)
    scales.push_back(float(lhs.scales[0]) * float(scale));
  auto scaleType = RankedTensorType::get(int64_t(scales.size()), builder.getF32Type());
  Value scale = ConstantOp::create(
      builder, loc, cast<ElementsAttr>(DenseElementsAttr::get(scaleType, ArrayRef<float>(scales))));
  Type f32 = builder.getF32Type();
  Value floats = createNode(
      builder, loc, "Cast", type.clone(f32), {sums},
      builder.getDictionaryAttr(builder.getNamedAttr("to", builder.getI64IntegerAttr(1))));
  Value result = createNode(builder, loc, "Mul", type, {floats, parameter(scale, scales.size())});
  if (Value bias = product->floatBias) {
    int64_t count = cast<RankedTensorType>(bias.getType()).getNumElements();
    result = createNode(builder, loc, "Add", type, {result, parameter(bias, count)});
  }
  op.getResult(0).replaceAllUsesWith(result);
  op.erase();
}

namespace {
struct FoldQDQ : npu::onnx_ir::impl::ONNXFoldQDQBase<FoldQDQ> {
  using ONNXFoldQDQBase::ONNXFoldQDQBase;

  void runOnOperation() override {
    SmallVector<NodeOp> all;
    getOperation().walk([&](NodeOp op) { all.push_back(op); });
    for (NodeOp op : all)
      sinkDequantize(op);
    SmallVector<NodeOp> quantizations;
    getOperation().walk([&](NodeOp op) {
      if (op.getNumResults() == 1 && getNode(op.getResult(0), "QuantizeLinear"))
        quantizations.push_back(op);
    });
    for (NodeOp op : quantizations)
      if (!cancelQuantize(op))
        foldQuantize(op);
    SmallVector<NodeOp> products;
    getOperation().walk([&](NodeOp op) {
      if (llvm::is_contained({"Add", "Conv", "Gemm", "MatMul"}, op.getOpType()) && !op.use_empty())
        products.push_back(op);
    });
    // A bias comes after its product.
    for (NodeOp op : llvm::reverse(products))
      if (!op.use_empty())
        foldProduct(op);
    // Users come after what they use.
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
          if (isa<NodeOp, ConstantOp, NoneOp>(op) && op.use_empty())
            op.erase();
  }
};
} // namespace
