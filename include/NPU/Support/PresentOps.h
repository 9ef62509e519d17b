//===- PresentOps.h - which kinds of ops there are ------------------------===//
//
// Passes that rewrite ops of few kinds ask this before they look for them. The answer is known
// until a pass changes something, so that passes in a row with nothing to do visit the IR once, not
// once each. Large IR is not in the caches, and to visit it takes longer than what most passes do
// to it.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_SUPPORT_PRESENTOPS_H
#define NPU_SUPPORT_PRESENTOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace npu {

/// An analysis: the names of all ops in an op, itself included.
class PresentOps {
public:
  explicit PresentOps(mlir::Operation *root) {
    root->walk([&](mlir::Operation *op) { names.insert(op->getName()); });
  }

  bool contains(mlir::OperationName name) const { return names.contains(name); }

  /// Whether there is an op of one of the kinds.
  template <typename... OpTs>
  bool holdsAny() const {
    return llvm::any_of(names, [](mlir::OperationName name) {
      return ((name.getTypeID() == mlir::TypeID::get<OpTs>()) || ...);
    });
  }

  /// Whether there is an op of one of the dialects.
  template <typename... DialectTs>
  bool holdsAnyOf() const {
    return llvm::any_of(names, [](mlir::OperationName name) {
      return mlir::isa_and_nonnull<DialectTs...>(name.getDialect());
    });
  }

private:
  llvm::DenseSet<mlir::OperationName> names;
};

} // namespace npu

#endif // NPU_SUPPORT_PRESENTOPS_H
