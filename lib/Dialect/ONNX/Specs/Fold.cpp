//===- Fold.cpp - constants, and what only renames them -------------------===//

#include "OpSpecFunctions.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace npu::onnx_ir;

/// The value of a Constant node, whichever attribute holds it.
static ElementsAttr getConstantValue(Node &node) {
  MLIRContext *context = node.getOp().getContext();
  if (auto value = dyn_cast_or_null<ElementsAttr>(node.getAttribute("value")))
    return value;
  if (node.hasAttribute("value_int"))
    return DenseElementsAttr::get(RankedTensorType::get({}, IntegerType::get(context, 64)),
                                  node.getInt("value_int", 0));
  if (node.hasAttribute("value_float"))
    return DenseElementsAttr::get(RankedTensorType::get({}, Float32Type::get(context)),
                                  float(node.getFloat("value_float", 0)));
  if (std::optional<SmallVector<int64_t>> values = node.getInts("value_ints"))
    return DenseElementsAttr::get(
        RankedTensorType::get({int64_t(values->size())}, IntegerType::get(context, 64)),
        ArrayRef<int64_t>(*values));
  if (auto values = dyn_cast_or_null<DenseF32ArrayAttr>(node.getAttribute("value_floats")))
    return DenseElementsAttr::get(
        RankedTensorType::get({int64_t(values.size())}, Float32Type::get(context)),
        values.asArrayRef());
  return {};
}

LogicalResult npu::onnx_ir::inferConstant(Node &node) {
  ElementsAttr value = getConstantValue(node);
  if (!value)
    return node.reject() << "expected a value that is a tensor of numbers, found none";
  return node.setOutput(0, value.getShapedType().getShape(), value.getElementType());
}

SmallVector<ElementsAttr> npu::onnx_ir::foldConstant(Node &node) {
  return {getConstantValue(node)};
}
