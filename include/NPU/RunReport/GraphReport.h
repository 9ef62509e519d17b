//===- GraphReport.h - reports of task graphs that did not run --------------===//

#ifndef NPU_RUNREPORT_GRAPHREPORT_H
#define NPU_RUNREPORT_GRAPHREPORT_H

#include "NPU/RunReport/Sarif.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include <memory>

namespace npu::runtime {

class ModelExplorer;

/// Writes for a task graph that is compiled what `npu-run --report` writes, but for the timeline:
/// every launch and every host function counts once, whatever decides how often it runs, and takes
/// as long as it would, which does not depend on data.
class GraphReporter : public taskgraph::BuildObserver {
public:
  /// What is said of the model goes to `log`, too.
  explicit GraphReporter(SarifLog &log);
  ~GraphReporter() override;

  void add(mlir::Diagnostic &diagnostic) override { log.add(diagnostic); }
  void addError(const llvm::Twine &message) override { log.addError(message); }
  void add(const Partition &partition, DispatchCompiler &compiler) override;
  void beginReport(mlir::ModuleOp model) override;
  llvm::Error addReport(const taskgraph::TaskGraph &graph, llvm::StringRef model,
                        llvm::StringRef directory, OutputFiles &files) override;

private:
  SarifLog &log;
  std::unique_ptr<ModelExplorer> explorer;
};

} // namespace npu::runtime

#endif // NPU_RUNREPORT_GRAPHREPORT_H
