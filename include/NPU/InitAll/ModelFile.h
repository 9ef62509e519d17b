//===- ModelFile.h - a model's file and what is said about it -------------===//

#ifndef NPU_INITALL_MODELFILE_H
#define NPU_INITALL_MODELFILE_H

#include "NPU/Support/DiagnosticPrinter.h"
#include "NPU/Support/FileKind.h"
#include "NPU/Target/ONNX/ImportONNX.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <memory>

namespace npu {

/// Whether a file is an ONNX model: its name or its first byte says so.
inline bool isONNXFile(llvm::StringRef path, FileKind kind) {
  return kind == FileKind::ONNX || path.ends_with(".onnx");
}

/// A module read from a file, of MLIR or of something that is imported. As long as it lives,
/// diagnostics of its context are printed, with the line of the file they are about.
class ModelFile {
public:
  /// Reads what `path` contained: an ONNX model or else MLIR
  /// with every dialect of the project; unregistered ones are allowed. Fails when it is not MLIR.
  /// Returns null after errors that have been printed. `os` is where they and all later ones go;
  /// `observe` sees every diagnostic, too.
  static llvm::Expected<std::unique_ptr<ModelFile>>
  read(llvm::StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer,
       const ONNXImportOptions &onnxOptions, llvm::raw_ostream &os = llvm::errs(),
       std::function<void(mlir::Diagnostic &)> observe = nullptr);

  mlir::ModuleOp getModule() { return *module; }

  /// Whether an error has been printed. An error that follows from it need not be told.
  bool hasReported() const { return reported; }

private:
  ModelFile(llvm::raw_ostream &os, std::function<void(mlir::Diagnostic &)> observe);

  mlir::MLIRContext context;
  llvm::SourceMgr sourceMgr;
  DiagnosticPrinter handler;
  mlir::ScopedDiagnosticHandler observer;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool reported = false;
};

} // namespace npu

#endif // NPU_INITALL_MODELFILE_H
