//===- Synchronization.cpp - which engine waits for which -----------------===//

#include "NPU/Dialect/NPU/Transforms/Synchronization.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <map>
#include <tuple>
#include <vector>

using namespace mlir;
using namespace npu;

/// Levels as bits; programs have few loops inside of each other, schedules on their way may have
/// many.
static bool isOnce(uint32_t onceIn, unsigned level) { return level < 32 && onceIn >> level & 1; }
static uint32_t getBelow(unsigned level) { return level < 32 ? (1u << level) - 1 : ~uint32_t(0); }

namespace {
/// The loops of a problem as edges see them.
class LoopNest {
public:
  explicit LoopNest(const SyncProblem &problem) : problem(problem) {
    for (unsigned op = 0; op < problem.ops.size(); ++op) {
      bool isSame = op > 0 && getCommonLevel(op - 1, op) > 0;
      items.push_back(op == 0 ? 0 : items.back() + !isSame);
    }
  }

  unsigned getCommonLevel(unsigned a, unsigned b) const {
    const auto &x = problem.ops[a].loops, &y = problem.ops[b].loops;
    unsigned level = 0;
    while (level < x.size() && level < y.size() && x[level] == y[level])
      ++level;
    return level;
  }

  /// Iterations of the loops of `op` from level `from` up to level `to`; at most `plenty`.
  int64_t getTrips(unsigned op, unsigned from, unsigned to) const {
    int64_t product = 1;
    for (unsigned level = from; level < to; ++level) {
      int64_t trips = std::min(problem.trips[problem.ops[op].loops[level]], plenty);
      product = trips > plenty / product ? plenty : product * trips;
    }
    return product;
  }

  /// Executions of `op` in one iteration of its loops up to `level`.
  int64_t getExecutions(unsigned op, unsigned level) const {
    return getTrips(op, level, problem.ops[op].loops.size());
  }

  /// Whether the wait holds in every iteration because there are too few of them.
  bool isVacuous(const SyncEdge &edge) const {
    int64_t last = 0;
    for (unsigned level = 0; level < edge.level; ++level) {
      int64_t trips = std::min(problem.trips[problem.ops[edge.to].loops[level]], plenty);
      int64_t counter = isOnce(edge.onceIn, level) ? 0 : trips - 1;
      last = last > (plenty - counter) / trips ? plenty : last * trips + counter;
    }
    return last < edge.distance;
  }

  /// Whether the access does something in more than one iteration of the loops of its op from level
  /// `from` up to level `to`.
  bool isRepeated(const SyncProblem::Access &access, unsigned from, unsigned to) const {
    for (unsigned level = from; level < to; ++level)
      if (!isOnce(access.onceIn, level) && getTrips(access.op, level, level + 1) > 1)
        return true;
    return false;
  }

  /// The same wait of `access`, whose op is the second one. In the innermost loops all of which are
  /// in their first iterations when it does something, it may be one for whole iterations.
  SyncEdge getWaitOf(const SyncProblem::Access &access, SyncEdge edge) const {
    for (unsigned level = 0; level < edge.level; ++level)
      if (isOnce(access.onceIn, level) && getTrips(edge.to, level, level + 1) > 1)
        edge.onceIn |= 1u << level;
    SyncEdge whole = edge;
    for (unsigned level = edge.level; level-- > 0;) {
      int64_t trips = getTrips(edge.to, level, edge.level);
      bool isFirst = isOnce(edge.onceIn, level);
      if (!isFirst && getTrips(edge.to, level, level + 1) > 1)
        break;
      if (isFirst && (edge.distance - 1) % trips == 0)
        whole = {edge.from,    edge.to,
                 level,        (edge.distance - 1) / trips + 1,
                 std::nullopt, edge.onceIn & getBelow(level)};
    }
    return whole;
  }

  /// The wait as far as it holds in all iterations: no loop counts as in its first one.
  SyncEdge getUniform(const SyncEdge &edge) const {
    if (edge.onceIn == 0)
      return edge;
    unsigned level = llvm::countr_zero(edge.onceIn);
    int64_t trips = getTrips(edge.to, level, edge.level);
    return {edge.from, edge.to, level, llvm::divideCeilSigned(edge.distance - 1, trips) + 1};
  }

