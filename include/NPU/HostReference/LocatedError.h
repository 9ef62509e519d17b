//===- LocatedError.h - errors that say where in the IR they are ----------===//

#ifndef NPU_HOSTREFERENCE_LOCATEDERROR_H
#define NPU_HOSTREFERENCE_LOCATEDERROR_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

namespace npu::runtime {

/// "file:line:column: " of the innermost file location in `loc`, or nothing.
std::string formatLocation(mlir::Location loc);

/// "file:line:column: 'dialect.op' op `message`", as diagnostics spell it.
llvm::Error makeOpError(mlir::Operation *op, const llvm::Twine &message);

} // namespace npu::runtime

#endif // NPU_HOSTREFERENCE_LOCATEDERROR_H
