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

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
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

namespace {
constexpr char toMLIRName[] = "onnx-to-mlir", toONNXName[] = "onnx-to-onnx";

struct Commands {
  llvm::cl::opt<bool> toMLIR{toMLIRName,
                             llvm::cl::desc("import an ONNX model into the onnx dialect")};
  llvm::cl::opt<bool> toONNX{
      toONNXName, llvm::cl::desc("write a copy of an ONNX model with the weights of "
                                 "--onnx-seed-weights and the outputs of --onnx-output")};
};
} // namespace

static Commands &getCommands() {
  static Commands commands;
  return commands;
}

void npu::registerONNXCommands() {
  registerONNXImportOptions();
  getCommands();
}

bool npu::isONNXCommand(int argc, char **argv) {
  return any_of(ArrayRef(argv, argc).drop_front(), [](StringRef argument) {
    StringRef name = argument.ltrim('-').split('=').first;
    return argument.starts_with("-") && (name == toMLIRName || name == toONNXName);
  });
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

int npu::onnxMain(int argc, char **argv, ToolLog &log) {
  llvm::InitLLVM initLLVM(argc, argv);
  registerAsmPrinterCLOptions();
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::desc("<model.onnx>"),
                                   llvm::cl::init("-"));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("The output file"),
                                    llvm::cl::value_desc("file"), llvm::cl::init("-"));
  if (!llvm::cl::ParseCommandLineOptions(argc, argv, "ONNX models\n", &llvm::errs()))
    return 2;
  std::optional<ONNXImportOptions> options = getONNXImportOptions();
  if (!options)
    return 2;
  auto fail = [&](const Twine &message, int code = 1) {
    llvm::errs() << "npu-translate: error: " << escapeText(message.str()) << "\n";
    log.addError(message);
    return code;
  };
  const Commands &commands = getCommands();
  if (commands.toMLIR && commands.toONNX)
    return fail("expected either --onnx-to-mlir or --onnx-to-onnx, found both", 2);
  SmallVector<StringRef> idle = {"npu-*", "target", "memory-limit", "report"};
  if (commands.toONNX)
    idle.append({"onnx-bind-input", "onnx-dim", "mlir-*"});
  if (std::optional<StringRef> option = findGivenOption(idle))
    return fail("--" + *option + " has no effect on --" +
                    (commands.toONNX ? toONNXName : toMLIRName) + "; leave it out",
                2);
  InputOptions inputOptions;
  inputOptions.allowsStdin = true;
  inputOptions.needsTerminator = false;
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readInput(input, inputOptions);
  if (!file)
    return fail(input + ": " + toString(file.takeError()));
  protectInput(input, /*isReplaceable=*/true);
  OutputFiles files;
  llvm::Expected<raw_ostream *> out = files.open(output, OutputFiles::Inputs::Replace);
  if (!out)
    return fail(toString(out.takeError()));
  LogicalResult result = commands.toMLIR ? writeMLIR(**file, *options, **out, log)
                                         : writeONNX(**file, *options, **out, log);
  if (failed(result))
    return 1;
  if (llvm::Error error = files.commit())
    return fail(toString(std::move(error)));
  return 0;
}
