//===- BytePlan.cpp - which values of an ONNX graph become bytes ----------===//

#include "BytePlan.h"
#include "ByteForms.h"

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

//===----------------------------------------------------------------------===//
// Operators, as npu-quantize has them
//===----------------------------------------------------------------------===//

static bool isOneOf(NodeOp op, ArrayRef<StringRef> names) {
  return !op.getDomain() && llvm::is_contained(names, op.getOpType());
}

static bool isProductOperator(NodeOp op) { return isOneOf(op, {"Conv", "Gemm", "MatMul"}); }

/// The same on bytes as on the numbers that they stand for, so that all of it has one scale.
static bool isMove(NodeOp op) {
  return isOneOf(op,
                 {"Concat", "DepthToSpace", "Expand", "Flatten", "Gather", "MaxPool", "Reshape",
                  "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile", "Transpose", "Unsqueeze"});
}

static bool isAverage(NodeOp op) { return isOneOf(op, {"AveragePool", "GlobalAveragePool"}); }

static bool isRowOperator(NodeOp op) {
  return isOneOf(op,
                 {"GroupNormalization", "InstanceNormalization", "LayerNormalization", "LogSoftmax",
                  "LpNormalization", "MeanVarianceNormalization", "RMSNormalization", "Softmax"});
}

static bool isFloatReduction(NodeOp op) {
  return isOneOf(op, {"ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum",
                      "ReduceSumSquare"});
}

static bool isElementwise(NodeOp op) {
  return isOneOf(op, {"Abs",
                      "Add",
                      "BatchNormalization",
                      "Ceil",
                      "Celu",
                      "Clip",
                      "Cos",
                      "Div",
                      "Elu",
                      "Erf",
                      "Exp",
                      "Floor",
                      "Gelu",
                      "HardSigmoid",
                      "HardSwish",
                      "Identity",
                      "LeakyRelu",
                      "Log",
                      "Max",
                      "Mean",
                      "Min",
                      "Mish",
                      "Mul",
                      "Neg",
                      "PRelu",
                      "Pow",
                      "Reciprocal",
                      "Relu",
                      "Round",
                      "Selu",
                      "Sigmoid",
                      "Sign",
                      "Sin",
                      "Softplus",
                      "Softsign",
                      "Sqrt",
                      "Sub",
                      "Sum",
                      "Swish",
                      "Tanh",
                      "ThresholdedRelu",
                      "Where"});
}

