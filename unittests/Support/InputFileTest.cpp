//===- InputFileTest.cpp - reading files of any kind and size -------------===//

#include "NPU/Support/InputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace npu;

namespace {

class InputFile : public ::testing::Test {
protected:
  InputFile() { EXPECT_FALSE(sys::fs::createUniqueDirectory("inputs", directory)); }
  ~InputFile() override { sys::fs::remove_directories(directory); }

  std::string path(StringRef name) const {
    SmallString<128> result(directory);
    sys::path::append(result, name);
    return result.str().str();
  }
  static void write(const std::string &path, StringRef text) {
    std::error_code error;
    raw_fd_ostream(path, error) << text;
    EXPECT_FALSE(error);
  }
  /// Contents, or the error behind "error: ".
  static std::string read(const std::string &path, const InputOptions &options = {}) {
    Expected<std::unique_ptr<MemoryBuffer>> buffer = readInput(path, options);
    if (!buffer)
      return "error: " + toString(buffer.takeError());
    if (options.needsTerminator) {
      EXPECT_EQ(*(*buffer)->getBufferEnd(), '\0');
    }
    return (*buffer)->getBuffer().str();
  }

  SmallString<128> directory;
};

TEST_F(InputFile, IsRead) {
  std::string page(4096, 'x');
  for (const std::string &text : {std::string(), std::string("abc"), page, page + page}) {
    write(path("f"), text);
    for (bool isVolatile : {false, true})
      for (bool isNamedByData : {false, true}) {
        InputOptions options;
        options.isVolatile = isVolatile;
        options.isNamedByData = isNamedByData;
        EXPECT_EQ(read(path("f"), options), text);
      }
  }
  EXPECT_EQ(read(path("none")), "error: No such file or directory");
  // Not the file that is named before the zero.
  write(path("f"), "secret");
  EXPECT_EQ(read(path("f") + std::string("\0.txt", 5)),
            "error: expected a file name without a zero byte, found one");
  EXPECT_EQ(read(directory.str().str()), "error: Is a directory");
  EXPECT_EQ(read("/dev/null"), "");
}

TEST_F(InputFile, HasAtMostSoManyBytes) {
  write(path("f"), "1234");
  InputOptions options;
  options.maxBytes = 4;
  EXPECT_EQ(read(path("f"), options), "1234");
  options.maxBytes = 3;
  EXPECT_EQ(read(path("f"), options), "error: expected at most 3 bytes, found more");
  // A file of eight terabytes of holes.
  options.maxBytes = 0;
  ASSERT_EQ(::truncate(path("f").c_str(), off_t(1) << 43), 0);
  EXPECT_EQ(StringRef(read(path("f"), options)).take_front(24), "error: expected at most ");
}

TEST_F(InputFile, IsAPipeOnlyForWhoNamesIt) {
  ASSERT_EQ(::mkfifo(path("p").c_str(), 0600), 0);
  std::thread writer([&] { write(path("p"), std::string(300000, 'x')); });
  EXPECT_EQ(read(path("p")), std::string(300000, 'x'));
  writer.join();
  InputOptions options;
  options.maxBytes = 1000;
  std::thread longWriter([&] { write(path("p"), std::string(1001, 'x')); });
  EXPECT_EQ(read(path("p"), options), "error: expected at most 1000 bytes, found more");
  longWriter.join();

  // With nothing at its other end.
  options = InputOptions();
  options.isNamedByData = true;
  EXPECT_EQ(read(path("p"), options), "error: expected a regular file, found a pipe");
  // A link is looked through.
  ASSERT_EQ(::symlink("/dev/zero", path("zero").c_str()), 0);
  EXPECT_EQ(read(path("zero"), options), "error: expected a regular file, found a device");
  EXPECT_EQ(read(path("zero")), "error: expected a regular file or a pipe, found a device");
}

} // namespace
