//===- Version.cpp - which toolchain this is ------------------------------===//

#include "NPU/Support/Version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

llvm::StringRef npu::getVersion() { return NPU_VERSION; }

void npu::registerVersion() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "NPU toolchain " << getVersion() << " on LLVM " LLVM_VERSION_STRING "\n";
  });
}
