//===- DispatchGraph.cpp - which dispatch feeds which ---------------------===//

#include "NPU/Dialect/IREE/Flow/Transforms/DispatchGraph.h"

#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"
#include "NPU/Support/EscapeText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/GraphWriter.h"

using namespace mlir;
using namespace npu;

namespace {
/// Draws the host functions of one module.
class GraphPrinter {
public:
  GraphPrinter(ArrayRef<flow::DispatchSite> sites, raw_ostream &os) : sites(sites), os(os) {
    for (auto [number, site] : llvm::enumerate(sites))
      numbers[site.op] = number;
  }

  void print(ModuleOp module);

private:
  /// A node and the type of a tensor that comes from it.
  using Source = std::pair<StringAttr, Type>;

  void printFunction(Operation *function, ArrayRef<unsigned> dispatches);
  void printNode(StringRef name, StringRef label, StringRef shape);
  void printEdges(ValueRange values, StringRef target);
  /// Where `value` comes from; the host's own ops are looked through.
  llvm::SetVector<Source> findSources(Value value);

  ArrayRef<flow::DispatchSite> sites;
  raw_ostream &os;
  DenseMap<Operation *, unsigned> numbers;
  Operation *function = nullptr;
  unsigned functionNumber = 0;
};
} // namespace

/// The text between quotation marks.
static std::string quote(const std::string &text) {
  return llvm::DOT::EscapeString(escapeText(text));
}

/// What `op` takes from outside, operands first.
static SetVector<Value> getInputs(Operation *op) {
  SetVector<Value> inputs(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), inputs);
  return inputs;
}

llvm::SetVector<GraphPrinter::Source> GraphPrinter::findSources(Value value) {
  llvm::SetVector<Source> sources;
  DenseSet<Value> visited;
  SmallVector<std::pair<Value, Type>> worklist = {{value, Type()}};
  while (!worklist.empty()) {
    Value current = worklist.back().first;
    Type type = worklist.pop_back_val().second;
    // Sizes and conditions are not what flows.
    if (current.getType().isIntOrIndexOrFloat() || !visited.insert(current).second)
      continue;
    if (isa<TensorType>(current.getType()))
      type = current.getType();
    auto argument = dyn_cast<BlockArgument>(current);
    Operation *op = argument ? argument.getOwner()->getParentOp() : current.getDefiningOp();
    auto addSource = [&](const Twine &name) {
      if (type)
        sources.insert({StringAttr::get(value.getContext(), name), type});
    };
    if (op == function) {
      addSource("f" + Twine(functionNumber) + "_argument" + Twine(argument.getArgNumber()));
      continue;
    }
    if (auto it = numbers.find(op); it != numbers.end()) {
      addSource("d" + Twine(it->second));
      continue;
    }
    SmallVector<Value> inputs = getInputs(op).takeVector();
    // What the regions of a loop or a branch end in.
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          llvm::append_range(inputs, block.getTerminator()->getOperands());
    for (Value input : llvm::reverse(inputs))
      worklist.push_back({input, type});
  }
  return sources;
}

void GraphPrinter::printNode(StringRef name, StringRef label, StringRef shape) {
  os << "    " << name << " [label=\"" << quote(label.str()) << "\", shape=" << shape << "];\n";
}

void GraphPrinter::printEdges(ValueRange values, StringRef target) {
  llvm::SetVector<Source> sources;
  for (Value value : values)
    sources.insert_range(findSources(value));
  for (const auto &[source, type] : sources) {
    std::string label;
    llvm::raw_string_ostream(label) << type;
    os << "    " << source.getValue() << " -> " << target << " [label=\"" << quote(label)
       << "\"];\n";
  }
}

void GraphPrinter::printFunction(Operation *op, ArrayRef<unsigned> dispatches) {
  function = op;
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  std::string prefix = "f" + std::to_string(functionNumber) + "_";
  os << "  subgraph cluster_" << functionNumber << " {\n    label=\""
     << quote(symbol ? "@" + symbol.getName().str() : op->getName().getStringRef().str())
     << "\";\n";
  for (BlockArgument argument : op->getRegion(0).getArguments())
    printNode(prefix + "argument" + std::to_string(argument.getArgNumber()),
              "argument " + std::to_string(argument.getArgNumber()), "ellipse");
  for (unsigned number : dispatches)
    printNode("d" + std::to_string(number),
              "Dispatch #" + std::to_string(number) + ": " + flow::describeDispatch(sites[number]),
              "box");
  unsigned numResults = 0;
  if (auto functionOp = dyn_cast<FunctionOpInterface>(op))
    numResults = functionOp.getNumResults();
  for (unsigned result = 0; result < numResults; ++result)
    printNode(prefix + "result" + std::to_string(result), "result " + std::to_string(result),
              "ellipse");

  for (unsigned number : dispatches)
    printEdges(getInputs(sites[number].op).getArrayRef(), "d" + std::to_string(number));
  for (Block &block : op->getRegion(0)) {
    Operation *terminator = block.mightHaveTerminator() ? block.getTerminator() : nullptr;
    if (!terminator || terminator->getNumSuccessors() || terminator->getNumOperands() != numResults)
      continue;
    for (OpOperand &operand : terminator->getOpOperands())
      printEdges(operand.get(), prefix + "result" + std::to_string(operand.getOperandNumber()));
  }
  os << "  }\n";
  ++functionNumber;
}

void GraphPrinter::print(ModuleOp module) {
  llvm::MapVector<Operation *, SmallVector<unsigned>> functions;
  for (auto [number, site] : llvm::enumerate(sites)) {
    Operation *op = site.op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>();
    functions[op].push_back(number);
  }
  os << "digraph \"" << quote(module.getName().value_or("dispatches").str()) << "\" {\n";
  for (auto &[op, dispatches] : functions)
    printFunction(op, dispatches);
  os << "}\n";
}

LogicalResult flow::printDispatchGraph(ModuleOp module, raw_ostream &os) {
  SmallVector<DispatchSite> sites = collectDispatches(module);
  // Without dispatches, they are functions.
  if (sites.empty() || isa<func::FuncOp>(sites.front().op))
    return emitError(module.getLoc(), "expected dispatches to draw, found none; run npu-opt "
                                      "--npu-front-half before");
  GraphPrinter(sites, os).print(module);
  return success();
}
