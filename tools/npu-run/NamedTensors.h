//===- NamedTensors.h - inputs and outputs by name ------------------------===//

#ifndef NPU_TOOLS_NPURUN_NAMEDTENSORS_H
#define NPU_TOOLS_NPURUN_NAMEDTENSORS_H

#include "NPU/Execution/RunTensors.h"
#include "NPU/InitAll/TensorNames.h"
#include "RunCommandLine.h"

#include <string>
#include <vector>

namespace npu::runtime {

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

#endif // NPU_TOOLS_NPURUN_NAMEDTENSORS_H
