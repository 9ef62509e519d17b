//===- NPUExecutor.h - programs run on the simulator ---===//

#ifndef NPU_EXECUTION_NPUEXECUTOR_H
#define NPU_EXECUTION_NPUEXECUTOR_H

#include "NPU/Simulator/Simulator.h"
#include "NPU/Target/ISA/Program.h"
#include "NPU/Tensor/HostTensor.h"

#include "llvm/ADT/SmallVector.h"

namespace npu::runtime {

/// What one launch gave.
struct LaunchResult {
  llvm::SmallVector<HostTensor> outputs;
  sim::Result statistics;
};

/// Runs a program in the simulator. Inputs are the contents of its input regions in order; their
/// sizes in bytes must match. Outputs have the given types, one per output region.
llvm::Expected<LaunchResult> launch(const isa::Program &program, llvm::ArrayRef<HostTensor> inputs,
                                    llvm::ArrayRef<HostTensor> outputTypes,
                                    const sim::Options &options = {});

/// What the kernels of a program did, each as if it were a program; `numParts` says how many parts
/// each has. The cycles add up to the program's. On each cluster those of a kernel begin where the
/// array's work for the kernel before ends, and end with the array's own work for it; the last one
/// ends with the program. A kernel without such work has what is left between its neighbors' work
/// on the array. Over clusters it is the mean.
std::vector<sim::Result> splitByKernel(const sim::Result &whole, llvm::ArrayRef<unsigned> numParts);

} // namespace npu::runtime

#endif // NPU_EXECUTION_NPUEXECUTOR_H
