//===- Plan.cpp - places and lives of buffers, order of tasks -------------===//

#include "Hazards.h"
#include "NPU/Support/Allocator.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace npu;
using namespace npu::taskgraph;

/// An intermediate lives from the first task that touches it to the last one, and as long as a loop
/// in which one does. What the caller gives or takes, and constants, live all the time.
static void computeLives(TaskGraph &graph) {
  int64_t numTasks = graph.tasks.size();
  for (Buffer &buffer : graph.buffers) {
    bool isIntermediate = buffer.region == MemoryRegion::Intermediates;
    buffer.begin = isIntermediate ? numTasks : 0;
    buffer.end = isIntermediate ? 0 : numTasks;
  }
  for (auto [number, task] : llvm::enumerate(graph.tasks)) {
    bool isLoop = task.kind == TaskKind::Loop;
    int64_t end = isLoop ? getEnd(graph, number) : number + 1;
    // The tasks of a branch are their own.
    std::vector<Access> accesses = getAccesses(graph, task);
    if (task.kind == TaskKind::Branch)
      accesses.resize(1);
    for (const Access &access : accesses) {
      Buffer &root = graph.buffers[graph.getRoot(access.buffer)];
      root.begin = std::min<int64_t>(root.begin, number);
      root.end = std::max<int64_t>(root.end, end);
    }
  }
  for (Buffer &buffer : graph.buffers)
    buffer.begin = std::min(buffer.begin, buffer.end); // nothing touches it
}

static void placeBuffers(TaskGraph &graph) {
  std::vector<AllocationRequest> requests;
  std::vector<Buffer *> requested;
  graph.regionBytes = {};
  for (Buffer &buffer : graph.buffers) {
    if (buffer.aliasOf)
      continue;
    if (buffer.region == MemoryRegion::Intermediates) {
      requests.push_back({buffer.begin, buffer.end, buffer.bytes});
      requested.push_back(&buffer);
      continue;
    }
    int64_t &end = graph.getRegionBytes(buffer.region);
    buffer.offset = end;
    end += llvm::alignTo(buffer.bytes, bufferAlignment);
  }
  Allocation allocation = allocate(requests, bufferAlignment);
  for (auto [buffer, offset] : llvm::zip_equal(requested, allocation.offsets))
    buffer->offset = offset;
  graph.getRegionBytes(MemoryRegion::Intermediates) = requests.empty() ? 0 : allocation.peakBytes;
  graph.liveSetBytes = getLivePeak(requests, bufferAlignment);
}

/// The fewest waits that order all conflicts in a block: the latest tasks first, none that another
/// implies.
static void computeWaits(TaskGraph &graph, llvm::ArrayRef<unsigned> tasks) {
  std::vector<unsigned> lastUsers(tasks.size());
  Hazards users(graph, tasks), hazards(graph, tasks);
  for (unsigned position = 0; position < tasks.size(); ++position)
    for (unsigned earlier : users.next())
      lastUsers[earlier] = position;
  FinishedTasks finished(graph, tasks, std::move(lastUsers));
  for (unsigned number : tasks) {
    Task &task = graph.tasks[number];
    llvm::ArrayRef<unsigned> conflicts = hazards.next();
    task.waitsFor.clear();
    for (unsigned earlier : llvm::reverse(conflicts)) {
      if (finished.contains(earlier))
        continue;
      task.waitsFor.push_back(tasks[earlier]);
      finished.wait(earlier);
    }
    std::reverse(task.waitsFor.begin(), task.waitsFor.end());
    finished.advance(conflicts);
  }
}

void npu::taskgraph::plan(TaskGraph &graph) {
  computeLives(graph);
  placeBuffers(graph);
  for (Buffer &buffer : graph.buffers) {
    if (!buffer.aliasOf)
      continue;
    const Buffer &root = graph.buffers[*buffer.aliasOf];
    buffer.region = root.region;
    buffer.offset = root.offset;
    buffer.begin = root.begin;
    buffer.end = root.end;
  }
  for (TaskRange block : getAllBlocks(graph))
    computeWaits(graph, getBlockTasks(graph, block));
}
