//===- npu-reduce.cpp - makes modules smaller that show a fault -----------===//
//
// Upstream's driver opens and parses the file by itself. This one looks at it before, as the other
// tools do, and leaves no partial output.
//
//===----------------------------------------------------------------------===//

#include "ReduceOps.h"

#include "NPU/InitAll/InitAll.h"
#include "NPU/Support/CommandLine.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/Nesting.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/ParseUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
namespace cl = llvm::cl;

static LogicalResult fail(const Twine &message) {
  llvm::errs() << "npu-reduce: error: " << message << "\n";
  return failure();
}

/// Upstream's tester aborts where it cannot start its script. Looks at the `test=` of every pass.
static LogicalResult checkTests(OpPassManager &pm) {
  std::string pipeline;
  llvm::raw_string_ostream os(pipeline);
  pm.printAsTextualPipeline(os);
  StringRef rest = pipeline;
  constexpr StringRef key = "test=";
  while (size_t at = rest.find(key) + 1) {
    bool isWhole = at == 1 || rest[at - 2] == '{' || rest[at - 2] == ' ';
    rest = rest.drop_front(at - 1 + key.size());
    StringRef test = rest.take_until([](char c) { return c == ' ' || c == '}'; });
    if (!isWhole || test.empty())
      continue;
    if (!llvm::sys::fs::exists(test))
      return fail("expected a script at '" + test + "', found none; give its path as test=");
    if (!llvm::sys::fs::can_execute(test))
      return fail("expected a script that can be executed at '" + test +
                  "'; chmod +x makes it one");
  }
  return success();
}

static LogicalResult reduce(StringRef inputName, StringRef outputName, bool hasImplicitModule,
                            const PassPipelineCLParser &passes, MLIRContext &context) {
  npu::InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> input =
      npu::readInput(inputName, inputOptions);
  if (!input)
    return fail("cannot read '" + inputName + "': " + llvm::toString(input.takeError()));
  npu::protectInput(inputName, /*isReplaceable=*/true);
  if (!npu::checkNesting(**input))
    return failure();
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*input), SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);
  OwningOpRef<Operation *> op = parseSourceFileForTool(sources, &context, hasImplicitModule);
  if (!op)
    return failure();
  PassManager pm(&context, op.get()->getName().getStringRef());
  if (failed(passes.addToPipeline(pm, [](const Twine &message) { return fail(message); })) ||
      failed(checkTests(pm)) || failed(pm.run(op.get())))
    return failure();
  npu::OutputFiles files;
  llvm::Expected<llvm::raw_ostream *> os =
      files.open(outputName, npu::OutputFiles::Inputs::Replace);
  if (!os)
    return fail(llvm::toString(os.takeError()));
  op.get()->print(**os);
  **os << "\n";
  if (llvm::Error error = files.commit())
    return fail(llvm::toString(std::move(error)));
  return success();
}

int main(int argc, char **argv) {
  npu::prepareSignals();
  npu::registerVersion();
  npu::hideLLVMOptions();
  DialectRegistry registry;
  npu::registerAllDialects(registry);
  // Upstream's help lists all passes there are. Those that reduce are what one gives the tool.
  bool isShortHelp = llvm::any_of(llvm::ArrayRef(argv, argc), [](StringRef argument) {
    return argument == "--help" || argument == "-help" || argument == "-h";
  });
  if (!isShortHelp)
    npu::registerAllPasses();
  registerReducerPasses();
  npu::registerReduceOpsPass();
  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"), cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("The output file"), cl::value_desc("file"),
                              cl::init("-"));
  cl::opt<bool> noImplicitModule("no-implicit-module",
                                 cl::desc("Do not put the input into a module"));
  cl::opt<bool> allowUnregistered("allow-unregistered-dialect",
                                  cl::desc("Allow ops of dialects that are not registered"));
  PassPipelineCLParser passes("", "The reduction passes to run");
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv,
                              "Reduce a module to a smaller one for which a test still holds\n");
  MLIRContext context(registry);
  context.allowUnregisteredDialects(allowUnregistered);
  return failed(reduce(input, output, !noImplicitModule, passes, context));
}