/// Whether `op` is a Relu, or a Clip by constants.
static bool isLimit(NodeOp op) {
  return isOneOf(op, {"Relu", "Clip"}) &&
         llvm::all_of(op.getInputs().drop_front(), [](Value limit) {
           return isa_and_nonnull<ConstantOp, NoneOp>(limit.getDefiningOp());
         });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool npu::onnx_ir::isFloatValue(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32() && !value.getDefiningOp<ConstantOp>();
}

static SmallVector<Value> getFloatValues(ValueRange values) {
  return llvm::filter_to_vector(values, isFloatValue);
}

Value BytePlan::findGroup(Value value) const {
  for (Value next; (next = groups.lookup(value)) && next != value;)
    value = next;
  return value;
}

void BytePlan::unite(ValueRange values) {
  for (Value value : values)
    groups[findGroup(value)] = findGroup(values.front());
}

bool BytePlan::readsBytes(NodeOp op, Value value) const {
  if (Value constant = added.lookup(op))
    return constant == value;
  return groups.count(value) && llvm::any_of(op.getResults(), [&](Value result) {
           return isQuantized(result) && findGroup(result) == findGroup(value);
         });
}

//===----------------------------------------------------------------------===//
// Nodes, in order
//===----------------------------------------------------------------------===//

/// Whether a product has the form that is quantized.
static bool isQuantizable(NodeOp op) {
  for (Value input : op.getInputs().take_front(2))
    if (!isFloatValue(input) && !isFloatConstant(input))
      return false;
  Node node(op, getOpset(op));
  if (node.hasInput(2) && !isFloatConstant(node.getInput(2)))
    return false;
  if (op.getOpType() == "Conv")
    return isFloatConstant(node.getInput(1));
  return op.getOpType() != "Gemm" ||
         (node.getFloat("alpha", 1) == 1 && (!node.hasInput(2) || node.getFloat("beta", 1) == 1) &&
          node.getInt("transA", 0) == 0);
}

BytePlan::BytePlan(func::FuncOp function) {
  // A value that is found to be bytes may end a region that was seen before it.
  for (size_t before = ~size_t(0); before != quantized.size();) {
    before = quantized.size();
    visitAll(function);
  }
}

void BytePlan::visitAll(func::FuncOp function) {
  roots.clear();
  reduced.clear();
  absorbed.clear();
  products.clear();
  Block &body = function.getBody().front();
  for (NodeOp op : body.getOps<NodeOp>())
    visit(op);
  for (Value result : body.getTerminator()->getOperands())
    if (isFloatValue(result) && roots.lookup(result))
      quantized.insert(result);
}

void BytePlan::visit(NodeOp op) {
  if (absorbed.contains(op))
    return;
  SmallVector<Value> values = getFloatValues(op.getInputs());
  if (values.empty()) {
    if (op.getOpType() == "Gather" && !getFloatValues(op.getResults()).empty())
      visitMove(op, values);
    return;
  }
  if (isProductOperator(op))
    visitProduct(op, values);
  else if (isMove(op))
    visitMove(op, values);
  else if (isAverage(op))
    visitAverage(op, values);
  else if (isRowOperator(op))
    visitRows(op, values);
  else if (isElementwise(op) || isFloatReduction(op))
    visitRegion(op, values);
}

Value BytePlan::absorbEnd(NodeOp op, bool isBiased) {
  Value end = op.getResult(0);
  for (bool isFirst = true; NodeOp reader = getOnlyReader(end); isFirst = false) {
    if (isOneOf(reader, {"Add"}) && isBiased && isFirst) {
      Value other = reader.getInputs()[reader.getInputs()[0] == end ? 1 : 0];
      auto type = cast<RankedTensorType>(end.getType());
      if (!isFloatConstant(other) || type.getRank() == 0 ||
          cast<RankedTensorType>(other.getType()).getShape() != type.getShape().take_back())
        break;
      biases[op] = reader;
    } else if (!isLimit(reader)) {
      break;
    }
    absorbed.insert(reader);
    end = reader.getResult(0);
  }
  return end;
}

void BytePlan::visitProduct(NodeOp op, ArrayRef<Value> values) {
  if (!isQuantizable(op))
    return;
  Value end = absorbEnd(op, op.getOpType() == "MatMul");
  cut(values);
  cut(end);
  products.insert(op);
}

void BytePlan::visitMove(NodeOp op, ArrayRef<Value> values) {
  SmallVector<Value> outputs = getFloatValues(op.getResults());
  if (op.getOpType() == "MaxPool" && outputs.size() != op.getNumResults())
    return;
  ValueRange tensors = op.getInputs();
  if (op.getOpType() != "Concat")
    tensors = tensors.take_front();
  SmallVector<Value> moved = getFloatValues(tensors);
  bool hasBytes = llvm::any_of(moved, [&](Value value) { return bool(getRoot(value)); }) ||
                  llvm::any_of(outputs, [&](Value value) { return isQuantized(value); });
  if (!hasBytes)
    return;
  llvm::append_range(moved, outputs);
  cut(moved);
  llvm::copy_if(tensors, std::back_inserter(moved), isFloatConstant);
  unite(moved);
}

void BytePlan::visitAverage(NodeOp op, ArrayRef<Value> values) {
  SmallVector<Value> outputs = getFloatValues(op.getResults());
  if (!getRoot(values.front()) &&
      llvm::none_of(outputs, [&](Value value) { return isQuantized(value); }))
    return;
  cut(values.front());
  cut(outputs);
}

void BytePlan::visitRows(NodeOp op, ArrayRef<Value> values) {
  if (!getRoot(values.front()))
    return;
  if (reduced.contains(values.front()))
    cut(values.front());
  cut(getFloatValues(op.getResults().take_front()));
}

/// Whether only a Softmax reads the result, so that what is added or selected may be a mask.
static bool feedsSoftmax(NodeOp op) {
  constexpr unsigned maxDistance = 8;
  for (unsigned distance = 0; distance < maxDistance; ++distance) {
    op = getOnlyReader(op.getResult(0));
    if (!op || op.getOpType() == "Softmax")
      return bool(op);
    if (!isElementwise(op))
      return false;
  }
  return false;
}

void BytePlan::visitRegion(NodeOp op, ArrayRef<Value> values) {
  llvm::SetVector<Value> found;
  for (Value value : values)
    if (Value root = getRoot(value))
      found.insert(root);
  if (found.empty())
    return;
  Value constant = findAdded(op, values);
  bool isAlone =
      !constant && llvm::all_of(values, [&](Value value) { return bool(getRoot(value)); });
  if (found.size() == 1 && (isAlone || feedsSoftmax(op))) {
    bool isReduced = isFloatReduction(op) ||
                     llvm::any_of(values, [&](Value value) { return reduced.contains(value); });
    for (Value result : getFloatValues(op.getResults())) {
      roots[result] = found.front();
      if (isReduced)
        reduced.insert(result);
    }
    return;
  }
  Value end = absorbEnd(op, /*isBiased=*/false);
  cut(values);
  cut(end);
  if (constant) {
    added[op] = constant;
    groups.try_emplace(constant, constant);
  }
}

/// The tensor of constants that a sum adds, such as positions: bytes of it are added as those of
/// another value. Not in a normalization, which has such constants of its own.
Value BytePlan::findAdded(NodeOp op, ArrayRef<Value> values) const {
  if (!isOneOf(op, {"Add", "Sub"}) || values.size() != 1 || reduced.contains(values.front()))
    return {};
  for (Value input : op.getInputs())
    if (isFloatConstant(input) && cast<RankedTensorType>(input.getType()).getNumElements() > 1)
      return input;
  return {};
}
