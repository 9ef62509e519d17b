//===- ModelFile.cpp - a model's file and what is said about it -----------===//

#include "NPU/InitAll/ModelFile.h"

#include "NPU/InitAll/InitAll.h"
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

ModelFile::ModelFile(llvm::raw_ostream &os)
    : context(makeRegistry()), handler(sourceMgr, &context, os),
      observer(&context, [this](Diagnostic &diagnostic) {
        reported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure();
      }) {
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
}

llvm::Expected<std::unique_ptr<ModelFile>>
ModelFile::read(StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer,
                const ONNXImportOptions &onnxOptions, llvm::raw_ostream &os) {
  // The first field of a model is its IR version, which no text starts with.
  bool isONNX = path.ends_with(".onnx") || buffer->getBuffer().starts_with("\x08");
  if (!isONNX && buffer->getBuffer().contains('\0') && !isBytecode(*buffer))
    return llvm::createStringError(path + ": expected MLIR, found binary data");
  if (!isONNX && !checkNesting(*buffer, os))
    return nullptr;
  std::unique_ptr<ModelFile> file(new ModelFile(os));
  const llvm::MemoryBuffer &contents = *buffer;
  file->sourceMgr.AddNewSourceBuffer(std::move(buffer), SMLoc());
  file->module = isONNX ? importONNX(contents, onnxOptions, &file->context)
                        : parseSourceFile<ModuleOp>(file->sourceMgr, &file->context);
  return file->module ? std::move(file) : nullptr;
}
