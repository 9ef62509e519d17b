//===- ArrayTiles.h - the array's inner loops per vector width ------------===//
//
// The same arithmetic in the same order for vectors of every width, so that the host changes the
// speed and not one bit.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_SIMULATOR_ARRAYTILES_H
#define NPU_LIB_SIMULATOR_ARRAYTILES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace npu::sim {

/// A tile of sums: up to so many rows and columns.
inline constexpr int64_t tileRows = 8, tileColumns = 32;

/// `out[r][j] (+)= sum over k of left[r][k] * right[k][j]`. All `tileRows` rows are computed, and
/// columns from 0 to `columns`, rounded up to what the vectors divide; at most `tileColumns`.
/// Pitches count elements, or groups of them where two or four neighbors along k are one: then
/// `depth` does, too.
template <typename Left, typename Right, typename Sum>
struct ArrayTile {
  const Left *left;
  int64_t leftPitch;
  const Right *right;
  int64_t rightPitch;
  int64_t depth;
  Sum *out;
  int64_t outPitch;
  int64_t columns;
  bool accumulates; ///< otherwise sums start from 0
};

/// Inner loops for one kind of vectors.
struct ArrayTiles {
  const char *name;

  /// Adds one product after the other; each step is rounded once, and each NaN that is written is
  /// the quiet one.
  void (*multiplyFloats)(const ArrayTile<float, float, float> &tile);

  /// The same for integers that wrap, two at a time: `left[r][k][2]`, `right[k][j][2]`.
  void (*multiplyPairs)(const ArrayTile<int16_t, int16_t, uint32_t> &tile);

  /// The same for bytes, four at a time. Those of `left` are 128 too large, so `surplus[j]`, 128
  /// times the sum over k of `right[k][j]`, is taken off. Null where the CPU has no instruction for
  /// it.
  void (*multiplyQuads)(const ArrayTile<uint8_t, int8_t, uint32_t> &tile, const uint32_t *surplus);

  /// The surplus of `tileColumns` columns.
  void (*addUpQuads)(const int8_t *right, int64_t depth, uint32_t *surplus);

  /// `out[i] += a[i] * b[i]`
  void (*multiplyFloatRows)(const float *a, const float *b, int64_t count, float *out);
  void (*multiplyIntegerRows)(const uint32_t *a, const uint32_t *b, int64_t count, uint32_t *out);
};

/// What this CPU can run, the fastest first; never empty.
llvm::ArrayRef<ArrayTiles> getArrayTiles();

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_ARRAYTILES_H
