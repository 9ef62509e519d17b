//===- npu-translate.cpp - assembly and binaries out of MLIR, and back ----===//

#include "TargetMain.h"

#include "NPU/Dialect/ONNX/Specs/OpSpec.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Partition/Partition.h"
#include "NPU/Runner/GraphReport.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/Desc/TargetDesc.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/Target/Translate/Translate.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

/// The value that a command line gives an option, before its parser is known.
static StringRef findValue(ArrayRef<char *> arguments, StringRef option) {
  for (auto [index, argument] : enumerate(arguments)) {
    auto [name, value] = StringRef(argument).split('=');
    if (!name.starts_with("-") || name.ltrim('-') != option)
      continue;
    bool isNext = !StringRef(argument).contains('=') && index + 1 < arguments.size();
    return isNext ? StringRef(arguments[index + 1]) : value;
  }
  return "";
}

static int fail(const Twine &message, int code) {
  errs() << "npu-translate: error: " << npu::escapeText(message.str()) << "\n";
  return code;
}

/// Runs the command that is asked for.
static int run(int argc, char **argv, npu::runtime::SarifLog &log) {
  if (npu::isTargetCommand(argc, argv))
    return npu::targetMain(argc, argv, log);
  npu::runtime::GraphReporter reporter(log);
  if (npu::taskgraph::isTaskGraphCommand(argc, argv))
    return npu::taskgraph::translateMain(argc, argv, reporter);
  if (npu::isONNXCommand(argc, argv))
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
  // One log for three parsers of the command line, which have the option in common.
  cl::opt<std::string> sarif(
      "sarif",
      cl::desc("Write errors and warnings as SARIF, also when the translation fails; of a "
               "task graph also the reasons for what is on the host"),
      cl::value_desc("file"));
  StringRef output = findValue(ArrayRef(argv, argc), "o");
  if (!output.empty() && output == findValue(ArrayRef(argv, argc), "sarif"))
    return fail("expected different files for -o and --sarif, found '" + output + "' for both", 2);
  npu::runtime::SarifLog log("npu-translate");
  int code = run(argc, argv, log);
  if (sarif.empty())
    return code;
  npu::OutputFiles files;
  Error error = files.write(sarif, log.print(code));
  if (!error)
    error = files.commit();
  return error ? fail(toString(std::move(error)), 1) : code;
}
