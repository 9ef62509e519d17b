//===- AssumeType.cpp - a model of floats as if it were quantized ---------===//

#include "ByteForms.h"
#include "BytePlan.h"

#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

#include <random>

namespace npu::onnx_ir {
#define GEN_PASS_DEF_ONNXASSUMETYPE
#include "NPU/Dialect/ONNX/Transforms/Passes.h.inc"
} // namespace npu::onnx_ir

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// The scale and the zero point of bytes, as constants and as numbers.
struct Parameters {
  Value scale, zeroPoint;
  float number;
};

/// Puts QuantizeLinear and DequantizeLinear around the values of a plan, as
/// tools/npu-quantize/npu_quantize_rewrite.py does.
class Quantizer {
public:
  Quantizer(func::FuncOp function, const BytePlan &plan)
      : body(function.getBody().front()), plan(plan),
        builder(function.getLoc(), OpBuilder::atBlockBegin(&body)) {}

  void rewrite();

private:
  bool isNeverNegative(Value value);
  const Parameters &getParameters(Value value);
  Value createNode(StringRef name, Value input, Value scale, Value zeroPoint, Type element,
                   std::optional<int64_t> axis = std::nullopt);
  Value dequantize(Value bytes, const Parameters &parameters) {
    return createNode("DequantizeLinear", bytes, parameters.scale, parameters.zeroPoint,
                      builder.getF32Type());
  }
  Value dequantizeConstant(Value constant);
  void makeBytes(Value value);
  void rewriteNode(NodeOp op);
  void rewriteProduct(NodeOp op);
  Value dequantizeBias(Value bias, Value scale);
  template <typename Number>
  Value constant(ArrayRef<int64_t> shape, ArrayRef<Number> numbers) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&body);
    auto type = RankedTensorType::get(
        shape, std::is_same_v<Number, float> ? Type(builder.getF32Type()) : builder.getI8Type());
    return ConstantOp::create(builder, cast<ElementsAttr>(DenseElementsAttr::get(type, numbers)));
  }

  Block &body;
  const BytePlan &plan;
  ImplicitLocOpBuilder builder;
  llvm::DenseMap<Value, Parameters> parameters; ///< by group
  llvm::DenseMap<Value, Value> bytes;
  llvm::DenseMap<std::pair<Value, int64_t>, std::pair<Value, Value>> weights; ///< and their scale
  llvm::DenseMap<Value, Value> constants;
  llvm::DenseMap<NodeOp, Value> biasScales; ///< of sums that are the bias of a product
  llvm::DenseMap<Value, bool> neverNegative;
  std::minstd_rand random;
  uint64_t numConstants = 0;
};
} // namespace

/// Whether no element can be below zero, so that the zero point is the least byte. This is where a
/// Relu costs nothing, since the type cuts off as much.
bool Quantizer::isNeverNegative(Value value) {
  if (auto known = neverNegative.find(value); known != neverNegative.end())
    return known->second;
  auto op = value.getDefiningOp<NodeOp>();
  if (!op || op.getDomain())
    return false;
  Node node(op, getOpset(op));
  auto isOneOf = [&](ArrayRef<StringRef> names) {
    return llvm::is_contained(names, op.getOpType());
  };
  bool found = isOneOf({"Abs", "Exp", "HardSigmoid", "ReduceL1", "ReduceL2", "ReduceSumSquare",
                        "Relu", "Sigmoid", "Softmax", "Softplus", "Sqrt"});
  if (op.getOpType() == "Clip") {
    std::optional<SmallVector<double>> least = node.getConstantFloats(1);
    found = node.getFloat("min", -1) >= 0 || (least && least->size() == 1 && least->front() >= 0);
  }
  if (isOneOf({"Add",          "AveragePool", "Concat",
               "DepthToSpace", "Dropout",     "Expand",
               "Flatten",      "Gather",      "GlobalAveragePool",
               "Identity",     "Max",         "MaxPool",
               "ReduceMax",    "ReduceMean",  "ReduceMin",
               "Reshape",      "Slice",       "SpaceToDepth",
               "Split",        "Squeeze",     "Sum",
               "Tile",         "Transpose",   "Unsqueeze"})) {
    SmallVector<Value> inputs = llvm::filter_to_vector(op.getInputs(), isFloatValue);
    found = !inputs.empty() && llvm::none_of(op.getInputs(), isFloatConstant) &&
            llvm::all_of(inputs, [&](Value input) { return isNeverNegative(input); });
  }
  return neverNegative[value] = found;
}

