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

TEST(JSON, HasNoZerosInStrings) {
  auto getError = [](const std::string &place) {
    return "expected strings without the character \\u0000, found one in " + place;
  };
  EXPECT_EQ(parse(R"({"a": [1, {"b": "x\u0000y"}]})"), getError("a[1].b"));
  EXPECT_EQ(parse(R"(["\u0000"])"), getError("$[0]"));
  EXPECT_EQ(parse(R"({"a": {"b\u0000": 1}})"), getError("the name of a member of a"));
  EXPECT_EQ(parse(R"(["\\u0000", "\u0001", "u0000"])"), "parsed");
}

TEST(JSON, IsReadableWhereReadersTakeIt) {
  EXPECT_EQ(toString(checkReadableJSON("[]")), "");
  EXPECT_EQ(toString(checkReadableJSON(std::string(101, '[') + std::string(101, ']'))),
            "expected JSON with at most 100 levels of brackets, found more");
  EXPECT_EQ(toString(checkReadableJSON("[" + std::string(1 << 26, ' ') + "]")),
            "expected JSON of at most 67108864 bytes, which its readers take, found 67108866");
}

} // namespace
