//===- EntryPoint.h - what a function says of its calling convention ------===//

#ifndef NPU_LIB_ABI_ENTRYPOINT_H
#define NPU_LIB_ABI_ENTRYPOINT_H

#include "NPU/ABI/Passes.h"
#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include <optional>

namespace npu::abi {

// Attributes of functions and of their arguments and results, under IREE's names.
constexpr llvm::StringLiteral kStubAttr = "iree.abi.stub";
constexpr llvm::StringLiteral kModelAttr = "iree.abi.model";
constexpr llvm::StringLiteral kDeclarationAttr = "iree.abi.declaration";
constexpr llvm::StringLiteral kAffinityAttr = "iree.abi.affinity";
constexpr llvm::StringLiteral kReflectionAttr = "iree.reflection";

/// An argument or a result.
struct Slot {
  mlir::Type type;
  mlir::StringAttr name;
  /// The type as the other side sees it.
  mlir::TypeAttr encoding;
  mlir::Attribute affinity;
  /// The buffer of this argument passes to the function.
  bool isConsumed = false;
  /// The argument in whose buffer this result goes.
  std::optional<unsigned> storage;

  bool isTensor() const { return llvm::isa<mlir::TensorType>(type); }
};

/// A function at the boundary of the module.
struct EntryPoint {
  InvocationModel model = InvocationModel::Sync;
  llvm::SmallVector<Slot> arguments, results;
  /// The argument in whose buffer temporaries go.
  std::optional<unsigned> transients;
  bool hasNoSideEffects = false;
};

/// Reads the attributes of `func`; without a model of its own it has `model`. Reports what is wrong
/// with them.
mlir::FailureOr<EntryPoint> getEntryPoint(util::FuncOp func, InvocationModel model);

/// What a user of the module should know of `func`: its declaration on tensors and its model.
mlir::NamedAttrList getReflection(util::FuncOp func, const EntryPoint &entry);

} // namespace npu::abi

#endif // NPU_LIB_ABI_ENTRYPOINT_H