/// Scales differ from each other, as measured ones do: bytes of one scale can be compared and moved
/// without arithmetic.
const Parameters &Quantizer::getParameters(Value value) {
  Parameters &found = parameters[plan.findGroup(value)];
  if (found.scale)
    return found;
  // Pseudo-random, as measured ones: sums of numbers whose scales are in a simple relation lie on
  // ties between two bytes, where integers do not round as floats do.
  constexpr double nominalScale = 0.0314159;
  found.number = float(nominalScale * (1 + double(random()) / (2.0 * double(random.max()))));
  // A constant that is added to a value, as a bias for each element, is smaller than the value.
  if (isFloatConstant(plan.findGroup(value)))
    found.number /= 4;
  // Ranges of random and of trained networks are rarely symmetric.
  constexpr int8_t nominalZeroPoint = -5, least = -128;
  bool isPositive = isNeverNegative(value);
  found.scale = constant<float>({}, found.number);
  found.zeroPoint = constant<int8_t>({}, isPositive ? least : nominalZeroPoint);
  return found;
}

Value Quantizer::createNode(StringRef name, Value input, Value scale, Value zeroPoint, Type element,
                            std::optional<int64_t> axis) {
  SmallVector<Value> inputs{input, scale};
  if (zeroPoint)
    inputs.push_back(zeroPoint);
  DictionaryAttr attributes;
  if (axis)
    attributes =
        builder.getDictionaryAttr(builder.getNamedAttr("axis", builder.getI64IntegerAttr(*axis)));
  auto op = NodeOp::create(builder, cast<RankedTensorType>(input.getType()).clone(element),
                           builder.getStringAttr(name), StringAttr(), inputs, attributes);
  constexpr int64_t opset = 13; // of npu-quantize
  op.setOpset(opset);
  return op.getResult(0);
}

/// A constant among values that are moved or added, as a table of Gather, in their bytes.
Value Quantizer::dequantizeConstant(Value constant) {
  Value &found = constants[constant];
  auto op = constant.getDefiningOp<ConstantOp>();
  if (!found) {
    RankedTensorType type = op.getType();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(op);
    found = ConstantOp::create(
        builder, quantizeNominally(op.getValue(), type.clone(builder.getI8Type()), ++numConstants));
  }
  return dequantize(found, getParameters(constant));
}

/// Quantizes a value. An output of the graph is what the bytes stand for.
void Quantizer::makeBytes(Value value) {
  const Parameters &found = getParameters(value);
  builder.setLoc(value.getLoc());
  Value quantized = bytes[value] =
      createNode("QuantizeLinear", value, found.scale, found.zeroPoint, builder.getI8Type());
  Operation *end = body.getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    if (operand.get() == value) {
      Value result = dequantize(quantized, found);
      value.replaceUsesWithIf(result, [&](OpOperand &use) { return use.getOwner() == end; });
    }
}

void Quantizer::rewrite() {
  SmallVector<NodeOp> nodes(body.getOps<NodeOp>());
  Operation *first = &body.front();
  for (BlockArgument argument : body.getArguments())
    if (plan.isQuantized(argument)) {
      builder.setInsertionPoint(first);
      makeBytes(argument);
    }
  for (NodeOp op : nodes) {
    builder.setInsertionPoint(op);
    builder.setLoc(op.getLoc());
    if (plan.isProduct(op))
      rewriteProduct(op);
    else
      rewriteNode(op);
    builder.setInsertionPointAfter(op);
    for (Value result : op.getResults())
      if (plan.isQuantized(result))
        makeBytes(result);
  }
}