  /// The last iteration of the loops of `op` from level `from` up to level `to` that is not after
  /// the one with number `last` and in which the loops in `onceIn` are in their first.
  int64_t getLastActive(unsigned op, unsigned from, unsigned to, int64_t last,
                        uint32_t onceIn) const {
    int64_t active = 0;
    bool isLess = false;
    for (unsigned level = from; level < to; ++level) {
      int64_t inner = getTrips(op, level + 1, to), counter = last / inner;
      last -= counter * inner;
      if (isOnce(onceIn, level)) {
        isLess |= counter > 0;
        continue;
      }
      active += (isLess ? getTrips(op, level, level + 1) - 1 : counter) * inner;
    }
    return active;
  }

  /// Number of the op at the top level that `op` is or is in: what comes first has a lower one.
  unsigned getItem(unsigned op) const { return items[op]; }

  /// More iterations than any program has; products of trip counts below it do not overflow.
  static constexpr int64_t plenty = int64_t(1) << 40;

private:
  const SyncProblem &problem;
  std::vector<unsigned> items;
};

/// What is known when an op starts at an iteration: op `from` has been executed at least
/// `executions * floor((iteration + shift) / ratio) + count` times. `iteration` is the linear
/// number of the starting op's iteration of its first `level` loops, `ratio` the number of these
/// per iteration of the first `coarse` loops, `executions` those of `from` per iteration of its
/// first `coarse` loops. Always `coarse <= level`, `shift <= 0` and `count <= executions`, so that
/// nothing is claimed where the op waits for nothing. It holds from iterations on in which the
/// loops in `onceIn`, of the first `level`, are in their first ones.
struct Bound {
  unsigned coarse, level;
  int64_t shift, count;
  uint32_t onceIn = 0;
};

/// The strongest bounds on one op's executions at the start of every other op.
class Closure {
public:
  Closure(const SyncProblem &problem, const LoopNest &nest,
          ArrayRef<SmallVector<SyncEdge>> outgoing, unsigned source)
      : problem(problem), nest(nest), outgoing(outgoing), source(source) {}

  /// Follows the edges until the first op of `needed`, which is the source, is known to be done as
  /// often as it asks for. Returns whether it ever is.
  bool implies(const SyncEdge &needed) {
    // What begins before its halo is there must not rely on that.
    auto mayUse = [&](const SyncEdge &edge) {
      return edge.to != needed.to || !isForHalo(problem, edge) || isForHalo(problem, needed);
    };
    SmallVector<std::pair<unsigned, Bound>> worklist;
    // A wait for which loops count as in their first iterations says less of all iterations.
    auto add = [&](const Bound *bound, const SyncEdge &edge) {
      auto push = [&](const SyncEdge &each) {
        if (std::optional<Bound> next = bound ? follow(*bound, each) : begin(each))
          worklist.push_back({edge.to, *next});
      };
      push(edge);
      if (edge.onceIn != 0)
        push(nest.getUniform(edge));
    };
    bool endsInParts = problem.ops[source].endsInParts;
    for (const SyncEdge &edge : outgoing[source])
      if (mayUse(edge) && (!endsInParts || needed.level > 0 || edge.level == 0))
        add(/*bound=*/nullptr, edge);
    while (!worklist.empty()) {
      auto [op, bound] = worklist.pop_back_val();
      if (!improve(op, bound))
        continue;
      if (op == needed.to && (bound.onceIn & ~needed.onceIn) == 0 && implies(bound, needed))
        return true;
      // No way leads back from what comes later.
      for (const SyncEdge &edge : outgoing[op])
        if (mayUse(edge) && nest.getItem(edge.to) <= nest.getItem(needed.to))
          add(&bound, edge);
    }
    return false;
  }

private:
  static int64_t floorDiv(int64_t value, int64_t divisor) {
    return llvm::divideFloorSigned(value, divisor);
  }

  Bound begin(const SyncEdge &edge) const {
    return {edge.level, edge.level, -edge.distance, nest.getExecutions(source, edge.level),
            edge.onceIn};
  }

