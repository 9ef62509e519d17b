//===- SynchronizationTest.cpp - waits are enough and none is needless ----===//

#include "NPU/Dialect/NPU/Transforms/Synchronization.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>
#include <vector>

using namespace llvm;
using namespace npu;

namespace {

/// Runs a problem's loops and decides by brute force which executions are ordered.
class Execution {
public:
  explicit Execution(const SyncProblem &problem) : problem(problem) {
    SmallVector<unsigned> loops;
    SmallVector<int64_t> counters;
    run(0, problem.ops.size(), loops, counters);
  }

  /// Conflicting accesses of different engines that the edges leave unordered.
  /// `getCell` says which memory an access touches, by its number and the counters; without it
  /// buffers, parts and rings do.
  using GetCell = std::function<int64_t(unsigned, ArrayRef<int64_t>)>;
  unsigned countRaces(ArrayRef<SyncEdge> edges, const GetCell &getCell = {}) const {
    std::vector<BitVector> before(events.size(), BitVector(events.size()));
    std::vector<int> last(8, -1);
    for (size_t e = 0; e < events.size(); ++e) {
      auto require = [&](size_t f) {
        before[e] |= before[f];
        before[e].set(f);
      };
      unsigned engine = problem.ops[events[e].op].engine;
      if (last[engine] >= 0)
        require(last[engine]);
      last[engine] = e;
      for (const SyncEdge &edge : edges) {
        if (edge.to != events[e].op)
          continue;
        int64_t limit = linear(events[e], edge.level, edge.onceIn) - edge.distance;
        for (size_t f = 0; f < events.size(); ++f) {
          if (events[f].op != edge.from || linear(events[f], edge.level) > limit)
            continue;
          // Waiting for something later in program order could deadlock.
          EXPECT_LT(f, e);
          if (f < e)
            require(f);
        }
      }
    }
    unsigned races = 0;
    for (size_t e = 0; e < events.size(); ++e)
      for (size_t f = 0; f < e; ++f)
        races += conflict(events[f], events[e], getCell) && !before[e].test(f);
    return races;
  }

private:
  struct Event {
    unsigned op;
    SmallVector<int64_t, 6> counters;
  };

  /// Runs ops [begin, end), which share the loops entered so far.
  void run(unsigned begin, unsigned end, SmallVectorImpl<unsigned> &loops,
           SmallVectorImpl<int64_t> &counters) {
    unsigned depth = loops.size();
    for (unsigned i = begin; i < end;) {
      const auto &own = problem.ops[i].loops;
      if (own.size() == depth) {
        events.push_back({i, SmallVector<int64_t, 6>(ArrayRef<int64_t>(counters))});
        ++i;
        continue;
      }
      unsigned loop = own[depth], stop = i;
      while (stop < end && problem.ops[stop].loops.size() > depth &&
             problem.ops[stop].loops[depth] == loop)
        ++stop;
      loops.push_back(loop);
      for (int64_t counter = 0; counter < problem.trips[loop]; ++counter) {
        counters.push_back(counter);
        run(i, stop, loops, counters);
        counters.pop_back();
      }
      loops.pop_back();
      i = stop;
    }
  }

  int64_t linear(const Event &event, unsigned level, uint32_t onceIn = 0) const {
    int64_t number = 0;
    for (unsigned k = 0; k < level; ++k)
      number = number * problem.trips[problem.ops[event.op].loops[k]] +
               (onceIn >> k & 1 ? 0 : event.counters[k]);
    return number;
  }

  static bool isActive(const SyncProblem::Access &access, const Event &event) {
    for (size_t k = 0; k < event.counters.size(); ++k)
      if (access.onceIn >> k & 1 && event.counters[k] > 0)
        return false;
    return true;
  }

