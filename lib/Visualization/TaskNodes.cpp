//===- TaskNodes.cpp - graphs of task graphs ------------------------------===//

#include "NPU/Visualization/ModuleGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace npu;
using namespace npu::runtime;
using namespace npu::taskgraph;

namespace {
/// Collects the nodes of a graph's tasks.
class TaskNodes {
public:
  TaskNodes(const TaskGraph &source, ModelGraph &graph, std::map<unsigned, size_t> &nodeOfDispatch)
      : source(source), graph(graph), nodeOfDispatch(nodeOfDispatch) {}

  void addPorts(llvm::ArrayRef<Port> ports, llvm::StringRef kind);
  void addBlock(TaskRange block);
  void addOutputs();

private:
  ModelNode &addNode(std::string label);
  void addTask(unsigned number);
  /// The type of a buffer, as MLIR spells it.
  std::string describe(unsigned buffer) const;

  const TaskGraph &source;
  ModelGraph &graph;
  std::map<unsigned, size_t> &nodeOfDispatch;
  std::vector<std::string> groups;
  /// The node, and its result, that wrote the bytes of a buffer last.
  std::map<unsigned, std::pair<std::string, unsigned>> producers;
};
} // namespace

ModelNode &TaskNodes::addNode(std::string label) {
  ModelNode &node = graph.nodes.emplace_back();
  node.id = getNodeId(graph.nodes.size() - 1);
  node.label = std::move(label);
  node.groups = groups;
  return node;
}

std::string TaskNodes::describe(unsigned number) const {
  const Buffer &buffer = source.buffers[number];
  return "tensor<" + getTypeString(buffer.dtype, buffer.shape) + ">";
}

void TaskNodes::addPorts(llvm::ArrayRef<Port> ports, llvm::StringRef kind) {
  for (const Port &port : ports) {
    ModelNode &node = addNode((kind + " " + port.name).str());
    node.results.push_back(describe(port.buffer));
    producers[source.getRoot(port.buffer)] = {node.id, 0};
  }
}

void TaskNodes::addOutputs() {
  for (const Port &port : source.outputs) {
    ModelNode &node = addNode("output " + port.name);
    if (auto producer = producers.find(source.getRoot(port.buffer)); producer != producers.end())
      node.edges.push_back({producer->second.first, producer->second.second, 0});
  }
}

void TaskNodes::addTask(unsigned number) {
  const Task &task = source.tasks[number];
  size_t first = graph.nodes.size();
  if (task.kind == TaskKind::Launch) {
    llvm::ArrayRef<ProgramKernel> kernels = source.programs[task.code].kernels;
    if (kernels.size() > 1)
      groups.push_back(llvm::formatv("segment of dispatches #{0} to #{1}", task.dispatches.front(),
                                     task.dispatches.back()));
    // What a segment hands on inside is in its program only: its dispatches stand in a row.
    for (auto [dispatch, kernel] : llvm::zip_equal(task.dispatches, kernels)) {
      nodeOfDispatch.try_emplace(dispatch, graph.nodes.size());
      ModelNode &node = addNode(llvm::formatv("#{0} {1}", dispatch, kernel.name));
      node.attributes = {{"placement", "npu"}, {"MACs", std::to_string(kernel.macs)}};
      if (graph.nodes.size() - 1 > first)
        node.edges.push_back({getNodeId(graph.nodes.size() - 2), 0, 0});
    }
    if (kernels.size() > 1)
      groups.pop_back();
  } else if (task.kind == TaskKind::Host) {
    const HostFunction &function = source.hostFunctions[task.code];
    nodeOfDispatch.try_emplace(task.dispatches.front(), first);
    ModelNode &node = addNode(llvm::formatv("#{0} {1}", task.dispatches.front(), task.name));
    node.attributes = {{"placement", "host"}, {"MACs", std::to_string(function.macs)}};
    for (const std::string &reason : function.reasons)
      node.attributes.push_back({"reason", reason});
  } else {
    addNode(toString(task.kind).str()).attributes = {{"name", task.name}};
  }
  graph.nodes[first].attributes.push_back({"task", std::to_string(number)});
  if (!task.location.empty())
    graph.nodes[first].attributes.push_back({"source", task.location});
  size_t last = graph.nodes.size() - 1;
  // The tasks of blocks say themselves what they use.
  unsigned operand = first == last ? 0 : 1;
  auto read = [&](unsigned buffer) {
    if (auto producer = producers.find(source.getRoot(buffer)); producer != producers.end())
      graph.nodes[first].edges.push_back(
          {producer->second.first, producer->second.second, operand++});
  };
  if (hasBlocks(task)) {
    if (task.kind == TaskKind::Branch)
      read(task.condition);
    groups.push_back(llvm::formatv("{0} {1}", toString(task.kind), number));
    for (TaskRange block : getBlocks(source, number))
      addBlock(block);
    groups.pop_back();
    return;
  }
  std::vector<Access> accesses = getAccesses(source, task);
  for (const Access &access : accesses)
    if (access.isRead)
      read(access.buffer);
  for (const Access &access : accesses)
    if (access.isWrite) {
      ModelNode &node = graph.nodes[last];
      producers[source.getRoot(access.buffer)] = {node.id, node.results.size()};
      node.results.push_back(describe(access.buffer));
    }
}

void TaskNodes::addBlock(TaskRange block) {
  for (unsigned number = block.first; number < block.end; number = getEnd(source, number))
    if (source.tasks[number].kind != TaskKind::Prepare)
      addTask(number);
}

ModelGraph npu::runtime::makeGraph(llvm::StringRef id, const TaskGraph &source,
                                   std::map<unsigned, size_t> &nodeOfDispatch) {
  ModelGraph graph;
  graph.id = id.str();
  TaskNodes nodes(source, graph, nodeOfDispatch);
  nodes.addPorts(source.parameters, "parameter");
  nodes.addPorts(source.inputs, "input");
  nodes.addBlock(getAllBlocks(source).front());
  nodes.addOutputs();
  return graph;
}
