//===- CommandLine.h - command-line helpers shared by the tools -----------===//

#ifndef NPU_SUPPORT_COMMANDLINE_H
#define NPU_SUPPORT_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <initializer_list>
#include <list>
#include <optional>

namespace npu {

/// The value of an option that is on or off.
enum class Switch { Off, On };

/// Hides every option registered so far from `--help`, except help and version. Call it first in
/// `main`: libLLVM.so registers hundreds of code generator options from static constructors.
void hideLLVMOptions();

/// A heading of `--help` and the options below it: their names, or the beginnings of names, which
/// end in `*`.
struct OptionGroup {
  llvm::StringRef title;
  llvm::SmallVector<llvm::StringRef> names;
};

/// Sorts what is registered by now into groups; the first that has an option gets it. What is left
/// stays below "General options". Pass statistics and the layout of timings are hidden. Call it
/// before the command line is parsed.
void groupOptions(llvm::ArrayRef<OptionGroup> groups);

/// Hides the passes, of which there are hundreds, from `--help`; `--help-hidden` and
/// `--list-passes` show them, pipelines only the former.
void hidePasses();

/// The first option by name of those that the command line gives, after it was parsed, and that
/// `names` has as an OptionGroup does; nothing if there is none.
std::optional<llvm::StringRef> findGivenOption(llvm::ArrayRef<llvm::StringRef> names);

/// Call it before the command line is parsed. LLVM removes temporary files when a signal arrives
/// that ends the process, and also when the signal is ignored by the program that started it, as
/// nohup does: then the run goes on and its results are lost. So what is ignored stays so. A file
/// that may not grow becomes an error to tell, like a full disk.
void prepareSignals();

/// Other spellings of options that begin with `npu-`: without that. `--help-hidden` lists them.
class OptionAliases {
public:
  explicit OptionAliases(std::initializer_list<llvm::cl::Option *> options);

private:
  std::list<llvm::cl::alias> aliases;
};

} // namespace npu

#endif // NPU_SUPPORT_COMMANDLINE_H