void Quantizer::rewriteNode(NodeOp op) {
  SmallVector<Value> inputs(op.getInputs());
  const Value biasScale = biasScales.lookup(op);
  for (Value &input : inputs) {
    if (isFloatConstant(input) && biasScale)
      input = dequantizeBias(input, biasScale);
    else if (isFloatConstant(input) && plan.readsBytes(op, input))
      input = dequantizeConstant(input);
    else if (Value found = bytes.lookup(input))
      input = dequantize(found, getParameters(input));
  }
  op.getInputsMutable().assign(inputs);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The axis of the weights `index` with a scale for each place; nothing for one scale.
static std::optional<int64_t> getScaledAxis(NodeOp op, unsigned index) {
  if (index == 0)
    return std::nullopt;
  Node node(op, getOpset(op));
  if (op.getOpType() == "Conv")
    return 0;
  if (op.getOpType() == "Gemm")
    return node.getInt("transB", 0) != 0 ? 0 : 1;
  return node.getRank(1) == 2 ? std::optional<int64_t>(1) : std::nullopt;
}

void Quantizer::rewriteProduct(NodeOp op) {
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<SmallVector<float>> scales;
  for (unsigned index : {0, 1}) {
    Value input = inputs[index];
    if (isFloatConstant(input)) {
      std::optional<int64_t> axis = getScaledAxis(op, index);
      auto type = cast<RankedTensorType>(input.getType());
      auto &[elements, scale] = weights[{input, axis.value_or(-1)}];
      SmallVector<float> numbers;
      // Each channel has another scale, as in measured models.
      constexpr float nominalScale = 0.00271828f;
      for (int64_t place = 0, end = axis ? type.getDimSize(*axis) : 1; place < end; ++place)
        numbers.push_back(nominalScale * (1 + float(place % 253) / 256));
      if (!elements) {
        auto constantOp = input.getDefiningOp<ConstantOp>();
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointAfter(constantOp);
        elements = ConstantOp::create(builder, quantizeNominally(constantOp.getValue(),
                                                                 type.clone(builder.getI8Type()),
                                                                 ++numConstants));
        scale =
            axis ? constant<float>(int64_t(numbers.size()), numbers) : constant<float>({}, numbers);
      }
      SmallVector<int8_t> zeros(numbers.size(), 0);
      Value zeroPoint =
          axis ? constant<int8_t>(int64_t(zeros.size()), zeros) : constant<int8_t>({}, zeros);
      inputs[index] =
          createNode("DequantizeLinear", elements, scale, zeroPoint, builder.getF32Type(), axis);
      scales.push_back(numbers);
    } else {
      const Parameters &found = getParameters(input);
      inputs[index] = dequantize(bytes.lookup(input), found);
      scales.push_back({found.number});
    }
  }
  bool hasBias = inputs.size() > 2 && !isa<NoneType>(inputs[2].getType());
  if (hasBias || plan.getBiasOf(op)) {
    SmallVector<float> sums;
    for (float left : scales[0])
      for (float right : scales[1])
        sums.push_back(left * right);
    Value scale =
        sums.size() > 1 ? constant<float>(int64_t(sums.size()), sums) : constant<float>({}, sums);
    if (hasBias)
      inputs[2] = dequantizeBias(inputs[2], scale);
    else
      biasScales[plan.getBiasOf(op)] = scale;
  }
  op.getInputsMutable().assign(inputs);
}

/// Numbers of 32 bits in units of the sums of products.
Value Quantizer::dequantizeBias(Value bias, Value scale) {
  auto constantOp = bias.getDefiningOp<ConstantOp>();
  Value integers = ConstantOp::create(
      builder, quantizeNominally(constantOp.getValue(),
                                 constantOp.getType().clone(builder.getI32Type()), ++numConstants));
  std::optional<int64_t> axis;
  if (cast<RankedTensorType>(scale.getType()).getRank() > 0)
    axis = 0;
  return createNode("DequantizeLinear", integers, scale, {}, builder.getF32Type(), axis);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether a node computes with integers in the place of floats.
static bool isOfQuantizedModel(NodeOp op) {
  StringRef name = op.getOpType();
  return llvm::is_contained({"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear",
                             "ConvInteger", "MatMulInteger", "MatMulNBits"},
                            name) ||
         name.starts_with("QLinear") || name.starts_with("QGemm") || name.starts_with("QAttention");
}

namespace {
struct AssumeType : npu::onnx_ir::impl::ONNXAssumeTypeBase<AssumeType> {
  using ONNXAssumeTypeBase::ONNXAssumeTypeBase;

  void runOnOperation() override {
    bool hasNodes = false, hasProduct = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || function.getBody().front().getOps<NodeOp>().empty())
        continue;
      hasNodes = true;
      WalkResult walked = function.walk([](NodeOp op) {
        if (!isOfQuantizedModel(op))
          return WalkResult::advance();
        op.emitError() << "expected a model in f32 to be timed as if it were quantized, found one "
                          "that is quantized already ("
                       << op.getOpType() << "); leave out --assume-type";
        return WalkResult::interrupt();
      });
      if (walked.wasInterrupted())
        return signalPassFailure();
      takeByteForms(function);
      BytePlan plan(function);
      hasProduct |= !plan.getProducts().empty();
      if (!plan.getProducts().empty())
        Quantizer(function, plan).rewrite();
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
        if (isa<NodeOp, ConstantOp, NoneOp>(op) && op.use_empty())
          op.erase();
    }
    if (hasNodes && !hasProduct) {
      getOperation().emitError() << "expected a Conv, Gemm or MatMul in f32 that can be quantized, "
                                    "found none; leave out --assume-type";
      signalPassFailure();
    }
  }
};
} // namespace
