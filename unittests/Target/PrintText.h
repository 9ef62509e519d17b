//===- PrintText.h - the assembly of a program as a string ----------------===//

#ifndef NPU_UNITTESTS_TARGET_PRINTTEXT_H
#define NPU_UNITTESTS_TARGET_PRINTTEXT_H

#include "NPU/Target/Assembly/Assembly.h"

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace npu::isa {

inline std::string printText(const Program &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printAssembly(program, os);
  return text;
}

} // namespace npu::isa

#endif // NPU_UNITTESTS_TARGET_PRINTTEXT_H