  bool conflict(const Event &a, const Event &b, const GetCell &getCell) const {
    if (problem.ops[a.op].engine == problem.ops[b.op].engine)
      return false;
    for (auto [xNumber, x] : enumerate(problem.accesses)) {
      for (auto [yNumber, y] : enumerate(problem.accesses)) {
        if (x.op != a.op || y.op != b.op || (!x.writes && !y.writes) || !isActive(x, a) ||
            !isActive(y, b) || (x.part != 0 && x.buffer == y.buffer && x.part == y.part))
          continue;
        if (getCell) {
          if (x.buffer == y.buffer && getCell(xNumber, a.counters) == getCell(yNumber, b.counters))
            return true;
          continue;
        }
        if (is_contained(problem.aliases, std::pair(x.buffer, y.buffer)) ||
            is_contained(problem.aliases, std::pair(y.buffer, x.buffer)))
          return true;
        if (x.buffer != y.buffer)
          continue;
        const SyncProblem::Buffer &buffer = problem.buffers[x.buffer];
        const SyncProblem::Op &first = problem.ops[a.op], &second = problem.ops[b.op];
        if (buffer.isShared && first.phase == second.phase && first.cluster != second.cluster)
          continue;
        int64_t instances = linear(b, buffer.level) - y.shift - (linear(a, buffer.level) - x.shift);
        if (buffer.depth ? instances % buffer.depth == 0 : instances == 0)
          return true;
      }
    }
    return false;
  }

