//===- Tile.h - what an op says about its tiles ---------------------------===//
//
// The compute op interface answers in these terms, so that search, cost model and lowering name no
// op.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_IR_TILE_H
#define NPU_DIALECT_NPU_IR_TILE_H

#include "NPU/Dialect/NPU/IR/TileDim.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Value.h"

namespace npu {

/// How an operand lies in the buffer of a tile.
struct TileLayout {
  std::string description; ///< for messages, e.g. `left operand`
  std::string name;        ///< in schedules, e.g. `lhs`; empty: named after what is loaded
  /// Iteration dimensions in the order of the buffer's dimensions, outermost first; a coordinate of
  /// several counts as the first of them. Empty: the order of the stage's result.
  llvm::SmallVector<unsigned> order;
  /// The buffer is panels of this many columns of the first dimension, see tile::Buffer; 0: none.
  int64_t panelColumns = 0;
  bool hasPanelAxis = false;
  mlir::TypedAttr fill = {}; ///< read outside the operand
};

/// What an engine does for one tile.
struct TileWork {
  /// Of the matrix engine; none: the vector unit works.
  std::optional<tile::ArrayWork> array;
  /// Of the vector unit, over its lanes.
  int64_t passes = 1;
  /// Of the vector unit, in place of `passes`, where they do not tell.
  std::optional<tile::VectorWork> vector = {};
  /// Elements wait for each other along the dimensions that are reduced, so that lanes share the
  /// others.
  bool isSerial = false;
  /// Of `dmai`, for each element; 0: it has none.
  int64_t transferBytes = 0;
};

/// Memory that an op needs for a tile beside its operands, and that keeps nothing.
struct TileScratch {
  int64_t bytes = 0; ///< for each index of `dims`; 0: none
  llvm::SmallVector<unsigned> dims;
};

/// The operands of an op on a tile.
struct TileOperands {
  /// A buffer or view per data operand, the destination last; what stays in DRAM as it is.
  llvm::ArrayRef<mlir::Value> buffers;
  /// Iteration dimension of each dimension of these, without the panels' columns where the array
  /// reads them. Of an op of the vector unit these are one dimension more, behind its own.
  llvm::ArrayRef<llvm::SmallVector<unsigned>> dims;
  /// Extent of each iteration dimension; null for those that no tile spans.
  llvm::ArrayRef<mlir::Value> extents;
  /// Values that are all zero when the destination is overwritten, counters of reduction loops.
  llvm::ArrayRef<mlir::Value> init;
  /// The first index of the tile along an iteration dimension; 0 without one.
  llvm::function_ref<mlir::Value(std::optional<unsigned>)> getOffset;
  /// Bytes, behind a dimension for each of `TileScratch::dims` that tiles span; null where the op
  /// needs none.
  mlir::Value scratch = {};
  /// The destination has contents that count.
  bool accumulates = false;
  /// Of a contraction: sizes of the parts of its first tile (`divide`).
  llvm::ArrayRef<int64_t> begin = {};
  /// Of a contraction: the letter of the dimension along which its last tile is in two parts, or
  /// nothing.
  llvm::StringRef end = {};
};

/// The sizes of the parts in which the first tile of a contraction is done: those of `sizes`, of
/// which the last one repeats, until there are `extent` elements. Without sizes, one part.
llvm::SmallVector<int64_t> divide(int64_t extent, llvm::ArrayRef<int64_t> sizes);

} // namespace npu

#endif // NPU_DIALECT_NPU_IR_TILE_H
