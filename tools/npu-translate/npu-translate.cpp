//===- npu-translate.cpp - assembly and binaries out of MLIR, and back ----===//

#include "TargetMain.h"

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Runner/GraphReport.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/Target/Translate/Translate.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  npu::prepareSignals();
  npu::hideLLVMOptions();
  npu::registerVersion();
  npu::registerContextOptions();
  llvm::cl::opt<bool> listTargets(
      "list-targets", llvm::cl::desc("List the known targets and their parameters, and exit"),
      llvm::cl::callback([](const bool &) {
        npu::printTargets(llvm::outs());
        exit(0);
      }));
  llvm::cl::opt<bool> listSupportedOps(
      "list-supported-ops",
      llvm::cl::desc("List what the NPU runs and all reasons why not, in Markdown, and exit"),
      llvm::cl::callback([](const bool &) {
        npu::printSupportedOps(llvm::outs());
        exit(0);
      }));
  llvm::cl::opt<bool> listSupportedOnnxOps(
      "list-supported-onnx-ops",
      llvm::cl::desc("List the ONNX operators that can be imported, in Markdown, and exit"),
      llvm::cl::callback([](const bool &) {
        npu::onnx_ir::printSupportedOps(llvm::outs());
        exit(0);
      }));
  npu::registerONNXCommands();
  npu::registerTargetCommand();
  npu::taskgraph::registerTaskGraphOptions();
  if (npu::isTargetCommand(argc, argv))
    return npu::targetMain(argc, argv);
  npu::runtime::SarifLog log("npu-translate");
  npu::runtime::GraphReporter reporter(log);
  if (npu::taskgraph::isTaskGraphCommand(argc, argv))
    return npu::taskgraph::translateMain(argc, argv, reporter);
  if (npu::isONNXCommand(argc, argv))
    return npu::onnxMain(argc, argv);
  npu::registerTranslations();
  return npu::translateMain(argc, argv);
}
