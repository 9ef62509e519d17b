//===- TargetFile.h - chips in files --------------------------------------===//
//
// A chip that no record describes is one JSON object: a name, by default that of the file, and the
// parameters in the units of TargetBase.td, every one or those that differ from a "base". Where the
// command line takes a target, `@chip.json` names such a file. What is made for it does not refer
// to the file: it has the chip in its own specification.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_DESC_TARGETFILE_H
#define NPU_TARGET_DESC_TARGETFILE_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace npu {

/// `specification`, unless it is `@file` or `@file:parameter=value,...`: then that of the chip in
/// the file, with these parameters. It is the name of a known target with the parameters that
/// differ, or that of a new one with all parameters. Only for what the user typed: no program may
/// name files to read. Fails when the file does not describe a chip; other specifications are not
/// checked.
llvm::Expected<std::string> resolveTarget(llvm::StringRef specification);

/// The same of the text of such a file, whose bases that are files are looked for in the working
/// directory. What messages call it, and what it is called unless it has a name, is `name`.
llvm::Expected<std::string> parseTargetText(llvm::StringRef text, llvm::StringRef name);

/// Writes a known target, or one with overrides, as such a file.
llvm::Error printTargetAsJSON(llvm::StringRef specification, llvm::raw_ostream &os);

/// The value of an option, of a tool or of a pass, that names a target. Files are read when it is
/// parsed.
struct TargetName : std::string {
  TargetName() = default;
  TargetName(const char *text) : std::string(text) {}
  TargetName(std::string text) : std::string(std::move(text)) {}
};

} // namespace npu

template <>
class llvm::cl::parser<npu::TargetName> : public llvm::cl::basic_parser<npu::TargetName> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text, npu::TargetName &value);
  StringRef getValueName() const override { return "target"; }
  void printOptionDiff(const Option &option, const npu::TargetName &value,
                       const OptionValue<npu::TargetName> &initial, size_t width) const {
    printOptionName(option, width);
    outs() << "= " << value << "\n";
  }
  void anchor() override;
};

#endif // NPU_TARGET_DESC_TARGETFILE_H
