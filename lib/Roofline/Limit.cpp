//===- Limit.cpp - what no program of some dispatches can beat ------------===//

#include "NPU/Roofline/Limit.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <set>
#include <vector>

using namespace npu;
using namespace npu::runtime;
using llvm::ArrayRef;
using llvm::BitVector;

namespace {
/// A tensor from outside and who reads it.
struct Operand {
  int64_t bytes = 0; ///< that one of them needs
  int64_t least = 0; ///< that each of them needs
  llvm::SmallVector<unsigned, 2> readers;
};
using Operands = llvm::MapVector<const void *, Operand>;
} // namespace

static Operands collectOperands(ArrayRef<LimitNode> nodes) {
  Operands operands;
  for (auto [number, node] : llvm::enumerate(nodes))
    for (const LimitNode::Load &load : node.loads) {
      Operand &operand = operands[load.tensor];
      operand.least = operand.readers.empty() ? load.bytes : std::min(operand.least, load.bytes);
      operand.bytes = std::max(operand.bytes, load.bytes);
      operand.readers.push_back(number);
    }
  return operands;
}

static int64_t getOnChipBytes(const TargetDesc &target) {
  return (target.sramBytes + target.accBytes) * target.clusters;
}

namespace {
/// Work of some nodes, in cycles of one cluster.
struct Work {
  int64_t array = 0, vector = 0;

  void add(const LimitNode &node) {
    array += node.alone.arrayCycles;
    vector += node.alone.vectorCycles;
  }
  int64_t getCycles(const TargetDesc &target) const {
    return llvm::divideCeilSigned(std::max(array, vector), target.clusters);
  }
};
} // namespace

/// Bytes that the nodes which depend on each node read from outside.
static std::vector<int64_t> computeBytesBehind(ArrayRef<BitVector> before,
                                               const Operands &operands) {
  std::vector<int64_t> bytes(before.size(), 0);
  for (const auto &[tensor, operand] : operands) {
    BitVector nodes = before[operand.readers.front()];
    for (unsigned reader : llvm::drop_begin(operand.readers))
      nodes |= before[reader];
    for (unsigned node : nodes.set_bits())
      bytes[node] += operand.least;
  }
  return bytes;
}

/// The most over two kinds of cuts. Behind one node is what depends on it; before it is what it
/// depends on. Behind the first nodes, in their order, is what depends on that of them which is the
/// last to be done, and that can be any that no other one of them needs.
static int64_t computeCutCycles(ArrayRef<LimitNode> nodes, const Operands &operands,
                                const TargetDesc &target) {
  std::vector<BitVector> before(nodes.size(), BitVector(nodes.size()));
  for (auto [number, node] : llvm::enumerate(nodes))
    for (unsigned earlier : node.after) {
      before[number] |= before[earlier];
      before[number].set(earlier);
    }
  std::vector<int64_t> bytesBehind = computeBytesBehind(before, operands);
  auto getCycles = [&](const Work &work, int64_t bytes) {
    return work.getCycles(target) +
           llvm::divideCeilSigned(std::max<int64_t>(bytes - getOnChipBytes(target), 0),
                                  target.dramBytesPerCycle);
  };
  int64_t most = 0;
  Work first;
  std::multiset<int64_t> behindLast; // of the nodes that no other one of the first needs
  BitVector isNeeded(nodes.size());
  for (auto [number, node] : llvm::enumerate(nodes)) {
    first.add(node);
    behindLast.insert(bytesBehind[number]);
    for (unsigned earlier : node.after)
      if (!isNeeded.test(earlier)) {
        isNeeded.set(earlier);
        behindLast.erase(behindLast.find(bytesBehind[earlier]));
      }
    most = std::max(most, getCycles(first, *behindLast.begin()));
    if (bytesBehind[number] <= getOnChipBytes(target))
      continue;
    Work own;
    own.add(node);
    for (unsigned earlier : before[number].set_bits())
      own.add(nodes[earlier]);
    most = std::max(most, getCycles(own, bytesBehind[number]));
  }
  return most;
}

Limit npu::runtime::computeLimit(ArrayRef<LimitNode> nodes, const TargetDesc &target) {
  Limit limit;
  Work work;
  for (const LimitNode &node : nodes) {
    work.add(node);
    limit.dramBytes += node.storedBytes;
  }
  limit.computeCycles = work.getCycles(target);
  Operands operands = collectOperands(nodes);
  for (const auto &[tensor, operand] : operands)
    limit.dramBytes += operand.bytes;
  // One dispatch has all its operands from outside, so what does not fit comes again.
  if (nodes.size() == 1)
    limit.dramBytes = std::max(limit.dramBytes, nodes.front().alone.capacityBytes);
  limit.dramCycles = llvm::divideCeilSigned(limit.dramBytes, target.dramBytesPerCycle);
  limit.cutCycles = computeCutCycles(nodes, operands, target);
  return limit;
}

Limit npu::runtime::computeShareLimit(ArrayRef<LimitNode> nodes, const TargetDesc &target) {
  Limit limit;
  llvm::DenseSet<const void *> multiplied;
  for (const LimitNode &node : nodes) {
    limit.computeCycles += node.alone.arrayCycles;
    limit.dramBytes += node.storedBytes;
    for (const LimitNode::Load &load : node.loads)
      if (load.feedsArray)
        multiplied.insert(load.tensor);
  }
  limit.computeCycles /= target.clusters;
  int64_t bytes = -getOnChipBytes(target);
  for (const auto &[tensor, operand] : collectOperands(nodes)) {
    limit.dramBytes += operand.bytes;
    bytes += multiplied.contains(tensor) ? operand.bytes : 0;
  }
  limit.dramCycles = std::max<int64_t>(bytes, 0) / (target.dramBytesPerCycle * target.clusters);
  return limit;
}

std::vector<Limit> npu::runtime::computeKernelLimits(ArrayRef<LimitNode> nodes,
                                                     ArrayRef<unsigned> numDispatches,
                                                     const TargetDesc &target) {
  if (numDispatches.size() == 1)
    return {computeLimit(nodes, target)};
  std::vector<Limit> limits;
  for (unsigned count : numDispatches) {
    limits.push_back(computeShareLimit(nodes.take_front(count), target));
    nodes = nodes.drop_front(count);
  }
  return limits;
}