  /// What holds where `edge` ends, given the bound where it begins: the bound of the last execution
  /// of its first op that the edge waits for. Exact; nothing where that is in iterations of loops
  /// in which the bound does not hold.
  std::optional<Bound> follow(const Bound &bound, const SyncEdge &edge) const {
    unsigned op = edge.from;
    uint32_t inCommon = bound.onceIn & getBelow(edge.level);
    if (inCommon != 0 && edge.distance != 0)
      return std::nullopt;
    uint32_t onceIn = inCommon | edge.onceIn;
    if (edge.level >= bound.level) {
      int64_t finer = nest.getTrips(op, bound.level, edge.level);
      return Bound{bound.coarse, edge.level, bound.shift * finer - edge.distance, bound.count,
                   onceIn};
    }
    // The last iteration of the loops between the two levels counts, as far as the bound holds.
    int64_t last = nest.getLastActive(op, edge.level, bound.level,
                                      nest.getTrips(op, edge.level, bound.level) - 1, bound.onceIn);
    if (edge.level >= bound.coarse) {
      int64_t inner = nest.getTrips(op, edge.level, bound.level);
      return Bound{bound.coarse, edge.level, floorDiv(last + bound.shift, inner) - edge.distance,
                   bound.count, onceIn};
    }
    int64_t outer = nest.getTrips(op, edge.level, bound.coarse);
    int64_t inner = nest.getTrips(op, bound.coarse, bound.level);
    int64_t iterations = floorDiv(last + bound.shift, inner) - outer * edge.distance;
    return Bound{edge.level, edge.level, 0,
                 nest.getExecutions(source, bound.coarse) * iterations + bound.count, onceIn};
  }

  bool implies(const Bound &bound, const SyncEdge &needed) const {
    unsigned op = needed.to;
    int64_t executions = nest.getExecutions(source, bound.coarse);
    int64_t neededExecutions = nest.getExecutions(source, needed.level);
    if (needed.level <= bound.coarse) {
      int64_t ratio = nest.getTrips(op, bound.coarse, bound.level);
      return executions * floorDiv(bound.shift, ratio) + bound.count >=
             neededExecutions * (1 - needed.distance);
    }
    // Bring the bound to the needed level; there compare at the iterations, within one of the
    // coarse loops, where the known value is about to step and where the needed one is largest.
    int64_t shift = needed.level <= bound.level
                        ? floorDiv(bound.shift, nest.getTrips(op, needed.level, bound.level))
                        : bound.shift * nest.getTrips(op, bound.level, needed.level);
    int64_t ratio = nest.getTrips(op, bound.coarse, needed.level);
    int64_t beforeStep = ratio - 1 - (shift - floorDiv(shift, ratio) * ratio);
    return llvm::all_of(std::array<int64_t, 2>{beforeStep, ratio - 1}, [&](int64_t last) {
      int64_t iteration = nest.getLastActive(op, bound.coarse, needed.level, last, needed.onceIn);
      return executions * floorDiv(iteration + shift, ratio) + bound.count >=
             neededExecutions * (iteration - needed.distance + 1);
    });
  }

  bool improve(unsigned op, const Bound &bound) {
    // Nothing is known that says `at least 0` in every iteration.
    int64_t ratio = nest.getTrips(op, bound.coarse, bound.level);
    int64_t last = nest.getTrips(op, 0, bound.level) - 1;
    if (nest.getExecutions(source, bound.coarse) * floorDiv(last + bound.shift, ratio) +
            bound.count <=
        0)
      return false;
    auto isAtMost = [](const Bound &a, const Bound &b) {
      return a.coarse == b.coarse && a.level == b.level && a.shift <= b.shift &&
             a.count <= b.count && (b.onceIn & ~a.onceIn) == 0;
    };
    SmallVectorImpl<Bound> &bounds = known[op];
    if (llvm::any_of(bounds, [&](const Bound &old) { return isAtMost(bound, old); }))
      return false;
    llvm::erase_if(bounds, [&](const Bound &old) { return isAtMost(old, bound); });
    // Bounds of many kinds at one op add little; forgetting some is safe.
    constexpr size_t enough = 64;
    if (bounds.size() >= enough)
      return false;
    bounds.push_back(bound);
    return true;
  }