  const SyncProblem &problem;
  std::vector<Event> events;
};

enum : unsigned { DmaIn, DmaOut, Mxu, Vpu };

/// for i { for k { load a; load b; matmul a, b -> acc }; cast acc -> t; max t -> t; store t }
SyncProblem makeMatmul(int64_t depth) {
  SyncProblem problem;
  problem.trips = {4, 3};
  problem.ops = {{DmaIn, {0, 1}}, {DmaIn, {0, 1}}, {Mxu, {0, 1}},
                 {Vpu, {0}},      {Vpu, {0}},      {DmaOut, {0}}};
  problem.buffers = {{2, depth}, {2, depth}, {1, depth}, {1, depth}};
  problem.accesses = {{0, 0, true},  {1, 1, true}, {2, 0, false}, {2, 1, false}, {2, 2, true},
                      {3, 2, false}, {3, 3, true}, {4, 3, false}, {4, 3, true},  {5, 3, false}};
  return problem;
}

TEST(SynchronizationTest, MatmulNeedsTwoWaitsPerHandover) {
  SyncProblem problem = makeMatmul(2);
  // load <- matmul (free), matmul <- load b (full), matmul <- cast (free), cast <- matmul (full),
  // cast <- store (free), store <- max (full).
  SmallVector<SyncEdge> expected = {{2, 0, 2, 2}, {1, 2, 2, 0}, {3, 2, 1, 2},
                                    {2, 3, 1, 0}, {5, 3, 1, 2}, {4, 5, 1, 0}};
  EXPECT_EQ(computeSynchronization(problem), expected);
}

TEST(SynchronizationTest, EveryWaitOfTheMatmulIsNeeded) {
  for (int64_t depth : {1, 2, 3}) {
    SyncProblem problem = makeMatmul(depth);
    Execution execution(problem);
    SmallVector<SyncEdge> edges = computeSynchronization(problem);
    EXPECT_EQ(execution.countRaces(edges), 0u);
    for (size_t i = 0; i < edges.size(); ++i) {
      SmallVector<SyncEdge> fewer(edges);
      fewer.erase(fewer.begin() + i);
      EXPECT_GT(execution.countRaces(fewer), 0u) << "depth " << depth << ", wait " << i;
    }
  }
}

TEST(SynchronizationTest, DramThatIsOnlyReadNeedsNothing) {
  SyncProblem problem;
  problem.trips = {4};
  problem.ops = {{DmaIn, {0}}, {DmaIn, {0}}};
  problem.buffers = {{0, 0}};
  problem.accesses = {{0, 0, false}, {1, 0, false}};
  EXPECT_TRUE(computeSynchronization(problem).empty());
}

TEST(SynchronizationTest, RingsAsDeepAsTheLoopNeedNoFreeSlots) {
  SyncProblem problem;
  problem.trips = {2};
  problem.ops = {{DmaIn, {0}}, {DmaOut, {0}}};
  problem.buffers = {{1, 2}};
  problem.accesses = {{0, 0, true}, {1, 0, false}};
  EXPECT_EQ(computeSynchronization(problem), (SmallVector<SyncEdge>{{0, 1, 1, 0}}));
}

/// for i { x -> a; store a -> t }; for j { load t -> b; y b }: what is loaded has been stored so
/// far.
TEST(SynchronizationTest, ALoopFollowsAnEarlierOne) {
  SyncProblem problem;
  problem.trips = {4, 4};
  problem.ops = {{Vpu, {0}}, {DmaOut, {0}}, {DmaIn, {1}}, {Mxu, {1}}};
  problem.buffers = {{1, 2}, {0, 0}, {1, 2}};
  problem.accesses = {{0, 0, true},  {1, 0, false}, {1, 1, true},
                      {2, 1, false}, {2, 2, true},  {3, 2, false}};
  SmallVector<SyncEdge> whole = {
      {1, 0, 1, 2}, {0, 1, 1, 0}, {1, 2, 0, 0}, {3, 2, 1, 2}, {2, 3, 1, 0}};
  EXPECT_EQ(computeSynchronization(problem), whole);
  SyncLead lead{{1}, 1};
  problem.getLead = [&](unsigned first, unsigned second) {
    EXPECT_EQ(problem.accesses[first].op, 1u);
    EXPECT_EQ(problem.accesses[second].op, 2u);
    return std::optional(lead);
  };
  SmallVector<SyncEdge> followed = whole;
  followed[2].lead = lead;
  EXPECT_EQ(computeSynchronization(problem), followed);
  // Where memory is used again, all of the first loop has to be done, and that is enough.
  problem.buffers[0].level = problem.buffers[2].level = 0;
  problem.buffers[0].depth = problem.buffers[2].depth = 1;
  problem.aliases = {{0, 2}};
  for (const SyncEdge &edge : computeSynchronization(problem))
    EXPECT_FALSE(edge.lead);
}

/// for i { load a; array a -> acc; for p { vector acc } }; load b, in the place of a.
TEST(SynchronizationTest, PartsOfTheLastTileDoNotSayThatItIsDone) {
  SyncProblem problem;
  problem.trips = {3, 2};
  problem.ops = {{DmaIn, {0}}, {Mxu, {0}}, {Vpu, {0, 1}}, {DmaIn, {0, 1}}, {DmaIn, {}}};
  problem.buffers = {{0, 1}, {1, 2}, {2, 1}, {0, 1}};
  // The second load of the loop, of what the vector op reads besides, waits for that.
  problem.accesses = {{0, 0, true},  {1, 0, false}, {1, 1, true}, {2, 1, false},
                      {2, 2, false}, {3, 2, true},  {4, 3, true}};
  problem.aliases = {{0, 3}};
  auto findsWait = [&] {
    return is_contained(computeSynchronization(problem), SyncEdge{1, 4, 0, 0});
  };
  problem.ops[1].endsInParts = true;
  EXPECT_TRUE(findsWait());
}

/// for i { load a, in the first iteration alone; load b; array a, b }.
TEST(SynchronizationTest, WhatIsFilledAtFirstWaitsForNoReader) {
  SyncProblem problem;
  problem.trips = {4};
  problem.ops = {{DmaIn, {0}}, {DmaIn, {0}}, {Mxu, {0}}};
  problem.buffers = {{0, 1}, {1, 2}};
  problem.accesses = {{0, 0, true}, {1, 1, true}, {2, 0, false}, {2, 1, false}};
  SmallVector<SyncEdge> each = {{2, 0, 1, 1}, {1, 2, 1, 0}};
  EXPECT_EQ(computeSynchronization(problem), each);
  problem.accesses[0].onceIn = 1;
  SmallVector<SyncEdge> once = {{2, 1, 1, 2}, {1, 2, 1, 0}};
  EXPECT_EQ(computeSynchronization(problem), once);
}

/// The same where something else writes to the buffer before the loop, so that it is not only the
/// load that fills it.
TEST(SynchronizationTest, WhatLoadsAtFirstWaitsForNoReader) {
  SyncProblem problem;
  problem.trips = {4};
  problem.ops = {{Vpu, {}}, {DmaIn, {0}}, {DmaIn, {0}}, {Mxu, {0}}};
  problem.buffers = {{0, 1}, {1, 2}};
  problem.accesses = {{0, 0, true}, {1, 0, true}, {2, 1, true}, {3, 0, false}, {3, 1, false}};
  auto waitsForReader = [&] {
    return is_contained(computeSynchronization(problem), SyncEdge{3, 1, 1, 1});
  };
  EXPECT_TRUE(waitsForReader());
  problem.accesses[1].onceIn = 1;
  EXPECT_FALSE(waitsForReader());
  // The first one still waits for what was written before, and is waited for.
  EXPECT_TRUE(is_contained(computeDependences(problem), SyncEdge{0, 1, 0, 0}));
  EXPECT_TRUE(is_contained(computeDependences(problem), SyncEdge{1, 3, 1, 0}));
}

/// for i { for j { load a, in the first iteration of j alone; load b; array a, b } }.
TEST(SynchronizationTest, WhatStaysForALoopWaitsForTheLoopThatUsedItsPlace) {
  SyncProblem problem;
  problem.trips = {3, 4};
  problem.ops = {{DmaIn, {0, 1}}, {DmaIn, {0, 1}}, {Mxu, {0, 1}}};
  for (int64_t depth : {1, 2}) {
    problem.buffers = {{1, depth}, {2, 2}};
    problem.accesses = {{0, 0, true}, {1, 1, true}, {2, 0, false}, {2, 1, false}};
    // In each iteration it would wait for the product just before it.
    EXPECT_TRUE(is_contained(computeSynchronization(problem), SyncEdge{2, 0, 2, 1}));
    problem.accesses[0].onceIn = 2;
    SmallVector<SyncEdge> edges = computeSynchronization(problem);
    EXPECT_EQ(is_contained(edges, SyncEdge{2, 0, 1, 1}), depth == 1);
    EXPECT_FALSE(is_contained(edges, SyncEdge{2, 0, 2, 1}));
    EXPECT_TRUE(is_contained(edges, SyncEdge{2, 1, 2, 2}));
  }
}

/// for i { for j { for p { load part p of a, in the first iteration of j alone; array a } } }: the
/// slots of parts are those of all iterations of j.
TEST(SynchronizationTest, WhatDoesNothingDoesNotWaitForTheSlotOfItsPart) {
  SyncProblem problem;
  problem.trips = {3, 4, 2};
  problem.ops = {{DmaIn, {0, 1, 2}}, {DmaIn, {0, 1, 2}}, {Mxu, {0, 1, 2}}};
  problem.buffers = {{3, 2}, {3, 3}};
  problem.accesses = {{0, 0, true, 0, 0, 2}, {1, 1, true}, {2, 0, false}, {2, 1, false}};
  SmallVector<SyncEdge> edges = {{2, 0, 3, 2, std::nullopt, 2}, {2, 1, 3, 3}, {1, 2, 3, 0}};
  EXPECT_EQ(computeSynchronization(problem), edges);
}

/// Random nests: ops at random depths, buffers at random levels, random accesses.
SyncProblem makeRandom(std::mt19937 &random) {
  SyncProblem problem;
  SmallVector<unsigned, 6> loops;
  unsigned numOps = 2 + random() % 6;
  // A random walk through the nest: leave some loops, enter some, place an op.
  for (unsigned i = 0; i < numOps; ++i) {
    loops.truncate(random() % (loops.size() + 1));
    while (loops.size() < 3 && random() % 2) {
      loops.push_back(problem.trips.size());
      problem.trips.push_back(2 + random() % 2); // loops of one iteration are gone by then
    }
    SyncProblem::Op op;
    op.engine = random() % 4;
    op.loops = loops;
    problem.ops.push_back(op);
  }
  unsigned numBuffers = 1 + random() % 3;
  for (unsigned b = 0; b < numBuffers; ++b) {
    // A scope: the ops that share the first `level` loops with a chosen one.
    const SyncProblem::Op &scope = problem.ops[random() % numOps];
    unsigned level = random() % (scope.loops.size() + 1);
    problem.buffers.push_back({level, static_cast<int64_t>(random() % 4)});
    if (level > 0 && problem.buffers.back().depth == 0)
      problem.buffers.back().depth = 1;
    for (unsigned i = 0; i < numOps; ++i) {
      const auto &own = problem.ops[i].loops;
      if (own.size() < level ||
          !std::equal(own.begin(), own.begin() + level, scope.loops.begin()) || random() % 3 == 0)
        continue;
      problem.accesses.push_back({i, b, random() % 2 == 0});
    }
  }
  return problem;
}

/// Random nests whose loads do nothing after the first iteration of random loops.
SyncProblem makeOnce(std::mt19937 &random) {
  SyncProblem problem = makeRandom(random);
  std::vector<uint32_t> onceIn(problem.ops.size());
  for (auto [number, op] : enumerate(problem.ops))
    if (op.engine == DmaIn)
      onceIn[number] = random() % (1u << op.loops.size());
  for (SyncProblem::Access &access : problem.accesses)
    access.onceIn = onceIn[access.op];
  return problem;
}

/// Of what `make` makes, no two accesses race, and without any of the waits some do.
void checkWaits(unsigned rounds, llvm::function_ref<SyncProblem(std::mt19937 &)> make) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < rounds; ++round) {
    SyncProblem problem = make(random);
    Execution execution(problem);
    SmallVector<SyncEdge> edges = computeSynchronization(problem);
    ASSERT_EQ(execution.countRaces(edges), 0u) << "round " << round;
    for (size_t i = 0; i < edges.size(); ++i) {
      SmallVector<SyncEdge> fewer(edges);
      fewer.erase(fewer.begin() + i);
      EXPECT_GT(execution.countRaces(fewer), 0u) << "round " << round << ", wait " << i;
    }
  }
}

