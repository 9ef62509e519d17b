//===- TranslateMain.cpp - the driver of npu-translate's translations -----===//
//
// Upstream's options and order of events. Unlike upstream's, it leaves the output and the input as
// they were when a translation fails, and does not print whole modules below diagnostics.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/Translate/Translate.h"

#include "NPU/Support/CommandLine.h"
#include "NPU/Support/DiagnosticPrinter.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"
#include "ProgramDirectory.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/Timing.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using npu::OutputFiles;

using VerifierLevel = SourceMgrDiagnosticVerifierHandler::Level;

namespace {
struct TranslateOptions {
  llvm::cl::opt<std::string> input{llvm::cl::Positional, llvm::cl::desc("<input file>"),
                                   llvm::cl::init("-")};
  llvm::cl::opt<std::string> output{"o",
                                    llvm::cl::desc("The output file, or for programs a directory"),
                                    llvm::cl::value_desc("filename"), llvm::cl::init("-")};
  llvm::cl::opt<bool> allowUnregisteredDialects{
      "allow-unregistered-dialect",
      llvm::cl::desc("Allow ops of dialects that are not registered")};
  llvm::cl::opt<std::string> inputSplitMarker{
      "split-input-file", llvm::cl::ValueOptional,
      // Without a value it is the usual marker, not the lack of one.
      llvm::cl::callback([this](const std::string &marker) {
        if (marker.empty())
          inputSplitMarker = kDefaultSplitMarker;
      }),
      llvm::cl::desc("Split the input file at a marker, // ----- by default, and process each "
                     "chunk by itself"),
      llvm::cl::init("")};
  llvm::cl::opt<std::string> outputSplitMarker{
      "output-split-marker",
      llvm::cl::desc("The marker between the outputs of the chunks of --split-input-file"),
      llvm::cl::init("")};
  llvm::cl::opt<VerifierLevel> verifyDiagnostics{
      "verify-diagnostics", llvm::cl::ValueOptional,
      llvm::cl::desc("Check the diagnostics against the expected-* comments of the input"),
      llvm::cl::values(clEnumValN(VerifierLevel::All, "all",
                                  "Check all diagnostics (expected, unexpected, near-misses)"),
                       // Implicit value: when passed with no arguments.
                       clEnumValN(VerifierLevel::All, "",
                                  "Check all diagnostics (expected, unexpected, near-misses)"),
                       clEnumValN(VerifierLevel::OnlyExpected, "only-expected",
                                  "Check only expected diagnostics"))};
  llvm::cl::opt<bool> errorDiagnosticsOnly{"error-diagnostics-only",
                                           llvm::cl::desc("Print errors only")};
  llvm::cl::list<const Translation *, bool, TranslationParser> translations{
      "", llvm::cl::desc("The translations, one on the result of the other"), llvm::cl::ZeroOrMore};
};
} // namespace

/// Hears what is said, while translateMain runs.
static npu::ToolLog *toolLog = nullptr;

static LogicalResult runTranslation(const Translation &translation,
                                    std::unique_ptr<llvm::MemoryBuffer> buffer, raw_ostream &os,
                                    const TranslateOptions &options) {
  MLIRContext context;
  context.allowUnregisteredDialects(options.allowUnregisteredDialects);
  auto sourceMgr = std::make_shared<llvm::SourceMgr>();
  sourceMgr->AddNewSourceBuffer(std::move(buffer), SMLoc());
  if (options.verifyDiagnostics.getNumOccurrences() != 0) {
    context.printOpOnDiagnostic(false);
    SourceMgrDiagnosticVerifierHandler handler(*sourceMgr, &context, options.verifyDiagnostics);
    // Whether the translation fails is part of what the diagnostics say.
    (void)translation(sourceMgr, os, &context);
    return handler.verify();
  }
  npu::DiagnosticPrinter handler(*sourceMgr, &context);
  ScopedDiagnosticHandler filter(&context, [&](Diagnostic &diagnostic) {
    bool isHidden =
        options.errorDiagnosticsOnly && diagnostic.getSeverity() != DiagnosticSeverity::Error;
    if (!isHidden)
      toolLog->add(diagnostic);
    return success(isHidden);
  });
  return translation(sourceMgr, os, &context);
}

