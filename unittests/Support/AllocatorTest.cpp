//===- AllocatorTest.cpp - placements are valid and close to the bound ----===//

#include "../Shared.h"

#include "NPU/Support/Allocator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace npu;

namespace {

TEST(AllocatorTest, NothingNeedsNothing) {
  EXPECT_EQ(allocate({}, 64).peakBytes, 0);
  EXPECT_EQ(getLivePeak({}, 64), 0);
}

TEST(AllocatorTest, BuffersThatLiveTogetherLieSideBySide) {
  std::vector<AllocationRequest> requests = {{0, 1, 100}, {0, 1, 64}, {0, 1, 1}};
  Allocation allocation = allocate(requests, 64);
  EXPECT_TRUE(isValidAllocation(requests, allocation, 64));
  EXPECT_EQ(getLivePeak(requests, 64), 256);
  EXPECT_LE(allocation.peakBytes, 256);
}

TEST(AllocatorTest, BuffersThatLiveApartShare) {
  std::vector<AllocationRequest> requests = {{0, 4, 64}, {4, 8, 64}, {2, 6, 128}};
  Allocation allocation = allocate(requests, 64);
  EXPECT_TRUE(isValidAllocation(requests, allocation, 64));
  EXPECT_EQ(allocation.peakBytes, 192);
  EXPECT_EQ(allocation.offsets[0], allocation.offsets[1]);
}

TEST(AllocatorTest, FindsTheMomentOfThePeak) {
  std::vector<AllocationRequest> requests = {{0, 10, 64}, {5, 7, 64}, {6, 9, 64}};
  int64_t moment = -1;
  EXPECT_EQ(getLivePeak(requests, 64, &moment), 192);
  EXPECT_EQ(moment, 6);
}

TEST(AllocatorTest, ChecksFindOverlapsAndMisalignment) {
  std::vector<AllocationRequest> requests = {{0, 2, 64}, {1, 3, 64}};
  Allocation allocation{{0, 64}, 128};
  EXPECT_TRUE(isValidAllocation(requests, allocation, 64));
  allocation.offsets = {0, 32};
  EXPECT_FALSE(isValidAllocation(requests, allocation, 32));
  EXPECT_FALSE(isValidAllocation(requests, allocation, 64));
}

TEST(AllocatorTest, EmptyLivesAndBuffersDisturbNothing) {
  std::vector<AllocationRequest> requests = {{0, 4, 64}, {2, 2, 64}, {1, 3, 0}, {5, 5, 0}};
  Allocation allocation = allocate(requests, 64);
  EXPECT_TRUE(isValidAllocation(requests, allocation, 64));
  EXPECT_EQ(allocation.peakBytes, 64);
  EXPECT_TRUE(isValidAllocation(requests, {{0, 0, 32, 0}, 64}, 32));
}

using Requests = std::vector<AllocationRequest>;

Requests makeRandom(std::mt19937 &random, unsigned count, unsigned times, unsigned maxBytes) {
  Requests requests;
  for (unsigned i = 0; i < count; ++i) {
    int64_t lower = random() % times, life = 1 + random() % (times / 2);
    requests.push_back({lower, lower + life, 1 + int64_t(random() % maxBytes)});
  }
  return requests;
}

/// The definition of a valid allocation, pair by pair.
bool haveDisjointBytes(const Requests &requests, llvm::ArrayRef<int64_t> offsets) {
  for (size_t i = 0; i < requests.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const AllocationRequest &a = requests[i], &b = requests[j];
      if (a.lower < b.upper && b.lower < a.upper && offsets[i] < offsets[j] + b.bytes &&
          offsets[j] < offsets[i] + a.bytes)
        return false;
    }
  return true;
}

TEST(AllocatorTest, SweepAndPairsAgreeOnValidity) {
  std::mt19937 random(3);
  unsigned numValid = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    Requests requests = makeRandom(random, 5, 12, 8);
    Allocation allocation;
    for (const AllocationRequest &request : requests) {
      allocation.offsets.push_back(random() % 24);
      allocation.peakBytes =
          std::max(allocation.peakBytes, allocation.offsets.back() + request.bytes);
    }
    bool isValid = haveDisjointBytes(requests, allocation.offsets);
    EXPECT_EQ(isValidAllocation(requests, allocation, 1), isValid);
    numValid += isValid;
    --allocation.peakBytes;
    EXPECT_FALSE(isValidAllocation(requests, allocation, 1));
  }
  EXPECT_GT(numValid, 500u);
  EXPECT_LT(numValid, 3500u);
}