TEST(SynchronizationTest, RandomNestsHaveNoRacesAndNoNeedlessWaits) {
  checkWaits(3000, makeRandom);
}

TEST(SynchronizationTest, RandomNestsOfWhatWorksOnceHaveNoRaces) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 3000; ++round) {
    SyncProblem problem = makeOnce(random);
    ASSERT_EQ(Execution(problem).countRaces(computeSynchronization(problem)), 0u)
        << "round " << round;
  }
}

/// A product whose operand `a` stays on chip while random ones of its loops run, in a ring of
/// buffers with a slot for each iteration of the other loops, and whose operand `b` is loaded in
/// each of them. Its loads are of parts, as the lowering has them.
struct KeptOperand {
  SyncProblem problem;
  Execution::GetCell getCell;
};

KeptOperand makeKept(std::mt19937 &random) {
  KeptOperand kept;
  SyncProblem &problem = kept.problem;
  unsigned numLoops = 2 + random() % 2, level = random() % numLoops;
  SmallVector<unsigned, 6> loops;
  for (unsigned loop = 0; loop < numLoops; ++loop) {
    problem.trips.push_back(1 + random() % 3);
    loops.push_back(loop);
  }
  uint32_t onceIn = 0;
  for (unsigned loop = level; loop < numLoops; ++loop)
    if (random() % 2 && problem.trips[loop] > 1)
      onceIn |= 1u << loop;
  problem.ops = {{DmaIn, loops}, {DmaIn, loops}, {Mxu, loops}, {Vpu, loops}};
  if (random() % 2)
    std::swap(problem.ops[0], problem.ops[1]);
  int64_t depth = 1 + random() % 2, inner = 1, read = 0;
  for (unsigned loop = numLoops; loop-- > level; inner *= problem.trips[loop])
    read += onceIn >> loop & 1 ? (problem.trips[loop] - 1) * inner : 0;
  // Without a loop around it, each part has its own memory.
  int64_t reuse = level == 0 ? 0 : inner * depth - read;
  int64_t ofB = 1 + random() % 3;
  problem.buffers = {{numLoops, reuse}, {numLoops, ofB}, {numLoops, 2}};
  problem.accesses = {{0, 0, true, 0, 0, onceIn},
                      {1, 1, true},
                      {2, 0, false},
                      {2, 1, false},
                      {2, 2, true},
                      {3, 2, false}};
  kept.getCell = [trips = problem.trips, onceIn, level, depth, ofB](unsigned access,
                                                                    ArrayRef<int64_t> counters) {
    bool isKept = access == 0 || access == 2;
    int64_t number = 0, instance = 0;
    for (unsigned loop = 0; loop < trips.size(); ++loop) {
      if (loop == level)
        instance = number;
      if (loop == level && isKept)
        number = 0;
      number = number * trips[loop] + (isKept && onceIn >> loop & 1 ? 0 : counters[loop]);
    }
    if (isKept)
      return instance % depth * 1000 + number;
    return number % (access == 1 || access == 3 ? ofB : 2);
  };
  return kept;
}

