//===- ByteSizeTest.cpp - sizes in bytes on the command line --------------===//

#include "NPU/Support/ByteSize.h"

#include <gtest/gtest.h>

using namespace npu;

TEST(ByteSize, IsParsed) {
  EXPECT_EQ(parseByteSize("0"), 0);
  EXPECT_EQ(parseByteSize("65536"), 65536);
  EXPECT_EQ(parseByteSize("64K"), 65536);
  EXPECT_EQ(parseByteSize("3M"), 3 << 20);
  EXPECT_EQ(parseByteSize("16G"), int64_t(16) << 30);
  for (llvm::StringRef text : {"", "K", "1k", "1KK", "-1", "+1", "1.5M", "0x10", "1 M",
                               "9223372036854775808", "9007199254740992K"})
    EXPECT_EQ(parseByteSize(text), std::nullopt) << text.str();
}
