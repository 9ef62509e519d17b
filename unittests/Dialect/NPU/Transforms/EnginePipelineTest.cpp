//===- EnginePipelineTest.cpp - how long engines wait for each other ------===//
//
// Small pipelines whose cycles can be counted on paper.
//
//===----------------------------------------------------------------------===//

#include "EnginePipeline.h"

#include "gtest/gtest.h"

using namespace npu::tile;

namespace {

constexpr double whole = EnginePipeline::whole;

/// product -> vector op -> product, of 100, 60 and 100 cycles.
double getChainCycles(int64_t trips, bool isSkewed, int64_t depth = 2) {
  EnginePipeline pipeline;
  unsigned first = pipeline.add({StepEngine::Mxu, 100, 100, false, false, depth, {}});
  unsigned tail = pipeline.add({StepEngine::Vector, 60, 60, false, false, 2, {}});
  unsigned second = pipeline.add({StepEngine::Mxu, 100, 100, false, isSkewed, 2, {}});
  pipeline.addReader(first, tail, whole);
  pipeline.addReader(tail, second, whole);
  return pipeline.getCycles(1, trips, isSkewed);
}

TEST(EnginePipelineTest, AnArrayWaitsForTheVectorUnitInEachIteration) {
  EXPECT_EQ(getChainCycles(1, false), 260);
  EXPECT_EQ(getChainCycles(5, false), 5 * 260);
  EXPECT_EQ(getChainCycles(1000, false), 1000 * 260);
}

TEST(EnginePipelineTest, ASkewedStageDoesNotWait) {
  // The vector unit is hidden behind the next iteration's first product.
  EXPECT_EQ(getChainCycles(2, true), 4 * 100);
  EXPECT_EQ(getChainCycles(1000, true), 2000 * 100);
  EXPECT_EQ(getChainCycles(1, true), 260);
}

TEST(EnginePipelineTest, ASlotIsFreeWhenItsReaderIsDone) {
  // With one slot, the next product waits for the vector op on this one.
  EXPECT_EQ(getChainCycles(1000, true, 1), 1000 * 200 + 60);
  EnginePipeline pipeline;
  unsigned product = pipeline.add({StepEngine::Mxu, 100, 100, false, false, 1, {}});
  unsigned tail = pipeline.add({StepEngine::Vector, 80, 80, false, false, 1, {}});
  pipeline.addReader(product, tail, 30);
  // It holds the accumulator for its first 30 cycles.
  EXPECT_EQ(pipeline.getCycles(1, 100, false), 100 * 130 - 30 + 80);
}

TEST(EnginePipelineTest, WhatIsLoadedOnceTakesTheFirstIterationLonger) {
  EnginePipeline pipeline;
  unsigned product = pipeline.add({StepEngine::Mxu, 100, 100, false, false, 2, {}});
  unsigned load = pipeline.add({StepEngine::Load, 10, 10, false, false, 1000, {}, 70});
  unsigned other = pipeline.add({StepEngine::Mxu, 100, 100, false, false, 2, {}});
  pipeline.addReader(product, other, whole);
  pipeline.addReader(load, other, whole);
  // It is there before the first product is done.
  EXPECT_EQ(pipeline.getCycles(1, 20, false), 20 * 200);
  EnginePipeline waiting;
  load = waiting.add({StepEngine::Load, 10, 10, false, false, 1000, {}, 70});
  product = waiting.add({StepEngine::Mxu, 100, 100, false, false, 2, {}});
  waiting.addReader(load, product, whole);
  EXPECT_EQ(waiting.getCycles(1, 20, false), 80 + 20 * 100);
}

TEST(EnginePipelineTest, LoadsOfTheOuterLoopComeOnceForIt) {
  for (int64_t depth : {1, 2}) {
    EnginePipeline pipeline;
    unsigned outer = pipeline.add({StepEngine::Load, 50, 50, true, false, depth, {}});
    unsigned inner = pipeline.add({StepEngine::Load, 10, 10, false, false, 2, {}});
    unsigned product = pipeline.add({StepEngine::Mxu, 100, 100, false, false, 2, {}});
    unsigned store = pipeline.add({StepEngine::Store, 20, 20, false, false, 1, {}});
    pipeline.addReader(outer, product, whole);
    pipeline.addReader(inner, product, whole);
    pipeline.addReader(product, store, whole);
    // A second slot hides the load, but the first; a single one is free after the last product.
    double gap = depth == 1 ? 60 : 0;
    EXPECT_EQ(pipeline.getCycles(4, 3, false), 60 + 4 * 300 + 3 * gap + 20) << depth;
    EXPECT_EQ(pipeline.getCycles(40, 30, false), 60 + 40 * 3000 + 39 * gap + 20) << depth;
  }
}

} // namespace
