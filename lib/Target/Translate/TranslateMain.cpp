//===- TranslateMain.cpp - the driver of npu-translate's translations -----===//
//
// Upstream's options and order of events. Unlike upstream's, it leaves the output and the input as
// they were when a translation fails, and does not print whole modules below diagnostics.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/Translate/Translate.h"

#include "NPU/Support/DiagnosticPrinter.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"
#include "ProgramDirectory.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/Timing.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using npu::OutputFiles;

using VerifierLevel = SourceMgrDiagnosticVerifierHandler::Level;

namespace {
struct TranslateOptions {
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
};
} // namespace

static TranslateOptions &getOptions() {
  static TranslateOptions options;
  return options;
}

void npu::registerTranslateOptions() {
  registerAsmPrinterCLOptions();
  registerDefaultTimingManagerCLOptions();
  getOptions();
}

static LogicalResult runTranslation(const Translation &translation,
                                    std::unique_ptr<llvm::MemoryBuffer> buffer, raw_ostream &os,
                                    npu::ToolLog &log) {
  const TranslateOptions &options = getOptions();
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
      log.add(diagnostic);
    return success(isHidden);
  });
  return translation(sourceMgr, os, &context);
}

/// Runs the translations one after the other, each on the result of the one before.
static LogicalResult runTranslations(ArrayRef<const Translation *> translations,
                                     std::unique_ptr<llvm::MemoryBuffer> buffer, raw_ostream &os,
                                     TimingScope &timing, npu::ToolLog &log) {
  for (const Translation *translation : translations.drop_back()) {
    TimingScope scope = timing.nest(translation->getDescription());
    std::string result;
    llvm::raw_string_ostream resultStream(result);
    if (failed(runTranslation(*translation, std::move(buffer), resultStream, log)))
      return failure();
    buffer = llvm::MemoryBuffer::getMemBufferCopy(result);
  }
  TimingScope scope = timing.nest(translations.back()->getDescription());
  return runTranslation(*translations.back(), std::move(buffer), os, log);
}

int npu::translateMain(ArrayRef<const Translation *> translations, StringRef input,
                       StringRef output, ToolLog &log) {
  const TranslateOptions &options = getOptions();
  if (!options.outputSplitMarker.empty() && options.inputSplitMarker.empty())
    return log.fail(
        "--output-split-marker needs --split-input-file: there is one output without it; "
        "leave it out",
        2);

  DefaultTimingManager timingManager;
  applyDefaultTimingManagerCLOptions(timingManager);
  TimingScope timing = timingManager.getRootScope();

  InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(input, inputOptions);
  if (!buffer)
    return log.fail("cannot read '" + input + "': " + toString(buffer.takeError()));
  protectInput(input, /*isReplaceable=*/true);
  OutputFiles files;
  // Into a directory, only programs are written.
  ProgramDirectory &directory = getProgramDirectory();
  std::string misplaced;
  llvm::raw_string_ostream misplacedStream(misplaced);
  raw_ostream *os = &misplacedStream;
  if (output.ends_with("/") || llvm::sys::fs::is_directory(output)) {
    directory.path = output.str();
    directory.files = &files;
    directory.log = &log;
  } else if (llvm::Error error = files.open(output, OutputFiles::Inputs::Replace).moveInto(os)) {
    return log.fail(std::move(error));
  }
  auto process = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, raw_ostream &os) {
    return runTranslations(translations, std::move(chunk), os, timing, log);
  };
  if (failed(splitAndProcessBuffer(std::move(*buffer), process, *os, options.inputSplitMarker,
                                   options.outputSplitMarker)))
    return 1;
  if (!directory.path.empty() && !directory.isUsed)
    return log.fail("expected a file for -o, found directory '" + output +
                        "'; only --mlir-to-npu-asm and --mlir-to-npu-binary write several files",
                    2);
  if (llvm::Error error = files.commit())
    return log.fail(std::move(error));
  return 0;
}
