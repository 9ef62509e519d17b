//===- ProgramTensors.h - a program's inputs and outputs --------*- C++ -*-===//

#ifndef NPU_TOOLS_NPURUN_PROGRAMTENSORS_H
#define NPU_TOOLS_NPURUN_PROGRAMTENSORS_H

#include "NPU/Target/ISA/Program.h"
#include "RunCommandLine.h"

namespace npu::runtime {

/// What the command line says of the regions of a program. A region has a size and no type: any
/// tensor of its bytes will do, and what has no type of its own is i8.
struct ProgramTensors {
  llvm::SmallVector<HostTensor> inputs;
  llvm::SmallVector<HostTensor> outputTypes;
  llvm::SmallVector<std::optional<HostTensor>> expected;
  std::vector<std::string> destinations; ///< of the outputs, as --output says

  static llvm::Expected<ProgramTensors> read(const isa::Program &program,
                                             const RunCommandLine &options);

  /// Compares outputs, which are given the types of what is expected of them, and prints what comes
  /// of it; whether all are as expected.
  llvm::Expected<bool> compareWithExpected(llvm::MutableArrayRef<HostTensor> outputs,
                                           const ExpectedTolerance &tolerance) const;
};

} // namespace npu::runtime

#endif // NPU_TOOLS_NPURUN_PROGRAMTENSORS_H
