//===- HostProgram.h - the host function around the dispatches ------------===//
//
// Interprets the host side of a flow-level module: inputs, weights, reshapes and copies between
// dispatches, and the loops, branches and calls around them. What a dispatch does is up to the
// caller: an NPU program in the simulator, or the host reference.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_HOSTPROGRAM_HOSTPROGRAM_H
#define NPU_HOSTPROGRAM_HOSTPROGRAM_H

#include "NPU/HostReference/HostReference.h"
#include "NPU/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace mlir::scf {
class ForOp;
} // namespace mlir::scf

namespace npu::runtime {

/// One execution of a dispatch.
struct DispatchCall {
  /// Number of the dispatch, as `flow::collectDispatches` counts.
  unsigned index;
  /// E.g. @main_dispatch_0::@main_dispatch_0_matmul_like_128x64x256_f32.
  mlir::SymbolRefAttr callee;
  mlir::Operation *op;
  /// The arguments; scalars are tensors of rank 0, `index` is i64.
  llvm::ArrayRef<HostTensor> inputs;
};

/// Returns the data of `#flow.parameter.named<"scope"::"key">`; the scope may be empty.
using ParameterCallback = std::function<llvm::Expected<HostTensor>(
    llvm::StringRef scope, llvm::StringRef key, const HostTensorType &type)>;

/// Called after an op of the host function, with its results.
using HostOpCallback = std::function<void(mlir::Operation *, llvm::ArrayRef<HostTensor>)>;

/// Runs an op that has regions as a whole; returns nothing if its regions are to be run. `read`
/// gives values that the op uses from outside.
using WholeOpCallback = std::function<llvm::Expected<std::optional<llvm::SmallVector<HostTensor>>>(
    mlir::Operation *,
    llvm::function_ref<llvm::Expected<llvm::SmallVector<HostTensor>>(llvm::ArrayRef<mlir::Value>)>
        read)>;

/// What the interpreter needs from its caller.
struct HostProgramCallbacks {
  /// Runs a dispatch; returns one tensor per result of the op.
  std::function<llvm::Expected<llvm::SmallVector<HostTensor>>(const DispatchCall &)> dispatch;
  /// May be null.
  WholeOpCallback wholeOp;
  /// Null: the program has no parameters.
  ParameterCallback parameter;
  /// Called after every op except dispatches and ops with regions. May be null.
  HostOpCallback executed;
  /// Bytes that one tensor of the program may have.
  int64_t memoryLimit = int64_t(16) << 30;
  /// Ops of the host program, dispatches and branches among them, that one run may execute.
  int64_t opLimit = 1'000'000;
};

/// An input or output of the program as its caller sees it.
struct HostProgramValue {
  /// E.g. "input0"; empty if the IR does not say.
  std::string name;
  HostTensorType type;
};

/// Interpreter of one host function. The module must outlive it. Errors are located and name the
/// op. Mutable globals keep their values from run to run. Ops on scalars are evaluated by their own
/// folders, and control flow through upstream's interfaces, so both behave as upstream defines
/// them.
class HostProgram {
public:
  /// For function `name` of `module`, or its only public host function if `name` is empty.
  static llvm::Expected<std::unique_ptr<HostProgram>>
  create(mlir::ModuleOp module, llvm::StringRef name, HostProgramCallbacks callbacks);

  llvm::ArrayRef<HostProgramValue> getInputs() const { return inputs; }
  llvm::ArrayRef<HostProgramValue> getOutputs() const { return outputs; }

  llvm::Expected<llvm::SmallVector<HostTensor>> run(llvm::ArrayRef<HostTensor> arguments);

private:
  using Environment = llvm::DenseMap<mlir::Value, HostTensor>;

  HostProgram(mlir::ModuleOp module, HostProgramCallbacks callbacks)
      : module(module), callbacks(std::move(callbacks)) {}

  llvm::Error collectBoundary();
  /// Runs the body of a function or an initializer.
  llvm::Expected<llvm::SmallVector<HostTensor>> call(mlir::Region &body,
                                                     llvm::ArrayRef<HostTensor> arguments);
  /// Runs blocks from the first one of `region` on. Returns the terminator that leaves the region;
  /// its operands are in `environment`.
  llvm::Expected<mlir::Operation *>
  runBlocks(mlir::Region &region, llvm::ArrayRef<HostTensor> arguments, Environment &environment);
  llvm::Error runOp(mlir::Operation *op, Environment &environment);
  llvm::Expected<llvm::SmallVector<HostTensor>> runRegions(mlir::RegionBranchOpInterface op,
                                                           llvm::ArrayRef<HostTensor> operands,
                                                           Environment &environment);
  llvm::Expected<llvm::SmallVector<HostTensor>>
  runLoop(mlir::scf::ForOp loop, llvm::ArrayRef<HostTensor> operands, Environment &environment);
  /// Drops the tensors that are not needed after `op`.
  void dropAfter(mlir::Operation *op, Environment &environment);
  /// Fails if `op` is one more than a run may execute.
  llvm::Error countOp(mlir::Operation *op);
  /// Runs an op without regions.
  llvm::Expected<llvm::SmallVector<HostTensor>> execute(mlir::Operation *op,
                                                        llvm::ArrayRef<HostTensor> operands);
  llvm::Expected<llvm::SmallVector<HostTensor>>
  executeDispatch(mlir::Operation *op, llvm::ArrayRef<HostTensor> operands);
  llvm::Expected<HostTensor> loadGlobal(mlir::Operation *user, llvm::StringRef name);
  llvm::Error runInitializers();

  mlir::ModuleOp module;
  HostProgramCallbacks callbacks;
  mlir::FunctionOpInterface function;
  llvm::SmallVector<HostProgramValue> inputs, outputs;
  llvm::DenseMap<mlir::Operation *, unsigned> dispatchIndices;
  /// Values of globals that were loaded or stored.
  llvm::StringMap<HostTensor> globals;
  bool initialized = false;
  /// Calls in progress, to refuse recursion.
  unsigned depth = 0;
  /// Ops that this run has executed.
  int64_t numExecuted = 0;
  /// Of the blocks that ran: the values by the op that uses them last.
  llvm::DenseMap<mlir::Block *, llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>>>
      lastUses;
};

} // namespace npu::runtime

#endif // NPU_HOSTPROGRAM_HOSTPROGRAM_H