/// Runs the translations one after the other, each on the result of the one before.
static LogicalResult runTranslations(std::unique_ptr<llvm::MemoryBuffer> buffer, raw_ostream &os,
                                     const TranslateOptions &options, TimingScope &timing) {
  SmallVector<const Translation *> translations(options.translations.begin(),
                                                options.translations.end());
  const Translation *last = translations.pop_back_val();
  for (const Translation *translation : translations) {
    TimingScope scope = timing.nest(translation->getDescription());
    std::string result;
    llvm::raw_string_ostream resultStream(result);
    if (failed(runTranslation(*translation, std::move(buffer), resultStream, options)))
      return failure();
    buffer = llvm::MemoryBuffer::getMemBufferCopy(result);
  }
  TimingScope scope = timing.nest(last->getDescription());
  return runTranslation(*last, std::move(buffer), os, options);
}

static int fail(const Twine &message, int code = 1) {
  llvm::errs() << "npu-translate: error: " << npu::escapeText(message.str()) << "\n";
  toolLog->addError(message);
  return code;
}

int npu::translateMain(int argc, char **argv, ToolLog &log) {
  toolLog = &log;
  llvm::InitLLVM initLLVM(argc, argv);
  registerAsmPrinterCLOptions();
  registerTranslationCLOptions();
  registerDefaultTimingManagerCLOptions();
  TranslateOptions options;
  groupOptions({{"Translations, one after the other", {"mlir-to-npu-asm", "npu-program"}},
                {"Models to task graphs, and their check",
                 {"mlir-to-npu-json", "validate-npu-json", "target", "npu-*"}},
                {"ONNX models", {"onnx-*"}},
                {"Targets and lists", {"list-*", "target-to-json"}},
                {"Printing, timing and debugging", {"mlir-*", "no-implicit-module", "sarif"}},
                {"Tests", {"verify-*", "split-*", "output-split*", "error-*", "allow-*"}}});
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, "NPU program translation driver\n",
                                         &llvm::errs()))
    return 2;
  if (options.translations.empty())
    return fail("expected a translation such as --mlir-to-npu-asm or --onnx-to-mlir, found none; "
                "npu-translate --help lists all",
                2);

  if (std::optional<StringRef> option = findGivenOption(
          {"npu-function", "npu-fallback", "npu-segments", "npu-search", "npu-placement",
           "npu-schedule", "onnx-*", "target", "memory-limit", "report"}))
    return fail(
        "--" + *option + " has no effect on translations of MLIR and programs; leave it out", 2);

  if (!options.outputSplitMarker.empty() && options.inputSplitMarker.empty())
    return fail("--output-split-marker needs --split-input-file: there is one output without it; "
                "leave it out",
                2);

  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();

  InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> input =
      readInput(options.input, inputOptions);
  if (!input)
    return fail("cannot read '" + options.input + "': " + toString(input.takeError()));
  protectInput(options.input, /*isReplaceable=*/true);
  OutputFiles files;
  // Into a directory, only programs are written.
  ProgramDirectory &directory = getProgramDirectory();
  std::string misplaced;
  llvm::raw_string_ostream misplacedStream(misplaced);
  raw_ostream *os = &misplacedStream;
  if (StringRef(options.output).ends_with("/") || llvm::sys::fs::is_directory(options.output)) {
    directory.path = options.output;
    directory.files = &files;
  } else if (llvm::Error error =
                 files.open(options.output, OutputFiles::Inputs::Replace).moveInto(os)) {
    return fail(toString(std::move(error)));
  }
  auto process = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, raw_ostream &os) {
    return runTranslations(std::move(chunk), os, options, timing);
  };
  if (failed(splitAndProcessBuffer(std::move(*input), process, *os, options.inputSplitMarker,
                                   options.outputSplitMarker)))
    return 1;
  if (!directory.path.empty() && !directory.isUsed)
    return fail("expected a file for -o, found directory '" + options.output +
                    "'; only --mlir-to-npu-asm and --mlir-to-npu-binary write several files",
                2);
  if (llvm::Error error = files.commit())
    return fail(toString(std::move(error)));
  return 0;
}
