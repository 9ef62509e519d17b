//===- CompileDispatch.h - one entry point of an executable ---------------===//

#ifndef NPU_LIB_HOOK_COMPILEDISPATCH_H
#define NPU_LIB_HOOK_COMPILEDISPATCH_H

#include "NPU/Hook/ImportInterface.h"

namespace npu::hook {

/// The program of an entry point, or why there is none.
struct CompiledDispatch {
  std::vector<uint8_t> program;           ///< binary; the kernel is named like the entry point
  llvm::SmallVector<BufferRange> buffers; ///< of its regions that are bound at launch, in order
  std::string refusal;                    ///< empty if there is a program
};

/// Compiles `func`, the function of an entry point, which stays as it is. The regions of the
/// program that are bound at launch are named `binding<number>+<LaunchOffset>`. Fails, having
/// emitted it, when the target runs the function but compiling it fails.
mlir::FailureOr<CompiledDispatch> compileDispatch(mlir::func::FuncOp func, llvm::StringRef target);

} // namespace npu::hook

#endif // NPU_LIB_HOOK_COMPILEDISPATCH_H
