//===- NPUTableGen.cpp - generator driver ---------------------------------===//
//
// The backends register themselves with TableGen::Emitter; this only runs the chosen one.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/TableGenBackend.h"

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, "NPU code generator\n");
  return llvm::TableGenMain(argv[0], llvm::TableGenMainFn());
}
