//===- ModelFile.cpp - a model's file and what is said about it -----------===//

#include "NPU/InitAll/ModelFile.h"

#include "NPU/Dialect/NPU/IR/NPU.h"
#include "NPU/Dialect/NPUISA/IR/NPUISA.h"
#include "NPU/InitAll/InitAll.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Support/Nesting.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace npu;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

ModelFile::ModelFile(llvm::raw_ostream &os, std::function<void(Diagnostic &)> observe)
    : context(makeRegistry()), handler(sourceMgr, &context, os),
      observer(&context, [this, observe = std::move(observe)](Diagnostic &diagnostic) {
        if (observe)
          observe(diagnostic);
        reported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure();
      }) {
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
}

/// Fails for what a model was compiled to, without the model.
static llvm::Error checkIsModel(ModuleOp module) {
  isa::ProgramOp program;
  WalkResult result = module.walk([&](Operation *op) {
    if (auto found = dyn_cast<isa::ProgramOp>(op))
      program = found;
    auto function = dyn_cast<FunctionOpInterface>(op);
    bool isOfModel = function && !function.isExternal() && !mlir::isa<KernelOp>(op);
    return isOfModel ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!program || result.wasInterrupted())
    return llvm::Error::success();
  return llvm::createStringError(
      "expected a model, found npu_isa.program '" + program.getSymName() +
      "', which is compiled already; npu-translate --mlir-to-npu-asm makes a program of it that "
      "npu-run runs");
}

llvm::Expected<std::unique_ptr<ModelFile>>
ModelFile::read(StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer,
                const ONNXImportOptions &onnxOptions, llvm::raw_ostream &os,
                std::function<void(Diagnostic &)> observe) {
  FileKind kind = recognizeFile(buffer->getBuffer());
  bool isONNX = isONNXFile(path, kind);
  if (kind == FileKind::Empty || (!isONNX && !mayBeMLIR(kind)))
    return llvm::createStringError(path + ": " + describeMismatch("a model in MLIR or ONNX", kind));
  auto isKnown = [](StringRef dialect) { return false; };
  if (kind != FileKind::Bytecode && !isONNX)
    if (std::optional<std::string> unlowered = findUnloweredOp(buffer->getBuffer(), isKnown))
      return llvm::createStringError(path + ":" + *unlowered);
  if (!isONNX && !checkNesting(*buffer, os))
    return nullptr;
  std::unique_ptr<ModelFile> file(new ModelFile(os, std::move(observe)));
  const llvm::MemoryBuffer &contents = *buffer;
  file->sourceMgr.AddNewSourceBuffer(std::move(buffer), SMLoc());
  file->module = isONNX ? importONNX(contents, onnxOptions, &file->context)
                        : parseSourceFile<ModuleOp>(file->sourceMgr, &file->context);
  if (!file->module)
    return nullptr;
  if (llvm::Error error = checkIsModel(file->getModule()))
    return llvm::createStringError(path + ": " + llvm::toString(std::move(error)));
  return std::move(file);
}
