//===- EscapeTextTest.cpp - text of files in printable characters ---------===//

#include "NPU/Support/EscapeText.h"
#include "NPU/Support/JSON.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace npu;

TEST(EscapeText, KeepsWhatIsPrintable) {
  for (StringRef text :
       {"", "Conv_3", "a b", "C:\\new", "äöü", "名前", "\xf0\x9f\x99\x82", "<b>&\"'"})
    EXPECT_EQ(escapeText(text), text);
}

TEST(EscapeText, SpellsTheRest) {
  EXPECT_EQ(escapeText("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(escapeText("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(escapeText(StringRef("\0\x7f", 2)), "\\x00\\x7f");
  // NEL and the line separator end lines, too.
  EXPECT_EQ(escapeText("\xc2\x85"), "\\u0085");
  EXPECT_EQ(escapeText("\xe2\x80\xa8"), "\\u2028");
  // From right to left, an isolate, a tag.
  EXPECT_EQ(escapeText("\xe2\x80\xae"), "\\u202e");
  EXPECT_EQ(escapeText("\xe2\x81\xa6"), "\\u2066");
  EXPECT_EQ(escapeText("\xf3\xa0\x81\x81"), "\\U000e0041");
}

TEST(EscapeText, SpellsBytesThatAreNoUTF8) {
  EXPECT_EQ(escapeText("a\xff\x80z"), "a\\xff\\x80z");
  // Cut off, longer than need be, half of a pair of UTF-16.
  EXPECT_EQ(escapeText("\xe2\x80"), "\\xe2\\x80");
  EXPECT_EQ(escapeText("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(escapeText("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(EscapeText, KeepsLinesWhereAsked) {
  EXPECT_EQ(escapeLines("one\n\x1b[1mtwo\r\n"), "one\n\\x1b[1mtwo\\r\n");
  std::string text;
  raw_string_ostream os(text);
  EscapingStream stream(os);
  stream << "one\n" << '\x1b' << "two\xe2\x80\xae\n";
  EXPECT_EQ(text, "one\n\\x1btwo\\u202e\n");
  EXPECT_EQ(stream.tell(), 12u);
}

TEST(EscapeText, MakesCSVFields) {
  EXPECT_EQ(makeCSVField("a,b"), "\"a,b\"");
  EXPECT_EQ(makeCSVField("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(makeCSVField("two\nlines"), "\"two\\nlines\"");
  for (StringRef formula : {"=1+1", "+1", "-1", "@SUM(A1)"})
    EXPECT_EQ(makeCSVField(formula), ("\"'" + formula + "\"").str());
  EXPECT_EQ(makeCSVField("a=1"), "\"a=1\"");
}

TEST(EscapeText, MeansTheSameInJSON) {
  EXPECT_EQ(escapeJSON("{\n  \"a\": \"x\"\n}"), "{\n  \"a\": \"x\"\n}");
  EXPECT_EQ(escapeJSON("\"\xe2\x80\xae\x7f\""), "\"\\u202e\\u007f\"");
  // A pair of UTF-16.
  EXPECT_EQ(escapeJSON("\"\xf3\xa0\x81\x81\""), "\"\\udb40\\udc41\"");
  std::mt19937 random(1);
  for (unsigned round = 0; round < 1000; ++round) {
    std::string bytes;
    for (unsigned length = random() % 20; length > 0; --length)
      bytes += char(1 + random() % 255); // readers refuse zeros
    json::Value value = json::fixUTF8(bytes);
    std::string text;
    raw_string_ostream(text) << value;
    std::string escaped = escapeJSON(text);
    Expected<json::Value> parsed = parseJSON(escaped);
    ASSERT_TRUE(bool(parsed)) << toString(parsed.takeError());
    EXPECT_EQ(*parsed, value);
    EXPECT_EQ(escapeText(escaped), escaped);
  }
}

TEST(EscapeText, IsTheSameTwice) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 1000; ++round) {
    std::string bytes;
    for (unsigned length = random() % 20; length > 0; --length)
      bytes += char(random());
    std::string once = escapeText(bytes);
    EXPECT_EQ(escapeText(once), once);
    EXPECT_FALSE(StringRef(once).contains('\n'));
  }
}
