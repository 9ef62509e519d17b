//===- TileSignature.h - a kernel's arguments in tile form ----------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_TILESIGNATURE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_TILESIGNATURE_H

#include "ScheduleTree.h"

#include "llvm/ADT/DenseMap.h"

namespace npu {

/// The block that takes the place of a kernel's body, and where its tensors are.
struct TileSignature {
  mlir::Block *entry = nullptr;
  /// Arguments by the tensors of the old body: its own, slices of them, and constants.
  llvm::DenseMap<mlir::Value, mlir::Value> dramOf;
  llvm::SmallVector<mlir::Value> outputs; ///< arguments, by result
};

/// The memory of a tensor in DRAM.
mlir::MemRefType getDramType(mlir::Type tensor);

/// Gives a kernel in tensor form the signature of tile form: an argument in DRAM for each of its
/// arguments, constants and results. The old body stays in front of the new block.
TileSignature createTileSignature(KernelOp kernel);

/// Notes the tile of a kernel that has a schedule, for those who describe the program.
void recordTiling(const ScheduleTree &tree);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_TILESIGNATURE_H
