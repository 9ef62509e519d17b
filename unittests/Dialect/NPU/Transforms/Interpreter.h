//===- Interpreter.h - kernels on numbers ---------------------------------===//
//
// Values are doubles: tests use small integers, which every element type holds exactly.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_INTERPRETER_H
#define NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_INTERPRETER_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include <memory>
#include <vector>

namespace npu::test {

/// The elements of a tensor, row-major.
struct View {
  std::shared_ptr<std::vector<double>> data;
  llvm::SmallVector<int64_t> shape;

  static View allocate(llvm::ArrayRef<int64_t> shape, double value);
};

/// Runs a kernel in any form on `arguments`; those that are outputs get what it gives. Returns the
/// results of tensor form. `error` is set where it cannot run.
std::vector<View> interpret(KernelOp kernel, llvm::ArrayRef<View> arguments, std::string &error);

} // namespace npu::test

#endif // NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_INTERPRETER_H
