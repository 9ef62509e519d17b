//===- TargetDescTest.cpp - target specifications -------------------------===//

#include "NPU/Target/Desc/TargetDesc.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace npu;

static std::string getMessage(StringRef specification) {
  Expected<TargetDesc> target = parseTarget(specification);
  return target ? "" : toString(target.takeError());
}

TEST(TargetDesc, KnownTargetsAreValid) {
  for (const TargetDesc &target : getKnownTargets())
    EXPECT_FALSE(errorToBool(checkTarget(target))) << target.name;
}

TEST(TargetDesc, OverridesAreApplied) {
  Expected<TargetDesc> target = parseTarget("npu-v1:sramBytes=524288,clusters=2");
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->sramBytes, 524288);
  EXPECT_EQ(target->clusters, 2);
  EXPECT_EQ(target->accBytes, 262144);
  EXPECT_EQ(target->name, "npu-v1:sramBytes=524288,clusters=2");
}

TEST(TargetDesc, BadSpecificationsAreRefused) {
  EXPECT_EQ(
      getMessage("npu-v9"),
      "unknown target 'npu-v9', expected one of npu-v1, npu-v1-x4, npu-tiny, or @chip.json on the "
      "command line");
  EXPECT_EQ(
      getMessage("npu-v1:sramBytes=big"),
      "expected bytes for target parameter 'sramBytes', such as 65536, 64K or 2M, found 'big'");
  EXPECT_EQ(getMessage("npu-v1:clusters=9"),
            "target parameter 'clusters' must lie in 1..8 clusters, found 9");
  EXPECT_EQ(getMessage("npu-v1:clusters=2,clusters=3"), "target parameter 'clusters' is set twice");
  EXPECT_EQ(getMessage("npu-tiny:macsPerCycleF16=65"),
            "target 'npu-tiny:macsPerCycleF16=65' claims 65 MAC/cycle, but its array has 64 cells");
  EXPECT_EQ(StringRef(getMessage("npu-v1:sram=1")).substr(0, 45),
            "unknown target parameter 'sram', expected one");
}
