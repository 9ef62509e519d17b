//===- HookMain.cpp - the command line of npu-opt --npu-iree-hook ---------===//

#include "HookMain.h"

#include "NPU/Hook/IREEHook.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Support/DiagnosticPrinter.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/Nesting.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Target/Desc/TargetFile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace mlir;
using namespace npu;
using namespace npu::hook;

namespace {
/// The options; constructed in hookMain, after LLVM's own have been hidden.
struct CommandLine {
  cl::opt<bool> hook{"npu-iree-hook", cl::desc("Compile one executable of IREE for the NPU"),
                     cl::Required};
  cl::opt<std::string> input{cl::Positional, cl::desc("<executable.mlir>"), cl::init("-")};
  cl::opt<std::string> output{"o", cl::desc("The output file"), cl::value_desc("file"),
                              cl::init("-")};
  cl::opt<TargetName> target{
      "target",
      cl::desc("The chip to compile for; npu-translate --list-targets lists the known ones"),
      cl::value_desc("name | @chip.json, both with [:parameter=value,...]"), cl::init("npu-v1")};
  cl::opt<std::string> backend{"backend", cl::desc("The back end whose variants are compiled"),
                               cl::value_desc("name"), cl::init("npu")};
  cl::opt<std::string> driver{
      "driver", cl::desc("The object file with npu_launch, for variants that run on a CPU"),
      cl::value_desc("file.o"), cl::init("npu_driver.o")};
  cl::opt<bool> strict{"strict", cl::desc("Treat a dispatch that is not supported as an error")};
  cl::opt<std::string> logFile{"log-file",
                               cl::desc("A file to which a line is appended for every dispatch"),
                               cl::value_desc("file")};
};
} // namespace

static int reportError(const Twine &message) {
  errs() << "error: " << escapeText(message.str()) << "\n";
  return 1;
}

/// The executable of the text: the only op, or the only one of the module.
static hal::ExecutableOp findExecutable(ModuleOp module) {
  auto executables = module.getOps<hal::ExecutableOp>();
  return hasSingleElement(executables) ? *executables.begin() : hal::ExecutableOp();
}

/// Compiles the executable in `text` and returns the new text; that of an executable which is not
/// ours, or not supported, is the old one. Diagnostics of text that cannot be read go to the log.
static FailureOr<std::string> runHook(StringRef text, const CommandLine &options,
                                      MLIRContext &context, HookResult &result) {
  std::string unread = "nested too deep";
  OwningOpRef<ModuleOp> module;
  if (checkNesting(MemoryBufferRef(text, "executable"))) {
    unread.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (unread.empty())
        raw_string_ostream(unread) << diagnostic.getLocation() << ": " << diagnostic;
    });
    module = parseSourceString<ModuleOp>(text, &context, "executable");
  }
  if (!module) {
    result.log = result.unsupported = {"Executable not supported: " + unread};
    return text.str();
  }
  hal::ExecutableOp executable = findExecutable(*module);
  if (!executable) {
    reportError("expected one hal.executable; this is the tool for iree-compile's "
                "--iree-hal-preprocess-executables-with");
    return failure();
  }
  HookOptions hookOptions{options.target, options.backend, options.driver};
  FailureOr<HookResult> compiled = compileExecutable(executable, hookOptions);
  if (failed(compiled))
    return failure();
  result = std::move(*compiled);
  if (!result.isChanged)
    return text.str();
  std::string changed;
  raw_string_ostream os(changed);
  executable->print(os, OpPrintingFlags().useLocalScope().enableDebugInfo());
  os << "\n";
  return changed;
}

int npu::hook::hookMain(int argc, char **argv) {
  CommandLine options;
  cl::ParseCommandLineOptions(argc, argv, "compiles one executable of IREE for the NPU\n");
  InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readInput(options.input, inputOptions);
  if (!buffer)
    return reportError("cannot read '" + options.input + "': " + toString(buffer.takeError()));
  StringRef text = (*buffer)->getBuffer();
  if (text.trim().empty())
    return reportError("expected one hal.executable, found an empty input");

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  context.loadAllAvailableDialects();
  SourceMgr sources;
  DiagnosticPrinter handler(sources, &context);

  HookResult result;
  FailureOr<std::string> answer = runHook(text, options, context, result);
  if (failed(answer))
    return 1;
  if (llvm::Error error = appendLog(options.logFile, result.log))
    return reportError(toString(std::move(error)));
  if (options.strict && !result.unsupported.empty()) {
    for (const std::string &message : result.unsupported)
      reportError(message);
    return 1;
  }
  OutputFiles files;
  if (llvm::Error error = files.write(options.output, *answer, OutputFiles::Inputs::Replace))
    return reportError(toString(std::move(error)));
  if (llvm::Error error = files.commit())
    return reportError(toString(std::move(error)));
  return 0;
}