/// The waits are the shortest ones: one signal less of any is a race.
TEST(SynchronizationTest, KeptOperandsWaitForNoMoreThanTheirSlots) {
  std::mt19937 random(1);
  unsigned numKept = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    KeptOperand kept = makeKept(random);
    Execution execution(kept.problem);
    SmallVector<SyncEdge> edges = computeSynchronization(kept.problem);
    ASSERT_EQ(execution.countRaces(edges, kept.getCell), 0u) << "round " << round;
    for (size_t i = 0; i < edges.size(); ++i) {
      SmallVector<SyncEdge> later(edges);
      ++later[i].distance;
      EXPECT_GT(execution.countRaces(later, kept.getCell), 0u)
          << "round " << round << ", wait " << i;
      numKept += edges[i].to == 0 && kept.problem.accesses[0].onceIn != 0;
    }
  }
  EXPECT_GT(numKept, 100u);
}

/// A random nest in which one op brings a halo, buffer 0, and a later one reads it, beside what
/// random ops read and write. Nothing where the two meet elsewhere as well.
std::optional<SyncProblem> makeHalo(std::mt19937 &random, unsigned &reader) {
  SyncProblem problem = makeRandom(random);
  unsigned bringer = random() % (problem.ops.size() - 1);
  reader = bringer + 1 + random() % (problem.ops.size() - bringer - 1);
  if (problem.ops[bringer].engine == problem.ops[reader].engine)
    return std::nullopt;
  std::vector<bool> brought(problem.buffers.size()), read(problem.buffers.size());
  for (const SyncProblem::Access &access : problem.accesses) {
    brought[access.buffer] = brought[access.buffer] || access.op == bringer;
    read[access.buffer] = read[access.buffer] || access.op == reader;
  }
  for (size_t buffer = 0; buffer < brought.size(); ++buffer)
    if (brought[buffer] && read[buffer])
      return std::nullopt;
  unsigned halo = problem.buffers.size();
  problem.buffers.push_back({0, 1});
  problem.accesses.push_back({bringer, halo, true});
  problem.accesses.push_back({reader, halo, false});
  problem.ops[bringer].bringsHalos = {halo};
  problem.ops[reader].readsHalo = halo;
  return problem;
}

