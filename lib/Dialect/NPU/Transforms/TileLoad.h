//===- TileLoad.h - loads that need not be done where they are ------------===//
//
// A load whose tiles are parts of what the program is given, as weights are, can be done at any
// time before they are used.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_TILELOAD_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_TILELOAD_H

#include "NPU/Dialect/NPU/IR/NPU.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace npu {

/// A load that fills a buffer of its loop, once for each iteration of the loops around it. Tiles
/// are numbered in the order of the iterations.
class TileLoad {
public:
  /// Nothing if `load` is none: it reads what the program makes, its tile is changed afterwards, or
  /// loops repeat it.
  static std::optional<TileLoad> get(DmaLoadOp load);

  DmaLoadOp getLoad() const { return load; }
  mlir::memref::AllocOp getTile() const {
    return DmaLoadOp(load).getDst().getDefiningOp<mlir::memref::AllocOp>();
  }
  int64_t getTileBytes() const { return getByteSize(getTile().getType()); }
  /// Tiles in an iteration of the first `numOuter` loops of several iterations around it.
  int64_t getCount(size_t numOuter = 0) const;
  /// Tiles between which only the innermost loop moves on.
  int64_t getRowLength() const { return getCount(loops.size() - 1); }
  /// Whether the first loop can be divided into two that follow each other.
  bool canBeSplit() const;
  /// Bytes of SRAM that this takes: what the second loop has of its own while the first one runs.
  int64_t getSplitBytes() const;

  /// A buffer for the tiles of the first `count` iterations of the first loop, at the beginning of
  /// the kernel.
  mlir::memref::AllocOp createShare(int64_t count) const;

  /// The number of parts of one size, no more than `most`, in which a tile can be loaded with runs
  /// in DRAM as long as those of the tile.
  int64_t getParts(int64_t most) const;
  /// Whether the clusters that run `place` can load tiles there, each its own.
  bool canBeBehind(mlir::Operation *place) const;
  /// Loads tiles into the share behind `place`, which is outside of all loops of a cluster: parts
  /// `first` to `last`, the end exclusive, of those that all tiles have, `ofParts` each. Returns
  /// the last op of these loads.
  mlir::Operation *prefetch(mlir::Operation *place, mlir::Value share, int64_t first, int64_t last,
                            int64_t ofParts, bool waitsForFirst) const;

  /// Lets the first `count` iterations of the first loop find their tiles in the share. The others
  /// become a loop of their own. The load is gone.
  void readShare(mlir::Value share, int64_t count);

private:
  /// The dimension of a tile along which it can be loaded in so many parts.
  std::optional<unsigned> findPartDim(int64_t parts) const;
  /// Loads some parts of `count` tiles in a row from number `first` on.
  void loadParts(mlir::OpBuilder builder, mlir::Value share, int64_t first, int64_t count,
                 std::pair<int64_t, int64_t> parts, int64_t ofParts, bool waitsForFirst) const;

  DmaLoadOp load;
  llvm::SmallVector<mlir::scf::ForOp> loops; ///< of several iterations, outermost first
  llvm::SetVector<mlir::Operation *> slice;  ///< what its operands are made of
};

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_TILELOAD_H
