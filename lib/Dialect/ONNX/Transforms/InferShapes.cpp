//===- InferShapes.cpp - types of all values of ONNX graphs ---------------===//

#include "ControlFlow.h"
#include "Prefixes.h"
#include "Sequences.h"

#include "NPU/Dialect/ONNX/Specs/Constants.h"
#include "NPU/Dialect/ONNX/Specs/Expansion.h"
#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/Dialect/ONNX/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace npu::onnx_ir {
#define GEN_PASS_DEF_ONNXINFERSHAPES
#include "NPU/Dialect/ONNX/Transforms/Passes.h.inc"
} // namespace npu::onnx_ir

using namespace mlir;
using namespace npu::onnx_ir;

namespace {
/// What is known of a function's values while its nodes are visited.
struct Folding {
  FoldBudget budget;
  /// Results that no input of the model has a part in, though they are not folded.
  llvm::DenseSet<Value> known;
  /// Elements of all tensors in the file.
  int64_t fileElements = 0;

  bool isKnown(Value value) const {
    return known.contains(value) || isa_and_nonnull<ConstantOp, NoneOp>(value.getDefiningOp());
  }
};
} // namespace

/// What follows from constants alone is nothing in a file, but all of its elements in memory one
/// day, folded or not. It may be as large as all that the file has.
static LogicalResult checkSize(Node &node, Folding &folding) {
  ValueRange inputs = node.getOp().getInputs();
  if (!llvm::all_of(inputs, [&](Value value) { return folding.isKnown(value); }))
    return success();
  for (OpResult result : node.getOp().getOutputs()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (type && inputs.empty())
      folding.fileElements += type.getNumElements();
    int64_t limit = std::max(maxConstantElements, folding.fileElements);
    if (type && type.getNumElements() > limit)
      return node.reject() << "expected a constant of at most " << limit << " elements, found "
                           << type;
    folding.known.insert(result);
  }
  return success();
}

/// Replaces results without elements by constants, whatever the node does, and a node by constants
/// if its specification folds it.
static void foldNode(const OpSpec &spec, Node &node, Folding &folding) {
  OpBuilder builder(node.getOp());
  for (OpResult result : node.getOp().getOutputs()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (type && type.getNumElements() == 0)
      result.replaceAllUsesWith(ConstantOp::create(
          builder, node.getOp().getLoc(), DenseElementsAttr::get(type, ArrayRef<Attribute>())));
  }
  auto erase = [&] {
    for (Value result : node.getOp().getOutputs())
      folding.known.erase(result);
    node.getOp().erase();
  };
  if (node.getOp().use_empty())
    return erase();

  SmallVector<ElementsAttr> values = spec.fold(node);
  if (values.empty())
    return;
  for (auto [result, value] : llvm::zip(node.getOp().getOutputs(), values))
    if (!isa<NoneType>(result.getType()))
      result.replaceAllUsesWith(ConstantOp::create(builder, node.getOp().getLoc(), value));
  erase();
}

/// An argument whose shape is not known cannot be compiled, whatever the nodes do.
static LogicalResult checkArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && type.hasStaticShape())
      continue;
    InFlightDiagnostic error = emitError(function.getLoc()) << "graph input ";
    if (auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), nameAttrName))
      error << name << " ";
    else
      error << argument.getArgNumber() << " ";
    SmallVector<Attribute> names;
    if (auto all =
            function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), dimensionsAttrName))
      llvm::copy_if(all, std::back_inserter(names), [](Attribute name) {
        auto text = dyn_cast<StringAttr>(name);
        return text && !text.empty();
      });
    if (type) {
      error << "has dynamic dimensions";
      if (!names.empty())
        llvm::interleaveComma(names, error << " ");
      error << ", " << type;
    } else {
      error << "is not a tensor of known rank, " << argument.getType();
    }
    if (isa<UnknownType>(argument.getType()))
      return error << ": it is no tensor, or its elements are not supported";
    if (!names.empty())
      return error
             << "; give them sizes with --onnx-dim=<name>=<size>, or give npu-run inputs with "
                "their shapes, as in --input=4x8xf32=1";
    if (isa<TensorType>(argument.getType()))
      return error << "; give npu-run inputs with their shapes, as in --input=4x8xf32=1, or run "
                      "npu-specialize-shapes before";
    return error;
  }
  return success();
}

/// What the file declares of a result. Files that were edited, say for another batch, often declare
/// the shape from before; other elements are not what was asked for.
static LogicalResult checkResults(func::FuncOp function, func::ReturnOp returned) {
  for (auto [index, type] : llvm::enumerate(returned.getOperandTypes())) {
    auto name = function.getResultAttrOfType<StringAttr>(index, nameAttrName);
    auto found = dyn_cast<RankedTensorType>(type);
    if (!found)
      return function.emitError() << "expected graph output " << (name ? name.getValue() : "")
                                  << " to be a tensor, found " << type;
    auto declared = function.getResultAttrOfType<TypeAttr>(index, typeAttrName);
    auto expected = declared ? dyn_cast<RankedTensorType>(declared.getValue()) : nullptr;
    if (!expected)
      continue;
    auto describe = [&](InFlightDiagnostic diagnostic) -> InFlightDiagnostic {
      diagnostic << "expected graph output '" << (name ? name.getValue() : "") << "' to be a "
                 << expected << ", as the file declares, found " << found;
      return diagnostic;
    };
    if (expected.getElementType() != found.getElementType())
      return describe(function.emitError());
    if (failed(verifyCompatibleShape(expected, found)))
      describe(function.emitWarning()) << "; the declaration is ignored";
  }
  return success();
}

