//===- ModuleGraph.cpp - graphs of MLIR and of programs -------------------===//

#include "NPU/Visualization/ModuleGraph.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

static void addPlaces(LocationAttr location, TextSet &places) {
  llvm::TypeSwitch<LocationAttr>(location)
      .Case<FileLineColLoc>([&](FileLineColLoc file) {
        places.insert(llvm::formatv("{0}:{1}:{2}", file.getFilename().getValue(), file.getLine(),
                                    file.getColumn()));
      })
      .Case<NameLoc>([&](NameLoc name) { places.insert(name.getName().str()); })
      .Case<CallSiteLoc>([&](CallSiteLoc call) { addPlaces(call.getCallee(), places); })
      .Case<FusedLoc>([&](FusedLoc fused) {
        for (Location part : fused.getLocations())
          addPlaces(part, places);
      });
}

TextSet npu::runtime::describePlaces(Location location) {
  TextSet places;
  addPlaces(location, places);
  return places;
}

/// As MLIR prints it, but not whole if it is long.
template <typename T>
static std::string toShortText(T value) {
  constexpr size_t maxLength = 300;
  std::string text;
  llvm::raw_string_ostream os(text);
  if constexpr (std::is_same_v<T, Attribute>) {
    // Contents of tensors may be megabytes.
    if (auto elements = dyn_cast<ElementsAttr>(value);
        elements && !(llvm::isa<DenseElementsAttr>(value) && elements.getNumElements() <= 16)) {
      os << "elements of " << elements.getShapedType();
      return text;
    }
  }
  value.print(os);
  if (text.size() > maxLength)
    text = text.substr(0, maxLength) + " ...";
  return text;
}

namespace {
/// Collects the nodes beneath an op.
class GraphBuilder {
public:
  explicit GraphBuilder(StringRef id) { graph.id = id.str(); }

  void addRegions(Operation *op);

  ModelGraph graph;
  NodesOfOps nodes;

private:
  void add(Operation *op);
  void addArguments(Region &region);
  void addEdges(Operation *op, ModelNode &node);
  static bool isEntered(Operation *op);
  static std::string getGroup(Operation *op);

  std::vector<std::string> groups;
  /// The node and the result that a value comes from.
  llvm::DenseMap<Value, std::pair<size_t, unsigned>> producers;
};
} // namespace

/// Whether the ops in its regions are nodes of their own.
bool GraphBuilder::isEntered(Operation *op) {
  if (op->getNumRegions() == 0 || llvm::isa<linalg::LinalgOp>(op))
    return false;
  return llvm::isa<FunctionOpInterface, LoopLikeOpInterface, RegionBranchOpInterface>(op) ||
         op->hasTrait<OpTrait::SymbolTable>() || llvm::isa<SymbolOpInterface>(op) ||
         op->getNumResults() == 0;
}

std::string GraphBuilder::getGroup(Operation *op) {
  if (auto symbol = dyn_cast<SymbolOpInterface>(op))
    if (StringAttr name = symbol.getNameAttr())
      return name.str();
  return op->getName().getStringRef().str();
}

/// The op's name; of a node of ONNX that of its operator.
static std::string getLabel(Operation *op) {
  if (auto type = op->getAttrOfType<StringAttr>("op_type"))
    return (op->getName().getDialectNamespace() + "." + type.getValue()).str();
  return op->getName().getStringRef().str();
}

void GraphBuilder::addArguments(Region &region) {
  Operation *parent = region.getParentOp();
  for (BlockArgument argument : region.getArguments()) {
    // Those of loops come from the loop.
    if (auto known = nodes.find(parent); known != nodes.end()) {
      producers[argument] = {known->second, 0};
      continue;
    }
    if (!llvm::isa<FunctionOpInterface>(parent))
      continue;
    producers[argument] = {graph.nodes.size(), 0};
    ModelNode &node = graph.nodes.emplace_back();
    node.id = getNodeId(graph.nodes.size() - 1);
    node.label = "input " + std::to_string(argument.getArgNumber());
    node.groups = groups;
    node.results = {toShortText(argument.getType())};
    for (const std::string &place : describePlaces(argument.getLoc()))
      node.attributes.push_back({"source", place});
  }
}

