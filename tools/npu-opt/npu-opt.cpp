//===- npu-opt.cpp - runs passes and pipelines on MLIR files --------------===//

#include "NPU/InitAll.h"
#include "NPU/Support/CommandLine.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  npu::hideLLVMOptions();
  npu::registerContextOptions();
  mlir::DialectRegistry registry;
  npu::registerAllDialects(registry);
  npu::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "NPU compiler pass driver\n", registry));
}
