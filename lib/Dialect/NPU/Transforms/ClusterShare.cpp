//===- ClusterShare.cpp - which part of a tensor a cluster has ------------===//

#include "ClusterShare.h"

#include "BufferUsage.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace npu;

/// The dimensions of the loop over clusters around `op`, or none.
static SmallVector<int64_t, 2> getShape(Operation *op) {
  auto clusters = op->getParentOfType<scf::ForallOp>();
  return clusters ? SmallVector<int64_t, 2>(getClusterShape(clusters)) : SmallVector<int64_t, 2>();
}

int64_t Share::getIndex(unsigned dim, int64_t cluster) const {
  if (steps[dim] == 0)
    return 0;
  return delinearize(cluster, computeStrides(shape))[movedBy[dim]];
}

void Share::include(const IndexRanges &places, int64_t cluster) {
  for (auto [dim, range] : llvm::enumerate(places)) {
    int64_t missing = std::max<int64_t>(0, getLow(dim, cluster) - range.first);
    before[dim] += missing;
    sizes[dim] += missing;
    sizes[dim] = std::max(sizes[dim], range.second - getLow(dim, cluster) + 1);
  }
}

bool Share::isIndexedAlike(Operation *op) const {
  ArrayRef<int64_t> own = shape;
  SmallVector<int64_t, 2> other = getShape(op);
  if (own.empty() || other.empty())
    return llvm::product_of(other) == 1;
  return other.front() <= own.front() && ArrayRef(other).drop_front() == own.drop_front();
}

/// The box around what each cluster stores; none if it is not known, or stores are not of the same
/// clusters.
static std::vector<IndexRanges> getBoxes(ArrayRef<DmaStoreOp> stores) {
  std::vector<IndexRanges> boxes(getClusterCount(stores.front()));
  for (auto [cluster, box] : llvm::enumerate(boxes))
    for (DmaStoreOp store : stores) {
      std::optional<IndexRanges> ranges = getTransferRanges(store, cluster);
      if (!ranges || getShape(store) != getShape(stores.front()))
        return {};
      if (box.empty())
        box = *ranges;
      for (auto [whole, part] : llvm::zip_equal(box, *ranges))
        whole = {std::min(whole.first, part.first), std::max(whole.second, part.second)};
    }
  return boxes;
}

std::optional<Share> npu::getShare(ArrayRef<DmaStoreOp> stores) {
  std::vector<IndexRanges> boxes = getBoxes(stores);
  if (boxes.empty())
    return std::nullopt;
  Share share;
  MemRefType tensor = DmaStoreOp(stores.front()).getDst().getType();
  share.shape = getShape(stores.front());
  for (auto [low, high] : boxes.front()) {
    share.first.push_back(low);
    share.counts.push_back(high - low + 1);
  }
  share.steps.assign(share.first.size(), 0);
  share.movedBy.assign(share.first.size(), 0);
  int64_t next = boxes.size(); // how far the next one along the dimension is
  for (auto [number, length] : llvm::enumerate(share.shape)) {
    next /= length;
    bool areApart = length == 1;
    for (size_t dim = 0; dim < share.first.size() && length > 1; ++dim) {
      int64_t step = boxes[next][dim].first - share.first[dim];
      if (step == 0)
        continue;
      if (share.steps[dim] != 0)
        return std::nullopt;
      share.steps[dim] = step;
      share.movedBy[dim] = number;
      areApart |= step >= share.counts[dim];
    }
    if (!areApart)
      return std::nullopt;
  }
  for (auto [cluster, box] : llvm::enumerate(boxes))
    for (auto [dim, range] : llvm::enumerate(box)) {
      int64_t count = range.second - range.first + 1;
      bool isShortened = share.getIndex(dim, cluster) == share.getLength(dim) - 1 &&
                         share.steps[dim] > 0 && count < share.counts[dim] && count > 0 &&
                         range.second == tensor.getDimSize(dim) - 1;
      if (range.first < 0 || range.first != share.getFirst(dim, cluster) ||
          (count != share.counts[dim] && !isShortened))
        return std::nullopt;
    }
  share.before.assign(share.first.size(), 0);
  share.sizes = share.counts;
  return share;
}