void GraphBuilder::addEdges(Operation *op, ModelNode &node) {
  size_t number = graph.nodes.size() - 1;
  for (OpOperand &operand : op->getOpOperands()) {
    auto producer = producers.find(operand.get());
    if (producer == producers.end())
      continue;
    auto [source, result] = producer->second;
    node.edges.push_back({getNodeId(source), result, operand.getOperandNumber()});
    // Who uses a buffer next uses what this op left in it.
    if (llvm::isa<BaseMemRefType>(operand.get().getType()))
      producer->second = {number, 0};
  }
  for (OpResult result : op->getResults())
    producers[result] = {number, result.getResultNumber()};
}

void GraphBuilder::add(Operation *op) {
  bool isConstant = op->hasTrait<OpTrait::ConstantLike>() &&
                    llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
  bool isScope = llvm::isa<FunctionOpInterface, ModuleOp>(op) ||
                 (llvm::isa<SymbolOpInterface>(op) && op->getNumRegions() != 0);
  if (isConstant)
    return;
  if (!isScope) {
    nodes[op] = graph.nodes.size();
    ModelNode &node = graph.nodes.emplace_back();
    node.id = getNodeId(graph.nodes.size() - 1);
    node.label = getLabel(op);
    node.groups = groups;
    for (const std::string &place : describePlaces(op->getLoc()))
      node.attributes.push_back({"source", place});
    // How many operands each group has shows in the edges.
    for (NamedAttribute attribute : op->getAttrs())
      if (attribute.getName() !=
          OpTrait::AttrSizedOperandSegments<void>::getOperandSegmentSizeAttr())
        node.attributes.push_back({attribute.getName().str(), toShortText(attribute.getValue())});
    for (Type type : op->getResultTypes())
      node.results.push_back(toShortText(type));
    addEdges(op, node);
  }
  if (!isEntered(op))
    return;
  groups.push_back(isScope ? getGroup(op)
                           : llvm::formatv("{0} {1}", getGroup(op), getNodeId(nodes[op])).str());
  addRegions(op);
  groups.pop_back();
}

void GraphBuilder::addRegions(Operation *op) {
  for (Region &region : op->getRegions()) {
    addArguments(region);
    for (Block &block : region)
      for (Operation &inner : block)
        add(&inner);
  }
}

ModelGraph npu::runtime::makeGraph(StringRef id, Operation *root, NodesOfOps *nodes) {
  GraphBuilder builder(id);
  builder.addRegions(root);
  if (nodes)
    *nodes = std::move(builder.nodes);
  return std::move(builder.graph);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

ModelGraph npu::runtime::makeGraph(StringRef id, const isa::Program &program) {
  ModelGraph graph;
  graph.id = id.str();
  std::map<int64_t, std::vector<std::string>> signallers; // by semaphore
  SmallVector<std::pair<size_t, const isa::Sync *>> waits;
  for (const isa::Stream &stream : program.streams) {
    std::vector<std::string> groups = {llvm::formatv("cluster {0}", stream.cluster),
                                       isa::toString(stream.engine).str()};
    std::string previous;
    for (auto [number, instruction] : llvm::enumerate(stream.code)) {
      if (auto *loop = std::get_if<isa::Loop>(&instruction)) {
        groups.push_back(
            llvm::formatv("{0}: loop {1} i{2}", number, loop->count.trips, groups.size() - 2));
        continue;
      }
      if (std::holds_alternative<isa::EndLoop>(instruction)) {
        groups.pop_back();
        continue;
      }
      ModelNode &node = graph.nodes.emplace_back();
      node.id = getNodeId(graph.nodes.size() - 1);
      node.label = isa::getMnemonic(instruction).str();
      node.groups = groups;
      node.attributes.push_back({"instruction", std::to_string(number)});
      if (int64_t source = isa::getSource(instruction);
          source > 0 && uint64_t(source) <= program.sources.size())
        node.attributes.push_back({"source", program.sources[source - 1]});
      if (!previous.empty())
        node.edges.push_back({previous});
      previous = node.id;
      const isa::Sync *sync = isa::getSync(instruction);
      if (!sync)
        continue;
      waits.push_back({graph.nodes.size() - 1, sync});
      for (int64_t semaphore : {sync->signal0, sync->signal1})
        if (semaphore != 0) {
          signallers[semaphore].push_back(node.id);
          node.attributes.push_back({"signals", "s" + std::to_string(semaphore)});
        }
    }
  }
  for (auto [node, sync] : waits)
    for (int64_t semaphore : {sync->wait0, sync->wait1}) {
      if (semaphore == 0)
        continue;
      graph.nodes[node].attributes.push_back({"waits for", "s" + std::to_string(semaphore)});
      for (const std::string &signaller : signallers[semaphore])
        graph.nodes[node].edges.push_back({signaller, 0, 1});
    }
  return graph;
}
