//===- DispatchCompiler.h - decides about dispatches and compiles them ----===//
//
// The one place where a function on tensors becomes a kernel in tensor form, and a kernel becomes a
// program. The target runs a function if it can be legalized and some tile of it fits; this is
// decided by legalizing a copy, and the resulting kernel is kept and compiled later. So the
// decision cannot differ from what the compiler does, and no function is legalized twice: functions
// whose IR is the same except for names and locations share their kernel and their program.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_CODEGEN_DISPATCHCOMPILER_H
#define NPU_CODEGEN_DISPATCHCOMPILER_H

#include "NPU/Codegen/SegmentEffort.h"
#include "NPU/Dialect/IREE/Flow/IR/FlowOps.h"
#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPU/Transforms/Rejection.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/Target/ISA/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace npu {

class ScheduleFile;

/// A reason why the target does not run a dispatch, where it is.
struct RejectedOp {
  Rejection rejection;
  std::string op; ///< e.g. `linalg.matmul`
  mlir::Location loc;
};

/// A kernel of a program: of one dispatch, or of several that follow each other.
struct PlannedKernel {
  unsigned numDispatches = 1;
  TilingAttr tiling;     ///< null where none was chosen
  ScheduleAttr schedule; ///< likewise; with the cycles that are predicted
};

/// A program, and what the compiler noted on its op.
struct CompiledProgram {
  isa::Program code; ///< named like the function that was compiled first
  isa::ProgramOp op; ///< without its instructions
  /// In the order of the dispatches.
  llvm::SmallVector<PlannedKernel> kernels;
  /// Of a segment: by entry of the source table, the number of the dispatch in the segment.
  std::vector<unsigned> dispatchOfSource = {};
};

/// What the program of a segment gives back.
enum class SegmentOutputs {
  Results, ///< the segment's results
  All      ///< the results of all its dispatches, in order
};

/// The tensors that the ops of a segment take from outside, in the order of their first use.
llvm::SmallVector<mlir::Value> getSegmentInputs(SegmentOp segment);

/// Decides, legalizes and compiles for one target. Work on several functions is done in parallel on
/// the context's thread pool; results and diagnostics do not depend on the number of threads. Each
/// legalization and each compilation is a remark of category `npu-codegen`. Not thread-safe itself.
class DispatchCompiler {
public:
  /// `target` is a specification as understood by parseTarget. `schedule`, unless null, says what
  /// is chosen, or is told; it outlives the compiler. `effort` is for what it does not say.
  explicit DispatchCompiler(llvm::StringRef target, ScheduleFile *schedule = nullptr,
                            SegmentEffort effort = SegmentEffort::Auto);
  ~DispatchCompiler();
  DispatchCompiler(DispatchCompiler &&);

  llvm::StringRef getTarget() const;

  /// Finds out which of `functions` the target runs. The functions stay as they are. Fails on an
  /// error that is not about the target; the error has been emitted.
  mlir::LogicalResult legalize(llvm::ArrayRef<mlir::func::FuncOp> functions);

  /// Why the target does not run `function`; empty if it does.
  mlir::FailureOr<std::vector<RejectedOp>> getReasons(mlir::func::FuncOp function);

  /// The groups of stages in the kernel of a function that the target runs: more than one is
  /// several kernels in one, contractions with their tails one after the other.
  mlir::FailureOr<unsigned> getNumGroups(mlir::func::FuncOp function);

  /// A copy of the kernel, in tensor form, of a function that the target runs, at the builder's
  /// place, with the names and the location of `function`, and the schedule that a file gives it.
  mlir::FailureOr<KernelOp> createKernel(mlir::OpBuilder &builder, mlir::func::FuncOp function);

  /// Compiles `functions`, which the target runs. A function that it does not run is an error, and
  /// so is a kernel that does not compile; errors have been emitted.
  mlir::LogicalResult compile(llvm::ArrayRef<mlir::func::FuncOp> functions);

  /// The program of `function`; its regions are the arguments, then the results; one that is
  /// changed in place is both. Stays valid as long as the compiler. Errors have been emitted.
  mlir::FailureOr<const CompiledProgram *> getProgram(mlir::func::FuncOp function);

  /// Compiles segments of dispatches that the target runs, each to one program; segments that are
  /// equal except for locations share theirs.
  mlir::LogicalResult compile(llvm::ArrayRef<SegmentOp> segments,
                              SegmentOutputs outputs = SegmentOutputs::Results);

  /// The program of a segment that was compiled so; its regions are the tensors that it takes from
  /// outside (getSegmentInputs), then the outputs. Stays valid as long as the compiler.
  const CompiledProgram &getProgram(SegmentOp segment,
                                    SegmentOutputs outputs = SegmentOutputs::Results) const;

  /// The kernel in tensor form, as it is before a schedule is chosen, of a function that the target
  /// runs, or of dispatches of a segment that share one; null where they cannot.
  mlir::OwningOpRef<KernelOp> clonePlainKernel(mlir::func::FuncOp function);
  mlir::OwningOpRef<KernelOp> clonePlainKernel(llvm::ArrayRef<flow::DispatchOp> dispatches);

  /// After everything is compiled: an error if a schedule file has what is not of this model.
  llvm::Error checkSchedule(mlir::ModuleOp module) const;

private:
  class Cache;
  std::unique_ptr<Cache> cache;
};

} // namespace npu

#endif // NPU_CODEGEN_DISPATCHCOMPILER_H
