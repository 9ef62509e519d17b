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
inline constexpr int64_t tileRows = 4, tileColumns = 32;

/// Inner loops for one kind of vectors. Pitches count elements. All `tileRows` rows are computed,
/// and columns from 0 to `columns`, rounded up to what the vectors divide; at most `tileColumns`.
struct ArrayTiles {
  const char *name;

  /// `out[r][j] += sum over k of left[r][k] * right[k][j]`: adds one product after the other, each
  /// product and each sum rounded. Rows of `right` are `tileColumns` long.
  void (*multiplyFloats)(const float *left, int64_t leftPitch, const float *right, int64_t depth,
                         float *out, int64_t outPitch, int64_t columns);

  /// The same for integers that wrap. Two neighbours along k are one element: `left[r][k][2]`,
  /// `right[k][j][2]`. `depth` and `leftPitch` count pairs.
  void (*multiplyPairs)(const int16_t *left, int64_t leftPitch, const int16_t *right, int64_t depth,
                        uint32_t *out, int64_t outPitch, int64_t columns);

  /// The same for bytes, those of `left` unsigned: `left[r][k][4]`, `right[k][j][4]`. Null where
  /// the CPU has no instruction for it.
  void (*multiplyQuads)(const uint8_t *left, int64_t leftPitch, const int8_t *right, int64_t depth,
                        uint32_t *out, int64_t outPitch, int64_t columns);

  /// `out[i] += a[i] * b[i]`
  void (*multiplyFloatRows)(const float *a, const float *b, int64_t count, float *out);
  void (*multiplyIntegerRows)(const uint32_t *a, const uint32_t *b, int64_t count, uint32_t *out);
};

/// What this CPU can run, the fastest first; never empty.
llvm::ArrayRef<ArrayTiles> getArrayTiles();

} // namespace npu::sim

#endif // NPU_LIB_SIMULATOR_ARRAYTILES_H
