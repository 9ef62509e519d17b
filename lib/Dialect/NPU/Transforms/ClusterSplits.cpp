//===- ClusterSplits.cpp - loops that clusters can share ------------------===//

#include "TileCost.h"

#include "NPU/Dialect/NPU/Transforms/TileSearch.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace npu;
using namespace npu::tile;

int64_t npu::tile::getClusterCount(const Dim &dim, int64_t trips, int64_t clusters) {
  int64_t count = std::min<int64_t>(clusters, trips);
  count = llvm::divideCeil(trips, llvm::divideCeil(trips, count));
  // Iterations past the end have no extent that could be empty.
  while (dim.isUnit && trips % count != 0)
    --count;
  return count;
}

/// What of all tiles the busiest cluster has.
static double getBusiestShare(const Problem &problem, ArrayRef<int64_t> tiles,
                              const ClusterSplits &splits) {
  double share = 1;
  for (const ClusterSplit &split : splits) {
    int64_t extent = problem.dims[split.dim].extent, tile = tiles[split.dim];
    share *=
        static_cast<double>(tile * llvm::divideCeil(llvm::divideCeil(extent, tile), split.count)) /
        extent;
  }
  return share;
}

/// The split of two loops that leaves the busiest cluster the least; nothing if there is none.
static std::optional<ClusterSplits> findSplitOfTwo(const Problem &problem, const TargetDesc &target,
                                                   ArrayRef<int64_t> tiles, unsigned outer,
                                                   unsigned inner) {
  std::optional<ClusterSplits> best;
  auto getCount = [&](unsigned dim, int64_t clusters) {
    return getClusterCount(problem.dims[dim],
                           llvm::divideCeil(problem.dims[dim].extent, tiles[dim]), clusters);
  };
  for (int64_t clusters = 2; 2 * clusters <= target.clusters; ++clusters) {
    ClusterSplits splits = {{outer, getCount(outer, clusters)},
                            {inner, getCount(inner, target.clusters / clusters)}};
    if (all_of(splits, [](const ClusterSplit &split) { return split.count > 1; }) &&
        (!best || getBusiestShare(problem, tiles, splits) < getBusiestShare(problem, tiles, *best)))
      best = std::move(splits);
  }
  return best;
}

std::vector<ClusterSplits> npu::tile::getSplitChoices(const Problem &problem,
                                                      const TargetDesc &target,
                                                      ArrayRef<int64_t> tiles,
                                                      ArrayRef<unsigned> loops) {
  std::vector<ClusterSplits> choices;
  if (target.clusters == 1)
    return choices;
  ArrayRef<unsigned> allowed = problem.allowedSplits;
  double least = 1;
  for (unsigned dim : loops) {
    if (!isSplittable(problem, dim) || (!allowed.empty() && allowed != ArrayRef(dim)))
      continue;
    int64_t trips = llvm::divideCeil(problem.dims[dim].extent, tiles[dim]);
    ClusterSplits splits = {{dim, getClusterCount(problem.dims[dim], trips, target.clusters)}};
    if (splits.front().count == 1)
      continue;
    least = std::min(least, getBusiestShare(problem, tiles, splits));
    choices.push_back(std::move(splits));
  }
  if (problem.stores.empty())
    return choices;
  // In the order that the result has them, so that kernels number their parts alike.
  SmallVector<unsigned> inOrder;
  for (const Axis &axis : problem.stores.front().axes)
    for (Term term : axis.terms)
      if (is_contained(loops, term.dim) && isSplittable(problem, term.dim) &&
          !is_contained(inOrder, term.dim))
        inOrder.push_back(term.dim);
  for (auto [position, outer] : enumerate(inOrder))
    for (unsigned inner : ArrayRef(inOrder).drop_front(position + 1)) {
      if (!allowed.empty() && allowed != ArrayRef({outer, inner}))
        continue;
      std::optional<ClusterSplits> splits = findSplitOfTwo(problem, target, tiles, outer, inner);
      if (splits && getBusiestShare(problem, tiles, *splits) < least)
        choices.push_back(std::move(*splits));
    }
  return choices;
}
