//===- NeededExecutionsTest.cpp - how far a writer must have come ---------===//
//
// What is said of two nests of loops against all pairs of their iterations.
//
//===----------------------------------------------------------------------===//

#include "NeededExecutions.h"
#include "LoopNestTest.h"

#include <random>
#include <set>

using namespace mlir;
using namespace npu;

namespace {

class NeededExecutionsTest : public LoopNestTest {
protected:
  MemRefType getType(ArrayRef<int64_t> shape) {
    return MemRefType::get(shape, IntegerType::get(&context, 8));
  }

  /// `factors[d][k]`: how far loop k moves the box in dimension d.
  MovingBox makeBox(ArrayRef<int64_t> shape, ArrayRef<scf::ForOp> loops,
                    ArrayRef<SmallVector<int64_t>> factors, ArrayRef<int64_t> begins,
                    ArrayRef<int64_t> sizes) {
    MovingBox box{getType(shape), 0, {}};
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      LinearIndex begin;
      begin.constant = begins[dim];
      for (auto [loop, factor] : llvm::zip_equal(loops, factors[dim]))
        if (factor != 0)
          begin.factors[scf::ForOp(loop).getInductionVar()] = factor;
      box.sides.push_back({std::move(begin), size});
    }
    return box;
  }
};

/// Calls `visit` with all counters of loops, in their order.
void forEach(ArrayRef<int64_t> trips, llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  int64_t count = 1;
  for (int64_t trip : trips)
    count *= trip;
  for (int64_t number = 0; number < count; ++number) {
    SmallVector<int64_t> counters(trips.size());
    int64_t rest = number;
    for (size_t loop = trips.size(); loop-- > 0; rest /= trips[loop])
      counters[loop] = rest % trips[loop];
    visit(counters);
  }
}

/// The bytes of the tensor that a box holds.
std::set<int64_t> getBytes(ArrayRef<int64_t> shape, ArrayRef<SmallVector<int64_t>> factors,
                           ArrayRef<int64_t> begins, ArrayRef<int64_t> sizes,
                           ArrayRef<int64_t> counters) {
  std::set<int64_t> bytes = {0};
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t begin = begins[dim];
    for (auto [factor, counter] : llvm::zip_equal(factors[dim], counters))
      begin += factor * counter;
    std::set<int64_t> next;
    for (int64_t byte : bytes)
      for (int64_t index = std::max<int64_t>(begin, 0);
           index < std::min(begin + sizes[dim], shape[dim]); ++index)
        next.insert(byte * shape[dim] + index);
    bytes = std::move(next);
  }
  return bytes;
}

TEST_F(NeededExecutionsTest, RowsFollowRows) {
  // Tiles of four rows of all columns, read by rows with a halo of one, in tiles of four.
  SmallVector<scf::ForOp> writes = makeLoops({7, 2}), reads = makeLoops({7});
  MovingBox written = makeBox({28, 16}, writes, {{4, 0}, {0, 8}}, {0, 0}, {4, 8});
  MovingBox read = makeBox({28, 16}, reads, {{4}, {0}}, {-1, 0}, {6, 16});
  std::optional<SyncLead> lead = getNeededExecutions(written, writes, read, reads);
  ASSERT_TRUE(lead);
  EXPECT_EQ(lead->factors, SmallVector<int64_t>{2 * 1});
  EXPECT_EQ(lead->constant, 2 * 2);
  EXPECT_EQ(lead->spare, 2); // the halo of the last tile is beyond the end
}

TEST_F(NeededExecutionsTest, OtherShapesOfTheSameMemory) {
  // Heads of four columns, read as pairs of them.
  SmallVector<scf::ForOp> writes = makeLoops({6}), reads = makeLoops({2, 3});
  MovingBox written = makeBox({8, 6, 4}, writes, {{0}, {1}, {0}}, {0, 0, 0}, {8, 1, 4});
  MovingBox read = makeBox({8, 24}, reads, {{0, 0}, {0, 8}}, {0, 0}, {8, 8});
  std::optional<SyncLead> lead = getNeededExecutions(written, writes, read, reads);
  ASSERT_TRUE(lead);
  EXPECT_EQ(lead->factors, (SmallVector<int64_t>{0, 2}));
  EXPECT_EQ(lead->constant, 2);
  EXPECT_EQ(lead->spare, 0);
}

