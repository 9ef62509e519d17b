//===- npu-opt.cpp - runs passes and pipelines on MLIR files --------------===//

#include "NPU/Hook/IREEHook.h"
#include "NPU/InitAll.h"
#include "NPU/Support/CommandLine.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

int main(int argc, char **argv) {
  npu::hideLLVMOptions();
  // As the tool for iree-compile, it reads and writes one executable and nothing else.
  if (llvm::is_contained(llvm::ArrayRef(argv, argc), llvm::StringRef("--npu-iree-hook")))
    return npu::hook::hookMain(argc, argv);
  npu::registerContextOptions();
  mlir::DialectRegistry registry;
  npu::registerAllDialects(registry);
  npu::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "NPU compiler pass driver\n", registry));
}
