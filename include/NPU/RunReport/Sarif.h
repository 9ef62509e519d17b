//===- Sarif.h - diagnostics as SARIF -------------------------------------===//

#ifndef NPU_RUNREPORT_SARIF_H
#define NPU_RUNREPORT_SARIF_H

#include "NPU/Partition/Partition.h"
#include "NPU/Support/ToolLog.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

namespace npu::runtime {

struct DispatchRecord;

/// What a tool says of a model, as a log of SARIF 2.1.0: errors and warnings with their places, and
/// the reasons why dispatches do not run on the NPU. Every reason of Rejections.def is a rule.
class SarifLog : public ToolLog {
public:
  using ToolLog::ToolLog;

  void add(mlir::Diagnostic &diagnostic) override;
  void addError(const llvm::Twine &message) override;

  /// The dispatches that run on the host though nobody asked for it.
  void add(const Partition &partition);

  /// The same of a task graph, whose reasons are texts: those of one that ran on the host. Of a
  /// dispatch that runs again, only the first time counts.
  void add(const DispatchRecord &record);

  /// The log of a run that ended with `exitCode`.
  std::string print(int exitCode) const;

private:
  llvm::json::Array results;
  llvm::DenseSet<unsigned> known; ///< dispatches that came as records
};

/// Runs a tool that has the option --sarif, which this registers, and writes what that asks for,
/// whatever became of the run. Returns the exit code. `arguments` are looked at before they are
/// parsed: -o and --sarif may not name one file.
int runWithSarif(llvm::StringRef tool, llvm::ArrayRef<char *> arguments,
                 llvm::function_ref<int(SarifLog &)> run);

} // namespace npu::runtime

#endif // NPU_RUNREPORT_SARIF_H
