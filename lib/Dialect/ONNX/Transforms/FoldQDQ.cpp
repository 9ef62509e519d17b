//===- FoldQDQ.cpp - products between DequantizeLinear and QuantizeLinear -===//

#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

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
  if (!scales || scales->empty() || !isByte(type) || !node.getElementType(1).isF32())
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
  Value bias;
};
} // namespace

/// The quantized form of `op` if it is a product of dequantized tensors.
static std::optional<Product> matchProduct(OpBuilder &builder, NodeOp op) {
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
  Product product{isConv ? "QLinearConv" : "QLinearMatMul", *lhs, *rhs, {}};
  if (node.hasInput(2)) {
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

/// Whether the limits of the type of `quantize` cut off what is below zero.
static bool cutsOffNegatives(Node &quantize) {
  int64_t lowest = quantize.getOutputType(0).getElementType().isUnsignedInteger() ? 0 : -128;
  std::optional<SmallVector<int64_t>> zeroPoint = quantize.getConstantInts(2);
  return quantize.hasInput(2)
             ? zeroPoint && llvm::all_equal(*zeroPoint) && zeroPoint->front() == lowest
             : lowest == 0;
}

static void foldQuantize(NodeOp op) {
  Node quantize(op, getOpset(op));
  std::optional<SmallVector<double>> scale = quantize.getConstantFloats(1);
  Type type = quantize.getOutputType(0).getElementType();
  if (!isByte(type) || !scale || scale->size() != 1 || !quantize.getElementType(1).isF32())
    return;
  Value input = quantize.getInput(0);
  if (NodeOp relu = getNode(input, "Relu"); relu && input.hasOneUse() && cutsOffNegatives(quantize))
    input = relu.getInputs()[0];
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
  auto folded = NodeOp::create(builder, op.getLoc(), op.getResultTypes(),
                               builder.getStringAttr(product->name), StringAttr(), operands,
                               isConv ? producer.getNodeAttributesAttr() : DictionaryAttr());
  if (product->bias && !isConv)
    folded->setAttr(foldedBiasAttrName, builder.getUnitAttr());
  op.replaceAllUsesWith(folded.getResults());
}

namespace {
struct FoldQDQ : npu::onnx_ir::impl::ONNXFoldQDQBase<FoldQDQ> {
  using ONNXFoldQDQBase::ONNXFoldQDQBase;

  void runOnOperation() override {
    SmallVector<NodeOp> quantizations;
    getOperation().walk([&](NodeOp op) {
      if (op.getNumResults() == 1 && getNode(op.getResult(0), "QuantizeLinear"))
        quantizations.push_back(op);
    });
    for (NodeOp op : quantizations)
      foldQuantize(op);
    // Users come after what they use.
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
          if (isa<NodeOp, ConstantOp, NoneOp>(op) && op.use_empty())
            op.erase();
  }
};
} // namespace
