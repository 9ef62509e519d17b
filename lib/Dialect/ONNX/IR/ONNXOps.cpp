//===- ONNXOps.cpp - ONNX graphs as they are in files ---------------------===//

#include "NPU/Dialect/ONNX/IR/ONNXOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace npu::onnx_ir;

#include "NPU/Dialect/ONNX/IR/ONNXOpsDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "NPU/Dialect/ONNX/IR/ONNXOpsTypes.cpp.inc"

void ONNXDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "NPU/Dialect/ONNX/IR/ONNXOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "NPU/Dialect/ONNX/IR/ONNXOps.cpp.inc"
      >();
}

Operation *ONNXDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

#define GET_OP_CLASSES
#include "NPU/Dialect/ONNX/IR/ONNXOps.cpp.inc"

LogicalResult PrefixOp::verify() {
  auto source = dyn_cast<RankedTensorType>(getSource().getType());
  if (!source)
    return success(); // not inferred yet
  auto axis = static_cast<int64_t>(getAxis());
  if (axis < 0 || axis >= source.getRank())
    return emitOpError("expected an axis of ") << source << ", found " << axis;
  auto count = dyn_cast<RankedTensorType>(getCount().getType());
  if (count && (count.getRank() != 0 || !count.getElementType().isInteger(64)))
    return emitOpError("expected a count of tensor<i64>, found ") << count;
  return success();
}

void PrefixOp::inferType() {
  auto source = dyn_cast<RankedTensorType>(getSource().getType());
  if (!source || failed(verify()))
    return;
  SmallVector<int64_t> shape(source.getShape());
  shape[getAxis()] = ShapedType::kDynamic;
  getResult().setType(RankedTensorType::get(shape, source.getElementType()));
}

void NodeOp::build(OpBuilder &, OperationState &state, TypeRange outputs, StringAttr opType,
                   StringAttr domain, ValueRange inputs, DictionaryAttr attributes) {
  state.addOperands(inputs);
  state.addTypes(outputs);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setOpType(opType);
  properties.setDomain(domain);
  properties.setNodeAttributes(attributes);
}

/// The attributes that stand for subgraphs.
static auto getGraphAttributes(NodeOp op) {
  ArrayRef<NamedAttribute> attributes;
  if (DictionaryAttr dictionary = op.getNodeAttributesAttr())
    attributes = dictionary.getValue();
  return llvm::make_filter_range(
      attributes, [](NamedAttribute attribute) { return isa<UnitAttr>(attribute.getValue()); });
}

Region *NodeOp::findGraph(StringRef name) {
  for (auto [region, attribute] : llvm::zip(getGraphs(), getGraphAttributes(*this)))
    if (attribute.getName() == name)
      return &region;
  return nullptr;
}

LogicalResult NodeOp::verify() {
  auto names = getGraphAttributes(*this);
  unsigned count = std::distance(names.begin(), names.end());
  if (getGraphs().size() != count)
    return emitOpError("expected a region for each of the ")
           << count << " attributes that are subgraphs, found " << getGraphs().size();
  for (Region &graph : getGraphs())
    if (graph.front().empty() || !isa<YieldOp>(graph.front().back()))
      return emitOpError("expected subgraphs to end with onnx.yield");
  return success();
}
