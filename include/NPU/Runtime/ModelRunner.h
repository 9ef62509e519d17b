//===- ModelRunner.h - runs a model and reports on it ---------------------===//
//
// What npu-run does: compiles the dispatches of a flow-level or linalg-level module, runs its host
// function with every dispatch in the simulator, and compares with the host reference if asked to.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_RUNTIME_MODELRUNNER_H
#define NPU_RUNTIME_MODELRUNNER_H

#include "NPU/Partition/Partition.h"
#include "NPU/Runtime/Compare.h"
#include "NPU/Runtime/HostReference.h"
#include "NPU/Runtime/HostTensor.h"
#include "NPU/Runtime/Roofline.h"
#include "NPU/Simulator/Simulator.h"

#include "mlir/IR/BuiltinOps.h"

namespace npu::runtime {

struct RunOptions {
  std::string target;   ///< specification, see parseTarget
  std::string function; ///< host function; empty: the only public one
  /// One specification per input (see parseTensor), or a single `random(seed)` or `smallints(seed)`
  /// for all of them; empty means `random(0)`.
  std::vector<std::string> inputs;
  bool check = false; ///< compare every dispatch and the outputs with the host
  /// What becomes of dispatches that the target does not run.
  Fallback fallback = Fallback::Host;
  PlacementMap placements; ///< by function, see Partition.h
  sim::Options simulator;
};

/// One executed dispatch.
struct DispatchRecord {
  unsigned index = 0;
  std::string description; ///< e.g. `op: linalg.matmul M=128 N=512 K=256 dtype: f16`
  Placement placement = Placement::NPU;
  int64_t macs = 0;
  // On the NPU:
  sim::Result statistics;
  Roofline limit;
  std::vector<CompareReport> checks; ///< one per result, when checked
  // On the host:
  std::vector<std::string> reasons;
};

/// One output of the model.
struct OutputRecord {
  std::string name;
  HostTensor value;
  std::optional<CompareReport> check; ///< end to end, when checked
};

struct RunReport {
  std::vector<DispatchRecord> dispatches;
  std::vector<OutputRecord> outputs;

  /// Whether every comparison made has passed.
  bool hasPassed() const;

  /// The table per dispatch, the share that ran on the NPU, and the outputs.
  void print(llvm::raw_ostream &os, const TargetDesc &target) const;
};

/// Runs the module, which is changed on the way. Diagnostics of the compiler are emitted; a trap of
/// the simulator comes back as sim::Trap.
llvm::Expected<RunReport> runModel(mlir::ModuleOp module, const RunOptions &options);

/// An error in how a tool was called rather than in what it was given.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;

  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

/// Fails when tensors of these types together have more than `memoryLimit` bytes.
llvm::Error checkMemory(llvm::ArrayRef<HostTensorType> types, int64_t memoryLimit);

/// The tensors of a function's inputs as RunOptions::inputs asks for them, `memoryLimit` bytes at
/// most. More specifications than inputs are a UsageError.
llvm::Expected<llvm::SmallVector<HostTensor>> makeInputs(llvm::ArrayRef<std::string> specifications,
                                                         llvm::ArrayRef<HostTensorType> types,
                                                         int64_t memoryLimit);

/// Busy cycles of an engine, over all clusters.
int64_t getBusyCycles(const sim::Result &result, isa::EngineKind engine);

} // namespace npu::runtime

#endif // NPU_RUNTIME_MODELRUNNER_H
