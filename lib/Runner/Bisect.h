//===- Bisect.h - from a wrong dispatch to the op ---------------*- C++ -*-===//

#ifndef NPU_LIB_RUNNER_BISECT_H
#define NPU_LIB_RUNNER_BISECT_H

#include "Replacements.h"

namespace npu::runtime {

/// What the host says of an output of a dispatch.
struct Judgment {
  HostTensor expected;
  Tolerance tolerance;
};

/// A dispatch whose result is not what the host gives.
struct WrongDispatch {
  unsigned index;
  mlir::func::FuncOp function;
  const Replacement *replacement; ///< null: none
  llvm::ArrayRef<HostTensor> inputs;
  llvm::ArrayRef<Judgment> outputs;
};

/// Compiles the dispatch level by level, runs every level on its inputs, and goes into the first
/// one that differs from the host: to the first step that does not write what the same step of the
/// compiler's own kernel writes.
llvm::Expected<Bisection> bisect(const WrongDispatch &dispatch, DispatchCompiler &compiler,
                                 const sim::Options &simulator);

} // namespace npu::runtime

#endif // NPU_LIB_RUNNER_BISECT_H