/// The first part of an op that reads a halo may begin before that is there, and whatever relies on
/// the op still waits for both.
TEST(SynchronizationTest, WhatNeedsNoHaloMayBeginBeforeIt) {
  std::mt19937 random(1);
  unsigned numTried = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    unsigned reader = 0;
    std::optional<SyncProblem> made = makeHalo(random, reader);
    if (!made)
      continue;
    SyncProblem problem = std::move(*made), inParts = problem;
    unsigned halo = problem.buffers.size() - 1;
    SmallVector<SyncEdge> edges = computeSynchronization(problem), ofParts;
    ASSERT_EQ(Execution(problem).countRaces(edges), 0u) << "round " << round;
    auto shift = [&](unsigned op) { return op > reader ? op + 1 : op; };
    inParts.ops.insert(inParts.ops.begin() + reader, inParts.ops[reader]);
    for (SyncProblem::Access &access : inParts.accesses)
      access.op = access.op >= reader ? access.op + 1 : access.op;
    for (const SyncProblem::Access &access : problem.accesses)
      if (access.op == reader && access.buffer != halo) {
        SyncProblem::Access ofFirst = access;
        inParts.accesses.push_back(ofFirst);
      }
    for (const SyncEdge &edge : edges) {
      SyncEdge ofSecond = edge;
      ofSecond.from = edge.from == reader ? reader + 1 : shift(edge.from);
      ofSecond.to = edge.to == reader ? reader + 1 : shift(edge.to);
      ofParts.push_back(ofSecond);
      if (edge.to == reader && !isForHalo(problem, edge)) {
        SyncEdge ofFirst = ofSecond;
        ofFirst.to = reader;
        ofParts.push_back(ofFirst);
      }
    }
    EXPECT_EQ(Execution(inParts).countRaces(ofParts), 0u) << "round " << round;
    ++numTried;
  }
  EXPECT_GT(numTried, 500u);
}