  const SyncProblem &problem;
  const LoopNest &nest;
  ArrayRef<SmallVector<SyncEdge>> outgoing;
  unsigned source;
  DenseMap<unsigned, SmallVector<Bound, 2>> known;
};
} // namespace

bool npu::isForHalo(const SyncProblem &problem, const SyncEdge &edge) {
  std::optional<unsigned> halo = problem.ops[edge.to].readsHalo;
  return halo && llvm::is_contained(problem.ops[edge.from].bringsHalos, *halo);
}

SmallVector<SyncEdge> npu::computeDependences(const SyncProblem &problem) {
  LoopNest nest(problem);
  SmallVector<SyncEdge> edges;
  DenseMap<std::tuple<unsigned, unsigned, unsigned, int64_t>, size_t> found;
  // Adds a wait of `access`.
  auto add = [&](const SyncProblem::Access &access, SyncEdge edge) {
    edge = nest.getWaitOf(access, edge);
    if (nest.isVacuous(edge))
      return;
    auto [known, isNew] =
        found.try_emplace({edge.from, edge.to, edge.level, edge.distance}, edges.size());
    if (isNew)
      edges.push_back(edge);
    else
      edges[known->second].onceIn &= edge.onceIn;
  };
  llvm::MapVector<std::pair<unsigned, unsigned>, SyncLead> leads;
  // Whether an edge between ops without a common loop says what is enough.
  auto addLead = [&](unsigned access, unsigned later) {
    std::optional<SyncLead> lead = problem.getLead ? problem.getLead(access, later) : std::nullopt;
    if (!lead)
      return false;
    auto [known, isNew] =
        leads.try_emplace({problem.accesses[access].op, problem.accesses[later].op}, *lead);
    return isNew || known->second == *lead;
  };
  auto areApart = [&](const SyncProblem::Op &a, const SyncProblem::Op &b) {
    return a.phase == b.phase && a.cluster != b.cluster;
  };
  std::vector<SmallVector<unsigned, 4>> accessesOf(problem.buffers.size());
  // The same by engine: most accesses are of one engine, which need not wait for itself.
  std::vector<std::map<unsigned, SmallVector<unsigned, 4>>> accessesByEngine(
      problem.buffers.size());
  for (auto [number, access] : enumerate(problem.accesses)) {
    accessesOf[access.buffer].push_back(number);
    accessesByEngine[access.buffer][problem.ops[access.op].engine].push_back(number);
  }
  for (auto [number, first] : enumerate(problem.accesses)) {
    SmallVector<unsigned> others;
    for (const auto &[engine, numbers] : accessesByEngine[first.buffer])
      if (engine != problem.ops[first.op].engine)
        append_range(others, numbers);
    llvm::sort(others);
    for (unsigned other : others) {
      const SyncProblem::Access &second = problem.accesses[other];
      if (first.op >= second.op || (!first.writes && !second.writes) ||
          (first.part != 0 && first.part == second.part))
        continue;
      const SyncProblem::Buffer &buffer = problem.buffers[first.buffer];
      if ((buffer.isShared && areApart(problem.ops[first.op], problem.ops[second.op])) ||
          (problem.mayMeet && !problem.mayMeet(number, other)))
        continue;
      if (int64_t lag = second.shift - first.shift) {
        // One of them uses an instance `lag` iterations after the other, and then the ring's next.
        const SyncProblem::Access &early = lag > 0 ? first : second,
                                  &late = lag > 0 ? second : first;
        add(late, {early.op, late.op, buffer.level, std::abs(lag)});
        if (buffer.depth > 0)
          add(early, {late.op, early.op, buffer.level, buffer.depth - std::abs(lag)});
        continue;
      }
      unsigned common = nest.getCommonLevel(first.op, second.op);
      if (common == 0 && addLead(number, other))
        continue;
      // Within an instance, in the same iteration of the common loops and in all earlier ones.
      add(second, {first.op, second.op, common, 0});
      // From one iteration of common loops inside the instance's scope to the next. What does
      // something in the first of them alone has nothing to wait for in the others.
      if (nest.isRepeated(first, buffer.level, common))
        add(first, {second.op, first.op, common, 1});
      else if (buffer.depth > 0)
        // From one instance to the next that uses its memory. Forward this is already ordered.
        add(first, {second.op, first.op, buffer.level, buffer.depth});
    }
  }
  // Memory that two buffers share is reused when all is done with the first.
  for (auto [a, b] : problem.aliases)
    for (unsigned numberInA : accessesOf[a])
      for (unsigned numberInB : accessesOf[b]) {
        const SyncProblem::Access &x = problem.accesses[numberInA],
                                  &y = problem.accesses[numberInB];
        if ((!x.writes && !y.writes) || problem.ops[x.op].engine == problem.ops[y.op].engine ||
            (problem.mayMeet && !problem.mayMeet(numberInA, numberInB)))
          continue;
        const SyncProblem::Access &early = x.op < y.op ? x : y, &late = x.op < y.op ? y : x;
        add(late, {early.op, late.op, nest.getCommonLevel(early.op, late.op), 0});
      }
  for (auto &[ops, lead] : leads)
    if (!found.contains({ops.first, ops.second, 0, 0}))
      edges.push_back({ops.first, ops.second, 0, 0, lead});
  return edges;
}

