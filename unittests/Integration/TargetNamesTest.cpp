//===- TargetNamesTest.cpp - no code knows a chip by its name -------------===//
//
// What a chip is stands in its record. A name in the code would be a decision that random chips
// never reach, so names may only be defaults of options and examples in messages.
//
//===----------------------------------------------------------------------===//

#include "NPU/Target/Desc/TargetDesc.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// The line without a comment at its end and in lower case; identifiers lose their separators.
std::string normalize(StringRef line) {
  std::string text = line.split("//").first.lower();
  llvm::erase_if(text, [](char c) { return c == '-' || c == '_'; });
  return text;
}

/// Why the line may not name a target as it does; empty if it may.
StringRef findOffence(StringRef line, StringRef name) {
  std::string plain = name.lower();
  llvm::erase_if(plain, [](char c) { return c == '-' || c == '_'; });
  std::string text = normalize(line);
  if (!StringRef(text).contains(plain))
    return "";
  for (StringRef comparison : {"==", "!=", ".case", "case ", "startswith(", "endswith(",
                               "contains(", "equals", "compare", "find(", "consume"})
    if (StringRef(text).contains(comparison))
      return "compares a target's name";
  if (!StringRef(text).contains('"'))
    return "has a target's name in an identifier";
  bool isLiteral = StringRef(text).contains("\"" + plain + "\"");
  if (isLiteral && !StringRef(text).contains("cl::init(") && !StringRef(text).contains("<\\\""))
    return "has a target's name that is not the default of an option";
  return "";
}

TEST(TargetNames, OffencesAreFound) {
  EXPECT_NE(findOffence("if (target.name == \"npu-v1\")", "npu-v1"), "");
  EXPECT_NE(findOffence("  .Case(\"npu-v1\", 3)", "npu-v1"), "");
  EXPECT_NE(findOffence("name.starts_with(\"npu-v1\")", "npu-v1"), "");
  EXPECT_NE(findOffence("bool isNpuV1 = false;", "npu-v1"), "");
  EXPECT_NE(findOffence("auto other = \"npu-v1\";", "npu-v1"), "");
  EXPECT_EQ(findOffence("  cl::init(\"npu-v1\")};", "npu-v1"), "");
  EXPECT_EQ(findOffence("int x; // as npu-v1 has", "npu-v1"), "");
}

TEST(TargetNames, AreNotInCode) {
  unsigned files = 0;
  for (StringRef folder : {"lib", "include/NPU"}) {
    std::error_code error;
    for (sys::fs::recursive_directory_iterator it(Twine(NPU_SOURCE_DIR "/") + folder, error), end;
         it != end && !error; it.increment(error)) {
      StringRef path = it->path();
      if (!path.ends_with(".cpp") && !path.ends_with(".h"))
        continue;
      auto buffer = MemoryBuffer::getFile(path);
      ASSERT_TRUE(bool(buffer)) << path.str();
      ++files;
      for (line_iterator line(**buffer); !line.is_at_end(); ++line)
        for (const npu::TargetDesc &target : npu::getKnownTargets())
          EXPECT_EQ(findOffence(*line, target.name), "")
              << path.str() << ":" << line.line_number() << ": " << line->str();
    }
    EXPECT_FALSE(error) << error.message();
  }
  EXPECT_GT(files, 100u);
}

} // namespace
