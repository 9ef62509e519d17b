//===- RunProfileTest.cpp - what a run did, over time -----------------------===//

#include "NPU/RunReport/RunProfile.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace npu;
using namespace npu::runtime;

static std::vector<std::array<int64_t, 3>> join(std::vector<BusyInterval> intervals, size_t limit) {
  joinIntervals(intervals, limit);
  std::vector<std::array<int64_t, 3>> result;
  for (const BusyInterval &interval : intervals)
    result.push_back({interval.start, interval.end, interval.busy});
  return result;
}

TEST(JoinIntervals, ShortestPausesFirst) {
  std::vector<BusyInterval> intervals = {{0, 10, 10}, {15, 20, 5}, {22, 30, 8}, {32, 33, 1}};
  using Expected = std::vector<std::array<int64_t, 3>>;
  EXPECT_EQ(join(intervals, 4), (Expected{{0, 10, 10}, {15, 20, 5}, {22, 30, 8}, {32, 33, 1}}));
  EXPECT_EQ(join(intervals, 3), (Expected{{0, 10, 10}, {15, 30, 13}, {32, 33, 1}}));
  EXPECT_EQ(join(intervals, 2), (Expected{{0, 10, 10}, {15, 33, 14}}));
  EXPECT_EQ(join(intervals, 1), (Expected{{0, 33, 24}}));
  EXPECT_EQ(join(intervals, 0), (Expected{{0, 33, 24}}));
  EXPECT_EQ(join({}, 0), Expected());
}

TEST(JoinIntervals, KeepsBusyCyclesAndTheLongestPauses) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<BusyInterval> intervals;
    int64_t time = 0, busy = 0;
    std::multiset<int64_t> pauses;
    for (int i = 0, count = 1 + random() % 40; i < count; ++i) {
      int64_t pause = 1 + random() % 9, length = 1 + random() % 9;
      if (i > 0)
        pauses.insert(pause);
      intervals.push_back({time + pause, time + pause + length, length});
      time += pause + length;
      busy += length;
    }
    size_t limit = 1 + random() % 20;
    auto joined = join(intervals, limit);
    ASSERT_EQ(joined.size(), std::min(limit, intervals.size()));
    EXPECT_EQ(joined.front()[0], intervals.front().start);
    EXPECT_EQ(joined.back()[1], intervals.back().end);
    std::multiset<int64_t> left;
    int64_t joinedBusy = 0;
    for (size_t i = 0; i < joined.size(); ++i) {
      joinedBusy += joined[i][2];
      if (i > 0)
        left.insert(joined[i][0] - joined[i - 1][1]);
    }
    EXPECT_EQ(joinedBusy, busy);
    // As long as any others of that many are.
    EXPECT_EQ(left, std::multiset<int64_t>(std::prev(pauses.end(), left.size()), pauses.end()));
  }
}

TEST(PeakBytes, AgreesWithCountingBytes) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<MemoryUse> uses;
    for (int i = 0, count = random() % 12; i < count; ++i) {
      MemoryUse &use = uses.emplace_back();
      use.cluster = random() % 2;
      use.space = isa::MemorySpace(random() % 2);
      use.begin = random() % 20;
      use.end = use.begin + 1 + random() % 10;
      use.start = random() % 20;
      use.stop = use.start + 1 + random() % 10;
    }
    for (isa::MemorySpace space : {isa::MemorySpace::Sram, isa::MemorySpace::Acc}) {
      int64_t most = 0;
      for (int64_t cluster : {0, 1})
        for (int64_t time = 0; time < 30; ++time) {
          int64_t bytes = 0;
          for (int64_t byte = 0; byte < 30; ++byte)
            bytes += llvm::any_of(uses, [&](const MemoryUse &use) {
              return use.cluster == cluster && use.space == space && use.begin <= byte &&
                     byte < use.end && use.start <= time && time < use.stop;
            });
          most = std::max(most, bytes);
        }
      EXPECT_EQ(getPeakBytes(uses, space), most);
    }
  }
}
