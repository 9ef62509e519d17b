//===- npu-compile.cpp - compiles models to task graphs ------------------===//

#include "NPU/InitAll/InitAll.h"
#include "NPU/Runner/GraphReport.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

int main(int argc, char **argv) {
  npu::prepareSignals();
  npu::hideLLVMOptions();
  npu::registerVersion();
  npu::registerContextOptions();
  npu::registerONNXImportOptions();
  npu::taskgraph::registerTaskGraphOptions();
  cl::opt<std::string> sarif(
      "sarif",
      cl::desc("Write the errors, the warnings and the reasons for host placement as SARIF, also "
               "when the compilation fails"),
      cl::value_desc("file"));
  npu::runtime::SarifLog log("npu-compile");
  npu::runtime::GraphReporter reporter(log);
  int code = npu::taskgraph::compileMain(argc, argv, reporter);
  if (sarif.empty())
    return code;
  npu::OutputFiles files;
  Error error = files.write(sarif, log.print(code));
  if (!error)
    error = files.commit();
  if (!error)
    return code;
  errs() << "npu-compile: error: " << npu::escapeText(toString(std::move(error))) << "\n";
  return 1;
}