TEST_F(NeededExecutionsTest, TheLastColumnsAreNeededByAllRows) {
  // Columns outside, rows inside: the rows of the last columns.
  SmallVector<scf::ForOp> writes = makeLoops({3, 4}), reads = makeLoops({4});
  MovingBox written = makeBox({16, 24}, writes, {{0, 4}, {8, 0}}, {0, 0}, {4, 8});
  MovingBox read = makeBox({16, 24}, reads, {{4}, {0}}, {0, 0}, {4, 24});
  std::optional<SyncLead> lead = getNeededExecutions(written, writes, read, reads);
  ASSERT_TRUE(lead);
  EXPECT_EQ(lead->factors, SmallVector<int64_t>{1});
  EXPECT_EQ(lead->constant, 2 * 4 + 1);
  // What needs all of it from the start gains nothing.
  MovingBox columns = makeBox({16, 24}, reads, {{0}, {6}}, {0, 0}, {16, 6});
  EXPECT_FALSE(getNeededExecutions(written, writes, columns, reads));
}

TEST_F(NeededExecutionsTest, RandomBoxesNeverNeedMore) {
  std::mt19937 random(7);
  auto pick = [&](int64_t most) { return int64_t(random() % most); };
  unsigned numLeads = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    // Both see one memory, perhaps in another shape.
    SmallVector<int64_t> shape = {1 + pick(4), 1 + pick(4), 1 + pick(6)}, other = shape;
    if (pick(2))
      other = {shape[0], shape[1] * shape[2]};
    else if (pick(2))
      other = {shape[0] * shape[1], shape[2]};
    struct Side {
      SmallVector<int64_t> shape, trips, begins, sizes;
      SmallVector<SmallVector<int64_t>> factors;
    };
    auto makeSide = [&](ArrayRef<int64_t> shape) {
      Side side{SmallVector<int64_t>(shape), {}, {}, {}, {}};
      for (int64_t loops = 1 + pick(3); loops > 0; --loops)
        side.trips.push_back(1 + pick(4));
      for (int64_t extent : shape) {
        side.begins.push_back(pick(3) - 1);
        side.sizes.push_back(1 + pick(extent));
        SmallVector<int64_t> factors(side.trips.size(), 0);
        if (pick(4))
          factors[pick(side.trips.size())] = pick(extent + 1);
        side.factors.push_back(factors);
      }
      return side;
    };
    Side first = makeSide(shape), second = makeSide(other);
    SmallVector<scf::ForOp> firstLoops = makeLoops(first.trips),
                            secondLoops = makeLoops(second.trips);
    std::optional<SyncLead> lead = getNeededExecutions(
        makeBox(first.shape, firstLoops, first.factors, first.begins, first.sizes), firstLoops,
        makeBox(second.shape, secondLoops, second.factors, second.begins, second.sizes),
        secondLoops);
    if (!lead)
      continue;
    ++numLeads;
    std::vector<std::set<int64_t>> touched;
    forEach(first.trips, [&](ArrayRef<int64_t> counters) {
      touched.push_back(getBytes(first.shape, first.factors, first.begins, first.sizes, counters));
    });
    forEach(second.trips, [&](ArrayRef<int64_t> counters) {
      std::set<int64_t> bytes =
          getBytes(second.shape, second.factors, second.begins, second.sizes, counters);
      int64_t needed = 0, waited = lead->constant;
      for (size_t number = 0; number < touched.size(); ++number)
        if (llvm::any_of(bytes, [&](int64_t byte) { return touched[number].count(byte) > 0; }))
          needed = number + 1;
      for (auto [factor, counter] : llvm::zip_equal(lead->factors, counters))
        waited += factor * counter;
      EXPECT_GE(std::max<int64_t>(waited, 0), needed) << "round " << round;
      EXPECT_LE(waited, int64_t(touched.size()) + lead->spare) << "round " << round;
    });
  }
  EXPECT_GT(numLeads, 500u);
}

} // namespace
