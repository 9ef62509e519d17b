//===- AnySegmentTest.cpp - models whose dispatches are one program -------===//
//
// Random models of several layers on random chips: with segments, each dispatch and
// each output is as far as allowed from the host's, and the same as without them.
//
//===----------------------------------------------------------------------===//

#include "RandomModel.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;

namespace {

/// Checks one model; counts its segments and the dispatches in them.
void checkModel(int seed, unsigned &segments, unsigned &members) {
  Harness harness;
  Random random(seed);
  std::string target = makeRandomTarget(random, ChipRange());
  std::string text = makeRandomModel(random, random.in(3, 7), /*isDispatch=*/false);
  SCOPED_TRACE(describeCase(seed, target, text));

  auto run = [&](bool formSegments) -> llvm::Expected<RunReport> {
    auto module = harness.parse(text);
    if (!module)
      return llvm::createStringError("the module does not parse");
    RunOptions options;
    options.target = target;
    options.check = formSegments;
    options.hostOptLevel = 0;
    options.formSegments = formSegments;
    options.onSegment = [&](const SegmentEvent &event) {
      EXPECT_TRUE(formSegments);
      ++segments;
      members += event.dispatches.size();
    };
    return runModel(*module, options);
  };
  llvm::Expected<RunReport> alone = run(false);
  ASSERT_TRUE(bool(alone)) << llvm::toString(alone.takeError()) << harness.takeDiagnostics();
  llvm::Expected<RunReport> report = run(true);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError()) << harness.takeDiagnostics();
  EXPECT_EQ(findDifference(*report), "");
  ASSERT_EQ(report->outputs.size(), alone->outputs.size());
  for (auto [one, other] : llvm::zip(report->outputs, alone->outputs)) {
    EXPECT_EQ(one.check->numMismatches, 0) << one.name << ": " << one.check->getReason();
    EXPECT_EQ(findDifference(other.value, one.value), "") << one.name;
  }
  // Each kernel has done what its dispatches do, but stored nothing that stayed on chip; one on the
  // host may come before a segment around it.
  for (RunReport *ran : {&*alone, &*report})
    llvm::sort(ran->dispatches,
               [](const DispatchRecord &a, const DispatchRecord &b) { return a.index < b.index; });
  ASSERT_EQ(report->dispatches.size(), alone->dispatches.size());
  int64_t cycles = 0, cyclesAlone = 0, moved = 0;
  std::map<unsigned, sim::Result> separate; // of the kernels, what their dispatches do
  for (auto [one, other] : llvm::zip(report->dispatches, alone->dispatches)) {
    EXPECT_EQ(one.index, other.index);
    sim::Result &kernel = separate[one.placement == Placement::NPU ? one.plan.kernel : one.index];
    kernel.macs += other.statistics.macs;
    kernel.dramBytesWritten += other.statistics.dramBytesWritten;
    cycles += one.statistics.cycles;
    cyclesAlone += other.statistics.cycles;
    moved += one.statistics.dramBytesRead + one.statistics.dramBytesWritten;
    EXPECT_GE(one.statistics.cycles, one.limit.getCycles()) << one.index;
    EXPECT_GE(other.statistics.cycles, other.limit.getCycles()) << one.index;
  }
  for (const DispatchRecord &one : report->dispatches) {
    EXPECT_EQ(one.statistics.macs, separate[one.index].macs);
    EXPECT_LE(one.statistics.dramBytesWritten, separate[one.index].dramBytesWritten);
  }
  EXPECT_LE(cycles, cyclesAlone);
  EXPECT_GE(cycles, report->limit.getCycles());
  EXPECT_GE(moved, report->limit.dramBytes);
  EXPECT_EQ(report->limit.getCycles(), alone->limit.getCycles());
}

class AnySegment : public ::testing::TestWithParam<int> {};

TEST_P(AnySegment, IsItsDispatches) {
  unsigned segments = 0, members = 0;
  for (int seed = 0; seed < 25; ++seed)
    checkModel(7000 + GetParam() * 25 + seed, segments, members);
  // Models without any would tell nothing.
  EXPECT_GE(segments, 10u);
  EXPECT_GE(members, 2 * segments);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnySegment, ::testing::Range(0, 4));

} // namespace
