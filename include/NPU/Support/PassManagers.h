//===- PassManagers.h - upstream's options for passes, in every tool ------===//
//
// Tools that compile in steps have many pass managers. What the command line asks of passes, to
// print the IR after them, to time them, to write a reproducer when one fails, it asks of all.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_PASSMANAGERS_H
#define NPU_SUPPORT_PASSMANAGERS_H

#include "mlir/Pass/PassManager.h"

namespace npu {

/// Makes the options of a tool; there is at most one. Lives as long as the tool's work: when it
/// ends, it prints the times that `--mlir-timing` asks for.
class PassManagerOptions {
public:
  /// Call it before the command line is parsed.
  PassManagerOptions();
  PassManagerOptions(const PassManagerOptions &) = delete;
  PassManagerOptions &operator=(const PassManagerOptions &) = delete;
  ~PassManagerOptions();

  /// Call it after that and before the first MLIRContext.
  void begin();
};

/// What it means when a pipeline fails.
enum class PassFailure {
  Error, ///< the run fails
  Answer ///< something is not supported, which is no failure to reproduce
};

/// Does with `pm` what the options of the tool say. In a tool without, such as one whose driver is
/// upstream's, it does nothing.
void applyPassManagerOptions(mlir::PassManager &pm, PassFailure failure = PassFailure::Error);

/// Runs the passes and verifies the IR after the last of them. In builds with assertions it is
/// verified after each pass, as npu-opt does in every build: that takes a tenth of a compilation.
mlir::LogicalResult runAndVerify(mlir::PassManager &pm, mlir::Operation *op);

} // namespace npu

#endif // NPU_SUPPORT_PASSMANAGERS_H
