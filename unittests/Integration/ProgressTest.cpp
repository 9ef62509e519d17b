//===- ProgressTest.cpp - how far a long run has come ---------------------===//

#include "NPU/Execution/Progress.h"

#include "gtest/gtest.h"

using namespace npu::runtime;
using std::chrono::milliseconds;

namespace {
class ProgressTest : public testing::Test {
protected:
  /// What has been written since the last call.
  std::string take() {
    std::string result = std::move(text);
    text.clear();
    return result;
  }

  milliseconds now{5000};
  std::string text;
  llvm::raw_string_ostream os{text};
  Progress progress{os, [this] { return now; }};
};
} // namespace

TEST_F(ProgressTest, ShortWorkShowsNothing) {
  progress.begin("running", 1000);
  now += milliseconds(900);
  progress.advance(900);
  EXPECT_EQ(take(), "");
  progress.clear();
  EXPECT_EQ(take(), "");
}

TEST_F(ProgressTest, EstimatesTheRest) {
  progress.begin("running", 1000);
  now += milliseconds(2000);
  progress.advance(200);
  EXPECT_EQ(take(), "\rrunning: 20 %, about 8 s left\033[K");
  // Too soon for another line.
  now += milliseconds(100);
  progress.advance(220);
  EXPECT_EQ(take(), "");
  // Parts add up.
  progress.finishPart(400);
  now += milliseconds(1900);
  progress.advance(100);
  EXPECT_EQ(take(), "\rrunning: 50 %, about 4 s left\033[K");
  progress.clear();
  EXPECT_EQ(take(), "\r\033[K");
  progress.clear();
  EXPECT_EQ(take(), "");
}

TEST_F(ProgressTest, LongTimesAreRounded) {
  progress.begin("running", 1000);
  now += milliseconds(10'000);
  progress.advance(10);
  EXPECT_EQ(take(), "\rrunning: 1 %, about 17 min left\033[K");
  now += milliseconds(1000);
  progress.advance(1);
  EXPECT_EQ(take(), "\rrunning: 0 %, about 4 h left\033[K");
}

TEST_F(ProgressTest, WorkBeyondItsTotalHasNoEstimate) {
  progress.begin("running", 1000);
  now += milliseconds(3000);
  progress.advance(1001);
  EXPECT_EQ(take(), "\rrunning, 3 s so far\033[K");
  now += milliseconds(3000);
  progress.begin("running", 0);
  now += milliseconds(1000);
  progress.advance(1);
  EXPECT_EQ(take(), "\rrunning, 1 s so far\033[K");
}

TEST_F(ProgressTest, PhasesAreShownAtOnce) {
  progress.beginPhase("compiling");
  EXPECT_EQ(take(), "\rcompiling\033[K");
  progress.clear();
  EXPECT_EQ(take(), "\r\033[K");
}
