//===- CommandLine.h - command-line helpers shared by the tools -----------===//

#ifndef NPU_SUPPORT_COMMANDLINE_H
#define NPU_SUPPORT_COMMANDLINE_H

namespace npu {

/// Hides every option registered so far from `--help`, except help and version. Call it first in
/// `main`: libLLVM.so registers hundreds of code generator options from static constructors.
void hideLLVMOptions();

} // namespace npu

#endif // NPU_SUPPORT_COMMANDLINE_H
