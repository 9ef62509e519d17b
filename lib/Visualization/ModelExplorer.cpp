//===- ModelExplorer.cpp - a model at every level, for Model Explorer -----===//

#include "NPU/Visualization/ModelExplorer.h"

#include "NPU/Codegen/Steps.h"
#include "NPU/Dialect/IREE/Flow/Transforms/DispatchInfo.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

ModelExplorer::ModelExplorer(ModuleOp module, Depth depth) : depth(depth) {
  if (depth == Depth::All)
    input = makeGraph("input", module);
  dispatches.id = "dispatches";
}

ModelExplorer::ModelExplorer(const taskgraph::TaskGraph &graph) {
  dispatches = makeGraph("dispatches", graph, nodeOfDispatch);
}

/// `dispatch #3`, or of several `dispatches #3 to #5`.
static std::string describe(ArrayRef<unsigned> numbers) {
  if (numbers.size() == 1)
    return llvm::formatv("dispatch #{0}", numbers.front());
  return llvm::formatv("dispatches #{0} to #{1}", numbers.front(), numbers.back());
}

void ModelExplorer::addKernel(const PartitionedFunction &function, DispatchCompiler &compiler) {
  MLIRContext *context = function.function->getContext();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  // The compiler itself says what is wrong with a kernel.
  ScopedDiagnosticHandler handler(context, [](Diagnostic &) { return success(); });
  if (failed(compiler.createKernel(builder, function.function)))
    return;
  PassManager pm(context, ModuleOp::getOperationName());
  populateBackEndToTileForm(pm);
  if (failed(pm.run(*module)))
    return;
  std::string id = "kernel of " + describe(function.numbers.front());
  kernels.push_back(makeGraph(id, *module));
  for (unsigned number : function.numbers)
    kernelOfDispatch[number].push_back(id);
}

void ModelExplorer::add(const Partition &partition, DispatchCompiler &compiler) {
  if (partition.getFunctions().empty())
    return;
  auto module = partition.getFunctions().front().function->getParentOfType<ModuleOp>();
  while (auto outer = module->getParentOfType<ModuleOp>())
    module = outer;
  // Dispatches stand in host functions and initializers; in a module without these, functions are
  // dispatches.
  llvm::SmallVector<flow::DispatchSite> sites = flow::collectDispatches(module);
  llvm::SetVector<Operation *> hosts;
  for (const flow::DispatchSite &site : sites)
    if (!llvm::isa<func::FuncOp>(site.op)) {
      Operation *host = site.op;
      while (!llvm::isa<ModuleOp>(host->getParentOp()))
        host = host->getParentOp();
      hosts.insert(host);
    }
  for (Operation *host : hosts) {
    NodesOfOps nodes;
    ModelGraph graph = makeGraph("", host, &nodes);
    size_t first = dispatches.nodes.size();
    // Ids are unique in the graph of all host functions.
    std::string prefix = hosts.size() == 1 ? "" : llvm::formatv("f{0}", first).str();
    for (ModelNode &node : graph.nodes) {
      node.id = prefix + node.id;
      for (ModelEdge &edge : node.edges)
        edge.source = prefix + edge.source;
      dispatches.nodes.push_back(std::move(node));
    }
    for (auto [number, site] : llvm::enumerate(sites))
      if (auto known = nodes.find(site.op); known != nodes.end())
        nodeOfDispatch[number] = first + known->second;
  }
  for (const PartitionedFunction &function : partition.getFunctions()) {
    for (unsigned number : function.numbers) {
      if (nodeOfDispatch.try_emplace(number, dispatches.nodes.size()).second) {
        dispatches.nodes.emplace_back().id = "n" + std::to_string(dispatches.nodes.size());
      }
      ModelNode &node = dispatches.nodes[nodeOfDispatch[number]];
      node.label = llvm::formatv("#{0} {1}", number, function.description);
      node.attributes.insert(node.attributes.begin(),
                             {{"placement", toString(function.placement).str()},
                              {"function", function.name},
                              {"MACs", std::to_string(function.macs)}});
      for (const RejectedOp &reason : function.reasons) {
        std::string text;
        llvm::raw_string_ostream(text) << reason.rejection;
        node.attributes.push_back({"reason", text});
      }
      placements[number] = function.placement;
    }
    TextSet places;
    function.function->walk([&](Operation *op) {
      TextSet found = describePlaces(op->getLoc());
      places.insert(found.begin(), found.end());
    });
    // Equal dispatches share the code of the first one, but each knows where its root was.
    for (const std::string &place : places)
      dispatchesOfPlace[place].push_back(function.numbers.front());
    for (unsigned number : llvm::drop_begin(function.numbers))
      for (const std::string &place : describePlaces(sites[number].op->getLoc()))
        dispatchesOfPlace[place].push_back(number);
    if (function.placement == Placement::NPU && depth == Depth::All)
      addKernel(function, compiler);
  }
}

void ModelExplorer::addProgram(ArrayRef<unsigned> numbers, const isa::Program &program) {
  if (depth != Depth::All)
    return;
  std::string id = "program of " + describe(numbers);
  if (llvm::any_of(programs, [&](const ModelGraph &graph) { return graph.id == id; }))
    return;
  programs.push_back(makeGraph(id, program));
  for (unsigned number : numbers)
    programOfDispatch[number].push_back(id);
}

