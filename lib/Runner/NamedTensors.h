//===- NamedTensors.h - inputs and outputs by name ------------------------===//

#ifndef NPU_LIB_RUNNER_NAMEDTENSORS_H
#define NPU_LIB_RUNNER_NAMEDTENSORS_H

#include "NPU/Runner/RunTensors.h"
#include "RunCommandLine.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace npu::runtime {

/// How the inputs and outputs of what runs are called, in order.
struct TensorNames {
  std::vector<std::string> inputs, outputs;
};

/// Those of `function` of a model that is not compiled yet, or of its only public one: as ONNX or
/// IREE's ABI names them, else `input0` and so on. Nothing when there is no such function.
std::optional<TensorNames> getTensorNames(mlir::ModuleOp module, llvm::StringRef function);

/// What the command line says of tensors, in their order.
struct TensorFlags {
  std::vector<std::string> inputs, expectedOutputs, outputs;
};

/// Puts every `name=...` in its place, where `name` is one of `names` or `input0`, `output0` and so
/// on; what has no name is in order, or for an output left out. Fails for a name that there is not,
/// for one that is given twice, for inputs of which some are missing, and for an --input that is no
/// way to write a tensor. Without `names`, nothing has a name.
llvm::Expected<TensorFlags> orderTensorFlags(const RunCommandLine &options,
                                             const std::optional<TensorNames> &names);

/// What follows `name=` in an --output; all of it when there is no name.
llvm::StringRef getDestination(llvm::StringRef output);

} // namespace npu::runtime

#endif // NPU_LIB_RUNNER_NAMEDTENSORS_H