/// Accesses to one buffer on chip that touch different bytes in all iterations need no order.
TEST(SynchronizationTest, PartsOfABufferThatDoNotMeetNeedNoWaits) {
  SyncProblem problem;
  problem.trips = {3};
  problem.ops = {{Vpu, {0}}, {DmaIn, {0}}, {Mxu, {0}}};
  problem.buffers = {{0, 1}};
  problem.accesses = {{0, 0, true}, {1, 0, true}, {2, 0, false}};
  auto waits = [&] { return is_contained(computeSynchronization(problem), SyncEdge{0, 1, 1, 0}); };
  EXPECT_TRUE(waits());
  problem.mayMeet = [](unsigned a, unsigned b) { return a == 2 || b == 2; };
  EXPECT_FALSE(waits());
  EXPECT_TRUE(is_contained(computeSynchronization(problem), SyncEdge{1, 2, 1, 0}));
}

/// Loops one after the other, as the kernels of a network. Each has buffers of its own, which share
/// memory with those of others, and a few that all use.
SyncProblem makeRow(std::mt19937 &random) {
  SyncProblem problem;
  unsigned numItems = 3 + random() % 5;
  problem.buffers.push_back({0, 0}); // in DRAM
  std::vector<unsigned> itemOf = {~0u};
  for (unsigned item = 0; item < numItems; ++item) {
    SmallVector<unsigned, 6> loops;
    if (random() % 4) {
      loops.push_back(problem.trips.size());
      problem.trips.push_back(2);
    }
    unsigned firstBuffer = problem.buffers.size();
    for (unsigned b = 0; b < 2; ++b) {
      problem.buffers.push_back(
          {random() % 2 ? unsigned(loops.size()) : 0, 1 + int64_t(random() % 2)});
      itemOf.push_back(item);
    }
    for (unsigned i = 0, e = 1 + random() % 3; i < e; ++i) {
      unsigned op = problem.ops.size();
      problem.ops.push_back({unsigned(random() % 4), loops});
      for (unsigned b : {0u, firstBuffer, firstBuffer + 1})
        if (random() % 2)
          problem.accesses.push_back({op, b, random() % 2 == 0});
    }
  }
  for (unsigned a = 1; a < problem.buffers.size(); ++a)
    for (unsigned b = a + 1; b < problem.buffers.size(); ++b)
      if (itemOf[a] != itemOf[b] && random() % 3 == 0)
        problem.aliases.push_back({a, b});
  return problem;
}

