//===- Sarif.h - diagnostics as SARIF -------------------------------------===//

#ifndef NPU_LIB_RUNNER_SARIF_H
#define NPU_LIB_RUNNER_SARIF_H

#include "NPU/Partition/Partition.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace npu::runtime {

/// What a run says of a model, as a log of SARIF 2.1.0: errors and warnings with their places, and
/// the reasons why dispatches do not run on the NPU. Every reason of Rejections.def is a rule.
class SarifLog {
public:
  /// A diagnostic of the compiler, with its notes.
  void add(mlir::Diagnostic &diagnostic);

  /// The dispatches that run on the host though nobody asked for it.
  void add(const Partition &partition);

  /// An error of the run that has no place in the model.
  void addError(const llvm::Twine &message);

  /// The log of a run that ended with `exitCode`.
  std::string print(int exitCode) const;

private:
  llvm::json::Array results;
};

} // namespace npu::runtime

#endif // NPU_LIB_RUNNER_SARIF_H
