//===- TensorNames.h - how inputs and outputs of models are called --*- C++ -*-===//

#ifndef NPU_INITALL_TENSORNAMES_H
#define NPU_INITALL_TENSORNAMES_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace npu {

/// How the inputs and outputs of what runs are called, in order.
struct TensorNames {
  std::vector<std::string> inputs, outputs;
};

/// Those of `function` of a model that is not compiled yet, or of its only public one: as ONNX or
/// IREE's ABI names them, else `input0` and so on. Nothing when there is no such function.
std::optional<TensorNames> getTensorNames(mlir::ModuleOp module, llvm::StringRef function);

} // namespace npu

#endif // NPU_INITALL_TENSORNAMES_H
