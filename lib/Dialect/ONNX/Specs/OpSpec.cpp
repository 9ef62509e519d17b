//===- OpSpec.cpp - what is known of ONNX operators -----------------------===//

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"

#include "OpSpecFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

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

static const OpSpec functionSpecs[] = {
#define ONNX_FUNCTION(DOMAIN, NAME, SINCE, MIN, MAX, OUTPUTS, ATTRIBUTES, CONSTANTS, EXPAND, RUNS, \
                      LIMITS)                                                                      \
  {#NAME,   SINCE,    MIN,        MAX,    OUTPUTS, ATTRIBUTES,    CONSTANTS,                       \
   nullptr, foldNone, Runs::RUNS, LIMITS, DOMAIN,  expand##EXPAND},
#include "NPU/Dialect/ONNX/Specs/FunctionSpecs.def"
#undef ONNX_FUNCTION
};

ArrayRef<OpSpec> npu::onnx_ir::getOpSpecs() { return specs; }
ArrayRef<OpSpec> npu::onnx_ir::getFunctionSpecs() { return functionSpecs; }

const OpSpec *npu::onnx_ir::lookupOpSpec(NodeOp op) {
  auto key = std::make_pair(op.getDomain().value_or(""), op.getOpType());
  for (ArrayRef<OpSpec> table : {getOpSpecs(), getFunctionSpecs()}) {
    auto getKey = [](const OpSpec &spec) {
      return std::make_pair(StringRef(spec.domain), StringRef(spec.name));
    };
    const OpSpec *spec = llvm::lower_bound(
        table, key, [&](const OpSpec &spec, const auto &key) { return getKey(spec) < key; });
    if (spec != table.end() && getKey(*spec) == key)
      return spec;
  }
  return nullptr;
}

int64_t npu::onnx_ir::getOpset(NodeOp node) {
  if (std::optional<int64_t> own = node.getOpset())
    return *own;
  StringRef domain = node.getDomain().value_or(defaultDomain);
  for (Operation *op = node; op; op = op->getParentOp())
    if (auto opsets = op->getAttrOfType<DictionaryAttr>(opsetAttrName))
      if (auto version = opsets.getAs<IntegerAttr>(domain))
        return version.getInt();
  return 1;
}

namespace {
/// What an attribute holds.
enum class Kind {
  Integer,
  Integers,
  Float,
  Floats,
  String,
  FloatOrFloats,
  Strings,
  Graph,
  Tensor,
  TensorOrFloat,
  IntegerOrFloat,
  IntegerOrString
};
} // namespace

/// In all operators of ai.onnx.ml that have an attribute of this name. TreeEnsemble has tensors and
/// numbers where those that it replaces have lists and names.
static Kind getLearnedKind(StringRef name, bool isTreeEnsemble) {
  if (name.ends_with("_as_tensor"))
    return Kind::Tensor;
  return llvm::StringSwitch<Kind>(name)
      .Cases({"leaf_weights", "membership_values", "nodes_splits"}, Kind::Tensor)
      .Case("nodes_hitrates", isTreeEnsemble ? Kind::Tensor : Kind::Floats)
      .Case("nodes_modes", isTreeEnsemble ? Kind::Tensor : Kind::Strings)
      .Cases({"aggregate_function", "post_transform"},
             isTreeEnsemble ? Kind::Integer : Kind::String)
      .Case("norm", Kind::String)
      .Case("classlabels_strings", Kind::Strings)
      .Cases({"base_values", "class_weights", "coefficients", "intercepts"}, Kind::Floats)
      .Cases({"nodes_values", "offset", "scale", "target_weights"}, Kind::Floats)
      .Case("threshold", Kind::Float)
      .Cases({"multi_class", "n_targets", "targets"}, Kind::Integer)
      .Default(Kind::Integers);
}

