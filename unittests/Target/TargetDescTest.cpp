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
  EXPECT_EQ(getMessage("npu-v9"),
            "unknown target 'npu-v9', expected one of npu-v1, npu-v1-x4, npu-tiny; did you mean "
            "'npu-v1'?");
  EXPECT_EQ(
      getMessage("npu-v1:sramBytes=big"),
      "expected bytes for target parameter 'sramBytes', such as 65536, 64K or 2M, found 'big'");
  EXPECT_EQ(getMessage("npu-v1:clusters=9"),
            "target parameter 'clusters' must lie in 1..8 clusters, found 9");
  EXPECT_EQ(getMessage("npu-v1:clusters=2,clusters=3"), "target parameter 'clusters' is set twice");
  EXPECT_EQ(
      getMessage("npu-tiny:macsPerCycleF16=65"),
      "target 'npu-tiny:macsPerCycleF16=65' has macsPerCycleF16 = 65 MAC/cycle, but its array "
      "has 64 cells (macRows x macCols); set each to at most 64");
  EXPECT_EQ(StringRef(getMessage("npu-v1:sram=1")).substr(0, 45),
            "unknown target parameter 'sram', expected one");
  EXPECT_EQ(getMessage("npu-v1,clusters=2"),
            "unknown target 'npu-v1,clusters=2', expected one of npu-v1, npu-v1-x4, npu-tiny; "
            "parameters follow a colon, as in npu-v1:clusters=2,sramBytes=512K");
  EXPECT_EQ(getMessage("chip"),
            "unknown target 'chip', expected one of npu-v1, npu-v1-x4, npu-tiny, or @chip.json on "
            "the command line");
  EXPECT_EQ(getMessage("npu-v1:vpuFloat=2"), "target parameter 'vpuFloat' must be 0 or 1, found 2");
  EXPECT_EQ(getMessage("npu-v1:sramBytes=-1K"),
            "expected bytes for target parameter 'sramBytes', such as 65536, 64K or 2M, found "
            "'-1K'");
  // A program must not make its reader open files.
  EXPECT_EQ(StringRef(getMessage("@chip.json")).substr(0, 27), "unknown target '@chip.json'");
}

TEST(TargetDesc, SizesHaveSuffixes) {
  Expected<TargetDesc> target = parseTarget("npu-v1:sramBytes=512K,accBytes=1M");
  ASSERT_TRUE(bool(target));
  EXPECT_EQ(target->sramBytes, 512 << 10);
  EXPECT_EQ(target->accBytes, 1 << 20);
}

TEST(TargetDesc, SpecificationsAreShort) {
  for (StringRef specification : {"npu-v1", "npu-tiny:clusters=2,sramBytes=1024"})
    EXPECT_EQ(getTargetSpecification(cantFail(parseTarget(specification))), specification);
  EXPECT_EQ(getTargetSpecification(cantFail(parseTarget("npu-v1:clusters=1"))), "npu-v1");
}

TEST(TargetDesc, PhysicalParametersHaveDecimals) {
  TargetDesc target = cantFail(parseTarget("npu-v1:clockMHz=800,pJPerMacI8=0.25"));
  EXPECT_EQ(target.clockMHz, 800'000);
  EXPECT_EQ(target.pJPerMacI8, 250);
  EXPECT_EQ(target.pJPerMacF32, 0);
  EXPECT_EQ(getTargetSpecification(target), "npu-v1:clockMHz=800,pJPerMacI8=0.25");
  EXPECT_EQ(getTargetSpecification(withoutOptionalParameters(target)), "npu-v1");
  EXPECT_TRUE(areCompatibleTargets("npu-v1:clockMHz=800", "npu-v1:clusters=1,pJPerMacI8=1"));
  EXPECT_FALSE(areCompatibleTargets("npu-v1:clockMHz=800", "npu-v1-x4:clockMHz=800"));
  EXPECT_TRUE(areCompatibleTargets("npu-v9", "npu-v9"));
  EXPECT_FALSE(areCompatibleTargets("npu-v9", "npu-v1"));
  for (StringRef text : {"0.0625", "1.", ".5", "-", "1e3", "1.-5", "", "99999999999999999999"})
    EXPECT_EQ(getMessage(("npu-v1:pJPerMacI8=" + text).str()),
              ("expected a number with at most 3 decimals for target parameter 'pJPerMacI8', "
               "found '" +
               text + "'")
                  .str());
  EXPECT_EQ(getMessage("npu-v1:clockMHz=100000.001"),
            "target parameter 'clockMHz' must lie in 0..100000 MHz, found 100000.001");
  EXPECT_EQ(getMessage("npu-v1:clockMHz=-0.5"),
            "target parameter 'clockMHz' must lie in 0..100000 MHz, found -0.5");
}

TEST(TargetDesc, NamesAreShort) {
  EXPECT_EQ(getTargetName("npu-v1:clusters=2,sramBytes=512K"), "npu-v1:clusters=2,sramBytes=512K");
  EXPECT_EQ(getTargetName("npu-v1:clusters=2,sramBytes=512K,accBytes=64K,issueCycles=8,vpuLanes=8"),
            "npu-v1:clusters=2,sramBytes=512K,...");
  EXPECT_EQ(getTargetName("mine:clusters=2"), "mine");
}

TEST(TargetDesc, NewNamesNeedEveryParameter) {
  TargetDesc target = cantFail(parseTarget("npu-tiny"));
  target.name = "mine";
  std::string specification = getTargetSpecification(target);
  Expected<TargetDesc> parsed = parseTarget(specification);
  ASSERT_TRUE(bool(parsed));
  EXPECT_EQ(parsed->name, "mine");
  EXPECT_EQ(getTargetSpecification(*parsed), specification);
  for (const TargetParameter &parameter : getTargetParameters())
    EXPECT_EQ((*parsed).*parameter.member, target.*parameter.member);
  // What is unknown is not said, and stays unknown.
  EXPECT_EQ(target.clockMHz, 0);
  target.clockMHz = 500;
  EXPECT_EQ(getTargetSpecification(target), specification + ",clockMHz=0.5");
  EXPECT_EQ(getMessage(StringRef(specification).rsplit(',').first),
            "unknown target 'mine': one that is not known must set every parameter, but "
            "'vpuFloat' is not set");
}
