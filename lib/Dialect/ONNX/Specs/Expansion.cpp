//===- Expansion.cpp - nodes that stand for others ------------------------===//

#include "NPU/Dialect/ONNX/Specs/Expansion.h"

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

using namespace mlir;
using namespace npu::onnx_ir;

Expansion::Expansion(Node &node)
    : ImplicitLocOpBuilder(node.getOp().getLoc(), node.getOp()), node(node),
      results(node.getNumOutputs()) {}

ResultRange Expansion::ops(StringRef type, Values inputs, unsigned numOutputs,
                           Attributes attributes) {
  SmallVector<Value> operands(inputs);
  for (Value &operand : operands)
    if (!operand)
      operand = NoneOp::create(*this, getNoneType());
  SmallVector<Type> types(numOutputs, UnknownType::get(getContext()));
  auto op = NodeOp::create(*this, types, getStringAttr(type), StringAttr(), operands,
                           attributes.empty() ? DictionaryAttr() : getDictionaryAttr(attributes));
  op.setOpset(newestOpset);
  return op.getResults();
}

Value Expansion::op(StringRef type, Values inputs, Attributes attributes) {
  return ops(type, inputs, 1, attributes).front();
}

NamedAttribute Expansion::integer(StringRef name, int64_t value) {
  return getNamedAttr(name, getI64IntegerAttr(value));
}
NamedAttribute Expansion::number(StringRef name, double value) {
  return getNamedAttr(name, getF32FloatAttr(value));
}
NamedAttribute Expansion::string(StringRef name, StringRef value) {
  return getNamedAttr(name, getStringAttr(value));
}
NamedAttribute Expansion::integers(StringRef name, ArrayRef<int64_t> values) {
  return getNamedAttr(name, getDenseI64ArrayAttr(values));
}

SmallVector<NamedAttribute> Expansion::copied(ArrayRef<StringRef> names) {
  SmallVector<NamedAttribute> attributes;
  for (StringRef name : names)
    if (Attribute value = node.getAttribute(name))
      attributes.push_back(getNamedAttr(name, value));
  return attributes;
}

Value Expansion::constant(Type elementType, ArrayRef<int64_t> shape, double value) {
  auto type = RankedTensorType::get(shape, elementType);
  Attribute element;
  if (auto floatType = dyn_cast<FloatType>(elementType))
    element = FloatAttr::get(floatType, value);
  else
    element = IntegerAttr::get(elementType, APInt(elementType.getIntOrFloatBitWidth(),
                                                  static_cast<int64_t>(value), /*isSigned=*/true,
                                                  /*implicitTrunc=*/true));
  return ConstantOp::create(*this, DenseElementsAttr::get(type, ArrayRef(element)));
}

Value Expansion::ints(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(static_cast<int64_t>(values.size()), getI64Type());
  return ConstantOp::create(*this, DenseElementsAttr::get(type, values));
}

Value Expansion::numbers(Type elementType, ArrayRef<int64_t> shape, ArrayRef<double> values) {
  auto type = RankedTensorType::get(shape, elementType);
  if (elementType.isF32()) {
    std::vector<float> floats(values.begin(), values.end());
    return ConstantOp::create(*this, DenseElementsAttr::get(type, ArrayRef<float>(floats)));
  }
  SmallVector<Attribute> elements;
  for (double value : values)
    elements.push_back(isa<FloatType>(elementType)
                           ? Attribute(getFloatAttr(elementType, value))
                           : Attribute(getIntegerAttr(elementType, static_cast<int64_t>(value))));
  return ConstantOp::create(*this, DenseElementsAttr::get(type, elements));
}

Value Expansion::cast(Value value, Type elementType) {
  return op("CastLike", {value, constant(elementType, {}, 0)});
}

Value Expansion::prefix(Value value, Value count, int64_t axis) {
  return PrefixOp::create(*this, UnknownType::get(getContext()), value, count, axis);
}

Value Expansion::takeEvery(Value value, int64_t axis, int64_t step) {
  constexpr int64_t end = std::numeric_limits<int64_t>::max();
  return op("Slice", {value, ints({step < 0 ? -1 : 0}), ints({step < 0 ? -end : end}), ints({axis}),
                      ints({step})});
}

SmallVector<Value> Expansion::loop(int64_t trips, Values initial, unsigned numScanned,
                                   LoopBody writeBody) {
  SmallVector<Value> operands{constant(getI64Type(), {}, trips), constant(getI1Type(), {}, 1)};
  llvm::append_range(operands, initial);
  Type unknown = UnknownType::get(getContext());
  OperationState state(getLoc(), NodeOp::getOperationName());
  NodeOp::build(*this, state, SmallVector<Type>(initial.size() + numScanned, unknown),
                getStringAttr("Loop"), StringAttr(), operands,
                getDictionaryAttr(getNamedAttr("body", getUnitAttr())));
  state.addRegion();
  auto node = llvm::cast<NodeOp>(create(state));
  node.setOpset(newestOpset);
  InsertionGuard guard(*this);
  SmallVector<Type> types(2 + initial.size(), unknown);
  Block *block = createBlock(&node.getGraphs().front(), {}, types,
                             SmallVector<Location>(types.size(), getLoc()));
  SmallVector<Value> outputs{block->getArgument(1)};
  llvm::append_range(outputs,
                     writeBody(block->getArgument(0), block->getArguments().drop_front(2)));
  YieldOp::create(*this, outputs);
  return SmallVector<Value>(node.getOutputs());
}