TEST(SynchronizationTest, RandomRowsHaveNoRacesAndNoNeedlessWaits) { checkWaits(2000, makeRow); }

/// Loops one after the other that hand on parts of buffers which stay: each iteration has a part of
/// its own, and some ops use that of the iteration before.
SyncProblem makeParts(std::mt19937 &random) {
  SyncProblem problem;
  unsigned numShared = 1 + random() % 2;
  problem.buffers.assign(numShared, {0, 1});
  unsigned numParts = 0;
  for (unsigned item = 0, e = 2 + random() % 3; item < e; ++item) {
    SmallVector<unsigned, 6> loops;
    for (unsigned depth = 1 + random() % 2; depth > 0; --depth) {
      loops.push_back(problem.trips.size());
      problem.trips.push_back(3);
    }
    unsigned level = 1 + random() % loops.size(), firstBuffer = problem.buffers.size();
    problem.buffers.append(numShared, {level, 0});
    for (unsigned i = 0, numOps = 1 + random() % 4; i < numOps; ++i) {
      unsigned op = problem.ops.size();
      problem.ops.push_back({unsigned(random() % 4), loops});
      for (unsigned b = 0; b < numShared; ++b) {
        bool writes = random() % 2;
        switch (random() % 4) {
        case 0:
          problem.accesses.push_back({op, b, writes});
          break;
        case 1:
        case 2:
          problem.accesses.push_back({op, b, writes, 0, numParts + b + 1});
          problem.accesses.push_back({op, firstBuffer + b, writes, int64_t(random() % 2)});
          break;
        default:
          break;
        }
      }
    }
    numParts += numShared;
  }
  return problem;
}

TEST(SynchronizationTest, RandomPartsHaveNoRacesAndNoNeedlessWaits) { checkWaits(2000, makeParts); }

/// Loops one after the other, some of which two clusters share: each has buffers of its own, which
/// one transfer of the first may fill for both, and they hand on memory in DRAM.
SyncProblem makeClusters(std::mt19937 &random) {
  SyncProblem problem;
  problem.buffers = {{0, 0, true}, {0, 0, true}};
  unsigned numItems = 2 + random() % 4;
  for (unsigned item = 0; item < numItems; ++item) {
    unsigned numClusters = 1 + random() % 2;
    SmallVector<unsigned, 6> loops;
    for (unsigned depth = random() % 3; depth > 0; --depth) {
      loops.push_back(problem.trips.size());
      problem.trips.push_back(2);
    }
    unsigned firstBuffer = problem.buffers.size();
    for (unsigned b = 0; b < 2; ++b) {
      SyncProblem::Buffer buffer{unsigned(random() % (loops.size() + 1)),
                                 1 + int64_t(random() % 2)};
      problem.buffers.append(numClusters, buffer);
    }
    for (unsigned i = 0, e = 1 + random() % 4; i < e; ++i) {
      unsigned engine = random() % 4;
      SmallVector<std::pair<unsigned, bool>> accesses; // memory 0 and 1, buffers 2 and 3
      for (unsigned b = 0; b < 4; ++b)
        if (random() % 2)
          accesses.push_back({b, random() % 2 == 0});
      bool isMulticast = engine == DmaIn && random() % 2;
      for (unsigned cluster = 0; cluster < (isMulticast ? 1 : numClusters); ++cluster) {
        unsigned op = problem.ops.size();
        problem.ops.push_back({cluster * 4 + engine, loops, item, cluster});
        for (auto [buffer, writes] : accesses) {
          unsigned own = firstBuffer + (buffer - 2) * numClusters;
          if (buffer < 2)
            problem.accesses.push_back({op, buffer, writes});
          else
            for (unsigned to = cluster; to < (isMulticast ? numClusters : cluster + 1); ++to)
              problem.accesses.push_back({op, own + to, writes});
        }
      }
    }
  }
  return problem;
}

TEST(SynchronizationTest, RandomClustersHaveNoRacesAndNoNeedlessWaits) {
  checkWaits(2000, makeClusters);
}

} // namespace
