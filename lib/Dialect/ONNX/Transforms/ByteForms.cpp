//===- ByteForms.cpp - ONNX nodes in the form that is quantized -----------===//
//
// The same as npu_quantize_prepare.py and npu_quantize_expand.py in tools/npu-quantize. Where these
// compute constants, only shapes count here.
//
//===----------------------------------------------------------------------===//

#include "ByteForms.h"

#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/Expansion.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include <cmath>

using namespace mlir;
using namespace npu::onnx_ir;

NodeOp npu::onnx_ir::getOnlyReader(Value value) {
  if (!value.hasOneUse())
    return {};
  auto reader = dyn_cast<NodeOp>(*value.user_begin());
  return reader && reader->getBlock() == value.getParentBlock() ? reader : NodeOp();
}

bool npu::onnx_ir::isFloatConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && constant.getType().getElementType().isF32();
}

static bool isOperator(NodeOp op, StringRef name) {
  return op && !op.getDomain() && op.getOpType() == name;
}

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static bool isF32(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32();
}

static bool isConstant(Value value) { return bool(value.getDefiningOp<ConstantOp>()); }

namespace {
/// Writes nodes of known types that stand for a part of another, which is before them.
class FormBuilder : public Expansion {
public:
  explicit FormBuilder(Node &node) : Expansion(node) {}

  Value add(StringRef name, Values inputs, Attributes attributes = {}) {
    Value result = op(name, inputs, attributes);
    auto created = result.getDefiningOp<NodeOp>();
    Node node(created, newestOpset);
    [[maybe_unused]] LogicalResult inferred = inferNode(*lookupOpSpec(created), node);
    assert(succeeded(inferred) && "expected a node that is valid");
    return result;
  }

  /// A constant of floats, which are not all equal: one of a single number takes no memory.
  Value floats(ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, getF32Type());
    SmallVector<float> elements(type.getNumElements());
    for (auto [index, element] : llvm::enumerate(elements))
      element = 1 + float(index % 61) / 64;
    return ConstantOp::create(
        *this, llvm::cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef<float>(elements))));
  }

  /// The elements of a constant in another shape, of as many; null if they are not in memory.
  Value reshaped(Value constant, ArrayRef<int64_t> shape) {
    auto op = constant.getDefiningOp<ConstantOp>();
    ElementsAttr value = reshapeConstant(op.getValue(), RankedTensorType::get(shape, getF32Type()));
    return value ? Value(ConstantOp::create(*this, value)) : floats(shape);
  }

  Value depthwise(Value image, Value bias, Attributes attributes, ArrayRef<int64_t> window) {
    SmallVector<int64_t> shape{getShapeOf(image)[1], 1};
    llvm::append_range(shape, window);
    SmallVector<NamedAttribute> all(attributes);
    all.push_back(integer("group", shape[0]));
    all.push_back(integers("kernel_shape", window));
    return add("Conv", {image, floats(shape), bias}, all);
  }
};
} // namespace

static void setAttribute(NodeOp op, StringRef name, Attribute value) {
  NamedAttrList attributes(op.getNodeAttributesAttr());
  if (value)
    attributes.set(name, value);
  else
    attributes.erase(name);
  op.setNodeAttributesAttr(attributes.getDictionary(op.getContext()));
}

static void setInput(NodeOp op, unsigned index, Value value) {
  SmallVector<Value> inputs(op.getInputs());
  if (index == inputs.size())
    inputs.push_back(value);
  inputs[index] = value;
  op.getInputsMutable().assign(inputs);
}

/// Whether the graph itself gives a value.
static bool isGraphOutput(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) { return isa<func::ReturnOp>(user); });
}

//===----------------------------------------------------------------------===//
// Before the types of values matter
//===----------------------------------------------------------------------===//

/// Replaces a node that only moves a constant by a constant. The elements keep their order, because
/// the place of an element takes no time.
static bool foldConstantMove(NodeOp op) {
  if (!llvm::is_contained({"Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"},
                          op.getOpType()) ||
      op.getDomain() || !isFloatConstant(op.getInputs()[0]) || isGraphOutput(op.getResult(0)))
    return false;
  Node node(op, getOpset(op));
  FormBuilder b(node);
  op.getResult(0).replaceAllUsesWith(b.reshaped(op.getInputs()[0], getShapeOf(op.getResult(0))));
  op.erase();
  return true;
}

