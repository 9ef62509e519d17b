//===- OpSpec.cpp - what is known of ONNX operators -----------------------===//

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

#include "OpSpecFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace npu::onnx_ir;

SmallVector<ElementsAttr> npu::onnx_ir::foldNone(Node &) { return {}; }

static const OpSpec specs[] = {
#define ONNX_OP(NAME, SINCE, MIN, MAX, OUTPUTS, ATTRIBUTES, CONSTANTS, INFER, FOLD, LOWER, RUNS,   \
                LIMITS)                                                                            \
  {#NAME,     SINCE,        MIN,        MAX,        OUTPUTS, ATTRIBUTES,                           \
   CONSTANTS, infer##INFER, fold##FOLD, Runs::RUNS, LIMITS},
#include "NPU/Dialect/ONNX/Specs/OpSpecs.def"
#undef ONNX_OP
};

ArrayRef<OpSpec> npu::onnx_ir::getOpSpecs() { return specs; }

const OpSpec *npu::onnx_ir::lookupOpSpec(NodeOp op) {
  if (op.getDomain())
    return nullptr;
  const OpSpec *spec = llvm::lower_bound(
      specs, op.getOpType(), [](const OpSpec &spec, StringRef name) { return spec.name < name; });
  return spec != std::end(specs) && spec->name == op.getOpType() ? spec : nullptr;
}

int64_t npu::onnx_ir::getOpset(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto opsets = op->getAttrOfType<DictionaryAttr>(opsetAttrName))
      if (auto version = opsets.getAs<IntegerAttr>(defaultDomain))
        return version.getInt();
  return 1;
}

LogicalResult npu::onnx_ir::inferNode(const OpSpec &spec, Node &node) {
  if (node.getOpset() < spec.since)
    return node.reject() << "expected opset " << spec.since << " or newer; convert the model";
  if (node.getNumInputs() < spec.minInputs ||
      (spec.maxInputs >= 0 && node.getNumInputs() > unsigned(spec.maxInputs))) {
    InFlightDiagnostic error = node.reject() << "expected ";
    if (spec.maxInputs < 0)
      error << "at least " << spec.minInputs;
    else if (unsigned(spec.maxInputs) == spec.minInputs)
      error << spec.minInputs;
    else
      error << spec.minInputs << " to " << spec.maxInputs;
    return error << " inputs, found " << node.getNumInputs();
  }
  if (node.getNumOutputs() > spec.maxOutputs)
    return node.reject() << "expected at most " << spec.maxOutputs << " outputs, found "
                         << node.getNumOutputs();
  for (unsigned index = 0; index < node.getNumInputs(); ++index) {
    if (!node.hasInput(index)) {
      if (index < spec.minInputs)
        return node.reject() << "expected input " << index << ", found none";
      continue;
    }
    auto type = dyn_cast<RankedTensorType>(node.getInput(index).getType());
    if (!type || !type.getElementType().isIntOrFloat())
      return node.reject() << "expected input " << index << " to be a tensor of numbers, found "
                           << node.getInput(index).getType();
    if (!type.hasStaticShape())
      return node.reject() << "expected input " << index << " to have a static shape, found "
                           << type << "; give graph inputs static shapes with --onnx-dim";
    if (spec.needsConstant(index) && !node.getConstant(index))
      return node.reject() << "expected input " << index
                           << " to be a constant, as shapes depend on it; bind the graph's input "
                              "with --onnx-bind-input";
  }
  SmallVector<StringRef> known;
  spec.attributes.split(known, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  if (std::optional<DictionaryAttr> attributes = node.getOp().getNodeAttributes())
    for (NamedAttribute attribute : *attributes)
      if (!llvm::is_contained(known, attribute.getName().getValue())) {
        InFlightDiagnostic error = node.reject() << "expected ";
        if (known.empty())
          error << "no attributes";
        else
          error << "the attributes " << llvm::join(known, ", ");
        return error << ", found " << attribute.getName().getValue();
      }
  return spec.infer(node);
}
