//===- TimingTest.cpp - the timing functions ------------------------------===//

#include "NPU/Target/ISA/Timing.h"

#include <gtest/gtest.h>

using namespace npu;
using namespace npu::isa;

static TargetDesc getTarget() { return llvm::cantFail(parseTarget("npu-v1")); }

static BoxDimValue makeDim(int64_t stride, int64_t extent, int64_t origin, int64_t high) {
  return {stride, 1, extent, origin, 0, high, 0, 0};
}

TEST(Timing, MatmulFollowsTheFormula) {
  // 4 row passes, 2 column panels, 64 rows streamed, plus fill.
  EXPECT_EQ(getMatmulCycles(getTarget(), MacType::F16, 64, 64, 128), 4 * 2 * 64 + 64);
  EXPECT_EQ(getMatmulCycles(getTarget(), MacType::F32, 64, 64, 128), 4 * (4 * 2 * 64) + 64);
  EXPECT_EQ(getMatmulCycles(getTarget(), MacType::I8, 1, 33, 33), 2 * 2 * 32 + 64);
  EXPECT_EQ(getMatmulCycles(getTarget(), MacType::I8, 0, 33, 33), 0);
}

TEST(Timing, DepthwiseFollowsTheFormula) {
  EXPECT_EQ(getDepthwiseCycles(getTarget(), MacType::I8, 100, 33, 9), 2 * 100 * 1 + 64);
}

TEST(Timing, RowsTakeALaneEach) {
  // 64 lanes take a row each.
  EXPECT_EQ(getSerialCycles(getTarget(), 64, 1000, 1), 1000);
  EXPECT_EQ(getSerialCycles(getTarget(), 65, 1000, 1), 2000);
  EXPECT_EQ(getSerialCycles(getTarget(), 1, 1000, 3), 3000);
  EXPECT_EQ(getSerialCycles(getTarget(), 1000, 1, 1), getVectorCycles(getTarget(), 1000, 1));
}

TEST(Timing, OnlyRoundingMakesReductionsSerial) {
  for (ReduceKind kind : {ReduceKind::Sum, ReduceKind::Prod}) {
    for (ElementType type : {ElementType::F16, ElementType::Bf16, ElementType::F32})
      EXPECT_TRUE(isSerial(kind, type));
    for (ElementType type : {ElementType::I8, ElementType::I16, ElementType::I32})
      EXPECT_FALSE(isSerial(kind, type));
  }
  EXPECT_FALSE(isSerial(ReduceKind::Max, ElementType::F32));
  EXPECT_FALSE(isSerial(ReduceKind::Min, ElementType::F32));
  EXPECT_FALSE(isSerial(ReduceKind::Xor, ElementType::I32));
}

TEST(Timing, ContiguousBoxIsOneRun) {
  DmaCost cost = getDmaCost({makeDim(256, 4, 0, 4), makeDim(2, 128, 0, 128)}, 0, 2, 32);
  EXPECT_EQ(cost.dramBytes, 1024);
  EXPECT_EQ(cost.chargedBytes, 1024);
  EXPECT_EQ(cost.chipElements, 512);
  EXPECT_EQ(getDmaCycles(getTarget(), cost), 100 + 32);
}

TEST(Timing, ShortRunsCostABeat) {
  DmaCost cost = getDmaCost({makeDim(256, 4, 0, 4), makeDim(2, 3, 0, 128)}, 0, 2, 32);
  EXPECT_EQ(cost.dramBytes, 24);
  EXPECT_EQ(cost.chargedBytes, 4 * 32);
}

TEST(Timing, FillOutsideTheWindowIsFreeInDram) {
  DmaCost cost = getDmaCost({makeDim(64, 4, -1, 2), makeDim(1, 64, 0, 64)}, 0, 1, 32);
  EXPECT_EQ(cost.dramBytes, 2 * 64);
  EXPECT_EQ(cost.chipElements, 4 * 64);
  cost = getDmaCost({makeDim(64, 4, 9, 2), makeDim(1, 64, 0, 64)}, 0, 1, 32);
  EXPECT_EQ(cost.dramBytes, 0);
  EXPECT_EQ(getDmaCycles(getTarget(), cost), 100 + 8);
}

TEST(Timing, JoinedDimensionsOfPackedWeightsAreContiguous) {
  // Panels of 32 columns out of a row of 100 f16: [panel][k][32].
  BoxDimValue panel = makeDim(0, 4, 0, 4), k = makeDim(200, 16, 0, 16), n = makeDim(2, 32, 0, 100);
  n.block = 32;
  n.outer = 0;
  DmaCost cost = getDmaCost({panel, k, n}, 0, 2, 32);
  EXPECT_EQ(cost.dramBytes, 16 * 200);
  EXPECT_EQ(cost.chargedBytes, 16 * 200);
  EXPECT_EQ(cost.chipElements, 4 * 16 * 32);
}
