//===- npu-compile.cpp - compiles models to task graphs ------------------===//

#include "NPU/InitAll/InitAll.h"
#include "NPU/Runner/GraphReport.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/Version.h"
#include "NPU/Target/ONNX/ImportONNX.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

int main(int argc, char **argv) {
  npu::prepareSignals();
  npu::hideLLVMOptions();
  npu::registerVersion();
  npu::registerContextOptions();
  npu::registerONNXImportOptions();
  npu::taskgraph::registerTaskGraphOptions();
  return npu::runtime::runWithSarif("npu-compile", llvm::ArrayRef(argv, argc),
                                    [&](npu::runtime::SarifLog &log) {
                                      npu::runtime::GraphReporter reporter(log);
                                      return npu::taskgraph::compileMain(argc, argv, reporter);
                                    });
}
