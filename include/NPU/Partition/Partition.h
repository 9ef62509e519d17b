//===- Partition.h - which dispatches the NPU runs ------------------------===//
//
// Where each dispatch of a module runs: on the NPU if the compiler of dispatches takes it
// (DispatchCompiler.h) and the user does not want it elsewhere, else on the host. Every refusal has
// a reason (Rejection.h); any other error stays an error.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_PARTITION_PARTITION_H
#define NPU_PARTITION_PARTITION_H

#include "NPU/Codegen/DispatchCompiler.h"
#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <vector>

namespace npu {

/// `npu` or `host`.
llvm::StringRef toString(Placement placement);

/// What becomes of a dispatch that the NPU does not run.
enum class Fallback { Host, Error };

/// The placements that a user asks for, by name of the dispatch's function.
using PlacementMap = std::map<std::string, Placement>;

/// What is decided about one function that dispatches run.
struct PartitionedFunction {
  mlir::func::FuncOp function;
  std::string name;        ///< e.g. `main_dispatch_0::main_dispatch_0_matmul_like_64x64x64_f32`
  std::string description; ///< e.g. `op: linalg.matmul M=64 N=64 K=64 dtype: f32`
  std::vector<unsigned> numbers; ///< of the dispatches that run it, ascending
  int64_t macs = 0;              ///< of one run, 0 if shapes are dynamic
  bool isDynamic = false;        ///< so that its work cannot be counted
  Placement placement = Placement::NPU;
  std::vector<RejectedOp> reasons; ///< none: the target runs it
  bool isForced = false;           ///< by the user
};

/// A dispatch of code that the module does not have: of another file, or compiled elsewhere.
struct ExternalDispatch {
  unsigned number;
  std::string description; ///< e.g. `op: external @extern_dispatch::@npu::@entry`
};

struct PartitionOptions {
  Fallback fallback = Fallback::Error;
  PlacementMap placements;
};

class Partition {
public:
  /// Decides about all functions on tensors that dispatches of `module` run, in the order of the
  /// dispatches, for the target of `compiler`, which caches the results. The module is not changed.
  /// Emits an error for every dispatch that must run on the host but may not (after all have been
  /// examined), for a placement of an unknown function, for a dispatch that is not a function yet,
  /// and for every error that is not about the target.
  static mlir::FailureOr<Partition> compute(mlir::ModuleOp module, const PartitionOptions &options,
                                            DispatchCompiler &compiler);

  llvm::ArrayRef<PartitionedFunction> getFunctions() const { return functions; }
  /// The dispatches that nothing is decided about.
  llvm::ArrayRef<ExternalDispatch> getExternalDispatches() const { return externals; }
  /// The decision about dispatch `number`; null if its function is not in the module.
  const PartitionedFunction *find(unsigned number) const;

  /// The table of `--npu-partition-report`.
  void print(llvm::raw_ostream &os) const;
  /// All that is known, for tools; `readPlacements` reads it back.
  llvm::json::Value toJSON() const;

private:
  std::string target;
  std::vector<PartitionedFunction> functions;
  std::vector<ExternalDispatch> externals;
};

/// Reads what `Partition::toJSON` wrote, or as much of it as a user writes by hand:
/// `{"dispatches": [{"function": "name", "placement": "host"}]}`.
llvm::Expected<PlacementMap> readPlacements(llvm::StringRef path);

/// Reads the placements of file `path` into `options`, unless it is empty. Errors are emitted at
/// `module`.
mlir::LogicalResult readPlacements(mlir::ModuleOp module, llvm::StringRef path,
                                   PartitionOptions &options);

/// Fails with an error at an op that computes and is in no dispatch, so that no list of dispatches
/// shows it: the module is in a phase before they are formed.
mlir::LogicalResult checkDispatched(mlir::ModuleOp module);

/// Prints docs/SupportedOps.md: types, ops and all reasons.
void printSupportedOps(llvm::raw_ostream &os);

} // namespace npu

#endif // NPU_PARTITION_PARTITION_H
