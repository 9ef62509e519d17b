//===- TranslateMain.cpp - npu-translate's commands for ONNX models -------===//
//
// The driver of the other translations copies its input, which may be most of the memory there is.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/ONNX/ImportONNX.h"

#include "NPU/Support/CommandLine.h"
#include "NPU/Support/DiagnosticPrinter.h"
#include "NPU/Support/EscapeText.h"
#include "NPU/Support/InputFile.h"
#include "NPU/Support/OutputFiles.h"
#include "NPU/Support/ToolLog.h"
#include "PrepareModel.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace npu;

namespace {
struct CommandLineOptions {
  llvm::cl::list<std::string> boundInputs{
      "onnx-bind-input",
      llvm::cl::desc(
          "Replace a graph input, named or numbered, by a constant from a file with a TensorProto"),
      llvm::cl::value_desc("input=@file.pb")};
  llvm::cl::list<std::string> dimensions{
      "onnx-dim", llvm::cl::desc("The size of a named dimension of the graph inputs"),
      llvm::cl::value_desc("name=size")};
  llvm::cl::list<std::string> outputs{
      "onnx-output",
      llvm::cl::desc("A value to return, of any node, instead of the outputs of the graph"),
      llvm::cl::value_desc("name")};
  llvm::cl::opt<uint64_t> seed{"onnx-seed-weights",
                               llvm::cl::desc("Replace weights whose elements are all equal by "
                                              "pseudo-random weights of a suitable scale"),
                               llvm::cl::value_desc("seed")};
};
} // namespace

static CommandLineOptions &getCommandLine() {
  static CommandLineOptions options;
  return options;
}

void npu::registerONNXImportOptions() { getCommandLine(); }

std::optional<ONNXImportOptions> npu::getONNXImportOptions() {
  const CommandLineOptions &given = getCommandLine();
  ONNXImportOptions options;
  for (StringRef bound : given.boundInputs) {
    auto [input, path] = bound.rsplit("=@");
    if (input.empty() || path.empty()) {
      llvm::errs() << "error: expected <input>=@<file.pb> for --onnx-bind-input, found '"
                   << escapeText(bound) << "'\n";
      return std::nullopt;
    }
    options.boundInputs.push_back({input.str(), path.str()});
  }
  for (StringRef dimension : given.dimensions) {
    auto [name, text] = dimension.rsplit('=');
    int64_t size;
    if (name.empty() || text.getAsInteger(10, size) || size < 1) {
      llvm::errs() << "error: expected <name>=<positive size> for --onnx-dim, found '"
                   << escapeText(dimension) << "'\n";
      return std::nullopt;
    }
    if (!options.dimensions.try_emplace(name, size).second) {
      llvm::errs() << "error: expected one size for each dimension for --onnx-dim, found '"
                   << escapeText(name) << "' again\n";
      return std::nullopt;
    }
  }
  options.outputs.assign(given.outputs.begin(), given.outputs.end());
  if (given.seed.getNumOccurrences() != 0)
    options.seed = given.seed;
  return options;
}

static LogicalResult writeMLIR(const llvm::MemoryBuffer &file, const ONNXImportOptions &options,
                               raw_ostream &os, ToolLog &log) {
  MLIRContext context;
  llvm::SourceMgr noSources;
  DiagnosticPrinter handler(noSources, &context);
  ScopedDiagnosticHandler observer(&context, [&](Diagnostic &diagnostic) {
    log.add(diagnostic);
    return failure(); // for the next handler
  });
  OwningOpRef<ModuleOp> module = importONNX(file, options, &context);
  if (!module)
    return failure();
  module->print(os);
  os << "\n";
  return success();
}

static LogicalResult writeONNX(const llvm::MemoryBuffer &file, const ONNXImportOptions &options,
                               raw_ostream &os, ToolLog &log) {
  auto fail = [&](const Twine &message) {
    llvm::errs() << escapeText(file.getBufferIdentifier())
                 << ": error: " << escapeText(message.str()) << "\n";
    log.addError(file.getBufferIdentifier() + ": " + message);
    return failure();
  };
  onnx::ModelProto model;
  if (file.getBufferSize() > INT32_MAX ||
      !model.ParseFromArray(file.getBufferStart(), file.getBufferSize()))
    return fail("expected an ONNX model of at most 2 GiB");
  prepareModel(model, options);
  std::string bytes;
  if (!model.SerializeToString(&bytes))
    return fail("the model is larger than 2 GiB");
  os << bytes;
  return success();
}

/// Reads the input, and writes the output unless `write` fails, after an error that was printed.
static int translate(StringRef input, StringRef output, ToolLog &log, decltype(writeMLIR) write) {
  std::optional<ONNXImportOptions> options = getONNXImportOptions();
  if (!options)
    return 2;
  InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  inputOptions.needsTerminator = false;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readInput(input, inputOptions);
  if (!file)
    return log.fail(input + ": " + toString(file.takeError()));
  protectInput(input, /*isReplaceable=*/true);
  OutputFiles files;
  llvm::Expected<raw_ostream *> os = files.open(output, OutputFiles::Inputs::Replace);
  if (!os)
    return log.fail(os.takeError());
  if (failed(write(**file, *options, **os, log)))
    return 1;
  llvm::Error error = files.commit();
  return error ? log.fail(std::move(error)) : 0;
}

int npu::onnxToMLIRMain(StringRef input, StringRef output, ToolLog &log) {
  return translate(input, output, log, writeMLIR);
}

int npu::onnxToONNXMain(StringRef input, StringRef output, ToolLog &log) {
  return translate(input, output, log, writeONNX);
}
