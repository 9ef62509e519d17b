//===- Hazards.cpp - which tasks must keep their order --------------------===//

#include "Hazards.h"

#include "llvm/ADT/STLExtras.h"

using namespace npu::taskgraph;

Hazards::Hazards(const TaskGraph &graph) : graph(graph) {
  for (const Task &task : graph.tasks)
    accesses.push_back(getAccesses(graph, task));
}

static bool overlap(const Buffer &a, const Buffer &b) {
  return a.region == b.region && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

bool Hazards::conflict(unsigned earlier, unsigned later) const {
  const Task &first = graph.tasks[earlier], &second = graph.tasks[later];
  if (first.kind == TaskKind::Prepare)
    return second.kind == TaskKind::Launch && first.code == second.code;
  for (const Access &a : accesses[earlier])
    for (const Access &b : accesses[later])
      if ((a.isWrite || b.isWrite) && overlap(graph.buffers[a.buffer], graph.buffers[b.buffer]))
        return true;
  return false;
}

std::vector<llvm::BitVector> npu::taskgraph::getFinishedTasks(const TaskGraph &graph) {
  std::vector<llvm::BitVector> finished;
  for (const Task &task : graph.tasks) {
    llvm::BitVector &set = finished.emplace_back(graph.tasks.size());
    for (unsigned earlier : task.waitsFor) {
      set |= finished[earlier];
      set.set(earlier);
    }
  }
  return finished;
}
