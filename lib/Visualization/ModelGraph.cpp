//===- ModelGraph.cpp - graphs for viewers --------------------------------===//

#include "NPU/Visualization/ModelGraph.h"

#include "NPU/Support/EscapeText.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace npu;
using namespace npu::runtime;

/// A path of groups; names of groups have no slash of their own.
static std::string makeNamespace(ArrayRef<std::string> groups) {
  std::string result;
  for (StringRef group : groups) {
    std::string name = group.str();
    llvm::replace(name, '/', '|');
    result += (result.empty() ? "" : "/") + name;
  }
  return escapeText(result);
}

static llvm::json::Object makeAttribute(StringRef key, StringRef value) {
  return llvm::json::Object{{"key", escapeText(key)}, {"value", escapeText(value)}};
}

static llvm::json::Object makeNode(const ModelNode &node) {
  llvm::json::Object result;
  result["id"] = node.id;
  result["label"] = escapeText(node.label);
  result["namespace"] = makeNamespace(node.groups);
  llvm::json::Array attributes, edges, outputs;
  for (const auto &[key, value] : node.attributes)
    attributes.push_back(makeAttribute(key, value));
  for (const ModelEdge &edge : node.edges)
    edges.push_back(llvm::json::Object{{"sourceNodeId", edge.source},
                                       {"sourceNodeOutputId", std::to_string(edge.result)},
                                       {"targetNodeInputId", std::to_string(edge.operand)}});
  for (auto [number, type] : llvm::enumerate(node.results))
    outputs.push_back(
        llvm::json::Object{{"id", std::to_string(number)},
                           {"attrs", llvm::json::Array{makeAttribute("tensor_shape", type)}}});
  result["attrs"] = std::move(attributes);
  result["incomingEdges"] = std::move(edges);
  result["outputsMetadata"] = std::move(outputs);
  if (!node.subgraphs.empty())
    result["subgraphIds"] = llvm::json::Array(node.subgraphs);
  return result;
}

std::string npu::runtime::printGraphs(StringRef label, ArrayRef<ModelGraph> graphs) {
  llvm::json::Array list;
  for (const ModelGraph &graph : graphs) {
    llvm::json::Array nodes;
    for (const ModelNode &node : graph.nodes)
      nodes.push_back(makeNode(node));
    llvm::json::Object object;
    object["id"] = graph.id;
    object["nodes"] = std::move(nodes);
    list.push_back(std::move(object));
  }
  llvm::json::Object collection;
  collection["label"] = escapeText(label);
  collection["graphs"] = std::move(list);
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(collection)));
}

std::string npu::runtime::printNodeValues(const NodeValues &values) {
  llvm::json::Object result;
  for (const auto &[graph, nodes] : values) {
    llvm::json::Object results;
    bool areNumbers = true;
    for (const auto &[node, value] : nodes) {
      results[node] = llvm::json::Object{{"value", value}};
      areNumbers &= value.kind() == llvm::json::Value::Number;
    }
    llvm::json::Object data;
    data["results"] = std::move(results);
    if (areNumbers)
      data["gradient"] = llvm::json::Array{llvm::json::Object{{"stop", 0}, {"bgColor", "white"}},
                                           llvm::json::Object{{"stop", 1}, {"bgColor", "red"}}};
    result[graph] = std::move(data);
  }
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(result)));
}

/// A quoted string of Graphviz, in which a backslash begins an escape.
static std::string quoteDot(StringRef text) {
  std::string result = "\"";
  for (char c : escapeLines(text))
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (c == '\n')
      result += "\\n";
    else
      result += c;
  return result + "\"";
}

std::string npu::runtime::printDot(const ModelGraph &graph) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << "digraph " << quoteDot(graph.id) << " {\n  node [shape=box];\n";
  for (const ModelNode &node : graph.nodes) {
    std::string tip;
    for (const auto &[key, value] : node.attributes)
      tip += escapeText(key) + ": " + escapeText(value) + "\n";
    os << "  " << quoteDot(node.id) << " [label=" << quoteDot(escapeText(node.label))
       << ", tooltip=" << quoteDot(tip) << "];\n";
    for (const ModelEdge &edge : node.edges)
      os << "  " << quoteDot(edge.source) << " -> " << quoteDot(node.id) << ";\n";
  }
  os << "}\n";
  return result;
}
