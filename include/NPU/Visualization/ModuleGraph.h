//===- ModuleGraph.h - graphs of MLIR, programs and task graphs -----------===//

#ifndef NPU_VISUALIZATION_MODULEGRAPH_H
#define NPU_VISUALIZATION_MODULEGRAPH_H

#include "NPU/Target/ISA/Program.h"
#include "NPU/TaskGraph/TaskGraph.h"
#include "NPU/Visualization/ModelGraph.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <set>

namespace npu::runtime {

/// Texts in the order in which they came, each once.
using TextSet = llvm::SetVector<std::string, std::vector<std::string>, std::set<std::string>>;

/// `file:line:column` or a name for each place that a location names, as source tables of programs
/// have it.
TextSet describePlaces(mlir::Location location);

/// Numbers of nodes by their op.
using NodesOfOps = llvm::DenseMap<mlir::Operation *, size_t>;

/// A node for every op on values beneath `root`, whatever its dialect, in groups by functions and
/// loops, with edges along values; buffers have them along the order of their uses. The bodies of
/// ops that compute are left out, and so are constants that are no tensors.
ModelGraph makeGraph(llvm::StringRef id, mlir::Operation *root, NodesOfOps *nodes = nullptr);

/// A node for every instruction of a program, in groups by cluster, engine and loops, with edges
/// along streams (operand 0) and from signals to waits (operand 1).
ModelGraph makeGraph(llvm::StringRef id, const isa::Program &program);

/// A node for every task but those that prepare programs, one per dispatch of a segment, in groups
/// by segments, branches and loops, with edges from who wrote a buffer last. Fills in the node of
/// every dispatch.
ModelGraph makeGraph(llvm::StringRef id, const taskgraph::TaskGraph &source,
                     std::map<unsigned, size_t> &nodeOfDispatch);

} // namespace npu::runtime

#endif // NPU_VISUALIZATION_MODULEGRAPH_H
