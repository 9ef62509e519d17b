//===- NPUExecutor.h - programs run on the simulator ---===//

#ifndef NPU_RUNNER_NPUEXECUTOR_H
#define NPU_RUNNER_NPUEXECUTOR_H

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

/// What the first `numParts` parts of a program did, each as if it were a program. Its cycles are
/// those by which it came to an end later than all parts before it, so that they add up to the
/// program's.
std::vector<sim::Result> splitByPart(const sim::Result &whole, unsigned numParts);

} // namespace npu::runtime

#endif // NPU_RUNNER_NPUEXECUTOR_H
