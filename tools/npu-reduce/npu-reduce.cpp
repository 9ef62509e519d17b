//===- npu-reduce.cpp - makes modules smaller that show a fault -----------===//

#include "ReduceOps.h"

#include "NPU/InitAll/InitAll.h"
#include "NPU/Support/CommandLine.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/ADT/STLExtras.h"

int main(int argc, char **argv) {
  npu::prepareSignals();
  npu::hideLLVMOptions();
  mlir::DialectRegistry registry;
  npu::registerAllDialects(registry);
  // Upstream's help lists all passes there are. Those that reduce are what one gives the tool.
  bool isShortHelp = llvm::any_of(llvm::ArrayRef(argv, argc), [](llvm::StringRef argument) {
    return argument == "--help" || argument == "-help" || argument == "-h";
  });
  if (!isShortHelp)
    npu::registerAllPasses();
  mlir::registerReducerPasses();
  npu::registerReduceOpsPass();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
