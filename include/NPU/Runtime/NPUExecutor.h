//===- NPUExecutor.h - dispatches compiled for and run on the simulator ---===//

#ifndef NPU_RUNTIME_NPUEXECUTOR_H
#define NPU_RUNTIME_NPUEXECUTOR_H

#include "NPU/Runtime/HostTensor.h"
#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/ISA/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace npu::runtime {

/// Compiles functions on tensors to programs for one target. Functions whose IR is the same but for
/// names and locations are compiled once.
class NPUCompiler {
public:
  /// `target` is a specification as understood by parseTarget.
  explicit NPUCompiler(std::string target) : target(std::move(target)) {}

  /// The program of a clone of `function`; regions are its arguments, then its results. Fails when
  /// the pipeline does; its diagnostics have been emitted then.
  llvm::Expected<const isa::Program *> compile(mlir::func::FuncOp function);

private:
  std::string target;
  llvm::StringMap<isa::Program> programs;
};

/// What one launch gave.
struct LaunchResult {
  llvm::SmallVector<HostTensor> outputs;
  sim::Result statistics;
};

/// Runs a program in the simulator. Inputs are the contents of its input regions in order; their
/// sizes in bytes must match. Outputs have the given types, one per output region.
llvm::Expected<LaunchResult> launch(const isa::Program &program, llvm::ArrayRef<HostTensor> inputs,
                                    llvm::ArrayRef<HostTensor> outputTypes,
                                    const sim::Options &options = {});

} // namespace npu::runtime

#endif // NPU_RUNTIME_NPUEXECUTOR_H
