//===- GraphReport.h - reports of task graphs that did not run --------------===//

#ifndef NPU_RUNNER_GRAPHREPORT_H
#define NPU_RUNNER_GRAPHREPORT_H

#include "NPU/Support/OutputFiles.h"
#include "NPU/TaskGraph/TaskGraph.h"

namespace npu::runtime {

/// Adds to `files` what `npu-run --report` writes into `directory`, for a graph that did not run:
/// every launch and every host function counts once, whatever decides how often it runs, and takes
/// as long as it would, which does not depend on data. `model` says where the graph comes from.
llvm::Error addGraphReport(const taskgraph::TaskGraph &graph, llvm::StringRef model,
                           llvm::StringRef directory, OutputFiles &files);

} // namespace npu::runtime

#endif // NPU_RUNNER_GRAPHREPORT_H
