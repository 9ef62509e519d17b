#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/TableGenBackend.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/CommandLine.h"
int main(int argc, char **argv) {
  llvm::InitLLVM y(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv);
  return llvm::TableGenMain(argv[0], llvm::TableGenMainFn());
}