/// The same of all other operators.
static Kind getKind(StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases({"axes", "consumed_inputs", "dilations", "ends", "kernel_shape"}, Kind::Integers)
      .Cases({"output_padding", "output_shape", "paddings", "pads", "perm"}, Kind::Integers)
      .Cases({"shape", "split", "starts", "strides", "value_ints"}, Kind::Integers)
      .Cases({"qkv_hidden_sizes", "scan_input_axes", "scan_input_directions"}, Kind::Integers)
      .Cases({"scan_output_axes", "scan_output_directions"}, Kind::Integers)
      .Cases({"ngram_counts", "ngram_indexes", "pool_int64s"}, Kind::Integers)
      .Cases({"alpha", "beta", "cubic_coeff_a", "epsilon"}, Kind::Float)
      .Case("bias", Kind::FloatOrFloats) // of LRN and Shrink, and of ImageScaler
      .Cases({"extrapolation_value", "gamma", "height_scale", "lambd", "max"}, Kind::Float)
      .Cases({"min", "momentum", "ratio", "value_float", "width_scale"}, Kind::Float)
      .Cases({"clip", "decay_factor", "mask_filter_value", "norm_coefficient"}, Kind::Float)
      .Cases({"norm_coefficient_post", "scale", "softcap", "spatial_scale"}, Kind::Float)
      .Cases({"activation_alpha", "activation_beta", "scales", "value_floats"}, Kind::Floats)
      .Case("weights", Kind::Floats)
      .Case("activations", Kind::Strings)
      .Cases({"body", "else_branch", "then_branch"}, Kind::Graph)
      .Cases({"activation", "approximate", "auto_pad", "update_rule"}, Kind::String)
      .Case("coordinate_transformation_mode", Kind::String)
      .Cases({"direction", "equation", "keep_aspect_ratio_policy", "mode"}, Kind::String)
      .Cases({"nearest_mode", "padding_mode", "reduction", "round_mode"}, Kind::String)
      .Case("p", Kind::IntegerOrFloat)    // of LpPool and of Dropout's relatives
      .Case("to", Kind::IntegerOrString)  // Cast wrote the name of the type at first
      .Case("value", Kind::TensorOrFloat) // of Constant, and of Pad
      .Default(Kind::Integer);
}

/// What `value` should be, and whether it is.
static std::pair<StringRef, bool> checkKind(Kind kind, Attribute value) {
  switch (kind) {
  case Kind::Integer:
    return {"an integer", isa<IntegerAttr>(value)};
  case Kind::Integers:
    return {"integers", isa<DenseI64ArrayAttr>(value)};
  case Kind::Float:
    return {"a float", isa<FloatAttr>(value)};
  case Kind::Floats:
    return {"floats", isa<DenseF32ArrayAttr>(value)};
  case Kind::String:
    return {"a string", isa<StringAttr>(value)};
  case Kind::FloatOrFloats:
    return {"a float", isa<FloatAttr, DenseF32ArrayAttr>(value)};
  case Kind::Strings:
    return {"strings", isa<ArrayAttr>(value) &&
                           llvm::all_of(cast<ArrayAttr>(value), llvm::IsaPred<StringAttr>)};
  case Kind::Graph:
    return {"a subgraph", isa<UnitAttr>(value)};
  case Kind::Tensor:
    return {"a tensor", isa<ElementsAttr>(value)};
  case Kind::TensorOrFloat:
    return {"a tensor or a float", isa<ElementsAttr, FloatAttr>(value)};
  case Kind::IntegerOrFloat:
    return {"a number", isa<IntegerAttr, FloatAttr>(value)};
  case Kind::IntegerOrString:
    return {"an integer or a string", isa<IntegerAttr, StringAttr>(value)};
  }
  llvm_unreachable("covered");
}

namespace {
/// Attributes of an operator that are inputs from an opset on.
struct MovedAttributes {
  StringLiteral op;
  int64_t opset;
  StringLiteral attributes; ///< names, separated by spaces
  int64_t first = 1;        ///< opset that had only the attributes
};
} // namespace