/// Adds the order in which every engine executes its own ops: each op before the engine's next in
/// the program, and the last in a loop before the first in the loop's next iteration.
static void addEngineOrder(const SyncProblem &problem, const LoopNest &nest,
                           MutableArrayRef<SmallVector<SyncEdge>> outgoing) {
  /// The latest op of an engine, and for each loop around it the engine's first op in that loop.
  struct Latest {
    unsigned op;
    SmallVector<unsigned, 6> firsts;
  };
  DenseMap<unsigned, Latest> engines;
  // The latest op is the last in its loops from level `from` on.
  auto closeLoops = [&](const Latest &latest, unsigned from) {
    for (unsigned level = latest.firsts.size(); level > from; --level)
      if (unsigned first = latest.firsts[level - 1];
          first != latest.op && nest.getCommonLevel(first, latest.op) == level)
        outgoing[latest.op].push_back({latest.op, first, level, 1});
  };
  for (auto [number, op] : llvm::enumerate(problem.ops)) {
    unsigned next = number, common = 0;
    auto [it, inserted] = engines.try_emplace(op.engine);
    Latest &latest = it->second;
    if (!inserted) {
      common = nest.getCommonLevel(latest.op, next);
      outgoing[latest.op].push_back({latest.op, next, common, 0});
      closeLoops(latest, common);
    }
    latest.op = next;
    latest.firsts.resize(common);
    latest.firsts.resize(op.loops.size(), next);
  }
  for (const auto &[engine, latest] : engines)
    closeLoops(latest, 0);
}

/// Drops edges between ops that have no loop in common where others imply them. One pass in program
/// order finds nearly all of them: what shares memory with much of a long program has many.
static void dropImpliedByEarlier(const SyncProblem &problem, const LoopNest &nest,
                                 SmallVectorImpl<SyncEdge> &edges) {
  std::vector<SmallVector<SyncEdge, 4>> incoming(problem.ops.size());
  for (const SyncEdge &edge : edges)
    incoming[edge.to].push_back(edge);
  edges.clear();
  // By engine: one more than the number of the last op that is complete when the op first starts.
  using Completed = SmallVector<unsigned, 8>;
  unsigned numEngines = 0;
  for (const SyncProblem::Op &op : problem.ops)
    numEngines = std::max(numEngines, op.engine + 1);
  std::vector<Completed> completed(problem.ops.size(), Completed(numEngines, 0));
  SmallVector<std::optional<unsigned>> latest(numEngines);
  for (unsigned op = 0; op < problem.ops.size(); ++op) {
    Completed &known = completed[op];
    auto startsAfter = [&](unsigned earlier) {
      for (auto [mine, its] : zip_equal(known, completed[earlier]))
        mine = std::max(mine, its);
      unsigned &end = known[problem.ops[earlier].engine];
      if (nest.getItem(earlier) != nest.getItem(op))
        end = std::max(end, earlier + 1);
    };
    unsigned engine = problem.ops[op].engine;
    if (latest[engine])
      startsAfter(*latest[engine]);
    latest[engine] = op;
    // The latest ones first: they imply the most. Those for a halo imply nothing for others.
    llvm::sort(incoming[op], [&](const SyncEdge &a, const SyncEdge &b) {
      bool isLate = isForHalo(problem, a), isOtherLate = isForHalo(problem, b);
      return std::tie(isLate, b.from, a.level, a.distance) <
             std::tie(isOtherLate, a.from, b.level, b.distance);
    });
    for (const SyncEdge &edge : incoming[op]) {
      bool isApart = nest.getItem(edge.from) != nest.getItem(op);
      if (isApart && known[problem.ops[edge.from].engine] > edge.from)
        continue;
      edges.push_back(edge);
      if (edge.distance == 0 && edge.from < op)
        startsAfter(edge.from);
    }
  }
}