/// Buffers that take all `capacity` bytes at all times, except for `spared` buffers.
Requests makeFull(std::mt19937 &random, int64_t times, int64_t capacity, unsigned spared) {
  std::vector<int64_t> left(times, capacity);
  Requests requests;
  while (true) {
    auto emptiest = llvm::max_element(left), lower = emptiest, upper = emptiest + 1;
    if (*emptiest == 0)
      break;
    while (lower != left.begin() && lower[-1] > 0 && random() % 2)
      --lower;
    while (upper != left.end() && *upper > 0 && random() % 2)
      ++upper;
    int64_t most = *std::min_element(lower, upper);
    int64_t bytes = std::min<int64_t>(1 + random() % most, capacity / 2);
    std::for_each(lower, upper, [&](int64_t &value) { value -= bytes; });
    requests.push_back({lower - left.begin(), upper - left.begin(), bytes});
  }
  llvm::shuffle(requests.begin(), requests.end(), random);
  requests.resize(requests.size() - spared);
  return requests;
}

/// Whether all requests fit if the first ones have these offsets. Tries all offsets of the others.
bool doFit(const Requests &requests, int64_t capacity, std::vector<int64_t> &offsets) {
  if (offsets.size() == requests.size())
    return true;
  for (int64_t offset = 0; offset + requests[offsets.size()].bytes <= capacity; ++offset) {
    offsets.push_back(offset);
    Requests placed(requests.begin(), requests.begin() + offsets.size());
    if (haveDisjointBytes(placed, offsets) && doFit(requests, capacity, offsets))
      return true;
    offsets.pop_back();
  }
  return false;
}

int64_t getSmallestPeak(Requests requests) {
  llvm::sort(requests, [](auto &a, auto &b) { return a.lower < b.lower; });
  int64_t peak = getLivePeak(requests, 1);
  for (std::vector<int64_t> offsets; !doFit(requests, peak, offsets);)
    ++peak;
  return peak;
}

TEST(AllocatorTest, SmallInstancesAreOptimal) {
  std::mt19937 random(11);
  unsigned numSearched = 0, numAboveLivePeak = 0;
  for (unsigned round = 0; round < 10000; ++round) {
    Requests requests = makeFull(random, 6, 6, round % 2);
    Allocation allocation = allocate(requests, 1);
    EXPECT_TRUE(isValidAllocation(requests, allocation, 1));
    EXPECT_EQ(allocation.peakBytes, getSmallestPeak(requests)) << "round " << round;
    EXPECT_TRUE(allocation.isOptimal);
    EXPECT_LE(allocation.peakBytes, allocation.firstFitPeakBytes);
    numSearched += allocation.numSteps > 0;
    numAboveLivePeak += allocation.peakBytes > getLivePeak(requests, 1);
  }
  EXPECT_GT(numSearched, 100u);
  EXPECT_GT(numAboveLivePeak, 5u);
}

/// Rectangles that fill a square leave no byte unused; first fit does not find them.
TEST(AllocatorTest, FindsPerfectPackings) {
  std::mt19937 random(5);
  unsigned numSearched = 0;
  for (unsigned round = 0; round < 20; ++round) {
    Requests requests = {{0, 64, 4096}};
    while (requests.size() < 60) {
      AllocationRequest &request = requests[random() % requests.size()], rest = request;
      int64_t life = request.upper - request.lower;
      if (random() % 2 && life > 1)
        request.upper = rest.lower = request.lower + 1 + random() % (life - 1);
      else if (request.bytes > 1)
        rest.bytes -= request.bytes = 1 + random() % (request.bytes - 1);
      else
        continue;
      requests.push_back(rest);
    }
    Allocation allocation = allocate(requests, 1);
    EXPECT_TRUE(isValidAllocation(requests, allocation, 1));
    EXPECT_EQ(allocation.peakBytes, 4096) << "round " << round;
    EXPECT_TRUE(allocation.isOptimal);
    numSearched += allocation.numSteps > 0;
  }
  EXPECT_GT(numSearched, 10u);
}

