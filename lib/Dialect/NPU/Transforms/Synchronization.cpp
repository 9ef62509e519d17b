//===- Synchronization.cpp - which engine waits for which -----------------===//

#include "NPU/Dialect/NPU/Transforms/Synchronization.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <limits>
#include <tuple>
#include <vector>

using namespace llvm;
using namespace npu;

namespace {
/// Composition and implication of edges. `T` below is the number of iterations of the loops between
/// two levels of one nest.
class EdgeAlgebra {
public:
  explicit EdgeAlgebra(const SyncProblem &problem) : problem(problem) {}

  unsigned getCommonLevel(unsigned a, unsigned b) const {
    const auto &x = problem.ops[a].loops, &y = problem.ops[b].loops;
    unsigned level = 0;
    while (level < x.size() && level < y.size() && x[level] == y[level])
      ++level;
    return level;
  }

  /// Iterations of the loops of `op` from level `from` up to level `to`. Saturates far above every
  /// distance, which errs on the safe side.
  int64_t getTrips(unsigned op, unsigned from, unsigned to) const {
    constexpr int64_t plenty = int64_t(1) << 40;
    int64_t product = 1;
    for (unsigned level = from; level < to; ++level) {
      int64_t trips = std::min(problem.trips[problem.ops[op].loops[level]], plenty);
      product = trips > plenty / product ? plenty : product * trips;
    }
    return product;
  }

  /// The edge that `first` and then `second` (which starts where `first` ends) enforce. The coarser
  /// level remains; a distance at the finer level counts as that many iterations, rounded up.
  SyncEdge compose(const SyncEdge &first, const SyncEdge &second) const {
    unsigned level = std::min(first.level, second.level);
    auto coarsen = [&](const SyncEdge &edge) {
      return divideCeil(static_cast<uint64_t>(edge.distance),
                        static_cast<uint64_t>(getTrips(first.to, level, edge.level)));
    };
    return {first.from, second.to, level, static_cast<int64_t>(coarsen(first) + coarsen(second))};
  }

  /// Whether `edge` enforces what `needed`, between the same ops, asks for.
  bool implies(const SyncEdge &edge, const SyncEdge &needed) const {
    if (edge.level == needed.level)
      return edge.distance <= needed.distance;
    if (edge.level < needed.level) // the first iteration inside is the hardest
      return edge.distance <= needed.distance / getTrips(edge.to, edge.level, needed.level);
    int64_t trips = getTrips(edge.to, needed.level, edge.level);
    return edge.distance <= (needed.distance - 1) * trips + 1;
  }

  /// Whether the wait holds in every iteration because there are too few of them.
  bool isVacuous(const SyncEdge &edge) const {
    return getTrips(edge.to, 0, edge.level) <= edge.distance;
  }

  const SyncProblem &problem;
};

/// The strongest orders known from one op to every other: per op and level the least distance.
class Closure {
public:
  Closure(const EdgeAlgebra &algebra, ArrayRef<SmallVector<SyncEdge>> outgoing, unsigned source)
      : algebra(algebra) {
    best.resize(outgoing.size());
    for (auto &distances : best)
      distances.fill(none);
    SmallVector<SyncEdge> worklist(outgoing[source]);
    while (!worklist.empty()) {
      SyncEdge reached = worklist.pop_back_val();
      if (!improve(reached))
        continue;
      for (const SyncEdge &edge : outgoing[reached.to])
        worklist.push_back(algebra.compose(reached, edge));
    }
  }

  bool implies(const SyncEdge &needed) const {
    for (auto [level, distance] : llvm::enumerate(best[needed.to]))
      if (distance != none &&
          algebra.implies({needed.from, needed.to, static_cast<unsigned>(level), distance}, needed))
        return true;
    return false;
  }

private:
  static constexpr unsigned maxLevels = 16;
  static constexpr int64_t none = std::numeric_limits<int64_t>::max();
  /// Rings are not deeper than this; longer distances cannot imply anything.
  static constexpr int64_t farthest = 1 << 16;

  bool improve(const SyncEdge &edge) {
    if (edge.level >= maxLevels || edge.distance > farthest)
      return false;
    for (auto [level, distance] : llvm::enumerate(best[edge.to]))
      if (distance != none &&
          algebra.implies({edge.from, edge.to, static_cast<unsigned>(level), distance}, edge))
        return false;
    best[edge.to][edge.level] = edge.distance;
    return true;
  }

  const EdgeAlgebra &algebra;
  std::vector<std::array<int64_t, maxLevels>> best;
};
} // namespace

SmallVector<SyncEdge> npu::computeDependences(const SyncProblem &problem) {
  EdgeAlgebra algebra(problem);
  SmallVector<SyncEdge> edges;
  auto add = [&](SyncEdge edge) {
    if (!algebra.isVacuous(edge) && !llvm::is_contained(edges, edge))
      edges.push_back(edge);
  };
  for (const SyncProblem::Access &first : problem.accesses) {
    for (const SyncProblem::Access &second : problem.accesses) {
      if (first.buffer != second.buffer || first.op >= second.op ||
          (!first.writes && !second.writes) ||
          problem.ops[first.op].engine == problem.ops[second.op].engine)
        continue;
      const SyncProblem::Buffer &buffer = problem.buffers[first.buffer];
      unsigned common = algebra.getCommonLevel(first.op, second.op);
      // Within an instance, in the same iteration of the common loops and in all earlier ones.
      add({first.op, second.op, common, 0});
      // From one iteration of common loops inside the instance's scope to the next.
      if (common > buffer.level)
        add({second.op, first.op, common, 1});
      // From one instance to the next that uses its memory. Forward this is already ordered.
      else if (buffer.depth > 0)
        add({second.op, first.op, buffer.level, buffer.depth});
    }
  }
  return edges;
}

SmallVector<SyncEdge> npu::computeSynchronization(const SyncProblem &problem) {
  EdgeAlgebra algebra(problem);
  SmallVector<SmallVector<SyncEdge>> outgoing(problem.ops.size());
  for (unsigned i = 0; i < problem.ops.size(); ++i) {
    for (unsigned j = i + 1; j < problem.ops.size(); ++j) {
      if (problem.ops[i].engine != problem.ops[j].engine)
        continue;
      unsigned common = algebra.getCommonLevel(i, j);
      outgoing[i].push_back({i, j, common, 0});
      outgoing[j].push_back({j, i, common, 1});
    }
  }
  SmallVector<SyncEdge> edges = computeDependences(problem);
  for (const SyncEdge &edge : edges)
    outgoing[edge.from].push_back(edge);

  // Edges that reach farther are implied by nearer ones more often: try them first.
  llvm::sort(edges, [](const SyncEdge &a, const SyncEdge &b) {
    return std::tie(b.distance, a.from, a.to, a.level) <
           std::tie(a.distance, b.from, b.to, b.level);
  });
  SmallVector<SyncEdge> kept;
  for (const SyncEdge &edge : edges) {
    llvm::erase(outgoing[edge.from], edge);
    if (Closure(algebra, outgoing, edge.from).implies(edge))
      continue;
    outgoing[edge.from].push_back(edge);
    kept.push_back(edge);
  }
  llvm::sort(kept, [](const SyncEdge &a, const SyncEdge &b) {
    return std::tie(a.to, a.from, a.level, a.distance) <
           std::tie(b.to, b.from, b.level, b.distance);
  });
  return kept;
}
