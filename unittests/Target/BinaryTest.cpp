//===- BinaryTest.cpp - programs as bytes ---------------------------------===//

#include "PrintText.h"
#include "RandomProgram.h"

#include "NPU/Support/FileKind.h"
#include "NPU/Target/Assembly/Assembly.h"
#include "NPU/Target/Binary/Binary.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace npu::isa;

TEST(Binary, TextToBinaryToTextIsExact) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i) {
    Program program = makeRandomProgram(random, 300);
    Expected<std::vector<uint8_t>> bytes = encodeBinary(program);
    ASSERT_TRUE(bool(bytes)) << toString(bytes.takeError());
    EXPECT_EQ(npu::recognizeFile(toStringRef(*bytes)), npu::FileKind::Program);
    EXPECT_EQ(npu::recognizeFile(printText(program)), npu::FileKind::Assembly);
    Expected<Program> decoded = decodeBinary(*bytes, "random");
    ASSERT_TRUE(bool(decoded)) << toString(decoded.takeError());
    EXPECT_EQ(printText(*decoded), printText(program));
    Expected<std::vector<uint8_t>> again = encodeBinary(*decoded);
    ASSERT_TRUE(bool(again)) << toString(again.takeError());
    EXPECT_EQ(*again, *bytes);
  }
}

TEST(Binary, EveryTruncationIsRefused) {
  std::mt19937_64 random(2);
  std::vector<uint8_t> bytes = cantFail(encodeBinary(makeRandomProgram(random, 20)));
  for (size_t size = 0; size < bytes.size(); size += 1 + random() % 64)
    EXPECT_TRUE(errorToBool(decodeBinary(ArrayRef(bytes).take_front(size), "cut").takeError()));
}

TEST(Binary, MutatedBytesAreRefusedOrCanonical) {
  std::mt19937_64 random(3);
  std::vector<uint8_t> bytes = cantFail(encodeBinary(makeRandomProgram(random, 20)));
  for (int i = 0; i < 3000; ++i) {
    std::vector<uint8_t> mutant = bytes;
    mutant[random() % mutant.size()] = random();
    Expected<Program> decoded = decodeBinary(mutant, "mutant");
    if (!decoded) {
      consumeError(decoded.takeError());
      continue;
    }
    EXPECT_EQ(cantFail(encodeBinary(*decoded)), mutant);
  }
}

TEST(Binary, MessagesNameTheByte) {
  auto getMessage = [](ArrayRef<uint8_t> bytes) {
    return toString(decodeBinary(bytes, "p.npubin").takeError());
  };
  EXPECT_EQ(getMessage({}), "p.npubin: error: at byte 0: not an NPU program: expected it to start "
                            "with 'NPUPROG'");
  std::mt19937_64 random(4);
  std::vector<uint8_t> bytes = cantFail(encodeBinary(makeRandomProgram(random, 2)));
  bytes[8] = 9;
  EXPECT_EQ(getMessage(bytes), "p.npubin: error: at byte 8: version 9 is not supported, expected " +
                                   std::to_string(binaryVersion) +
                                   ": compile or assemble the program again");
  bytes[8] = binaryVersion;
  bytes.push_back(0);
  EXPECT_NE(getMessage(bytes).find("expected the end of the file"), std::string::npos);
}
