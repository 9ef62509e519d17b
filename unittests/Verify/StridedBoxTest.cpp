//===- StridedBoxTest.cpp - overlap against sets of bytes -----------------===//

#include "NPU/Target/Verify/StridedBox.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace npu::verify;

static std::set<int64_t> listPoints(llvm::ArrayRef<Stride> dims, int64_t run) {
  std::set<int64_t> starts = {0};
  for (Stride dim : dims) {
    std::set<int64_t> next;
    for (int64_t start : starts)
      for (int64_t j = 0; j < dim.count; ++j)
        next.insert(start + j * dim.bytes);
    starts = next;
  }
  std::set<int64_t> bytes;
  for (int64_t start : starts)
    for (int64_t b = 0; b < run; ++b)
      bytes.insert(start + b);
  return bytes;
}

TEST(StridedBox, NormalForm) {
  StridedShape rows = makeShape({{64, 8}, {4, 16}}, 4);
  EXPECT_TRUE(rows.dims.empty()); // 8 adjacent rows of 64 bytes
  EXPECT_EQ(rows.run, 512);
  StridedShape reversed = makeShape({{-64, 8}}, 4);
  EXPECT_EQ(reversed.offset, -448);
  EXPECT_EQ(reversed.span, 452);
}

TEST(StridedBox, InterleavedColumnsDoNotMeet) {
  StridedShape columns = makeShape({{256, 64}}, 64);
  EXPECT_EQ(overlap(columns, columns, 64), false);
  EXPECT_EQ(overlap(columns, columns, 63), true);
  EXPECT_EQ(overlap(columns, columns, 256 * 64 - 192), false);
}

TEST(StridedBox, RandomAgainstEnumeration) {
  std::mt19937_64 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  };
  unsigned overlaps = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<Stride> dims[2];
    int64_t runs[2];
    for (unsigned side = 0; side < 2; ++side) {
      for (int64_t d = pick(0, 3); d > 0; --d)
        dims[side].push_back({pick(-40, 40), pick(1, 4)});
      runs[side] = pick(1, 5);
    }
    std::set<int64_t> a = listPoints(dims[0], runs[0]), b = listPoints(dims[1], runs[1]);
    StridedShape first = makeShape(dims[0], runs[0]), second = makeShape(dims[1], runs[1]);
    ASSERT_EQ(first.offset, *a.begin());
    ASSERT_EQ(first.span, *a.rbegin() - *a.begin() + 1);
    int64_t shift = pick(-150, 150);
    std::set<int64_t> shared;
    for (int64_t byte : b)
      if (a.count(byte + shift))
        shared.insert(byte + shift);
    int64_t distance = shift + second.offset - first.offset;
    ASSERT_EQ(overlap(first, second, distance), !shared.empty()) << "round " << round;
    if (shared.empty())
      continue;
    ++overlaps;
    ByteRange range = findOverlap(first, second, distance);
    for (int64_t byte = range.begin; byte < range.end; ++byte)
      EXPECT_TRUE(shared.count(byte + first.offset)) << "round " << round;
  }
  EXPECT_GT(overlaps, 2000u);
}

TEST(StridedBox, GivesUpOnHardProblems) {
  // Many coprime strides: the verdict may be unknown but never wrong or slow.
  std::vector<Stride> dims;
  for (int64_t prime : {1009, 1013, 1019, 1021, 1031, 1033})
    dims.push_back({prime * 1000003, 50});
  StridedShape shape = makeShape(dims, 1);
  std::optional<bool> result = overlap(shape, shape, 1);
  EXPECT_TRUE(!result || !*result);
}
