//===- ModelGraph.cpp - graphs for viewers --------------------------------===//

#include "ModelGraph.h"

#include "NPU/Support/EscapeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
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

static json::Object makeAttribute(StringRef key, StringRef value) {
  return json::Object{{"key", escapeText(key)}, {"value", escapeText(value)}};
}

static json::Object makeNode(const ModelNode &node) {
  json::Object result;
  result["id"] = node.id;
  result["label"] = escapeText(node.label);
  result["namespace"] = makeNamespace(node.groups);
  json::Array attributes, edges, outputs;
  for (const auto &[key, value] : node.attributes)
    attributes.push_back(makeAttribute(key, value));
  for (const ModelEdge &edge : node.edges)
    edges.push_back(json::Object{{"sourceNodeId", edge.source},
                                 {"sourceNodeOutputId", std::to_string(edge.result)},
                                 {"targetNodeInputId", std::to_string(edge.operand)}});
  for (auto [number, type] : enumerate(node.results))
    outputs.push_back(json::Object{{"id", std::to_string(number)},
                                   {"attrs", json::Array{makeAttribute("tensor_shape", type)}}});
  result["attrs"] = std::move(attributes);
  result["incomingEdges"] = std::move(edges);
  result["outputsMetadata"] = std::move(outputs);
  if (!node.subgraphs.empty())
    result["subgraphIds"] = json::Array(node.subgraphs);
  return result;
}

std::string npu::runtime::printGraphs(StringRef label, ArrayRef<ModelGraph> graphs) {
  json::Array list;
  for (const ModelGraph &graph : graphs) {
    json::Array nodes;
    for (const ModelNode &node : graph.nodes)
      nodes.push_back(makeNode(node));
    json::Object object;
    object["id"] = graph.id;
    object["nodes"] = std::move(nodes);
    list.push_back(std::move(object));
  }
  json::Object collection;
  collection["label"] = escapeText(label);
  collection["graphs"] = std::move(list);
  return formatv("{0:2}\n", json::Value(std::move(collection)));
}

std::string npu::runtime::printNodeValues(const NodeValues &values) {
  json::Object result;
  for (const auto &[graph, nodes] : values) {
    json::Object results;
    bool areNumbers = true;
    for (const auto &[node, value] : nodes) {
      results[node] = json::Object{{"value", value}};
      areNumbers &= value.kind() == json::Value::Number;
    }
    json::Object data;
    data["results"] = std::move(results);
    if (areNumbers)
      data["gradient"] = json::Array{json::Object{{"stop", 0}, {"bgColor", "white"}},
                                     json::Object{{"stop", 1}, {"bgColor", "red"}}};
    result[graph] = std::move(data);
  }
  return formatv("{0:2}\n", json::Value(std::move(result)));
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
  raw_string_ostream os(result);
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
