//===- Rejection.h - why an NPU does not run an op ------------------------===//
//
// Every check that refuses what a user may reasonably have written, on the way from linalg to
// tiles, refuses it with one of the reasons of Rejections.def. So an error, a report, a placement
// and the documentation say the same.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_REJECTION_H
#define NPU_DIALECT_NPU_TRANSFORMS_REJECTION_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace npu {

enum class RejectionKind {
#define NPU_REJECTION(kind, id, what, limit, remedy) kind,
#include "NPU/Dialect/NPU/Transforms/Rejections.def"
};

/// What is true of all rejections of one kind.
struct RejectionInfo {
  RejectionKind kind;
  llvm::StringLiteral id, what;
  std::string limit;
  llvm::StringLiteral remedy;
};

/// All kinds, in the order of the table.
llvm::ArrayRef<RejectionInfo> getRejectionInfos();
const RejectionInfo &getInfo(RejectionKind kind);

/// A reason with what was found.
struct Rejection {
  Rejection() = default;
  /// `limit` replaces that of the kind.
  Rejection(RejectionKind kind, const llvm::Twine &value, const llvm::Twine &limit = "");

  RejectionKind kind = RejectionKind::Op;
  std::string value; ///< e.g. `dimension 0 of operand 1 of linalg.matmul`
  std::string limit; ///< e.g. `static shapes`

  llvm::StringRef getId() const { return getInfo(kind).id; }
  llvm::StringRef getRemedy() const { return getInfo(kind).remedy; }
  /// `dynamic shape (dimension 0 of operand 1 of linalg.matmul)`.
  std::string getReason() const;
};

/// Sets `rejection` and fails, for checks that say both.
mlir::LogicalResult reject(Rejection &rejection, RejectionKind kind, const llvm::Twine &value,
                           const llvm::Twine &limit = "");

/// Prints the reason, then what is possible and what to do:
/// `element type without npu equivalent (f64); expected i8, f16 or f32; use one of these`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Rejection &rejection);

/// An error at `op` that says `prefix` and the rejection, and carries the latter for
/// `getRejection`.
mlir::InFlightDiagnostic emitRejection(mlir::Operation *op, const Rejection &rejection,
                                       const llvm::Twine &prefix = "");

/// The rejection that a diagnostic carries, if it does, and the name of the op it is about.
struct CarriedRejection {
  Rejection rejection;
  std::string op;
};
std::optional<CarriedRejection> getRejection(mlir::Diagnostic &diagnostic);

} // namespace npu

#endif // NPU_DIALECT_NPU_TRANSFORMS_REJECTION_H
