//===- RegisterONNX.cpp - options and translations of .onnx files ---------===//

#include "NPU/Target/ONNX/ImportONNX.h"

#include "SeedWeights.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include <onnx/onnx_pb.h>

using namespace llvm;
using namespace mlir;
using namespace npu;

namespace {
struct CommandLineOptions {
  cl::list<std::string> boundInputs{
      "onnx-bind-input",
      cl::desc("Make a graph input, by name or number, a constant from a file with a TensorProto"),
      cl::value_desc("input=@file.pb")};
  cl::list<std::string> dimensions{"onnx-dim",
                                   cl::desc("Size of a named dimension of graph inputs"),
                                   cl::value_desc("name=size")};
  cl::opt<uint64_t> seed{
      "onnx-seed-weights",
      cl::desc("Replace weights that are filled with one number by seeded, scaled ones"),
      cl::value_desc("seed")};
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
      errs() << "error: expected <input>=@<file.pb> for --onnx-bind-input, found '" << bound
             << "'\n";
      return std::nullopt;
    }
    options.boundInputs.push_back({input.str(), path.str()});
  }
  for (StringRef dimension : given.dimensions) {
    auto [name, text] = dimension.rsplit('=');
    int64_t size;
    if (name.empty() || text.getAsInteger(10, size) || size < 1) {
      errs() << "error: expected <name>=<positive size> for --onnx-dim, found '" << dimension
             << "'\n";
      return std::nullopt;
    }
    options.dimensions[name] = size;
  }
  if (given.seed.getNumOccurrences() != 0)
    options.seed = given.seed;
  return options;
}

static LogicalResult writeModel(SourceMgr &sourceMgr, raw_ostream &os) {
  const MemoryBuffer &file = *sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  std::optional<ONNXImportOptions> options = getONNXImportOptions();
  if (!options)
    return failure();
  onnx::ModelProto model;
  if (file.getBufferSize() > INT32_MAX ||
      !model.ParseFromArray(file.getBufferStart(), file.getBufferSize())) {
    errs() << file.getBufferIdentifier() << ": error: expected an ONNX model of at most 2 GiB\n";
    return failure();
  }
  if (options->seed)
    seedWeights(model, *options->seed);
  std::string bytes;
  if (!model.SerializeToString(&bytes)) {
    errs() << file.getBufferIdentifier() << ": error: the model is larger than 2 GiB\n";
    return failure();
  }
  os << bytes;
  return success();
}

void npu::registerONNXTranslations() {
  registerONNXImportOptions();
  static TranslateToMLIRRegistration toMLIR(
      "onnx-to-mlir", "import an ONNX model into the onnx dialect",
      [](SourceMgr &sourceMgr, MLIRContext *context) -> OwningOpRef<Operation *> {
        std::optional<ONNXImportOptions> options = getONNXImportOptions();
        if (!options)
          return {};
        const MemoryBuffer *file = sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
        return importONNX(*file, *options, context).release().getOperation();
      });
  static TranslateRegistration toONNX(
      "onnx-to-onnx", "write an ONNX model again, with the weights of --onnx-seed-weights",
      [](const std::shared_ptr<SourceMgr> &sourceMgr, raw_ostream &os, MLIRContext *) {
        return writeModel(*sourceMgr, os);
      });
}
