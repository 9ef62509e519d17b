//===- WrongDispatch.h - a dispatch that differs from the host --*- C++ -*-===//

#ifndef NPU_EXECUTION_WRONGDISPATCH_H
#define NPU_EXECUTION_WRONGDISPATCH_H

#include "NPU/Execution/Replacements.h"

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

} // namespace npu::runtime

#endif // NPU_EXECUTION_WRONGDISPATCH_H
