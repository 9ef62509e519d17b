//===- npu-lsp-server.cpp - language server for .mlir files ---------------===//

#include "NPU/InitAll/InitAll.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  npu::hideLLVMOptions();
  npu::registerVersion();
  mlir::DialectRegistry registry;
  npu::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
