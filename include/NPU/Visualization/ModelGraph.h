//===- ModelGraph.h - graphs for viewers ----------------------------------===//
//
// A graph as Google's Model Explorer has it, and its texts. docs/model-explorer.md says what of
// that format is written.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_VISUALIZATION_MODELGRAPH_H
#define NPU_VISUALIZATION_MODELGRAPH_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <string>
#include <vector>

namespace npu::runtime {

/// From a result of another node to an operand of this one.
struct ModelEdge {
  std::string source;
  unsigned result = 0, operand = 0;
};

struct ModelNode {
  std::string id; ///< unique in the graph
  std::string label;
  /// Groups that it is in, outermost first.
  std::vector<std::string> groups;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<std::string> results; ///< their types
  std::vector<ModelEdge> edges;
  std::vector<std::string> subgraphs; ///< ids of the graphs that it leads to
};

struct ModelGraph {
  std::string id;
  std::vector<ModelNode> nodes;
};

/// The id of the node with that number.
inline std::string getNodeId(size_t number) { return "n" + std::to_string(number); }

/// A file with several graphs, the first of which is shown.
std::string printGraphs(llvm::StringRef label, llvm::ArrayRef<ModelGraph> graphs);

/// A value per node, by graph and node.
using NodeValues = std::map<std::string, std::map<std::string, llvm::json::Value>>;

/// A file with values that Model Explorer shows beside and colors the nodes by, from the smallest
/// in white to the largest in red.
std::string printNodeValues(const NodeValues &values);

/// The graph in Graphviz's language.
std::string printDot(const ModelGraph &graph);

} // namespace npu::runtime

#endif // NPU_VISUALIZATION_MODELGRAPH_H
