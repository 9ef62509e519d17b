//===- SourceOps.h - errors that name the op of the model -------*- C++ -*-===//
//
// A lowering that writes an invalid op fails with an error about this op, which the user has never
// written. The location is that of the op that was lowered: the error should name that one.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_SOURCEOPS_H
#define NPU_SUPPORT_SOURCEOPS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace npu {

/// While it lives, errors at the location of an op that `root` held when it was made, of a dialect
/// of type `isSource`, say that this op cannot be lowered, with its types, if they do not name it;
/// the error itself becomes a note. They are emitted when it dies. Others pass as they are.
class SourceOps {
public:
  SourceOps(mlir::Operation *root, llvm::function_ref<bool(mlir::Operation *)> isSource);
  ~SourceOps();

private:
  struct Source {
    mlir::OperationName name;
    llvm::SmallVector<mlir::Type> operands, results;
  };
  struct Error {
    mlir::Location location;
    std::string message;
  };

  llvm::DenseMap<mlir::Location, Source> sources;
  std::vector<Error> errors;
  mlir::DiagnosticEngine &engine;
  mlir::DiagnosticEngine::HandlerID handler;
};

} // namespace npu

#endif // NPU_SUPPORT_SOURCEOPS_H