void ModelExplorer::addMeasured(const DispatchRecord &record) {
  auto note = [&](StringRef what, double value) {
    auto [entry, isNew] = measured[what.str()].try_emplace(record.index, value);
    entry->second = std::max(entry->second, value);
  };
  for (const CompareReport &check : record.checks)
    note("error", check.maxAbsError);
  placements[record.index] = record.placement;
  if (record.placement != Placement::NPU)
    return;
  if (record.isInOtherKernel())
    return;
  const sim::Result &statistics = record.statistics;
  note("cycles", statistics.cycles);
  if (int64_t limit = record.limit.getCycles())
    note("cycles_over_limit", double(statistics.cycles) / limit);
  if (int64_t bound = record.limit.dramBytes)
    note("bytes_over_bound",
         (double(statistics.dramBytesRead) + statistics.dramBytesWritten) / bound);
}

void ModelExplorer::add(const SegmentEvent &event) { addProgram(event.dispatches, event.program); }

void ModelExplorer::add(const DispatchRecord &record, const isa::Program *program) {
  if (program)
    addProgram(record.index, *program);
}

/// The input, whose nodes lead to what became of them.
ModelGraph ModelExplorer::linkInput(NodeValues &values) const {
  ModelGraph result = input;
  std::map<StringRef, llvm::SetVector<unsigned>> dispatchesOfNode;
  for (ModelNode &node : result.nodes) {
    llvm::SetVector<unsigned> &numbers = dispatchesOfNode[node.id];
    for (const auto &[key, value] : node.attributes)
      if (auto known = dispatchesOfPlace.find(value);
          key == "source" && known != dispatchesOfPlace.end())
        numbers.insert(known->second.begin(), known->second.end());
    // An op that shared code does not name is where the first value that it reads comes from.
    if (!node.results.empty())
      for (const ModelEdge &edge : node.edges)
        if (numbers.empty())
          numbers = dispatchesOfNode[edge.source];
    if (numbers.empty())
      continue;
    TextSet graphs;
    graphs.insert(dispatches.id);
    for (const auto *level : {&kernelOfDispatch, &programOfDispatch})
      for (unsigned number : numbers)
        if (auto known = level->find(number); known != level->end())
          graphs.insert(known->second.begin(), known->second.end());
    llvm::append_range(node.subgraphs, graphs);
    auto texts = llvm::map_range(numbers, [](unsigned n) { return "#" + std::to_string(n); });
    node.attributes.push_back({"dispatches", llvm::join(texts, ", ")});
    values[result.id].emplace(node.id, toString(llvm::any_of(numbers,
                                                             [&](unsigned number) {
                                                               return placements.at(number) ==
                                                                      Placement::Host;
                                                             })
                                                    ? Placement::Host
                                                    : Placement::NPU));
  }
  return result;
}

/// The dispatches, which lead to their kernels and programs.
ModelGraph ModelExplorer::linkDispatches() const {
  ModelGraph result = dispatches;
  for (auto [number, place] : nodeOfDispatch) {
    ModelNode &node = result.nodes[place];
    for (const auto *level : {&kernelOfDispatch, &programOfDispatch})
      if (auto known = level->find(number); known != level->end())
        llvm::append_range(node.subgraphs, known->second);
    for (const auto &[what, values] : measured)
      if (auto known = values.find(number); known != values.end())
        node.attributes.push_back({what, llvm::formatv("{0:F4}", known->second)});
  }
  return result;
}

llvm::Error ModelExplorer::write(const RunReport &report, StringRef label, StringRef directory,
                                 StringRef dotPath, OutputFiles &files) {
  for (const DispatchRecord &record : report.dispatches)
    addMeasured(record);
  NodeValues placementValues;
  std::vector<ModelGraph> graphs;
  if (!input.nodes.empty())
    graphs.push_back(linkInput(placementValues));
  graphs.push_back(linkDispatches());
  std::string dot = printDot(graphs.back());
  llvm::append_range(graphs, kernels);
  llvm::append_range(graphs, programs);
  for (auto [number, placement] : placements)
    if (auto place = nodeOfDispatch.find(number); place != nodeOfDispatch.end())
      placementValues[dispatches.id].emplace(dispatches.nodes[place->second].id,
                                             toString(placement));
  std::map<std::string, std::string> contents = {
      {"graphs.json", printGraphs(label, graphs)},
      {"placement.json", printNodeValues(placementValues)}};
  for (const auto &[what, numbers] : measured) {
    NodeValues values;
    for (auto [number, value] : numbers)
      if (auto place = nodeOfDispatch.find(number); place != nodeOfDispatch.end())
        values[dispatches.id].emplace(dispatches.nodes[place->second].id, value);
    contents[what + ".json"] = printNodeValues(values);
  }
  if (llvm::Error error = files.createDirectory(directory))
    return error;
  for (const auto &[name, text] : contents) {
    SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    if (llvm::Error error = files.write(path, text))
      return error;
  }
  return files.write(dotPath, dot);
}

std::vector<std::pair<unsigned, unsigned>> ModelExplorer::getDispatchEdges() const {
  llvm::StringMap<size_t> places;
  for (auto [number, node] : llvm::enumerate(dispatches.nodes))
    places[node.id] = number;
  std::map<size_t, unsigned> dispatchOfPlace;
  for (auto [number, place] : nodeOfDispatch)
    dispatchOfPlace[place] = number;
  std::set<std::pair<unsigned, unsigned>> edges;
  for (auto [number, place] : nodeOfDispatch) {
    // Nodes between two dispatches only move or reshape.
    llvm::SmallDenseSet<size_t> seen;
    SmallVector<size_t> open{place};
    while (!open.empty())
      for (const ModelEdge &edge : dispatches.nodes[open.pop_back_val()].edges) {
        auto known = places.find(edge.source);
        if (known == places.end() || !seen.insert(known->second).second)
          continue;
        if (auto other = dispatchOfPlace.find(known->second); other == dispatchOfPlace.end())
          open.push_back(known->second);
        else if (other->second != number)
          edges.insert({other->second, number});
      }
  }
  return {edges.begin(), edges.end()};
}
