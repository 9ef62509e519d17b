//===- OutputFilesTest.cpp - files that appear together or not at all -----===//

#include "NPU/Support/OutputFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace npu;

namespace {

class OutputFilesTest : public ::testing::Test {
protected:
  OutputFilesTest() { EXPECT_FALSE(sys::fs::createUniqueDirectory("outputs", directory)); }
  ~OutputFilesTest() override { sys::fs::remove_directories(directory); }

  std::string path(StringRef name) const {
    SmallString<128> result(directory);
    sys::path::append(result, name);
    return result.str().str();
  }

  /// Contents of a file; "none" if there is none.
  std::string read(StringRef name) const {
    auto buffer = MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "none";
  }

  unsigned countEntries() const {
    unsigned count = 0;
    std::error_code error;
    for (sys::fs::directory_iterator entry(directory, error), end; entry != end && !error;
         entry.increment(error))
      ++count;
    return count;
  }

  SmallString<128> directory;
};

TEST_F(OutputFilesTest, AppearOnCommit) {
  OutputFiles files;
  ASSERT_FALSE(errorToBool(files.createDirectory(path("a/b"))));
  ASSERT_FALSE(errorToBool(files.write(path("a/b/100%.txt"), "one")));
  Expected<raw_ostream *> stream = files.open(path("stream"));
  ASSERT_TRUE(bool(stream));
  **stream << "two";
  EXPECT_EQ(read("a/b/100%.txt"), "none");
  EXPECT_EQ(read("stream"), "none");
  ASSERT_FALSE(errorToBool(files.commit()));
  EXPECT_EQ(read("a/b/100%.txt"), "one");
  EXPECT_EQ(read("stream"), "two");
  EXPECT_EQ(countEntries(), 2u);
}

TEST_F(OutputFilesTest, VanishWithoutCommit) {
  {
    OutputFiles first;
    ASSERT_FALSE(errorToBool(first.write(path("kept"), "before")));
    ASSERT_FALSE(errorToBool(first.commit()));
  }
  {
    OutputFiles files;
    ASSERT_FALSE(errorToBool(files.createDirectory(path("a/b"))));
    ASSERT_FALSE(errorToBool(files.write(path("a/b/x"), "one")));
    ASSERT_FALSE(errorToBool(files.write(path("kept"), "after")));
    EXPECT_FALSE(errorToBool(files.open(path("stream")).takeError()));
  }
  EXPECT_EQ(read("kept"), "before");
  EXPECT_EQ(countEntries(), 1u);
}

TEST_F(OutputFilesTest, AppendToWhatIsThere) {
  {
    OutputFiles files;
    ASSERT_FALSE(errorToBool(files.append(path("x"), "1")));
    ASSERT_FALSE(errorToBool(files.append(path("x"), "2")));
    ASSERT_FALSE(errorToBool(files.commit()));
  }
  OutputFiles files;
  ASSERT_FALSE(errorToBool(files.append(path("x"), "3")));
  ASSERT_FALSE(errorToBool(files.write(path("y"), "4")));
  ASSERT_FALSE(errorToBool(files.append(path("y"), "5")));
  ASSERT_FALSE(errorToBool(files.commit()));
  EXPECT_EQ(read("x"), "123");
  EXPECT_EQ(read("y"), "45");
  EXPECT_EQ(countEntries(), 2u);
}

TEST_F(OutputFilesTest, SayWhyTheyCannotBeWritten) {
  OutputFiles files;
  EXPECT_EQ(toString(files.write(path("none/x"), "")),
            "cannot write '" + path("none/x") + "': No such file or directory");
  EXPECT_EQ(toString(files.write(path("x") + std::string("\0.txt", 5), "")),
            "cannot write '" + path("x") +
                "': expected a file name without a zero byte, found one behind that");
  EXPECT_EQ(toString(files.write(directory, "")),
            "cannot write '" + directory.str().str() + "': Is a directory");
  EXPECT_EQ(toString(files.write("/dev/full", "x")),
            "cannot write '/dev/full': No space left on device");
  EXPECT_FALSE(errorToBool(files.write("/dev/null", "x")));
  ASSERT_FALSE(errorToBool(files.write(path("x"), "")));

  // A full disk is noticed before any file appears.
  Expected<raw_ostream *> full = files.open("/dev/full");
  ASSERT_TRUE(bool(full));
  **full << "x";
  EXPECT_EQ(toString(files.commit()), "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(read("x"), "none");
}

TEST_F(OutputFilesTest, DoNotReplaceEachOther) {
  auto message = [&](StringRef name) {
    return "cannot write '" + path(name) + "': it is another output as well; name a file for each";
  };
  {
    OutputFiles files, others;
    ASSERT_FALSE(errorToBool(files.write(path("a"), "first")));
    EXPECT_EQ(toString(files.write(path("a"), "second")), message("a"));
    EXPECT_EQ(toString(files.write(path("./a"), "second")), message("./a"));
    EXPECT_EQ(toString(others.open(path("a")).takeError()), message("a"));
    // What is added goes into the same file.
    ASSERT_FALSE(errorToBool(files.append(path("a"), ", more")));
    EXPECT_EQ(toString(others.write(path("a"), "second")), message("a"));
    ASSERT_FALSE(errorToBool(others.write(path("b"), "second")));
    ASSERT_FALSE(errorToBool(files.commit()));
    ASSERT_FALSE(errorToBool(others.commit()));
  }
  EXPECT_EQ(read("a"), "first, more");
  EXPECT_EQ(read("b"), "second");
  // Later on it is a file like any other.
  OutputFiles files;
  ASSERT_FALSE(errorToBool(files.write(path("a"), "third")));
  ASSERT_FALSE(errorToBool(files.commit()));
  EXPECT_EQ(read("a"), "third");
}

TEST_F(OutputFilesTest, DoNotReplaceInputs) {
  {
    OutputFiles files;
    for (StringRef name : {"kept", "named"})
      ASSERT_FALSE(errorToBool(files.write(path(name), "before")));
    ASSERT_FALSE(errorToBool(files.commit()));
  }
  protectInput(path("kept"));
  protectInput(path("named"), /*isReplaceable=*/true);
  protectInput(path("none"));
  ASSERT_FALSE(sys::fs::create_link(path("kept"), path("link")));
  {
    OutputFiles files;
    auto message = [&](StringRef name) {
      return "cannot write '" + path(name) + "': it is one of the inputs; name another output";
    };
    for (auto inputs : {OutputFiles::Inputs::Keep, OutputFiles::Inputs::Replace})
      for (StringRef name : {"kept", "link"})
        EXPECT_EQ(toString(files.write(path(name), "after", inputs)), message(name));
    EXPECT_EQ(toString(files.write(path("named"), "after")), message("named"));
    ASSERT_FALSE(errorToBool(files.write(path("named"), "after", OutputFiles::Inputs::Replace)));
    ASSERT_FALSE(errorToBool(files.commit()));
  }
  EXPECT_EQ(read("kept"), "before");
  EXPECT_EQ(read("named"), "after");

  // What becomes an input while an output is written is not replaced either.
  OutputFiles files;
  {
    OutputFiles others;
    ASSERT_FALSE(errorToBool(others.write(path("late"), "before")));
    ASSERT_FALSE(errorToBool(others.commit()));
  }
  ASSERT_FALSE(errorToBool(files.write(path("late"), "after")));
  protectInput(path("late"));
  EXPECT_EQ(toString(files.commit()),
            "cannot write '" + path("late") + "': it is one of the inputs; name another output");
  EXPECT_EQ(read("late"), "before");
}

TEST_F(OutputFilesTest, KeepWhoMayReadThem) {
  for (StringRef text : {"before", "after"}) {
    OutputFiles files;
    ASSERT_FALSE(errorToBool(files.write(path("x"), text)));
    ASSERT_FALSE(errorToBool(files.commit()));
    if (text == "before") {
      ASSERT_FALSE(sys::fs::setPermissions(path("x"), sys::fs::owner_read | sys::fs::owner_write));
    }
  }
  ErrorOr<sys::fs::perms> permissions = sys::fs::getPermissions(path("x"));
  ASSERT_TRUE(bool(permissions));
  EXPECT_EQ(*permissions, sys::fs::owner_read | sys::fs::owner_write);
  EXPECT_EQ(read("x"), "after");
}

/// What is open already is written through its descriptor, not replaced.
TEST_F(OutputFilesTest, GoToOpenDescriptors) {
  int descriptor;
  ASSERT_FALSE(sys::fs::openFileForReadWrite(path("x"), descriptor, sys::fs::CD_CreateAlways,
                                             sys::fs::OF_None));
  {
    raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << "1";
    os.flush();
    OutputFiles files;
    ASSERT_FALSE(errorToBool(files.write("/dev/fd/" + std::to_string(descriptor), "2")));
    ASSERT_FALSE(errorToBool(files.commit()));
    os << "3";
  }
  EXPECT_EQ(read("x"), "123");
}

} // namespace
