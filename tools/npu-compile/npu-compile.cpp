//===- npu-compile.cpp - compiles models to task graphs ------------------===//

#include "NPU/RunReport/GraphReport.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/PassManagers.h"
#include "NPU/Support/Version.h"
#include "NPU/TaskGraph/BuildTaskGraph.h"

#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace npu;

static int run(int argc, char **argv, runtime::SarifLog &log) {
  taskgraph::registerCompileOptions();
  PassManagerOptions passOptions;
  cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<model.onnx | model.mlir>"));
  cl::opt<std::string> output("o", cl::desc("The output file"), cl::value_desc("file"),
                              cl::init("-"));
  groupOptions(
      {{"Common options", {"o", "target", "report", "npu-fallback", "fallback"}},
       {"Compilation", {"npu-*", "function", "segments", "search", "placement", "schedule"}},
       {"ONNX models", {"onnx-*"}},
       {"Printing, timing and debugging of the compiler", {"mlir-*"}}});
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Compiles a model to a task graph, which npu-run runs and host programs launch\n\n"
          "EXAMPLES:\n"
          "  npu-compile model.onnx -o model.npu.json\n"
          "  npu-compile --target=@chip.json --report=report model.mlir -o model.npu.json\n"
          "  npu-run --input=@x.npy --output=@y.npy model.npu.json\n",
          &errs()))
    return 2;
  passOptions.begin();
  runtime::GraphReporter reporter(log);
  return taskgraph::compileMain(input, output, reporter);
}

int main(int argc, char **argv) {
  prepareSignals();
  InitLLVM initLLVM(argc, argv);
  hideLLVMOptions();
  registerVersion();
  return runtime::runWithSarif("npu-compile", ArrayRef(argv, argc),
                               [&](runtime::SarifLog &log) { return run(argc, argv, log); });
}
