//===- Interpreter.h - executes tensor form and tile form -----------------===//
//
// Values are doubles: tests use small integers, which every element type holds exactly. Fresh
// on-chip buffers hold NaN, so a read of what nothing wrote shows in the result.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_INTERPRETER_H
#define NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_INTERPRETER_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include <memory>
#include <vector>

namespace npu::test {

/// A strided view of elements.
struct View {
  std::shared_ptr<std::vector<double>> data;
  int64_t offset = 0;
  llvm::SmallVector<int64_t> shape, strides;

  static View allocate(llvm::ArrayRef<int64_t> shape, double value);
  /// The element at `index`, or null outside the shape.
  double *at(llvm::ArrayRef<int64_t> index) const;
};

/// Runs a kernel in either form on `arguments`; tile form writes its outputs into the last ones.
/// Returns the results of tensor form. `error` is set on anything out of bounds.
std::vector<View> interpret(KernelOp kernel, llvm::ArrayRef<View> arguments, std::string &error);

} // namespace npu::test

#endif // NPU_UNITTESTS_DIALECT_NPU_TRANSFORMS_INTERPRETER_H