TEST(AllocatorTest, RespectsAlignment) {
  std::mt19937 random(7);
  for (int64_t alignment : {1, 64, 4096})
    for (unsigned round = 0; round < 20; ++round) {
      Requests requests = makeRandom(random, 60, 100, 5000);
      Allocation allocation = allocate(requests, alignment);
      EXPECT_TRUE(isValidAllocation(requests, allocation, alignment));
      EXPECT_EQ(allocation.peakBytes % alignment, 0);
      EXPECT_GE(allocation.peakBytes, getLivePeak(requests, alignment));
    }
}

TEST(AllocatorTest, StopsAtTheGoal) {
  std::mt19937 random(9);
  Requests requests = makeRandom(random, 60, 100, 5000);
  Allocation best = allocate(requests, 64);
  ASSERT_GT(best.firstFitPeakBytes, best.peakBytes);
  Allocation first = allocate(requests, 64, best.firstFitPeakBytes + 63);
  EXPECT_EQ(first.numSteps, 0);
  EXPECT_LE(first.peakBytes, best.firstFitPeakBytes);
  EXPECT_LE(allocate(requests, 64, best.peakBytes).peakBytes, best.peakBytes);
}

TEST(AllocatorTest, IsDeterministic) {
  std::mt19937 random(13);
  for (unsigned round = 0; round < 5; ++round) {
    Requests requests = makeRandom(random, 80, 40, 1000);
    Allocation first = allocate(requests, 64), second = allocate(requests, 64);
    EXPECT_EQ(first.offsets, second.offsets);
    EXPECT_EQ(first.numSteps, second.numSteps);
  }
}

TEST(AllocatorTest, PlacesManyBuffers) {
  std::mt19937 random(17);
  // Chains with skip connections of any length, and lives of any length.
  for (unsigned maxLife : {40u, 10000u}) {
    Requests requests;
    for (int64_t i = 0; i < 10000; ++i) {
      int64_t life = random() % 4 ? 2 : 1 + random() % maxLife;
      requests.push_back({i, i + life, 1 + int64_t(random() % 100000)});
    }
    Allocation allocation = allocate(requests, 64);
    EXPECT_TRUE(isValidAllocation(requests, allocation, 64));
    EXPECT_LE(allocation.peakBytes, getLivePeak(requests, 64) * 5 / 4);
  }
}

/// The public instances beside the repository, each for 1 MiB: eight of them leave no byte unused
/// at their peak, and C needs less.
TEST(AllocatorTest, MinimallocInstancesFit) {
  NPU_NEEDS_SHARED();
  std::string folder = getSharedPath("minimalloc");
  for (char name = 'A'; name <= 'K'; ++name) {
    auto file = llvm::MemoryBuffer::getFile(folder + "/" + std::string(1, name) + ".1048576.csv");
    if (!file)
      FAIL() << "no instances at " << folder;
    Requests requests;
    for (llvm::line_iterator line(**file); !line.is_at_end(); ++line) {
      llvm::SmallVector<llvm::StringRef> cells;
      line->split(cells, ',');
      AllocationRequest request;
      if (cells.size() != 4 || cells[1].getAsInteger(10, request.lower) ||
          cells[2].getAsInteger(10, request.upper) || cells[3].getAsInteger(10, request.bytes))
        continue; // the header
      requests.push_back(request);
    }
    ASSERT_FALSE(requests.empty());
    int64_t goal = name == 'C' ? 1039360 : 1048576;
    Allocation allocation = allocate(requests, 1, goal);
    EXPECT_TRUE(isValidAllocation(requests, allocation, 1)) << name;
    EXPECT_LE(allocation.peakBytes, goal) << name;
  }
}

} // namespace
