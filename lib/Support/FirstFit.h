//===- FirstFit.h - placing items one after the other ---------------------===//

#ifndef NPU_LIB_SUPPORT_FIRSTFIT_H
#define NPU_LIB_SUPPORT_FIRSTFIT_H

#include "AllocationProblem.h"

#include "llvm/ADT/SmallVector.h"

namespace npu {

/// Bytes [first, second).
using ByteRange = std::pair<int64_t, int64_t>;

/// Places items one after the other, each at the lowest gap that holds it.
///
/// A binary tree over the moments holds the taken bytes: every node, in order and merged, those of
/// the items that live at some of its moments, and those of the items that live at all of them, but
/// not at all of its parent's. A life is made up of O(log moments) nodes, so that placing an item
/// takes that many steps along ranges of taken bytes. Pairs of items are never looked at. For the
/// nodes near the root, with the long lives, the second kind of ranges would be many and small, as
/// those of different levels alternate: blocks of moments have what lives at all of theirs instead.
class FirstFit {
public:
  explicit FirstFit(const AllocationProblem &problem);

  struct Result {
    std::vector<int64_t> offsets;
    int64_t peakBytes = 0;
    unsigned highest = 0; ///< the item that ends there
  };

  /// Places the items in this order. Gives up when the peak reaches `limit`.
  Result place(llvm::ArrayRef<unsigned> order, int64_t limit);

  /// The work of all placements, in looks at a list of ranges.
  int64_t getNumLooks() const { return numLooks; }

  /// Orders to try: by size, life, contention and time.
  std::vector<std::vector<unsigned>> getOrders() const;

private:
  /// The bytes taken during the moments of a tree node; at all of them only below the blocks.
  struct Node {
    std::vector<ByteRange> atSome, atAll;
  };

  static constexpr unsigned kMaxBlocks = 64;

  bool isInsideBlock(unsigned node) const { return node >= 2 * numBlocks; }
  void visit(unsigned node, unsigned begin, unsigned end, const AllocationItem &item);
  int64_t findGap(int64_t bytes);

  const AllocationProblem &problem;
  std::vector<Node> nodes; ///< the children of node i are 2 i and 2 i + 1
  unsigned numLeaves = 1;
  /// The bytes taken at all moments of each block.
  std::vector<std::vector<ByteRange>> blocks;
  unsigned numBlocks = 1, blockLength = 1;
  int64_t numLooks = 0;

  // Of the item that is being placed.
  llvm::SmallVector<unsigned> inside;  ///< nodes that make up its life
  llvm::SmallVector<unsigned> partial; ///< nodes that it shares some moments with
  llvm::SmallVector<llvm::ArrayRef<ByteRange>> taken;
};

} // namespace npu

#endif // NPU_LIB_SUPPORT_FIRSTFIT_H
