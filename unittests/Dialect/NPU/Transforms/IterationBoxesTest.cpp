//===- IterationBoxesTest.cpp - boxes of iterations that are apart --------===//

#include "IterationBoxes.h"
#include "LoopNestTest.h"

#include <random>

using namespace mlir;
using namespace npu;

namespace {

using IterationBoxesTest = LoopNestTest;

TEST_F(IterationBoxesTest, IndicesAreLinearInCounters) {
  SmallVector<scf::ForOp> loops = makeLoops({4, 5});
  OpBuilder builder = OpBuilder::atBlockBegin(loops[1].getBody());
  AffineExpr d0, d1;
  bindDims(&context, d0, d1);
  Value outer = loops[0].getInductionVar(), inner = loops[1].getInductionVar();
  Value sum = affine::AffineApplyOp::create(
      builder, module->getLoc(), AffineMap::get(2, 0, d0 * 5 + d1 - 1), ValueRange{outer, inner});
  Value twice = affine::AffineApplyOp::create(
      builder, module->getLoc(), AffineMap::get(2, 0, d0 * 2 + d1), ValueRange{sum, inner});
  std::optional<LinearIndex> linear = getLinearIndex(OpFoldResult(twice));
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->constant, -2);
  EXPECT_EQ(linear->factors.lookup(outer), 10);
  EXPECT_EQ(linear->factors.lookup(inner), 3);
  Value half = affine::AffineApplyOp::create(builder, module->getLoc(),
                                             AffineMap::get(1, 0, d0.floorDiv(2)), sum);
  EXPECT_FALSE(getLinearIndex(OpFoldResult(half)));
}

/// What is said to be apart is, and of boxes that one counter moves, the others are not.
TEST_F(IterationBoxesTest, RandomBoxesAreApart) {
  std::mt19937 random(1);
  unsigned numApart = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    SmallVector<int64_t> trips = {int64_t(1 + random() % 3), int64_t(1 + random() % 3),
                                  int64_t(1 + random() % 3)};
    SmallVector<scf::ForOp> loops = makeLoops(trips);
    SmallVector<LinearIndex> origin(2);
    SmallVector<int64_t> sizes = {int64_t(1 + random() % 3), int64_t(1 + random() % 3)};
    SmallVector<SmallVector<int64_t>> factors(2, SmallVector<int64_t>(3, 0));
    for (unsigned loop = 0; loop < 3; ++loop)
      for (unsigned dim = 0; dim < 2; ++dim)
        if (int64_t factor = random() % 3 ? 0 : int64_t(random() % 7)) {
          factors[dim][loop] = factor;
          origin[dim].factors[loops[loop].getInductionVar()] = factor;
        }
    SmallVector<SmallVector<int64_t>> boxes, counters;
    for (int64_t i = 0; i < trips[0]; ++i)
      for (int64_t j = 0; j < trips[1]; ++j)
        for (int64_t k = 0; k < trips[2]; ++k) {
          counters.push_back({i, j, k});
          SmallVector<int64_t> &box = boxes.emplace_back();
          for (unsigned dim = 0; dim < 2; ++dim)
            box.push_back(i * factors[dim][0] + j * factors[dim][1] + k * factors[dim][2]);
        }
    bool meet = false;
    for (size_t a = 0; a < boxes.size(); ++a)
      for (size_t b = 0; b < a; ++b) {
        bool movesApart = false, overlaps = true;
        for (unsigned loop = 0; loop < 3; ++loop)
          movesApart |= counters[a][loop] != counters[b][loop] &&
                        (factors[0][loop] != 0 || factors[1][loop] != 0);
        for (unsigned dim = 0; dim < 2; ++dim)
          overlaps &= std::abs(boxes[a][dim] - boxes[b][dim]) < sizes[dim];
        meet |= movesApart && overlaps;
      }
    bool isApart = areApart(origin, sizes, loops);
    EXPECT_FALSE(isApart && meet) << "round " << round;
    numApart += isApart;
    unsigned numMoving = 0;
    for (unsigned loop = 0; loop < 3; ++loop)
      numMoving += trips[loop] > 1 && (factors[0][loop] != 0) + (factors[1][loop] != 0) == 1;
    bool movesTwo = llvm::any_of(llvm::seq<unsigned>(0, 3), [&](unsigned loop) {
      return trips[loop] > 1 && factors[0][loop] != 0 && factors[1][loop] != 0;
    });
    if (numMoving <= 1 && !movesTwo) {
      EXPECT_EQ(isApart, !meet) << "round " << round;
    }
  }
  EXPECT_GT(numApart, 300u);
}

} // namespace