/// Drops edges that others between the same engines imply by the order in which these work: of
/// those from one op, as far and at the same level, the first op that waits waits for all; of those
/// to one op, the last op that is waited for is done after all. What lies in memory that a long row
/// of ops uses has an edge for each of them. Edges of what works once in a loop say less than that,
/// and stay.
static void dropImpliedByOrder(const SyncProblem &problem, const LoopNest &nest,
                               SmallVectorImpl<SyncEdge> &edges) {
  auto getEngine = [&](unsigned op) { return problem.ops[op].engine; };
  // Compares each edge of a sorted row with equal keys with the one that was kept last.
  auto drop = [&](auto getKey, auto isBefore, auto implies) {
    llvm::sort(edges, [&](const SyncEdge &a, const SyncEdge &b) {
      return getKey(a) != getKey(b) ? getKey(a) < getKey(b) : isBefore(a, b);
    });
    SmallVector<SyncEdge> kept;
    for (const SyncEdge &edge : edges)
      if (kept.empty() || getKey(kept.back()) != getKey(edge) || kept.back().onceIn ||
          edge.onceIn || !implies(kept.back(), edge))
        kept.push_back(edge);
    edges = std::move(kept);
  };
  drop([&](const SyncEdge &e) { return std::tuple(e.from, getEngine(e.to), e.level, e.distance); },
       [](const SyncEdge &a, const SyncEdge &b) { return a.to < b.to; },
       [&](const SyncEdge &kept, const SyncEdge &edge) {
         return nest.getCommonLevel(kept.to, edge.to) >= edge.level;
       });
  drop([&](const SyncEdge &e) { return std::tuple(e.to, getEngine(e.from), e.level, e.distance); },
       [](const SyncEdge &a, const SyncEdge &b) { return a.from > b.from; },
       [&](const SyncEdge &kept, const SyncEdge &edge) {
         return nest.getCommonLevel(edge.from, kept.from) >= edge.level &&
                !problem.ops[edge.from].endsInParts &&
                (!isForHalo(problem, kept) || isForHalo(problem, edge));
       });
}

SmallVector<SyncEdge> npu::computeSynchronization(const SyncProblem &problem) {
  LoopNest nest(problem);
  SmallVector<SmallVector<SyncEdge>> outgoing(problem.ops.size());
  addEngineOrder(problem, nest, outgoing);
  SmallVector<SyncEdge> edges = computeDependences(problem);
  SmallVector<SyncEdge> leads;
  llvm::copy_if(edges, std::back_inserter(leads), [](const SyncEdge &edge) { return edge.lead; });
  for (unsigned i = 0; i < problem.ops.size(); ++i)
    if (nest.getExecutions(i, 0) >= LoopNest::plenty)
      return edges; // too many iterations to count exactly
  llvm::erase_if(edges, [](const SyncEdge &edge) { return edge.lead.has_value(); });
  dropImpliedByEarlier(problem, nest, edges);
  dropImpliedByOrder(problem, nest, edges);
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
    if (Closure(problem, nest, outgoing, edge.from).implies(edge))
      continue;
    outgoing[edge.from].push_back(edge);
    kept.push_back(edge);
  }
  for (const SyncEdge &edge : leads)
    if (!Closure(problem, nest, outgoing, edge.from).implies({edge.from, edge.to, 0, 0}))
      kept.push_back(edge);
  llvm::sort(kept, [](const SyncEdge &a, const SyncEdge &b) {
    return std::tie(a.to, a.from, a.level, a.distance) <
           std::tie(b.to, b.from, b.level, b.distance);
  });
  return kept;
}
