//===- Loop.cpp - the parts of a Loop node, and its types -----------------===//

#include "NPU/Dialect/ONNX/Specs/Loop.h"

#include "OpSpecFunctions.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npu::onnx_ir;

std::optional<Loop> Loop::match(Node &node) {
  NodeOp op = node.getOp();
  Region *body = op.findGraph("body");
  if (!body || op.getInputs().size() < 2)
    return std::nullopt;
  Loop loop(node, body);
  size_t carried = loop.initial().size();
  if (llvm::any_of(loop.initial(), [](Value value) { return isa<NoneType>(value.getType()); }) ||
      body->getNumArguments() != 2 + carried || op.getNumResults() < carried ||
      loop.yield()->getNumOperands() != 1 + op.getNumResults())
    return std::nullopt;
  return loop;
}

static std::optional<int64_t> getInteger(Value value) {
  ElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  std::optional<SmallVector<int64_t>> values = readInts(constant);
  if (!values || values->size() != 1)
    return std::nullopt;
  return values->front();
}

/// Exporters copy the condition, or write a constant where it was.
static bool isTrue(Value value, Value argument) {
  while (auto node = value.getDefiningOp<NodeOp>()) {
    if (node.getOpType() == "Constant" && !node.getDomain()) {
      auto elements = node.getNodeAttributesAttr()
                          ? node.getNodeAttributesAttr().getAs<ElementsAttr>("value")
                          : ElementsAttr();
      std::optional<SmallVector<int64_t>> values;
      if (elements)
        values = readInts(elements);
      return values && values->size() == 1 && values->front() != 0;
    }
    if ((node.getOpType() != "Identity" && node.getOpType() != "Cast") || node.getDomain() ||
        node.getInputs().empty())
      return false;
    value = node.getInputs().front();
  }
  return value == argument || getInteger(value).value_or(0) != 0;
}

bool Loop::isCounted() const {
  return node.hasInput(0) && (!node.hasInput(1) || isTrue(node.getInput(1), {})) &&
         isTrue(yield()->getOperand(0), graph->getArgument(1));
}

std::optional<int64_t> Loop::getTrips() const {
  return node.hasInput(0) ? getInteger(node.getInput(0)) : std::nullopt;
}

LogicalResult npu::onnx_ir::inferIf(Node &node) {
  NodeOp op = node.getOp();
  Region *then = op.findGraph("then_branch"), *otherwise = op.findGraph("else_branch");
  if (!then || !otherwise)
    return node.reject() << "expected the subgraphs then_branch and else_branch";
  if (node.getInputType(0).getNumElements() != 1 || !node.getElementType(0).isInteger(1))
    return node.reject() << "expected one Boolean as condition, found " << node.getInputType(0);
  TypeRange types = then->front().getTerminator()->getOperandTypes();
  TypeRange others = otherwise->front().getTerminator()->getOperandTypes();
  if (types.size() != op.getNumResults() || types != others)
    return node.reject() << "expected branches that give the same types, as the condition is not "
                            "a constant, found "
                         << types << " and " << others;
  for (auto [index, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return node.reject() << "expected branches that give tensors, found " << type;
    if (failed(node.setOutput(index, tensor.getShape(), tensor.getElementType())))
      return failure();
  }
  return success();
}

LogicalResult npu::onnx_ir::inferLoop(Node &node) {
  std::optional<Loop> loop = Loop::match(node);
  if (!loop)
    return node.reject() << "expected a subgraph body"; // its arguments have been checked
  for (auto [index, width] : {std::pair(0u, 64u), {1u, 1u}})
    if (node.hasInput(index) && (node.getInputType(index).getNumElements() != 1 ||
                                 !node.getElementType(index).isInteger(width)))
      return node.reject()
             << "expected an i64 as number of iterations and a Boolean as condition, found "
             << node.getInputType(index);
  TypeRange outputs = loop->yield()->getOperandTypes();
  auto condition = dyn_cast<RankedTensorType>(outputs.front());
  if (!condition || condition.getNumElements() != 1 || !condition.getElementType().isInteger(1))
    return node.reject() << "expected one Boolean as condition, found " << outputs.front();
  size_t carried = loop->initial().size();
  for (auto [index, type] : llvm::enumerate(outputs.drop_front())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return node.reject() << "expected a body that gives tensors, found " << type;
    if (index < carried) {
      Type initial = loop->initial()[index].getType();
      if (type != initial)
        return node.reject() << "expected iterations to leave types as they are, found " << initial
                             << " and then " << type;
      if (failed(node.setOutput(index, tensor.getShape(), tensor.getElementType())))
        return failure();
      continue;
    }
    std::optional<int64_t> trips = loop->getTrips();
    if (!trips || !loop->isCounted())
      return node.reject() << "expected a constant number of iterations, as shapes depend on it";
    SmallVector<int64_t> shape{std::max<int64_t>(*trips, 0)};
    llvm::append_range(shape, tensor.getShape());
    if (failed(node.setOutput(index, shape, tensor.getElementType())))
      return failure();
  }
  return success();
}