namespace {
/// Infers what the nodes of a function are, from the first to the last, those of subgraphs before
/// what has them. Nodes that stand for others are replaced by them on the way.
class Inference {
public:
  void inferBlock(Block &body);
  LogicalResult infer(func::FuncOp function);

private:
  /// What became of a node.
  enum class Outcome { Done, Replaced };
  Outcome visit(NodeOp op);
  Outcome replace(const OpSpec &spec, Node &node);

  Folding folding;
  /// Copies of nodes that loops may still become.
  int64_t unrolledNodes = int64_t(1) << 17;
  bool hasFailed = false;
};
} // namespace

void Inference::inferBlock(Block &body) {
  for (Operation *next = &body.front(); next;) {
    Operation *before = next->getPrevNode();
    auto node = dyn_cast<NodeOp>(next);
    if (auto prefix = dyn_cast<PrefixOp>(next)) {
      prefix.inferType();
      if (prefix->getParentOfType<NodeOp>()) {
        prefix.emitError("expected results whose length data decide outside of subgraphs only");
        hasFailed = true;
      }
    }
    Operation *after = next->getNextNode();
    bool isReplaced = node && visit(node) == Outcome::Replaced;
    Operation *own = before ? before->getNextNode() : &body.front();
    // Of a node that an `onnx.prefix` has passed, which is behind it now.
    for (Operation *op = own; !isReplaced && op != after; op = op->getNextNode())
      if (auto prefix = dyn_cast<PrefixOp>(op))
        prefix.inferType();
    next = isReplaced ? own : after;
  }
}

Inference::Outcome Inference::replace(const OpSpec &spec, Node &node) {
  Expansion expansion(node);
  if (failed(checkNode(spec, node)) || failed(spec.expand(expansion))) {
    hasFailed = true;
    return Outcome::Done;
  }
  SmallVector<Value> results(expansion.getResults());
  for (auto [index, result] : llvm::enumerate(node.getOp().getOutputs())) {
    if (!results[index] && result.use_empty())
      continue;
    if (!results[index]) {
      node.reject() << "expected no use of output " << index << ", which is not supported";
      hasFailed = true;
      return Outcome::Done;
    }
    result.replaceAllUsesWith(results[index]);
  }
  node.getOp().erase();
  return Outcome::Replaced;
}

Inference::Outcome Inference::visit(NodeOp op) {
  Node node(op, getOpset(op), &folding.budget);
  // The error is at what should have computed it.
  if (hasFailed && llvm::any_of(op.getOperandTypes(), llvm::IsaPred<UnknownType>))
    return Outcome::Done;
  switch (replaceSequenceNode(node)) {
  case SequenceOutcome::Replaced:
    return Outcome::Replaced;
  case SequenceOutcome::Listed:
    return Outcome::Done;
  case SequenceOutcome::Refused:
    hasFailed = true;
    return Outcome::Done;
  case SequenceOutcome::None:
    break;
  }
  movePrefixBehind(node);
  const OpSpec *spec = lookupOpSpec(op);
  if (!spec) {
    hasFailed = true;
    node.reject() << "the operator is not supported; npu-translate "
                     "--list-supported-onnx-ops lists those that are";
    return Outcome::Done;
  }
  if (spec->expand)
    return replace(*spec, node);
  if (!op.getGraphs().empty()) {
    if (inlineKnown(node, unrolledNodes))
      return Outcome::Replaced;
    if (failed(setGraphArguments(node))) {
      hasFailed = true;
      return Outcome::Done;
    }
    for (Region &graph : op.getGraphs())
      inferBlock(graph.front());
    if (hasFailed)
      return Outcome::Done;
  }
  if (failed(inferNode(*spec, node)) || failed(checkSize(node, folding)))
    hasFailed = true;
  else if (!op->hasAttr(keptAttrName))
    foldNode(*spec, node, folding);
  return Outcome::Done;
}

/// Erases what nothing uses, which needs no support. Users come after what they use.
static void eraseUnused(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body))) {
    if (isa<NodeOp, ConstantOp, PrefixOp, NoneOp>(op) && op.use_empty()) {
      op.erase();
      continue;
    }
    for (Region &graph : op.getRegions())
      for (Block &block : graph)
        eraseUnused(block);
  }
}

LogicalResult Inference::infer(func::FuncOp function) {
  Block &body = function.getBody().front();
  if (llvm::none_of(body, llvm::IsaPred<NodeOp, ConstantOp, NoneOp>))
    return success();
  eraseUnused(body);
  if (failed(checkArguments(function)))
    return failure();
  function.walk([&](ConstantOp constant) {
    if (auto type = dyn_cast<RankedTensorType>(constant.getType()))
      folding.fileElements += type.getNumElements();
  });
  inferBlock(body);
  if (hasFailed)
    return failure();
  auto returned = cast<func::ReturnOp>(body.getTerminator());
  if (failed(checkResults(function, returned)))
    return failure();
  eraseUnused(body);
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                     returned.getOperandTypes()));
  return success();
}

namespace {
struct InferShapes : npu::onnx_ir::impl::ONNXInferShapesBase<InferShapes> {
  using ONNXInferShapesBase::ONNXInferShapesBase;

  void runOnOperation() override {
    bool hasFailed = false;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(Inference().infer(function)))
        hasFailed = true;
    if (hasFailed)
      signalPassFailure();
  }
};
} // namespace
