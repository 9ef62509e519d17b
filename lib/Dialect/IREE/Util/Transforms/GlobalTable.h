//===- GlobalTable.h - the globals of a module and their uses -------------===//

#ifndef NPU_LIB_DIALECT_IREE_UTIL_TRANSFORMS_GLOBALTABLE_H
#define NPU_LIB_DIALECT_IREE_UTIL_TRANSFORMS_GLOBALTABLE_H

#include "NPU/Dialect/IREE/Util/IR/UtilOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace npu::util {

/// A global and all that names it, in the order of the module.
struct Global {
  GlobalOp op;
  llvm::SmallVector<GlobalLoadOp> loads;
  llvm::SmallVector<GlobalStoreOp> stores;
  /// Something that is neither a load nor a store names the global.
  bool isReferenced = false;

  /// Whether all uses of the global are its loads and stores.
  bool isKnown() { return op.isPrivate() && !isReferenced; }
};

/// The globals of a module in the order of the module, by name. Holds until one of them or one of
/// their loads and stores is erased.
using GlobalTable = llvm::MapVector<mlir::StringAttr, Global>;

GlobalTable getGlobals(mlir::ModuleOp module);

/// Whether `op` may do more to a global than what can be seen: it calls, waits or is not known.
/// Accesses to globals do not move over it.
bool isBarrier(mlir::Operation *op);

/// Whether a function other than an initializer holds `op`.
bool isOutsideInitializer(mlir::Operation *op);

} // namespace npu::util

#endif // NPU_LIB_DIALECT_IREE_UTIL_TRANSFORMS_GLOBALTABLE_H
