//===- Sweep.cpp - an independent look at the DRAM plan -------------------===//

#include "Sweep.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace npu::taskgraph;

static std::set<unsigned> getOperands(const TaskGraph &graph, const Task &task) {
  std::set<unsigned> operands;
  auto add = [&](unsigned buffer) {
    while (graph.buffers[buffer].aliasOf)
      buffer = *graph.buffers[buffer].aliasOf;
    if (graph.buffers[buffer].region == MemoryRegion::Intermediates)
      operands.insert(buffer);
  };
  switch (task.kind) {
  case TaskKind::Prepare:
    break;
  case TaskKind::Launch:
    for (unsigned buffer : task.bindings)
      add(buffer);
    break;
  case TaskKind::Host:
    for (unsigned buffer : task.reads)
      add(buffer);
    for (unsigned buffer : task.writes)
      add(buffer);
    break;
  case TaskKind::Copy:
    add(task.source.buffer);
    add(task.target.buffer);
    break;
  case TaskKind::Fill:
    add(task.filled);
    break;
  case TaskKind::Compute:
  case TaskKind::Branch:
  case TaskKind::Loop:
    // The graphs that are looked at are straight-line code.
    ADD_FAILURE() << "a task that branches or computes";
    break;
  }
  return operands;
}

SweepResult npu::taskgraph::sweep(const TaskGraph &graph) {
  std::map<unsigned, unsigned> last;
  for (unsigned number = 0; number < graph.tasks.size(); ++number)
    for (unsigned buffer : getOperands(graph, graph.tasks[number]))
      last[buffer] = number;
  SweepResult result;
  std::set<unsigned> live;
  for (unsigned number = 0; number < graph.tasks.size(); ++number) {
    for (unsigned buffer : getOperands(graph, graph.tasks[number]))
      live.insert(buffer);
    std::map<int64_t, unsigned> byOffset;
    int64_t liveBytes = 0;
    for (unsigned buffer : live) {
      const Buffer &info = graph.buffers[buffer];
      int64_t rounded = (info.bytes + 63) / 64 * 64;
      liveBytes += rounded;
      result.peakBytes = std::max(result.peakBytes, info.offset + rounded);
      if (info.offset % 64 != 0)
        result.error = info.name + " is not aligned";
      if (rounded > 0 && !byOffset.emplace(info.offset, buffer).second)
        result.error = info.name + " starts where another one does";
    }
    int64_t end = 0;
    for (auto [offset, buffer] : byOffset) {
      if (offset < end)
        result.error = graph.buffers[buffer].name + " overlaps another one";
      end = offset + graph.buffers[buffer].bytes;
    }
    result.liveSetBytes = std::max(result.liveSetBytes, liveBytes);
    for (auto [buffer, lastUse] : last)
      if (lastUse == number)
        live.erase(buffer);
  }
  return result;
}
