//===- NPUTableGen.cpp - generator driver ---------------------------------===//
//
// The backends register themselves with TableGen::Emitter; this only runs the chosen one.
//
//===----------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/TableGenBackend.h"

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "NPU toolchain " NPU_VERSION " on LLVM " LLVM_VERSION_STRING "\n";
  });
  llvm::cl::ParseCommandLineOptions(argc, argv, "NPU code generator\n");
  auto refuse = [](llvm::raw_ostream &, const llvm::RecordKeeper &) {
    llvm::errs()
        << "npu-tblgen: error: expected what to generate, as --gen-isa-doc, found nothing; "
           "--help lists what there is\n";
    return true;
  };
  return llvm::TableGenMain(argv[0], llvm::TableGenMainFn(refuse));
}
