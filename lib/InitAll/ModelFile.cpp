//===- ModelFile.cpp - an MLIR file and what is said about it -------------===//

#include "NPU/ModelFile.h"

#include "NPU/InitAll.h"
#include "NPU/Support/Nesting.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace npu;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

ModelFile::ModelFile()
    : context(makeRegistry()), handler(sourceMgr, &context, llvm::errs()),
      observer(&context, [this](Diagnostic &diagnostic) {
        reported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure();
      }) {
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
}

llvm::Expected<std::unique_ptr<ModelFile>>
ModelFile::read(StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (buffer->getBuffer().contains('\0') && !isBytecode(*buffer))
    return llvm::createStringError(path + ": expected MLIR, found binary data");
  if (!checkNesting(*buffer))
    return nullptr;
  return import(std::move(buffer), [](llvm::SourceMgr &source, MLIRContext *context) {
    return parseSourceFile<ModuleOp>(source, context);
  });
}

std::unique_ptr<ModelFile> ModelFile::import(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                             Loader load) {
  std::unique_ptr<ModelFile> file(new ModelFile());
  file->sourceMgr.AddNewSourceBuffer(std::move(buffer), SMLoc());
  file->module = load(file->sourceMgr, &file->context);
  return file->module ? std::move(file) : nullptr;
}
