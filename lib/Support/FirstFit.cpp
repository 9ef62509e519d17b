//===- FirstFit.cpp - placing items one after the other -------------------===//

#include "FirstFit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <tuple>

using namespace llvm;
using namespace npu;

FirstFit::FirstFit(const AllocationProblem &problem) : problem(problem) {
  numLeaves = PowerOf2Ceil(std::max(problem.numMoments, 1u));
  nodes.resize(2 * numLeaves);
  numBlocks = std::min(numLeaves, kMaxBlocks);
  blockLength = numLeaves / numBlocks;
  blocks.resize(numBlocks);
}

/// Collects the nodes that have moments in common with the item's life.
void FirstFit::visit(unsigned node, unsigned begin, unsigned end, const AllocationItem &item) {
  if (item.first <= begin && end <= item.last + 1) {
    inside.push_back(node);
    return;
  }
  partial.push_back(node);
  unsigned middle = (begin + end) / 2;
  if (item.first < middle)
    visit(2 * node, begin, middle, item);
  if (item.last >= middle)
    visit(2 * node + 1, middle, end, item);
}

/// The lowest offset from which `bytes` are not in `taken`.
int64_t FirstFit::findGap(int64_t bytes) {
  int64_t offset = 0;
  for (bool isTaken = true; isTaken;) {
    isTaken = false;
    numLooks += taken.size();
    for (ArrayRef<ByteRange> &ranges : taken) {
      // The ranges are in order. Those that end below do not matter any more.
      while (!ranges.empty() && ranges.front().second <= offset)
        ranges = ranges.drop_front();
      if (ranges.empty() || ranges.front().first >= offset + bytes)
        continue;
      offset = ranges.front().second;
      isTaken = true;
    }
  }
  return offset;
}

/// Adds a range to ranges in order, and merges what touches it.
static void insert(std::vector<ByteRange> &ranges, ByteRange range) {
  auto begin = llvm::lower_bound(
      ranges, range.first, [](const ByteRange &a, int64_t offset) { return a.second < offset; });
  auto end = begin;
  for (; end != ranges.end() && end->first <= range.second; ++end) {
    range.first = std::min(range.first, end->first);
    range.second = std::max(range.second, end->second);
  }
  if (begin == end) {
    ranges.insert(begin, range);
    return;
  }
  *begin = range;
  ranges.erase(begin + 1, end);
}

FirstFit::Result FirstFit::place(ArrayRef<unsigned> order, int64_t limit) {
  for (Node &node : nodes) {
    node.atSome.clear();
    node.atAll.clear();
  }
  for (std::vector<ByteRange> &block : blocks)
    block.clear();
  Result result;
  result.offsets.assign(problem.items.size(), 0);
  for (unsigned i : order) {
    const AllocationItem &item = problem.items[i];
    inside.clear();
    partial.clear();
    taken.clear();
    visit(1, 0, numLeaves, item);
    unsigned firstBlock = item.first / blockLength, lastBlock = item.last / blockLength;
    taken.push_back(blocks[firstBlock]);
    if (lastBlock != firstBlock)
      taken.push_back(blocks[lastBlock]);
    for (unsigned node : partial)
      if (isInsideBlock(node))
        taken.push_back(nodes[node].atAll);
    for (unsigned node : inside)
      taken.push_back(nodes[node].atSome);
    int64_t offset = findGap(item.bytes), end = offset + item.bytes;
    result.offsets[i] = offset;
    if (end > result.peakBytes) {
      result.peakBytes = end;
      result.highest = i;
      if (end >= limit)
        return result;
    }
    for (unsigned node : partial)
      insert(nodes[node].atSome, {offset, end});
    for (unsigned node : inside) {
      insert(nodes[node].atSome, {offset, end});
      if (isInsideBlock(node))
        insert(nodes[node].atAll, {offset, end});
    }
    firstBlock = divideCeil(item.first, blockLength);
    lastBlock = (item.last + 1) / blockLength;
    for (unsigned block = firstBlock; block < lastBlock; ++block)
      insert(blocks[block], {offset, end});
  }
  return result;
}

/// For every item the bytes of all that live together with it: what is born before its end, without
/// what has died before its birth.
static std::vector<int64_t> getContentions(const AllocationProblem &problem) {
  std::vector<int64_t> born(problem.numMoments + 1), died(problem.numMoments + 1);
  for (const AllocationItem &item : problem.items) {
    born[item.first + 1] += item.bytes;
    died[item.last + 1] += item.bytes;
  }
  std::partial_sum(born.begin(), born.end(), born.begin());
  std::partial_sum(died.begin(), died.end(), died.begin());
  std::vector<int64_t> contentions;
  for (const AllocationItem &item : problem.items)
    contentions.push_back(born[item.last + 1] - died[item.first]);
  return contentions;
}

std::vector<std::vector<unsigned>> FirstFit::getOrders() const {
  using Key = std::tuple<int64_t, int64_t, int64_t>;
  constexpr unsigned numOrders = 6;
  std::vector<int64_t> contentions = getContentions(problem);
  std::vector<Key> keys[numOrders];
  for (auto [i, item] : enumerate(problem.items)) {
    int64_t bytes = item.bytes, life = item.upper - item.lower;
    int64_t area = SaturatingMultiply<uint64_t>(bytes, life) / 2;
    keys[0].push_back({-bytes, -life, item.lower});
    keys[1].push_back({-life, -bytes, item.lower});
    keys[2].push_back({-contentions[i], -bytes, item.lower});
    keys[3].push_back({-area, -bytes, item.lower});
    keys[4].push_back({item.lower, -bytes, -life});
    keys[5].push_back({-item.upper, -bytes, -life});
  }
  std::vector<std::vector<unsigned>> orders;
  for (ArrayRef<Key> key : keys) {
    std::vector<unsigned> &order = orders.emplace_back(problem.items.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order,
               [&](unsigned a, unsigned b) { return std::tie(key[a], a) < std::tie(key[b], b); });
  }
  return orders;
}
