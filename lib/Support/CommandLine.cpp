//===- CommandLine.cpp - command-line helpers shared by the tools ---------===//

#include "NPU/Support/CommandLine.h"

#include "llvm/Support/CommandLine.h"

void npu::hideLLVMOptions() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}