/// The inputs come after the first one.
static constexpr MovedAttributes movedAttributes[] = {
    {"Clip", 11, "max min"},
    {"Dropout", 12, "ratio"},
    {"Pad", 11, "paddings pads value"},
    {"ReduceL1", 18, "axes"},
    {"ReduceL2", 18, "axes"},
    {"ReduceLogSum", 18, "axes"},
    {"ReduceLogSumExp", 18, "axes"},
    {"ReduceMax", 18, "axes"},
    {"ReduceMean", 18, "axes"},
    {"ReduceMin", 18, "axes"},
    {"ReduceProd", 18, "axes"},
    {"ReduceSum", 13, "axes"},
    {"ReduceSumSquare", 18, "axes"},
    {"Reshape", 5, "shape"},
    {"Slice", 10, "axes ends starts"},
    {"Split", 13, "split", 2},
    {"Squeeze", 13, "axes"},
    {"TopK", 10, "k"},
    {"Unsqueeze", 13, "axes"},
    {"Upsample", 9, "height_scale scales width_scale"},
};

/// Checks that a node says by attributes or by inputs what its opset does.
static LogicalResult checkMovedAttributes(const Node &node) {
  const MovedAttributes *moved = llvm::find_if(
      movedAttributes, [&](const MovedAttributes &m) { return m.op == node.getOpType(); });
  if (moved == std::end(movedAttributes) || node.getOpset() < moved->first)
    return success();
  SmallVector<StringRef> names;
  StringRef(moved->attributes).split(names, ' ');
  if (node.getOpset() < moved->opset) {
    if (node.getNumInputs() > 1)
      return node.reject() << "expected 1 input and the attributes " << llvm::join(names, ", ")
                           << " before opset " << moved->opset << ", found " << node.getNumInputs()
                           << " inputs";
    return success();
  }
  for (StringRef name : names)
    if (node.hasAttribute(name))
      return node.reject() << "expected an input instead of the attribute " << name
                           << " from opset " << moved->opset << " on";
  return success();
}

LogicalResult npu::onnx_ir::checkNode(const OpSpec &spec, Node &node) {
  if (node.getOpset() < spec.since)
    return node.reject() << "expected opset " << spec.since << " or newer; convert the model";
  unsigned added = node.getOp()->hasAttr(foldedBiasAttrName) ? 1 : 0;
  if (node.getNumInputs() < spec.minInputs ||
      (spec.maxInputs >= 0 && node.getNumInputs() > spec.maxInputs + added)) {
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
    if (node.getInput(index).getDefiningOp<PrefixOp>())
      return node.reject() << "expected input " << index << " to have a static shape, found "
                           << type << ", whose length data decide; make it an output of the model";
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
  if (std::optional<DictionaryAttr> attributes = node.getOp().getNodeAttributes()) {
    for (NamedAttribute attribute : *attributes) {
      StringRef name = attribute.getName().getValue();
      if (!llvm::is_contained(known, name)) {
        InFlightDiagnostic error = node.reject() << "expected ";
        if (known.empty())
          error << "no attributes";
        else
          error << "the attributes " << llvm::join(known, ", ");
        return error << ", found " << name;
      }
      Kind kind = spec.domain == "ai.onnx.ml" ? getLearnedKind(name, spec.name == "TreeEnsemble")
                                              : getKind(name);
      auto [description, matches] = checkKind(kind, attribute.getValue());
      if (!matches)
        return node.reject() << "expected attribute '" << name << "' to be " << description
                             << ", found " << attribute.getValue();
    }
  }
  return checkMovedAttributes(node);
}

LogicalResult npu::onnx_ir::inferNode(const OpSpec &spec, Node &node) {
  if (failed(checkNode(spec, node)))
    return failure();
  return spec.infer(node);
}
