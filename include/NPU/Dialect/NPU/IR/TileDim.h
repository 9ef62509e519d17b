//===- TileDim.h - dimensions of an iteration domain and work on tiles ----===//
//
// No MLIR: problems for the tile search can be made up in a test.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_IR_TILEDIM_H
#define NPU_DIALECT_NPU_IR_TILEDIM_H

#include "NPU/Target/Desc/TargetDesc.h"

#include <cstdint>
#include <functional>
#include <string>

namespace npu::tile {

/// What a dimension is to the matrix engine.
enum class MxuRole { None, M, N, K };

/// One dimension of an iteration domain.
struct Dim {
  std::string name;
  int64_t extent = 1;
  MxuRole role = MxuRole::None;
  bool isReduction = false;
  /// A tile never spans more than one index (batches, groups of a grouped convolution).
  bool isUnit = false;
  /// The op on a tile has the dimension, so that no other op may span just one index of it.
  bool mustBeInTile = false;
  /// A tile has all of it: the op keeps nothing that would go on in another tile.
  bool isWhole = false;
  /// Split only when nothing fits otherwise (rows and columns of a convolution's kernel).
  bool isReluctant = false;
  /// Tile sizes are preferably multiples of this.
  int64_t granule = 1;
  /// The size given by hand; 0 when free.
  int64_t fixedTile = 0;
};

/// How long the matrix engine takes for a tile.
struct ArrayWork {
  /// Works of the same key take the same time.
  std::string key;
  /// Cycles for m x n x k multiply-accumulates, the products of the tile's extents by role.
  std::function<int64_t(const TargetDesc &, int64_t m, int64_t n, int64_t k)> cycles;
  /// The most multiply-accumulates in a cycle; 0 where the target has none of the type.
  std::function<int64_t(const TargetDesc &)> rate;
};

/// How long the vector unit takes for a tile of an op that is many instructions.
struct VectorWork {
  /// Works of the same key take the same time.
  std::string key;
  /// Cycles for `elements`, the product of the tile's extents, issue included.
  std::function<int64_t(const TargetDesc &, int64_t elements)> cycles;
};

} // namespace npu::tile

#endif // NPU_DIALECT_NPU_IR_TILEDIM_H
