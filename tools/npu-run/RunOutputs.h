//===- RunOutputs.h - what becomes of a run's outputs -----------*- C++ -*-===//

#ifndef NPU_TOOLS_NPURUN_RUNOUTPUTS_H
#define NPU_TOOLS_NPURUN_RUNOUTPUTS_H

#include "NPU/Support/OutputFiles.h"
#include "RunCommandLine.h"

namespace npu::runtime {

/// Fails before a long run for what would fail after it.
llvm::Error checkDestinations(const RunCommandLine &options);

/// Does with every output what --output says, which is `destinations` in the order of the outputs.
llvm::Error writeOutputs(llvm::ArrayRef<HostTensor> values,
                         llvm::ArrayRef<std::string> destinations, const RunCommandLine &options,
                         OutputFiles &files);

} // namespace npu::runtime

#endif // NPU_TOOLS_NPURUN_RUNOUTPUTS_H
