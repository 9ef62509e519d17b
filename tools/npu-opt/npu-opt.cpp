//===- npu-opt.cpp - runs passes and pipelines on MLIR files --------------===//

#include "NPU/Hook/IREEHook.h"
#include "NPU/InitAll.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/Nesting.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// What MlirOptMain does with files, with a look at the text before it is parsed.
static LogicalResult processFile(StringRef inputName, StringRef outputName,
                                 DialectRegistry &registry, const MlirOptMainConfig &config) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &message);
  if (!input) {
    llvm::errs() << message << "\n";
    return failure();
  }
  if (!npu::checkNesting(*input))
    return failure();
  std::unique_ptr<llvm::ToolOutputFile> output = openOutputFile(outputName, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return failure();
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  npu::hideLLVMOptions();
  // As the tool for iree-compile, it reads and writes one executable and nothing else.
  if (llvm::is_contained(llvm::ArrayRef(argv, argc), llvm::StringRef("--npu-iree-hook")))
    return npu::hook::hookMain(argc, argv);
  npu::registerContextOptions();
  DialectRegistry registry;
  npu::registerAllDialects(registry);
  npu::registerAllPasses();
  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "NPU compiler pass driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, inputName, outputName, registry));
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(processFile(inputName, outputName, registry, config));
}
