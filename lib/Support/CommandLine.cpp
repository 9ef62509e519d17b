//===- CommandLine.cpp - command-line helpers shared by the tools ---------===//

#include "NPU/Support/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <list>

using namespace llvm;

void npu::hideLLVMOptions() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "version")
      option->setHiddenFlag(llvm::cl::Hidden);
}

/// Whether an option is one of `names`, of which some are beginnings.
static bool isNamed(StringRef option, ArrayRef<StringRef> names) {
  return any_of(names, [&](StringRef name) {
    return name.consume_back("*") ? option.starts_with(name) : option == name;
  });
}

void npu::groupOptions(ArrayRef<OptionGroup> groups) {
  // MLIR counts nothing in a build without assertions, as Debian's is; and few need to know how its
  // timing is laid out.
  for (const auto &entry : cl::getRegisteredOptions())
    if (entry.first.starts_with("mlir-pass-statistics") || entry.first == "mlir-timing-display")
      entry.second->setHiddenFlag(cl::Hidden);
  // Options keep pointers to them.
  static std::list<cl::OptionCategory> categories;
  SmallPtrSet<cl::Option *, 32> placed;
  for (const OptionGroup &group : groups) {
    cl::OptionCategory &category = categories.emplace_back(group.title);
    for (const auto &entry : cl::getRegisteredOptions())
      if (isNamed(entry.first, group.names) && placed.insert(entry.second).second)
        entry.second->addCategory(category);
  }
}

npu::OptionAliases::OptionAliases(std::initializer_list<cl::Option *> options) {
  for (cl::Option *option : options) {
    StringRef name = option->ArgStr;
    name.consume_front("npu-");
    aliases.emplace_back(name, cl::aliasopt(*option), cl::desc("The same as --npu-..."));
  }
}

void npu::hidePasses() {
  // Every pass is a name of one option without a name of its own.
  for (const auto &entry : cl::getRegisteredOptions())
    if (entry.second->ArgStr.empty())
      entry.second->setHiddenFlag(cl::Hidden);
}

std::optional<StringRef> npu::findGivenOption(ArrayRef<StringRef> names) {
  std::optional<StringRef> first;
  for (const auto &entry : cl::getRegisteredOptions()) {
    // A translation is a value, of an option without a name.
    bool isGiven = entry.second->getNumOccurrences() != 0 && entry.second->ArgStr == entry.first;
    if (isGiven && (!first || entry.first < *first) && isNamed(entry.first, names))
      first = entry.first;
  }
  return first;
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
