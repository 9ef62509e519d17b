//===- npu-translate.cpp - assembly and binaries out of MLIR, and back ----===//

#include "TargetMain.h"

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Runner/GraphReport.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/Target/Translate/Translate.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

static int fail(const Twine &message, int code) {
  errs() << "npu-translate: error: " << npu::escapeText(message.str()) << "\n";
  return code;
}

/// Runs the command that is asked for.
static int run(int argc, char **argv, npu::runtime::SarifLog &log) {
  const bool isOfTargets = npu::isTargetCommand(argc, argv),
             isOfTaskGraphs = npu::taskgraph::isTaskGraphCommand(argc, argv),
             isOfONNX = npu::isONNXCommand(argc, argv);
  if (isOfTargets + isOfTaskGraphs + isOfONNX > 1)
    return fail("expected one of --target-to-json, --mlir-to-npu-json, --validate-npu-json, "
                "--onnx-to-mlir and --onnx-to-onnx, found several; run one after the other",
                2);
  if (isOfTargets)
    return npu::targetMain(argc, argv, log);
  npu::runtime::GraphReporter reporter(log);
  if (isOfTaskGraphs)
    return npu::taskgraph::translateMain(argc, argv, reporter);
  if (isOfONNX)
    return npu::onnxMain(argc, argv, log);
  npu::registerTranslations();
  return npu::translateMain(argc, argv, log);
}

int main(int argc, char **argv) {
  npu::prepareSignals();
  npu::hideLLVMOptions();
  npu::registerVersion();
  npu::registerContextOptions();
  llvm::cl::opt<bool> listTargets(
      "list-targets", llvm::cl::desc("Print the known chips and their parameters, and exit"),
      llvm::cl::callback([](const bool &) {
        npu::printTargets(llvm::outs());
        exit(0);
      }));
  llvm::cl::opt<bool> listSupportedOps(
      "list-supported-ops",
      llvm::cl::desc("Print the ops that the NPU supports and all reasons for rejection in "
                     "Markdown, and exit"),
      llvm::cl::callback([](const bool &) {
        npu::printSupportedOps(llvm::outs());
        exit(0);
      }));
  llvm::cl::opt<bool> listSupportedOnnxOps(
      "list-supported-onnx-ops",
      llvm::cl::desc("Print the ONNX operators that the importer supports in Markdown, and exit"),
      llvm::cl::callback([](const bool &) {
        npu::onnx_ir::printSupportedOps(llvm::outs());
        exit(0);
      }));
  npu::registerONNXCommands();
  npu::registerTargetCommand();
  npu::taskgraph::registerTaskGraphCommands();
  // One log for three parsers of the command line, which have the option in common.
  return npu::runtime::runWithSarif(
      "npu-translate", ArrayRef(argv, argc),
      [&](npu::runtime::SarifLog &log) { return run(argc, argv, log); });
}
