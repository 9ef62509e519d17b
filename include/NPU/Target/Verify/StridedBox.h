//===- StridedBox.h - sets of bytes and whether they meet -----------------===//
//
// What an instruction touches is a strided box: runs of contiguous bytes at a base plus multiples
// of a few strides. Two boxes are compared exactly, not by their hulls, because the column tiles of
// a matrix interleave in memory.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_TARGET_VERIFY_STRIDEDBOX_H
#define NPU_TARGET_VERIFY_STRIDEDBOX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace npu::verify {

/// `count` steps of `bytes`; the step may be negative before normalization.
struct Stride {
  int64_t bytes, count;

  bool operator==(const Stride &other) const {
    return bytes == other.bytes && count == other.count;
  }
};

/// A strided box without its base, in normal form: strides positive, falling and larger than the
/// run, counts at least 2, neighboring dimensions merged. Bytes `base + offset + sum(j_d *
/// stride_d) + [0, run)`.
struct StridedShape {
  llvm::SmallVector<Stride, 4> dims;
  int64_t run = 0;    ///< contiguous bytes
  int64_t span = 0;   ///< bytes of the hull
  int64_t offset = 0; ///< from the base to the lowest byte, not positive

  bool operator==(const StridedShape &other) const {
    return run == other.run && offset == other.offset && dims == other.dims;
  }
};

/// Normalizes; every count must be at least 1.
StridedShape makeShape(llvm::ArrayRef<Stride> dims, int64_t runBytes);

/// Work of one comparison before it gives up.
inline constexpr unsigned overlapBudget = 20000;

/// Whether the shapes share a byte when the lowest byte of `b` lies `distance` bytes above the
/// lowest byte of `a`. nullopt when the budget ran out.
std::optional<bool> overlap(const StridedShape &a, const StridedShape &b, int64_t distance);

/// A range of bytes [begin, end).
struct ByteRange {
  int64_t begin, end;
};

/// The first contiguous range of shared bytes, counted from the lowest byte of `a`; for messages.
/// Falls back to the intersection of the hulls when the search is too long.
ByteRange findOverlap(const StridedShape &a, const StridedShape &b, int64_t distance);

} // namespace npu::verify

#endif // NPU_TARGET_VERIFY_STRIDEDBOX_H
