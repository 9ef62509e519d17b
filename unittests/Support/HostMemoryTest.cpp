//===- HostMemoryTest.cpp - how much memory this process may take ---------===//

#include "NPU/Support/HostMemory.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace npu;

namespace {

class GroupMemoryLimit : public ::testing::Test {
protected:
  GroupMemoryLimit() { EXPECT_FALSE(sys::fs::createUniqueDirectory("groups", directory)); }
  ~GroupMemoryLimit() override { sys::fs::remove_directories(directory); }

  void write(StringRef name, StringRef text) {
    SmallString<128> path(directory);
    sys::path::append(path, name);
    ASSERT_FALSE(sys::fs::create_directories(sys::path::parent_path(path)));
    std::error_code error;
    raw_fd_ostream(path, error) << text;
    ASSERT_FALSE(error);
  }

  SmallString<128> directory;
};

TEST_F(GroupMemoryLimit, OfVersion2IsTheSmallestOfAllGroups) {
  write("memory.max", "max\n");
  write("a/memory.max", "1000\n");
  write("a/b/memory.max", "4000\n");
  EXPECT_EQ(getGroupMemoryLimit("0::/a/b\n", directory), 1000);
  EXPECT_EQ(getGroupMemoryLimit("0::/\n", directory), INT64_MAX);
  EXPECT_EQ(getGroupMemoryLimit("0::/none\n", directory), INT64_MAX);
  write("memory.max", "500\n");
  EXPECT_EQ(getGroupMemoryLimit("0::/a/b\n", directory), 500);
  EXPECT_EQ(getGroupMemoryLimit("0::/\n", directory), 500);
}

TEST_F(GroupMemoryLimit, OfVersion1IsThatOfItsController) {
  write("memory/a/memory.limit_in_bytes", "3000\n");
  write("cpu/a/memory.limit_in_bytes", "1\n");
  EXPECT_EQ(getGroupMemoryLimit("3:cpu,cpuacct:/a\n2:memory:/a\n", directory), 3000);
  EXPECT_EQ(getGroupMemoryLimit("3:cpu,cpuacct:/a\n", directory), INT64_MAX);
  EXPECT_EQ(getGroupMemoryLimit("nonsense", directory), INT64_MAX);
}

TEST(LazyMemory, IsZeroAndCostsWhatIsTouched) {
  // Far more than most machines have; nothing is touched but the ends.
  constexpr uint64_t bytes = uint64_t(1) << 40;
  Expected<LazyMemory> memory = LazyMemory::create(bytes);
  ASSERT_TRUE(bool(memory)) << toString(memory.takeError());
  EXPECT_EQ(memory->size(), bytes);
  EXPECT_EQ(memory->data()[0], 0);
  EXPECT_EQ(memory->data()[bytes - 1], 0);
  memory->data()[bytes - 1] = 1;
  LazyMemory moved = std::move(*memory);
  EXPECT_EQ(moved.data()[bytes - 1], 1);
}

TEST(LazyMemory, SaysWhenThereIsNoRoom) {
  EXPECT_EQ(toString(LazyMemory::create(uint64_t(1) << 62).takeError()),
            "cannot reserve 4611686018427387904 bytes of memory: Cannot allocate memory");
  EXPECT_TRUE(bool(LazyMemory::create(0)));
}

} // namespace
