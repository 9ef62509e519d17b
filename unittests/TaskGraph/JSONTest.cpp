//===- JSONTest.cpp - the file --------------------------------------------===//

#include "RandomGraph.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace npu;
using namespace npu::taskgraph;

namespace {

class JSON : public ::testing::Test {
protected:
  JSON() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("task-graph", folder));
    path = (folder + "/g.json").str();
  }
  ~JSON() override { llvm::sys::fs::remove_directories(folder); }

  std::string readText(const std::string &file) {
    return (*llvm::MemoryBuffer::getFile(file))->getBuffer().str();
  }
  void writeText(llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << text;
    EXPECT_FALSE(error);
  }

  llvm::SmallString<128> folder;
  std::string path;
};

TEST_F(JSON, ReadsWhatItWrites) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 50; ++round) {
    TaskGraph graph = makeRandomGraph(random);
    plan(graph);
    ASSERT_EQ(llvm::toString(writeTaskGraph(graph, path)), "");
    std::string text = readText(path);
    llvm::Expected<TaskGraph> read = readTaskGraph(path);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->sideFile, graph.sideFile);
    EXPECT_EQ(read->sideFileName, "g.bin");
    ASSERT_EQ(llvm::toString(writeTaskGraph(*read, path)), "");
    EXPECT_EQ(readText(path), text);
  }
}

/// Damaged files are refused or still describe a graph that verifies; nothing crashes.
TEST_F(JSON, SurvivesDamage) {
  std::mt19937 random(4);
  unsigned refused = 0;
  constexpr unsigned rounds = 1000;
  std::string text;
  const std::string pieces[] = {
      "-1",         "99999999999999999999", "null", "[", "}", "\"", "1e300",
      "4294967295", "9223372036854775807",  "{}",   ",", "0"};
  for (unsigned round = 0; round < rounds; ++round) {
    if (round % 100 == 0) {
      TaskGraph graph = makeRandomGraph(random);
      plan(graph);
      ASSERT_EQ(llvm::toString(writeTaskGraph(graph, path)), "");
      text = readText(path);
    }
    std::string damaged = text;
    size_t place = random() % damaged.size();
    // Numbers are where the interesting mistakes are.
    if (size_t digit = damaged.find_first_of("0123456789", place); digit != std::string::npos)
      place = digit;
    size_t length = std::min(damaged.size() - place, size_t(1 + random() % 3));
    damaged.replace(place, length, pieces[random() % std::size(pieces)]);
    writeText(damaged);
    llvm::Expected<TaskGraph> read = readTaskGraph(path);
    if (!read) {
      ++refused;
      std::string message = llvm::toString(read.takeError());
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_NE(message.find(".json"), std::string::npos) << message;
    }
  }
  EXPECT_GT(refused, rounds * 3 / 4);
}

} // namespace