/// Drops what gives what it reads, as Dropout does outside of training.
static bool dropIdentity(NodeOp op) {
  bool isDropout =
      isOperator(op, "Dropout") && op.getInputs().size() < 3 &&
      llvm::all_of(op.getResults().drop_front(), [](Value result) { return result.use_empty(); });
  if ((!isDropout && !isOperator(op, "Identity")) || isGraphOutput(op.getResult(0)))
    return false;
  op.getResult(0).replaceAllUsesWith(op.getInputs()[0]);
  op.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The numbers by which `follower` scales or shifts the channels of `image`, one for each channel;
/// nothing if the node does more.
static std::optional<Value> getChannelNumbers(Node &follower, Value image) {
  NodeOp op = follower.getOp();
  if (isOperator(op, "BatchNormalization")) {
    bool isPlain =
        llvm::all_of(op.getResults().drop_front(), [](Value result) { return result.use_empty(); });
    if (!isPlain || follower.getInt("training_mode", 0) != 0 || op.getInputs()[0] != image ||
        !llvm::all_of(op.getInputs().drop_front(), isFloatConstant))
      return std::nullopt;
    return op.getInputs()[2];
  }
  if (!isOperator(op, "Add") && !isOperator(op, "Mul"))
    return std::nullopt;
  Value other = op.getInputs()[op.getInputs()[1] == image ? 0 : 1];
  if (!isFloatConstant(other))
    return std::nullopt;
  ArrayRef<int64_t> dims = getShapeOf(other), shape = getShapeOf(image);
  SmallVector<int64_t> padded(dims);
  // Before opset 7, an axis says which dimensions it has.
  if (int64_t axis = follower.getInt("axis", -1); axis >= 0)
    padded.resize(std::max<int64_t>(0, int64_t(shape.size()) - axis), 1);
  if (padded.size() > shape.size())
    return std::nullopt;
  padded.insert(padded.begin(), shape.size() - padded.size(), 1);
  for (auto [dim, size] : llvm::enumerate(padded))
    if (size != 1 && (dim != 1 || size != shape[1]))
      return std::nullopt;
  return other;
}

/// BatchNormalization, and sums and products with a number for each channel, become a part of the
/// convolution before.
static void foldFollowers(func::FuncOp function) {
  SmallVector<NodeOp> convolutions =
      llvm::filter_to_vector(function.getBody().front().getOps<NodeOp>(), [](NodeOp op) {
        return isOperator(op, "Conv") || isOperator(op, "ConvTranspose");
      });
  for (NodeOp op : convolutions) {
    Node node(op, getOpset(op));
    if (!isFloatConstant(node.getInput(1)) ||
        (node.hasInput(2) && !isFloatConstant(node.getInput(2))))
      continue;
    Value image = op.getResult(0);
    while (NodeOp reader = getOnlyReader(image)) {
      Node follower(reader, getOpset(reader));
      std::optional<Value> numbers = getChannelNumbers(follower, image);
      if (!numbers || reader.getResult(0).getType() != image.getType())
        break;
      if (!node.hasInput(2)) {
        FormBuilder b(node);
        int64_t channels = getShapeOf(image)[1];
        bool isEach = cast<RankedTensorType>(numbers->getType()).getNumElements() == channels;
        setInput(op, 2, isEach ? b.reshaped(*numbers, {channels}) : b.floats({channels}));
      }
      reader.getResult(0).replaceAllUsesWith(image);
      reader.erase();
    }
  }
}

/// A Gemm with the factors 1 and nothing transposed but its weights. A bias that is not for columns
/// is added afterwards, and one that is computed, too.
static void simplifyGemm(NodeOp op) {
  Node node(op, getOpset(op));
  FormBuilder b(node);
  auto transpose = [&](unsigned index, StringRef name) {
    setInput(op, index, b.add("Transpose", {op.getInputs()[index]}, {b.integers("perm", {1, 0})}));
    setAttribute(op, name, {});
  };
  if (node.getInt("transB", 0) != 0 && !isConstant(node.getInput(1)))
    transpose(1, "transB");
  if (node.getInt("transA", 0) != 0)
    transpose(0, "transA");
  bool hasBias = node.hasInput(2), hasConstantBias = hasBias && isFloatConstant(node.getInput(2));
  bool hasFactors = node.getFloat("alpha", 1) != 1 || (hasBias && node.getFloat("beta", 1) != 1);
  bool isConstantSide = isFloatConstant(node.getInput(1)) && (!hasBias || hasConstantBias);
  if (isConstantSide) {
    setAttribute(op, "alpha", {});
    setAttribute(op, "beta", {});
  } else if (hasFactors || !hasBias || hasConstantBias) {
    return;
  }
  if (!hasBias)
    return;
  Value bias = node.getInput(2), result = op.getResult(0);
  auto type = cast<RankedTensorType>(bias.getType());
  int64_t columns = getShapeOf(result)[1], count = type.getNumElements();
  bool isRow = type.getRank() == 0 || type.getShape().back() == count;
  if (hasConstantBias && isRow && (count == columns || count == 1)) {
    setInput(op, 2, count == columns ? b.reshaped(bias, {columns}) : b.floats({columns}));
    return;
  }
  // The sum gives what the product gave.
  op.getInputsMutable().assign(SmallVector<Value>(op.getInputs().take_front(2)));
  b.setInsertionPointAfter(op);
  Value sum = b.add("Add", {result, bias});
  result.replaceAllUsesExcept(sum, sum.getDefiningOp());
}

/// The bias behind a MatMul, which may have dimensions of size 1 in front, is a list.
static void flattenBias(NodeOp op) {
  if (!isOperator(op, "Add"))
    return;
  for (unsigned index : {0, 1}) {
    auto product = op.getInputs()[1 - index].getDefiningOp<NodeOp>();
    Value bias = op.getInputs()[index];
    if (!isOperator(product, "MatMul") || !isFloatConstant(bias) ||
        !isFloatConstant(product.getInputs()[1]) || getShapeOf(product.getInputs()[1]).size() != 2)
      continue;
    ArrayRef<int64_t> dims = getShapeOf(bias), sums = getShapeOf(product.getResult(0));
    int64_t columns = getShapeOf(product.getInputs()[1])[1];
    int64_t count = cast<RankedTensorType>(bias.getType()).getNumElements();
    bool isRow = count == 1 || (count == columns && dims.back() == columns);
    if (!isRow || dims == ArrayRef(columns) || dims.size() > sums.size())
      continue;
    Node node(op, getOpset(op));
    FormBuilder b(node);
    setInput(op, index, count == columns ? b.reshaped(bias, {columns}) : b.floats({columns}));
  }
}

//===----------------------------------------------------------------------===//
// Nodes that are others on bytes
//===----------------------------------------------------------------------===//

static bool isAll(ArrayRef<int64_t> values, int64_t value) {
  return llvm::all_of(values, [&](int64_t each) { return each == value; });
}

static Value expandAveragePool(FormBuilder &b, Node &node) {
  SmallVector<int64_t> window = node.getInts("kernel_shape").value_or(SmallVector<int64_t>());
  SmallVector<int64_t> pads = node.getInts("pads").value_or(SmallVector<int64_t>());
  StringRef padding = node.getString("auto_pad", "NOTSET");
  if (node.getInt("ceil_mode", 0) != 0 || (padding != "NOTSET" && padding != "VALID") ||
      !isAll(node.getInts("dilations").value_or(SmallVector<int64_t>()), 1) ||
      (!isAll(pads, 0) && node.getInt("count_include_pad", 0) == 0))
    return {};
  // The compiler adds up the whole image.
  if (ArrayRef(window) == node.getShape(0).drop_front(2))
    return {};
  return b.depthwise(node.getInput(0), {}, b.copied({"pads", "strides"}), window);
}

static Value expandBatchNormalization(FormBuilder &b, Node &node) {
  int64_t rank = node.getRank(0);
  NodeOp op = node.getOp();
  if (rank < 3 || rank > 5 || node.getInt("training_mode", 0) != 0 ||
      !llvm::all_of(op.getInputs().slice(1, 4), isFloatConstant) ||
      !llvm::all_of(op.getResults().drop_front(), [](Value other) { return other.use_empty(); }))
    return {};
  return b.depthwise(node.getInput(0), node.getInput(2), {}, SmallVector<int64_t>(rank - 2, 1));
}

/// Zeros around an image belong to the convolution that alone reads it.
static Value expandPad(FormBuilder &b, Node &node) {
  NodeOp reader = getOnlyReader(node.getOp().getResult(0));
  if (!isOperator(reader, "Conv") || reader.getInputs()[0] != node.getOp().getResult(0) ||
      node.getString("mode", "constant") != "constant" || node.hasInput(3))
    return {};
  Node conv(reader, getOpset(reader));
  std::optional<SmallVector<int64_t>> pads = node.getInts("pads");
  if (!pads)
    pads = node.getInts("paddings");
  if (node.hasInput(1))
    pads = node.getConstantInts(1);
  int64_t rank = node.getRank(0);
  std::optional<SmallVector<double>> value =
      node.hasInput(2) ? node.getConstantFloats(2) : SmallVector<double>{};
  if (conv.getString("auto_pad", "NOTSET") != "NOTSET" || !pads ||
      int64_t(pads->size()) != 2 * rank || !value || node.getFloat("value", 0) != 0 ||
      llvm::any_of(*value, [](double number) { return number != 0; }) ||
      llvm::any_of(*pads, [](int64_t pad) { return pad < 0; }))
    return {};
  SmallVector<int64_t> all = conv.getInts("pads").value_or(SmallVector<int64_t>(2 * (rank - 2), 0));
  for (int64_t side : {0, 1})
    for (int64_t dim = 0; dim < rank; ++dim) {
      int64_t pad = (*pads)[side * rank + dim];
      if (dim >= 2)
        all[side * (rank - 2) + dim - 2] += pad;
      else if (pad != 0)
        return {};
    }
  setAttribute(reader, "pads", b.getDenseI64ArrayAttr(all));
  return node.getInput(0);
}

static void expandSplit(FormBuilder &b, Node &node) {
  NodeOp op = node.getOp();
  int64_t axis = node.getInt("axis", 0), begin = 0;
  axis += axis < 0 ? node.getRank(0) : 0;
  for (Value result : op.getResults()) {
    int64_t end = begin + getShapeOf(result)[axis];
    if (!result.use_empty())
      result.replaceAllUsesWith(
          b.add("Slice", {node.getInput(0), b.ints({begin}), b.ints({end}), b.ints({axis})}));
    begin = end;
  }
  op.erase();
}

/// Dimensions stay ones, as in the averages that the compiler takes, and are dropped afterwards.
static Value expandReduceMean(FormBuilder &b, Node &node) {
  std::optional<SmallVector<int64_t>> axes = node.getInts("axes");
  if (node.hasInput(1))
    axes = node.getConstantInts(1);
  if (node.getInt("keepdims", 1) != 0)
    return {};
  if (!axes || axes->empty()) {
    if (node.getInt("noop_with_empty_axes", 0) != 0 || (node.hasInput(1) && !axes))
      return {};
    axes = llvm::to_vector(llvm::seq<int64_t>(0, node.getRank(0)));
  }
  Value mean = b.add("ReduceMean", {node.getInput(0), b.ints(*axes)}, {b.integer("keepdims", 1)});
  return b.add("Squeeze", {mean, b.ints(*axes)});
}

/// Each of the pixels that one becomes has channels of its own in a convolution, which DepthToSpace
/// puts side by side.
static Value expandConvTranspose(FormBuilder &b, Node &node) {
  if (node.getRank(0) != 4 || !isFloatConstant(node.getInput(1)) ||
      (node.hasInput(2) && !isFloatConstant(node.getInput(2))))
    return {};
  ArrayRef<int64_t> shape = node.getShape(0), kernel = node.getShape(1).drop_front(2);
  ArrayRef<int64_t> out = node.getOutputType(0).getShape();
  auto strides = node.getInts("strides").value_or(SmallVector<int64_t>(2, 1));
  auto pads = node.getInts("pads").value_or(SmallVector<int64_t>(4, 0));
  if (strides[0] != strides[1] || node.getInt("group", 1) != 1 ||
      !isAll(node.getInts("dilations").value_or(SmallVector<int64_t>()), 1) ||
      node.getString("auto_pad", "NOTSET") != "NOTSET" || node.hasAttribute("output_shape"))
    return {};
  int64_t stride = strides[0], pixels = stride * stride;
  SmallVector<int64_t> before, after, taps, ends;
  for (unsigned dim : {0, 1}) {
    // The pixel s * t + r is the sum of those at t - u times the weights at s * u + r + pad.
    int64_t first = -((pads[dim] + stride - 1) / stride);
    int64_t last = (kernel[dim] - 1 - pads[dim]) / stride;
    int64_t tiles = (out[2 + dim] + stride - 1) / stride;
    before.push_back(last);
    after.push_back(tiles - first - shape[2 + dim]);
    taps.push_back(last - first + 1);
    ends.push_back(out[2 + dim]);
    if (kernel[dim] <= pads[dim] || after.back() < 0)
      return {};
  }
  auto repeated = [&](Value constant, ArrayRef<int64_t> sizes) -> Value {
    auto type = cast<RankedTensorType>(constant.getType());
    int64_t count = RankedTensorType::get(sizes, type.getElementType()).getNumElements();
    return count == type.getNumElements() ? b.reshaped(constant, sizes) : b.floats(sizes);
  };
  Value filters = repeated(node.getInput(1),
                           {pixels * node.getShape(1)[1], node.getShape(1)[0], taps[0], taps[1]});
  Value bias =
      node.hasInput(2) ? repeated(node.getInput(2), {pixels * node.getShape(1)[1]}) : Value();
  SmallVector<int64_t> allPads(before);
  llvm::append_range(allPads, after);
  Value result = b.add("Conv", {node.getInput(0), filters, bias},
                       {b.integers("kernel_shape", taps), b.integers("pads", allPads)});
  if (stride > 1)
    result = b.add("DepthToSpace", {result}, {b.integer("blocksize", stride)});
  if (getShapeOf(result) != out)
    result = b.add("Slice", {result, b.ints({0, 0}), b.ints(ends), b.ints({2, 3})});
  return result;
}

/// The nearest pixel, where each is repeated in both directions: copies of the channels, side by
/// side.
static Value expandResize(FormBuilder &b, Node &node) {
  if (node.getRank(0) != 4 || node.getString("mode", "nearest") != "nearest")
    return {};
  ArrayRef<int64_t> shape = node.getShape(0), out = node.getOutputType(0).getShape();
  int64_t factor = out[2] / std::max<int64_t>(shape[2], 1);
  if (factor < 2 || shape.take_front(2) != out.take_front(2) || shape[2] * factor != out[2] ||
      shape[3] * factor != out[3])
    return {};
  // Before opset 11, places are those of asymmetric, rounded down.
  bool isOld = node.getOpType() == "Upsample" || node.getOpset() < 11;
  StringRef place =
      isOld ? "asymmetric" : node.getString("coordinate_transformation_mode", "half_pixel");
  StringRef rounding = isOld ? "floor" : node.getString("nearest_mode", "round_prefer_floor");
  bool isHalf = place == "half_pixel" || place == "pytorch_half_pixel";
  if (!isHalf && place != "asymmetric")
    return {};
  for (int64_t index = 0; index < factor * 4; ++index) {
    double exact =
        isHalf ? (double(index) + 0.5) / double(factor) - 0.5 : double(index) / double(factor);
    double rounded = rounding == "floor"               ? std::floor(exact)
                     : rounding == "ceil"              ? std::ceil(exact)
                     : rounding == "round_prefer_ceil" ? std::floor(exact + 0.5)
                                                       : std::ceil(exact - 0.5);
    if (std::clamp(rounded, 0.0, 3.0) != double(index / factor))
      return {};
  }
  Value copies = b.concat(SmallVector<Value>(factor * factor, node.getInput(0)), 1);
  auto concat = copies.getDefiningOp<NodeOp>();
  Node copying(concat, newestOpset);
  if (failed(inferNode(*lookupOpSpec(concat), copying)))
    return {};
  return b.add("DepthToSpace", {copies}, {b.integer("blocksize", factor)});
}

/// Replaces a node where that is possible.
static void expandNode(NodeOp op) {
  using Expand = Value (*)(FormBuilder &, Node &);
  static constexpr std::pair<StringLiteral, Expand> expansions[] = {
      {"AveragePool", expandAveragePool},
      {"BatchNormalization", expandBatchNormalization},
      {"ConvTranspose", expandConvTranspose},
      {"Pad", expandPad},
      {"ReduceMean", expandReduceMean},
      {"Resize", expandResize},
      {"Upsample", expandResize}};
  if (op.getDomain() || op.getInputs().empty() || !isF32(op.getInputs()[0]) ||
      isConstant(op.getInputs()[0]))
    return;
  Node node(op, getOpset(op));
  FormBuilder b(node);
  if (isOperator(op, "Split")) {
    expandSplit(b, node);
    return;
  }
  for (auto [name, expand] : expansions)
    if (op.getOpType() == name) {
      Value result = expand(b, node);
      if (!result)
        return;
      op.getResult(0).replaceAllUsesWith(result);
      op.erase();
      return;
    }
}

void npu::onnx_ir::takeByteForms(func::FuncOp function) {
  Block &body = function.getBody().front();
  auto visitNodes = [&](llvm::function_ref<void(NodeOp)> visit) {
    for (NodeOp op : llvm::make_early_inc_range(body.getOps<NodeOp>()))
      visit(op);
  };
  visitNodes([](NodeOp op) {
    if (!foldConstantMove(op))
      dropIdentity(op);
  });
  foldFollowers(function);
  visitNodes([](NodeOp op) {
    if (isOperator(op, "Gemm"))
      simplifyGemm(op);
  });
  visitNodes(expandNode);
  // A normalization may have its factors and offsets in nodes behind it.
  foldFollowers(function);
  visitNodes(flattenBias);
}
