//===- InPlaceTile.h - tiles that are made where others lie ---------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_INPLACETILE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_INPLACETILE_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace npu {

/// How the tile that is stored can be made in the memory of the one that is loaded.
struct InPlaceTile {
  mlir::memref::AllocOp stored;
  /// The op that reads the last of what is loaded and writes all of what is stored; null where
  /// nothing is written before all has been read.
  NPUComputeOpInterface last;
  /// What works on the tile before: it needs another one (`giveOwnTile`).
  llvm::SmallVector<mlir::Operation *> before;
};

/// Nothing if the tile cannot be made there. `load` and `store` are in one block.
std::optional<InPlaceTile> findInPlaceTile(DmaLoadOp load, DmaStoreOp store);

/// Lets what comes before the last op, and what that reads, be in a tile of their own.
void giveOwnTile(const InPlaceTile &tile);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_INPLACETILE_H
