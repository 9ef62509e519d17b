//===- ClusterShare.h - which part of a tensor a cluster has --------------===//

#ifndef NPU_LIB_DIALECT_NPU_TRANSFORMS_CLUSTERSHARE_H
#define NPU_LIB_DIALECT_NPU_TRANSFORMS_CLUSTERSHARE_H

#include "TransferBox.h"

namespace npu {

/// What each cluster stores of a tensor: a box of `counts` elements from `first` + index * `steps`
/// on, where the index is the cluster's along that dimension of the loop over clusters which moves
/// the tensor's dimension. No two have an element in common. The buffer for it begins `before`
/// elements earlier and has `sizes`: whole tiles, and those of iterations that do nothing.
struct Share {
  llvm::SmallVector<int64_t, 2> shape; ///< of the loop over clusters; empty: one cluster
  llvm::SmallVector<unsigned> movedBy; ///< by dimension of the tensor: that of the loop
  llvm::SmallVector<int64_t> first, steps, counts, before, sizes;

  int64_t getClusters() const { return llvm::product_of(shape); }
  /// How many places clusters have along a dimension of the tensor, and which of them is one's.
  int64_t getLength(unsigned dim) const { return steps[dim] == 0 ? 1 : shape[movedBy[dim]]; }
  int64_t getIndex(unsigned dim, int64_t cluster) const;
  int64_t getFirst(unsigned dim, int64_t cluster) const {
    return first[dim] + getIndex(dim, cluster) * steps[dim];
  }
  int64_t getLow(unsigned dim, int64_t cluster) const {
    return getFirst(dim, cluster) - before[dim];
  }
  /// Makes the buffer hold `places`, too.
  void include(const IndexRanges &places, int64_t cluster);
  /// Whether clusters have the same indices in the loop over clusters around `op`, which may be
  /// over fewer of them.
  bool isIndexedAlike(mlir::Operation *op) const;
};

/// What clusters store; nothing if two store the same, or boxes that are not equally far apart.
/// Only those of the last clusters may be smaller, where they end with the tensor.
std::optional<Share> getShare(llvm::ArrayRef<DmaStoreOp> stores);

} // namespace npu

#endif // NPU_LIB_DIALECT_NPU_TRANSFORMS_CLUSTERSHARE_H
