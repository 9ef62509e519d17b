//===- AllocatorTest.cpp - placements are valid and close to the bound ----===//

#include "../Shared.h"

#include "NPU/Support/Allocator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

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

TEST(AllocatorTest, RandomInstancesAreValid) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 50; ++round) {
    std::vector<AllocationRequest> requests;
    for (unsigned i = 0; i < 60; ++i) {
      int64_t lower = random() % 100;
      requests.push_back({lower, lower + 1 + int64_t(random() % 30), 1 + int64_t(random() % 5000)});
    }
    Allocation allocation = allocate(requests, 64);
    EXPECT_TRUE(isValidAllocation(requests, allocation, 64));
    EXPECT_GE(allocation.peakBytes + 64, getLivePeak(requests, 64));
  }
}

/// The public instances beside the repository; each is solvable in 1 MiB. Reports how close the
/// allocator comes; only validity and a loose bound are required.
TEST(AllocatorTest, MinimallocInstances) {
  NPU_NEEDS_SHARED();
  std::string folder = getSharedPath("minimalloc");
  for (char name = 'A'; name <= 'K'; ++name) {
    auto file = llvm::MemoryBuffer::getFile(folder + "/" + std::string(1, name) + ".1048576.csv");
    if (!file)
      FAIL() << "no instances at " << folder;
    std::vector<AllocationRequest> requests;
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
    Allocation allocation = allocate(requests, 1);
    EXPECT_TRUE(isValidAllocation(requests, allocation, 1));
    int64_t bound = getLivePeak(requests, 1);
    EXPECT_LE(allocation.peakBytes, bound * 5 / 4) << name;
    llvm::outs() << name << ": " << requests.size() << " buffers, peak " << allocation.peakBytes
                 << ", lower bound " << bound << ", "
                 << (allocation.peakBytes <= 1048576 ? "fits" : "does not fit") << " 1048576\n";
  }
}

} // namespace
