//===- ModelFile.h - an MLIR file and what is said about it ---------------===//

#ifndef NPU_MODELFILE_H
#define NPU_MODELFILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

namespace npu {

/// A module read from a file, of MLIR or of something that is imported. As long as it lives,
/// diagnostics of its context are printed to the standard error, with the line of the file they are
/// about.
class ModelFile {
public:
  /// Reads what `path` contained, with every dialect of the project; unregistered ones are allowed.
  /// Fails when it is no MLIR. Returns null after errors that have been printed.
  static llvm::Expected<std::unique_ptr<ModelFile>>
  read(llvm::StringRef path, std::unique_ptr<llvm::MemoryBuffer> buffer);

  /// Makes a module of the main file of `source`, or explains by diagnostics why not.
  using Loader = llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>(llvm::SourceMgr &source,
                                                                      mlir::MLIRContext *context)>;

  /// What `load` makes of the file; null if that is nothing.
  static std::unique_ptr<ModelFile> import(std::unique_ptr<llvm::MemoryBuffer> buffer, Loader load);

  mlir::ModuleOp getModule() { return *module; }

  /// Whether an error has been printed. An error that follows from it need not be told.
  bool hasReported() const { return reported; }

private:
  ModelFile();

  mlir::MLIRContext context;
  llvm::SourceMgr sourceMgr;
  mlir::SourceMgrDiagnosticHandler handler;
  mlir::ScopedDiagnosticHandler observer;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool reported = false;
};

} // namespace npu

#endif // NPU_MODELFILE_H
