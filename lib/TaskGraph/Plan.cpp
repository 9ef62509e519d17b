//===- Plan.cpp - places and lives of buffers, order of tasks -------------===//

#include "Hazards.h"
#include "NPU/Support/Allocator.h"
#include "NPU/TaskGraph/TaskGraph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace npu;
using namespace npu::taskgraph;

/// An intermediate lives from the first task that touches it to the last one. What the caller gives
/// or takes, and constants, live all the time.
static void computeLives(TaskGraph &graph) {
  int64_t numTasks = graph.tasks.size();
  for (Buffer &buffer : graph.buffers) {
    bool isIntermediate = buffer.region == MemoryRegion::Intermediates;
    buffer.begin = isIntermediate ? numTasks : 0;
    buffer.end = isIntermediate ? 0 : numTasks;
  }
  for (auto [number, task] : llvm::enumerate(graph.tasks))
    for (const Access &access : getAccesses(graph, task)) {
      Buffer &root = graph.buffers[graph.getRoot(access.buffer)];
      root.begin = std::min<int64_t>(root.begin, number);
      root.end = std::max<int64_t>(root.end, number + 1);
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

/// The fewest waits that order all conflicts: the latest tasks first, none that another implies.
static void computeWaits(TaskGraph &graph) {
  std::vector<unsigned> lastUsers(graph.tasks.size());
  Hazards users(graph), hazards(graph);
  for (unsigned number = 0; number < graph.tasks.size(); ++number)
    for (unsigned earlier : users.next())
      lastUsers[earlier] = number;
  FinishedTasks finished(graph, std::move(lastUsers));
  for (Task &task : graph.tasks) {
    llvm::ArrayRef<unsigned> conflicts = hazards.next();
    task.waitsFor.clear();
    for (unsigned earlier : llvm::reverse(conflicts)) {
      if (finished.contains(earlier))
        continue;
      task.waitsFor.push_back(earlier);
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
  computeWaits(graph);
}
