//===- CommandLine.cpp - command-line helpers shared by the tools ---------===//

#include "NPU/Support/CommandLine.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"

#include <csignal>

void npu::hideLLVMOptions() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}

void npu::prepareSignals() {
  llvm::SmallVector<int> ignored = {SIGXFSZ};
  for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR2}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      ignored.push_back(signal);
  }
  // LLVM installs its handlers once, with the first file, whatever its name.
  llvm::sys::RemoveFileOnSignal("");
  llvm::sys::DontRemoveFileOnSignal("");
  for (int signal : ignored)
    std::signal(signal, SIG_IGN);
}
