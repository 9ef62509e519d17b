//===- StatesTest.cpp - a number per byte of a memory ---------------------===//

#include "States.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <vector>

using namespace llvm;
using namespace npu::sim;

/// Rows of all lengths at all offsets, against one number per byte.
TEST(States, AreExactToTheByte) {
  constexpr int64_t bytes = 1000;
  std::mt19937 random(1);
  States states(bytes, States::initialized);
  std::vector<uint32_t> expected(bytes, States::initialized);
  std::map<uint32_t, int64_t> counts = {{States::initialized, bytes}};
  for (unsigned step = 0; step < 20000; ++step) {
    int64_t begin = random() % bytes;
    int64_t length = std::min<int64_t>(bytes - begin, random() % (step % 2 ? 300 : 8));
    // A write moves all states to one, a read moves each to another.
    uint32_t written = random() % 5;
    bool isWrite = random() % 2;
    auto change = [&](uint32_t old) { return isWrite ? written : (old * 3 + written) % 5; };

    int64_t next = begin;
    cantFail(states.update(
        begin, length,
        [&](uint32_t old, int64_t address) -> Expected<uint32_t> {
          EXPECT_GE(address, next);
          EXPECT_EQ(old, expected[address]);
          next = address + 1;
          return change(old);
        },
        [&](uint32_t from, uint32_t to, int64_t count) {
          counts[from] -= count;
          counts[to] += count;
        }));
    for (int64_t address = begin; address < begin + length; ++address)
      expected[address] = change(expected[address]);
    for (uint32_t state = 0; state < 5; ++state) {
      int64_t count = std::count(expected.begin(), expected.end(), state);
      ASSERT_EQ(states.count(state), count) << "step " << step;
      ASSERT_EQ(counts[state], count) << "step " << step;
    }
  }
}

TEST(States, StopAtAnError) {
  States states(100, States::uninitialized);
  std::vector<int64_t> addresses;
  Error error = states.update(
      20, 60,
      [&](uint32_t, int64_t address) -> Expected<uint32_t> {
        addresses.push_back(address);
        if (address >= 32)
          return createStringError("no");
        return 7;
      },
      [](uint32_t, uint32_t, int64_t) {});
  EXPECT_EQ(toString(std::move(error)), "no");
  EXPECT_EQ(addresses, (std::vector<int64_t>{20, 32}));
  EXPECT_EQ(states.count(7), 12);
}
