//===- AnySegmentTest.cpp - models whose dispatches are one program -------===//
//
// Random models of several layers on random chips of one cluster: with segments, each dispatch and
// each output is as far as allowed from the host's, and the same as without them.
//
//===----------------------------------------------------------------------===//

#include "RandomModel.h"

using namespace npu;
using namespace npu::integration;
using namespace npu::runtime;

namespace {

class AnySegment : public ::testing::TestWithParam<int> {};

TEST_P(AnySegment, IsItsDispatches) {
  Harness harness;
  Random random(GetParam() + 7000);
  std::string target = makeRandomTarget(random, ChipRange());
  size_t clusters = target.find("clusters=");
  target.replace(clusters, target.find(',', clusters) - clusters, "clusters=1");
  std::string text = makeRandomModel(random, random.in(3, 7), /*isDispatch=*/false);
  SCOPED_TRACE(describeCase(GetParam() + 7000, target, text));

  unsigned segments = 0, members = 0;
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
      ++segments;
      members += event.dispatches.size();
    };
    return runModel(*module, options);
  };
  llvm::Expected<RunReport> alone = run(false);
  ASSERT_TRUE(bool(alone)) << llvm::toString(alone.takeError()) << harness.takeDiagnostics();
  EXPECT_EQ(segments, 0u);
  llvm::Expected<RunReport> report = run(true);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError()) << harness.takeDiagnostics();
  EXPECT_EQ(findDifference(*report), "");
  ASSERT_EQ(report->outputs.size(), alone->outputs.size());
  for (auto [one, other] : llvm::zip(report->outputs, alone->outputs)) {
    EXPECT_EQ(one.check->numMismatches, 0) << one.name << ": " << one.check->getReason();
    EXPECT_EQ(findDifference(other.value, one.value), "") << one.name;
  }
  // Each dispatch has done the same, but stored nothing that stayed on chip; one on the host may
  // come before a segment around it.
  for (RunReport *ran : {&*alone, &*report})
    llvm::sort(ran->dispatches,
               [](const DispatchRecord &a, const DispatchRecord &b) { return a.index < b.index; });
  ASSERT_EQ(report->dispatches.size(), alone->dispatches.size());
  int64_t cycles = 0, cyclesAlone = 0;
  for (auto [one, other] : llvm::zip(report->dispatches, alone->dispatches)) {
    EXPECT_EQ(one.index, other.index);
    EXPECT_EQ(one.statistics.macs, other.statistics.macs);
    EXPECT_LE(one.statistics.dramBytesWritten, other.statistics.dramBytesWritten);
    cycles += one.statistics.cycles;
    cyclesAlone += other.statistics.cycles;
  }
  EXPECT_LE(cycles, cyclesAlone);
  RecordProperty("segments", int(segments));
  RecordProperty("members", int(members));
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnySegment, ::testing::Range(0, 100));

} // namespace
