//===- JSONTest.cpp - JSON that others wrote ------------------------------===//

#include "NPU/Support/JSON.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace npu;

namespace {

std::string parse(const std::string &text) {
  Expected<json::Value> value = parseJSON(text);
  return value ? "parsed" : toString(value.takeError());
}

TEST(JSON, IsNestedAHundredLevelsAtMost) {
  const std::string tooDeep = "expected JSON with at most 100 levels of brackets, found more";
  for (unsigned depth : {1u, 100u, 101u, 1000000u}) {
    std::string expected = depth <= 100 ? "parsed" : tooDeep;
    EXPECT_EQ(parse(std::string(depth, '[') + std::string(depth, ']')), expected);
    std::string objects;
    for (unsigned i = 0; i < depth; ++i)
      objects += "{\"a\":";
    EXPECT_EQ(parse(objects + "1" + std::string(depth, '}')), expected);
  }
  EXPECT_EQ(parse("\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\""),
            "parsed");
  EXPECT_EQ(parse("[" + std::string(1000, ' ') + "[]]"), "parsed");
  EXPECT_EQ(StringRef(parse("[")).take_front(15), "expected JSON: ");
}

} // namespace
