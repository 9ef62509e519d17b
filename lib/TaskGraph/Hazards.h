//===- Hazards.h - which tasks must not change places ---------------------===//
//
// A task must follow every earlier one that touches the same bytes, one of the two writing, and a
// launch its program's preparation. Bytes count, not buffers: buffers may share them at different
// times. There may be as many such pairs as there are pairs of tasks, but few have to be looked at,
// as an order that holds for two pairs in a row holds for the ends: those who wrote some bytes
// last, and those who have read them since.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_LIB_TASKGRAPH_HAZARDS_H
#define NPU_LIB_TASKGRAPH_HAZARDS_H

#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

namespace npu::taskgraph {

/// The tasks that have touched the bytes of a region. Bytes with the same accesses are one range.
class ByteHistory {
public:
  /// Adds the tasks that must come before a read or write of bytes [begin, end).
  void collect(int64_t begin, int64_t end, bool isWrite,
               llvm::SmallVectorImpl<unsigned> &earlier) const;
  void read(int64_t begin, int64_t end, unsigned task);
  void write(int64_t begin, int64_t end, unsigned task);

private:
  static constexpr int64_t none = -1;

  /// A list of tasks that read: its newest one and the rest. Ranges share lists.
  struct Reader {
    unsigned task;
    int64_t next;
  };

  struct Range {
    int64_t end = 0;
    int64_t writer = none;
    int64_t readers = none; ///< since the write: the newest one of `readers`
  };

  void split(int64_t at);

  std::map<int64_t, Range> ranges; ///< by their starts; disjoint
  std::vector<Reader> readers;
};

/// Goes through the tasks of a block in their order, by their positions in it. Takes O(log n) time
/// for each of n accesses and of the tasks that it returns.
class Hazards {
public:
  Hazards(const TaskGraph &graph, llvm::ArrayRef<unsigned> tasks) : graph(graph), tasks(tasks) {}

  /// Earlier tasks that the next task must follow, in ascending order. It must follow others, too,
  /// but those are among what these must follow. Valid until the next call.
  llvm::ArrayRef<unsigned> next();

private:
  const TaskGraph &graph;
  llvm::ArrayRef<unsigned> tasks;
  unsigned position = 0;
  ByteHistory regions[numMemoryRegions];
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 1>> preparations; ///< by program
  llvm::SmallVector<unsigned> earlier;
};

/// Finds out which tasks of a block have finished when one starts, in their order and by their
/// positions in the block.
///
/// The set of a task is what it waits for and their sets. Numbers up to which a set has everything
/// take no space; the others are bits. So the time is linear as long as the tasks that may run at
/// the same time are few or close together, and else quadratic, with 64 tasks in one operation.
class FinishedTasks {
public:
  /// `lastUsers[n]` is the last task that may wait for task n; its set goes then.
  FinishedTasks(const TaskGraph &graph, llvm::ArrayRef<unsigned> tasks,
                std::vector<unsigned> lastUsers);

  /// Makes the task wait for an earlier one.
  void wait(unsigned earlier);
  /// Whether `earlier` has finished when the task starts.
  bool contains(unsigned earlier) const;
  /// Goes on to the next task. `used` has all earlier tasks of which this is the last user.
  void advance(llvm::ArrayRef<unsigned> used);

private:
  /// Positions below 64 * `numFull`, and those of the bits after them.
  struct Set {
    size_t numFull = 0;
    std::vector<uint64_t> words;
    void dropUntil(size_t full);
  };

  /// The tasks in an order of their own: a preparation comes right before its first launch, so that
  /// those of later programs leave no gaps.
  std::vector<unsigned> positions;
  std::vector<unsigned> lastUsers;
  std::vector<Set> sets;
  unsigned current = 0;
};

} // namespace npu::taskgraph

#endif // NPU_LIB_TASKGRAPH_HAZARDS_H
