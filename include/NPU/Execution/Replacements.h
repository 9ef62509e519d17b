//===- Replacements.h - what is run in the place of dispatches --*- C++ -*-===//

#ifndef NPU_EXECUTION_REPLACEMENTS_H
#define NPU_EXECUTION_REPLACEMENTS_H

#include "NPU/Execution/KernelLevels.h"
#include "NPU/Execution/ModelRunner.h"

namespace npu::runtime {

/// What a file has for a dispatch: its kernel at some level, and what the compiler makes of it.
struct Replacement {
  std::string path;
  KernelLevels levels;
};

/// A dispatch that may be replaced.
struct ReplaceableDispatch {
  unsigned index;
  mlir::func::FuncOp function;
};

/// Reads what `requests` name, for the dispatches that the NPU runs; the same for all that run one
/// function. Fails where a name is unknown, or where a kernel has another target or other regions
/// than the dispatch's own.
llvm::Expected<std::map<unsigned, std::shared_ptr<const Replacement>>>
readReplacements(llvm::ArrayRef<ReplacementRequest> requests,
                 llvm::ArrayRef<ReplaceableDispatch> dispatches, DispatchCompiler &compiler);

} // namespace npu::runtime

#endif // NPU_EXECUTION_REPLACEMENTS_H
